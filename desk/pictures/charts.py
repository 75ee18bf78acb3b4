"""Draw charts of a game as a seat knows it, reading only the data of the chart."""

from collections.abc import Iterable
from datetime import timedelta

from umpire_ledger.desk.core.adapters import find_title
from umpire_ledger.desk.core.durations import span
from umpire_ledger.desk.core.errors import WrongUse
from umpire_ledger.desk.core.open_game import OpenGame
from umpire_ledger.desk.pictures.pictures import board_of
from umpire_ledger.domain.game.dice_notation import parse
from umpire_ledger.domain.game.nearest import nearest
from umpire_ledger.domain.game.state import Game
from umpire_ledger.projections.pictures.charts import (
    KINDS,
    Chart,
    ChartSubject,
    accounts_chart,
    dice_chart,
    losses_chart,
    time_chart,
)
from umpire_ledger.projections.pictures.counters import with_colors
from umpire_ledger.projections.questions.by_turn import ByTurn, by_turn
from umpire_ledger.projections.questions.dice_statistics import totals
from umpire_ledger.projections.questions.rolls import ThrownRoll, thrown
from umpire_ledger.projections.questions.sums import Sums, sums
from umpire_ledger.projections.questions.times import times
from umpire_ledger.projections.record.outcome_phrases import is_kept
from umpire_ledger.projections.record.sentence_context import words_of
from umpire_ledger.projections.tables.copies import copy_words
from umpire_ledger.projections.tables.order_history import orders_on_branch

__all__ = ("KINDS", "chart_of")


def chart_of(
    game: OpenGame,
    seat: str,
    known: Game,
    kind: str,
    *,
    all_lines: bool = False,
    pause: timedelta | str | None = None,
) -> Chart:
    """Return a chart by its kind. `known`: the game as the seat knows it.

    Raises:
        WrongUse: When the kind is unknown, or the pause is not a length of time.
    """
    drawn = with_colors(known.sides, board_of(game.title, known))
    of = ChartSubject(game=game.id, name=known.name, sides=drawn, copied=copy_words(game.copied))
    match kind:
        case "dice":
            rolls = thrown(game.ledger, game.id, seat)
            fresh = [one for one in rolls if (one.counts or all_lines) and not one.kept]
            fallen = tuple(totals([one.judged for one in fresh]))
            sides = {one.seat: known.side_of(one.seat) for one in fresh}
            return dice_chart(of, fallen, _together(fresh), sides)
        case "accounts":
            return accounts_chart(of, _by_turn(game, seat))
        case "losses":
            return losses_chart(of, _by_turn(game, seat))
        case "time":
            return time_chart(
                of, times(game.ledger, game.id, find_title, span(pause) if isinstance(pause, str) else pause)
            )
        case other:
            near = nearest(other, KINDS)
            hint = f"did you mean {' or '.join(near)}? " if near else ""
            remedy = f"{hint}choose one of {', '.join(KINDS)}"
            raise WrongUse(f"there is no chart of {other}", where="the chart", rule="kinds of charts", remedy=remedy)


def _together(rolls: Iterable[ThrownRoll]) -> list[Sums]:
    """Return the sums of all rolls of two or more dice, by number of dice and faces."""
    found: dict[tuple[int, int], list[int]] = {}
    for one in rolls:
        dice = parse(one.event.dice)
        if dice.number > 1:
            found.setdefault((dice.number, dice.faces), []).append(sum(one.event.pips))
    return [sums(*dice, thrown) for dice, thrown in sorted(found.items())]


def _by_turn(game: OpenGame, seat: str) -> ByTurn:
    words = words_of(game.title)
    return by_turn(orders_on_branch(game.ledger, game.id, seat), lambda event: is_kept(words, event))
