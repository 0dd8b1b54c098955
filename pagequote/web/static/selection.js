// Words that are selected on a page, or in its text, can be copied with their source, checked as a quote, or kept.
"use strict";

{
  const SHORTEST = 8; // Characters of a selection that is worth a bar.

  const bar = document.createElement("div");
  bar.className = "selected";
  bar.setAttribute("role", "toolbar");
  bar.setAttribute("aria-label", "Selection");
  bar.hidden = true;
  const copy = document.createElement("button");
  copy.type = "button";
  copy.textContent = "Copy with source";
  const open = document.createElement("a");
  open.textContent = "Check";
  const keeps = document.createElement("button");
  keeps.type = "button";
  keeps.textContent = "Keep";
  const said = document.createElement("span");
  said.setAttribute("role", "status");
  bar.append(copy, open, keeps, said);
  document.body.append(bar);

  // Return the selected words with the page that they begin on, or null.
  function selected() {
    const selection = getSelection();
    const words = selection.toString().replace(/\s+/g, " ").trim();
    const node = selection.rangeCount ? selection.getRangeAt(0).startContainer : null;
    const place = (node instanceof Element ? node : node?.parentElement)?.closest("[data-of-page]");
    return place && words.length >= SHORTEST ? { words, place: place.dataset } : null;
  }

  // Return the words as they are printed (a hyphen at a line's end is none), or as they were selected.
  async function printed({ words, place }) {
    const query = new URLSearchParams({ key: place.ofPaper, quote: words, page: place.ofPage });
    try {
      const answer = await (await fetch(`/api/quote?${query}`)).json();
      const match = answer.matches?.[0];
      return match?.verdict === "verbatim" ? match.quote : words;
    } catch {
      return words;
    }
  }

  document.addEventListener("selectionchange", () => {
    const found = selected();
    bar.hidden = !found;
    said.textContent = "";
    if (found) {
      const query = new URLSearchParams({ key: found.place.ofPaper, query: found.words, page: found.place.ofPage });
      open.href = `/quote?${query}`;
    }
  });

  for (const button of [copy, keeps]) {
    button.addEventListener("pointerdown", (event) => event.preventDefault()); // the selection stays
  }
  keeps.addEventListener("click", async () => {
    const found = (await elsewhere(open.href))?.querySelector("[data-keep]")?.dataset.keep;
    const item = found && JSON.parse(found);
    const done = item && item.verdict === "verbatim" && keep([...kept().filter((one) => one.id !== item.id), { ...item, note: "" }]);
    said.textContent = done ? "Kept in the basket." : "It could not be kept. Check it first.";
  });
  copy.addEventListener("click", async () => {
    const found = selected();
    if (!found) return;
    const text = `“${await printed(found)}” (${found.place.cited}, p. ${found.place.label})`;
    try {
      await navigator.clipboard.writeText(text);
      said.textContent = "Copied.";
    } catch {
      said.textContent = text;
    }
  });
}
