"""The peer: the same events in a stock aggregate of the eventsourcing library, stock recorder, stock transcoding."""

import itertools
from pathlib import Path
from typing import Any
from uuid import UUID

import msgspec
from eventsourcing.application import Application
from eventsourcing.domain import Aggregate, event

from tests.benchmarks.games import mixed, opening


class StockGame(Aggregate):
    """Units, accounts and markers in plain dictionaries."""

    def __init__(self) -> None:
        self.units: dict[str, dict[str, Any]] = {}
        self.accounts: dict[str, int] = {}
        self.markers: dict[str, Any] = {}
        self.open: list[str] = []
        self.rolls = 0

    @event("Happened")
    def happened(self, kind: str, body: dict[str, Any]) -> None:
        match kind:
            case "unit.placed":
                self.units[body["unit"]] = {"at": body["at"], **body.get("attributes", {})}
            case "unit.moved":
                self.units[body["unit"]]["at"] = body["path"][-1]
            case "unit.changed":
                self.units[body["unit"]][body["attribute"]] = body["after"]
            case "account.changed":
                self.accounts[body["account"]] = body["after"]
            case "marker.set":
                self.markers[body["marker"]] = body["after"]
            case "dice.rolled":
                self.rolls += 1
            case "step.opened":
                self.open.append(body["step"])
            case "step.closed":
                self.open.clear()


class StockLedger(Application[UUID]):
    """The library as it comes."""


def fill_stock(file: Path, records: int) -> tuple[StockLedger, UUID]:
    """Fill the stock library's ledger with the measured game's events."""
    application = StockLedger({"PERSISTENCE_MODULE": "eventsourcing.sqlite", "SQLITE_DBNAME": str(file)})
    game = StockGame()
    for number, one in enumerate(itertools.islice(itertools.chain(opening(), mixed()), records)):
        body = msgspec.to_builtins(one)
        game.happened(body.pop("type"), {key: list(v) if isinstance(v, tuple) else v for key, v in body.items()})
        if number % 500 == 499:
            application.save(game)
    application.save(game)
    return application, game.id


def open_stock(application: StockLedger, game: UUID) -> None:
    """Rebuild the aggregate from its events."""
    application.repository.get(game)
