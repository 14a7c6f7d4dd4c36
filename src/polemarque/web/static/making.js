/**
 * The form of a new campaign: of all the seats there could be, only those of the chosen number are shown,
 * by their names in the chosen scenario.  What is hidden is not sent.
 */

const form = document.querySelector("[data-chairs]")?.closest("form");

/** How many seats the campaign will have: as typed, else as the chosen scenario has them. */
function count() {
  const typed = Number(form.elements.namedItem("seats")?.value);
  const chosen = form.querySelector("[name=scenario]:checked");
  return typed || Number(chosen?.dataset.seats) || Infinity;
}

function show() {
  const seats = count(), names = form.querySelector("[name=scenario]:checked")?.dataset.called?.split("\n") ?? [];
  for (const chair of form.querySelectorAll("[data-chair]")) {
    const beyond = Number(chair.dataset.chair) > seats;
    chair.hidden = beyond;
    chair.querySelector("select").disabled = beyond;
    const label = chair.querySelector("label");
    label.dataset.plain ??= label.textContent;
    label.textContent = names[Number(chair.dataset.chair) - 1] || label.dataset.plain;
  }
}

if (form) {
  form.addEventListener("input", show);
  show();
}
