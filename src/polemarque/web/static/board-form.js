// @ts-check
/**
 * What the forms of a page offer of a board: parts whose words are codes of places, or of pieces.
 *
 * A part is a `select`, or what holds radio buttons or boxes.  It is about a piece if its name ends
 * in one (`…/move.A29`); else if a part before it chose who acts (`…/who`); else if its question is;
 * and a way (`data-places="way"`) is that of the seat's only piece.  No system is known here.
 */

/** @typedef {{code: string, way: string[], label: string, fact: string, picked: boolean,
 *   control: HTMLElement, pick: () => void}} Choice `control`: hidden where a long list leaves it out */
/** @typedef {{name: string, label: string, form: HTMLFormElement | null, field: HTMLElement,
 *   choices: Choice[], others: Choice[], several: boolean, onMap: boolean, about: string, named: boolean,
 *   chooses: boolean, sealed: boolean}} Part `onMap`: goals of it are places; `sealed`: its form is folded behind a seal */
/** @typedef {{at: string, of: string | undefined}} Standing */
/** @typedef {{places: Map<string, Element>, pieces: Map<string, Standing>}} Known */

let last = ""; // the name of the part that was used last

/** Remember that a part is used.  @param {Element} target @returns {boolean} whether one is */
export function use(target) {
  const field = /** @type {HTMLElement | null} */ (target.closest("select, fieldset.field, [data-places]"));
  if (field) last = nameOf(field);
  return field !== null;
}

/** Use a part, or none.  @param {Part | undefined} part */
export function turnTo(part) {
  last = part?.name ?? "";
}

/** Whether the player has turned to something himself. */
export function turned() {
  return last !== "";
}

/** The part that the board speaks of: that used last, or about the same piece; or else the first.
 * Who acts being chosen, it is what he does.  @param {Part[]} parts @returns {Part | undefined} */
export function current(parts) {
  const ends = last.split(/[/.]/).slice(1);
  const used = parts.find((part) => part.name === last) ??
    parts.find((part) => part.named && ends.includes(part.about)) ?? parts[0];
  const actor = used?.chooses && used.choices.find((choice) => choice.picked)?.code;
  return parts.find((part) => actor && !part.chooses && part.form === used.form && part.about === actor) ?? used;
}

/** The seat that is asked, as the key of the first question says it. */
export function seatAsked() {
  const form = document.querySelector("form[data-question]");
  return form ? String(keyOf(form)[3]) : "";
}

/** What the first open question is about, as its key says it: often a piece. */
export function subjectAsked() {
  const form = document.querySelector("form[data-question]:not(details.again:not([open]) *)");
  return form ? String(keyOf(form)[4]) : "";
}

/** The question of a form, as its key says it.  @param {ParentNode} form @returns {unknown[]} */
function keyOf(form) {
  const key = form.querySelector("input[name=key]");
  try { return JSON.parse(/** @type {HTMLInputElement} */ (key).value); } catch { return []; }
}

/** The parts of all forms that offer something of a board.  @param {Known} known @returns {Part[]} */
export function partsOn(known) {
  const fields = /** @type {HTMLElement[]} */ ([
    ...document.querySelectorAll("form select, form fieldset.field, form fieldset[data-places]"),
  ]);
  const parts = fields.map((field) => partOf(field, known)).filter((part) => part.choices.length);
  for (const form of new Set(parts.map((part) => part.form)))
    actors(parts.filter((part) => part.form === form), keyOf(form ?? document), known);
  return parts;
}

/** Say of the parts of one form about whom they are.
 * @param {Part[]} parts @param {unknown[]} key @param {Known} known */
function actors(parts, key, known) {
  const seat = String(key[3]), subject = String(key[4]);
  const mine = [...known.pieces].filter(([, piece]) => (piece.of ?? seat) === seat).map(([code]) => code);
  for (const part of parts) {
    part.about = ends(part.name).find((code) => mine.includes(code)) ?? "";
    part.named = part.about !== "";
  }
  if (parts.some((part) => part.named)) return;
  let actor = "", head = "";
  for (const part of parts) {
    const pieces = part.choices.every((choice) => !known.places.has(choice.code));
    part.chooses = pieces && !part.several && (!head || ends(part.name)[0] === head);
    if (part.chooses) {
      head = ends(part.name)[0] ?? "";
      actor = part.choices.find((choice) => choice.picked)?.code ?? "";
    } else part.about = actor || (!pieces && mine.includes(subject) ? subject : "");
    if (!part.about && part.field.dataset.places === "way" && mine.length === 1) part.about = mine[0];
  }
}

/** What a part's name says after that of its form.  @param {string} name */
function ends(name) {
  return name.split(/[/.]/).slice(1);
}

/** @param {HTMLElement} field */
function nameOf(field) {
  return field.getAttribute("name") ?? field.querySelector("[name]")?.getAttribute("name") ?? "";
}

/** A field as a part: `choices` are on the board, `others` are not.
 * @param {HTMLElement} field @param {Known} known @returns {Part} */
function partOf(field, known) {
  const offered = choicesOf(field);
  const places = field.hasAttribute("data-places");
  // A piece that bears its seat's name stands for the seat where seats are listed.
  const piece = (/** @type {string} */ code) => known.pieces.has(code) && known.pieces.get(code)?.of !== code;
  const there = (/** @type {Choice} */ choice) => (places && known.places.has(choice.code)) || piece(choice.code);
  const choices = offered.filter(there);
  return {
    name: nameOf(field), form: field.closest("form"), field, label: labelOf(field),
    choices, others: offered.filter((choice) => !there(choice)),
    several: field.matches("[multiple]") || field.querySelector("input[type=checkbox]") !== null,
    onMap: choices.some((choice) => known.places.has(choice.code)),
    about: "", named: false, chooses: false, sealed: field.closest("details.again:not([open])") !== null,
  };
}

/** A choice that no board shows, all of it offered beside the board.
 * @param {HTMLElement} field @returns {Part} */
export function besideBoard(field) {
  return { ...partOf(field, { places: new Map(), pieces: new Map() }), choices: choicesOf(field), others: [] };
}

/** @param {HTMLElement} field */
function labelOf(field) {
  const label = field.querySelector("legend") ?? field.closest(".field, label")?.querySelector("label") ?? null;
  return label?.textContent?.trim() ?? "";
}

/** Go on with the way of a part by one more place, if another way than those listed can be gone.
 * @param {Part} part @param {string} place @returns {boolean} whether it can */
export function goesOn(part, place) {
  const typed = typedWay(part.field);
  if (!typed) return false;
  const gone = typed.value || part.choices.find((choice) => choice.picked)?.way.join(" > ");
  typed.value = `${gone ? `${gone} ` : ""}> ${place}`;
  last = part.name;
  for (const kind of ["input", "change"]) typed.dispatchEvent(new Event(kind, { bubbles: true }));
  return true;
}

/** Where a way is typed that is not listed.  @param {Element} field */
function typedWay(field) {
  const typed = field.closest("form")?.elements.namedItem(`${field.getAttribute("name")}:way`);
  return typed instanceof HTMLInputElement ? typed : null;
}

/** A word of the form as a code: as it is, or in JSON; of a way the place where it ends.
 * @param {string} value @returns {string} */
function codeOf(value) {
  if (!/^["[]/.test(value)) return value; // to parse each and fail would take most of a click
  let word;
  try { word = JSON.parse(value); } catch { return value; }
  const end = Array.isArray(word) ? word[word.length - 1] : word;
  return typeof end === "string" ? end : value;
}

/** What a control offers: a select, or what holds radio buttons or boxes.
 * @param {HTMLElement} field @returns {Choice[]} */
function choicesOf(field) {
  const typed = (field instanceof HTMLSelectElement && typedWay(field)?.value.split(">").map((step) => step.trim()).filter(Boolean)) || [];
  if (field instanceof HTMLSelectElement)
    return [...field.options].filter((option) => option.value && !option.disabled).map((option) =>
      choiceOf(option, option, option.value, option.selected, () => pickOption(option))).map((choice) => {
      const gone = typed.length > 0 && choice.code === typed[typed.length - 1]; // by the way that is typed
      return typed.length ? { ...choice, way: gone ? typed : choice.way, picked: gone } : choice;
    });
  const inputs = /** @type {NodeListOf<HTMLInputElement>} */ (
    field.querySelectorAll("input[type=radio], input[type=checkbox]"));
  return [...inputs].filter((input) => !input.disabled && input.closest("fieldset") === field).map((input) =>
    choiceOf(input, input.closest("label") ?? input, input.value, input.checked, () => input.click()));
}

/** @param {HTMLElement} control @param {HTMLElement} words @param {string} value
 * @param {boolean} picked @param {() => void} pick @returns {Choice} */
function choiceOf(control, words, value, picked, pick) {
  const code = codeOf(value), { way } = control.dataset;
  const text = words.textContent ?? "", { factAt } = words.dataset;
  const { fact = factAt ? text.slice(Number(factAt) + 2) : "" } = control.dataset;
  const label = text.replace(fact, "").replace(/ \(.*\)/, "").replace(/[\s,]+$/, "").trim();
  return { code, way: way ? way.split(" ") : [code], label, fact, picked, control, pick };
}

/** @param {HTMLOptionElement} option */
function pickOption(option) {
  const select = option.closest("select");
  const typed = select && typedWay(select);
  if (typed) typed.value = "";
  option.selected = select?.multiple ? !option.selected : true;
  for (const kind of ["input", "change"]) select?.dispatchEvent(new Event(kind, { bubbles: true }));
}
