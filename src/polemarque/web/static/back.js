// A page that a browser brings back whole, as Back does, is asked for again: whoever goes back to it may be
// somebody else by now.  It is hidden from when it is left, so that nothing of it is shown meanwhile.

addEventListener("pagehide", (event) => {
  if (event.persisted) document.documentElement.hidden = true;
});
addEventListener("pageshow", (event) => {
  if (event.persisted) location.reload();
});
