"""The rows of a query, in whichever form they are wanted."""

import re
import sys

import pytest

import lookup
from tests.support.needs import needs


def test_rows_come_as_tuples_and_as_arrow(corpus):
    query = "SELECT key, pages FROM papers ORDER BY key"
    rows = corpus.sql(query).fetchall()
    assert len(rows) == 4
    assert list(corpus.sql(query)) == rows
    assert corpus.sql(query).fetchmany(2) == rows[:2]
    assert corpus.sql(query).columns == ["key", "pages"]
    assert [tuple(row.values()) for row in corpus.sql(query).arrow().to_pylist()] == rows


@pytest.mark.parametrize(
    ("form", "package", "way"),
    [
        ("arrow", "pyarrow", "pip install 'pagequote[explore]'"),
        ("pl", "polars", "pip install 'pagequote[explore]'"),
        ("df", "pandas", "pip install pandas; or take .pl(): pip install 'pagequote[explore]'"),
    ],
)
def test_a_form_that_needs_a_missing_package_says_how_to_install_it(corpus, monkeypatch, form, package, way):
    monkeypatch.setitem(sys.modules, package, None)
    rows = corpus.sql("SELECT key FROM papers")
    with pytest.raises(lookup.QueryError, match=re.escape(f"{package}, which is not installed: {way}.")):
        getattr(rows, form)()
    assert len(rows.fetchall()) == 4


@needs("pandas")
def test_rows_come_as_pandas(corpus):
    query = "SELECT key, pages FROM papers ORDER BY key"
    rows = list(corpus.sql(query).df().itertuples(index=False, name=None))
    assert rows == corpus.sql(query).fetchall()


def test_rows_come_as_polars(corpus):
    query = "SELECT key, pages FROM papers ORDER BY key"
    assert corpus.sql(query).pl().rows() == corpus.sql(query).fetchall()
