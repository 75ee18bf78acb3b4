"""Report the outcome of an order to its seat: a sentence with the visible part, and the current state of play."""

from collections.abc import Mapping
from typing import Any

import msgspec

import umpire_ledger as umpire
from umpire_ledger.cli.printing import print_json, say

OTHER_DICE = "dry run: these dice use a different seed, so the game will roll different results"


def say_outcome(
    outcome: umpire.Outcome,
    as_json: bool,
    *,
    records: bool = False,
    summary: str = "",
    more: Mapping[str, Any] | None = None,
) -> None:
    """Print one sentence for each order, or only `summary`, and the state of play.

    Args:
        outcome: The outcome as its seat may see it.
        as_json: Print JSON instead.
        records: Also print the order's records.
        summary: Print this line instead of the sentences.
        more: Further keys of the JSON.

    Raises:
        DomainError: When the order was not carried out; raised after everything is printed.
    """
    if as_json:
        print_json({**_as_json(outcome), **(more or {})})
        outcome.verify_carried_out()
        return
    if outcome.repeated:
        say("Already recorded under this id; the first result was:")
    say(*([summary] if summary else told_lines(outcome)))
    if records:
        say(*(f"  #{record.position}  {record.text}" for record in outcome.records))
    say(*end_lines(outcome))
    say(f"now · {outcome.where}")
    outcome.verify_carried_out()


def end_lines(outcome: umpire.Outcome) -> list[str]:
    """Return the ended steps, the forfeited actions, and the reason why the order stopped; [] for other orders."""
    if not outcome.stopped:
        return []
    lost = [f"forfeited: {one}" for one in outcome.forfeited]
    return [f"ended: {', '.join(outcome.left)}", *lost, f"stopped: {outcome.stopped}"]


def told_lines(outcome: umpire.Outcome) -> list[str]:
    """Return the order and its results as lines; the first line begins with the position of the order."""
    first = next((f"#{record.position}  " for record in outcome.records), "")
    return [f"{first if at == 0 else ''}{text}" for at, text in enumerate(outcome.told)]


def _as_json(outcome: umpire.Outcome) -> Mapping[str, Any]:
    return {
        "game": outcome.game,
        "command": outcome.command,
        "repeated": outcome.repeated,
        "position": outcome.position,
        "where": outcome.where,
        "ended": outcome.ended,
        "told": outcome.told,
        **({"dice": outcome.dice} if outcome.dice else {}),
        "carried_out": outcome.carried_out,
        **({} if outcome.carried_out else {"refused": outcome.refused, "fault": outcome.fault}),
        **({"left": outcome.left, "stopped": outcome.stopped} if outcome.stopped else {}),
        **({"forfeited": outcome.forfeited} if outcome.forfeited else {}),
        "events": [
            {"position": record.position, "text": record.text, **msgspec.to_builtins(record.event)}
            for record in outcome.records
            if record.event is not None
        ],
    }
