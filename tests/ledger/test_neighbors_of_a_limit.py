"""Test the limits of counts, caches and queries of the ledger: one below and one above each limit."""

import contextlib
from collections.abc import Callable, Sequence
from importlib.util import find_spec

import pytest

from tests.face.ledger import (
    MOST_MARKED,
    MOST_STRETCHES,
    CannotBeWritten,
    Ledger,
    StoreUnavailable,
    Withheld,
    look_at_sqlite,
    prove_growth,
    said,
    verify_driver,
)
from tests.ledger.table import Numbers, play


@pytest.mark.parametrize(
    ("size", "words"),
    [(2**10, "1 KiB"), (2**20 - 1, "1023 KiB"), (2**20, "1 MiB"), (2**21 - 1, "1 MiB"), (2**21, "2 MiB")],
)
def test_size_is_said_in_whole_units(size: int, words: str) -> None:
    assert said(size) == words


@pytest.mark.parametrize(
    ("positions", "stretches"),
    [
        ([1], [(1, 1)]),
        ([1, 2], [(1, 2)]),
        ([1, 3], [(1, 1), (3, 3)]),
        (range(1, 2 * MOST_STRETCHES, 2), [(at, at) for at in range(1, 2 * MOST_STRETCHES, 2)]),
        (range(1, 2 * MOST_STRETCHES + 2, 2), [(at, at) for at in range(1, 2 * MOST_STRETCHES, 2)]),
    ],
)
def test_withheld_records_are_all_counted_and_a_hundred_stretches_kept(
    positions: Sequence[int], stretches: list[tuple[int, int]]
) -> None:
    withheld = Withheld()
    for position in positions:
        withheld.see(position, public=True)
    assert (withheld.all, withheld.public) == (len(positions), len(positions))
    assert withheld.public_at == stretches
    assert withheld.private_at == []


@pytest.mark.parametrize(("others", "is_remembered"), [(MOST_MARKED - 1, True), (MOST_MARKED, False)])
def test_oldest_search_is_forgotten_behind_the_limit(
    ledger: Ledger[Numbers], monkeypatch: pytest.MonkeyPatch, others: int, is_remembered: bool
) -> None:
    """Repeat a search after others; the ledger queries its store again only if it has forgotten the result."""
    play(ledger, "g", [1, 2])
    asked: list[int] = []
    lines_with = ledger.recorder.lines_with

    def count(game_id: str, mark: bytes, start: int, stop: int) -> list[bytes]:
        asked.append(start)
        found: list[bytes] = lines_with(game_id, mark, start, stop)
        return found

    monkeypatch.setattr(ledger.recorder, "lines_with", count)
    for number in range(others + 1):
        ledger.lines_with("g", b'"n":%d' % (number + 1))
    assert len(ledger.lines_with("g", b'"n":1')) == 1
    assert asked == [1] * (others + 1 + (not is_remembered))


@pytest.mark.parametrize(("version", "state"), [((3, 51, 2), "warn"), ((3, 51, 3), "ok"), ((3, 51, 4), "ok")])
def test_sqlite_has_its_known_defect_before_one_version(version: tuple[int, ...], state: str) -> None:
    assert look_at_sqlite(version).state == state


@pytest.mark.parametrize(
    ("old", "size", "is_there"),
    [(0, 0, True), (0, 3, True), (3, 3, True), (-1, 3, False), (3, 2, False), (3, 4, False)],
)
def test_growth_is_proved_between_positions_of_the_game(
    ledger: Ledger[Numbers], old: int, size: int, is_there: bool
) -> None:
    play(ledger, "g", [1, 2, 3])
    lines = list(ledger.lines("g"))
    refused = contextlib.nullcontext() if is_there else pytest.raises(CannotBeWritten)
    with refused:
        prove_growth(ledger.checkpoint("g"), lambda size: lines[:size], old, size)


@pytest.mark.parametrize("records", [1, 2, 3])
def test_dry_run_order_has_any_number_of_records(ledger: Ledger[Numbers], records: int) -> None:
    """Find the order id only on the first record of an order, so that the others do not count as another order."""
    play(ledger, "g", [1])
    with ledger.tried("g") as trial:
        play(trial, "g", list(range(records)), list(range(records)))
        assert trial.size("g") == 1 + 2 * records
        assert len(trial.answer("g", "order 2")) == records


def absent(*names: str) -> Callable[[str], object]:
    return lambda name: None if name in names else find_spec("json")


@pytest.mark.parametrize("missing", [("psycopg",), ("psycopg_pool",), ("psycopg", "psycopg_pool")])
def test_database_needs_its_driver(monkeypatch: pytest.MonkeyPatch, missing: tuple[str, ...]) -> None:
    monkeypatch.setattr("umpire_ledger.ledger.storage.stores.find_spec", absent())
    verify_driver("postgresql://here/umpire")
    monkeypatch.setattr("umpire_ledger.ledger.storage.stores.find_spec", absent(*missing))
    with pytest.raises(StoreUnavailable) as refused:
        verify_driver("postgresql://user:secret@here/umpire")
    assert all(name in refused.value.what for name in missing)
    assert "secret" not in str(refused.value)
