// @ts-check
/**
 * The card of one piece beside its board, and a zone of that piece drawn on it.
 *
 * `[data-card-of]` is all that the seat may know of a piece, in a list that is there without scripts;
 * `[data-shown-card]` shows one of them.  What a piece reaches or commands (`[data-zone]`, its `data-places`)
 * the rules have found: here it is only drawn, one zone at a time.
 */

import { plain } from "./board-orders.js";

const SETTLES = 1500; // milliseconds in which what stands above a board may still grow after a click
/** The board, the piece on it whose card is shown, and since when. */
const shown = { key: "", code: "", since: 0 };
let zone = ""; // the name of the zone that is drawn, of whichever piece

/** The card of a piece.  @param {Element} svg @param {string} code @returns {HTMLElement | null} */
function cardOf(svg, code) {
  return code ? svg.closest(".plate")?.querySelector(`[data-card-of="${CSS.escape(code)}"]`) ?? null : null;
}

/** What the counter of a piece says, or else what it is called; "" of one without a card.
 * @param {Element} svg @param {string} code */
export function nameOnCard(svg, code) {
  const card = cardOf(svg, code);
  return card?.dataset.label || nameOf(card);
}

/** Show the card of a piece, or of none; whether it has one.
 * @param {Element} svg @param {string} key of the board @param {string} code */
export function turnSheet(svg, key, code) {
  const known = cardOf(svg, code) !== null;
  if (known || shown.key === key) Object.assign(shown, { key, code: known ? code : "", since: performance.now() });
  return known;
}

/** Whether a card of a board is shown.  @param {string} key */
export function hasSheet(key) {
  return shown.key === key && shown.code !== "";
}

/** Renew what is shown.  @param {Element} svg @param {string} key
 * @param {Map<string, {at: string}>} pieces
 * @returns {string[]} the places of the zone that is to be drawn */
export function fillSheet(svg, key, pieces) {
  const sheet = document.querySelector("[data-shown-card]"), { code } = shown;
  if (!(sheet instanceof HTMLElement) || shown.key !== key) return [];
  const card = cardOf(svg, code);
  sheet.hidden = card === null;
  if (!card) return [];
  const zones = /** @type {HTMLElement[]} */ ([...card.querySelectorAll("[data-zone]")]);
  const at = pieces.get(code)?.at;
  const beside = [...pieces].filter(([other, piece]) => at && piece.at === at && other !== code && cardOf(svg, other));
  const chips = zones.map((one) => button("zone", one.dataset.zone ?? "", one.dataset.zone ?? "", one.dataset.zone === zone));
  const tabs = beside.map(([other]) => button("tab", other, nameOf(cardOf(svg, other)), false));
  const [head = "", ...said] = [...card.children].filter((one) => !one.hasAttribute("data-zone")).map((one) => one.outerHTML);
  const { shut = "", with: there = "" } = sheet.dataset;
  const tools = (/** @type {string[]} */ all, words = "") => all.length ? `<div class="sheet-tools">${words}${all.join("")}</div>` : "";
  renew(sheet, head + tools(chips) + said.join("") + tools(tabs, `<span>${plain(there)}</span>`) +
    `<button type="button" class="button" data-shut aria-label="${plain(shut)}"><span aria-hidden="true">×</span></button>`);
  sheet.setAttribute("aria-label", nameOf(card));
  if (performance.now() - shown.since < SETTLES) uncover(svg, sheet);
  return zones.find((one) => one.dataset.zone === zone)?.dataset.places?.split(" ") ?? [];
}

/** Where a sheet lies over the foot of the window, have the board stand above it.
 * @param {Element} svg @param {HTMLElement} sheet */
function uncover(svg, sheet) {
  const board = svg.getBoundingClientRect();
  const covered = getComputedStyle(sheet).position === "fixed" && board.bottom > sheet.getBoundingClientRect().top;
  if (covered) scrollBy(0, Math.max(board.top - 8, 0));
}

/** Show no card any more. */
function shut() {
  shown.code = "";
}

/** @param {Element | null} card */
function nameOf(card) {
  return card?.querySelector("strong")?.textContent ?? "";
}

/** @param {string} kind @param {string} code @param {string} words @param {boolean} pressed */
function button(kind, code, words, pressed) {
  return `<button type="button" class="button small" data-${kind}="${plain(code)}" aria-pressed="${pressed}">${plain(words)}</button>`;
}

/** Fill a sheet; the button that had the focus has it again.  @param {HTMLElement} sheet @param {string} markup */
function renew(sheet, markup) {
  if (sheet.firstChild && written.get(sheet) === markup) return;
  const old = sheet.contains(document.activeElement) ? document.activeElement : null;
  sheet.innerHTML = markup;
  written.set(sheet, markup);
  const same = old && [...sheet.querySelectorAll("button")].find((one) => one.textContent === old.textContent);
  same?.focus({ preventScroll: true });
}

/** @type {WeakMap<Element, string>} */
const written = new WeakMap();

/** Hear what is done to sheets.  @param {() => void} soon shows what has changed */
export function listenToSheets(soon) {
  document.addEventListener("click", (event) => {
    const pressed = event.target instanceof Element ? event.target.closest("[data-shown-card] button") : null;
    if (!(pressed instanceof HTMLElement)) return;
    const { tab, zone: name } = pressed.dataset;
    if (pressed.hasAttribute("data-shut")) shut();
    if (tab) shown.code = tab;
    if (name) zone = zone === name ? "" : name;
    soon();
  });
  document.addEventListener("submit", (event) => { // what is answered is looked at no more
    if (event.submitter?.getAttribute("value") === "seal") shut();
  });
  document.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || !shown.code) return;
    shut();
    soon();
  });
}
