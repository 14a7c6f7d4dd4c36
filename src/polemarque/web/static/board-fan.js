// @ts-check
/**
 * Pieces that lie on each other, spread around their place: each can be clicked, tapped or reached by Tab.
 *
 * A fan opens where a pile is chosen, and closes once one of its pieces, or a goal, is.
 */

import { middle, plain, put } from "./board-orders.js";

/** @typedef {{code: string, label: string, element: SVGGElement}} Leaf */

const NEAR = 12; // pixels between the middles of pieces that lie on each other
const ACROSS = 44; // pixels of a leaf: a finger's breadth
const LETTER = 7; // pixels of a letter of a code

export class Fan {
  /** @param {SVGSVGElement} svg */
  constructor(svg) {
    for (const old of svg.querySelectorAll(":scope > .fan")) old.remove(); // of a copy
    this.svg = svg;
    this.place = ""; // where the pile lies that is spread; "" for none
    this.layer = document.createElementNS("http://www.w3.org/2000/svg", "g");
    this.layer.setAttribute("class", "fan");
    svg.append(this.layer);
  }

  /** The piece that is meant by a leaf; "" by anything else.  @param {Element} target */
  codeOf(target) {
    return this.layer.contains(target) ? target.closest("[data-leaf]")?.getAttribute("data-leaf") ?? "" : "";
  }

  /** Draw the pile of the chosen piece, if it is spread.
   * @param {Leaf[]} leaves what can be chosen in its place @param {string} chosen its code */
  show(leaves, chosen) {
    const unit = 1 / (this.svg.getScreenCTM()?.a || 1); // of the drawing, for one pixel
    const top = leaves.find((leaf) => leaf.code === chosen), centre = top && middle(top.element);
    const pile = centre ? leaves.filter(({ element }) => {
      const { x, y } = middle(element);
      return Math.hypot(x - centre.x, y - centre.y) < NEAR * unit;
    }) : [];
    if (pile.length < 2 || !centre) this.place = "";
    const focused = this.codeOf(document.activeElement ?? document.body);
    const far = Math.max(ACROSS, (pile.length * ACROSS * 1.1) / (2 * Math.PI));
    put(this.layer, this.place && centre ? pile.map(({ code, label }, n) => {
      const turn = (2 * Math.PI * (n + 0.5)) / pile.length - Math.PI / 2;
      const [x, y] = [centre.x + far * unit * Math.cos(turn), centre.y + far * unit * Math.sin(turn)];
      const half = Math.max(ACROSS / 2, (code.length * LETTER) / 2 + 6);
      return `<path class="stem" d="M${centre.x.toFixed(1)} ${centre.y.toFixed(1)}L${x.toFixed(1)} ${y.toFixed(1)}"/>` +
        `<g data-leaf="${plain(code)}" role="button" tabindex="0" aria-label="${plain(label)}" aria-pressed="${code === chosen}"` +
        ` transform="translate(${x.toFixed(1)} ${y.toFixed(1)}) scale(${unit.toFixed(4)})"><title>${plain(label)}</title>` +
        `<rect x="${-half}" y="${-ACROSS / 2}" width="${2 * half}" height="${ACROSS}" rx="${ACROSS / 2}"/>` +
        `<text text-anchor="middle" y="5">${plain(code)}</text></g>`;
    }).join("") : "");
    if (focused) /** @type {SVGGElement | null} */ (this.layer.querySelector(`[data-leaf="${CSS.escape(focused)}"]`))?.focus();
  }
}
