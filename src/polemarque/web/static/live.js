// Pages that are open hear that there is something new, and fetch what has changed in them.
//
// `[data-stream]` is the line that says so: its address of events, the number heard last
// (`data-heard`), what is said (`data-said`) and the word of its button (`data-look`).
// `[data-live]` is what is fetched anew, from the address it names, or else the page's own.  Nothing
// is taken away from whoever is typing, or has a refused form before them, which stands at the
// address that it was sent to: then the line says that there is news, and the page waits to be asked.
// `[data-when]` in it says where the game stands now, for the head of the page.
// `[data-title]` in it is the title of the page as it is now, and `[data-asked]` a question by its key with
// what is said once it is new (`data-said`), in the line that is heard alone (`[data-status]`).
// `[data-sealed]` is what that line says of the answer whose receipt the page shows, once it is given.
// `[data-drawn]` is a drawing, known by its digest: one that the page shows already is not sent again.
// `[data-part]` is a part of a story, or the seat's own sheet, by its name (`data-drawn`): it is fetched once its
// fold is opened, from where its link leads, and stays as long as it is told the same.
// An answer given here goes by the same way: what follows takes the place of what was asked.  Where the
// club cannot be reached, all stays as it is (`polemarque:unsent`, see `forms.js`); where it answers
// otherwise, the form is sent as without this file.

import { resumed } from "./returning.js";

/** @type {HTMLElement | null} */
const line = document.querySelector("[data-stream]");
const status = document.querySelector("[data-status]");
/** @type {HTMLElement | null} */
const live = document.querySelector("[data-live]");
const here = live?.dataset.live || location.pathname;
const refused = here !== location.pathname;
const typing = { now: refused };
const fetching = { now: false, again: false };
const leaving = { now: false }; // a form was sent: its answer is the page to come
/** Whether an answer is under way, how many have been put in their place, and the number heard meanwhile. */
const sending = { now: false, before: 0, news: "" };

/** Statuses by which somebody between says that the club cannot be reached. */
const UNREACHED = [502, 503, 504];

/** Milliseconds for which news are gathered, to be fetched at once: more or less, lest all who look on
 * ask in the same moment. */
const GATHER = { least: 100, most: 500 };

/** Milliseconds for which a page that nobody sees listens, and then does not. */
const UNSEEN = { listens: 3_000, rests: 60_000 };

/** Hear of news from an address of events, beginning with what a line has not heard.  A browser has six
 * connections to a club for all its pages, so one that is hidden listens now and then only: the title of
 * its tab still says whose turn it is.
 * @param {string} address @param {HTMLElement} line @param {(number: string) => void} heard */
export function listen(address, line, heard) {
  /** @type {EventSource | undefined} */
  let stream;
  let timer = 0;
  const rest = () => {
    stream?.close();
    timer = setTimeout(open, UNSEEN.rests);
  };
  const open = () => {
    clearTimeout(timer);
    stream?.close();
    stream = new EventSource(`${address}?since=${line.dataset.heard}`);
    stream.addEventListener("news", (event) => heard(event.data));
    if (document.hidden) stream.addEventListener("open", () => { timer = setTimeout(rest, UNSEEN.listens); }, { once: true });
  };
  document.addEventListener("visibilitychange", open);
  open();
}

/** Whether the page has the style sheet that a drawing brings: a new one needs its own nonce. */
function hasStyle(/** @type {HTMLStyleElement} */ style) {
  return [...document.querySelectorAll("style")].some((one) => one.textContent === style.textContent);
}

/** Fetch what has changed, once for all that was heard meanwhile. */
async function refresh() {
  fetching.again = true;
  if (fetching.now) return;
  fetching.now = true;
  try {
    do {
      const wait = GATHER.least + Math.random() * (GATHER.most - GATHER.least);
      await new Promise((go) => setTimeout(go, wait));
      fetching.again = false;
      await fetchOnce();
    } while (fetching.again);
  } catch {
    offer(); // no answer: the server may be back when the reader asks
  } finally {
    fetching.now = false;
  }
}

/** Fetch the page as it is now and put it in its place; what had the focus has it again. */
async function fetchOnce() {
  if (live === null) return;
  const headers = { "X-Live": ["1", ...drawings(live)].join(" ") }, { before } = sending;
  // Kept, a part would be shown for the page, whose address it has, to whoever goes back to it.
  const answer = await fetch(here + location.search, { headers, cache: "no-store" });
  const fresh = await partOf(answer);
  while (sending.now) await new Promise((go) => setTimeout(go, GATHER.least)); // it may never reach the club
  if (leaving.now || sending.before !== before) return; // what was sent brings more
  if (typing.now) { offer(); return; } // somebody has begun to while it was fetched
  if (!answer.ok || answer.redirected || !put(fresh)) location.reload();
}

/** What of a page an answer brings.  @returns {Promise<DocumentFragment>} */
async function partOf(/** @type {Response} */ answer) {
  const template = document.createElement("template"); // where no policy looks at style sheets yet
  template.innerHTML = await answer.text();
  return template.content;
}

/** What an answer brings; nothing where the club could not be reached, or nobody knows whether it was.
 * @param {() => Promise<Response>} ask */
async function reached(ask) {
  try {
    const answer = await ask();
    return UNREACHED.includes(answer.status) ? null : { answer, fresh: await partOf(answer) };
  } catch { return null; }
}

/** Put a part of the page in its place, with focus and folds kept, and have what is new said after those
 * words; whether it could be.  @param {DocumentFragment} fresh @param {(string | undefined)[]} words */
function put(fresh, words = []) {
  if (live === null) return false;
  const styles = [...fresh.querySelectorAll("style")];
  if (!styles.every(hasStyle)) return false;
  const opened = folds();
  const focused = document.activeElement;
  const within = focused !== null && (live.contains(focused) || line?.contains(focused));
  const before = new Set(questions().map((one) => one.dataset.asked));
  for (const style of styles) style.remove(); // those of the page have its nonce
  renew(live, fresh);
  if (live.querySelector("[data-drawn]:empty")) return false;
  openAgain(opened);
  line?.replaceChildren(); // what it offered has come
  if (within && document.activeElement !== focused) refocus(focused);
  say([...words, ...questions().filter((one) => !before.has(one.dataset.asked)).map((one) => one.dataset.said)]);
  const title = live.querySelector("[data-title]")?.getAttribute("data-title");
  if (title) document.title = title;
  const when = live.querySelector("[data-when]")?.getAttribute("data-when");
  const lede = document.querySelector(".opening .lede");
  if (when && lede) lede.textContent = when;
  document.dispatchEvent(new CustomEvent("polemarque:fresh", { detail: live }));
  return true;
}

/** Fetch what a fold holds that is opened; where it cannot be had, its link stays. */
async function unfold(/** @type {Event} */ event) {
  const fold = /** @type {HTMLDetailsElement} */ (event.target);
  /** @type {HTMLElement | null} */
  const part = fold.open ? fold.querySelector(":scope > [data-part], :scope > .chronicle > [data-part]") : null;
  const link = part?.querySelector("a");
  if (!part || !link) return;
  part.removeAttribute("data-part"); // it is fetched once
  const address = new URL(link.href);
  address.searchParams.set("part", part.dataset.drawn ?? "");
  const came = await reached(() => fetch(address, { cache: "no-store" }));
  if (came?.answer.ok && !came.answer.redirected) part.replaceChildren(came.fresh);
  else part.setAttribute("data-part", "");
}

/** The folds that stand open, each by a number that follows from its words.  @returns {number[]} */
function folds() {
  return [...(live?.querySelectorAll("details[open] > summary") ?? [])].map(numberOf);
}

/** Open folds.  @param {number[]} numbers */
function openAgain(numbers) {
  for (const summary of live?.querySelectorAll("details > summary") ?? [])
    if (numbers.includes(numberOf(summary))) summary.parentElement?.setAttribute("open", "");
}

/** @param {Element} summary */
function numberOf(summary) {
  return [...(summary.textContent ?? "")].reduce((sum, sign) => (31 * sum + sign.charCodeAt(0)) | 0, 0);
}

/** Send a form of the page, and put what follows in the place of what was asked. */
async function send(/** @type {HTMLFormElement} */ form, /** @type {HTMLElement | null} */ button) {
  if (live === null) return;
  sending.now = true;
  const body = new URLSearchParams(/** @type {any} */ (new FormData(form, button))); // there are no files
  try {
    const headers = { "X-Live": ["1", ...drawings(live)].join(" ") };
    const came = await reached(() => fetch(form.action, { method: "POST", body, headers, cache: "no-store" }));
    if (!came) {
      typing.now = true; // what is filled in stays until it has left
      const again = () => { if (form.isConnected) form.requestSubmit(button); };
      document.dispatchEvent(new CustomEvent("polemarque:unsent", { detail: { form, again } }));
      return;
    }
    const { answer, fresh } = came;
    const heard = fresh.querySelector("[data-heard]")?.getAttribute("data-heard");
    const taken = answer.redirected && new URL(answer.url).pathname === here;
    if (!heard || !(taken || [409, 422].includes(answer.status))) throw new Error(String(answer.status));
    document.getElementById("happened")?.remove(); // what is said now comes with the part
    const onBoard = document.activeElement?.closest("svg[data-board]");
    if (taken) // a letter is closed once it is sealed, and a preface has been read
      for (const one of live.querySelectorAll("details:is(.again, .preface)[open]")) one.removeAttribute("open");
    sending.before += 1; // even what is asked for since brings no more than this
    if (!put(fresh, taken ? takenWords(fresh) : [])) { location.assign(taken ? answer.url : here); return; }
    if (line) line.dataset.heard = heard;
    typing.now = answer.status === 422; // what came too late is gone: the page goes on by itself
    if (taken) history.replaceState(null, "", answer.url);
    const first = /** @type {HTMLElement | null} */ (live.querySelector("[autofocus]"));
    if (first) first.focus();
    else if (!onBoard) document.getElementById("asked-title")?.focus();
  } catch {
    leaving.now = true;
    if (button instanceof HTMLButtonElement && button.name) {
      const hidden = Object.assign(document.createElement("input"), { type: "hidden", name: button.name, value: button.value });
      form.append(hidden);
    }
    form.submit(); // as it would have been, and with what the browser says of it
  } finally {
    sending.now = false;
    hear(sending.news);
  }
}

/** What is said of an answer that was taken: the number of its receipt, or the notice, which is then not
 * shown too: what follows shows it, and nothing moves. */
function takenWords(/** @type {DocumentFragment} */ fresh) {
  const told = fresh.querySelector("#happened");
  const sealed = fresh.querySelector("[data-sealed]")?.getAttribute("data-sealed");
  if (!told || told.querySelector(".notice:not(.success)")) return sealed ? [sealed] : [];
  told.remove();
  return [sealed ?? told.textContent?.trim()];
}

/** Take up that there is news of that number. */
function hear(/** @type {string} */ number) {
  sending.news = "";
  if (!number || line === null || number === line.dataset.heard) return; // not "less": a clock may have been set back
  if (sending.now) { sending.news = number; return; }
  line.dataset.heard = number;
  if (typing.now) offer(); else void refresh();
}

/** The questions that have no answer yet. */
function questions() {
  return /** @type {HTMLElement[]} */ ([...(live?.querySelectorAll("[data-asked]") ?? [])]);
}

/** Have something said once, by who reads the page aloud. */
function say(/** @type {(string | undefined)[]} */ words) {
  if (status && words.length) status.textContent = words.join(" ");
}

/** Give the focus back to what had it, or to what has taken its place: never to nothing. */
function refocus(/** @type {Element} */ old) {
  const still = /** @type {HTMLElement | undefined} */ (old.isConnected ? old : twin(old));
  still?.focus({ preventScroll: true });
  if (document.activeElement !== document.body) return;
  const stead = document.getElementById("asked-title") ?? document.getElementById("main");
  stead?.focus();
}

/** The digests of the drawings in an element, its own among them. */
function drawings(/** @type {Element} */ within) {
  const all = [within, ...within.querySelectorAll("[data-drawn]")];
  return all.filter((one) => one.hasAttribute("data-drawn")).map((one) => one.getAttribute("data-drawn") ?? "");
}

/** What of an old element's children stays for one that is fresh: what holds the same drawing, or
 * something without any that is of the same kind.  Parts that stay spare their neighbours, of which
 * the map is dear, being styled anew. */
function mate(/** @type {Element} */ old, /** @type {Element} */ fresh, /** @type {Set<Element>} */ taken) {
  const drawn = drawings(fresh);
  return [...old.children].find((one) => {
    if (taken.has(one) || one.tagName !== fresh.tagName || one.classList[0] !== fresh.classList[0]) return false;
    const has = drawings(one);
    if (drawn.length || has.length) return has.some((digest) => drawn.includes(digest));
    return one.className !== "" && one.className === fresh.className;
  });
}

/** Renew all that is in an element but the drawings that are the same: they stay, as near as they were
 * brought, and so does what holds them, with its class, which is the scripts'. */
function renew(/** @type {Element} */ old, /** @type {Element | DocumentFragment} */ fresh) {
  /** @type {Map<ChildNode, Element>} what is fresh -> what stays in its stead */
  const stays = new Map();
  /** @type {Set<Node>} */
  const taken = new Set();
  for (const child of fresh.children) {
    const same = mate(old, child, /** @type {Set<Element>} */ (taken));
    if (same) { stays.set(child, same); taken.add(same); }
  }
  for (const child of [...old.childNodes]) if (!taken.has(child)) child.remove();
  let next = old.firstChild;
  for (const child of [...fresh.childNodes]) {
    const same = stays.get(child);
    if (same && same === next) next = same.nextSibling;
    else old.insertBefore(same ?? child, next);
    if (same) renewOne(same, /** @type {Element} */ (child));
  }
}

/** Make an element that stays what is fresh, all but its drawings. */
function renewOne(/** @type {Element} */ same, /** @type {Element} */ fresh) {
  if (same.hasAttribute("data-drawn")) return;
  for (const { name, value } of fresh.attributes) if (name !== "class") same.setAttribute(name, value);
  if (drawings(fresh).length) renew(same, fresh);
  else same.replaceChildren(...fresh.childNodes);
}

/** What has taken the place of something that had the focus. */
function twin(/** @type {Element} */ old) {
  const same = /** @type {HTMLElement[]} */ ([...(live?.querySelectorAll(old.tagName) ?? [])]);
  return same.find((one) => old.id
    ? one.id === old.id && one.className === old.className // a receipt without its letter is none: the next question is asked
    : one.textContent === old.textContent && one.getAttribute("name") === old.getAttribute("name")
      && one.getAttribute("value") === old.getAttribute("value"));
}

/** Say that there is news, with a button that fetches it. */
function offer() {
  if (line === null || line.hasChildNodes()) return; // said once, while it is unread
  const button = document.createElement("button");
  button.type = "button";
  button.className = "button small";
  button.textContent = line.dataset.look ?? "";
  button.addEventListener("click", () => {
    if (refused) { location.assign(here); return; }
    typing.now = false;
    void refresh();
  });
  line.replaceChildren(line.dataset.said ?? "", " ", button);
}

live?.addEventListener("toggle", unfold, true); // it does not bubble
if (line !== null && live !== null) {
  openAgain(resumed("folds", folds));
  for (const style of live.querySelectorAll("style")) document.head.append(style); // they outlast their drawing
  live.addEventListener("input", () => { typing.now = true; });
  addEventListener("submit", (event) => { // after what the form itself has to say to it
    const form = /** @type {HTMLFormElement} */ (event.target);
    const stays = live.contains(form) && form.matches("[data-question], [data-take-back]");
    leaving.now = !event.defaultPrevented && !stays;
    if (event.defaultPrevented || !stays) return;
    event.preventDefault();
    void send(form, event.submitter);
  });
  addEventListener("pageshow", () => { leaving.now = false; });
  listen(line.dataset.stream ?? "", line, hear);
}
