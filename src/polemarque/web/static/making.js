/**
 * The form of a new campaign: of all the seats there could be, only those of the chosen number are shown.
 * What is hidden is not sent.
 */

const form = document.querySelector("[data-chairs]")?.closest("form");

/** How many seats the campaign will have: as typed, else as the chosen scenario has them. */
function count() {
  const typed = Number(form.elements.namedItem("seats")?.value);
  const chosen = form.querySelector("[name=scenario]:checked");
  return typed || Number(chosen?.dataset.seats) || Infinity;
}

function show() {
  const seats = count();
  for (const chair of form.querySelectorAll("[data-chair]")) {
    const beyond = Number(chair.dataset.chair) > seats;
    chair.hidden = beyond;
    chair.querySelector("select").disabled = beyond;
  }
}

if (form) {
  form.addEventListener("input", show);
  show();
}
