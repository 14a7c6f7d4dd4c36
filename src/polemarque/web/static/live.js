// Pages that are open hear that there is something new, and fetch what has changed in them.
//
// `[data-stream]` is the line that says so: its address of events, the number heard last
// (`data-heard`), what is said (`data-said`) and the word of its button (`data-look`).
// `[data-live]` is what is fetched anew, from the address it names, or else the page's own.  Nothing
// is taken away from whoever is typing, or has a refused form before him, which stands at the
// address that it was sent to: then the line says that there is news, and the page waits to be asked.
// `[data-when]` in it says where the game stands now, for the head of the page.

/** @type {HTMLElement | null} */
const line = document.querySelector("[data-stream]");
/** @type {HTMLElement | null} */
const live = document.querySelector("[data-live]");
const here = live?.dataset.live || location.pathname;
const refused = here !== location.pathname;
const typing = { now: refused };
const fetching = { now: false, again: false };

/** Whether the page has the style sheet that a drawing brings: a new one needs its own nonce. */
function hasStyle(/** @type {HTMLStyleElement} */ style) {
  return [...document.querySelectorAll("style")].some((one) => one.textContent === style.textContent);
}

/** Fetch what has changed, once for all that was heard meanwhile. */
async function refresh() {
  if (fetching.now) { fetching.again = true; return; }
  fetching.now = true;
  try {
    do {
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
  const answer = await fetch(here + location.search, { headers: { "X-Live": "1" } });
  const template = document.createElement("template"); // where no policy looks at style sheets yet
  template.innerHTML = await answer.text();
  const fresh = template.content;
  if (typing.now) { offer(); return; } // somebody has begun to while it was fetched
  if (!answer.ok || answer.redirected) { location.reload(); return; }
  const styles = [...fresh.querySelectorAll("style")];
  if (!styles.every(hasStyle)) { location.reload(); return; }
  const opened = new Set([...live.querySelectorAll("details[open] > summary")].map((one) => one.textContent));
  const focused = document.activeElement;
  const within = focused !== null && live.contains(focused);
  for (const style of styles) style.remove(); // those of the page have its nonce
  renewBelow(live, fresh);
  for (const summary of live.querySelectorAll("details > summary"))
    if (opened.has(summary.textContent)) summary.parentElement?.setAttribute("open", "");
  if (within && !focused.isConnected) twin(focused)?.focus({ preventScroll: true });
  const when = live.querySelector("[data-when]")?.getAttribute("data-when");
  const lede = document.querySelector(".opening .lede");
  if (when && lede) lede.textContent = when;
  document.dispatchEvent(new CustomEvent("polemarque:fresh", { detail: live }));
}

/** Put something fresh in its place; a drawing that is the same stays, as near as it was brought. */
function renew(/** @type {Element} */ old, /** @type {Element} */ fresh) {
  const same = fresh.hasAttribute("data-drawn") && old.getAttribute("data-drawn") === fresh.getAttribute("data-drawn");
  if (same) return;
  if (old.tagName !== fresh.tagName || !fresh.querySelector("[data-drawn]")) { old.replaceWith(fresh); return; }
  for (const { name, value } of fresh.attributes) old.setAttribute(name, value);
  renewBelow(old, fresh);
}

/** Renew what is in an element, part by part if it has the same parts. */
function renewBelow(/** @type {Element} */ old, /** @type {Element | DocumentFragment} */ fresh) {
  const before = [...old.children], after = [...fresh.children];
  if (before.length === after.length) before.forEach((one, at) => renew(one, after[at]));
  else old.replaceChildren(...fresh.childNodes);
}

/** What has taken the place of something that had the focus. */
function twin(/** @type {Element} */ old) {
  const same = /** @type {HTMLElement[]} */ ([...(live?.querySelectorAll(old.tagName) ?? [])]);
  return same.find((one) => old.id
    ? one.id === old.id
    : one.textContent === old.textContent && one.getAttribute("name") === old.getAttribute("name")
      && one.getAttribute("value") === old.getAttribute("value"));
}

/** Say that there is news, with a button that fetches it. */
function offer() {
  if (line === null) return;
  const button = document.createElement("button");
  button.type = "button";
  button.className = "button small";
  button.textContent = line.dataset.look ?? "";
  button.addEventListener("click", () => {
    if (refused) { location.assign(here); return; }
    line.replaceChildren();
    typing.now = false;
    void refresh();
  });
  line.replaceChildren(line.dataset.said ?? "", " ", button);
}

if (line !== null && live !== null) {
  for (const style of live.querySelectorAll("style")) document.head.append(style); // they outlast their drawing
  live.addEventListener("input", () => { typing.now = true; });
  const stream = new EventSource(`${line.dataset.stream}?since=${line.dataset.heard}`);
  stream.addEventListener("news", (event) => {
    if (Number(event.data) <= Number(line.dataset.heard)) return;
    line.dataset.heard = event.data;
    if (typing.now) offer(); else void refresh();
  });
}
