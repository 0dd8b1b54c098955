"""The figures in what a script of measures printed: `Figures` of its table, or `ChangedTableError`.

A column of times is left out: no clock decides.
"""

import json
import re
from collections.abc import Iterator, Sequence

Rows = dict[str, dict[str, float]]

_NUMBER = re.compile(r"(-|\d+(?:\.\d+)?)(\(\d+\))?")

_QUOTES = "kind n found tight span verdict ms p50 p95"
_FORGERIES = "kind n blessed honest (verdicts)"
_OTHERS = "class exact gap precision unbroken cover heading footnote fidelity"
_MEANING = "n hit@1 hit@5 mrr@10 ms p50"
_PASSAGES = "n shown hit@1 hit@5 mrr@10 ms p50"
_SEARCH = "n ndcg@10 recall@20 ms p50"


class ChangedTableError(Exception):
    """What was printed is not the table that is read here."""


def of_papers(printed: Sequence[str]) -> Rows:
    """Of `paragraphs.py`: one class, "all"."""
    figures = ("exact", "precision", "unbroken", "captions", "sections", "fidelity")
    [found] = _found(" ".join(rf"{name} (\S+)" for name in figures), printed[0])
    return {"all": dict(zip(figures, map(float, found), strict=True))}


def of_others(printed: Sequence[str]) -> Rows:
    """Of `others.py`: all figures of "all", and of each class of documents how much is in any row."""
    rows = _table(printed[0], _OTHERS, _OTHERS.split()[1:])
    return {name: row if name == "all" else {"cover": row["cover"]} for name, row in rows.items()}


def of_sentences(printed: Sequence[str]) -> Rows:
    """Of `kinds.py --sentences`: a class of documents each, and "all"."""
    rows: Rows = {}
    for name, asked, verbatim, *shares in _markdown(printed[0]):
        rows[name] = {"verbatim": int(verbatim) / max(1, int(asked))}
        for figure, share in zip(("right page", "over ends"), shares, strict=True):
            part, _, whole = share.partition(" of ")
            rows[name] |= {figure: int(part) / int(whole)} if int(whole) else {}
    if not rows:
        raise ChangedTableError("kinds.py printed no table of sentences.")
    return {name: {figure: round(share, 4) for figure, share in row.items()} for name, row in rows.items()}


def of_quotes(printed: Sequence[str]) -> Rows:
    """Of `quotes.py` with several seeds: shares of all cases of a kind."""
    columns = ("n", "found", "tight", "span", "verdict")
    return _together([_table(one, _QUOTES, columns) for one in printed])


def of_forgeries(printed: Sequence[str]) -> Rows:
    """Of `forgeries.py` with several seeds: how many of a forged kind are blessed; shares of honest ones."""
    tables = []
    for one in printed:
        rows = _table(one, _FORGERIES, ("n", "blessed", "honest"))
        [(verbatim, every)] = _found(r"(\d+) of (\d+) sentences stand verbatim as they are", one)
        rows["sentences as they are"] = {"n": float(every), "honest": float(verbatim) / float(every)}
        tables.append({name: row for name, row in rows.items() if row["n"]})
    return _together(tables)


def of_forms(printed: Sequence[str]) -> Rows:
    """Of `forms.py`: the same, with the sums of the forged and the honest kinds."""
    rows: Rows = {}
    sums = ("forged", "forged, taste", "honest", "honest, optional")
    for line in printed[0].splitlines():
        name, cells = _split(line, 2 if "{" in line else 3)
        is_sum = name in sums and "{" not in line
        if len(cells) < 2 or not (is_sum or "{" in line):
            continue
        name = f"all: {name}" if is_sum else name
        if name in rows:
            raise ChangedTableError(f"forms.py printed two rows {name!r}.")
        n, good = (float(cell or 0) for cell in cells[:2])
        honest = name.startswith(("= ", "all: honest"))
        rows[name] = {"n": n, "honest": round(good / max(1, n), 4)} if honest else {"n": n, "blessed": good}
    lacking = [name for name in sums if f"all: {name}" not in rows]
    if lacking or len(rows) < 2 * len(sums):
        raise ChangedTableError(f"forms.py printed {len(rows)} kinds, and no sum of {lacking}.")
    return {name: row for name, row in rows.items() if row["n"]}


def of_meaning(printed: Sequence[str]) -> Rows:
    """Of `meaning.py`, without BM25, which is not ours."""
    return _without_bm25(_table(printed[0], _MEANING, ("n", "hit@1", "hit@5", "mrr@10")))


def of_passages(printed: Sequence[str]) -> Rows:
    """Of `passages.py`, without BM25; what is shown of wrong papers is a figure of which less is better."""
    rows = _without_bm25(_table(printed[0], _PASSAGES, ("n", "shown", "hit@1", "hit@5", "mrr@10")))
    wrong = rows.pop("wrong paper", None)
    if wrong is None:
        raise ChangedTableError("passages.py printed no row 'wrong paper'.")
    return {**rows, "wrong paper": {"answered of another paper": wrong["shown"]}}


def of_search(printed: Sequence[str]) -> Rows:
    """Of `search.py`, without BM25."""
    return _without_bm25(_table(printed[0], _SEARCH, ("n", "ndcg@10", "recall@20")))


def of_spans(printed: Sequence[str]) -> Rows:
    """Of `spans.py`: one class, "all"."""
    pattern = r"precision (\S+) recall (\S+) f1 (\S+), silent where nothing answers (\d+) of \d+"
    [found] = _found(pattern, printed[0])
    return {"all": dict(zip(("precision", "recall", "f1", "silent"), map(float, found), strict=True))}


def of_footprint(printed: Sequence[str]) -> Rows:
    """Of `footprint.py`, which prints JSON."""
    rows: Rows = json.loads(printed[0])
    return rows


def of_agents(printed: Sequence[str]) -> Rows:
    """Of `agents.py`: the tokens of the list of tools, and of ten answers together, for which agents pay."""
    rows = {name: float(tokens.replace(",", "")) for name, tokens in _markdown(printed[0])}
    try:
        return {name: {"tokens": rows[name]} for name in ("list of tools", "ten answers together")}
    except KeyError as error:
        raise ChangedTableError(f"agents.py printed no row {error}.") from error


def of_covers(printed: Sequence[str]) -> Rows:
    """Of `covers.py`: right cases of each producer that is on this machine."""
    rows = {}
    for name, *cells in _markdown(printed[0]):
        counts = [int(cell.split(" of ")[0]) for cell in cells if " of " in cell]
        if counts:
            rows[name] = {"right": float(sum(counts))}
    if not rows:
        raise ChangedTableError("covers.py printed no table with counts such as '3 of 3'.")
    return rows


def of_ink(printed: Sequence[str]) -> Rows:
    """Of `ink.py`: how many forged quotes are blessed, and the share of printed ones that are verbatim."""
    rows = {}
    for name, _, *cells in _markdown(printed[0]):
        (blessed, _), (refused, of) = (map(int, cell.split(" of ")) for cell in cells)
        rows[name] = {"blessed": float(blessed)} | ({"verbatim": round(1 - refused / of, 4)} if of else {})
    if not rows:
        raise ChangedTableError("ink.py printed no table of kinds.")
    return rows


def of_attacks(printed: Sequence[str]) -> Rows:
    """Of `attacks.py`: faults of each way in that was tried; without trials there are no figures."""
    rows = {}
    for one in printed:
        for name, trials, faults, _ in _markdown(one):
            if trials != "-":
                rows[name] = {"faults": float(faults)}
    if not rows:
        raise ChangedTableError("attacks.py printed no table of ways in.")
    return rows


def _table(printed: str, header: str, columns: Sequence[str]) -> Rows:
    """The rows below a header, by name; a row may have fewer cells, and "-" is no figure."""
    lines = printed.splitlines()
    heads = [at for at, line in enumerate(lines) if line.split() == header.split()]
    if not heads:
        raise ChangedTableError(f"No line has the columns {header!r}; printed was:\n{printed[:2000]}")
    rows: Rows = {}
    for line in lines[heads[-1] + 1 :]:
        name, cells = _split(line, len(header.split()))
        if len(cells) < 2:
            continue
        if not name or name in rows:
            raise ChangedTableError(f"A row has no name, or that of another: {line!r}")
        named = zip(columns, cells, strict=False)
        rows[name] = {column: float(cell) for column, cell in named if cell is not None}
    if not rows:
        raise ChangedTableError(f"No row stands below the columns {header!r}.")
    return rows


def _split(line: str, most: int) -> tuple[str, list[str | None]]:
    """A row's name, and up to so many cells at its end, before any `{...}`; None for "-"."""
    words = line.partition("{")[0].split()
    cells: list[str | None] = []
    while words and len(cells) < most and (found := _NUMBER.fullmatch(words[-1])):
        cells.insert(0, None if found[1] == "-" else found[1])
        words.pop()
    return " ".join(words), cells


def _markdown(printed: str) -> Iterator[list[str]]:
    rows = [line for line in printed.splitlines() if line.startswith("| ")]
    return ([cell.strip() for cell in line.strip("|").split("|")] for line in rows[2:])


def _found(pattern: str, printed: str) -> list[tuple[str, ...]]:
    found = [one.groups() for one in re.finditer(pattern, printed)]
    if len(found) != 1:
        raise ChangedTableError(f"{pattern!r} is {len(found)} times in what was printed:\n{printed[:2000]}")
    return found


def _without_bm25(rows: Rows) -> Rows:
    return {name: row for name, row in rows.items() if name.split()[-1] != "bm25"}


def _together(tables: Sequence[Rows]) -> Rows:
    """Tables of several seeds as one: cases and blessed ones are summed, shares weighed by cases."""
    rows: Rows = {}
    for name in dict.fromkeys(name for table in tables for name in table):
        drawn = [table[name] for table in tables if name in table]
        n = sum(row["n"] for row in drawn)
        rows[name] = {"n": n}
        for figure in drawn[0].keys() - {"n"}:
            weighed = [row[figure] * (1 if figure == "blessed" else row["n"] / n) for row in drawn]
            rows[name][figure] = round(sum(weighed), 4)
        order = list(drawn[0])
        rows[name] = {figure: rows[name][figure] for figure in order}
    return rows
