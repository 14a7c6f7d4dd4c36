/**
 * A page whose content is being worked out, `data-again`: after so many seconds, and again and again,
 * it is asked for, and shown anew once it is there.  Nothing is read or moved before.  It says that nobody
 * has asked: an umpire gives no sign of life by a page that stands open.
 */

const STILL = 202;
const told = document.querySelector("[data-again]");

async function look() {
  try {
    const answer = await fetch(location.href, { cache: "no-store", headers: { "X-Live": "1" } });
    if (answer.status !== STILL) {
      location.reload();
      return;
    }
  } catch {
    // The club is out of reach: it is asked again, and the link stays.
  }
  later();
}

function later() {
  setTimeout(look, 1000 * Number(told.dataset.again));
}

if (told) later();
