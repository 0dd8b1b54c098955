"""Packages that only the second step of CI has: `make test-ci`."""

from importlib.util import find_spec

import pytest


def _needs(package: str) -> pytest.MarkDecorator:
    return pytest.mark.skipif(find_spec(package) is None, reason=f"{package} is not installed: make test-ci")


needs_dvc = _needs("dvc")
needs_pandas = _needs("pandas")
needs_ray = _needs("ray")

OPTIONAL = [needs_dvc.mark, needs_pandas.mark, needs_ray.mark]
"""Tests with these marks are long ones: `make test` has no such package."""
