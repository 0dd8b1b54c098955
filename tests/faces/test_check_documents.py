"""Manuscripts of word processors: citations of every reference manager, places, comments, and hostile
files.
"""

import io
import re
import tracemalloc
import zipfile
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from click.testing import CliRunner

from lookup.errors import QueryError
from pagequote.check import Vocabulary, judge, read_manuscripts
from pagequote.cli.commands import pagequote
from pipeline.office import archive
from tests.support.documents import (
    DAMAGED,
    W,
    control,
    csl,
    docx,
    field,
    in_base64,
    odt,
    paragraph,
    run,
    zipped,
    zotero_mark,
)

DAY = "people prefer to work by day"
SHEET = "A flooded sheet does betray itself."
FROST = "Frost did not put an end to it. On eleven nights the surface froze to a depth of at least 3 cm."
LINDQVIST = {"author": [{"family": "Lindqvist", "given": "S."}], "issued": {"date-parts": [[2019]]}}
OKAFOR = {"DOI": "10.5555/hushwater.2021.0417", "title": "A title that is of no use"}
BLOCK = '<w:pStyle w:val="Mein"/>'
SET_IN = '<w:ind w:left="720"/>'

_ENDNOTE = (
    "<EndNote><Cite><Author>Lindqvist</Author><Year>2019</Year><Pages>1650</Pages><record><titles/></record></Cite>"
    "</EndNote>"
)
_SOURCES = (
    '<b:Sources xmlns:b="http://schemas.openxmlformats.org/officeDocument/2006/bibliography"><b:Source><b:Tag>Lin19'
    "</b:Tag><b:Year>2019</b:Year><b:Author><b:Author><b:NameList><b:Person><b:Last>Lindqvist</b:Last></b:Person>"
    "</b:NameList></b:Author></b:Author></b:Source></b:Sources>"
)
_DAY = csl(LINDQVIST | {"locator": "1650", "label": "page"})
_NOTE_REFERENCE = '<w:r><w:footnoteReference w:id="2"/></w:r>'


def _quoted(*citation: str, words: str = DAY) -> str:
    return paragraph(f"Nights are long: “{words}” ", *citation, ". And more.")


DOCX = {
    "Zotero": docx(_quoted(field(f" ADDIN ZOTERO_ITEM CSL_CITATION {_DAY} ", "(Lindqvist 2019, p. 1650)"))),
    "Mendeley": docx(_quoted(field(f"ADDIN CSL_CITATION {_DAY}", "[1]"))),
    "Mendeley Cite": docx(_quoted(control(f"MENDELEY_CITATION_v3_{in_base64(_DAY)}", "[1]"))),
    "EndNote": docx(_quoted(field(f" ADDIN EN.CITE {_ENDNOTE}", "(1)"))),
    "EndNote, data apart": docx(_quoted(field(" ADDIN EN.CITE ", "(1)", in_base64(_ENDNOTE)))),
    "Word": docx(_quoted(field(r" CITATION Lin19 \p 1650 \l 1033 ", "(L.)")), customXml__item1=_SOURCES),
    "simple field": docx(
        _quoted(f'<w:fldSimple w:instr="CITATION lindqvist2019 \\p 1650">{run("(L.)")}</w:fldSimple>')
    ),
    "plain": docx(_quoted("(Lindqvist et al., 2019, p. 1650)")),
    "plain, one of two": docx(_quoted("(see Nobody, 1987; Lindqvist, Abara, & Wexcombe, 2019: 1650)")),
    "plain, before": docx(paragraph("As Lindqvist et al. (2019, p. 1650) say, “", DAY, "”.")),
    "parts of a word in runs": docx(
        _quoted("(Lindqvist, 2019, p. 1650)", words="people pre")[:0]
        + paragraph("“people pre", run("fer to", "<w:b/>"), " work by day” (Lindqvist, 2019, p. 1650)")
    ),
    "footnote": docx(
        paragraph(f"Nights are long: “{DAY}”", _NOTE_REFERENCE, " and so on."),
        footnotes={"2": paragraph(field(f"ADDIN ZOTERO_ITEM CSL_CITATION {_DAY}", "Lindqvist 2019, 1650."))},
    ),
    "deleted": docx(
        _quoted("<w:del><w:r><w:delText>(Okafor, 2021)</w:delText></w:r></w:del>", "(Lindqvist, 2019, 1650)")
    ),
    "key": docx(
        _quoted(
            field(f"ADDIN CSL_CITATION {csl({'citation-key': 'lindqvist2019', 'locator': '1650'})}", "[1]")
        )
    ),
}

ODT = {
    "Zotero": odt(f"<text:p>Nights: “{DAY}” {zotero_mark(_DAY, '(Lindqvist 2019, 1650)')}.</text:p>"),
    "LibreOffice": odt(
        f"<text:p>“{DAY}” <text:bibliography-mark "
        f"text:identifier='lindqvist2019'>[Lin]</text:bibliography-mark></text:p>"
    ),
    "plain": odt(
        "<text:p>“people<text:s/>prefer to <text:span>work</text:span> by day” (Lindqvist, 2019, p. "
        "1650)</text:p>"
    ),
    "note": odt(
        f"<text:p>“{DAY}”<text:note><text:note-citation>1</text:note-citation><text:note-body><text:p>"
        f"{zotero_mark(_DAY, 'Lindqvist 2019, 1650')}</text:p></text:note-body></text:note> and so "
        f"on.</text:p>"
    ),
}
CASES = [(f"{name}.docx", content) for name, content in DOCX.items()]
CASES += [(f"{name}.odt", content) for name, content in ODT.items()]


def _findings(corpus, content, name="draft.docx"):
    path = Path(name)
    return judge(corpus, read_manuscripts([path], Vocabulary(), {path: content}))


@pytest.mark.parametrize(("name", "content"), CASES, ids=[name for name, _ in CASES])
def test_a_citation_is_read_as_its_program_writes_it(corpus, name, content):
    (finding,) = _findings(corpus, content, name)
    assert (finding.quoted, finding.key, finding.verdict) == (DAY, "lindqvist2019", "verbatim")
    assert finding.page_given == (None if name == "LibreOffice.odt" else "1650")


@pytest.mark.parametrize("properties", [BLOCK, SET_IN])
def test_a_block_quotation_is_told_by_its_style_or_its_indent(corpus, properties):
    text = [paragraph("Some text.")] * 5
    content = docx(*text, paragraph(f"{FROST} ", "(Lindqvist, 2019)", properties=properties), *text)
    (finding,) = _findings(corpus, content)
    assert (finding.quoted, finding.verdict) == (FROST, "verbatim")


def test_a_raised_number_is_a_superscript(corpus):
    raised = run("-2", '<w:vertAlign w:val="superscript"/>')
    content = docx(
        paragraph(
            "“The release fell to 0.2 ± 0.1 µmol m",
            raised,
            " s",
            run("-1", '<w:vertAlign w:val="superscript"/>'),
            "” (Lindqvist, 2019)",
        )
    )
    (finding,) = _findings(corpus, content)
    assert finding.verdict == "verbatim"


def test_a_work_is_the_paper_with_its_doi_and_never_another_one(corpus):
    cited = field(f"ADDIN CSL_CITATION {csl(OKAFOR)}", "[2]")
    (finding,) = _findings(corpus, docx(_quoted(cited, words=SHEET)))
    assert (finding.key, finding.verdict) == ("okafor2021", "verbatim")
    other = LINDQVIST | {"title": "Economics of glass greenhouses in temperate towns", "DOI": "10.9999/other"}
    (finding,) = _findings(corpus, docx(_quoted(field(f"ADDIN CSL_CITATION {csl(other)}", "[2]"))))
    assert (finding.verdict, finding.key) == (
        "unknown key",
        "Lindqvist 2019, Economics of glass greenhouses in temperate towns",
    )


HOSTILE = {
    "no archive": (b"\xd0\xcf\x11\xe0 an old .doc, or one with a password", "without a password"),
    "no document": (zipped({"other.xml": "<a/>"}), "it has no word/document.xml"),
    "broken XML": (zipped({"word/document.xml": f"<w:document {W}><w:body>"}), "no element found"),
    "entities": (zipped({"word/document.xml": '<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>'}), "document type"),
    "a large tree": (zipped({"word/document.xml": "<a>" * 300 + "</a>" * 300}), "within one another"),
    **{name: (content, "cannot be read") for name, content in DAMAGED.items()},
    "large": (zipped({"word/document.xml": "<a>" + " " * 5000 + "</a>"}), "the limit"),
}


@pytest.mark.parametrize(("content", "message"), HOSTILE.values(), ids=list(HOSTILE))
def test_a_file_that_cannot_be_read_is_a_clear_error(content, message, monkeypatch):
    monkeypatch.setattr(archive, "MOST_BYTES", 4000)
    with pytest.raises(QueryError, match=message):
        list(read_manuscripts([Path("draft.docx")], Vocabulary(), {Path("draft.docx"): content}))


def test_a_note_is_read_where_it_is_first_referred_to(corpus):
    note = "<w:p><w:r><w:t>“people prefer to work by day” (Lindqvist, 2019)</w:t></w:r></w:p>"
    twice = docx(paragraph(_NOTE_REFERENCE, run("Then "), _NOTE_REFERENCE), footnotes={"2": note})
    assert len(_findings(corpus, twice)) == 1


def _check(corpus_path, *arguments):
    command = ["check", *map(str, arguments), "--corpus", str(corpus_path)]
    return CliRunner().invoke(pagequote, command, catch_exceptions=False)


def _texts(content):
    with zipfile.ZipFile(io.BytesIO(content)) as opened:
        return {name: opened.read(name).decode() for name in opened.namelist()}


@pytest.mark.long
@pytest.mark.system
def test_findings_become_comments_and_nothing_else_changes(corpus, corpus_path, tmp_path):
    content = docx(
        _quoted("(Lindqvist, 2019, p. 1653)"),
        paragraph(f"Nights are long: “{DAY} or not”", _NOTE_REFERENCE, " and so on."),
        footnotes={
            "2": paragraph("Lindqvist (2019, p. 1650), but “no words of theirs at all” (Okafor, 2021).")
        },
    )
    (tmp_path / "draft.docx").write_bytes(content)
    answer = _check(corpus_path, tmp_path / "draft.docx", "--annotate", tmp_path / "checked.docx")
    assert answer.exit_code == 1
    assert "checked.docx: 3 comments" in answer.stderr
    made = (tmp_path / "checked.docx").read_bytes()
    before, after = _texts(content), _texts(made)
    changed = {
        "word/document.xml",
        "word/comments.xml",
        "[Content_Types].xml",
        "word/_rels/document.xml.rels",
    }
    assert {name for name in after if after[name] != before.get(name)} == changed
    assert after["word/comments.xml"].count("<w:comment ") == 3
    told = after["word/comments.xml"]
    assert "The words are right, but Lindqvist et al. 2019, p. 1650, prints them, not p. 1653." in told
    assert re.search(r'w:date="\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ"', told)
    body = after["word/document.xml"]
    marked = body[body.index('commentRangeStart w:id="0"') : body.index('commentRangeEnd w:id="0"')]
    assert f"“{DAY}”" in marked
    assert "Nights are long" not in marked
    end = body.index("<w:footnoteReference")
    assert body.index('commentRangeStart w:id="2"') < end < body.index('commentRangeEnd w:id="2"')
    assert [one.quoted for one in _findings(corpus, made)] == [
        one.quoted for one in _findings(corpus, content)
    ]
    again = _check(corpus_path, tmp_path / "checked.docx", "--annotate", tmp_path / "twice.docx")
    assert again.exit_code == 1
    assert _texts((tmp_path / "twice.docx").read_bytes())["word/comments.xml"].count('w:id="5"') == 1


@pytest.mark.long
@pytest.mark.system
def test_words_that_stand_in_no_run_get_no_comment_and_a_clear_error(corpus_path, tmp_path):
    words = f"<w:p><w:t>“{DAY} or not” (Lindqvist, 2019)</w:t></w:p>"
    (tmp_path / "draft.docx").write_bytes(docx(words))
    with pytest.raises(QueryError, match="no runs of text"):
        _check(corpus_path, tmp_path / "draft.docx", "--annotate", tmp_path / "copy.docx")


@pytest.mark.long
@pytest.mark.parametrize("kind", ["docx", "odt"])
def test_a_document_of_a_few_kilobytes_takes_no_gigabytes(kind):
    """Of 8 million characters one of 8 kB took 1.7 GiB, and one of 59 kB 13 GiB."""

    def made(characters):
        text = "word " * (characters // 5)
        return docx(paragraph(text)) if kind == "docx" else odt(f"<text:p>{text}</text:p>")

    path, content = Path(f"draft.{kind}"), made(1_000_000)
    tracemalloc.start()
    list(read_manuscripts([path], Vocabulary(), {path: content}))
    assert tracemalloc.get_traced_memory()[1] < 60e6
    tracemalloc.stop()
    with pytest.raises(QueryError, match="8,388,608 characters"):
        list(read_manuscripts([path], Vocabulary(), {path: made(9_000_000)}))


@pytest.mark.long
@pytest.mark.system
def test_corrections_are_tracked_changes_in_the_copy(corpus_path, tmp_path):
    wrong = DAY.replace("prefer", "like")
    content = docx(
        _quoted("(Lindqvist, 2019, p. 1653)"),
        paragraph(f"Nights: “{wrong}”", _NOTE_REFERENCE, " and so on."),
        footnotes={"2": paragraph("Lindqvist (2019, p. 1652).")},
    )
    (tmp_path / "draft.docx").write_bytes(content)
    fixes, copy = ("--fix", "--fix-quotes"), tmp_path / "copy.docx"
    done = _check(corpus_path, tmp_path / "draft.docx", "--annotate", copy, *fixes)
    assert "copy.docx: 2 comments, 3 tracked changes" in done.stderr
    made = _texts(copy.read_bytes())
    for part in ("document", "footnotes"):
        ET.fromstring(made[f"word/{part}.xml"])
    assert ">like</w:delText>" in made["word/document.xml"]
    assert _check(corpus_path, copy).exit_code == 0
    assert (tmp_path / "draft.docx").read_bytes() == content
    assert "cannot be corrected" in _check(corpus_path, tmp_path / "draft.docx", "--fix").stderr
    asked = [*re.findall(r"<w:(?:del|ins) w:id=\"(\d+)\"", made["word/document.xml"])]
    assert len(asked) == 4
