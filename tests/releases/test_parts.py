"""Papers in parts: a new paper leaves the parts of the others alone."""

from hypothesis import given
from hypothesis import strategies as st

from pipeline.publish.parts import PAPERS_A_PART, parts

KEYS = st.sets(st.text(st.characters(codec="ascii", categories=["L", "N"]), min_size=1), max_size=60)


def sources(keys):
    return [{"key": key, "record": f"{key}.arrow"} for key in sorted(keys)]


def held(cut):
    """The keys of all papers, of whatever part."""
    return sorted(source["key"] for part in cut.all for source in part.sources)


@given(KEYS, KEYS, KEYS, KEYS)
def test_each_paper_is_in_one_part_and_new_ones_change_no_other(first, second, third, gone):
    new = second - first
    one = parts(sources(first | new), (), new)
    assert held(one) == sorted(first | new)
    assert one.settled == parts(sources(first)).settled
    newer = third - first - new
    left = (first | new | newer) - gone
    two = parts(sources(left), one.late_keys, newer - gone)
    assert held(two) == sorted(left)
    if not gone:
        assert two.settled == one.settled
        few = sum(len(part.sources) < PAPERS_A_PART for part in one.late) < PAPERS_A_PART
        assert not few or two.late[: len(one.late)] == one.late


def test_parts_of_single_late_papers_are_joined_before_they_are_many():
    keys = [f"new{number:03}" for number in range(100)]
    cut = parts(())
    for number, key in enumerate(keys, 1):
        cut = parts(sources(keys[:number]), cut.late_keys, {key})
        assert len(cut.late) <= number / PAPERS_A_PART + PAPERS_A_PART
    assert held(cut) == keys
