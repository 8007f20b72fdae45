"""What the server's description says, the server does: asked with whatever the description allows.

Schemathesis makes the requests, good and bad ones, and judges the answers: no 5xx, only documented
statuses, bodies and headers as described, bad requests refused.
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
from typematch.serve.http.worker_pool import WorkerPool

# What is well-formed may still be no query, no type, no entry, or a page that was forgotten.
ACCEPTED = ["2xx", "400", "404", "410"]
REFUSED = ["400", "404", "405", "413", "422"]


schema = schemathesis.openapi.from_dict(
    create_app(object.__new__(WorkerPool), hosts=()).openapi(),
    config=schemathesis.Config.from_dict(
        {
            "checks": {
                "positive_data_acceptance": {"expected-statuses": ACCEPTED},
                "negative_data_rejection": {"expected-statuses": REFUSED},
            }
        }
    ),
)


@pytest.fixture(scope="module")
def address(tiny: Path) -> Iterator[str]:
    with serving(tiny) as at:
        yield at


@pytest.mark.slow
@schema.parametrize()
@settings(suppress_health_check=list(HealthCheck))
def test_the_server_keeps_to_its_description(case: schemathesis.Case[Any], address: str) -> None:
    case.call_and_validate(base_url=address)
