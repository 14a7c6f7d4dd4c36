// @ts-check
/**
 * Orders as a list beside the map: what each piece is told, what is still open, and all of it undone.
 *
 * `[data-strip]` says what is wanted now and how much is left; `[data-cards]` has a line for each part
 * of a form that the board knows (see `board-form.js`).  Both come empty, with their words as
 * `data-…`; a page without them has the map and the form alone.  In a battle a choice that answers all is sent.
 */

import { besideBoard, current, turnTo } from "./board-form.js";
import { plain, put } from "./board-orders.js";
import { button, filters, reach } from "./filters.js";
import { resumed } from "./returning.js";

/** @typedef {import("./board-form.js").Part} Part */
/** @typedef {{past: string[], future: string[], now: string, acted: boolean, typed: string, before: string}} History
 * `typed`: the field that is being typed in, by its name; `before`: that of the last step. */

const LISTED = 4; // pieces without an order that are named
const CHIPS = 8; // at most, of a piece whose goals are no places

/** The part whose card was pressed last, until something is chosen. */
let pressed = "";

/** The part whose card is pointed at, by its name; "" for none. */
export const lit = { name: "" };

/** What has been chosen on the board for a piece, and the form as it stood then. */
const goal = { name: "", form: /** @type {HTMLFormElement | null} */ (null) };

/** A goal was chosen on the board.  @param {Part | undefined} part */
export function aimed(part) {
  if (part?.about && !part.several) Object.assign(goal, { name: part.name, form: part.form });
}

/** Where battles are played what completes an answer sends it; in a campaign a look sends nothing. */
function quick() {
  return document.querySelector("[data-strip][data-quick]") !== null;
}

/** Send a battle's answer if only what goes along by itself comes after a field, and nobody else answers with it.
 * @param {HTMLFormElement} form @param {HTMLElement} field @returns {boolean} whether it was */
function finish(form, field) {
  const seal = form.querySelector("button[value=seal]"), alone = form.querySelector("input[name=salt]") === null;
  const fields = [...form.querySelectorAll(":is(select, fieldset, .amount):not(.ahead *)")];
  const after = fields.slice(fields.indexOf(field) + 1);
  const along = after.every((one) => one.querySelector("input[type=checkbox]:checked"));
  if (!quick() || !alone || !along || !field.querySelector(":checked") || !(seal instanceof HTMLElement)) return false;
  seal.click();
  return true;
}

/** The field that a form has in the place of another.  @param {HTMLFormElement} form @param {string} name */
function fieldOf(form, name) {
  const named = form.querySelector(`[name="${CSS.escape(name)}"]:not([type=hidden])`);
  return /** @type {HTMLElement | null} */ (named?.closest("select, fieldset") ?? null);
}

/** Go on from the goal that was chosen, once the server has completed its form: to the next piece without
 * an order; or, of a piece that acts alone, send the form if nothing comes after it.
 * @param {Part | undefined} now @returns {boolean} whether it is another piece's turn */
function proceed(now) {
  const part = shown.find((one) => one.name === goal.name);
  const form = part?.form ?? lone();
  if (!form || !goal.name || form === goal.form || (part?.named && wanted(form))) return false;
  if (part && (part.named || !quick())) {
    goal.name = "";
    const at = shown.indexOf(part), round = now === part || (now && ordered(now)) ? [...shown.slice(at + 1), ...shown.slice(0, at)] : [];
    const all = round.filter((one) => (one.named || !quick()) && one.form === part.form && !ordered(one));
    const open = all.find((one) => standsAt(one) === standsAt(part)) ?? all[0]; // who marches together is told together
    if (open) turnTo(open);
    return Boolean(open);
  }
  const field = fieldOf(form, goal.name);
  goal.name = "";
  if (field && (!part || part.choices.some((choice) => choice.picked))) finish(form, field);
  return false;
}

/** Where the piece of a part stands.  @param {Part} part */
function standsAt(part) {
  return document.querySelector(`[data-piece="${CSS.escape(part.about)}"]`)?.getAttribute("data-at");
}

/** @type {Set<string>} parts in which something was chosen by hand */
const touched = new Set();

// What stands in the form --------------------------------------------------------------------------

/** What a part orders, in words; "" as long as nothing is ordered.  @param {Part} part */
function ordered(part) {
  const goals = part.choices.filter((choice) => choice.picked);
  const said = goals.length || !touched.has(part.name) ? goals : part.others.filter((choice) => choice.picked);
  const words = said.map((choice) => [choice.label, choice.fact].filter(Boolean).join(" · "));
  return words.length ? [words.join(", "), ...besides(part)].join(" · ") : "";
}

/** What else is said of a part's piece, in fields that are not on the board.  @param {Part} part */
function besides(part) {
  if (!part.named || part.several) return [];
  const ends = (/** @type {string} */ name) => name.split(/[/.]/).slice(1).includes(part.about);
  const marked = /** @type {NodeListOf<HTMLInputElement>} */ (part.form?.querySelectorAll("input:checked") ?? []);
  const asks = (/** @type {Element} */ one) => one.closest("fieldset")?.querySelector("legend")?.textContent?.replace(/^.*\)\s*/s, "").trim();
  return [...marked].filter((one) => ends(one.name) && !one.closest("[data-places]") && one.name !== part.name && one.value !== "no")
    .map((one) => (one.value === "yes" && asks(one)) || (one.closest("label")?.textContent?.trim() ?? "")); // "yes" alone would tell nothing
}

/** Leave a part as if nothing had been said: stay, none, or nothing chosen.  @param {Part} part */
function takeBack(part) {
  touched.delete(part.name);
  const still = part.others[0];
  if (part.several) for (const choice of part.choices) { if (choice.picked) choice.pick(); }
  else if (still) still.pick();
  else if (part.field instanceof HTMLSelectElement) part.field.value = "";
  else for (const input of part.field.querySelectorAll("input")) input.checked = false;
  touched.delete(part.name);
  if (!still && !part.several) changed(part.field);
}

/** @param {EventTarget} target */
function changed(target) {
  for (const kind of ["input", "change"]) target.dispatchEvent(new Event(kind, { bubbles: true }));
}

/** The first choice that a form still wants and no board shows.  @param {HTMLFormElement | null} form */
function wanted(form) {
  return groups(form).find((group) => !group.querySelector(":checked")) ?? lists(form).find((list) => !list.value);
}

/** Lists of a campaign's form that no board shows.  @param {HTMLFormElement | null} form */
function lists(form) {
  const all = /** @type {HTMLSelectElement[]} */ ([...(form?.querySelectorAll("details.fields select") ?? [])]);
  return quick() ? [] : all.filter((list) => !known.has(list));
}

/** Choices of a form that no board shows.  @param {HTMLFormElement | null} form */
function groups(form) {
  const all = /** @type {HTMLElement[]} */ ([...(form?.querySelectorAll("fieldset[role=radiogroup]:not([data-places])") ?? [])]);
  return all.filter((group) => !known.has(group));
}

/** The choice that is offered as chips: what is wanted, or else what was proposed for the piece that acts, and
 * comes before its goal; of a battle's question that no board shows, what is chosen last.  @param {Part | undefined} now */
function offered(now) {
  const form = now?.form ?? lone(), all = groups(form);
  if (!now) return wanted(form) ?? all[all.length - 1];
  if (!known.has(now.field)) return now.field;
  const first = now.about && !now.named && !now.several ? all[0] : undefined;
  const before = first && now.field.compareDocumentPosition(first) & Node.DOCUMENT_POSITION_PRECEDING;
  return wanted(form) ?? (before ? first : undefined);
}

/** The form of a battle's question that no board shows.  @returns {HTMLFormElement | null} */
function lone() {
  return quick() && !shown.length ? document.querySelector("form[data-question]:not(details.again:not([open]) *)") : null;
}

// What is shown -------------------------------------------------------------------------------------

/** @type {Part[]} what the cards stand for */
let shown = [];
/** @type {Part | undefined} what is ordered now */
let turn;
/** @type {Set<HTMLElement>} the fields that a board shows */
let known = new Set();

/** @param {Part[]} parts of all boards on the page
 * @param {number[]} stack which of the pieces in its place is chosen, and of how many
 * @returns {boolean} whether it is another piece's turn since */
export function show(parts, [one, several]) {
  for (const form of /** @type {NodeListOf<HTMLFormElement>} */ (document.querySelectorAll("form[data-question]"))) keep(form);
  known = new Set(parts.map((part) => part.field));
  shown = carded(parts);
  const steady = held();
  for (const form of new Set(shown.map((part) => part.form))) if (form) fold(form);
  const all = [...parts, ...shown.filter((part) => !parts.includes(part))];
  const turned = proceed(current(all));
  const now = current(all), cards = document.querySelector("[data-cards]");
  const beside = now && !known.has(now.field), group = offered(now);
  const more = !now ? group : beside ? now.field : now.name === pressed ? undefined : wanted(now.form);
  if (cards instanceof HTMLElement) {
    cards.hidden = !shown.length;
    const list = cards.querySelector("ol"), asked = more ?? now?.field;
    if (list) fill(list, shown.map((part) => card(part, part.field === asked, cards.dataset)).join(""));
  }
  steady();
  const strip = document.querySelector("[data-strip]");
  if (!(strip instanceof HTMLElement)) return turned;
  const { left = "", done = "", here: there = "", touch = "" } = strip.dataset, told = shown.filter((part) => part.named);
  const waiting = told.filter((part) => !ordered(part)), open = [...new Set(waiting.map((part) => part.about))];
  const named = waiting.every((part) => part.label.includes(part.about)); // what readers never see would tell nothing
  const which = [...open.slice(0, LISTED), ...(open.length > LISTED ? ["…"] : [])].join(", ");
  const count = told.length < 2 ? "" : open.length ? left.replace("{n}", String(open.length)).replace(" ({which})", named ? ` (${which})` : "") : done;
  const here = several > 1 ? there.replace("{n}", String(one)).replace("{all}", String(several)) : "";
  const todo = now?.named && now.onMap && !more && !ordered(now) ? touch : "";
  turn = now;
  const form = now?.form ?? lone() ?? acting(), history = form && histories.get(form.id);
  strip.hidden = !parts.length && !group && !history?.past.length && !history?.future.length;
  const label = (more ? besideBoard(more).label : inFocus() || now?.label) ?? "";
  const asks = label.replace(/\?\s.*/s, "?"); // what follows a question stands below
  const said = [todo, here, count].filter(Boolean).map((words) => ` <span class="faint">· ${plain(words)}</span>`).join("");
  fill(strip.querySelector("[role=status]"), `<strong>${plain(asks)}</strong>${said}`);
  const chips = [...(group?.querySelectorAll("label.choice") ?? [])].map((one, n) => {
    const words = one.textContent?.trim() ?? "", full = one.querySelector(".fact")?.textContent?.trim() ?? "";
    const name = words.slice(0, words.length - full.length).trim(), first = full.split(/[,;]\s|\s?:\s/)[0];
    const fact = first === full || first.includes("%") ? first : ""; // a chance alone is worth being cut out
    const short = [name.replace(/(\([^()]*\))|(\s?:|,)\s[^(]*/g, (_, within) => within ?? " ").trim(), fact].filter(Boolean).join(" · "); // the form says all
    return chip(n, [name, full].filter(Boolean).join(" · "), short, one.querySelector(":checked") !== null);
  });
  if (now && !group) chips.push(...goalsOf(now).map((one, n) => chip(n, one.label, one.label, one.picked)));
  const longer = (now ? filters(now.field) : []).map((one) => button(one).outerHTML);
  fill(strip.querySelector("[data-chips]"), [...chips, ...longer].join(""));
  tools(strip, form);
  return turned;
}

/** @param {number} n @param {string} words @param {string} short @param {boolean} picked */
function chip(n, words, short, picked) {
  return `<button type="button" class="button small" data-chip="${n}" title="${plain(words)}" aria-pressed="${picked}">${plain(short)}</button>`;
}

/** The few goals of a piece of a campaign that are no places: the map alone would not say what can be chosen.
 * @param {Part} part */
function goalsOf(part) {
  const goals = !part.chooses && !part.several && !part.onMap && !quick() ? [...part.others, ...part.choices] : [];
  return goals.length > CHIPS ? [] : goals;
}

/** What has a card, as it stands in the form: what boards show and, where fields can be folded away, other choices.
 * @param {Part[]} parts */
function carded(parts) {
  const own = parts.filter((part) => !part.chooses), forms = new Set(own.map((part) => part.form));
  const alone = (/** @type {Part} */ part) => part.about && !part.named; // what it does is a chip already
  const folded = [...forms].filter((form) => form?.querySelector("details.fields") && !own.some((part) => part.form === form && alone(part)));
  const more = folded.flatMap((form) => [...groups(form), ...lists(form)].map(besideBoard));
  const all = [...own, ...more.filter(({ name }) => !own.some((part) => part.named && name.split(/[/.]/).includes(part.about)))]; // a piece's card says all of it
  return all.sort((one, other) => (one.field.compareDocumentPosition(other.field) & Node.DOCUMENT_POSITION_FOLLOWING ? -1 : 1));
}

/** Keeps what was pressed in a form under the finger while cards above it come and go.  @returns {() => void} */
function held() {
  const focused = document.activeElement?.closest("form[data-question] *"), top = focused?.getBoundingClientRect().top ?? 0;
  return () => { if (focused) scrollBy(0, focused.getBoundingClientRect().top - top); };
}

let focused = ""; // the label of the field with the focus, if no board shows it

/** The same as it stands: a button of the form keeps it, what lies outside does not. */
function inFocus() {
  const at = document.activeElement, field = at?.closest("form[data-question] :is(fieldset, .field)");
  if (field instanceof HTMLElement) focused = shows(field) || shows(at) ? "" : besideBoard(field).label;
  else if (!at?.closest("form[data-question]")) focused = "";
  return focused;
}

/** Whether a board shows the field of a control.  @param {Element | null} control */
function shows(control) {
  const field = control?.closest("select, fieldset.field, [data-places]");
  return field instanceof HTMLElement && known.has(field);
}

/** @type {Map<string, boolean>} by the id of a form, whether somebody has opened its fields, or shut them */
const opened = new Map(resumed("fields", () => [...opened]));

/** Whether map, cards or chips ask what a control of a form does.  @param {HTMLInputElement} control */
function asked(control) {
  const field = control.closest("select, fieldset"), ends = control.name.split(/[/.:]/);
  const own = shown.filter((part) => part.form === control.form);
  return (field instanceof HTMLElement && known.has(field)) ||
    own.some((part) => part.field === field || control.name.split(":")[0] === part.name || (part.named && ends.includes(part.about)));
}

/** Fields are folded away where the map or chips ask all of them: what stands nowhere else is seen.
 * @param {HTMLFormElement} form */
function fold(form) {
  const fields = form.querySelector("details.fields");
  if (!(fields instanceof HTMLDetailsElement)) return;
  const controls = /** @type {NodeListOf<HTMLInputElement>} */ (fields.querySelectorAll("[name]:not([type=hidden])"));
  const faulty = fields.querySelector(".error") !== null;
  const unasked = !form.querySelector("button[value=seal]") && !wanted(form);
  const used = fields.open && fields.contains(document.activeElement);
  const open = faulty || unasked || used || (opened.get(form.id) ?? ![...controls].every(asked));
  if (fields.open !== open) fields.open = open;
}

/** @param {Part} part @param {boolean} now @param {DOMStringMap} words */
function card(part, now, { none = "", back = "" }) {
  const said = ordered(part), name = plain(part.name), still = part.others.find((choice) => choice.picked)?.label;
  const classes = `card-order${now ? " now" : ""}${said ? "" : " open"}`;
  const taken = said && known.has(part.field) && `<button type="button" class="button small plain" data-take="${name}"` +
    ` aria-label="${plain(back.replace("{what}", part.label))}"><span aria-hidden="true">×</span></button>`;
  return `<li class="${classes}"><button type="button" class="card-goal" data-card="${name}"${now ? ' aria-current="true"' : ""}>` +
    `<span class="faint">${plain(part.label)}</span> <span>${said ? `→ ${plain(said)}` : part.about || !known.has(part.field) ? plain([none, still].filter(Boolean).join(" · ")) : "–"}</span></button>${taken || ""}</li>`;
}

/** Renew what an element holds; what had the focus in it has it again.
 * @param {Element | null} element @param {string} markup */
function fill(element, markup) {
  if (!element) return;
  const old = element.contains(document.activeElement) ? document.activeElement : null;
  put(element, markup);
  if (!old || old.isConnected) return;
  const name = old.getAttribute("data-card") ?? old.getAttribute("data-take");
  const same = name !== null && element.querySelector(`[data-card="${CSS.escape(name)}"]`);
  const stead = same || document.querySelector("[data-strip] [data-undo]");
  if (stead instanceof HTMLElement) stead.focus({ preventScroll: true });
}

/** @param {HTMLElement} strip @param {HTMLFormElement | null} form */
function tools(strip, form) {
  const history = form && histories.get(form.id);
  for (const [name, more] of /** @type {const} */ ([["undo", history?.past.length || taking()], ["redo", history?.future.length]]))
    strip.querySelector(`[data-${name}]`)?.setAttribute("aria-disabled", String(!more));
  const seal = form?.querySelector("button[value=seal]"), twin = strip.querySelector("[data-seal]");
  if (!(twin instanceof HTMLElement)) return;
  twin.hidden = !seal;
  if (seal && twin.textContent !== seal.textContent) twin.textContent = seal.textContent;
}

// Undone and done again -----------------------------------------------------------------------------

/** @type {Map<string, History>} by the id of the form */
const histories = new Map();

/** The form that takes a battle's last answer back, where there is one: in a campaign more hangs on an answer.
 * @returns {HTMLFormElement | null} */
function taking() {
  return quick() ? document.querySelector("form[data-take-back]") : null;
}

/** What a person has put into a form, and in which of its parts.  @param {HTMLFormElement} form */
function stateOf(form) {
  const own = form.id.replace(/-form$/, ""), by = [...touched].filter((name) => name.startsWith(own)).sort();
  return JSON.stringify({ state: [...new FormData(form)].filter(([name]) => name.startsWith(own)), by });
}

/** Note how a form stands: what a person has changed can be undone, what the server added goes with it.
 * @param {HTMLFormElement} form */
function keep(form) {
  const now = stateOf(form), history = histories.get(form.id);
  if (!history) return void histories.set(form.id, { past: [], future: [], now, acted: false, typed: "", before: "" });
  if (history.now === now) return;
  if (history.acted) {
    if (!history.typed || history.typed !== history.before) history.past.push(history.now); // a word is one step
    history.before = history.typed;
    history.future = [];
  }
  history.acted = false;
  history.now = now;
}

/** Go one step back, or forward again.  @param {HTMLFormElement} form @param {"past" | "future"} way */
function go(form, way) {
  const history = histories.get(form.id), state = history?.[way].pop();
  if (way === "past" && state === undefined) taking()?.requestSubmit();
  if (!history || state === undefined) return;
  history[way === "past" ? "future" : "past"].push(history.now);
  const { state: then, by } = JSON.parse(state);
  restore(form, then);
  for (const part of shown.filter(({ name }) => touched.has(name) !== by.includes(name))) {
    if (!touched.delete(part.name)) touched.add(part.name);
    turnTo(part);
  }
  history.now = stateOf(form);
  changed(form);
  history.acted = false;
}

/** @param {HTMLFormElement} form @param {[string, string][]} state */
function restore(form, state) {
  const own = form.id.replace(/-form$/, "");
  const all = /** @type {HTMLInputElement[]} */ ([...form.elements]).filter((one) => one.name.startsWith(own));
  const open = all.filter((one) => one.type !== "hidden");
  for (const control of open) {
    const values = state.filter(([name]) => name === control.name).map(([, value]) => value);
    if (["radio", "checkbox"].includes(control.type)) control.checked = values.includes(control.value);
    else control.value = values[values.length - 1] ?? "";
  }
  // Nothing is said of a part that was not there yet: what it offers may follow from what is undone.
  const kept = new Set(open.map((one) => one.name).filter((name) => state.some(([then]) => then === name)));
  for (const hidden of all) if (hidden.type === "hidden" && !kept.has(hidden.name)) hidden.remove();
  for (const [name, value] of state) { // what is not there at present comes back with it
    if (open.some((one) => one.name === name)) continue;
    const hidden = document.createElement("input");
    Object.assign(hidden, { type: "hidden", name, value });
    form.append(hidden);
  }
}

/** The form that undo means: that of what is ordered now.  @returns {HTMLFormElement | null} */
function acting() {
  return current(shown)?.form ?? document.querySelector("form[data-question]:not(details.again:not([open]) *)");
}

/** Choose by a chip; where that answers all of a battle's question, it is sent.
 * @param {HTMLElement | undefined} group @param {number} chip */
function choose(group, chip) {
  const form = group?.closest("form"), input = /** @type {NodeListOf<HTMLInputElement> | undefined} */ (group?.querySelectorAll("label.choice input"))?.[chip];
  if (!form || !group || !input) return;
  const same = input.checked;
  input.click();
  if ((same || !form.hasAttribute("data-sheet")) && finish(form, group)) return;
  // What comes after it is not known yet.
  if (!turn || !quick()) Object.assign(goal, { name: input.name, form });
}

/** Hear what is done to strip and cards.
 * @param {() => void} renew takes up what the page has just put anew, and shows what is chosen   @param {() => void} soon does so later */
export function listen(renew, soon) {
  document.addEventListener("input", ({ target }) => { // the page may be renewed before what is typed is left
    const history = target instanceof Element ? histories.get(target.closest("form")?.id ?? "") : undefined;
    if (history) Object.assign(history, { acted: true, typed: target instanceof HTMLInputElement && target.type === "text" ? target.name : "" });
  }, true);
  document.addEventListener("change", (event) => {
    const field = event.target instanceof Element ? event.target.closest("select, fieldset.field, [data-places]") : null;
    const form = event.target instanceof Element ? event.target.closest("form") : null;
    const name = field?.getAttribute("name") ?? field?.querySelector("[name]")?.getAttribute("name");
    if (name) touched.add(name);
    pressed = "";
    const history = form && histories.get(form.id);
    if (!history) return;
    history.acted = true;
    keep(form); // at once: two changes in one frame are two steps
    Object.assign(history, { acted: false, before: "" }); // also of what has changed nothing
  }, true);
  document.addEventListener("click", (event) => {
    const fields = event.target instanceof Element ? event.target.closest("details.fields > summary") : null;
    const form = fields?.closest("form");
    if (form) opened.set(form.id, !fields?.closest("details")?.open);
    const button = event.target instanceof Element ? event.target.closest("button") : null;
    if (!button?.closest("[data-strip], [data-cards]")) return;
    renew();
    const acted = acting(), { card, take, chip } = button.dataset;
    const part = shown.find((one) => one.name === (card ?? take));
    if (part && take) takeBack(part);
    if (part) turnTo(part);
    if (card) pressed = card;
    const group = chip && offered(turn);
    if (chip && group) choose(group, Number(chip));
    else if (chip && turn) { Object.assign(goal, { name: turn.name, form: turn.form }); goalsOf(turn)[Number(chip)]?.pick(); }
    if (acted && button.matches("[data-undo]")) go(acted, "past");
    if (acted && button.matches("[data-redo]")) go(acted, "future");
    if (button.matches("[data-seal]")) /** @type {HTMLElement | null} */ (acted?.querySelector("button[value=seal]"))?.click();
    renew();
    const strip = document.querySelector("[data-strip]"); // a card of what no map shows is answered there
    if (card && strip?.querySelector("[data-chip]")) strip.scrollIntoView({ block: "nearest" });
    else if (card && part && !known.has(part.field)) reach(part.field);
  });
  document.addEventListener("keydown", (event) => {
    const typing = event.target instanceof Element && event.target.matches("textarea, input[type=text]");
    const key = event.key.toLowerCase();
    if (typing || !(event.ctrlKey || event.metaKey) || (key !== "z" && key !== "y")) return;
    renew();
    const form = acting();
    if (!form) return;
    event.preventDefault();
    go(form, key === "y" || event.shiftKey ? "future" : "past");
    soon();
  });
  for (const kind of ["pointerover", "focusin"])
    document.addEventListener(kind, (event) => {
      const over = event.target instanceof Element ? event.target.closest("[data-cards] li") : null;
      const name = over?.querySelector("[data-card]")?.getAttribute("data-card") ?? "";
      if (name === lit.name) return;
      lit.name = name;
      soon();
    });
}
