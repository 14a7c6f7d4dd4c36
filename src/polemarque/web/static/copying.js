/** Buttons that copy a field: `data-copy` is its id, `data-done` what is said once it is copied. */

document.addEventListener("click", async (event) => {
  const button = event.target.closest?.("[data-copy]");
  if (button) {
    const field = document.getElementById(button.dataset.copy);
    field.select();
    try {
      await navigator.clipboard.writeText(field.value);
    } catch {
      return; // not allowed here: the field is selected, and the reader copies it himself
    }
    const said = document.createElement("span");
    said.className = "faint";
    said.setAttribute("role", "status");
    button.parentElement.querySelector("[role=status]")?.remove();
    button.after(said);
    said.textContent = button.dataset.done;
  }
});
