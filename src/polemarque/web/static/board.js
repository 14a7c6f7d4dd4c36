// @ts-check
/**
 * Maps and boards on a page: nearer and farther, from place to place by keyboard, chosen by touch.
 *
 * A board is an `svg[data-board]`.  Its places are `[data-place]`; what stands on one has
 * `[data-at]` and, if it has a name of its own, `[data-piece]`.  Choosing a place fires
 * `polemarque:place` (bubbling, cancelable, `detail.place`) and picks it in the form: in the control
 * with `data-places` that was used last, or else in the first that offers it.  A piece that is clicked
 * is picked itself where the form offers it, or else the control about it is gone to; a piece of the
 * reader's own (`data-of`) is never taken for the place where it stands.  Without this module
 * the drawing stays as it is and the form is filled by hand.
 */

import { about, offered, seatAsked, use } from "./board-form.js";
import { STEP, View } from "./board-view.js";

/** @type {WeakMap<Element, Board>} */
const boards = new WeakMap();
let focused = { board: "", place: "" }; // where the focus is, if it is on a board

class Board {
  /** @param {SVGSVGElement} svg */
  constructor(svg) {
    this.svg = svg;
    this.key = svg.getAttribute("aria-labelledby") ?? "";
    this.view = new View(svg, this.key);
    this.marked = false;
    /** @type {Map<string, SVGGElement>} */
    this.places = new Map();
    for (const place of /** @type {NodeListOf<SVGGElement>} */ (svg.querySelectorAll("[data-place]")))
      this.places.set(place.dataset.place ?? "", place);
    /** @type {Map<string, string>} where each piece stands */
    this.stands = new Map();
    for (const piece of /** @type {NodeListOf<SVGGElement>} */ (svg.querySelectorAll("[data-piece]")))
      this.stands.set(piece.dataset.piece ?? "", piece.dataset.at ?? "");
    svg.addEventListener("click", (event) => this.click(event));
    svg.addEventListener("keydown", (event) => this.typed(event));
    if (focused.board === this.key && document.activeElement === document.body)
      this.places.get(focused.place)?.focus();
  }

  /** @param {MouseEvent} event */
  click(event) {
    if (this.view.dragged) return void (this.view.dragged = false);
    const piece = /** @type {SVGGElement | null} */ (
      /** @type {Element} */ (event.target).closest("[data-piece]")
    );
    if (piece && this.clicked(piece)) return;
    const hit = /** @type {SVGGElement | null} */ (
      /** @type {Element} */ (event.target).closest("[data-place], [data-at]")
    );
    const place = hit && this.places.get(hit.dataset.place ?? hit.dataset.at ?? "");
    if (!place) return;
    place.focus();
    this.choose(place);
  }

  /** Whether the click was on a piece as such, and no place is meant by it.  @param {SVGGElement} piece */
  clicked(piece) {
    const code = piece.dataset.piece ?? "";
    const own = this.choices().find((choice) => choice.code === code);
    if (own) own.pick();
    return own !== undefined || about(code) || piece.dataset.of === seatAsked();
  }

  /** @param {KeyboardEvent} event */
  typed(event) {
    const here = /** @type {SVGGElement | null} */ (
      /** @type {Element} */ (event.target).closest("[data-place]")
    );
    if (!here || event.altKey || event.ctrlKey || event.metaKey) return;
    const steps = { ArrowUp: [0, -1], ArrowDown: [0, 1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] };
    const all = [...this.places.values()];
    const step = steps[/** @type {keyof typeof steps} */ (event.key)];
    if (step) this.go(this.beside(here, step[0], step[1]));
    else if (event.key === "Home") this.go(all[0]);
    else if (event.key === "End") this.go(all[all.length - 1]);
    else if (event.key === "Enter" || event.key === " ") this.choose(here);
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

  /** @param {SVGGElement} place */
  choose(place) {
    const detail = { place: place.dataset.place };
    const event = new CustomEvent("polemarque:place", { bubbles: true, cancelable: true, detail });
    if (!place.dispatchEvent(event)) return;
    const fitting = this.choices().filter((choice) => this.where(choice.code) === place);
    const chosen = fitting.findIndex((choice) => choice.picked);
    fitting[(chosen + 1) % fitting.length]?.pick(); // of several pieces in a place, the next
  }

  /** The place of a code: its own, or that where the piece of that name stands.  @param {string} code */
  where(code) {
    return this.places.get(code) ?? this.places.get(this.stands.get(code) ?? "");
  }

  /** What the form offers of this board. */
  choices() {
    return offered((code) => this.where(code) !== undefined);
  }

  /** Say on the board what the form offers and what is picked in it. */
  mark() {
    /** @type {Map<SVGGElement, boolean>} */
    const legal = new Map();
    for (const { code, picked } of this.choices()) {
      const place = this.where(code);
      if (place) legal.set(place, picked || legal.get(place) === true);
    }
    if (!legal.size && !this.marked) return;
    this.marked = legal.size > 0;
    if (this.marked) this.view.frame([...legal.keys()]);
    for (const place of this.places.values()) {
      const picked = legal.get(place);
      place.classList.toggle("legal", picked !== undefined);
      place.classList.toggle("picked", picked === true);
      set(place, "aria-pressed", picked === undefined ? null : String(picked));
      set(place, "aria-disabled", picked === undefined && legal.size ? "true" : null);
    }
  }
}

/** @param {Element} element @param {string} name @param {string | null} value */
function set(element, name, value) {
  if (value === null) element.removeAttribute(name);
  else element.setAttribute(name, value);
}

/** @type {WeakMap<Element, {x: number, y: number}>} */
const middles = new WeakMap();

/** The middle of a place, in the units of the drawing.  @param {SVGGElement} place */
function middle(place) {
  const known = middles.get(place);
  if (known) return known;
  const { x, y, width, height } = place.getBBox();
  const found = { x: x + width / 2, y: y + height / 2 };
  if (width) middles.set(place, found); // a drawing that is not shown has no measures yet
  return found;
}

let waiting = false;

/** Take up boards that are new on the page, and say on all what the form offers. */
function refresh() {
  waiting = false;
  for (const svg of /** @type {NodeListOf<SVGSVGElement>} */ (document.querySelectorAll("svg[data-board]"))) {
    const board = boards.get(svg) ?? new Board(svg);
    boards.set(svg, board);
    board.mark();
  }
}

function soon() {
  if (waiting) return;
  waiting = true;
  requestAnimationFrame(refresh);
}

document.addEventListener("click", (event) => {
  const button = /** @type {Element} */ (event.target).closest("[data-zoom]");
  const svg = button?.closest(".plate")?.querySelector("svg[data-board]");
  const view = svg && boards.get(svg)?.view;
  const kind = button?.getAttribute("data-zoom");
  if (kind === "in" || kind === "out") view?.zoom(kind === "in" ? STEP : 1 / STEP);
  else if (kind) view?.show(view.whole);
});
for (const kind of ["focusin", "change"])
  document.addEventListener(kind, (event) => {
    const target = /** @type {Element} */ (event.target);
    const svg = target.closest("svg[data-board]");
    if (svg) boards.get(svg)?.rove(target); // heard here: Chromium stops by Tab at a drawing that listens
    const board = svg?.getAttribute("aria-labelledby") ?? "";
    focused = { board, place: target.closest("[data-place]")?.getAttribute("data-place") ?? "" };
    if (use(target) || kind === "change") soon();
  });
new MutationObserver(soon).observe(document.body, { childList: true, subtree: true });
refresh();
