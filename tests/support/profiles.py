"""How much a run of the tests tries: as its profile of Hypothesis says, which tests/conftest.py names."""

from hypothesis import settings


def tried(usual: int, *, nightly: int, check: int | None = None) -> int:
    """Return the number of this run: the `usual` one, that of the night, or that of `make check`."""
    numbers = {"nightly": nightly, "check": usual if check is None else check}
    return numbers.get(settings.get_current_profile_name(), usual)
