"""Addresses of object storage, as paths."""

import pickle
from pathlib import Path

import pytest

from lookup.storage.object_path import ObjectPath, place


def test_an_address_is_a_place_in_object_storage_and_all_else_a_path():
    assert isinstance(place("s3://library/papers/a.pdf"), ObjectPath)
    for name in ("data/corpus", "/data/corpus", "s3", "s3://", "papers/s3://x"):
        assert type(place(name)) is type(Path())
    assert place(Path("s3://library/papers")) == ObjectPath("s3://library/papers")
    assert place(place("s3://library/papers")) == ObjectPath("s3://library/papers")


@pytest.mark.parametrize(
    "name", ["s3://library", "s3://library/a.pdf", "s3://library/A b/ü+%20#?.pdf", "s3://library/*/[ab].pdf"]
)
def test_an_address_stays_what_it_is_whatever_becomes_of_it_on_the_way(name):
    path = place(name)
    assert str(path) == name
    assert str(pickle.loads(pickle.dumps(path))) == name
    assert {path} == {ObjectPath(name)}


def test_parts_of_an_address():
    path = ObjectPath("s3://library/papers/feng2022.pdf")
    assert (path.bucket, path.object_name) == ("library", "papers/feng2022.pdf")
    assert (path.name, path.stem, path.suffix) == ("feng2022.pdf", "feng2022", ".pdf")
    assert str(path.parent / "other.pdf") == "s3://library/papers/other.pdf"
    assert str((path.parent / "../b/./c.pdf").absolute()) == "s3://library/b/c.pdf"
    assert (ObjectPath("s3://library").bucket, ObjectPath("s3://library").object_name) == ("library", "")
