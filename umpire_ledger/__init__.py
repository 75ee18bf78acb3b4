"""Umpire: an event-sourced ledger for referees of board wargames.

    import umpire_ledger as umpire

    with umpire.open("umpire.db") as desk:
        harbour = desk.new("war-galley", "great-harbour.toml", id="harbour", dice="table")
        outcome = harbour.seat("athens").order("roll-wind", pips=[3, 4])

A `Desk` is a ledger, a `PlayedGame` one of its games, a `Seat` a seat of a game, and a `Position` a position in it. You
give orders and read the game through a seat, and get only what that seat may see. The referee is a seat too. Errors
have the attributes `what`, `where`, `rule` and `remedy`. `umpire_ledger.kit` is for authors of titles, and
`umpire_ledger.testing` is for their tests.
"""

from typing import TYPE_CHECKING, Any

from umpire_ledger.desk.core.edition import EDITION as __version__

if TYPE_CHECKING:
    from pathlib import Path

    from umpire_ledger.desk.cases.case_check import CheckedCase, verify_case
    from umpire_ledger.desk.core.copied_games import Restored
    from umpire_ledger.desk.core.dice_use import DiceUse
    from umpire_ledger.desk.core.errors import (
        EXPECTED,
        DeliveryUnconfirmed,
        NoSuchSeat,
        NotSent,
        NotThere,
        PerhapsSent,
        Problem,
        WrongUse,
        problem_of,
    )
    from umpire_ledger.desk.core.outcomes import Amendment, Outcome, SeenRecord
    from umpire_ledger.desk.desk import Desk
    from umpire_ledger.desk.game import PlayedGame
    from umpire_ledger.desk.games.games_list import GameEntry
    from umpire_ledger.desk.games.record_stream import Following
    from umpire_ledger.desk.logs.archive import Archived
    from umpire_ledger.desk.logs.log_files import Checked, Exported, read_checkpoint, verify_file as verify
    from umpire_ledger.desk.logs.log_folders import BackedUp, LogLine
    from umpire_ledger.desk.logs.proofs import verify_proof
    from umpire_ledger.desk.logs.unredact import open_export
    from umpire_ledger.desk.logs.verifier import verifier
    from umpire_ledger.desk.notifications.email import Mbox, Server as MailServer, Smtp
    from umpire_ledger.desk.notifications.webhook import Webhook
    from umpire_ledger.desk.orders.file_lines import SkippedLine
    from umpire_ledger.desk.orders.file_play import Played
    from umpire_ledger.desk.orders.titles import OrderEntry, TitleEntry, orders, sequence, titles
    from umpire_ledger.desk.pictures.replay_pages import PageMade
    from umpire_ledger.desk.position import Position
    from umpire_ledger.desk.scenarios.scenario_files import Examined, check_scenario, scenario_schema, scenario_template
    from umpire_ledger.desk.scenarios.triplea import scenario_from_triplea
    from umpire_ledger.desk.seat import Seat
    from umpire_ledger.domain.game.errors import NoSuchTitle, RuleViolation as Refused, ScenarioError, TitleFault
    from umpire_ledger.domain.game.events import DiceMode, DiceSource, Value
    from umpire_ledger.domain.game.orders import Order
    from umpire_ledger.domain.game.state import Game, Unit
    from umpire_ledger.ledger.merkle.inclusion_proof import Proof
    from umpire_ledger.ledger.merkle.tree import Checkpoint
    from umpire_ledger.ledger.records.errors import (
        BrokenLedger,
        CannotBeWritten,
        CommitUnknown,
        GameExists,
        NoSuchGame,
        NoSuchRecord,
        PositionConflict,
        SomebodyWroteFirst,
        StoreUnavailable,
    )
    from umpire_ledger.ledger.unredact import Opened
    from umpire_ledger.projections.questions.times import Times
    from umpire_ledger.projections.questions.verification.inconsistent_events import Misfit
    from umpire_ledger.projections.reports.notices import Notice
    from umpire_ledger.projections.tables.turn_view import TurnView

_DESK = "umpire_ledger.desk"
_WHERE = {
    "Archived": f"{_DESK}.logs.archive:Archived",
    **{name: f"{_DESK}.cases.case_check:{name}" for name in ("CheckedCase", "verify_case")},
    "Desk": f"{_DESK}.desk:Desk",
    "DiceUse": f"{_DESK}.core.dice_use:DiceUse",
    "Restored": f"{_DESK}.core.copied_games:Restored",
    **{
        name: f"{_DESK}.core.errors:{name}"
        for name in (
            "EXPECTED",
            "NoSuchSeat",
            "NotSent",
            "NotThere",
            "DeliveryUnconfirmed",
            "PerhapsSent",
            "Problem",
            "WrongUse",
        )
    },
    "problem_of": f"{_DESK}.core.errors:problem_of",
    "Following": f"{_DESK}.games.record_stream:Following",
    **{name: f"{_DESK}.logs.log_files:{name}" for name in ("Checked", "Exported", "read_checkpoint")},
    **{name: f"{_DESK}.logs.log_folders:{name}" for name in ("BackedUp", "LogLine")},
    "scenario_from_triplea": f"{_DESK}.scenarios.triplea:scenario_from_triplea",
    "verifier": f"{_DESK}.logs.verifier:verifier",
    "verify": f"{_DESK}.logs.log_files:verify_file",
    **{name: f"{_DESK}.core.outcomes:{name}" for name in ("Amendment", "Outcome", "SeenRecord")},
    "GameEntry": f"{_DESK}.games.games_list:GameEntry",
    "PageMade": f"{_DESK}.pictures.replay_pages:PageMade",
    "Opened": "umpire_ledger.ledger.unredact:Opened",
    "open_export": f"{_DESK}.logs.unredact:open_export",
    "Proof": "umpire_ledger.ledger.merkle.inclusion_proof:Proof",
    "verify_proof": f"{_DESK}.logs.proofs:verify_proof",
    "PlayedGame": f"{_DESK}.game:PlayedGame",
    "Position": f"{_DESK}.position:Position",
    "Seat": f"{_DESK}.seat:Seat",
    **{
        name: f"{_DESK}.scenarios.scenario_files:{name}"
        for name in ("Examined", "check_scenario", "scenario_schema", "scenario_template")
    },
    "Played": f"{_DESK}.orders.file_play:Played",
    "SkippedLine": f"{_DESK}.orders.file_lines:SkippedLine",
    **{name: f"{_DESK}.orders.titles:{name}" for name in ("OrderEntry", "TitleEntry", "orders", "sequence", "titles")},
    **{name: f"{_DESK}.notifications.email:{name}" for name in ("Mbox", "Smtp")},
    "MailServer": f"{_DESK}.notifications.email:Server",
    "Webhook": f"{_DESK}.notifications.webhook:Webhook",
    "NoSuchTitle": "umpire_ledger.domain.game.errors:NoSuchTitle",
    "Refused": "umpire_ledger.domain.game.errors:RuleViolation",
    **{name: f"umpire_ledger.domain.game.errors:{name}" for name in ("ScenarioError", "TitleFault")},
    **{name: f"umpire_ledger.domain.game.values:{name}" for name in ("DiceMode", "DiceSource", "Value")},
    "Order": "umpire_ledger.domain.game.orders:Order",
    "Game": "umpire_ledger.domain.game.state:Game",
    "Unit": "umpire_ledger.domain.game.state:Unit",
    **{
        name: f"umpire_ledger.ledger.records.errors:{name}"
        for name in (
            *("BrokenLedger", "CannotBeWritten", "CommitUnknown", "GameExists", "NoSuchGame", "NoSuchRecord"),
            *("PositionConflict", "SomebodyWroteFirst", "StoreUnavailable"),
        )
    },
    "Checkpoint": "umpire_ledger.ledger.merkle.tree:Checkpoint",
    "Misfit": "umpire_ledger.projections.questions.verification.inconsistent_events:Misfit",
    "Notice": "umpire_ledger.projections.reports.notices:Notice",
    "Times": "umpire_ledger.projections.questions.times:Times",
    "TurnView": "umpire_ledger.projections.tables.turn_view:TurnView",
}
"""The module and attribute of each public name. Each is imported on first use, because `umpire status` needs none."""


def open(where: "str | Path", *, read_only: bool = False) -> "Desk":
    """Return the desk for the ledger in an SQLite file or in ":memory:". The ledger is opened only when it is needed.

    The first game that is opened or imported creates a missing file. Reading from a missing file raises
    `StoreUnavailable`.
    """
    from umpire_ledger.desk.desk import Desk  # noqa: PLC0415 -- as `_WHERE` says

    return Desk(where, read_only=read_only)


def __getattr__(name: str) -> Any:
    if name not in _WHERE:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module  # noqa: PLC0415 -- as `_WHERE` says

    module, _, attribute = _WHERE[name].partition(":")
    found = getattr(import_module(module), attribute)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted(__all__)


__all__ = [
    "EXPECTED",
    "Amendment",
    "Archived",
    "BackedUp",
    "BrokenLedger",
    "CannotBeWritten",
    "Checked",
    "CheckedCase",
    "Checkpoint",
    "CommitUnknown",
    "DeliveryUnconfirmed",
    "Desk",
    "DiceMode",
    "DiceSource",
    "DiceUse",
    "Examined",
    "Exported",
    "Following",
    "Game",
    "GameEntry",
    "GameExists",
    "LogLine",
    "MailServer",
    "Mbox",
    "Misfit",
    "NoSuchGame",
    "NoSuchRecord",
    "NoSuchSeat",
    "NoSuchTitle",
    "NotSent",
    "NotThere",
    "Notice",
    "Opened",
    "Order",
    "OrderEntry",
    "Outcome",
    "PageMade",
    "PerhapsSent",
    "Played",
    "PlayedGame",
    "Position",
    "PositionConflict",
    "Problem",
    "Proof",
    "Refused",
    "Restored",
    "ScenarioError",
    "Seat",
    "SeenRecord",
    "SkippedLine",
    "Smtp",
    "SomebodyWroteFirst",
    "StoreUnavailable",
    "Times",
    "TitleEntry",
    "TitleFault",
    "TurnView",
    "Unit",
    "Value",
    "Webhook",
    "WrongUse",
    "__version__",
    "check_scenario",
    "open",
    "open_export",
    "orders",
    "problem_of",
    "read_checkpoint",
    "scenario_from_triplea",
    "scenario_schema",
    "scenario_template",
    "sequence",
    "titles",
    "verifier",
    "verify",
    "verify_case",
    "verify_proof",
]
