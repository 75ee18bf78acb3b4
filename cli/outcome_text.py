"""Telling a seat what came of its order: the records it may see, and where play stands now."""

from collections.abc import Mapping
from typing import Any

import msgspec

import umpire_ledger as umpire
from umpire_ledger.cli.printing import print_json, say


def say_outcome(
    outcome: umpire.Outcome, as_json: bool, *, summary: str = "", more: Mapping[str, Any] | None = None
) -> None:
    """One line a record, or with `summary` that line alone, and where play stands. `more` goes with the JSON."""
    if as_json:
        print_json({**_as_json(outcome), **(more or {})})
        return
    if outcome.repeated:
        say("this order was given before; its first answer:")
    say(*([summary] if summary else [f"#{record.position}  {record.text}" for record in outcome.records]))
    if outcome.stopped:
        say(f"left: {', '.join(outcome.left)}", f"stopped: {outcome.stopped}")
    say(f"now · {outcome.where}")


def _as_json(outcome: umpire.Outcome) -> Mapping[str, Any]:
    return {
        "game": outcome.game,
        "command": outcome.command,
        "repeated": outcome.repeated,
        "position": outcome.position,
        "where": outcome.where,
        "ended": outcome.ended,
        **({"left": outcome.left, "stopped": outcome.stopped} if outcome.stopped else {}),
        "events": [
            {"position": record.position, "text": record.text, **msgspec.to_builtins(record.event)}
            for record in outcome.records
            if record.event is not None
        ],
    }
