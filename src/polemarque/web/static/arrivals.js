/**
 * A page that waits for others, opened anew when something happens.
 *
 * `[data-arrivals]` is the line that says so: its address of events, the number heard last (`data-heard`),
 * the page to open (`data-here`), and what is said (`data-said`, `data-look`) to whoever is typing.
 */

import { listen } from "./live.js";

const line = document.querySelector("[data-arrivals]");

function offer() {
  const link = document.createElement("a");
  link.href = line.dataset.here;
  link.textContent = line.dataset.look;
  line.replaceChildren(line.dataset.said, " ", link);
}

if (line !== null) {
  let typing = false;
  document.addEventListener("input", () => { typing = true; });
  listen(line.dataset.arrivals, line, (number) => {
    if (Number(number) <= Number(line.dataset.heard)) return;
    if (typing) offer(); else location.assign(line.dataset.here);
  });
}
