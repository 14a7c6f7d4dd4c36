// @ts-check
/**
 * Orders as they are drawn on a board: goals outlined, what is chosen as an arrow with its tag.
 *
 * All lines are as thick, and all words as large, however near the board is seen; where it is too small
 * to be read, rings and arrows are smaller, and only what is chosen now has its name.
 */

import { SMALL } from "./board-view.js";

/** @typedef {{x: number, y: number}} Point */
/** @typedef {{x: number, y: number, width: number, height: number}} Box */
/** @typedef {{points: Point[], words: string, fact: string, kind: string}} Way */

const CLEAR = 12; // pixels between an arrow and what it leads from or to
const LETTER = 6.2; // pixels of a letter in a tag, on the broad side
const LINE = 16; // pixels from one line of a tag to the next
const LETTERS = 30; // in a line of a tag, if it can be broken
export const MANY = 30; // goals of which an outline each would hide the map

/** @type {WeakMap<Element, {x: number, y: number, broad: number}>} */
const middles = new WeakMap();

/** The middle of a place or piece, and how broad it is, in the units of its drawing; what is set down
 * by a `transform` stands at its own origin.  @param {SVGGElement} element */
export function middle(element) {
  const known = middles.get(element);
  if (known) return known;
  const placed = element.hasAttribute("transform");
  const face = /** @type {SVGGElement} */ (placed ? element : element.querySelector(":scope > g:last-of-type") ?? element);
  const { x, y, width, height } = face.getBBox();
  const whole = element.ownerSVGElement?.getScreenCTM()?.inverse(), own = face.getScreenCTM();
  const at = placed ? new DOMPoint(0, 0) : inside(element, { x, y, width, height });
  const point = whole && own ? at.matrixTransform(whole.multiply(own)) : at;
  const found = { x: point.x, y: point.y, broad: Math.max(width, height) };
  if (width) middles.set(element, found); // a drawing that is not shown has no measures yet
  return found;
}

const GRID = 12; // parts of a place's breadth, and height, of which one is sought that lies in it

/** The middle of a place; where that lies outside its outline, as of a crescent, what lies well inside
 * and nearest to it.  @param {SVGGElement} place @param {DOMRect | Box} box */
function inside(place, { x, y, width, height }) {
  const centre = new DOMPoint(x + width / 2, y + height / 2);
  const drawn = place.querySelector(":scope > .hit > use:not([transform])")?.getAttribute("href");
  const shape = drawn && place.ownerSVGElement?.querySelector(drawn);
  if (!(shape instanceof SVGGeometryElement) || shape.isPointInFill(centre)) return centre;
  const [across, down] = [width / GRID, height / GRID];
  const well = (/** @type {DOMPoint} */ at) => [[0, 0], [1, 0], [-1, 0], [0, 1], [0, -1]].every(([dx, dy]) =>
    shape.isPointInFill(new DOMPoint(at.x + (dx * across) / 2, at.y + (dy * down) / 2)));
  const points = Array.from({ length: GRID * GRID }, (_, n) =>
    new DOMPoint(x + ((n % GRID) + 0.5) * across, y + (Math.floor(n / GRID) + 0.5) * down)).filter(well);
  const off = (/** @type {DOMPoint} */ at) => Math.hypot(at.x - centre.x, at.y - centre.y);
  return points.reduce((best, one) => (off(one) < off(best) ? one : best), points[0] ?? centre);
}

/** Layers of one drawing, renewed only where they change: other scripts hear of every change. */
export class Drawn {
  /** @param {SVGSVGElement} svg */
  constructor(svg) {
    this.svg = svg;
    for (const old of svg.querySelectorAll(":scope > .drawn")) old.remove(); // of a copy
    this.goals = layer("goals");
    this.ways = layer("ways");
    svg.querySelector("[data-place]")?.parentElement?.after(this.goals);
    svg.append(this.ways);
  }

  /** @param {SVGGElement[]} legal @param {SVGGElement[]} picked places
   * @param {Map<SVGGElement, string>} pieces those with a ring, and its kind @param {Way[]} ways
   * @param {SVGGElement[]} zone places that a piece reaches or commands
   * @param {Map<SVGGElement, string>} chances of goals */
  show(legal, picked, pieces, ways, zone, chances) {
    const scale = this.svg.getScreenCTM()?.a || 1, unit = 1 / scale; // of the drawing, for one pixel
    const fine = unit * Math.min(1, Math.max(0.5, scale / SMALL));
    const lines = [...(legal.length > MANY ? [] : [["halo", 8]]), ["rim", legal.length > MANY ? 2 : 3]];
    const outlines = lines.map(([kind, wide]) => outlined(String(kind), Number(wide) * fine, legal));
    const zoned = outlined("halo", 7 * unit, zone) + outlined("zone", 3 * unit, zone);
    put(this.goals, outlines.join("") + zoned + outlined("halo", 9 * fine, picked) + outlined("rim", 5 * fine, picked));
    const rings = [...pieces].map(([piece, kind]) => ring(piece, kind, fine));
    const lettered = ways.filter(({ kind, words }) => words && (kind || scale >= SMALL));
    const free = [...(legal.length > MANY ? picked : legal), ...pieces.keys()].map(middle); // what a finger looks for
    const room = new Room(this.svg, free, unit), seen = this.svg.viewBox.baseVal;
    const tags = lettered.map((way) => tagOf(way, unit, room, seen));
    const arrows = ways.map(({ points, kind }) => (points.length > 1 ? lineOf(points, kind, fine) : ""));
    const told = [...(scale >= SMALL ? chances : [])].map(([goal, chance]) => chanceOf(middle(goal), chance, unit, room, seen));
    put(this.ways, [...rings, ...arrows, ...told, ...tags].join(""));
  }
}

/** @param {string} kind @returns {SVGGElement} */
function layer(kind) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", "g");
  made.setAttribute("class", `drawn ${kind}`);
  made.setAttribute("aria-hidden", "true");
  return made;
}

/** @type {WeakMap<Element, string>} */
const written = new WeakMap();

/** @param {Element} element @param {string} markup */
export function put(element, markup) {
  if ((written.get(element) ?? "") === markup) return;
  written.set(element, markup);
  element.innerHTML = markup;
}

/** @param {string} words */
export function plain(words) {
  return words.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);
}

/** @param {string} kind @param {number} wide @param {SVGGElement[]} places */
function outlined(kind, wide, places) {
  const shapes = places.map((place) => place.querySelector(".hit")?.firstElementChild?.outerHTML ?? "");
  return shapes.length ? `<g class="${kind}" stroke-width="${wide.toFixed(2)}">${shapes.join("")}</g>` : "";
}

/** @param {SVGGElement} piece @param {string} kind @param {number} unit */
function ring(piece, kind, unit) {
  const { x, y, broad } = middle(piece);
  const r = Math.max(14 * unit, broad * 0.58);
  const circle = (/** @type {string} */ which, /** @type {number} */ wide) =>
    `<circle class="${which}" cx="${x.toFixed(1)}" cy="${y.toFixed(1)}" r="${r.toFixed(1)}"` +
    ` stroke-width="${(wide * unit).toFixed(2)}"/>`;
  return circle("halo", 6) + circle(`ring ${kind}`, kind === "ready" ? 2 : 3);
}

/** @type {WeakMap<SVGSVGElement, Box[]>} */
const lettering = new WeakMap();

/** Where names stand on a drawing, in its units.  @param {SVGSVGElement} svg @returns {Box[]} */
function names(svg) {
  const known = lettering.get(svg), back = svg.getScreenCTM()?.inverse();
  if (known || !back) return known ?? [];
  const boxes = [...svg.querySelectorAll(".names text")].map((one) => {
    const { x, y, width, height } = one.getBoundingClientRect(), at = new DOMPoint(x, y).matrixTransform(back);
    return { x: at.x, y: at.y, width: width * back.a, height: height * back.a };
  });
  if (boxes.some(({ width }) => width)) lettering.set(svg, boxes); // one that is not shown has no measures yet
  return boxes;
}

const GOAL = 12; // pixels around the middle of a goal that a finger looks for
const WEIGHT = { name: 1, tag: 2, goal: 4 }; // of what a tag would hide, by its area

/** What tags keep clear of: names, goals, and each other. */
class Room {
  /** @param {SVGSVGElement} svg @param {Point[]} goals their middles @param {number} unit */
  constructor(svg, goals, unit) {
    const off = GOAL * unit;
    this.goals = goals.map(({ x, y }) => ({ x: x - off, y: y - off, width: 2 * off, height: 2 * off }));
    this.names = names(svg);
    /** @type {Box[]} */
    this.tags = [];
    this.said = new Set();
  }

  /** Of boxes, in the order in which they are liked, the one that hides least; `goal`: whether it hides one.
   * @param {Box[]} boxes */
  best(boxes) {
    const hidden = (/** @type {Box} */ box, /** @type {Box[]} */ under) => under.reduce((sum, one) => sum + shared(box, one), 0);
    const priced = boxes.map((box) => {
      const goal = hidden(box, this.goals);
      return { box, goal, price: WEIGHT.goal * goal + WEIGHT.tag * hidden(box, this.tags) + WEIGHT.name * hidden(box, this.names) };
    });
    return priced.reduce((best, one) => (one.price < best.price ? one : best));
  }
}

/** The area that two boxes share.  @param {Box} one @param {Box} other */
function shared(one, other) {
  const broad = Math.min(one.x + one.width, other.x + other.width) - Math.max(one.x, other.x);
  const high = Math.min(one.y + one.height, other.y + other.height) - Math.max(one.y, other.y);
  return Math.max(0, broad) * Math.max(0, high);
}

/** Where a tag of so many pixels hides least: at one of those places, pixels from the point it belongs to.
 * @param {Point} point @param {{broad: number, top: number, high: number}} size `top`: of the line it is set on
 * @param {number[][]} spots @param {number} unit @param {Room} room @param {Box} seen */
function placed({ x, y }, { broad, top, high }, spots, unit, room, seen) {
  const half = (broad / 2) * unit;
  const boxes = spots.map(([across, down]) => ({
    x: within(x + across * unit, seen.x + half, seen.x + seen.width - half) - half,
    y: within(y + (down + top) * unit, seen.y, seen.y + seen.height - high * unit),
    width: 2 * half, height: high * unit,
  }));
  const { box, goal } = room.best(boxes);
  return { box, goal, x: box.x + half, y: box.y - top * unit };
}

/** The tag of an arrow, at its head.  That of an order given before covers no goal, nor is it said twice
 * or of what is out of sight: it is left out.
 * @param {Way} way @param {number} unit @param {Room} room @param {Box} seen */
function tagOf({ points, words, fact, kind }, unit, room, seen) {
  const end = points[points.length - 1], key = `${end.x} ${end.y} ${words}`, lines = [words, ...broken(kind ? fact : "")];
  const broad = Math.max(...lines.map((line) => line.length)) * LETTER + 16, high = (lines.length - 1) * LINE;
  const spots = [[0, -26 - high], [0, 30], [broad / 2 + 2 * CLEAR, -high / 2], [-broad / 2 - 2 * CLEAR, -high / 2]];
  if (points.length > 1 && points[0].y < end.y - CLEAR * unit) spots.splice(0, 2, spots[1], spots[0]); // not over its own arrow
  const size = { broad, top: -12, high: 21 + high };
  const { box, goal, x, y } = placed(end, size, spots, unit, room, seen);
  const off = end.y !== within(end.y, seen.y, seen.y + seen.height) || end.x !== within(end.x, seen.x, seen.x + seen.width);
  if (!kind && (goal || off || room.said.has(key))) return "";
  room.said.add(key);
  room.tags.push(box);
  const said = lines.map((line, n) => `<tspan x="0" y="${3 + n * LINE}">${plain(line)}</tspan>`).join("");
  return tag(kind, { x, y }, unit, size, said);
}

/** A small tag beside a goal, if it can be below its name: the chance that it tells.
 * @param {Point} goal @param {string} chance @param {number} unit @param {Room} room @param {Box} seen */
function chanceOf(goal, chance, unit, room, seen) {
  const size = { broad: chance.length * LETTER + 8, top: -13, high: 17 }, side = size.broad / 2 + CLEAR;
  const { box, x, y } = placed(goal, size, [[0, 24], [0, -16], [side, 4], [-side, 4]], unit, room, seen);
  room.tags.push(box);
  return tag("chance", { x, y }, unit, size, plain(chance));
}

/** @param {string} kind @param {Point} at @param {number} unit @param {{broad: number, top: number, high: number}} size @param {string} said */
function tag(kind, { x, y }, unit, { broad, top, high }, said) {
  return `<g class="tag ${kind}" transform="translate(${x.toFixed(1)} ${y.toFixed(1)}) scale(${unit.toFixed(4)})">` +
    `<rect x="${-broad / 2}" y="${top}" width="${broad}" height="${high}" rx="3"/><text text-anchor="middle">${said}</text></g>`;
}

/** Words in lines of a tag.  @param {string} words @returns {string[]} */
function broken(words) {
  /** @type {string[]} */
  const lines = [];
  for (const word of words.split(" ").filter(Boolean)) {
    const last = lines[lines.length - 1];
    if (last !== undefined && last.length + word.length < LETTERS) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}

/** @param {number} value @param {number} least @param {number} most */
function within(value, least, most) {
  return least > most ? (least + most) / 2 : Math.min(most, Math.max(least, value));
}

/** @param {Point[]} points @param {string} kind @param {number} unit */
function lineOf(points, kind, unit) {
  const [first, next] = points, [before, last] = points.slice(-2);
  const start = nearer(first, next, CLEAR * unit), tip = nearer(last, before, CLEAR * unit / 2);
  const neck = nearer(tip, before, 12 * unit);
  const bend = { x: (first.x + last.x) / 2 + (last.y - first.y) / 10, y: (first.y + last.y) / 2 - (last.x - first.x) / 10 };
  const by = points.slice(1, -1).map((point) => `L${at(point)}`).join("");
  const way = `M${at(start)}${by || `Q${at(bend)} `}${by && "L"}${at(neck)}`;
  const from = by ? before : bend;
  const turn = (Math.atan2(tip.y - from.y, tip.x - from.x) * 180) / Math.PI;
  const head = `<path class="head" d="M0 0L-20 9L-15 0L-20-9Z" transform="translate(${at(tip)}) rotate(${turn.toFixed(1)}) scale(${unit.toFixed(4)})"/>`;
  const line = (/** @type {string} */ which, /** @type {number} */ wide) =>
    `<path class="${which}" d="${way}" stroke-width="${(wide * unit).toFixed(2)}"/>`;
  return `<g class="way ${kind}">${line("halo", 8)}${line("line", 4)}${head}</g>`;
}

/** A point, so much nearer to another.  @param {Point} from @param {Point} to @param {number} far */
function nearer(from, to, far) {
  const length = Math.hypot(to.x - from.x, to.y - from.y);
  const part = length ? Math.min(far / length, 0.4) : 0;
  return { x: from.x + (to.x - from.x) * part, y: from.y + (to.y - from.y) * part };
}

/** @param {Point} point */
function at({ x, y }) {
  return `${x.toFixed(1)} ${y.toFixed(1)}`;
}
