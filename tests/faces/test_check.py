"""Manuscripts: what is quoted in them, how it is judged, and what mends it."""

import json
import shutil
import xml.etree.ElementTree as ET
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner

from lookup.errors import QueryError
from lookup.papers.locators import as_physical, as_printed, parse_locator
from pagequote.check import judge, read_manuscripts
from pagequote.check.configuration import read_configuration
from pagequote.check.fixes import page_edits
from pagequote.check.latex import read_latex
from pagequote.check.latex_macros import Vocabulary
from pagequote.check.manuscript import read_manuscript
from pagequote.cli.commands import pagequote
from tests.support.cases import cases
from tests.support.command import pagequote as call

CASES = cases("faces/check.toml")

MANUSCRIPTS = Path(__file__).parent / "manuscripts"
FILES = ("thesis.tex", "notes.md", "report.qmd", "paper.typ")

L, O, I = "lindqvist2019", "okafor2021", "ilmarinen2023"  # noqa: E741
GOOD, WRONG, NO_PAGE = True, False, None
EXPECTED: dict[str, list[tuple[str, str, str, bool | None, list[int]]]] = {
    "thesis.tex": [
        ("mciteboxp", L, "verbatim", GOOD, [1]),
        ("mciteboxp", L, "verbatim", WRONG, [1]),
        ("mcitebox", O, "verbatim", NO_PAGE, [1]),
        ("citeqp", O, "verbatim", GOOD, [4]),
        ("citeqp", O, "verbatim", WRONG, [4]),
        ("citeq", I, "verbatim", NO_PAGE, [2]),
        ("citeqm", I, "near", NO_PAGE, [2]),
        ("textcquote", O, "verbatim", GOOD, [4]),
        ("textcquote", L, "verbatim", GOOD, [3]),
        ("blockcquote", O, "verbatim", GOOD, [2]),
        ("foreigntextcquote", I, "verbatim", GOOD, [2]),
        ("hyphentextcquote", O, "near", GOOD, [1]),
        ("displaycquote", L, "verbatim", GOOD, [3]),
        ("foreigndisplaycquote", O, "verbatim", GOOD, [2]),
        ("textquote", O, "verbatim", GOOD, [1]),
        ("enquote", L, "verbatim", GOOD, [2]),
        ("enquote", L, "verbatim", GOOD, [2]),
        ("enquote", L, "verbatim", WRONG, [2]),
        ("“...”", L, "verbatim", GOOD, [4]),
        ("“...”", L, "verbatim", GOOD, [3]),
        ("“...”", L, "verbatim", WRONG, [3]),
        ("enquote", L, "verbatim", GOOD, [2]),
        ("“...”", O, "verbatim", NO_PAGE, [1]),
        ("enquote", O, "verbatim", WRONG, [1]),
        ("quote", O, "verbatim", GOOD, [4]),
        ("quotation", O, "verbatim", WRONG, [4]),
        ("“...”", O, "verbatim", GOOD, [4]),
        ("enquote", L, "verbatim", GOOD, [1]),
        ("enquote", L, "verbatim", GOOD, [1]),
        ("enquote", L, "verbatim", NO_PAGE, [2]),
        ("enquote", L, "near", GOOD, [2]),
        ("enquote", L, "abridged", WRONG, [3]),
        ("enquote", O, "verbatim", GOOD, [4]),
        ("enquote", O, "near", GOOD, [4]),
        ("enquote", O, "near", GOOD, [3]),
        ("enquote", O, "not found", NO_PAGE, []),
        ("enquote", O, "not found", NO_PAGE, []),
        ("enquote", "okafor2012", "unknown key", NO_PAGE, []),
        ("enquote", O, "verbatim", NO_PAGE, [4]),
        ("hyphenblockcquote", O, "verbatim", GOOD, [3]),
        ("hyphendisplaycquote", O, "verbatim", GOOD, [1]),
        ("enquote", L, "verbatim", GOOD, [4]),
        ("enquote", L, "verbatim", NO_PAGE, [4]),
        ("enquote", O, "not found", NO_PAGE, []),
        ("claim", O, "verbatim", GOOD, [4]),
    ],
    "frost.tex": [("enquote", L, "verbatim", GOOD, [3])],
    "notes.md": [
        ('"..."', L, "verbatim", GOOD, [1]),
        ("“...”", O, "verbatim", GOOD, [2]),
        ('"..."', O, "verbatim", GOOD, [4]),
        ('"..."', O, "verbatim", WRONG, [4]),
        ("block quote", L, "verbatim", WRONG, [2]),
        ("block quote", I, "not found", NO_PAGE, []),
        ('"..."', O, "near", GOOD, [2]),
        ('"..."', L, "verbatim", WRONG, [2]),
    ],
    "report.qmd": [('"..."', O, "verbatim", GOOD, [3]), ('"..."', O, "near", GOOD, [3])],
    "paper.typ": [
        ("#quote", O, "verbatim", NO_PAGE, [1]),
        ("#quote", O, "verbatim", WRONG, [1]),
        ('"..."', I, "verbatim", GOOD, [2]),
        ('"..."', I, "near", GOOD, [2]),
        ('"..."', L, "verbatim", GOOD, [2]),
        ("#quote", L, "verbatim", WRONG, [1]),
    ],
}


@pytest.fixture(scope="module")
def vocabulary():
    return read_configuration(None, MANUSCRIPTS / "thesis.tex").vocabulary


@pytest.fixture(scope="module")
def findings(corpus, vocabulary):
    return judge(corpus, read_manuscripts([MANUSCRIPTS / name for name in FILES], vocabulary))


@pytest.fixture
def manuscripts(tmp_path):
    """A copy to write into."""
    return shutil.copytree(MANUSCRIPTS, tmp_path / "manuscripts")


def _check(corpus_path, *arguments, given_input=""):
    command = ["check", *map(str, arguments), "--corpus", str(corpus_path)]
    return CliRunner().invoke(pagequote, command, input=given_input, catch_exceptions=False)


@pytest.mark.parametrize("name", list(EXPECTED))
def test_each_quotation_is_found_and_judged(findings, name):
    found = [
        (one.quotation.form, one.key, one.verdict, one.page_is_right, [page for page, _ in one.pages])
        for one in findings
        if one.manuscript.path.name == name
    ]
    assert found == EXPECTED[name]


def test_words_of_another_paper_are_told_where_they_are(findings):
    wrong = next(one for one in findings if one.quoted == "people prefer to work by day" and one.key == O)
    assert [(one.key, one.page, one.page_label) for one in wrong.elsewhere] == [(L, 1, "1650")]


FIXED_PAGES = {
    "thesis.tex": [
        (r"\mciteboxp{lindqvist2019}{3}", r"\mciteboxp{lindqvist2019}{1}"),
        (r"\citeqp{okafor2021}{5}", r"\citeqp{okafor2021}{4}"),
        (r"\citep[p.~4]{lindqvist2019}", r"\citep[p.~1651]{lindqvist2019}"),
        (r"\cite[see][1650]{lindqvist2019}", r"\cite[see][1652]{lindqvist2019}"),
        (r"See \cite[2]{okafor2021}", r"See \cite[1]{okafor2021}"),
        (r"--- \cite[3]{okafor2021}", r"--- \cite[4]{okafor2021}"),
        (r"nights} \cite[1653]{lindqvist2019}", r"nights} \cite[1652]{lindqvist2019}"),
    ],
    "notes.md": [
        ("[@okafor2021, p. 9]", "[@okafor2021, p. 4]"),
        ("[@lindqvist2019, p. 1653]", "[@lindqvist2019, p. 1651]"),
        ("[@lindqvist2019, p. 3]", "[@lindqvist2019, p. 1651]"),
    ],
    "paper.typ": [
        ("@okafor2021[p. 2]", "@okafor2021[p. 1]"),
        ("supplement: [p. 1651]", "supplement: [p. 1650]"),
    ],
    "report.qmd": [],
    "chapters/frost.tex": [],
}


@pytest.mark.long
def test_fix_mends_the_wrong_pages_and_nothing_else(corpus_path, manuscripts):
    expected = {}
    for name, mended in FIXED_PAGES.items():
        text = (manuscripts / name).read_bytes().decode()
        for wrong, right in mended:
            text = text.replace(wrong, right)
        expected[name] = text.encode()
    files = [manuscripts / name for name in FILES]
    before = _check(corpus_path, *files, "--format", "json")
    after = _check(corpus_path, *files, "--format", "json", "--fix")
    assert {name: (manuscripts / name).read_bytes() for name in FIXED_PAGES} == expected
    assert [one for one in json.loads(before.stdout) if one["page_is_right"] is False] != []
    assert [one for one in json.loads(after.stdout) if one["page_is_right"] is False] == []
    assert after.exit_code == 1


def test_fix_quotes_asks_for_each_and_mends_word_by_word(corpus_path, tmp_path):
    paper = tmp_path / "paper.tex"
    source = (
        "\\enquote{The silent nights were \\emph{very} mild ones} \\cite[3]{okafor2021}\r\n"
        "\\enquote{The \\emph{quick} nights were mild ones, as the physics would have it} "
        "\\cite[3]{okafor2021}\n"
        "``temperature fell below $-25$ °C on ten nights'' \\cite[2]{okafor2021}\t\n"
    )
    paper.write_bytes(source.encode())
    refused = _check(corpus_path, paper, "--fix-quotes", given_input="n\nn\n")
    assert refused.exit_code == 1
    assert paper.read_bytes() == source.encode()
    done = _check(corpus_path, paper, "--fix-quotes", given_input="y\ny\n")
    assert (
        paper.read_bytes() == source.replace("quick", "silent").replace("ten nights", "nine nights").encode()
    )
    assert "2 corrected" in done.stderr


@pytest.mark.parametrize("cited", ["okafor2021", "lindqvst2019"])
def test_fix_quotes_offers_to_cite_the_paper_that_prints_the_words(corpus_path, tmp_path, cited):
    paper = tmp_path / "paper.md"
    source = 'As "people prefer to work by day" [@{}, p. 1650] has it.\n'
    paper.write_text(source.format(cited))
    refused = _check(corpus_path, paper, "--fix-quotes", given_input="n\n")
    assert "lindqvist2019, page 1?" in refused.stderr
    assert paper.read_text() == source.format(cited)
    done = _check(corpus_path, paper, "--fix-quotes", given_input="y\n")
    assert paper.read_text() == source.format("lindqvist2019")
    assert (done.exit_code, "1 quotation: 1 right, 0 wrong" in done.stderr) == (0, True)


@pytest.mark.parametrize(
    ("label", "written"), [("1651", "1651"), ("[unnumbered]", ""), ("A-2", "A-2"), ("", "1")]
)
def test_only_a_page_that_is_read_again_is_written(corpus, tmp_path, label, written):
    paper = tmp_path / "paper.md"
    paper.write_text('"people prefer to work by day" [@lindqvist2019, p. 1652]', encoding="utf-8")
    (finding,) = judge(corpus, read_manuscripts([paper], Vocabulary()))
    edits = page_edits([replace(finding, pages=((1, label),))]).get(paper, [])
    assert [one.text for one in edits] == [written] * bool(written)


LABELS = [(page, str(1649 + page)) for page in range(1, 11)]


@pytest.mark.parametrize(
    ("note", "physical", "printed"),
    [
        ("6", {6}, set()),
        ("p.~6", {6}, set()),
        ("pp. 6--7", {6, 7}, set()),
        ("1651", set(), {2}),
        ("pp.~1651--3", set(), {2, 3, 4}),
        ("1650, 1653 and 1655", set(), {1, 4, 6}),
        ("S. 3", {3}, set()),
        ("pág. 3", {3}, set()),
        ("see pp. 2-3, their emphasis", {2, 3}, set()),
        ("9f.", {9, 10}, set()),
        ("8 ff.", {8, 9, 10}, set()),
        ("3–4", {3, 4}, set()),
    ],
)
def test_pages_are_read_as_writers_give_them(note, physical, printed):
    locator = parse_locator(note, 0, len(note))
    assert locator is not None
    assert (as_physical(locator, LABELS), as_printed(locator, LABELS)) == (physical, printed)


@pytest.mark.parametrize(
    ("source", "words"),
    CASES["latex becomes what it prints"],
)
def test_latex_becomes_what_it_prints(source, words):
    (found,) = read_latex(rf"\citeq{{key}}{{{source}}}", Vocabulary()).quotations
    assert found.words.text == words


@pytest.mark.parametrize(
    "source",
    [
        r"% \enquote{x words} \cite{k}",
        r"\verb|\enquote{x words} \cite{k}|",
        "\\begin{verbatim}\\enquote{x words} \\cite{k}\\end{verbatim}",
        "\\begin{lstlisting}\n\\citeq{k}{x words}\n\\end{lstlisting}",
        r"\iffalse \citeq{k}{x words} \fi",
        r"\enquote{x words} and then much else \cite{k}",
        "\\enquote{x words}\n\n\\cite{k}",
    ],
)
def test_what_is_hidden_or_stands_apart_is_no_quotation(source):
    assert read_latex(source, Vocabulary()).quotations == ()


def test_own_macros_and_environments_are_read_from_the_configuration(tmp_path):
    config = tmp_path / "pagequote.toml"
    config.write_text(
        '[check]\nmin-verdict = "near"\n[check.macros]\nsaid = "quote [page] key"\nsrc = "[page] key"\n'
        '[check.environments]\nwords = "key [page]"\n',
        encoding="utf-8",
    )
    own = read_configuration(None, tmp_path / "a.tex")
    assert own.min_verdict == "near"
    source = "\\said{one thing}[3]{k} \\enquote{two}\\src[4]{l} \\begin{words}{m}[5] three \\end{words}"
    found = read_latex(source, own.vocabulary).quotations
    assert [(one.words.text, one.keys[0], one.locator and one.locator.text) for one in found] == [
        ("one thing", "k", "3"),
        ("two", "l", "4"),
        ("three", "m", "5"),
    ]


@pytest.mark.parametrize("named", ["../corpus", "/srv/corpus", "s3://bucket/corpus", "sub/../../corpus"])
@pytest.mark.parametrize("setting", ["corpus", "baseline", "lock"])
def test_settings_found_beside_a_document_reach_nothing_outside_their_folder(tmp_path, setting, named):
    path = tmp_path / "thesis" / "pagequote.toml"
    path.parent.mkdir()
    path.write_text(f'[check]\n{setting} = "{named}"\n', encoding="utf-8")
    with pytest.raises(QueryError, match="which is not in its folder"):
        read_configuration(None, path.with_name("draft.md"))
    assert getattr(read_configuration(path, path.with_name("draft.md")), setting)


@pytest.mark.parametrize("border", [".git", "home"])
def test_the_search_for_settings_ends_at_a_repository_and_at_home(tmp_path, monkeypatch, border):
    (tmp_path / "pagequote.toml").write_text("[check]\nunknown = 1\n", encoding="utf-8")
    below = tmp_path / "thesis" / "chapters"
    below.mkdir(parents=True)
    with pytest.raises(QueryError, match="unknown in"):
        read_configuration(None, below / "a.md")
    if border == "home":
        monkeypatch.setenv("HOME", str(tmp_path / "thesis"))
    else:
        (tmp_path / "thesis" / ".git").mkdir()
    assert read_configuration(None, below / "a.md").corpus is None


@pytest.mark.parametrize(
    "content",
    ["[check]\nverdict = 1", '[check.macros]\na = "kee"', "[check", '[check]\nmin-verdict = "good"'],
)
def test_a_wrong_configuration_is_refused(corpus_path, tmp_path, content):
    (tmp_path / "pagequote.toml").write_text(content, encoding="utf-8")
    (tmp_path / "a.tex").write_text("", encoding="utf-8")
    with pytest.raises(Exception, match=r"pagequote\.toml|arguments"):
        _check(corpus_path, tmp_path / "a.tex")


def test_min_verdict_lets_near_pass(corpus_path, tmp_path):
    paper = tmp_path / "a.md"
    paper.write_text('"people prefer to work by night" [@lindqvist2019, p. 1650]', encoding="utf-8")
    assert _check(corpus_path, paper).exit_code == 1
    assert _check(corpus_path, paper, "--min-verdict", "near").exit_code == 0


def test_a_baseline_knows_what_was_wrong_and_lets_new_things_count(corpus_path, manuscripts, tmp_path):
    paper, baseline = manuscripts / "notes.md", tmp_path / "known.json"
    _check(corpus_path, paper, "--baseline", baseline, "--update-baseline")
    assert _check(corpus_path, paper, "--baseline", baseline).exit_code == 0
    text = paper.read_text(encoding="utf-8")
    paper.write_text(f'{text}\n"people prefer to work" [@lindqvist2019, p. 4]\n', encoding="utf-8")
    found = _check(corpus_path, paper, "--baseline", baseline, "--format", "json")
    assert found.exit_code == 1
    wrong = [one["quote"] for one in json.loads(found.stdout) if one["level"] == "error"]
    assert wrong == ["people prefer to work"]
    twice = text + "\n" + text[text.index('"The release fell') : text.index("- `")]
    paper.write_text(twice, encoding="utf-8")
    assert _check(corpus_path, paper, "--baseline", baseline).exit_code == 1


@pytest.mark.parametrize(
    "content", ["keep", "[" * 200_000, '{"version": 1, "known": ' + '{"a":' * 100_000, "{}", "7", "\x00"]
)
def test_what_is_no_baseline_is_one_clear_error_and_is_not_written_over(corpus_path, tmp_path, content):
    other = tmp_path / "other.json"
    other.write_text(content)
    for arguments in ((), ("--update-baseline",)):
        with pytest.raises(QueryError, match=r"^The baseline '.*' cannot be read: .*\.$"):
            _check(corpus_path, MANUSCRIPTS / "notes.md", "--baseline", other, *arguments)
    assert other.read_text() == content


def test_formats_agree_on_what_is_wrong(corpus_path):
    paper = MANUSCRIPTS / "notes.md"
    as_json = json.loads(_check(corpus_path, paper, "--format", "json").stdout)
    wrong = [(one["line"], one["column"]) for one in as_json if one["level"] == "error"]
    text = _check(corpus_path, paper).stdout
    assert [f"notes.md:{line}:{column}: error" in text for line, column in wrong] == [True] * len(wrong)
    sarif = json.loads(_check(corpus_path, paper, "--format", "sarif").stdout)
    results = [one for one in sarif["runs"][0]["results"] if one["level"] == "error"]
    regions = [one["locations"][0]["physicalLocation"]["region"] for one in results]
    assert [(one["startLine"], one["startColumn"]) for one in regions] == wrong
    rules = {one["id"] for one in sarif["runs"][0]["tool"]["driver"]["rules"]}
    assert {one["ruleId"] for one in results} <= rules
    github = _check(corpus_path, paper, "--format", "github").stdout
    assert github.count("::error file=") == len(wrong)
    junit = ET.fromstring(_check(corpus_path, paper, "--format", "junit").stdout)
    assert len(junit.findall(".//testcase")) == len(EXPECTED["notes.md"])
    assert len(junit.findall(".//failure")) == len(wrong)


@pytest.mark.parametrize(
    ("cited", "status"), [((), 0), (("nobody1999",), 1), (("nobody1999", L), 1), (("nobody1999", O), 1)]
)
def test_where_no_quotation_can_be_judged_the_check_fails(corpus_path, tmp_path, cited, status):
    words = "people prefer to work by day"
    path = tmp_path / "notes.md"
    path.write_text("\n\n".join(f'"{words}" [@{key}].' for key in cited), encoding="utf-8")
    ran = CliRunner().invoke(pagequote, ["check", str(path), "--corpus", str(corpus_path)])
    assert ran.exit_code == status, ran.output


@pytest.mark.parametrize(
    ("form", "at_least"),
    CASES["what an abridged quotation leaves out is printed with its ok"],
)
def test_what_an_abridged_quotation_leaves_out_is_printed_with_its_ok(corpus_path, tmp_path, form, at_least):
    words = "Most measurements of gas exchange ... have been made by people"
    (tmp_path / "a.md").write_text(f'"{words}" [@lindqvist2019].\n', encoding="utf-8")
    ran = CliRunner().invoke(
        pagequote, ["check", str(tmp_path / "a.md"), "--corpus", str(corpus_path), "--format", form]
    )
    assert ran.exit_code == 0
    assert at_least in ran.stdout


def test_each_file_of_another_kind_is_refused(corpus_path, tmp_path):
    (tmp_path / "a.pages").write_bytes(b"")
    with pytest.raises(Exception, match="not a known kind of manuscript"):
        _check(corpus_path, tmp_path / "a.pages")


def test_a_call_that_cannot_be_answered_ends_with_2(corpus_path, tmp_path):
    (tmp_path / "deep.tex").write_text("{" * 100_000, encoding="utf-8")
    for name, said in (("missing.tex", "cannot be read"), ("deep.tex", "nested too deeply")):
        ran = call("check", tmp_path / name, "--corpus", corpus_path)
        assert (ran.returncode, said in ran.stderr) == (2, True), ran.stderr


@pytest.mark.parametrize(
    "opener", [r"\textquote[", r"\cite[", r"\cite[\textquote{", r"\footnote[\textquote["]
)
def test_brackets_that_are_never_closed_are_read_once(opener, tmp_path):
    # Each one more took twice as long: thirty would take hours.
    for closer in ("", "]{a}"):
        (tmp_path / "open.tex").write_text(opener * 30 + closer * 30 + "\n\n")
        (read,) = read_manuscripts([tmp_path / "open.tex"], Vocabulary())
        assert read.missing == ()


_TABLE = "Study ID,Page,Supporting quote\nlindqvist2019,1650,people prefer to work by day\n"
_FIELDS = ("quote=Supporting quote", "key=Study ID", "page=Page")


@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
def test_the_delimiter_of_a_table_is_that_of_its_first_line(corpus_path, tmp_path, delimiter):
    (tmp_path / "one.csv").write_text(_TABLE.replace(",", delimiter))
    fields = [option for one in _FIELDS for option in ("--field", one)]
    assert "1 right" in _check(corpus_path, tmp_path / "one.csv", *fields).stderr
    (tmp_path / "one.csv").write_text(_TABLE.replace(",", delimiter).replace("1650", "1651"))
    assert "1 wrong" in _check(corpus_path, tmp_path / "one.csv", *fields).stderr


@pytest.mark.parametrize("text", ["nullnull", "", '{"quote" "a"}', "[" * 200 + "]" * 200])
def test_records_that_are_no_json_are_an_error(text):
    with pytest.raises(QueryError, match=r"^The records cannot be read as JSON: .*\.$"):
        read_manuscript(Path("a.json"), Vocabulary(), text.encode())


@pytest.mark.parametrize("misspelt", ["quote=Supporting Quote", "key=Study", "page=Pg"])
def test_a_field_that_no_record_has_is_an_error_that_tells_those_there_are(corpus_path, tmp_path, misspelt):
    (tmp_path / "one.csv").write_text(_TABLE)
    role = misspelt.partition("=")[0]
    fields = [option for one in _FIELDS for option in ("--field", misspelt if one.startswith(role) else one)]
    with pytest.raises(
        QueryError, match=r"No record has a field .* There are 'Study ID', 'Page', 'Supporting"
    ):
        _check(corpus_path, tmp_path / "one.csv", *fields)


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ('[check.macros]\nzitt = "key quote"\n', "No manuscript uses zitt"),
        ('[check.text]\nnver = "never"\n', "No manuscript uses nver"),
        ('[check.fields]\nqoute = "snippet"\n', r"unknown in \[check.fields\]: qoute"),
        ('[quote]\npage-wrod = "S."\n', r"unknown in \[quote\]: page-wrod"),
        ('[chek]\nmin-verdict = "near"\n', "unknown at the top: chek"),
    ],
)
def test_a_setting_that_matches_nothing_is_an_error(corpus_path, tmp_path, settings, said):
    (tmp_path / "pagequote.toml").write_text(settings)
    (tmp_path / "a.tex").write_text(r"\zit{lindqvist2019}{people prefer to work by day} \never")
    with pytest.raises(QueryError, match=said):
        _check(corpus_path, tmp_path / "a.tex")


def test_a_baseline_of_files_that_are_not_there_is_an_error(corpus_path, manuscripts, tmp_path):
    known = manuscripts / "known.json"
    _check(corpus_path, manuscripts / "notes.md", "--baseline", known, "--update-baseline")
    (tmp_path / "moved").mkdir()
    known = known.rename(tmp_path / "moved" / "known.json")
    with pytest.raises(QueryError, match="knows nothing of what is there"):
        _check(corpus_path, manuscripts / "notes.md", "--baseline", known)


def test_a_file_that_is_not_utf8_is_told_as_that(corpus_path, tmp_path):
    (tmp_path / "a.md").write_bytes('"people préfer to work by day" [@lindqvist2019]'.encode("cp1252"))
    told = _check(corpus_path, tmp_path / "a.md", "--format", "json")
    assert json.loads(told.stdout)[0]["hint"].startswith("The file is not UTF-8.")


@pytest.mark.parametrize(
    ("name", "text", "keys"),
    [
        ("a.md", '"It grew in the sun (Berg, 1997)." [@okafor2021, p. 4]', ("okafor2021",)),
        ("a.tex", r"\enquote{As Berg (1997) has it, it grew.} \cite[4]{okafor2021}", ("okafor2021",)),
        ("a.md", '"It grew in the sun (Berg, 1997)."', ("Berg 1997",)),
    ],
)
def test_a_citation_in_words_within_a_quotation_is_quoted_where_another_follows(name, text, keys):
    (read,) = read_manuscripts([Path(name)], Vocabulary(), {Path(name): text.encode()})
    (quotation,) = read.quotations
    assert quotation.keys == keys
    assert ("1997" in quotation.words.text) == (keys == ("okafor2021",))
