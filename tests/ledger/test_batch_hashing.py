"""Check that the fast reading of lines has the same result as the normal one, even in damaged and forged logs."""

from __future__ import annotations

import io

import pytest

from tests.at_least_one import at_least_one
from tests.attacks.damaged_logs import Damaged, damaged, forged, logs, read
from tests.face.ledger import (
    Checkpoint,
    SameOrder,
    Verdict,
    lines_of,
)
from umpire_ledger.ledger import replay_log

HOW_MANY = 400


def judged(one: Damaged) -> Verdict:
    checkpoint = Checkpoint.read(one.checkpoint) if one.checkpoint else None
    return replay_log.verify(lines_of(io.BytesIO(one.log)), checkpoint)


def taken(raw: bytes) -> tuple[int, int]:
    """Count the later records of orders that are hashed by the fast path, and those that are not."""
    game, records = read(raw)
    order, fast, whole = None, 0, 0
    for record in records:
        line = record.encode()
        if record.prior is not None:
            order = SameOrder(game, record, line)
            continue
        assert order is not None
        leaf = order.leaf(record.position, line)
        assert leaf in (None, record.leaf(game))
        fast, whole = fast + (leaf is not None), whole + (leaf is None)
    return fast, whole


def test_leaf_of_record_read_fast_equals_encoded_leaf() -> None:
    counted = [taken(raw) for raw in logs()]
    assert sum(fast for fast, _ in counted) > 20
    assert sum(whole for _, whole in counted) > 0


def test_damaged_and_forged_logs_read_fast_get_same_verdict(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    cases = [*damaged(HOW_MANY, 16), *forged(16)]
    fast = [judged(one) for one in cases]
    monkeypatch.setattr(SameOrder, "leaf", lambda *_: None)
    for one, verdict in at_least_one(zip(cases, fast, strict=True)):
        assert judged(one) == verdict, one.how
