"""What the reader of a draft sees is what is judged, in each markup: nothing that is printed vanishes.

Each row is a quotation as its writer types it, the sentence that the paper prints, and whether a reader of
the typeset draft sees that sentence.
"""

from html import escape
from pathlib import Path

import pytest

import lookup
from lookup.results.difference import PRINTED
from pagequote.check import Vocabulary, judge, read_manuscripts
from tests.support.builds import corpus_of
from tests.support.cases import cases
from tests.support.documents import W, docx, odt, paragraph, run

CASES = cases("faces/as_seen.toml")
WORKS, NOT, COLD, WARM, CELLS, SMALL, BETA, DOSE, IONS, PLUS = CASES["sentences"].values()
LATEX, MARKDOWN, TYPST = (
    [(words, CASES["sentences"][name], seen) for words, name, seen in CASES[markup]]
    for markup in ("latex", "markdown", "typst")
)

_M = 'xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math"'


def _formula(inner):
    return f"<m:oMath {_M}>{inner}</m:oMath>"


def _mathematics(text):
    return f"<m:r><m:t>{escape(text)}</m:t></m:r>"


def _symbol(code, font="Symbol"):
    return f'<w:r><w:sym w:font="{font}" w:char="{code}"/></w:r>'


def _treatment(word):
    return ("The treatment was ", word, " effective in all of the patients")


def _raised(base, power, tag="Sup"):
    moved = tag.lower()
    return _formula(
        f"<m:s{tag}><m:e>{_mathematics(base)}</m:e><m:{moved}>{_mathematics(power)}</m:{moved}></m:s{tag}>"
    )


DOCX = [
    (_treatment(run("not", "<w:strike/>")), NOT, False),
    (_treatment(run("not", "<w:dstrike/>")), WORKS, False),
    (_treatment(run("not", '<w:strike w:val="0"/>')), NOT, True),
    (_treatment(run("not", '<w:color w:val="FFFFFF"/>')), NOT, False),
    (_treatment(run("not", '<w:color w:val="FFFFFF"/><w:highlight w:val="black"/>')), NOT, True),
    (_treatment(run("not", '<w:sz w:val="2"/>')), NOT, False),
    (_treatment(run("not", "<w:webHidden/>")), NOT, False),
    (_treatment(run("not", "<w:vanish/>")), NOT, False),
    (_treatment(run("not", "<w:vanish/>")), WORKS, True),
    (_treatment(run("not", '<w:rStyle w:val="Struck"/>')), NOT, False),
    (_treatment(run("not", "<w:b/><w:i/>")), NOT, True),
    (_treatment(_symbol("006E") + _symbol("006F") + _symbol("0074")), WORKS, False),
    (_treatment(_symbol("F04A", "Wingdings")), WORKS, False),
    (_treatment(_formula(_mathematics("never"))), WORKS, False),
    (
        _treatment(
            "<w:r><w:ruby><w:rt><w:r><w:t>so</w:t></w:r></w:rt><w:rubyBase><w:r><w:t>not</w:t></w:r>"
            "</w:rubyBase></w:ruby></w:r>"
        ),
        NOT,
        True,
    ),
    (
        _treatment(
            "<w:r><w:ruby><w:rt><w:r><w:t>not</w:t></w:r></w:rt><w:rubyBase><w:r><w:t>quite</w:t></w:r>"
            "</w:rubyBase></w:ruby></w:r>"
        ),
        NOT,
        False,
    ),
    (_treatment("<w:r><w:pict/></w:r>"), WORKS, False),
    (_treatment("<w:del><w:r><w:delText>not</w:delText></w:r></w:del>"), WORKS, True),
    (_treatment("<w:ins><w:r><w:t>not</w:t></w:r></w:ins>"), NOT, True),
    (("The samples were kept at ", _symbol("F02D"), "37 °C for 2 h in the dark"), COLD, True),
    (("The samples were kept at ", _symbol("F02D"), "37 °C for 2 h in the dark"), WARM, False),
    (
        (
            "About ",
            _formula(_mathematics("2×")),
            _raised("10", "5"),
            " cells were seeded in each of the wells",
        ),
        CELLS,
        True,
    ),
    (("About 2 × ", _raised("10", "5", "Sub"), " cells were seeded in each of the wells"), CELLS, False),
    (
        (
            "About 2 ",
            _symbol("F0B4"),
            " 10",
            run("5", '<w:vertAlign w:val="superscript"/>'),
            " cells were seeded in each of the wells",
        ),
        CELLS,
        True,
    ),
    (
        (
            "About 2 × 10",
            run("5", '<w:vertAlign w:val="subscript"/>'),
            " cells were seeded in each of the wells",
        ),
        CELLS,
        False,
    ),
    (
        ("About 2 × 10", run("5", '<w:position w:val="8"/>'), " cells were seeded in each of the wells"),
        CELLS,
        True,
    ),
    (
        ("Cells were treated with ", _symbol("F062"), "-carotene at 5 ", _symbol("F06D"), "g/mL for 30 min"),
        BETA,
        True,
    ),
    (
        ("Cells were treated with ", _symbol("F061"), "-carotene at 5 ", _symbol("F06D"), "g/mL for 30 min"),
        BETA,
        False,
    ),
    (("The difference was at P < 0.05 and the ratio ", _symbol("F0B3"), " 3 in mice"), SMALL, True),
    (("The difference was at P < 0.05 and the ratio ", _symbol("F0A3"), " 3 in mice"), SMALL, False),
    (("The mean of the group was 12.5 ", _symbol("F0B1"), " 3.1 points at the end"), PLUS, True),
    (
        (
            "The mean of the group was ",
            f'<w:bdo w:val="rtl">{run("12.5")}</w:bdo>',
            " ± 3.1 points at the end",
        ),
        PLUS,
        False,
    ),
    (("The mean of the group was ", run("12.5", "<w:rtl/>"), " ± 3.1 points at the end"), PLUS, False),
]

_STYLES = "".join(
    f'<style:style style:name="{name}" style:family="text"><style:text-properties {looks}/></style:style>'
    for name, looks in (
        ("struck", 'style:text-line-through-style="solid"'),
        ("white", 'fo:color="#ffffff"'),
        ("tiny", 'fo:font-size="1pt"'),
        ("gone", 'text:display="none"'),
        ("up", 'style:text-position="super 58%"'),
        ("down", 'style:text-position="sub 58%"'),
        ("bold", 'fo:font-weight="bold"'),
    )
)


def _span(style, text):
    return f'<text:span text:style-name="{style}">{text}</text:span>'


ODT = [
    (_treatment(_span("struck", "not")), NOT, False),
    (_treatment(_span("struck", "not")), WORKS, False),
    (_treatment(_span("white", "not")), NOT, False),
    (_treatment(_span("tiny", "not")), NOT, False),
    (_treatment(_span("gone", "not")), WORKS, True),
    (_treatment(_span("bold", "not")), NOT, True),
    (("About 2 × 10", _span("up", "5"), " cells were seeded in each of the wells"), CELLS, True),
    (("About 2 × 10", _span("down", "5"), " cells were seeded in each of the wells"), CELLS, False),
]

PAPER = {
    f"paper{at}": sentence
    for at, sentence in enumerate((WORKS, NOT, COLD, WARM, CELLS, SMALL, BETA, DOSE, IONS, PLUS))
}
KEYS = {sentence: key for key, sentence in PAPER.items()}

_PREAMBLE = r"""
\newcommand{\nev}{not } % \newcommand{\nev}{never}
\newcommand{\sw}[1]{useless}
\newcommand*\gobble[1]{}
\def\drug{treatment}
\newcommand{\Drug}{treatment\xspace}
\NewDocumentCommand{\both}{m m}{The #1 was #2}

Words.

"""
_LETS = '#let drug = "treatment"\n#let never = [not]\n\nWords.\n\n'


def _written(suffix, words, key):
    if suffix == ".tex":
        return f"{_PREAMBLE}It says \\enquote{{{words}}} \\cite{{{key}}}.\n".encode()
    if suffix == ".md":
        return f"It says “{words}” [@{key}].\n".encode()
    if suffix == ".typ":
        return f"{_LETS}It says “{words}” @{key}.\n".encode()
    if suffix == ".odt":
        text = (
            f'“{"".join(words)}” <text:bibliography-mark text:identifier="{key}">[1]</text:bibliography-mark>'
        )
        return odt(f"<text:p>It says {text}.</text:p>", _STYLES)

    shown = f'<w:fldSimple w:instr="CITATION {key}">{run("[1]")}</w:fldSimple>'
    cited = f"<w:sdt><w:sdtContent>{shown}</w:sdtContent></w:sdt>"
    style = f'<w:styles {W}><w:style w:styleId="Struck"><w:rPr><w:strike/></w:rPr></w:style></w:styles>'
    return docx(paragraph("It says “", *words, "” ", cited, "."), word__styles=style)


TABLES = {".tex": LATEX, ".md": MARKDOWN, ".typ": TYPST, ".docx": DOCX, ".odt": ODT}
JUDGED = [(suffix, *row) for suffix, table in TABLES.items() for row in table]


@pytest.fixture(scope="module")
def corpus(tmp_path_factory):
    files = {}
    for key, sentence in PAPER.items():
        text = (
            escape(sentence)
            .replace("⁵", "<sup>5</sup>")
            .replace("⁻¹", "<sup>−1</sup>")
            .replace("²⁺", "<sup>2+</sup>")
        )
        article = f"<article><body><sec><title>Results</title><p>{text}.</p></sec></body></article>"
        files[f"{key}.xml"] = article.encode()
    with corpus_of(tmp_path_factory.mktemp("seen"), files) as opened:
        yield opened


@pytest.mark.parametrize(
    ("suffix", "words", "printed", "seen"), JUDGED, ids=[f"{one[0]}-{at}" for at, one in enumerate(JUDGED)]
)
def test_a_quotation_is_judged_as_its_reader_sees_it(corpus, suffix, words, printed, seen):
    path = Path("draft").with_suffix(suffix)
    content = _written(suffix, words, KEYS[printed])
    (finding,) = judge(corpus, read_manuscripts([path], Vocabulary(), {path: content}))
    assert (finding.verdict in PRINTED) is seen, (finding.quoted, finding.differences, finding.hint)


def test_what_cannot_be_read_is_named(corpus):
    path = Path("draft.tex")
    words = r"The treatment was \unknownmacro{} effective in all of the patients"
    content = _written(".tex", words, KEYS[WORKS])
    (finding,) = judge(corpus, read_manuscripts([path], Vocabulary(), {path: content}))
    assert finding.hint.startswith("Cannot be read: \\unknownmacro. Write what it prints, or name a macro")


def test_words_of_the_list_of_references_are_said_to_be_there(corpus_path):
    path = Path("draft.md")
    with lookup.open(corpus_path) as samples:
        rows = samples.sql(
            "SELECT key, text FROM paragraphs WHERE kind = 'reference' ORDER BY ALL"
        ).fetchall()
        key, words = next((key, " ".join(text.split()[:9])) for key, text in rows if len(text.split()) > 9)
        (finding,) = judge(
            samples, read_manuscripts([path], Vocabulary(), {path: _written(".md", words, key)})
        )
    assert finding.verdict == "verbatim", words
    assert "list of references" in finding.hint
