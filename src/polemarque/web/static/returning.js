// @ts-check
/** What a reader has made of a page, for when they come back to it in this tab: it is kept as they leave. */

const page = document.querySelector("[data-live]")?.getAttribute("data-live") || location.pathname;

/** What was kept of this page under a name, a list.
 * @param {string} name @param {() => unknown[]} now what there is to keep @returns {any[]} */
export function resumed(name, now) {
  const at = `${name} ${page}`;
  addEventListener("pagehide", () => {
    try { sessionStorage.setItem(at, JSON.stringify(now())); } catch { /* this browser keeps nothing */ }
  });
  try { return JSON.parse(sessionStorage.getItem(at) ?? "[]"); } catch { return []; }
}
