"""The server conforms to its OpenAPI description.

Schemathesis generates valid and invalid requests and checks the responses: no 5xx, only documented
statuses, bodies and headers as described, invalid requests rejected.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, settings

from serve.servers import serving
from typematch.serve.http.app import create_app
from typematch.serve.workers.worker_pool import WorkerPool

# A well-formed request may have an invalid query, type or id, or a page that is not cached.
ACCEPTED = ["2xx", "400", "404", "410"]
REJECTED = ["400", "404", "405", "413", "422"]


schema = schemathesis.openapi.from_dict(
    create_app(object.__new__(WorkerPool), hosts=()).openapi(),
    config=schemathesis.Config.from_dict(
        {
            "checks": {
                "positive_data_acceptance": {"expected-statuses": ACCEPTED},
                "negative_data_rejection": {"expected-statuses": REJECTED},
            }
        }
    ),
)


@pytest.fixture(scope="module")
def address(tiny: Path) -> Iterator[str]:
    with serving(tiny) as url:
        yield url


@pytest.mark.slow
@schema.parametrize()
@settings(suppress_health_check=list(HealthCheck))
def test_the_server_conforms_to_its_openapi_description(
    case: schemathesis.Case[Any], address: str
) -> None:
    case.call_and_validate(base_url=address)
