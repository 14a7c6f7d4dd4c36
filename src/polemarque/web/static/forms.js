// @ts-check
/**
 * Forms of questions, enlivened; without this file they do the same by their two buttons.
 *
 * A sheet (`form[data-sheet]`) works itself out when a part changes: it is sent as by its first
 * button, with the header `X-Form` (the form's id: all of the page that is wanted back), and the
 * form in the answer, found by its id, takes its place with focus, caret, scroll and folds kept.
 * Numbers get buttons and arrow keys, long lists filters (`filters.js`); a purse is counted down.  A sealed answer gets its salt from
 * the browser (`input[name=salt]`, 64 hexadecimal digits).  A form is sent once.
 * What did not reach the club stays as it was filled in; `[data-unsent]` says so, with a button that sends it
 * again.  Other scripts say by `polemarque:unsent` what did not (`detail`: the form, how it is sent again).
 */

import { dressed, reach } from "./filters.js";

/** Milliseconds before a change is worked out: numbers are stepped up one by one, a choice is made at once. */
const WAIT = { number: 300, choice: 20 };

/** @type {Map<string, AbortController>} What is under way, by the id of its form. */
const running = new Map();

/** @type {Map<string, number>} Timers of forms that have just been changed. */
const timers = new Map();

let held = false;

/** @param {EventTarget | null} target @returns {HTMLFormElement | null} */
function formOf(target) {
  return target instanceof Element ? target.closest("form[data-question]") : null;
}

/** @param {HTMLFormElement} form What stands in it, apart from what no person types. */
function typed(form) {
  const pairs = [...new FormData(form)].filter(([name]) => name !== "csrfmiddlewaretoken");
  return JSON.stringify(pairs);
}

// Working out ------------------------------------------------------------------------------------

/** @param {HTMLFormElement} form @param {EventTarget | null} target */
function changed(form, target) {
  const choice = target instanceof HTMLSelectElement || (target instanceof HTMLInputElement && target.type === "radio");
  clearTimeout(timers.get(form.id));
  timers.set(form.id, setTimeout(() => workOut(form), choice ? WAIT.choice : WAIT.number));
}

/** @param {HTMLFormElement} form */
function leave(form) {
  clearTimeout(timers.get(form.id));
  running.get(form.id)?.abort();
}

/** @param {HTMLFormElement} form */
async function workOut(form) {
  leave(form);
  if (!form.isConnected || form.dataset.sent) return;
  const stop = new AbortController();
  running.set(form.id, stop);
  const before = typed(form);
  const body = new URLSearchParams(/** @type {any} */ (new FormData(form))); // there are no files
  body.set("do", "work");
  try {
    const headers = { "X-Live": "1", "X-Form": form.id };
    const answer = await fetch(form.action, { method: "POST", body, headers, signal: stop.signal });
    if (UNREACHED.includes(answer.status)) throw new TypeError(String(answer.status));
    if (!answer.ok) { refused(form); return; }
    unsent(null);
    const page = document.createElement("template"); // no policy looks at what is in it
    page.innerHTML = await answer.text();
    while (held) await new Promise((go) => setTimeout(go, 30));
    const fresh = page.content.getElementById(form.id);
    const still = form.isConnected && !stop.signal.aborted && typed(form) === before;
    if (fresh instanceof HTMLFormElement && still) swap(form, fresh);
  } catch {
    if (!stop.signal.aborted) unsent(form, () => workOut(form));
  }
}

/** Statuses by which somebody between says that the club cannot be reached. */
const UNREACHED = [502, 503, 504];

/** Say what was not sent, and offer to send it again; or nothing more, for it is.
 * @param {HTMLFormElement | null} form @param {() => void} [again] */
function unsent(form, again) {
  const notice = document.querySelector("[data-unsent]");
  if (!(notice instanceof HTMLElement)) return;
  notice.hidden = form === null;
  if (form) {
    notice.setAttribute("role", "alert"); // heard as it appears
    release(form);
  } else notice.removeAttribute("role");
  const button = notice.querySelector("button");
  if (button) button.onclick = () => { notice.hidden = true; again?.(); };
}

/** A form that has not been sent can be.  @param {Element} form */
function release(form) {
  if (form instanceof HTMLFormElement) delete form.dataset.sent;
  for (const button of form.querySelectorAll(".actions [aria-disabled]")) button.removeAttribute("aria-disabled");
}

/** @type {Set<string>} ids of forms that are to go on to what is asked next once they are worked out */
const onward = new Set();

/** The reader who pressed the button is told why nothing went on: the form is sent as by itself, and the page says it.
 * @param {HTMLFormElement} form */
function refused(form) {
  const button = /** @type {HTMLElement | null} */ (form.querySelector("button[value=work]"));
  if (!onward.has(form.id) || !button) return;
  form.requestSubmit(button);
  onward.delete(form.id);
}

/** Go to the first field whose answer is refused, or else that has none yet.
 * @param {HTMLFormElement} form @returns {boolean} whether there is one */
function goOn(form) {
  const wrong = form.querySelector("[aria-invalid=true]");
  if (wrong instanceof HTMLElement) { reach(wrong); return true; }
  const fields = /** @type {NodeListOf<HTMLElement>} */ (form.querySelectorAll("fieldset[role=radiogroup], select:not(.ahead *), .amount input"));
  const next = [...fields].find((one) => (one instanceof HTMLFieldSetElement ? !one.querySelector(":checked") : !(/** @type {any} */ (one).value)));
  if (!next) return false;
  reach(next);
  return true;
}

/** @param {HTMLFormElement} form @param {HTMLFormElement} fresh */
function swap(form, fresh) {
  const focused = document.activeElement;
  const top = focused?.getBoundingClientRect().top ?? 0;
  for (const fold of form.querySelectorAll("details[id]")) {
    const again = fresh.querySelector(`#${CSS.escape(fold.id)}`);
    if (again instanceof HTMLDetailsElement && fold instanceof HTMLDetailsElement && fold.open) {
      again.open = true;
    }
  }
  form.replaceWith(document.adoptNode(fresh));
  dress(document);
  if (onward.delete(form.id) && goOn(fresh)) return;
  const same = focused && form.contains(focused) ? twin(fresh, focused) : null;
  if (!same) return;
  same.focus({ preventScroll: true });
  const texts = same instanceof HTMLInputElement && focused instanceof HTMLInputElement;
  if (texts && same.type === "text") {
    same.setSelectionRange(focused.selectionStart, focused.selectionEnd);
  }
  scrollBy(0, same.getBoundingClientRect().top - top);
}

/**
 * The control of a new form that takes the place of one in the old.
 * @param {HTMLFormElement} form @param {Element} old @returns {HTMLElement | null}
 */
function twin(form, old) {
  if (old.matches(".amount button")) {
    const which = old.classList.contains("more") ? "more" : "less";
    return form.querySelector(`button.${which}[aria-controls="${CSS.escape(old.getAttribute("aria-controls") ?? "")}"]`);
  }
  if (old.tagName === "SUMMARY") {
    return form.querySelector(`#${CSS.escape(old.parentElement?.id ?? "")} > summary`);
  }
  const ticked = old instanceof HTMLInputElement && ["radio", "checkbox"].includes(old.type);
  const named = old.getAttribute("name") ?? "";
  for (const one of form.elements) {
    const same = one.tagName === old.tagName && one.getAttribute("name") === named;
    const value = one.getAttribute("value") === old.getAttribute("value");
    const hidden = one instanceof HTMLInputElement && one.type === "hidden";
    const exact = ticked || old.tagName === "BUTTON";
    if (same && !hidden && (value || !exact)) return /** @type {HTMLElement} */ (one);
  }
  return null;
}

// Numbers ----------------------------------------------------------------------------------------

/** @param {ParentNode} root */
function dress(root) {
  dressed(root);
  for (const box of root.querySelectorAll(".amount[data-step]")) {
    const input = box.querySelector("input");
    if (!(box instanceof HTMLElement) || !input || box.querySelector("button")) continue;
    input.before(stepper("less", "−", box.dataset.less, input));
    input.after(stepper("more", "+", box.dataset.more, input));
  }
  for (const form of root.querySelectorAll("form[data-question]")) count(/** @type {any} */ (form));
}

/**
 * @param {string} name @param {string} sign @param {string | undefined} said
 * @param {HTMLInputElement} input
 */
function stepper(name, sign, said, input) {
  const button = document.createElement("button");
  button.type = "button";
  button.className = `button ${name}`;
  button.textContent = sign;
  button.tabIndex = -1; // the arrow keys do the same
  button.setAttribute("aria-label", said ?? sign);
  button.setAttribute("aria-controls", input.id);
  return button;
}

/** @param {HTMLInputElement} input @param {number} way 1 up, -1 down */
function step(input, way) {
  const box = /** @type {HTMLElement} */ (input.closest(".amount"));
  const [least, most, by] = [box.dataset.least, box.dataset.most, box.dataset.step].map(Number);
  const now = /^\s*[+-]?\d+\s*$/.test(input.value) ? Number(input.value) : least - way * by;
  const steps = (now - least) / by;
  const next = least + by * (way > 0 ? Math.floor(steps) + 1 : Math.ceil(steps) - 1);
  const last = least + by * Math.floor((most - least) / by);
  input.value = String(Math.min(Math.max(next, least), last));
  for (const kind of ["input", "change"]) input.dispatchEvent(new Event(kind, { bubbles: true }));
}

// The purse --------------------------------------------------------------------------------------

/**
 * What a control takes from the purse as it stands, less what it took when the page was written.
 * @param {Element} one @returns {number}
 */
function taken(one) {
  if (one instanceof HTMLSelectElement) {
    const written = [...one.options].find((option) => option.defaultSelected) ?? one.options[0];
    return price(one.selectedOptions[0]) - price(written);
  }
  if (!(one instanceof HTMLInputElement)) return 0;
  if (["radio", "checkbox"].includes(one.type)) {
    return (Number(one.checked) - Number(one.defaultChecked)) * price(one);
  }
  const box = one.closest(".amount");
  if (!(box instanceof HTMLElement) || !box.dataset.costs) return 0;
  const each = box.dataset.costs.split(" ").map(Number);
  const [least, by] = [Number(box.dataset.least), Number(box.dataset.step)];
  /** @param {string} typed */
  const of = (typed) => each[Math.min(Math.floor((Number(typed) - least) / by), each.length - 1)] ?? 0;
  return of(one.value) - of(one.defaultValue);
}

/** @param {HTMLElement | undefined} one */
const price = (one) => Number(one?.dataset.costs ?? 0);

/** Renew what is told beside the controls of a form as they stand.  @param {HTMLFormElement} form */
function count(form) {
  for (const one of form.elements) {
    const told = one instanceof HTMLSelectElement && form.querySelector(`output.fact[for="${CSS.escape(one.id)}"]`);
    const [option] = told ? one.selectedOptions : [];
    if (told) told.textContent = option?.dataset.factAt ? option.textContent.slice(Number(option.dataset.factAt) + 2) : "";
  }
  const more = [...form.elements].reduce((sum, one) => sum + taken(one), 0);
  for (const [name, sign] of /** @type {[string, number][]} */ ([["left", -1], ["spent", 1]])) {
    const told = form.querySelector(`.purse [data-${name}]`);
    if (!(told instanceof HTMLElement)) return;
    const now = Number(told.dataset[name]) + sign * more;
    const said = `${now}`.replace("-", "−"); // as the server prints it
    if (told.textContent !== said) told.textContent = said;
    told.toggleAttribute("data-short", now < 0);
  }
}

// Listening --------------------------------------------------------------------------------------

/** @param {HTMLFormElement} form Salt from the browser: the server could not have chosen it. */
function salt(form) {
  const field = form.elements.namedItem("salt");
  if (!(field instanceof HTMLInputElement)) return;
  const bytes = crypto.getRandomValues(new Uint8Array(32));
  field.value = [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

document.addEventListener("input", (event) => {
  const form = formOf(event.target);
  if (form) count(form);
});

document.addEventListener("change", (event) => {
  const form = formOf(event.target);
  if (form?.hasAttribute("data-sheet")) changed(form, event.target);
});

document.addEventListener("click", (event) => {
  const button = event.target instanceof Element ? event.target.closest(".amount button") : null;
  const input = button?.closest(".amount")?.querySelector("input");
  const number = event.target;
  if (number instanceof HTMLInputElement && number.closest(".amount")) number.select();
  if (button instanceof HTMLElement) button.focus({ preventScroll: true }); // no iPhone does so itself
  if (button && input) step(input, button.classList.contains("more") ? 1 : -1);
});

document.addEventListener("keydown", (event) => {
  const input = event.target;
  const way = { ArrowUp: 1, ArrowDown: -1 }[event.key];
  if (!way || !(input instanceof HTMLInputElement) || !input.closest(".amount[data-step]")) return;
  event.preventDefault();
  step(input, way);
});

document.addEventListener("submit", (event) => {
  const form = formOf(event.target);
  if (!form) return;
  if (form.dataset.sent) {
    event.preventDefault();
    return;
  }
  leave(form);
  if (form.hasAttribute("data-sheet") && event.submitter?.getAttribute("value") === "work" && !onward.has(form.id)) {
    event.preventDefault();
    onward.add(form.id);
    workOut(form);
    return;
  }
  form.dataset.sent = "yes";
  if (event.submitter?.getAttribute("value") === "seal") salt(form);
  for (const button of form.querySelectorAll(".actions button")) {
    button.setAttribute("aria-disabled", "true");
  }
});

addEventListener("pageshow", () => {
  for (const form of document.querySelectorAll("form[data-question]")) release(form);
});

// What is being clicked stays where it is until the click is done.
addEventListener("pointerdown", () => { held = true; }, true);
for (const end of ["pointerup", "pointercancel"]) addEventListener(end, () => { held = false; }, true);

document.addEventListener("polemarque:fresh", () => { dress(document); unsent(null); });
document.addEventListener("polemarque:unsent", (event) => {
  const { form, again } = /** @type {CustomEvent} */ (event).detail;
  unsent(form, again);
});

dress(document);
