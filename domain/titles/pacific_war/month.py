"""End a month (5.4), suspend the operation, and resume it by one of four rules.

The Day Track is a ring of Month Begin (0) and the days 1 to 30. In 5.1.R the marker moves one day at a time, so it can
only enter Month Begin. In 5.2.O it moves two days, so it can also pass through Month Begin. The resume rule depends on
the situation at the moment when the month ends. If the last activated unit leaves play during the first phases of the
new month, 5.3 ends the operation instead.
"""

from umpire_ledger.domain.titles.pacific_war.pieces import takes_part, unmarked, withdrawn
from umpire_ledger.kit import Asks, Game, Result, Value, marked, names_in

RING = 31
"""The spaces of the Day Track: Month Begin and 30 days."""
TRIGGER = "month_ends"
ENTERED_IN_R, ENTERED_IN_O, PASSED_IN_O, NO_BID = "entered in 5.1.R", "entered in 5.2.O", "passed in 5.2.O", "no bid"
CASE = "resume_case"
RESUMES = {"a": "5.1.R", "b": "5.1.O", "c": "5.2.A", "d": "5.1.O", "o": "5.1.O"}
SUSPENDED_IN = {"a": "5.1.R", "b": "5.1.R", "c": "5.2.O"}


# --- the marker moves -------------------------------------------------------------------------------------------------


def days_left(game: Game) -> int:
    """Return the number of single days that take the marker into Month Begin."""
    return RING - game.number("day")


def one_day_on(game: Game) -> list[Result]:
    """Move the Day marker one space in 5.1.R; entering Month Begin ends the month."""
    day = (game.number("day") + 1) % RING
    moved = marked(game, "day", day, "a day at sea", "5.1.R [23.4]")
    return [*moved, *(marked(game, TRIGGER, ENTERED_IN_R, rule="5.4") if day == 0 else [])]


def two_days_on(game: Game) -> list[Result]:
    """Move the Day marker two spaces in 5.2.O; from 29 it enters Month Begin, from 30 it passes through into 1."""
    before = game.number("day")
    day = (before + 2) % RING
    trigger = {29: ENTERED_IN_O, 30: PASSED_IN_O}.get(before)
    moved = marked(game, "day", day, "a battle cycle", "5.2.O [32.3]")
    return [*moved, *(marked(game, TRIGGER, trigger, rule="5.4") if trigger else [])]


# --- conditions -------------------------------------------------------------------------------------------------------


def month_is_over(game: Game, _: str) -> bool:
    return bool(game.markers.get(TRIGGER))


def month_entered(game: Game, _: str) -> bool:
    return game.markers.get(TRIGGER) in (ENTERED_IN_R, ENTERED_IN_O)


def month_passed(game: Game, _: str) -> bool:
    return game.markers.get(TRIGGER) == PASSED_IN_O


def nobody_bid(game: Game, _: str) -> bool:
    return game.markers.get(TRIGGER) == NO_BID


def last_month(game: Game, _: str) -> bool:
    """Return whether the month that just ended is the last of the scenario."""
    return game.number("month") >= len(months(game))


def months(game: Game) -> tuple[str, ...]:
    return names_in(game, "months")


def resumes_by(case: str) -> Asks:
    """Return a check whether a resume rule applies: `a` to `d` as printed, or `o` without an operation."""

    def applies(game: Game, _: str) -> bool:
        return game.markers.get(CASE) == case

    return applies


def all_vanished(game: Game, _: str) -> bool:
    """Return whether an operation has lost its last activated unit since it was suspended."""
    return game.markers.get(CASE) in ("a", "c") and not takes_part(game)


# --- automatic actions ------------------------------------------------------------------------------------------------


def begin_month(game: Game) -> list[Result]:
    """Move the Month marker one space; at the start of the game, this is the first month."""
    number = game.number("month") + 1
    name: Value = months(game)[number - 1]
    return [
        *marked(game, "month", number, rule="5.4"),
        *marked(game, "month_name", name, rule="5.4"),
        *unmarked(game, "submarine_priority"),
    ]


def case_of(game: Game) -> str:
    """Return the letter of the resume rule for the situation when the month ended."""
    trigger = game.markers.get(TRIGGER)
    if trigger == NO_BID:
        return "o"
    if trigger == ENTERED_IN_R:
        return "a" if takes_part(game, str(game.markers.get("operation_player"))) else "b"
    return "c" if takes_part(game) else "d"


def suspend(game: Game) -> list[Result]:
    """Suspend the operation in progress, and record the step in which it resumes.

    Without an operation, the new month begins at Month Begin.
    """
    case = case_of(game)
    place = SUSPENDED_IN.get(case)
    held = f"operation {game.number('operation')} in {place}" if place else None
    return [
        *marked(game, CASE, case, str(game.markers[TRIGGER]), "5.4"),
        *marked(game, "suspended", held, rule="5.4"),
        *marked(game, "resumes_in", RESUMES[case], rule="5.4"),
        *(marked(game, "operation_state", "suspended", rule="5.4") if place else []),
        *(marked(game, "day", 0, "no operation: the new month begins", "5.4") if case == "o" else []),
        *unmarked(game, TRIGGER),
    ]


def resume(game: Game) -> list[Result]:
    """Resume play at the step in which the operation was suspended."""
    return [*_no_longer_suspended(game), *marked(game, "operation_state", "under way", rule="5.4")]


def give_up(game: Game) -> list[Result]:
    """End the operation; its Reaction player may claim the next one without a bid."""
    return [
        *_no_longer_suspended(game),
        *marked(game, "operation_state", "over", rule="5.4"),
        *marked(game, "may_claim", game.markers.get("reaction_player"), rule="5.4"),
        *withdrawn(game, "5.4"),
    ]


def begin_anew(game: Game) -> list[Result]:
    """Clear the suspension, so that the sides bid for the next operation."""
    return _no_longer_suspended(game)


def _no_longer_suspended(game: Game) -> list[Result]:
    return unmarked(game, CASE, "suspended", "resumes_in")
