"""The door from a match to the forms in which people quote it, which `pagequote` writes."""

from typing import Any


class _Form:
    """The method of `pagequote.quoted_form.QuotedForm` that writes a form: `to_latex` is its `latex`."""

    def __set_name__(self, _: type, name: str) -> None:
        self._name = name.removeprefix("to_")

    def __get__(self, match: Any, kind: type) -> Any:
        from pagequote.quoted_form import QuotedForm  # noqa: PLC0415  # no lookup by itself needs it

        return getattr(QuotedForm if match is None else QuotedForm(match), self._name)


class Quotable:
    """A match in the forms in which people quote it."""

    to_latex, to_typst, to_markdown = _Form(), _Form(), _Form()
    to_citation, to_link, to_annotation = _Form(), _Form(), _Form()
