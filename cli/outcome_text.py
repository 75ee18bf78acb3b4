"""Telling a seat what came of its order: the records it may see, and where play stands now."""

from collections.abc import Mapping
from typing import Any

import click
import msgspec

from umpire_ledger.cli.printing import print_json
from umpire_ledger.desk.sitting import Outcome
from umpire_ledger.desk.wiring import event_of
from umpire_ledger.ledger.record import Record
from umpire_ledger.projections.record.prose import text_of
from umpire_ledger.projections.tables.knowledge import sees


def say_outcome(
    outcome: Outcome, game_id: str, as_json: bool, *, summary: str = "", more: Mapping[str, Any] | None = None
) -> None:
    """One line a record, or with `summary` that line alone, and where play stands. `more` goes with the JSON."""
    seat = outcome.records[0].seat
    seen = [
        record for record in outcome.records if record.visible_to is None or sees(outcome.game, seat, record.visible_to)
    ]
    if as_json:
        print_json({**_as_json(outcome, game_id, seen), **(more or {})})
        return
    if outcome.repeated:
        click.echo("this order was given before; its first answer:")
    for line in [summary] if summary else [f"#{record.position}  {_said(record)}" for record in seen]:
        click.echo(line)
    click.echo(f"now · {outcome.game.where}")


def _said(record: Record) -> str:
    event = event_of(record)
    return text_of(event) if event is not None else "withheld"


def _as_json(outcome: Outcome, game_id: str, seen: list[Record]) -> Mapping[str, Any]:
    return {
        "game": game_id,
        "command": outcome.records[0].command,
        "repeated": outcome.repeated,
        "position": outcome.records[-1].position,
        "where": outcome.game.where,
        "ended": outcome.game.ended,
        "events": [
            {"position": record.position, "text": _said(record), **msgspec.json.decode(bytes(record.event))}
            for record in seen
            if not record.redacted
        ],
    }
