"""The filter of Pandoc and Quarto: quotations judged, marked and linked while a document is rendered."""

import json
import os
import subprocess
from pathlib import Path

import pytest

from tests.support.command import pagequote
from tests.support.project import PAGEQUOTE

DRAFT = """\
---
title: A draft
pagequote:
  link: "papers/{key}.pdf#page={page}"
---

He says "people *prefer* to work by day" [@lindqvist2019, p. 1650]. A note.^["It costs nothing but the six \
nights" [@okafor2021].]

> A flooded sheet does betray itself. [@okafor2021, p. 3]

@ilmarinen2023 [p. 212] says “It is the day that makes the difference”. It is 5^2^ and `"code" [@okafor2021]`.
"""


def texts(tree):
    """Return the words of an element, with spaces."""
    if isinstance(tree, list):
        return "".join(map(texts, tree))
    if not isinstance(tree, dict):
        return ""
    return (
        " "
        if tree["t"] in ("Space", "SoftBreak")
        else tree["c"]
        if tree["t"] == "Str"
        else texts(tree.get("c"))
    )


def marked(tree, found):
    """Return the marks in a tree: their kind, verdict, address and words."""
    if isinstance(tree, list):
        for one in tree:
            marked(one, found)
    elif isinstance(tree, dict):
        if tree.get("t") in ("Link", "Span") and "pagequote" in tree["c"][0][1]:
            address = tree["c"][2][0] if tree["t"] == "Link" else ""
            found.append((tree["t"], tree["c"][0][1][1], address, texts(tree["c"][1])))
        marked(tree.get("c"), found)
    return found


@pytest.fixture(scope="module")
def pandoc():
    import pypandoc

    return Path(pypandoc.get_pandoc_path())


def rendered(pandoc, folder, corpus_path, *options, draft=DRAFT):
    pagequote("filter", "--install", cwd=folder)
    path = f"{PAGEQUOTE.parent}{os.pathsep}{os.environ['PATH']}"
    return subprocess.run(
        [pandoc, "--lua-filter", "_extensions/pagequote/pagequote.lua", *options],
        cwd=folder,
        input=draft,
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "PATH": path, "PAGEQUOTE_CORPUS": str(corpus_path)},
    )


@pytest.mark.system
def test_each_quotation_is_marked_with_its_verdict_and_linked_to_its_page(pandoc, tmp_path, corpus_path):
    done = rendered(pandoc, tmp_path, corpus_path, "--to", "json")
    assert done.returncode == 0
    assert marked(json.loads(done.stdout)["blocks"], []) == [
        ("Link", "verbatim", "papers/lindqvist2019.pdf#page=1", "people prefer to work by day"),
        ("Link", "verbatim", "papers/okafor2021.pdf#page=4", "It costs nothing but the six nights"),
        ("Link", "verbatim", "papers/okafor2021.pdf#page=4", "A flooded sheet does betray itself."),
        ("Link", "near", "papers/ilmarinen2023.pdf#page=2", "“It is the day that makes the difference”."),
    ]
    page, words = done.stderr.splitlines()
    assert "error: verbatim, okafor2021, given page 3, but on page 4" in page
    assert "[-day-]{+night+}" in words


@pytest.mark.system
def test_without_a_template_nothing_of_this_machine_is_written_into_the_document(
    pandoc, tmp_path, corpus_path
):
    draft = DRAFT.replace('  link: "papers/{key}.pdf#page={page}"\n', "  fail: false\n")
    done = rendered(pandoc, tmp_path, corpus_path, "--to", "html", draft=draft)
    assert done.returncode == 0
    assert '<span class="pagequote verbatim" title="verbatim, lindqvist2019, ' in " ".join(
        done.stdout.split()
    )
    assert str(corpus_path.parent) not in done.stdout
    assert "file:" not in done.stdout


@pytest.mark.long
@pytest.mark.system
def test_a_wrong_quotation_fails_the_rendering_when_asked(pandoc, tmp_path, corpus_path):
    done = rendered(pandoc, tmp_path, corpus_path, "--metadata", "pagequote.fail=true", "--to", "html")
    assert done.returncode == 0  # this metadata has another name
    draft = DRAFT.replace("---\n\n", "  fail: true\n---\n\n", 1)
    done = rendered(pandoc, tmp_path, corpus_path, "--to", "html", draft=draft)
    assert done.returncode != 0
    assert "given page 3, but on page 4" in done.stderr
    assert not done.stdout
    right = draft.replace("p. 3", "p. 4").replace("the day", "the night")
    assert rendered(pandoc, tmp_path, corpus_path, "--to", "html", draft=right).returncode == 0


def _quoting(**odd):
    cited = {"citationId": "lindqvist2019", "citationSuffix": [], "citationMode": {"t": "NormalCitation"}}
    words = [{"t": "Str", "c": "“people prefer to work by day”"}, {"t": "Cite", "c": [[cited | odd], []]}]
    return json.dumps({"meta": {}, "blocks": [{"t": "Para", "c": words}]})


_OPTION = '{"blocks": [], "meta": {"pagequote": {"c": {"fail": "yes"}}}}'


@pytest.mark.parametrize(
    "document",
    [
        "",
        "[]",
        "{}",
        '{"blocks": [], "meta": 7}',
        "no JSON",
        "[" * 200_000,
        '{"meta": {}, "blocks": ' + "[" * 400 + "]" * 400 + "}" * 2,
        '{"meta": {}, "blocks": ' + '{"a":' * 100_000,
        _quoting(citationId=7),
        _quoting(citationId={}),
        _OPTION,
    ],
)
def test_what_is_no_document_of_pandoc_is_refused(corpus_path, document):
    done = pagequote("filter", "html", "--corpus", corpus_path, given=document)
    assert done.returncode == 2
    assert "no document of Pandoc" in done.stderr
