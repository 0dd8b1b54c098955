"""The rows of a query, in whichever form they are wanted."""

import pytest

import lookup
from tests.support.optional import needs_polars


def test_rows_come_as_tuples_and_as_arrow(corpus):
    query = "SELECT key, pages FROM papers ORDER BY key"
    rows = corpus.sql(query).fetchall()
    assert len(rows) == 4
    assert list(corpus.sql(query)) == rows
    assert corpus.sql(query).fetchmany(2) == rows[:2]
    assert corpus.sql(query).columns == ["key", "pages"]
    assert [tuple(row.values()) for row in corpus.sql(query).arrow().to_pylist()] == rows


@needs_polars
def test_rows_come_as_polars(corpus):
    query = "SELECT key, pages FROM papers ORDER BY key"
    assert corpus.sql(query).pl().rows() == corpus.sql(query).fetchall()


def test_each_call_has_rows_of_its_own(corpus):
    first, second = corpus.sql("SELECT 1 UNION ALL SELECT 2 ORDER BY ALL"), corpus.sql("SELECT 3")
    assert (first.fetchone(), second.fetchone(), first.fetchone(), first.fetchone()) == (
        (1,),
        (3,),
        (2,),
        None,
    )


def test_parameters_are_never_sql(corpus):
    assert corpus.sql("SELECT ?", ["'; DROP TABLE papers; --"]).fetchone() == ("'; DROP TABLE papers; --",)
    with pytest.raises(lookup.QueryError):
        corpus.sql("SELECT ?")
