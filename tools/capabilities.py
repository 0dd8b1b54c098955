"""Writes docs/capabilities.md: what the project can do, for whom, with how much code, and what holds it.

`make reference` runs it. The table below is written by hand; the lines are counted.
"""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "capabilities.md"

USERS = {
    "night": "the nightly rebuild",
    "lookup": "one-line lookup, in Python and in the shell",
    "SQL": "whoever queries a release with DuckDB, polars or pandas",
    "writer": "a writer's check of a manuscript",
    "agent": "an agent, or a program by the JSON API",
    "room": "the reading room in a browser",
    "editor": "an editor, while a manuscript is written",
}
"""Who uses a capability: the names in the table, and who they are."""


@dataclass(frozen=True)
class Capability:
    """What the project can do.

    `users` are names of `USERS`, separated by spaces. `code` and `tests` are files and folders, separated by
    spaces; a file belongs to the row that names it or the innermost folder around it. `measures` are files of
    tests and pages of results that would fail, or be worse, without it; `gate NAME` is a floor of
    `make gate`.
    """

    what: str
    users: str
    code: str
    tests: str
    measures: str


CAPABILITIES = (
    Capability(
        "Verdicts on a quote: is it printed there, where, and what differs",
        "lookup writer agent room editor",
        "lookup/quote lookup/compare",
        "tests/quote",
        "gate quotes, gate forgeries, gate forms, benchmarks/results/kernel_mutants.md",
    ),
    Capability(
        "A corpus that opens in milliseconds, with its papers by name and in reading order",
        "lookup writer agent room editor",
        "lookup/__init__.py lookup/corpus.py lookup/following_corpus.py lookup/errors.py lookup/limits.py "
        "lookup/next_step.py"
        " lookup/papers",
        "tests/quote/test_corpus_calls.py tests/quote/test_naming.py tests/quote/test_papers.py",
        "gate quotes, tests/project/test_budgets.py, tests/quote/test_naming.py",
    ),
    Capability(
        "Text that can be compared: folding, sentences, scripts, hyphens",
        "night lookup SQL writer agent room editor",
        "lookup/text",
        "tests/text",
        "gate quotes, gate passages, tests/text/test_folding.py",
    ),
    Capability(
        "A release as open tables, with views and macros",
        "SQL night lookup",
        "lookup/release pipeline/records.py pipeline/publish/write_database.py"
        " pipeline/publish/descriptions.py pipeline/publish/summaries.py",
        "tests/releases/test_descriptions.py tests/releases/test_rows.py tests/releases/test_foreign_sql.py"
        " tests/releases/test_summaries.py",
        "tests/releases/test_descriptions.py, tests/releases/test_foreign_sql.py,"
        " benchmarks/results/lookup_by_key.md",
    ),
    Capability(
        "Answers as JSON, LaTeX, Markdown, links and notebook cells",
        "lookup agent room",
        "lookup/results",
        "tests/quote/test_notebook.py",
        "tests/quote/test_corpus_calls.py, tests/quote/test_notebook.py",
    ),
    Capability(
        "An index of words: which papers print a phrase",
        "lookup writer agent room editor",
        "lookup/index pipeline/publish/search_index.py",
        "tests/search/test_printed_words.py",
        "tests/search/test_printed_words.py, benchmarks/results/search_index.md",
    ),
    Capability(
        "Passages by meaning: embeddings, and the nearest passage where the words are not printed",
        "night lookup agent room",
        "lookup/embedding lookup/quote/semantic.py pipeline/embedding pipeline/builds/embed_sentences.py"
        " pipeline/engines/embedding.py",
        "tests/embedding tests/quote/test_semantic.py tests/builds/test_model_of_build.py"
        " tests/search/test_weighted_words.py",
        "gate passages, gate meaning",
    ),
    Capability(
        "Getting a model of meaning",
        "night",
        "pipeline/models",
        "tests/embedding/test_model.py",
        "tests/embedding/test_model.py, benchmarks/results/embedding.md",
    ),
    Capability(
        "Search across papers, and similar sentences",
        "lookup agent room",
        "lookup/search",
        "tests/search",
        "gate search, benchmarks/results/search.md",
    ),
    Capability(
        "Keyword searches of a paper or of all: exact phrase, all words, misspelt words, in their context",
        "lookup agent",
        "lookup/keywords",
        "tests/search/test_keyword_search.py",
        "tests/search/test_keyword_search.py, benchmarks/results/keyword_search.md",
    ),
    Capability(
        "Snippets and excerpts of any text or code",
        "lookup agent",
        "lookup/snippet",
        "tests/search/test_snippets.py tests/search/test_snippets_of_code.py tests/search/test_excerpts.py",
        "benchmarks/results/snippets.md, tests/search/test_snippets.py",
    ),
    Capability(
        "PDF to lines: fonts, order of letters, hidden words, page labels",
        "night",
        "pipeline/pdf",
        "tests/pdf_to_paragraphs/test_fonts.py tests/pdf_to_paragraphs/test_glyphs.py"
        " tests/pdf_to_paragraphs/test_hidden_text.py tests/pdf_to_paragraphs/test_logical_order.py"
        " tests/pdf_to_paragraphs/test_page_numbers.py tests/pdf_to_paragraphs/test_printed_lines.py"
        " tests/pdf_to_paragraphs/test_shapes.py tests/pdf_to_paragraphs/test_sheets.py"
        " tests/pdf_to_paragraphs/test_superscripts.py",
        "gate covers, gate papers, benchmarks/results/covers.md",
    ),
    Capability(
        "Lines to paragraphs: reading order, kinds, sections, text without line breaks",
        "night",
        "pipeline/layout pipeline/cleaning pipeline/extract.py pipeline/extractor.py",
        "tests/pdf_to_paragraphs",
        "gate papers, gate papers-2, gate others, benchmarks/results/layout_thresholds.md",
    ),
    Capability(
        "Scans: pages without text are recognised",
        "night",
        "pipeline/ocr",
        "tests/pdf_to_paragraphs/test_ocr.py tests/pdf_to_paragraphs/test_second_reader.py",
        "gate others, tests/pdf_to_paragraphs/test_ocr.py",
    ),
    Capability(
        "Title, authors, year and DOI of a paper that no library names",
        "night",
        "pipeline/metadata",
        "tests/pdf_to_paragraphs/test_metadata.py",
        "tests/pdf_to_paragraphs/test_metadata.py",
    ),
    Capability(
        "Libraries and sources: BibTeX, Zotero, CSL JSON; which PDF is which entry; keys",
        "night",
        "pipeline/libraries pipeline/sources pipeline/formats.py",
        "tests/sources",
        "tests/sources/test_libraries.py, tests/sources/test_sources.py",
    ),
    Capability(
        "Sources other than PDF: JATS, TEI, HTML, EPUB, .docx, .odt, also as the text of a PDF next to them",
        "night writer",
        "pipeline/markup pipeline/office",
        "tests/markup_to_paragraphs tests/sources/test_article_texts.py",
        "tests/markup_to_paragraphs/test_formats.py, tests/markup_to_paragraphs/test_printed_places.py",
    ),
    Capability(
        "Builds whose cost grows with what changed, in processes that can be killed",
        "night",
        "pipeline/__init__.py pipeline/builds pipeline/work pipeline/engines pipeline/files",
        "tests/builds",
        "benchmarks/results/nightly.md, benchmarks/results/fault_campaign.md, tests/builds/test_workers.py",
    ),
    Capability(
        "Releases: published whole or not at all, kept, compared, rolled back",
        "night SQL lookup",
        "pipeline/publish pipeline/releases",
        "tests/releases",
        "benchmarks/results/concurrent_readers.md, tests/releases/test_readers.py,"
        " tests/releases/test_difference.py",
    ),
    Capability(
        "Shards: a release in parts, for millions of papers",
        "night",
        "lookup/release/shards.py pipeline/publish/write_shards.py",
        "tests/releases/test_shards.py tests/releases/test_object_shards.py",
        "benchmarks/results/scale.md, tests/releases/test_shards.py",
    ),
    Capability(
        "Builds on a cluster, by Ray",
        "night",
        "pipeline/engines/ray.py pipeline/engines/ray_cluster.py pipeline/engines/ray_tasks.py",
        "tests/builds/test_ray.py",
        "tests/builds/test_ray.py, tests/builds/test_same_bytes.py",
    ),
    Capability(
        "Sources and corpora in object storage",
        "night lookup",
        "lookup/storage pipeline/storage",
        "tests/releases/test_object_corpus.py tests/releases/test_object_path.py"
        " tests/sources/test_object_sources.py",
        "benchmarks/results/object_storage.md, tests/releases/test_object_corpus.py",
    ),
    Capability(
        "Pictures of pages, with a quote or all paragraphs marked",
        "room agent",
        "pipeline/pictures",
        "tests/pdf_to_paragraphs/test_inspect.py",
        "tests/pdf_to_paragraphs/test_inspect.py, tests/faces/test_web.py",
    ),
    Capability(
        "The report of a release and the state of a corpus",
        "night room",
        "pipeline/report pagequote/web/report_page.py",
        "tests/releases/test_report.py",
        "tests/releases/test_report.py, tests/project/test_nightly_docs.py",
    ),
    Capability(
        "Quotes and verdicts of one PDF, without a corpus",
        "lookup",
        "pagequote/one_pdf.py pipeline/builds/one_pdf.py",
        "tests/builds/test_one_pdf.py",
        "tests/builds/test_one_pdf.py",
    ),
    Capability(
        "Manuscripts: every quotation of a draft in LaTeX, Typst, Markdown or plain text is judged; fixes,"
        " lock files",
        "writer editor room agent",
        "pagequote/check pagequote/nearest_settings.py pagequote/reference_list.py",
        "tests/faces/test_check.py tests/faces/test_pins.py",
        "benchmarks/results/check.md, tests/faces/test_check.py",
    ),
    Capability(
        "Manuscripts of word processors, and what Pandoc and Quarto render",
        "writer room",
        "pagequote/check/documents pagequote/check/pandoc.py pagequote/check/sandboxed_reading.py",
        "tests/faces/test_check_documents.py tests/faces/test_pandoc_filter.py"
        " tests/faces/test_sandboxed_reading.py",
        "benchmarks/results/documents.md, tests/faces/test_check_documents.py",
    ),
    Capability(
        "Marks in copies of PDFs and in Zotero",
        "writer",
        "pagequote/highlights",
        "tests/faces/test_highlights.py tests/faces/test_zotero_export.py",
        "tests/faces/test_highlights.py, tests/faces/test_zotero_export.py",
    ),
    Capability(
        "The command line",
        "night lookup SQL writer",
        "pagequote/__init__.py pagequote/__main__.py pagequote/cli",
        "tests/faces tests/builds/test_add.py",
        "tests/faces/test_cli_manners.py, tests/project/test_docs.py, benchmarks/results/cold_start.md",
    ),
    Capability(
        "Calls for agents and programs, bounded in size and time: MCP, JSON API",
        "agent",
        "pagequote/calls pagequote/mcp",
        "tests/faces/test_mcp.py tests/faces/test_web_api.py tests/faces/test_described_api.py"
        " tests/faces/test_killable.py tests/faces/test_remote.py",
        "benchmarks/results/agents.md, tests/faces/test_mcp.py",
    ),
    Capability(
        "The reading room: quotes on their pages, search, drafts, in a browser",
        "room",
        "pagequote/web",
        "tests/faces/test_web.py tests/faces/test_browser.py tests/faces/test_as_seen.py"
        " tests/faces/test_without_pages.py",
        "benchmarks/results/reading_room.md, tests/faces/test_web.py",
    ),
    Capability(
        "Serving strangers: tokens, limits, audit log, SQL and documents of others in a process of their own",
        "room agent SQL",
        "pagequote/serving pagequote/stranger_sql.py pagequote/sandbox.py",
        "tests/faces/test_serving.py tests/releases/test_safe_sql.py",
        "gate attacks, benchmarks/results/hostile_sql.md, benchmarks/results/attacks.md",
    ),
    Capability(
        "A language server: verdicts, quick fixes and completion while one writes",
        "editor",
        "pagequote/lsp",
        "tests/faces/test_lsp.py",
        "benchmarks/results/editor.md, tests/faces/test_lsp.py",
    ),
)


def row_of(path: str, attribute: str = "code") -> Capability | None:
    """Return the row of a file or folder, by its own name or the innermost folder around it; None if none."""
    rows = {named: row for row in CAPABILITIES for named in getattr(row, attribute).split()}
    around = [path, *(folder.as_posix() for folder in Path(path).parents)]
    return next((rows[one] for one in around if one in rows), None)


def files(folders: Iterable[str]) -> list[str]:
    """Return the Python files in these folders of the project, by their names from its top."""
    found = (path for folder in folders for path in (ROOT / folder).rglob("*.py"))
    return sorted(path.relative_to(ROOT).as_posix() for path in found)


def _lines(attribute: str, folders: Iterable[str]) -> Counter[Capability | None]:
    """Count the lines of each row."""
    counted: Counter[Capability | None] = Counter()
    for file in files(folders):
        counted[row_of(file, attribute)] += (ROOT / file).read_bytes().count(b"\n")
    return counted


def page() -> str:
    """Return the page."""
    code = _lines("code", ("lookup", "pipeline", "pagequote"))
    tests = _lines("tests", ("tests",))
    lines = [
        "# What the project can do",
        "",
        "Generated by `make reference` from `tools/capabilities.py`; a test holds it to the folders. When",
        "something is added, this table is what decides: a row needs somebody who uses it, and a measure",
        "that is worse without it. What was asked for and stays out is in",
        "[Contributing](../CONTRIBUTING.md#what-stays-out).",
        "",
        *(f"- **{name}**: {who}" for name, who in USERS.items()),
        "",
        "Lines are those at the last `make reference`. A measure is a file of tests, a page of results, or a",
        "floor of `make gate`.",
        "",
        "| what | for | folders and files | lines | lines of tests | what would fall without it |",
        "| --- | --- | --- | --- | --- | --- |",
    ]
    for row in CAPABILITIES:
        code_names = ", ".join(f"`{name}`" for name in row.code.split())
        measures = ", ".join(f"`{name.strip()}`" for name in row.measures.split(","))
        users = ", ".join(row.users.split())
        lines.append(f"| {row.what} | {users} | {code_names} | {code[row]:,} | {tests[row]:,} | {measures} |")
    lines += [
        f"| all | | | {code.total():,} | {tests.total() - tests[None]:,} | |",
        "",
        f"Next to these, `tests/project`, `tests/support` and `tests/*.py` have {tests[None]:,} lines.",
        "",
    ]
    return "\n".join(lines)


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
