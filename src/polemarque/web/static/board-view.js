// @ts-check
/** Which part of a drawing is seen: nearer and farther, by finger, wheel and button. */

import { resumed } from "./returning.js";

export const DRAG = 4; // pixels before a press becomes a drag: less, and clicks would be lost
const NEAREST = 12; // how many times nearer than the whole one can come
export const SMALL = 0.4; // pixels for a unit of the drawing: with fewer, no name can be read
const LEGIBLE = 0.75; // as many show names well
const TARGET = 24; // pixels that a place measures at least, to be hit with a finger
export const STEP = 1.5; // how much nearer one press of a button comes

/** @typedef {{x: number, y: number}} Point */
/** @typedef {{x: number, y: number, width: number, height: number}} Box */

/** @type {Map<string, Box>} what was seen of a board, for when the page puts it anew or is come back to */
const kept = new Map(resumed("boards", () => [...kept]));
/** @type {Set<string>} boards that have been looked at with a question about their places */
const framed = new Set();

/** The part of an `svg` that is seen, as its `viewBox` has it. */
export class View {
  /** @param {SVGSVGElement} svg @param {string} key what the board is known by on this page
   * @param {(event: PointerEvent) => boolean} takes whether a press is meant for something that stands
   * there, and not for the ground */
  constructor(svg, key, takes) {
    this.svg = svg;
    this.key = key;
    this.takes = takes;
    const { x, y, width, height } = svg.viewBox.baseVal;
    /** @type {Box} */
    this.whole = { x, y, width, height };
    /** @type {Map<number, Point>} */
    this.fingers = new Map();
    this.dragged = false;
    svg.addEventListener("pointerdown", (event) => this.press(event));
    svg.addEventListener("pointermove", (event) => this.move(event));
    for (const end of /** @type {const} */ (["pointerup", "pointercancel"]))
      svg.addEventListener(end, (event) => {
        this.fingers.delete(event.pointerId);
        svg.classList.remove("dragged");
      });
    svg.addEventListener("wheel", (event) => this.wheel(event), { passive: false });
    this.show(kept.get(key) ?? this.whole);
  }

  /** @returns {Box} what is seen */
  get seen() {
    const { x, y, width, height } = this.svg.viewBox.baseVal;
    return { x, y, width, height };
  }

  /** Show a part of the board, never more than the whole.  @param {Box} box */
  show(box) {
    const whole = this.whole;
    const width = Math.min(whole.width, Math.max(whole.width / NEAREST, box.width));
    const height = (whole.height * width) / whole.width;
    const x = Math.min(whole.x + whole.width - width, Math.max(whole.x, box.x));
    const y = Math.min(whole.y + whole.height - height, Math.max(whole.y, box.y));
    this.svg.setAttribute("viewBox", [x, y, width, height].map((n) => n.toFixed(2)).join(" "));
    if (this.nearer) kept.set(this.key, { x, y, width, height });
    else kept.delete(this.key);
    this.svg.closest(".plate")?.classList.toggle("moves", this.nearer);
    this.svg.dispatchEvent(new Event("polemarque:seen"));
  }

  /** Whether less than the whole is seen. */
  get nearer() {
    return this.seen.width < this.whole.width - 0.01;
  }

  /** Come `times` nearer; the point `at`, by default the middle, stays where it is.
   * @param {number} times @param {Point} [at] */
  zoom(times, at) {
    const { x, y, width, height } = this.seen;
    const fixed = at ?? { x: x + width / 2, y: y + height / 2 };
    const less = Math.min(this.whole.width, Math.max(this.whole.width / NEAREST, width / times)) / width;
    this.show({
      x: fixed.x - (fixed.x - x) * less, y: fixed.y - (fixed.y - y) * less,
      width: width * less, height: height * less,
    });
  }

  /** A point of the window in the units of the drawing.  @param {Point} point */
  at(point) {
    return new DOMPoint(point.x, point.y).matrixTransform(this.svg.getScreenCTM()?.inverse());
  }

  /** @param {PointerEvent} event */
  press(event) {
    if (event.button !== 0) return;
    if (!this.fingers.size) this.dragged = false;
    if (!this.fingers.size && this.takes(event)) return;
    this.fingers.set(event.pointerId, { x: event.clientX, y: event.clientY });
  }

  /** Drag with one finger, pinch with two.  @param {PointerEvent} event */
  move(event) {
    if (!event.buttons) this.fingers.delete(event.pointerId); // let go where nobody heard it
    const before = this.fingers.get(event.pointerId);
    if (!before) return;
    const now = { x: event.clientX, y: event.clientY };
    const other = [...this.fingers].find(([id]) => id !== event.pointerId)?.[1];
    if (!this.dragged && Math.hypot(now.x - before.x, now.y - before.y) < DRAG) return;
    if (!other && !this.nearer) return;
    this.dragged = true;
    this.svg.classList.add("dragged");
    this.svg.setPointerCapture(event.pointerId);
    this.fingers.set(event.pointerId, now);
    if (other) {
      const was = Math.hypot(before.x - other.x, before.y - other.y);
      const is = Math.hypot(now.x - other.x, now.y - other.y);
      if (was > 0) this.zoom(is / was, this.at({ x: (now.x + other.x) / 2, y: (now.y + other.y) / 2 }));
    } else {
      const [from, to] = [this.at(before), this.at(now)];
      this.show({ ...this.seen, x: this.seen.x - to.x + from.x, y: this.seen.y - to.y + from.y });
    }
  }

  /** The wheel zooms once the board is in use; before, it scrolls the page.  @param {WheelEvent} event */
  wheel(event) {
    const used = event.ctrlKey || this.nearer || this.svg.contains(document.activeElement);
    if (!used || (event.deltaY > 0 && !this.nearer)) return;
    event.preventDefault();
    this.zoom(STEP ** (-Math.sign(event.deltaY) / 2), this.at({ x: event.clientX, y: event.clientY }));
  }

  /** Whether what is seen is so small that no name on it can be read. */
  get tiny() {
    const { width: pixels } = this.svg.getBoundingClientRect();
    return pixels > 0 && pixels / this.seen.width < SMALL; // a drawing that is not shown has no measures yet
  }

  /** Where the whole is too small to be read, begin with what a question is about; once, so that
   * whoever looks elsewhere since is left alone.  @param {SVGGraphicsElement[]} places */
  begin(places) {
    if (!this.svg.getBoundingClientRect().width || framed.has(this.key)) return;
    framed.add(this.key);
    if (!this.nearer) this.frame(places);
  }

  /** Show places so near that they can be read, and hit with a finger.
   * @param {SVGGraphicsElement[]} places */
  frame(places) {
    const { width: pixels } = this.svg.getBoundingClientRect();
    const boxes = places.map((place) => place.getBBox());
    const least = Math.min(...boxes.map((box) => Math.min(box.width, box.height)));
    const whole = pixels / this.whole.width; // pixels for a unit of the drawing
    if (whole >= SMALL && whole * least >= TARGET) return;
    const left = Math.min(...boxes.map((box) => box.x));
    const top = Math.min(...boxes.map((box) => box.y));
    const right = Math.max(...boxes.map((box) => box.x + box.width));
    const bottom = Math.max(...boxes.map((box) => box.y + box.height));
    const wide = Math.max(right - left, ((bottom - top) * this.whole.width) / this.whole.height);
    const legible = whole < SMALL ? Math.max(wide, pixels / LEGIBLE) : this.whole.width;
    const width = Math.min(legible, (pixels * least) / TARGET);
    const height = (this.whole.height * width) / this.whole.width;
    this.show({ x: (left + right - width) / 2, y: (top + bottom - height) / 2, width, height });
  }

  /** Whether a point is seen, that part of the breadth and height from the edge.
   * @param {Point} point @param {number} [aside] */
  holds(point, aside = 0) {
    const { x, y, width, height } = this.seen, far = 0.5 - aside;
    return Math.abs(point.x - x - width / 2) <= far * width && Math.abs(point.y - y - height / 2) <= far * height;
  }

  /** Bring a point into view, that far from the edge.  @param {Point} point @param {number} [aside] */
  reach(point, aside = 0) {
    const { width, height } = this.seen;
    if (!this.holds(point, aside))
      this.show({ x: point.x - width / 2, y: point.y - height / 2, width, height });
  }
}
