"""Send generated requests of an independent OpenAPI client; each answer is a documented one.

The short form sends a few requests to each operation; `UMPIRE_FUZZ=200` sends up to 200.
"""

import json
import os
from typing import Any

import pytest

pytest.importorskip("litestar", reason="the service needs the extra `serve`: pip install '.[serve]'")
pytest.importorskip("schemathesis", reason="the extra `fuzz` is not installed: pip install '.[fuzz]'")

import requests
import schemathesis
from hypothesis import HealthCheck, given, seed, settings, strategies as st
from litestar.serialization import encode_json

from tests.face.service import (
    Service,
    ServiceSettings,
    build,
    completed,
)
from tests.service.served import PATIENCE, Served

EXAMPLES = int(os.environ.get("UMPIRE_FUZZ", "6"))
DOCUMENT = json.loads(
    encode_json(completed(build(Service(ServiceSettings(where=":memory:"))).openapi_schema.to_schema()))
)
LEFT_OUT = ("/games/{game}/stream", "/games/{game}/archive")
"""A stream does not end (see `test_streams.py`), and an archived game cannot be used by the other operations."""
OPERATIONS: dict[str, Any] = {
    operation.label: operation
    for operation in (found.ok() for found in schemathesis.openapi.from_dict(DOCUMENT).get_all_operations())
    if operation.path not in LEFT_OUT
}
CHECKS = [
    schemathesis.checks.not_a_server_error,
    *(
        schemathesis.checks.CHECKS.get_one(name)
        for name in ("status_code_conformance", "content_type_conformance", "response_schema_conformance")
    ),
]
REAL = {"dispute": ["d1"], "unit": ["r1", "b1"], "title": ["freeform", "war-galley"], "order": ["move", "note"]}
"""Names that there are: a word that is made up is none of them."""


def cases(operation: Any) -> Any:
    """Return requests that are valid by the document, and invalid ones if the operation takes any input."""
    if not (operation.query or operation.headers or operation.body):
        return operation.as_strategy()
    return operation.as_strategy() | operation.as_strategy(schemathesis.GenerationMode.NEGATIVE)


@pytest.mark.parametrize("label", OPERATIONS)
def test_generated_request_gets_a_documented_answer(served: Served, label: str) -> None:
    """Send each as the referee, as a side and as the operator."""
    operation, game = OPERATIONS[label], served.game()
    seats = {who: served.token(game if who else "", who or "referee") for who in ("referee", "red", "")}
    answered = []

    @seed(20)
    @settings(max_examples=EXAMPLES, database=None, deadline=None, suppress_health_check=list(HealthCheck))
    @given(case=cases(operation), who=st.sampled_from(sorted(seats)), data=st.data())
    def send(case: Any, who: str, data: st.DataObject) -> None:
        for name in case.path_parameters or {}:
            if name == "game":
                case.path_parameters[name] = game
            elif name in REAL and data.draw(st.booleans()):
                case.path_parameters[name] = data.draw(st.sampled_from(REAL[name]))
        with requests.Session() as alone:
            alone.trust_env = False
            headers = {"Authorization": f"Bearer {seats[who]}"}
            answer = case.call(base_url=served.address, headers=headers, session=alone, timeout=PATIENCE)
        answered.append(answer.status_code)
        case.validate_response(answer, checks=CHECKS)

    send()
    assert answered
