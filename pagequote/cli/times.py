"""Dates, spans of time and shares on a command line; callbacks of click's options."""

import re
from datetime import UTC, datetime, timedelta

import click

_UNITS = {"m": "minutes", "h": "hours", "d": "days", "w": "weeks"}


def span(_ctx: click.Context, _param: click.Parameter, value: str | None) -> timedelta | None:
    """Parse a number with a unit: 90m, 36h, 7d, 2w. Anything else is a usage error."""
    if value is None:
        return None
    if (found := _span(value)) is None:
        raise click.BadParameter(f"{value!r} is not a span of time. Write 90m, 36h, 7d or 2w.")
    return found


def moment(_ctx: click.Context, _param: click.Parameter, value: str | None) -> datetime | None:
    """Parse a date or time in ISO 8601 (by default in local time), or a span before now, to UTC.

    Anything else is a usage error.
    """
    if value is None:
        return None
    if found := _span(value):
        return datetime.now(UTC) - found
    try:
        return datetime.fromisoformat(value).astimezone(UTC)
    except ValueError:
        raise click.BadParameter(
            f"{value!r} is not a date or time. Write 2026-11-20, 2026-11-20T02:15 or 36h (ago)."
        ) from None


def share(_ctx: click.Context, _param: click.Parameter, value: str | None) -> float | None:
    """Parse a percentage, 0% to 100%, to a share. Anything else is a usage error."""
    if value is None:
        return None
    match = re.fullmatch(r"(\d{1,3}(?:\.\d+)?)\s?%", value)
    if match is None or float(match[1]) > 100:
        raise click.BadParameter(f"{value!r} is not a percentage. Write 10%, 2.5% or 100%.")
    return float(match[1]) / 100


def _span(value: str) -> timedelta | None:
    match = re.fullmatch(r"(\d{1,6})([mhdw])", value)
    return timedelta(**{_UNITS[match[2]]: int(match[1])}) if match else None
