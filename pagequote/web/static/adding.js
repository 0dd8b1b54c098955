// Puts PDFs that are chosen, or dropped anywhere on the page, into the folder that is read, and reports what came of it.
const adding = document.querySelector("[data-adds]");
const report = adding?.querySelector("[role=status]");

async function put(file) {
  try {
    const answer = await fetch(`${adding.dataset.adds}/${encodeURIComponent(file.name)}`, { method: "PUT", body: file });
    const said = answer.status === 413 ? { error: "It is too large." } : await answer.json();
    return answer.ok ? "" : `${file.name}: ${said.error}`;
  } catch {
    return `${file.name}: it could not be sent. Is PageQuote still running?`;
  }
}

async function putAll(files) {
  const refused = [];
  for (const [at, file] of [...files].entries()) {
    report.textContent = `Adding ${at + 1} of ${files.length}: ${file.name}`;
    refused.push(await put(file));
  }
  const said = refused.filter(Boolean);
  const added = files.length - said.length;
  report.textContent = [`${added} PDF${added === 1 ? "" : "s"} added. They are being read.`, ...said].slice(added ? 0 : 1).join(" ");
  if (added && !said.length) location.reload();
}

if (adding) {
  adding.querySelector("input").addEventListener("change", (event) => putAll(event.target.files));
  document.addEventListener("dragover", (event) => event.preventDefault());
  document.addEventListener("drop", (event) => {
    event.preventDefault();
    if (event.dataTransfer.files.length) putAll(event.dataTransfer.files);
  });
}
