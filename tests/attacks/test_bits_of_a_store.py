"""Bits of a store, a few of them: whatever is shown otherwise is told of by somebody. The long form is a command."""

import pytest

from tests.attacks.bits_of_a_store import FAILURES, attack


@pytest.mark.parametrize(("file", "count"), [("ledger", 160), ("views", 60)])
def test_no_flipped_bit_goes_unnoticed(file: str, count: int) -> None:
    told = attack(count, 20261121, file)
    assert told.failures == []
    assert told.counts.total() == count
    assert set(told.counts) - set(FAILURES) > {"unused"}, "something must have been hurt"
