"""Test that refused orders reveal nothing of the ledger's dice, and that no words of an order choose them.

Each test gives one order under many seeds. Either the order is refused under all of them in the same words, or it
rolls under all of them, and then its rolls are recorded even if a later part of the order fails.
"""

from collections.abc import Iterator, Mapping
from typing import Any

import pytest

from tests.at_least_one import at_least_one
from tests.domain.teaching import NORTH, step, teach, title_of
from tests.face.domain import (
    AccountChanged,
    Decision,
    Dice,
    DiceRolled,
    DomainError,
    Game,
    LedgerDice,
    MarkerSet,
    Order,
    RestrictedEvent,
    Result,
    Roll,
    RuleViolation,
    Sent,
    Throws,
    Title,
    TitleFault,
    decide,
    does,
    events_of,
    read_order,
    replace,
    roll_once,
)
from tests.face.testing import (
    NO_HISTORY,
    Start,
    folder_of,
    starts_in,
    titles,
    with_ledger_dice,
)
from tests.naming import Naming

SEEDS = [f"{number:064x}" for number in range(20)]
MOST = 2**53 - 1
OF_EACH_KIND = 2
"""Recorded orders of each name that are tried."""


def said(refusal: DomainError) -> tuple[str, str, str, str]:
    return refusal.what, refusal.where, refusal.rule, refusal.remedy


def given(title: Title, game: Game, sent: Sent) -> Decision | tuple[str, str, str, str]:
    try:
        return decide(title, game, sent, NO_HISTORY)
    except (RuleViolation, TitleFault) as refusal:
        return said(refusal)


def under_all_seeds(title: Title, game: Game, sent: Sent) -> list[Decision | tuple[str, str, str, str]]:
    """Return the results of an order under each seed: refused under all of them in the same words, or under none."""
    found = [given(title, with_ledger_dice(game, seed), sent) for seed in SEEDS]
    refused = {one for one in found if isinstance(one, tuple)}
    assert len(refused) <= 1, "the same order is refused in other words under another seed"
    assert not refused or not any(isinstance(one, Decision) for one in found), f"some dice are refused: {refused}"
    return found


def rolls(found: Decision | tuple[str, str, str, str]) -> list[DiceRolled]:
    told = found.told if isinstance(found, Decision) else ()
    return [event for event in events_of(told) if isinstance(event, DiceRolled)]


# --- every title ------------------------------------------------------------------------------------------------------


def rolling(title: Title) -> Iterator[tuple[Start, Sent]]:
    """Recorded orders that throw dice, a few of each name."""
    seen: dict[str, int] = {}
    for start in starts_in(sorted((folder_of(title.id) / "replays").glob("*.jsonl"))):
        name, game = str(start.order["order"]), with_ledger_dice(start.game, SEEDS[1])
        if seen.get(name, 0) >= OF_EACH_KIND or name == "amend":
            continue
        sent = read_order(title.of(game), {key: value for key, value in start.order.items() if key != "pips"})
        if rolls(given(title.of(game), game, sent)):
            seen[name] = seen.get(name, 0) + 1
            yield start, sent


class WatchedTables(Mapping[str, Any]):
    """Notes which tables are read."""

    def __init__(self, tables: Mapping[str, Any]) -> None:
        self._tables = tables
        self.read: set[str] = set()

    def __getitem__(self, name: str) -> Any:
        self.read.add(name)
        return self._tables[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._tables)

    def __len__(self) -> int:
        return len(self._tables)


def spoilt(game: Game, sent: Sent) -> Iterator[tuple[Game, Sent]]:
    """Yield the order, and variants that may fail after their dice: tables with gaps, a step that cannot end yet.

    A gap in a table that the order read under no seed changes nothing, so they are left out: give each before the next.
    """
    watched = WatchedTables(game.tables)
    yield replace(game, tables=watched), sent
    yield game, replace(sent, leave="here")
    yield game, replace(sent, leave="nowhere")
    yield replace(game, tables={}), sent
    for name in sorted(watched.read & game.tables.keys()):
        table = game.tables[name]
        rows = table.get("rows") if isinstance(table, dict) else None
        for row in list(rows or {})[:3]:
            gap = {key: value for key, value in rows.items() if key != row}
            yield replace(game, tables={**game.tables, name: {**table, "rows": gap}}), sent


RECORDED = [one for one in titles() if (folder_of(one.id) / "replays").is_dir()]


@pytest.mark.parametrize("title", RECORDED, ids=lambda one: one.id)
def test_refusal_of_recorded_roll_is_independent_of_dice(title: Title) -> None:
    tried = thrown = 0
    for start, sent in at_least_one(rolling(title)):
        for game, order in spoilt(start.game, sent):
            found = under_all_seeds(title.of(game), game, order)
            tried += 1
            thrown += len({tuple(roll.pips for roll in rolls(one)) for one in found}) > 1
    assert tried > thrown > 0


# --- generic rolls ----------------------------------------------------------------------------------------------------

TEACHING = title_of(step("A"))


def at_a_table(**rows: str) -> Game:
    game = teach(TEACHING).game
    return replace(game, dice="ledger", tables={"crt": {"dice": "2d6", "rows": rows}})


def roll(**more: Any) -> Sent:
    return read_order(TEACHING, {"as": NORTH, "order": "roll", "purpose": "fire", **more})


PARTLY = at_a_table(**{"2..6": "miss", "8..12": "hit"})
REFUSED = [
    pytest.param(
        PARTLY, {"dice": "2d6", "table": "crt"}, Naming(2, 12, "crt", 7), id="a total in the middle has no row"
    ),
    pytest.param(PARTLY, {"dice": "2d6+1", "table": "crt"}, Naming(3, 13, "crt", 7), id="with a modifier of the dice"),
    pytest.param(
        PARTLY,
        {"dice": "1d6", "table": "crt", "modifiers": [{"amount": 1000, "source": "trying"}]},
        Naming(1001, 1006, "crt"),
        id="every total is beyond the rows",
    ),
    pytest.param(PARTLY, {"dice": "2d6", "table": "none"}, Naming("none"), id="no such table"),
    pytest.param(PARTLY, {"dice": "0d6"}, Naming("0d6"), id="no dice"),
    pytest.param(PARTLY, {"dice": "0d6", "table": "crt"}, Naming("0d6"), id="no dice for a table"),
    pytest.param(
        PARTLY,
        {"dice": "1d6", "modifiers": [{"amount": MOST - 3, "source": "trying"}]},
        Naming("2^53"),
        id="some totals cannot be recorded",
    ),
    pytest.param(PARTLY, {"dice": "1d6", "leave": "nowhere"}, Naming("nowhere"), id="leaves for a place that is none"),
]


@pytest.mark.parametrize(("game", "words", "says"), REFUSED)
def test_refused_roll_has_equal_words_under_every_seed(game: Game, words: dict[str, Any], says: Naming) -> None:
    [refused, *others] = under_all_seeds(TEACHING, game, roll(**words))
    assert isinstance(refused, tuple)
    assert refused[0] == says
    assert set(others) == {refused}


def test_missing_table_rows_are_named_before_the_roll() -> None:
    refused = given(TEACHING, with_ledger_dice(PARTLY, SEEDS[0]), roll(dice="2d6", table="crt"))
    assert refused == (
        "this roll can total 2 to 12, but the table crt has no row for 7",
        PARTLY.where,
        "the scenario's tables",
        "its rows are 2..6, 8..12; roll without `table` and look the total up yourselves",
    )
    whole = at_a_table(**{"6 or less": "miss", "7": "draw", "8 or more": "hit"})
    looked_up = rolls(given(TEACHING, with_ledger_dice(whole, SEEDS[0]), roll(dice="2d6", table="crt")))
    assert [one.outcome for one in looked_up] in (["miss"], ["draw"], ["hit"])


def test_dice_of_the_table_are_looked_up_as_they_lie() -> None:
    table = replace(PARTLY, dice="table")
    thrown = decide(TEACHING, table, roll(dice="2d6", table="crt", pips=[6, 6]), NO_HISTORY)
    assert [one.outcome for one in rolls(thrown)] == ["hit"]


def test_purpose_of_roll_does_not_choose_the_dice() -> None:
    """Forty purposes, with all else that a player may say of a roll: one pair of dice."""
    words: list[dict[str, Any]] = [{"purpose": f"fire {number}"} for number in range(40)]
    words += [{"needed": "6"}, {"subjects": ["a", "b"]}, {"rule": "7.3"}]
    words += [{"modifiers": [{"amount": 2, "source": "hill"}]}]
    game = with_ledger_dice(PARTLY, SEEDS[3])
    shown = {rolls(given(TEACHING, game, roll(dice="2d6", **one)))[0].pips for one in words}
    assert len(shown) == 1
    older = replace(game, scheme=1)
    assert len({rolls(given(TEACHING, older, roll(dice="2d6", **one)))[0].pips for one in words[:40]}) > 1


# --- a title that fails behind its dice -------------------------------------------------------------------------------


class Gamble(Order, frozen=True, kw_only=True, tag="gamble"):
    """Throws, and then looks whether the rules take it."""

    how: str = "odd"


def decide_gamble(game: Game, order: Gamble, dice: Dice) -> list[Result]:
    thrown = dice.roll("2d6", purpose="gamble", subjects=("a",))
    is_odd = thrown.total % 2 == 1
    match order.how:
        case "odd" if is_odd:
            raise RuleViolation(f"{thrown.total} is odd", where=game.where, rule="9", remedy="throw an even one")
        case "never":
            raise RuleViolation(f"{thrown.total} never does", where=game.where, rule="9", remedy="give it up")
        case "fault" if is_odd:
            return [thrown, MarkerSet(marker="m", before="not so", after=1)]
        case "crash" if is_odd:
            raise ValueError(thrown.total)
        case "object" if is_odd:
            return [thrown, MarkerSet(marker="m", before=None, after=object())]  # type: ignore[arg-type]
        case "no name" if is_odd:
            return [thrown, MarkerSet(marker=[], before=None, after=1)]  # type: ignore[arg-type]
        case "unrecordable":
            amount = MOST + thrown.total if is_odd else 1
            return [thrown, AccountChanged(account="a", amount=amount, before=0, after=amount)]
        case "secret" if is_odd:
            raise RuleViolation(f"{thrown.total} is odd", where=game.where, rule="9", remedy="throw an even one")
        case "secret":
            return [RestrictedEvent(thrown, (NORTH,))]
        case _:
            return [thrown]


GAMBLING = title_of(step("A", allows=(Gamble, Roll)), orders=(does(Gamble, decide_gamble),))


def gamble(how: str) -> list[Decision]:
    game = replace(teach(GAMBLING).game, dice="ledger")
    found = under_all_seeds(GAMBLING, game, Sent(order=Gamble(seat=NORTH, how=how)))
    assert all(isinstance(one, Decision) for one in found)
    return [one for one in found if isinstance(one, Decision)]


@pytest.mark.parametrize(
    ("how", "kind"),
    [
        ("odd", "refused"),
        ("fault", "fault"),
        ("crash", "fault"),
        ("unrecordable", "refused"),
        ("object", "refused"),
        ("no name", "fault"),
    ],
)
def test_failure_after_roll_is_recorded_and_uses_the_roll(how: str, kind: str) -> None:
    came = gamble(how)
    failed = [one for one in came if rolls(one)[0].total % 2]
    assert 0 < len(failed) < len(came)
    for one in at_least_one(failed):
        [event] = one.told
        assert isinstance(event, DiceRolled)
        assert event.outcome.startswith("not carried out: ")
        assert event.failed == kind
        assert isinstance(one.failure, RuleViolation if kind == "refused" else TitleFault)
        assert (event.roll, one.game.rolls, event.subjects) == (1, 1, ("a",))
    carried_out = [one for one in came if not rolls(one)[0].total % 2]
    assert all((rolls(one)[0].outcome, rolls(one)[0].failed, one.failure) == ("", "", None) for one in carried_out)


def test_unexpected_error_after_the_roll_uses_it_up() -> None:
    """Also a bug of Umpire itself gives no free look."""
    game = with_ledger_dice(teach(GAMBLING).game, SEEDS[0])

    def way(dice: Throws) -> Decision:
        rolled = dice.roll("1d6", purpose="gamble")
        if isinstance(dice, LedgerDice) and dice.trial is None:
            raise KeyError(rolled.purpose)
        return Decision(told=(rolled,), game=game)

    decision = roll_once(Decision(told=(), game=game), lambda: LedgerDice(game), way, lambda _: None)
    assert [one.failed for one in rolls(decision)] == ["fault"]
    assert isinstance(decision.failure, TitleFault)
    assert isinstance(decision.failure.__cause__, KeyError)


def test_failed_secret_roll_is_visible_to_its_seats_only() -> None:
    for one in at_least_one(gamble("secret")):
        [told] = one.told
        assert isinstance(told, RestrictedEvent)
        assert told.visible_to == (NORTH,)
        assert isinstance(told.event, DiceRolled)
        assert told.event.outcome in ("", "not carried out"), "why it failed may be as secret as the roll"


def test_order_refused_with_any_dice_uses_no_roll() -> None:
    """Refuse it in words about trial dice, which reveal nothing of the real ones."""
    game = replace(teach(GAMBLING).game, dice="ledger")
    found = under_all_seeds(GAMBLING, game, Sent(order=Gamble(seat=NORTH, how="never")))
    assert len({one for one in found if isinstance(one, tuple)}) == 1
    assert all(isinstance(one, tuple) for one in found)


def test_failed_roll_is_followed_by_the_next_number() -> None:
    """Draw other dice for the next roll."""
    game = replace(teach(GAMBLING).game, dice="ledger")
    seeds = (with_ledger_dice(game, seed) for seed in SEEDS)
    used = next(one for one in seeds if rolls(given(GAMBLING, one, Sent(order=Gamble(seat=NORTH))))[0].total % 2)
    first = decide(GAMBLING, used, Sent(order=Gamble(seat=NORTH)), NO_HISTORY)
    second = decide(GAMBLING, first.game, Sent(order=Gamble(seat=NORTH)), NO_HISTORY)
    assert [one.roll for one in (*rolls(first), *rolls(second))] == [1, 2]
