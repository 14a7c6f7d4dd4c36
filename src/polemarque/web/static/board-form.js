// @ts-check
/**
 * Which places a form offers: a control with `data-places`, a select or what holds radio buttons or
 * boxes, whose values are codes of places or of pieces on them.
 */

/** @typedef {{code: string, picked: boolean, pick: () => void}} Choice */

let last = ""; // the name of the control that was used last

/** Remember that a control is used.  @param {Element} target @returns {boolean} whether it names places */
export function use(target) {
  const field = /** @type {HTMLElement | null} */ (target.closest("[data-places]"));
  if (field) last = nameOf(field);
  return field !== null;
}

/** Go to the control about a piece, such as `…/move.A29`, which is then the one used last.
 * @param {string} piece @returns {boolean} whether there is one */
export function about(piece) {
  const fields = /** @type {HTMLElement[]} */ ([...document.querySelectorAll("[data-places]")]);
  const field = fields.find((one) => nameOf(one).split(/[/.]/).slice(1).includes(piece));
  if (!field) return false;
  for (let fold = field.closest("details"); fold; fold = fold.parentElement?.closest("details") ?? null)
    fold.open = true;
  const controls = /** @type {HTMLElement[]} */ ([field, ...field.querySelectorAll("input:not([type=hidden])")]);
  const marked = controls.find((one) => one.matches(":checked"));
  (marked ?? controls.find((one) => one.matches("select, input")))?.focus();
  use(field);
  return true;
}

/** The seat that is asked, as the key of the first question says it. */
export function seatAsked() {
  const key = document.querySelector("form[data-question] input[name=key]");
  try { return String(JSON.parse(/** @type {HTMLInputElement} */ (key).value)[3]); } catch { return ""; }
}

/** What the control offers that was used last, or else the first that offers any.
 * @param {(code: string) => boolean} known whether a code is on the board @returns {Choice[]} */
export function offered(known) {
  const fields = /** @type {HTMLElement[]} */ ([...document.querySelectorAll("[data-places]")]);
  const used = fields.filter((field) => last && nameOf(field) === last);
  for (const field of [...used, ...fields]) {
    const found = choicesOf(field).filter((choice) => known(choice.code));
    if (found.length) return found;
  }
  return [];
}

/** @param {HTMLElement} field */
function nameOf(field) {
  return field.getAttribute("name") ?? field.querySelector("[name]")?.getAttribute("name") ?? "";
}

/** A word of the form as a code: as it is, or in JSON; of a way the place where it ends.
 * @param {string} value @returns {string} */
function codeOf(value) {
  let word;
  try { word = JSON.parse(value); } catch { return value; }
  const last = Array.isArray(word) ? word[word.length - 1] : word;
  return typeof last === "string" ? last : value;
}

/** What a control offers: a select, or what holds radio buttons or boxes.
 * @param {HTMLElement} field @returns {Choice[]} */
function choicesOf(field) {
  const inputs = /** @type {HTMLInputElement[]} */ (
    [field, ...field.querySelectorAll("input")].filter((one) => one.matches("input[type=radio], input[type=checkbox]"))
  );
  const options = [...field.querySelectorAll("option")].filter((option) => option.value);
  return [
    ...inputs.filter((input) => !input.disabled).map((input) => ({
      code: codeOf(input.value), picked: input.checked, pick: () => input.click(),
    })),
    ...options.filter((option) => !option.disabled).map((option) => ({
      code: codeOf(option.value), picked: option.selected, pick: () => pickOption(option),
    })),
  ];
}

/** @param {HTMLOptionElement} option */
function pickOption(option) {
  const select = option.closest("select");
  option.selected = select?.multiple ? !option.selected : true;
  for (const kind of ["input", "change"]) select?.dispatchEvent(new Event(kind, { bubbles: true }));
}
