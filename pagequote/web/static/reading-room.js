// What the reading room does better with JavaScript; without it, everything is there all the same.
"use strict";

for (const told of document.querySelectorAll(".keys")) {
  told.hidden = !document.querySelector("[data-focus]");
}

// "/" goes to the search box, unless something is being written.
document.addEventListener("keydown", (event) => {
  const writing = event.target.closest("input, textarea, select, [contenteditable]");
  if (event.key === "/" && !writing && !event.ctrlKey && !event.metaKey && !event.altKey) {
    const box = document.querySelector("[data-focus]");
    if (box) {
      event.preventDefault();
      box.focus();
      box.select();
    }
  }
});

async function copy(box) {
  try {
    await navigator.clipboard.writeText(box.value);
  } catch {
    // No clipboard without https or a leave to write to it: the older way, which needs a selection.
    const details = box.closest("details");
    const open = details.open;
    details.open = true;
    box.select();
    const done = document.execCommand("copy");
    if (done) details.open = open;
    return done;
  }
  return true;
}

// What the browser keeps for this reader alone; nothing where it keeps nothing.
function remember(name, value) {
  try {
    localStorage.setItem(`pagequote.${name}`, JSON.stringify(value));
  } catch {
    // full, or not allowed
  }
}

function remembered(name) {
  try {
    return JSON.parse(localStorage.getItem(`pagequote.${name}`));
  } catch {
    return null;
  }
}

// "LaTeX" copies the style that was copied last.
function form(box, details) {
  const style = box.dataset.copy === "LaTeX" && remembered("latex");
  return (style && [...details.querySelectorAll("[data-copy]")].find((one) => one.dataset.copy === style)) || box;
}

// A button for each form of a quote or reference: the usual ones in a row, the others beside their boxes.
for (const details of document.querySelectorAll("[data-copies]")) {
  const what = details.dataset.copies;
  const row = document.createElement("div");
  row.className = "buttons";
  row.setAttribute("role", "group");
  row.setAttribute("aria-label", `Copy ${what}`);
  const said = document.createElement("span");
  said.className = "said";
  said.setAttribute("role", "status");
  for (const box of details.querySelectorAll("[data-copy]")) {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = box.dataset.copy;
    button.setAttribute("aria-label", `Copy as ${box.dataset.copy}`);
    button.addEventListener("click", async () => {
      const wanted = form(box, details);
      const done = await copy(wanted);
      said.textContent = done ? `Copied: ${wanted.dataset.copy}.` : "Press Ctrl+C to copy.";
      if (box.dataset.copy.startsWith("LaTeX, ")) remember("latex", box.dataset.copy);
    });
    const place = box.closest(".copy");
    if ("first" in place.dataset) {
      row.append(button);
    } else {
      button.textContent = "Copy";
      button.className = "plain";
      place.append(button);
    }
  }
  row.append(said);
  if ("folded" in details.dataset) {
    details.querySelector("summary").after(row);
    continue;
  }
  details.before(row);
  const more = details.querySelector(".copy:not([data-first])");
  details.querySelector("summary").textContent = more ? "More forms, and what is copied" : "What is copied";
}

// n and p go to the next place and the one before; Escape goes back from an enlarged page to the quote.
const places = [...document.querySelectorAll("article[aria-label^='Place'], .large .marks [id], .document .marks [id]")];
const toPlace = (place) => {
  place.scrollIntoView({ block: place.matches("article") ? "start" : "center", inline: "center" });
  if (!place.matches("article")) return;
  place.tabIndex = -1;
  place.focus({ preventScroll: true });
};
let at = Math.max(0, places.findIndex((place) => `#${place.id}` === location.hash));
document.addEventListener("keydown", (event) => {
  if (event.target.closest("input, textarea, select") || event.ctrlKey || event.metaKey || event.altKey) return;
  const step = { n: 1, p: -1 }[event.key];
  if (step && places.length) {
    at = (at + step + places.length) % places.length;
    toPlace(places[at]);
  }
  const back = event.key === "Escape" && document.querySelector("[data-back]");
  if (back) back.click();
});
if (places.length && places[at].matches(".large [id]") && location.hash) {
  addEventListener("load", () => toPlace(places[at]));
}

// A file that is dropped on the draft is checked; its text is copied with one press.
for (const form of document.querySelectorAll("[data-drop]")) {
  form.addEventListener("dragover", (event) => event.preventDefault());
  form.addEventListener("drop", (event) => {
    if (!event.dataTransfer.files.length) return;
    event.preventDefault();
    form.querySelector("[type=file]").files = event.dataTransfer.files;
    form.requestSubmit();
  });
}
for (const row of document.querySelectorAll("[data-text]")) {
  const button = document.createElement("button");
  button.type = "button";
  button.textContent = "Copy the text";
  button.addEventListener("click", async () => {
    if (await copy(document.querySelector("#text"))) button.textContent = "Copied";
  });
  row.append(button);
}

// The finding of a mark in the draft is shown while the mark is pointed at.
for (const mark of document.querySelectorAll(".draft-text a")) {
  const finding = document.querySelector(mark.hash);
  mark.addEventListener("pointerenter", () => {
    finding.classList.add("meant");
    if (matchMedia("(min-width: 52.01rem)").matches) finding.scrollIntoView({ block: "nearest" });
  });
  mark.addEventListener("pointerleave", () => finding.classList.remove("meant"));
}

// Findings that this browser knows are passed over in each draft: a form sends their names along.
const known = () => remembered("known") || [];
for (const form of document.querySelectorAll("[data-known]")) {
  form.addEventListener("formdata", ({ formData }) => known().slice(-300).forEach((name) => formData.append("known", name)));
}
for (const button of document.querySelectorAll("[data-know]")) {
  button.hidden = false;
  button.addEventListener("click", () => {
    const others = known().filter((name) => name !== button.dataset.know);
    remember("known", others.length < known().length ? others : [...others, button.dataset.know]);
    document.querySelector("#draft").requestSubmit();
  });
}

// Return another page of the reading room, null where it does not come.
async function elsewhere(address) {
  const answer = await fetch(address).catch(() => null);
  return answer && answer.ok ? new DOMParser().parseFromString(await answer.text(), "text/html") : null;
}

// The papers that were opened last, on the start page; and those that a reader may mean, as the name is typed.
const opened = document.querySelector("[data-paper]");
const last = remembered("opened");
const papers = Array.isArray(last) ? last : [];
if (opened) {
  const here = { key: opened.dataset.paper, title: opened.textContent.trim() };
  remember("opened", [here, ...papers.filter((one) => one.key !== here.key)].slice(0, 5));
}
for (const section of document.querySelectorAll("[data-opened]")) {
  for (const { key, title } of papers) {
    const link = document.createElement("a");
    link.href = `/paper?${new URLSearchParams({ key })}`;
    link.textContent = title;
    const row = document.createElement("li");
    row.append(link);
    section.querySelector("ul").append(row);
  }
  section.hidden = !papers.length;
}
for (const box of document.querySelectorAll("[data-papers]")) {
  let waiting = 0;
  box.addEventListener("input", () => {
    clearTimeout(waiting);
    waiting = setTimeout(async () => {
      const asked = new URLSearchParams({ query: box.value, limit: 12, detail: "short" });
      const answer = box.value.trim() && (await fetch(`${box.dataset.papers}?${asked}`).catch(() => null));
      if (!answer || !answer.ok) return;
      const found = (await answer.json()).papers;
      box.list.replaceChildren(...found.map((one) => new Option(`${one.title || ""} ${one.authors}`.trim(), one.key)));
    }, 150);
  });
}

// In a whole document the picture of the page that is read is marked, among the small ones.
const seen = new IntersectionObserver((entries) => {
  for (const { target, isIntersecting } of entries) {
    const small = document.querySelector(`[data-page="${target.id.slice(5)}"]`);
    if (isIntersecting) small.setAttribute("aria-current", "true");
    else small.removeAttribute("aria-current");
    const list = small.closest("nav");
    if (isIntersecting) list.scrollTo({ top: small.offsetTop - list.offsetTop - 60, left: small.offsetLeft - 60 });
  }
}, { rootMargin: "-45% 0px -50% 0px" });
for (const page of document.querySelectorAll(".one-page")) seen.observe(page);

// Pictures of pages further down come when they are near: those that are seen first, the next ones after them.
const later = document.querySelectorAll("img[data-src]");
// Its words to select are those of the page that shows it alone.
async function layer(sheet) {
  const address = `/page?${new URLSearchParams({ key: sheet.dataset.ofPaper, page: sheet.dataset.ofPage })}`;
  const words = (await elsewhere(address))?.querySelector(".layer");
  if (words) sheet.querySelector(".print").append(document.adoptNode(words));
}
for (const first of document.querySelectorAll(".one-page:first-of-type [data-of-page]")) layer(first);
const come = (rootMargin) => {
  const near = new IntersectionObserver((entries) => {
    for (const { target, isIntersecting } of entries) {
      if (!isIntersecting || target.src) continue;
      target.srcset = target.dataset.srcset;
      target.src = target.dataset.src;
      layer(target.closest("[data-of-page]"));
    }
  }, { rootMargin });
  for (const picture of later) near.observe(picture);
};
addEventListener("load", () => {
  for (const one of document.querySelectorAll("image[data-href]")) one.setAttribute("href", one.dataset.href);
});
if (later.length) {
  come("0px");
  addEventListener("load", () => come("1500px 0px"));
}

// The list of papers is that of the words which are being typed.
for (const box of document.querySelectorAll("[data-list]")) {
  let waiting = 0;
  box.addEventListener("input", () => {
    clearTimeout(waiting);
    waiting = setTimeout(async () => {
      const asked = box.value;
      const address = `/papers?${new URLSearchParams({ filter: asked })}`;
      const found = await elsewhere(address);
      if (!found || box.value !== asked) return;
      document.querySelector("#list").replaceWith(document.adoptNode(found.querySelector("#list")));
      history.replaceState(null, "", address);
    }, 200);
  });
}
