// @ts-check
/**
 * Long lists in groups (`select[data-every]`): the best are shown, and a button shows another group.
 *
 * The first `optgroup` has the best of all groups, and each of them names its own (`data-group`).  What is
 * chosen always shows.  One choice of group holds for all lists of the page that have it.  Without
 * this file a list shows all its groups, the best first.  Boxes that may all be ticked are ticked at
 * once (`[data-tick-all]`).
 */

let group = ""; // what is shown; "" for the best

/** @typedef {{name: string, said: string, on: boolean}} Filter `name`: of the group, "" for the best, "*" for all */

/** The group of an option; "" for what is in none.  @param {HTMLOptionElement} option */
function groupOf(option) {
  const { group: own = "" } = option.dataset, { parentElement: at } = option;
  return own || (at instanceof HTMLOptGroupElement ? at.label : "");
}

/** What the list can show.  @param {Element} select @returns {Filter[]} none if it has no groups */
export function filters(select) {
  if (!(select instanceof HTMLSelectElement) || select.dataset.every === undefined) return [];
  const groups = [...select.options].map(groupOf).filter(Boolean), best = select.querySelector("optgroup");
  const names = [...new Set(groups)];
  const now = names.includes(group) || group === "*" ? group : "";
  const named = names.map((name) => ({ name, said: `${name} (${groups.filter((one) => one === name).length})`, on: now === name }));
  return [
    { name: "", said: `${best?.label} (${best?.children.length})`, on: now === "" },
    ...(names.length > 1 ? named : []),
    { name: "*", said: `${select.dataset.every} (${groups.length})`, on: now === "*" },
  ];
}

/** @param {Filter} filter @param {string} [controls] the id of the list */
export function button({ name, said, on }, controls = "") {
  const made = document.createElement("button");
  Object.assign(made, { type: "button", className: "button small", textContent: said, ariaPressed: String(on) });
  made.dataset.filter = name;
  if (controls) made.setAttribute("aria-controls", controls);
  return made;
}

/** Show what is wanted of a list, with buttons before it.  @param {HTMLSelectElement} select */
function dress(select) {
  const all = filters(select), now = all.find((one) => one.on)?.name ?? "", best = select.querySelector("optgroup");
  for (const option of select.options) {
    const its = groupOf(option), first = option.parentElement === best;
    option.hidden = Boolean(its) && !option.selected && !(now === "*" || now === its || (now === "" && first));
  }
  for (const each of select.querySelectorAll("optgroup")) each.hidden = [...each.children].every((one) => /** @type {HTMLElement} */ (one).hidden);
  const before = select.previousElementSibling, old = before?.matches(".filters") ? before : null;
  if (old && [...old.children].every((one, n) => one.getAttribute("aria-pressed") === String(all[n]?.on))) return;
  const focused = old?.contains(document.activeElement), bar = document.createElement("div");
  bar.className = "filters";
  bar.append(...all.map((one) => button(one, select.id)));
  if (old) old.replaceWith(bar);
  else select.before(bar);
  if (focused) /** @type {HTMLElement | null} */ (bar.querySelector("[aria-pressed=true]"))?.focus();
}

/** Show what is wanted of all lists.  @param {ParentNode} root */
export function dressed(root) {
  for (const select of root.querySelectorAll("select[data-every]")) dress(/** @type {HTMLSelectElement} */ (select));
}

document.addEventListener("click", (event) => {
  const pressed = event.target instanceof Element ? event.target.closest("[data-filter]") : null;
  if (!pressed) return;
  group = pressed.getAttribute("data-filter") ?? "";
  dressed(document);
});
document.addEventListener("click", (event) => {
  const field = event.target instanceof Element && event.target.closest("[data-tick-all]")?.closest("fieldset");
  const boxes = /** @type {HTMLInputElement[]} */ (field ? [...field.querySelectorAll("input[type=checkbox]")] : []);
  const all = boxes.every((box) => box.checked);
  for (const box of boxes) box.checked = !all; // once more, none
  for (const kind of ["input", "change"]) boxes[0]?.dispatchEvent(new Event(kind, { bubbles: true }));
});
document.addEventListener("change", () => dressed(document));

/** Bring a field into view, unfolded, and give it the focus.  @param {HTMLElement} field */
export function reach(field) {
  const fold = field.closest("details");
  if (fold) fold.open = true;
  (field.closest(".field") ?? field).scrollIntoView({ block: "start" });
  const control = field.matches("fieldset") ? field.querySelector("input:not([type=hidden])") : field;
  if (control instanceof HTMLElement) control.focus({ preventScroll: true });
}
