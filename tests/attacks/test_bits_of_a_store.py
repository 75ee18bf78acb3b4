"""Flip a few bits of a store: some check reports every change. The long form is a command."""

import pytest

from tests.attacks.bits_of_a_store import FAILURES, attack


@pytest.mark.parametrize(("file", "count"), [("ledger", 160), ("views", 60)])
def test_flipped_bits_are_noticed(file: str, count: int) -> None:
    told = attack(count, 20261121, file)
    assert told.failures == []
    assert told.counts.total() == count
    assert set(told.counts) - set(FAILURES) > {"unused"}, "something must have been hurt"
