"""The JSON API is tried by what its own description allows, and by what it does not."""

from collections.abc import Iterator
from typing import Any
from urllib.parse import unquote

import pytest
from hypothesis import HealthCheck, Phase, assume, settings
from starlette.applications import Starlette
from starlette.routing import Mount

import lookup
from pagequote.web.api import api_routes
from tests.support.profiles import tried

schemathesis = pytest.importorskip("schemathesis", reason="needs schemathesis: the package is not installed")
checks = pytest.importorskip("schemathesis.checks")
openapi_checks = pytest.importorskip("schemathesis.specs.openapi.checks")

pytestmark = pytest.mark.long

KEY = "lindqvist2019"


def _lead_to_papers(case: Any) -> None:
    """Ask about a paper that there is where the key is of odd length, so that answers are tried as well as
    refusals.
    """
    body = case.body if isinstance(case.body, dict) else {}
    for where in (case.path_parameters, case.query, *body.get("quotes", ())):
        if where and len(str(where.get("key", ""))) % 2:
            where["key"] = KEY
            if "page" in where:
                where["page"] = 1 + sum(map(ord, str(where["page"]))) % 4
            if "cursor" in where:
                where["cursor"] = int(where["cursor"]) % 1000


_OPENED: list[lookup.Corpus] = []
_STATUSES = {
    "not_a_server_error": {"expected-statuses": ["2xx", "3xx", "4xx", 501]},
    "positive_data_acceptance": {"expected-statuses": [200, 404, 413, 422, 501]},
    "negative_data_rejection": {"expected-statuses": [400, 404, 413, 422, 501]},
}
"""What data that the description allows, and data that it does not, may be answered with."""

_DESCRIBED = schemathesis.openapi.from_asgi(
    "/api/openapi.json",
    Starlette(routes=[Mount("/api", routes=api_routes(lambda: _OPENED[0]))]),
    config=schemathesis.Config.from_dict({"checks": _STATUSES}),
)
"""The API as schemathesis knows it; what it is asked, it answers from the corpus of the fixture below."""


@pytest.fixture
def opened(corpus: lookup.Corpus) -> Iterator[None]:
    """The corpus that the described API answers from."""
    _OPENED.append(corpus)
    yield
    _OPENED.clear()


@_DESCRIBED.parametrize()
@settings(
    max_examples=tried(40, check=10, nightly=200),
    database=None,
    derandomize=True,
    suppress_health_check=list(HealthCheck),
    phases=[Phase.explicit, Phase.generate],
)
def test_whatever_is_sent_the_answer_is_what_the_description_says(case, opened):
    # Starlette routes no line break, so that the application around the API says 404; no key has one.
    assume("\n" not in unquote((case.path_parameters or {}).get("key", "")))
    if case.meta.generation.mode.is_positive:
        _lead_to_papers(case)
    case.call_and_validate(
        checks=[
            checks.not_a_server_error,
            openapi_checks.status_code_conformance,
            openapi_checks.content_type_conformance,
            openapi_checks.response_schema_conformance,
            openapi_checks.response_headers_conformance,
            openapi_checks.positive_data_acceptance,
            openapi_checks.negative_data_rejection,
            openapi_checks.unsupported_method,
        ]
    )
