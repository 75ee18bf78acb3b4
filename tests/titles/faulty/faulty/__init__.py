"""A small title with one faulty function at a time: the one that the option `fault` names.

The order `tell` names a fault of a decision: an inconsistent event, or a result that is not an event.
"""

from collections.abc import Callable, Iterator
from typing import Any

from umpire_ledger.kit import (
    EACH,
    AccountChanged,
    Answer,
    Dice,
    Each,
    FreeScenario,
    Game,
    MarkerSet,
    Notation as HowToWrite,
    Order,
    Result,
    RuleViolation,
    Scenario,
    Sequence,
    Step,
    Title,
    UnitChanged,
    UnitMoved,
    does,
    fact,
    paid,
    set_up_pieces,
)

MAP = {"bend": "mill"}


def at_fault(options: Any, name: str) -> None:
    """Fail if the option `fault` names this function.

    Raises:
        KeyError: The function is the faulty one.
    """
    if options.get("fault") == name:
        MAP["the sea"]


class Tell(Order, frozen=True, kw_only=True, tag="tell"):
    """Return a faulty result."""

    what: str


class Pass(Order, frozen=True, kw_only=True, tag="pass"):
    """Pay a coin, without a fault."""


def stale_before(game: Game, dice: Dice) -> list[Result]:
    """Return two payments that start from the same balance."""
    return [*paid(game, "coins", 2), *paid(game, "coins", 3)]


def wrong_sum(game: Game, dice: Dice) -> list[Result]:
    return [AccountChanged(account="coins", amount=2, before=game.accounts.get("coins", 0), after=9)]


def wandering_unit(game: Game, dice: Dice) -> list[Result]:
    return [UnitMoved(unit="heron", path=("sea", "mill"))]


def unknown_unit(game: Game, dice: Dice) -> list[Result]:
    return [UnitChanged(unit="pike", attribute="bales", before=None, after=1)]


def lost_roll(game: Game, dice: Dice) -> list[Result]:
    """Leave the first of two rolls out of the results."""
    dice.roll("1d6", purpose="a try")
    return [dice.roll("1d6", purpose="the one that counts")]


def mended_pips(game: Game, dice: Dice) -> list[Result]:
    from umpire_ledger.kit import replace  # noqa: PLC0415 -- only this fault needs it

    return [replace(dice.roll("1d6", purpose="water"), pips=(9,), total=9)]


def no_list(game: Game, dice: Dice) -> Any:
    return None


def no_event(game: Game, dice: Dice) -> Any:
    return ["heron drifts"]


def crash(game: Game, dice: Dice) -> list[Result]:
    raise ZeroDivisionError("the river has no width")


def odd_crash(game: Game, dice: Dice) -> list[Result]:
    """Crash after odd rolls only."""
    roll = dice.roll("1d6", purpose="water")
    return [roll, *(paid(game, "coins", roll.total // (1 - roll.total % 2)))]


def odd_refusal(game: Game, dice: Dice) -> list[Result]:
    """Refuse the order after odd rolls only.

    Raises:
        RuleViolation: The roll is odd.
    """
    roll = dice.roll("1d6", purpose="water")
    if roll.total % 2:
        raise RuleViolation(f"{roll.total} is odd", where=game.where, rule="1", remedy="roll an even number")
    return [roll, *paid(game, "coins", 1)]


TELLS: dict[str, Callable[[Game, Dice], list[Result]]] = {
    one.__name__: one
    for one in (
        stale_before,
        wrong_sum,
        wandering_unit,
        unknown_unit,
        lost_roll,
        mended_pips,
        no_list,
        no_event,
        crash,
        odd_crash,
        odd_refusal,
    )
}


def decide_tell(game: Game, order: Tell, dice: Dice) -> list[Result]:
    return TELLS[order.what](game, dice)


def decide_pass(game: Game, _: Pass, dice: Dice) -> list[Result]:
    return paid(game, "coins", 1)


def ideas(game: Game, side: str) -> Iterator[Order]:
    at_fault(game.options, "tries")
    yield Pass(seat=side)


def crashing(game: Game, side: str) -> Iterator[Order]:
    """Suggest an order that crashes."""
    yield Tell(seat=side, what="crash")


def is_quiet(game: Game, side: str) -> bool:
    """Return True, or fail; called at the end of the first step."""
    at_fault(game.options, "fact")
    return True


def is_owed(game: Game, side: str) -> bool:
    """Return False, or fail; called by every view."""
    at_fault(game.options, "needs")
    return False


def players(game: Game) -> tuple[str, ...]:
    if game.cursor.frames[-1].of:
        at_fault(game.options, "role")
    return game.side_ids


def rafts(game: Game, side: str) -> tuple[str, ...]:
    at_fault(game.options, "set")
    return ("heron",)


def flows(game: Game) -> list[Result]:
    at_fault(game.options, "act")
    before = "dry" if game.options.get("fault") == "stale act" else game.markers.get("water")
    return [MarkerSet(marker="water", before=before, after="high")]


def plays(game: Game, side: str) -> bool:
    if game.accounts.get("coins"):
        at_fault(game.options, "plays_on")
    return True


def tells(game: Game) -> tuple[str, ...]:
    at_fault(game.options, "notation")
    return ("the water is high",)


class FaultyScenario(FreeScenario, frozen=True, kw_only=True):
    """Rafts on a river."""

    def published(self) -> "FaultyScenario":
        at_fault(self.options, "published")
        return self

    def sheets(self) -> dict[str, Any]:
        at_fault(self.options, "sheets")
        return {}

    def __post_init__(self) -> None:
        at_fault(self.options, "schema")


def set_up(scenario: Scenario) -> list[Any]:
    at_fault(scenario.options, "set_up")
    if scenario.options.get("fault") == "stale set_up":
        return [*set_up_pieces(scenario), *set_up_pieces(scenario)]
    return list(set_up_pieces(scenario))


TITLE = Title(
    id="faulty",
    name="Faulty",
    version="1",
    sequence=Sequence(
        steps=(
            Step(
                "1",
                "talking",
                by=EACH,
                allows=(Tell, Pass),
                rules=("1",),
                needs=~fact("something is owed", is_owed),
            ),
            Step("2", "the water", when=fact("it is quiet", is_quiet), rules=("2",)),
            Each(
                "3",
                "rafts",
                of="rafts",
                by="players",
                steps=(Step("3a", "rafting", by="players", answers=(Answer("on"),), rules=("3",)),),
            ),
        )
    ),
    orders=(does(Tell, decide_tell, tries=crashing), does(Pass, decide_pass, tries=ideas)),
    options={"fault": ""},
    roles={"players": players},
    sets={"rafts": rafts},
    acts={"2": flows},
    scenario=FaultyScenario,
    set_up=set_up,
    plays_on=plays,
    notation=HowToWrite(
        tells=tells,
        date=lambda game: "spring",
        stack=lambda game, units: "",
        losses=lambda game, at, lost, hurt: "",
    ),
)
