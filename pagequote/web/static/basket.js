// The basket: quotes that a reader keeps, in this browser's storage alone.
"use strict";

const NAME = "pagequote.basket";

function kept() {
  try {
    const items = JSON.parse(localStorage.getItem(NAME));
    return Array.isArray(items) ? items : [];
  } catch {
    return []; // nothing was kept, or it cannot be read
  }
}

// Return whether the browser has room for the items.
function keep(items) {
  try {
    localStorage.setItem(NAME, JSON.stringify(items));
  } catch {
    return false;
  }
  count();
  return true;
}

function count() {
  const number = kept().length;
  for (const place of document.querySelectorAll("[data-count]")) {
    place.textContent = number ? ` (${number})` : "";
  }
}

// "Keep", beside the copy buttons of a quote.
for (const article of document.querySelectorAll("[data-keep]")) {
  const item = JSON.parse(article.dataset.keep);
  const button = document.createElement("button");
  button.type = "button";
  button.className = "keep";
  const said = article.querySelector(".said");
  const show = () => {
    const has = kept().some((one) => one.id === item.id);
    button.textContent = has ? "Kept" : "Keep";
    button.setAttribute("aria-pressed", String(has));
  };
  button.addEventListener("click", () => {
    const others = kept().filter((one) => one.id !== item.id);
    const had = others.length < kept().length;
    const done = keep(had ? others : [...others, { ...item, note: "" }]);
    said.textContent = done ? (had ? "Taken out of the basket." : "Kept in the basket.") : "The browser keeps nothing here.";
    show();
  });
  show();
  said.before(button);
}

const cell = (value) => {
  const text = String(value);
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text; // a spreadsheet would run it as a formula
  return `"${safe.replaceAll('"', '""')}"`;
};
const COLUMNS = ["key", "page", "page_label", "verdict", "quote", "note", "title", "cited", "link"];
const FORMS = {
  markdown: {
    file: "quotes.md",
    type: "text/markdown",
    of: (items) => items.map((one) => [one.markdown, one.note].filter(Boolean).join("\n\n")).join("\n\n") + "\n",
  },
  bibtex: {
    file: "quotes.bib",
    type: "application/x-bibtex",
    of: (items) => [...new Set(items.map((one) => one.bibtex))].join("\n"),
  },
  csv: {
    file: "quotes.csv",
    type: "text/csv",
    of: (items) => [COLUMNS, ...items.map((one) => COLUMNS.map((name) => one[name]))].map((row) => row.map(cell).join(",")).join("\r\n") + "\r\n",
  },
  annotations: {
    file: "quotes.jsonld",
    type: "application/ld+json",
    of: (items) => JSON.stringify(items.map(annotated), null, 2) + "\n",
  },
};

function annotated(item) {
  if (!item.note) return item.annotation;
  return { ...item.annotation, body: [{ type: "TextualBody", purpose: "commenting", value: item.note }] };
}

function save(form) {
  const link = document.createElement("a");
  link.download = form.file;
  link.href = URL.createObjectURL(new Blob([form.of(kept())], { type: form.type }));
  link.click();
  URL.revokeObjectURL(link.href);
}

// The page of the basket.
const basket = document.querySelector("[data-basket]");

function render() {
  const items = kept();
  const list = basket.querySelector("[data-list]");
  basket.querySelector("[data-empty]").hidden = items.length > 0;
  basket.querySelector("[data-full]").hidden = items.length === 0;
  list.replaceChildren(...items.map(shown));
}

function shown(item, index) {
  const row = basket.querySelector("[data-one]").content.cloneNode(true);
  const part = (name) => row.querySelector(`[data-${name}]`);
  part("verdict").textContent = item.verdict;
  part("verdict").classList.add(item.verdict);
  const other = item.page_label && item.page_label !== String(item.page);
  const source = item.cited || item.title || item.key;
  part("place").textContent = item.page ? `${source}, page ${item.page}${other ? ` (printed ${item.page_label})` : ""}` : source;
  const place = new URL(item.link, location.href);
  part("place").href = place.pathname + place.search;
  part("title").textContent = item.title;
  part("quote").textContent = item.quote;
  part("note").value = item.note;
  part("note").id = `note-${index}`;
  part("label").htmlFor = `note-${index}`;
  part("note").addEventListener("input", (event) => {
    const done = keep(kept().map((one) => (one.id === item.id ? { ...one, note: event.target.value } : one)));
    basket.querySelector("[data-said]").textContent = done ? "" : "The browser has no room for this note.";
  });
  part("remove").setAttribute("aria-label", `Remove the quote of ${source}`);
  part("remove").addEventListener("click", () => {
    keep(kept().filter((one) => one.id !== item.id));
    render();
  });
  return row;
}

if (basket) {
  basket.hidden = false;
  for (const button of basket.querySelectorAll("[data-export]")) {
    button.addEventListener("click", () => save(FORMS[button.dataset.export]));
  }
  const discard = basket.querySelector("[data-discard]");
  discard.addEventListener("click", () => {
    if (discard.dataset.sure) {
      keep([]);
      render();
    }
    discard.dataset.sure = discard.dataset.sure ? "" : "yes";
    discard.textContent = discard.dataset.sure ? "Press again to empty it" : "Empty the basket";
  });
  render();
}
count();
addEventListener("storage", (event) => {
  if (event.key !== NAME) return;
  count();
  if (basket && !basket.contains(document.activeElement)) render();
});
