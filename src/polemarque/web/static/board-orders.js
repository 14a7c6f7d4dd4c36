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
const TAG = 22; // pixels from one tag to the next above it
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
    /** @type {Map<string, number>} */
    const above = new Map();
    const lettered = ways.filter(({ kind, words }) => words && (kind || scale >= SMALL));
    const free = [...(legal.length > MANY ? picked : legal), ...pieces.keys()].map(middle); // what a finger looks for
    const tags = lettered.map((way) => tagOf(way, unit, above, this.svg.viewBox.baseVal, free));
    const arrows = ways.map(({ points, kind }) => (points.length > 1 ? lineOf(points, kind, fine) : ""));
    const told = [...(scale >= SMALL ? chances : [])].map(([goal, chance]) => chanceOf(middle(goal), chance, unit));
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

/** The tag of an arrow, over or under its head: where it covers less of what can be tapped.  That of an
 * order given before covers none of it, nor is it said twice or of what is out of sight: it is left out.
 * @param {Way} way @param {number} unit @param {Map<string, number>} above how many lines a goal has
 * @param {Box} seen @param {Point[]} free */
function tagOf({ points, words, fact, kind }, unit, above, seen, free) {
  const end = points[points.length - 1], key = `${end.x} ${end.y}`;
  const row = above.get(key) ?? 0, lines = [words, ...broken(kind ? fact : "")];
  const half = (Math.max(...lines.map((line) => line.length)) * LETTER / 2 + 8) * unit;
  const high = (lines.length - 1) * LINE;
  const x = within(end.x, seen.x + half, seen.x + seen.width - half);
  const spots = [-26 - row * TAG - high, 30 + row * TAG].map((off) => {
    const y = within(end.y + off * unit, seen.y + 14 * unit, seen.y + seen.height - (14 + high) * unit);
    return { y, hides: free.filter((one) => Math.abs(one.x - x) < half && one.y > y - 12 * unit && one.y < y + (9 + high) * unit).length };
  });
  if (points.length > 1 && points[0].y < end.y - CLEAR * unit) spots.reverse(); // not over its own arrow
  const { y, hides } = spots[1].hides < spots[0].hides ? spots[1] : spots[0];
  if (!kind && (hides || above.has(key + words) || within(end.y, seen.y, seen.y + seen.height) !== end.y || Math.abs(x - end.x) > half)) return "";
  above.set(key, row + lines.length).set(key + words, 1);
  const said = lines.map((line, n) => `<tspan x="0" y="${3 + n * LINE}">${plain(line)}</tspan>`).join("");
  return `<g class="tag ${kind}" transform="translate(${x.toFixed(1)} ${y.toFixed(1)}) scale(${unit.toFixed(4)})">` +
    `<rect x="${-half / unit}" y="-12" width="${2 * half / unit}" height="${21 + high}" rx="3"/>` +
    `<text text-anchor="middle">${said}</text></g>`;
}

/** A small tag beside a goal: the chance that it tells.  @param {Point} goal @param {string} chance @param {number} unit */
function chanceOf({ x, y }, chance, unit) {
  const wide = chance.length * LETTER + 8, low = y + 20 * unit; // below its name
  return `<g class="tag chance" transform="translate(${x.toFixed(1)} ${low.toFixed(1)}) scale(${unit.toFixed(4)})">` +
    `<rect x="${-wide / 2}" y="-9" width="${wide}" height="17" rx="3"/><text text-anchor="middle" y="4">${plain(chance)}</text></g>`;
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
