// Steps through a film.  The story stands in the page; only where pieces stand is data:
// skins[n] is how a piece looks, words[n] what it is called, frames[n] is [changes, arrows];
// a change is [piece] (gone) or [piece, x, y, skin, words].
"use strict";
(() => {
  const film = JSON.parse(document.getElementById("film-data").textContent);
  const $ = (name) => document.getElementById("film-" + name);
  const upper = document.querySelector(".stage .upper");
  const lines = [...document.querySelectorAll(".story > li")];
  const last = film.frames.length - 1;
  const paces = { slow: 3000, steady: 1500, fast: 500 };
  const drawn = new Map();
  let at = -1, timer = 0;

  const layer = (name) => {
    const group = document.createElementNS("http://www.w3.org/2000/svg", "g");
    group.setAttribute("class", name);
    return upper.appendChild(group);
  };
  upper.textContent = "";
  const arrows = layer("arrows"), pieces = layer("pieces");

  // Where every piece stands after frame n: the changes of all frames up to it.
  const standing = (n) => {
    const where = new Map();
    for (let k = 0; k <= n; k++)
      for (const [piece, ...rest] of film.frames[k][0])
        rest.length ? where.set(piece, rest) : where.delete(piece);
    return where;
  };

  const place = (piece, [x, y, skin, words]) => {
    let group = drawn.get(piece);
    if (!group) {
      group = document.createElementNS("http://www.w3.org/2000/svg", "g");
      group.setAttribute("class", "piece");
      drawn.set(piece, group);
    }
    group.style.transform = `translate(${x}px, ${y}px)`;
    if (group.dataset.look !== `${skin} ${words}`) {
      group.innerHTML = `<title>${film.words[words]}</title>${film.skins[skin]}`;
      group.dataset.look = `${skin} ${words}`;
    }
    return group;
  };

  const show = (n) => {
    at = Math.max(0, Math.min(n, last));
    const where = standing(at);
    for (const [piece, group] of drawn)
      if (!where.has(piece)) { group.remove(); drawn.delete(piece); }
    for (const [piece, look] of where) {
      const group = place(piece, look);
      if (!group.parentNode) pieces.appendChild(group);
    }
    arrows.innerHTML = film.frames[at][1];
    const line = lines[at];
    lines.forEach((each) => each.removeAttribute("aria-current"));
    line.setAttribute("aria-current", "step");
    const story = line.closest(".story");
    story.scrollTop += line.getBoundingClientRect().top - story.getBoundingClientRect().top
      - story.clientHeight / 3;
    const counted = $("slider").dataset.step.replace("{number}", at).replace("{count}", last);
    const heading = line.dataset.heading;
    $("count").textContent = heading ? `${counted} · ${heading}` : counted;
    $("line").textContent = line.querySelector("a").textContent;
    const why = line.querySelector("details ul");
    $("why").replaceChildren(...(why ? why.cloneNode(true).children : []));
    $("slider").value = at;
    $("slider").setAttribute("aria-valuetext", counted);
    for (const [name, end] of [["first", 0], ["back", 0], ["on", last], ["last", last]])
      $(name).setAttribute("aria-disabled", String(at === end));
    if (at === last) stop();
    history.replaceState(null, "", "#" + at);
  };

  const stop = () => {
    clearInterval(timer);
    timer = 0;
    $("play").setAttribute("aria-label", $("play").dataset.play);
    $("play").title = $("play").dataset.play;
    $("play").classList.remove("playing");
  };
  const play = () => {
    if (timer) { stop(); return; }
    if (at === last) show(0);
    timer = setInterval(() => show(at + 1), paces[$("pace").value]);
    $("play").setAttribute("aria-label", $("play").dataset.pause);
    $("play").title = $("play").dataset.pause;
    $("play").classList.add("playing");
  };
  const go = (n) => { stop(); show(n); };

  $("first").onclick = () => go(0);
  $("back").onclick = () => go(at - 1);
  $("on").onclick = () => go(at + 1);
  $("last").onclick = () => go(last);
  $("play").onclick = play;
  $("slider").oninput = (event) => go(Number(event.target.value));
  $("pace").onchange = () => { if (timer) { stop(); play(); } };
  lines.forEach((line, n) => {
    line.querySelector("a").onclick = (event) => { event.preventDefault(); go(n); };
  });
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    if (/^(SELECT|INPUT)$/.test(event.target.tagName)) return;
    const move = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: last }[event.key];
    if (move !== undefined) { event.preventDefault(); go(move); }
    else if (event.key === "p" || event.key === "P") play();
  });
  window.addEventListener("hashchange", () => go(Number(location.hash.slice(1)) || 0));

  $("controls").hidden = false;
  $("slider").max = last;
  show(Number(location.hash.slice(1)) || 0);
})();
