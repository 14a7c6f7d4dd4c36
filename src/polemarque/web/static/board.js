// @ts-check
/**
 * Maps and boards on a page: nearer and farther, from place to place by keyboard, orders given there.
 *
 * A board is an `svg[data-board]`.  Its places are `[data-place]`; what stands on one has
 * `[data-at]` and, if it has a name of its own, `[data-piece]`.  Choosing a place fires
 * `polemarque:place` (bubbling, cancelable, `detail.place`) and picks it in the form: in the part
 * that was used last, or else in the first that offers it.  A piece with a part of its own is chosen
 * by a click, those in one place by turns or, where they lie on each other, from their fan; a piece of the reader's own (`data-of`) is never taken
 * for the place where it stands.  Dragged to a place it is given that order; dragged to none it stays as
 * it was.  A place that is chosen with Shift is a step on the way of a piece that can go by another one.
 * What the form says is drawn, whoever filled it in.  Without this
 * module the drawing stays as it is and the form is filled by hand.
 */

import { aimed, listen, lit, show } from "./board-cards.js";
import { Fan } from "./board-fan.js";
import { current, goesOn, partsOn, seatAsked, subjectAsked, turned, turnTo, use } from "./board-form.js";
import { Drawn, MANY, middle } from "./board-orders.js";
import { fillSheet, hasSheet, listenToSheets, nameOnCard, turnSheet } from "./board-sheet.js";
import { DRAG, STEP, View } from "./board-view.js";

/** @typedef {import("./board-form.js").Choice} Choice */
/** @typedef {import("./board-form.js").Part} Part */
/** @typedef {import("./board-orders.js").Point} Point */
/** @typedef {{at: string, of: string | undefined, element: SVGGElement}} Piece */
/** @typedef {{code: string, label: string, turn: () => void}} Actor what can be chosen to be given an order */

/** @type {WeakMap<Element, Board>} */
const boards = new WeakMap();
const ASIDE = 0.2; // of what is seen: a fight that is asked about lies no nearer to the edge
let finger = false; // whether a finger pressed last: once lifted it points at nothing
let told = ""; // the choice that was made last on a board, until something else is pressed: all of it is told
let focused = { board: "", place: "" }; // where the focus is, if it is on a board

class Board {
  /** @param {SVGSVGElement} svg */
  constructor(svg) {
    this.svg = svg;
    this.key = svg.getAttribute("aria-labelledby") ?? "";
    this.view = new View(svg, this.key, (event) => this.grip(event));
    this.drawn = new Drawn(svg);
    this.fan = new Fan(svg);
    this.marked = false;
    this.hovered = this.spent = this.turned = this.about = "";
    this.zone = /** @type {string[]} */ ([]);
    /** @type {{piece: SVGGElement, from: Point, to: Point | null} | null} a piece in hand, and where it
     * is held once it has been dragged */
    this.held = null;
    /** @type {Map<string, SVGGElement>} */
    this.places = new Map();
    for (const place of /** @type {NodeListOf<SVGGElement>} */ (svg.querySelectorAll("[data-place]")))
      this.places.set(place.dataset.place ?? "", place);
    this.card = Object.assign(document.createElement("p"), { className: "plate-card", ariaHidden: "true" });
    svg.after(this.card); // heard already: it is the name of the place
    this.look();
    svg.addEventListener("click", (event) => this.click(event));
    svg.addEventListener("keydown", (event) => this.typed(event));
    for (const kind of ["pointerover", "pointerleave"])
      svg.addEventListener(kind, (event) => this.hover(/** @type {Element} */ (event.target), kind));
    svg.addEventListener("pointermove", (event) => this.drag(event));
    svg.addEventListener("pointerup", (event) => this.drop(event));
    svg.addEventListener("pointercancel", () => this.letGo());
    svg.addEventListener("contextmenu", (event) => this.pressed(event));
    svg.addEventListener("polemarque:seen", soon);
    if (focused.board === this.key && document.activeElement === document.body)
      this.places.get(focused.place)?.focus();
  }

  /** Take up the pieces that have a name of their own: others may set some down at any time. */
  look() {
    /** @type {Map<string, Piece>} */
    this.pieces = new Map();
    for (const element of /** @type {NodeListOf<SVGGElement>} */ (this.svg.querySelectorAll("[data-piece]"))) {
      const { piece = "", at = "", of } = element.dataset;
      this.pieces.set(piece, { at, of, element });
    }
  }

  /** What the form offers of this board. */
  get parts() {
    return this.all.filter((part) => !part.sealed);
  }

  /** The same, with what is sealed. */
  get all() {
    return partsOn({ places: this.places, pieces: this.pieces });
  }

  /** @param {MouseEvent} event */
  click(event) {
    if (this.view.dragged) return void (this.view.dragged = false);
    this.look();
    if (this.picks(this.fan.codeOf(/** @type {Element} */ (event.target)))) return;
    const piece = /** @type {SVGGElement | null} */ (
      /** @type {Element} */ (event.target).closest("[data-piece]")
    );
    const place = this.placeOf(/** @type {Element} */ (event.target));
    if (piece || !place?.classList.contains("legal")) this.tell(piece); // the card of what is ordered stays
    if (piece && this.clicked(piece)) return refresh(); // at once: the goals outlined were those of another
    if (!place) return;
    if (!piece && !place.classList.contains("legal")) this.tell(place);
    place.focus();
    this.choose(place, event.shiftKey);
  }

  /** Show the card of what stands there; without one, say what its tooltip does, which no finger gets.
   * @param {SVGGElement | null} what */
  tell(what) {
    const old = hasSheet(this.key), known = turnSheet(this.svg, this.key, what?.dataset.piece ?? "");
    this.card.textContent = known ? "" : what?.querySelector("title")?.textContent ?? "";
    if (old || known) soon();
  }

  /** The same by keyboard, of the first that stands in a place.  @param {SVGGElement} place */
  tellOf(place) {
    this.look();
    const first = [...this.pieces.values()].find((piece) => piece.at === place.dataset.place);
    if (first || !place.classList.contains("legal")) this.tell(first?.element ?? null);
  }

  /** A finger that stays on a place means what a click with Shift does.  @param {MouseEvent} event */
  pressed(event) {
    const place = this.placeOf(/** @type {Element} */ (event.target));
    if (!place || !("pointerType" in event) || event.pointerType !== "touch") return;
    event.preventDefault();
    this.choose(place, true);
  }

  // A piece is dragged ------------------------------------------------------------------------------

  /** Take up a piece that can be given an order.  @param {PointerEvent} event */
  grip(event) {
    this.look();
    const piece = /** @type {SVGGElement | null} */ (
      /** @type {Element} */ (event.target).closest("[data-piece]")
    );
    const code = piece?.dataset.piece ?? "";
    const told = this.actors(piece?.dataset.at).some((actor) => actor.code === code);
    if (!piece || (!told && code !== this.chosen)) return false;
    this.held = { piece, from: { x: event.clientX, y: event.clientY }, to: null };
    return true;
  }

  /** @param {PointerEvent} event */
  drag(event) {
    const { held } = this;
    if (!held) return;
    if (!event.buttons) return this.letGo(); // let go where nobody heard it
    if (!held.to) {
      if (Math.hypot(event.clientX - held.from.x, event.clientY - held.from.y) < DRAG) return;
      this.svg.setPointerCapture(event.pointerId);
      const code = this.meant(held.piece);
      if (code !== this.chosen || !turned()) this.turn(held.piece.dataset.at ?? "", code);
    }
    held.to = this.view.at({ x: event.clientX, y: event.clientY });
    this.hover(document.elementFromPoint(event.clientX, event.clientY) ?? this.svg, "pointerover");
    soon();
  }

  /** @param {PointerEvent} event */
  drop(event) {
    const { held } = this;
    this.letGo();
    if (!held?.to) return;
    this.view.dragged = true; // the click that follows is none
    const target = document.elementFromPoint(event.clientX, event.clientY);
    const code = /** @type {HTMLElement | null | undefined} */ (target?.closest("[data-piece]"))?.dataset.piece;
    const place = target && this.placeOf(target), now = current(this.parts);
    const meant = now?.choices.find((choice) => choice.code === code) ??
      now?.choices.find((choice) => place && this.where(choice.code) === place);
    if (meant && !meant.picked) this.pick(now, meant);
  }

  /** Choose a goal, and tell of it: whose turn is next is not meant for it too, though one still points there.
   * @param {Part | undefined} part @param {Choice} choice */
  pick(part, choice) {
    aimed(part);
    told = `${part?.name} ${choice.code}`;
    this.spent = this.hovered;
    choice.pick();
  }

  letGo() {
    this.held = null;
    soon();
  }

  /** Which piece is meant by a sign that may stand for several: that which is chosen, or else the first
   * of them without an order.  @param {SVGGElement} sign */
  meant(sign) {
    const { chosen } = this, stands = (/** @type {string} */ code) => this.pieces.get(code)?.element.contains(sign);
    if (stands(chosen)) return chosen;
    const parts = this.parts.filter((part) => part.named && stands(part.about));
    const open = parts.find((part) => !part.choices.some((choice) => choice.picked));
    return (open ?? parts[0])?.about ?? sign.dataset.piece ?? "";
  }

  /** Choose a piece of a pile that is spread.  @param {string} code @returns {boolean} whether one is meant */
  picks(code) {
    if (!code) return false;
    const at = this.pieces.get(code)?.at ?? "";
    if (code !== this.chosen) this.turn(at, code);
    this.fan.place = "";
    this.places.get(at)?.focus();
    refresh();
    return true;
  }

  /** Whether the click was on a piece as such, and no place is meant by it.  @param {SVGGElement} piece */
  clicked(piece) {
    const code = this.meant(piece), parts = this.parts;
    if (parts.some((part) => part.named && part.about === code)) return this.turn(piece.dataset.at ?? "", code);
    const now = current(parts);
    for (const part of now ? [now, ...parts] : parts) {
      const offered = part.choices.find((choice) => choice.code === code);
      if (!offered) continue;
      if (part.chooses && offered.picked) return this.turn(piece.dataset.at ?? "", code);
      turnTo(part);
      offered.pick();
      return true;
    }
    return piece.dataset.of === seatAsked();
  }

  /** What can be given an order, in the form's order; in one place, or anywhere.
   * @param {string} [place] @returns {Actor[]} */
  actors(place) {
    const { parts, pieces } = this;
    /** @type {Map<string, Actor>} */
    const found = new Map();
    for (const part of parts) {
      const choices = part.chooses ? part.choices : [];
      const turns = choices.map(({ code, label, pick }) => ({ code, label, turn: () => { turnTo(part); pick(); } }));
      if (part.named) turns.push({ code: part.about, label: part.label, turn: () => turnTo(part) });
      for (const actor of turns.filter(({ code }) => place === undefined || pieces.get(code)?.at === place))
        if (!found.has(actor.code)) found.set(actor.code, actor);
    }
    return [...found.values()];
  }

  /** Which piece is to be given an order now; "" for none. */
  get chosen() {
    const now = current(this.parts);
    return now?.about || (now?.chooses && now.choices.find((choice) => choice.picked)?.code) || "";
  }

  /** The piece that is asked about: that which is chosen, or that of a question that no board shows. */
  get asked() {
    return this.pieces.get(this.chosen || subjectAsked())?.element;
  }

  /** Bring into view what is asked about since, by its card or by itself; without a piece, a goal.
   * Where all is too small to be read, it comes nearer: to the piece and its goals.
   * @param {Part | undefined} now */
  follow(now) {
    const { asked, chosen } = this, about = JSON.stringify([now?.name, chosen || subjectAsked(), turned()]);
    if (about === this.about) return;
    this.about = about;
    const goals = (now?.choices ?? []).flatMap((choice) => (choice.control.hidden ? [] : this.where(choice.code) ?? []));
    const near = goals.length > MANY ? [] : [...goals, this.where(chosen) ?? goals].flat();
    if (turned() && this.view.tiny && near.length) this.view.frame(near);
    if (asked && (turned() || !now)) this.view.reach(middle(asked), now ? 0 : ASIDE);
    else if (turned() && goals.length && !goals.some((goal) => this.view.holds(middle(goal)))) this.view.reach(middle(goals[0]));
  }

  /** Which of those in its place the chosen piece is, and of how many. */
  get stack() {
    const { chosen } = this, actors = this.actors(this.pieces.get(chosen)?.at ?? "");
    return [actors.findIndex((actor) => actor.code === chosen) + 1, actors.length];
  }

  /** Turn to a piece in a place; to the next there if it is chosen already.
   * @param {string} place @param {string} [code] by default the first that is not chosen */
  turn(place, code) {
    const actors = this.actors(place), chosen = this.chosen;
    const old = turned() ? actors.findIndex((actor) => actor.code === chosen) : -1;
    const at = actors.findIndex((actor) => actor.code === code);
    actors[code === undefined || code === chosen && old >= 0 ? (old + 1) % actors.length : at]?.turn();
    this.fan.place = place;
    return true;
  }

  /** The place that is meant by something on the board.  @param {Element} target */
  placeOf(target) {
    const hit = /** @type {SVGGElement | null} */ (target.closest("[data-place], [data-at]"));
    return hit && this.places.get(hit.dataset.place ?? hit.dataset.at ?? "");
  }

  /** What is pointed at shows where it would lead.  @param {Element} target @param {string} kind */
  hover(target, kind) {
    const over = (!finger || this.held) && (kind === "pointerover" || kind === "focusin");
    const hit = over ? /** @type {SVGGElement | null} */ (target.closest("[data-place], [data-piece]")) : null;
    const code = hit?.dataset.piece ?? hit?.dataset.place ?? "";
    if (code === this.hovered) return;
    this.hovered = code;
    this.spent = "";
    soon();
  }

  /** @param {KeyboardEvent} event */
  typed(event) {
    const target = /** @type {Element} */ (event.target), leaf = this.fan.codeOf(target);
    if (leaf && (event.key === "Enter" || event.key === " ") && this.picks(leaf)) return event.preventDefault();
    const here = /** @type {SVGGElement | null} */ (target.closest("[data-place]"));
    if (!here || event.altKey || event.ctrlKey || event.metaKey) return;
    const steps = { ArrowUp: [0, -1], ArrowDown: [0, 1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] };
    const all = [...this.places.values()];
    const step = steps[/** @type {keyof typeof steps} */ (event.key)];
    if (step) this.go(this.beside(here, step[0], step[1]));
    else if (event.key === "Home") this.go(all[0]);
    else if (event.key === "End") this.go(all[all.length - 1]);
    else if (event.key === "Enter" || event.key === " ") this.tellOf(here), this.choose(here, event.shiftKey);
    else if (event.key === "n" || event.key === "p") this.next(event.key === "n" ? 1 : -1);
    else if (event.key === "+") this.view.zoom(STEP, middle(here));
    else if (event.key === "-") this.view.zoom(1 / STEP);
    else if (event.key === "0") this.view.show(this.view.whole);
    else return;
    event.preventDefault();
  }

  /** The nearest place in a direction.  @param {SVGGElement} here @param {number} dx @param {number} dy */
  beside(here, dx, dy) {
    const from = middle(here);
    let best = here, least = Infinity;
    for (const place of this.places.values()) {
      const to = middle(place);
      const along = (to.x - from.x) * dx + (to.y - from.y) * dy;
      const aside = Math.abs((to.x - from.x) * dy) + Math.abs((to.y - from.y) * dx);
      const far = along + 2 * aside;
      if (place !== here && along > 0 && aside < 2 * along && far < least) [best, least] = [place, far];
    }
    return best;
  }

  /** Focus a place, and bring it into view.  @param {SVGGElement} place */
  go(place) {
    place.focus();
    this.view.reach(middle(place));
  }

  /** Only the place that has, or had, the focus is reached by Tab.  @param {Element} target */
  rove(target) {
    const place = target.closest("[data-place]");
    if (!place) return;
    for (const other of this.places.values()) if (other !== place) other.setAttribute("tabindex", "-1");
    place.setAttribute("tabindex", "0");
  }

  /** Turn to the next piece that can be given an order, or to the one before.  @param {number} by */
  next(by) {
    const actors = this.actors(), { chosen } = this;
    const at = turned() ? actors.findIndex((actor) => actor.code === chosen) : -by;
    const actor = actors[(Math.max(at, -1) + by + actors.length) % actors.length];
    const place = actor && this.where(actor.code);
    if (!place) return;
    actor.turn();
    this.go(place);
    refresh();
  }

  /** @param {SVGGElement} place @param {boolean} [step] as one more step of a way */
  choose(place, step = false) {
    const detail = { place: place.dataset.place };
    const event = new CustomEvent("polemarque:place", { bubbles: true, cancelable: true, detail });
    if (!place.dispatchEvent(event)) return;
    const part = current(this.parts);
    if (step && part && goesOn(part, place.dataset.place ?? "")) return;
    const fitting = (part?.choices ?? []).filter((choice) => this.where(choice.code) === place);
    if (!fitting.length) return this.turn(place.dataset.place ?? ""), refresh();
    const chosen = fitting.findIndex((choice) => choice.picked);
    turnTo(part);
    this.fan.place = "";
    this.pick(part, fitting[(chosen + 1) % fitting.length]); // of several pieces in a place, the next
  }

  /** The place of a code: its own, or that where the piece of that name stands.  @param {string} code */
  where(code) {
    return this.places.get(code) ?? this.places.get(this.pieces.get(code)?.at ?? "");
  }

  /** Say on the board what the form offers and what is picked in it. */
  mark() {
    this.look();
    const { all } = this, parts = all.filter((part) => !part.sealed), now = current(parts);
    /** @type {Map<SVGGElement, boolean>} */
    const legal = new Map();
    for (const { code, picked } of now?.choices ?? []) {
      const place = this.where(code);
      if (place) legal.set(place, picked || legal.get(place) === true);
    }
    const { chosen } = this, acts = chosen || waits(now), shows = hasSheet(this.key) || !chosen;
    if (acts && turned() && acts !== this.turned && shows) turnSheet(this.svg, this.key, acts); // the card goes on with it
    const zone = fillSheet(this.svg, this.key, this.pieces);
    if (!all.length && !this.marked && !zone.length && !this.zone.length) return this.follow(now);
    this.marked = all.length > 0;
    const out = (now?.choices ?? []).filter((choice) => choice.control.hidden).map((choice) => this.where(choice.code));
    const seen = [...legal.keys()].filter((place) => !out.includes(place));
    this.zone = zone;
    const actors = this.actors().map((actor) => this.where(actor.code));
    const told = seen.length > MANY ? actors.filter((place) => place !== undefined) : [];
    if (legal.size) this.view.begin(told.length ? told : seen);
    this.follow(now);
    this.svg.classList.toggle("choosing", legal.size > 0 && turned());
    this.turned = acts;
    for (const place of this.places.values()) {
      const picked = legal.get(place);
      place.classList.toggle("legal", picked !== undefined);
      place.classList.toggle("picked", picked === true);
      set(place, "aria-pressed", picked === undefined ? null : String(picked));
      set(place, "aria-disabled", picked === undefined && legal.size && !actors.includes(place) ? "true" : null);
    }
    this.draw(all, now, legal, seen);
  }

  /** @param {Part[]} parts with those that are sealed @param {Part | undefined} now
   * @param {Map<SVGGElement, boolean>} legal @param {SVGGElement[]} seen those of them that are outlined */
  draw(parts, now, legal, seen) {
    const { pieces, chosen } = this;
    /** @type {Map<SVGGElement, string>} */
    const rings = new Map();
    for (const { code } of this.actors()) {
      const piece = pieces.get(code)?.element;
      if (piece) rings.set(piece, code === chosen ? "chosen" : "ready");
    }
    const own = pieces.get(chosen)?.element;
    if (own) rings.set(own, "chosen");
    for (const { element } of pieces.values()) element.classList.toggle("orderable", rings.has(element));
    const picked = [...legal].filter(([, is]) => is).map(([place]) => place);
    const zone = this.zone.flatMap((code) => this.places.get(code) ?? []);
    this.drawn.show(seen, picked, rings, this.ways(parts, now), zone, this.chances(now, own, seen));
    const at = turned() ? pieces.get(chosen)?.at : undefined;
    if (at !== this.fan.place) this.fan.place = "";
    const leaves = this.actors(at ?? "").flatMap(({ code, label }) => {
      const element = pieces.get(code)?.element;
      return element ? [{ code, label, element }] : [];
    });
    this.fan.show(leaves, chosen);
  }

  /** What the outlined goals of the chosen piece tell of their chance.
   * @param {Part | undefined} now @param {SVGGElement | undefined} own @param {SVGGElement[]} seen */
  chances(now, own, seen) {
    /** @type {[SVGGElement, string][]} */
    const found = [];
    for (const { code, fact, picked } of (own && turned() && now?.about && seen.length <= MANY && now.choices) || []) {
      const goal = this.places.get(code), [chance] = fact.match(/\d+\s?%/) ?? [];
      if (goal && chance && !picked && seen.includes(goal) && this.hovered !== code) found.push([goal, chance]);
    }
    return new Map(found);
  }

  /** The arrows of what is picked, each from where the one before of the same piece ends; and of what
   * is pointed at.  @param {Part[]} parts @param {Part | undefined} now */
  ways(parts, now) {
    const { pieces } = this, ways = [];
    /** @type {Map<string, {x: number, y: number}>} */
    const stands = new Map();
    for (const part of parts.filter((one) => !one.chooses)) {
      const piece = pieces.get(part.about)?.element;
      const from = part.about ? stands.get(part.about) ?? (piece && middle(piece)) : undefined;
      const placed = nameOnCard(this.svg, waits(part)); // of what stands nowhere yet
      const shown = part.choices.filter((choice) => choice.picked && (part.about || !part.several));
      const hinted = part === now ? part.choices.find((choice) => !choice.picked && this.hovered !== this.spent && this.means(choice)) : undefined;
      for (const choice of hinted ? [...shown, hinted] : shown) {
        const goal = pieces.get(choice.code)?.element;
        const own = goal?.dataset.of === seatAsked() || (part.several && goal && goal.dataset.of === undefined);
        if ((part.several || !part.about) && own) continue; // of one's own, a rim is enough
        const steps = goal ? [goal] : choice.way.flatMap((code) => this.places.get(code) ?? []);
        const points = [...(from ? [from] : []), ...steps.map(middle)];
        const all = lit.name === part.name || told === `${part.name} ${choice.code}` || this.means(choice);
        ways.push({ points, words: placed || choice.label, fact: all ? choice.fact : "", kind: choice === hinted ? "maybe" : lit.name === part.name ? "now lit" : part === now ? "now" : "" });
        if (choice !== hinted && !goal && points.length) stands.set(part.about, points[points.length - 1]);
      }
    }
    const held = this.held?.to && middle(this.held.piece);
    if (held && this.held?.to && !ways.some((way) => way.kind === "maybe"))
      ways.push({ points: [held, this.held.to], words: "", fact: "", kind: "maybe" });
    return ways;
  }

  /** Whether a choice is pointed at.  @param {Choice} choice */
  means(choice) {
    if (!this.hovered) return false;
    return choice.code === this.hovered || this.where(choice.code) === this.where(this.hovered);
  }
}

/** The code of what a part places that stands nowhere yet; "" if it is about something else.
 * @param {Part | undefined} part */
function waits(part) {
  return part && !part.about && !part.several ? part.name.split(/[/.]/).pop() ?? "" : "";
}

/** @param {Element} element @param {string} name @param {string | null} value */
function set(element, name, value) {
  if (value === null) element.removeAttribute(name);
  else element.setAttribute(name, value);
}

let waiting = false;

/** Take up boards that are new on the page, and say on all what the form offers. */
function refresh() {
  waiting = false;
  /** @type {Part[]} */
  const parts = [];
  let stack = [0, 0];
  for (const svg of /** @type {NodeListOf<SVGSVGElement>} */ (document.querySelectorAll("svg[data-board]"))) {
    const board = boards.get(svg) ?? new Board(svg);
    boards.set(svg, board);
    board.mark();
    parts.push(...board.parts);
    stack = turned() && board.stack[1] > 1 ? board.stack : stack;
  }
  if (show(parts, stack)) soon();
}

function soon() {
  if (waiting) return;
  waiting = true;
  requestAnimationFrame(refresh);
}

for (const kind of ["pointerdown", "pointerover", "keydown"])
  addEventListener(kind, (event) => {
    finger = "pointerType" in event && event.pointerType === "touch";
    if (kind === "pointerover" || !told) return;
    told = "";
    soon();
  }, true);
document.addEventListener("click", () => { // heard before a board is: what it says next stays
  for (const card of document.querySelectorAll(".plate-card")) card.textContent = "";
}, true);
document.addEventListener("click", (event) => {
  const button = /** @type {Element} */ (event.target).closest("[data-zoom]");
  const svg = button?.closest(".plate")?.querySelector("svg[data-board]");
  const view = svg && boards.get(svg)?.view;
  const kind = button?.getAttribute("data-zoom");
  const asked = kind === "in" && svg ? boards.get(svg)?.asked : undefined;
  if (asked) view?.reach(middle(asked));
  if (kind === "in" || kind === "out") view?.zoom(kind === "in" ? STEP : 1 / STEP, asked && middle(asked));
  else if (kind) view?.show(view.whole);
});
for (const kind of ["focusin", "focusout"]) // heard here: Chromium stops by Tab at a drawing that listens
  document.addEventListener(kind, (event) => {
    const target = /** @type {Element} */ (event.target);
    const svg = target.closest("svg[data-board]");
    if (svg) boards.get(svg)?.hover(target, kind);
  });
for (const kind of ["focusin", "change"])
  document.addEventListener(kind, (event) => {
    const target = /** @type {Element} */ (event.target);
    const svg = target.closest("svg[data-board]");
    if (svg) boards.get(svg)?.rove(target);
    const board = svg?.getAttribute("aria-labelledby") ?? "";
    focused = { board, place: target.closest("[data-place]")?.getAttribute("data-place") ?? "" };
    if (use(target) || kind === "change" || target.closest("form[data-question]")) soon();
  });
document.addEventListener("keydown", (event) => {
  if (event.key !== "Escape" || !turned()) return;
  turnTo(undefined);
  soon();
});
addEventListener("resize", soon);
listen(refresh, soon);
listenToSheets(soon);
new MutationObserver(soon).observe(document.body, { childList: true, subtree: true });
refresh();
