"""Manuscripts in PDF: quotations, notes and the list of references are read from what the pages print."""

from pathlib import Path

import pytest
import typst

from lookup.errors import QueryError
from pagequote.check import Vocabulary, judge, read_manuscripts
from pagequote.highlights.pdf import read_highlights
from tests.support.command import pagequote
from tests.support.invented_works import WORKS
from tests.support.pdfs import pdf

OAKES, HASK = (next(one for one in WORKS if one.family == family) for family in ("Oakes", "Hask"))
FIRST, SECOND = OAKES.sentences[0], HASK.sentences[0]
A, B = f"“{FIRST.words()}”", f"“{SECOND.words()}”"


def typeset(body, *, list_of_references=""):
    """A submission with these paragraphs, and a list of references."""
    source = (
        '#set page(width: 170mm, height: 240mm, numbering: "1")\n#set text(size: 10pt, lang: "en")\n'
        "#set super(typographic: false)\n#set smartquote(enabled: false)\n"
        f"= On harbours\n\nA. Writer\n\n== Introduction\n\n{body}\n\n{list_of_references}"
    )
    return typst.compile(source.encode())


def found(harbour, content):
    path = Path("submission.pdf")
    (manuscript,) = read_manuscripts([path], Vocabulary(), {path: content})
    return judge(harbour, [manuscript])


def entries(*marks):
    return "= References\n\n" + "\n\n".join(
        f"{mark} {work.family}, {work.given[0]}. ({work.year}). {work.title}. {work.publisher}."
        for mark, work in zip(marks, (OAKES, HASK), strict=True)
    )


def test_numbers_in_brackets_are_works_of_the_list_with_their_pages(harbour):
    body = (
        f"It says {A} \\[1, p. {FIRST.page}\\], and {B} \\[2, p. {SECOND.page + 1}\\].\n\n"
        f"Both were read: {B} \\[1–2\\]. Nobody wrote {A} \\[2, p. {SECOND.page}\\]."
    )
    one, other, both, wrong = found(harbour, typeset(body, list_of_references=entries("\\[1\\]", "\\[2\\]")))
    assert (one.key, one.level, one.page_is_right) == (OAKES.key, "ok", True)
    assert (other.key, other.level, other.page_is_right) == (HASK.key, "error", False)
    assert (both.key, both.level) == (HASK.key, "ok")
    assert (wrong.level, wrong.elsewhere[0].key) == ("error", OAKES.key)


def test_notes_at_the_end_are_read_where_they_are_cited_with_ibid(harbour):
    body = f"It says {A}#super[1] Then {A}#super[2]. Last {B}#super[3]."
    notes = (
        f"== Notes\n\n1. {OAKES.given} {OAKES.family}, _{OAKES.title}_ ({OAKES.place}, {OAKES.year}), "
        f"{FIRST.page}.\n\n"
        f"2. Ibid., {FIRST.page + 1}.\n\n3. {HASK.family}, “{HASK.title},” {SECOND.page}."
    )
    one, again, last = found(harbour, typeset(body, list_of_references=notes))
    assert [(each.key, each.page_is_right) for each in (one, again, last)] == [
        (OAKES.key, True),
        (OAKES.key, False),
        (HASK.key, True),
    ]


@pytest.mark.system
@pytest.mark.long
def test_findings_become_comments_in_a_copy(harbour_folder, tmp_path):
    wrong = f"It says {A} ({OAKES.family} {OAKES.year}, {FIRST.page + 1})."
    (tmp_path / "ms.pdf").write_bytes(typeset(wrong))
    before = (tmp_path / "ms.pdf").read_bytes()
    options = "--annotate", tmp_path / "copy.pdf", "--corpus", harbour_folder / "corpus"
    done = pagequote("check", tmp_path / "ms.pdf", *options)
    assert (done.returncode, "copy.pdf: 1 comment" in done.stderr) == (1, True), done.stderr
    (mark,) = read_highlights((tmp_path / "copy.pdf").read_bytes())
    assert str(FIRST.page) in mark.note
    assert mark.page == 1
    assert (tmp_path / "ms.pdf").read_bytes() == before


@pytest.mark.parametrize("content", [pdf("", ""), b"%PDF-1.7\nno PDF", b""])
def test_a_pdf_without_text_is_refused_and_not_called_right(harbour, content):
    with pytest.raises(QueryError, match=r"submission\.pdf"):
        found(harbour, content)
