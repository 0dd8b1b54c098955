"""Which papers of many to search: SQL says it, in one walk through their folded text."""

from collections.abc import Sequence

from lookup.keywords.keywords import Keyword
from lookup.keywords.patterns import near_pattern, words_pattern
from lookup.keywords.statements import Statement


def papers_holding(
    keywords: Sequence[Keyword], keys: Sequence[str] | None, chars: int, limit: int, *, together: bool
) -> Statement:
    """The `limit` papers whose best stretch of `chars` characters ranks first, by the TF-IDF of the keywords in it.

    Of `keys`, or of all papers (None). If `together`, papers that hold all keywords, those with most of them in one stretch
    first. Its rows: key; how many paragraphs there are; for each keyword how many paragraphs hold it.
    """
    numbers = range(len(keywords))
    columns = ",\n           ".join(
        f"count(*) FILTER (regexp_matches(text_norm, ?)) AS w{i}" for i in numbers
    )
    frequencies = ", ".join(f"sum(w{i})::BIGINT AS d{i}" for i in numbers)
    scores = " + ".join(
        f"(w{i} > 0)::INTEGER"
        if together
        else f"CASE WHEN w{i} > 0 THEN (1 + ln(w{i})) * ln(1 + n / d{i}) ELSE 0 END"
        for i in numbers
    )
    qualify = "".join(f" AND sum(w{i}) OVER (PARTITION BY key) > 0" for i in numbers) if together else ""
    where, values = _of_keys(keys)
    sql = f"""WITH held AS (
    SELECT key, cursor // ? AS stretch, kind IN ('reference', 'furniture') AS last,
           {columns}
    FROM paragraphs
    WHERE regexp_matches(text_norm, ?){where}
    GROUP BY ALL
), counted AS (
    SELECT (SELECT coalesce(sum(paragraphs), 0)::BIGINT FROM papers{where.replace(" AND", " WHERE")}) AS n, {frequencies}
    FROM held
), best AS (
    SELECT key, last, {scores} AS score
    FROM held, counted
    QUALIFY row_number() OVER (PARTITION BY key ORDER BY last, score DESC) = 1{qualify}
)
SELECT key, n, {", ".join(f"d{i}" for i in numbers)}
FROM best, counted
ORDER BY last, score DESC, key
LIMIT ?"""
    patterns = [words_pattern([keyword]) for keyword in keywords]
    return Statement(sql, (max(1, chars), *patterns, words_pattern(keywords), *values, *values, limit))


def words_holding(pieces: Sequence[str], keys: Sequence[str] | None) -> Statement:
    """The words, with those that a hyphen ties to them, that hold one of the pieces; of the papers with `keys`, or of all."""
    where, values = _of_keys(keys)
    pattern = near_pattern(pieces)
    sql = f"""SELECT DISTINCT unnest(regexp_extract_all(text_norm, ?)) AS word
FROM paragraphs
WHERE regexp_matches(text_norm, ?){where}
ORDER BY word"""
    return Statement(sql, (pattern, pattern, *values))


def _of_keys(keys: Sequence[str] | None) -> tuple[str, tuple[str, ...]]:
    return ("", ()) if keys is None else (f" AND key IN ({', '.join('?' * len(keys))})", tuple(keys))
