// Shows how far the reading of the folder is, and opens the reading room once something can be quoted.
const bar = document.querySelector("[data-reading]");
const line = document.querySelector("[data-status]");

async function look() {
  try {
    const answer = await fetch(bar.dataset.reading, { cache: "no-store" });
    const state = await answer.json();
    if (state.can_be_opened || !state.is_reading) {
      location.reload();
      return;
    }
    bar.max = Math.max(1, state.total);
    bar.value = state.done;
    line.textContent = state.status;
  } catch {
    // The server may be busy: the next look will tell.
  }
  setTimeout(look, 1000);
}

if (bar) {
  setTimeout(look, 500);
}
