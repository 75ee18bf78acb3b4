"""Open a game from a scenario, and copy a game up to a position."""

import secrets
from collections.abc import Mapping

from umpire_ledger.desk.core.adapters import LedgerHistory, drafts_of
from umpire_ledger.desk.core.copied_games import note_home
from umpire_ledger.desk.core.order_ids import new_command
from umpire_ledger.domain.game.errors import RuleViolation
from umpire_ledger.domain.game.events import AnyEvent, DiceMode, GameCopied, RestrictedEvent, Value
from umpire_ledger.domain.game.state import REFEREE, Game
from umpire_ledger.domain.history.dice_seeds import commit_to_seed
from umpire_ledger.domain.kit.title import Title
from umpire_ledger.domain.play import scenario_check
from umpire_ledger.domain.play.game_setup import open_game, scenario_for
from umpire_ledger.ledger.ledger import Ledger
from umpire_ledger.ledger.order_batches import PendingOrder
from umpire_ledger.ledger.records.errors import CommitUnknown, GameExists
from umpire_ledger.ledger.records.record import check_game_id
from umpire_ledger.ledger.writing import LOOK_AT_GAMES


def new_game(
    ledger: Ledger[Game],
    title: Title,
    scenario_text: str,
    *,
    game_id: str,
    dice: DiceMode | None = None,
    options: Mapping[str, Value] | None = None,
) -> None:
    """Open a game of a title from the text of a scenario file.

    The errors are those of `opening_of` and `begin`.
    """
    begin(ledger, game_id, opening_of(title, scenario_text, game_id=game_id, dice=dice, options=options))


def opening_of(
    title: Title,
    scenario_text: str,
    *,
    game_id: str,
    dice: DiceMode | None = None,
    options: Mapping[str, Value] | None = None,
    keys: Mapping[str, str] | None = None,
) -> PendingOrder:
    """Return the order that opens a game, decided but not recorded, so that an invalid scenario creates no ledger.

    Args:
        keys: The public key that signs a seat's orders, by seat.

    Raises:
        ScenarioError: When the scenario is not valid.
        CannotBeWritten: When the id is not valid.
        RuleViolation: When a key is not valid for a seat.
    """
    check_game_id(game_id)
    scenario = scenario_for(title, scenario_text)
    decision = open_game(
        title,
        scenario,
        game_id=game_id,
        dice=dice or scenario.dice,
        seed=secrets.token_hex(32),
        options=options or {},
        keys=keys,
    )
    drafts = drafts_of(decision.told, None)
    return PendingOrder(seat=REFEREE, command=new_command(), drafts=drafts, state=decision.game)


def left_to_table(title: Title, scenario_text: str) -> tuple[str, ...]:
    """Return the parts that a valid scenario leaves to the table, each with its rules and a remedy."""
    found = scenario_check.left_to_table(title, scenario_for(title, scenario_text))
    return tuple(f"{one.what} · {one.rule}: {one.remedy}" for one in found)


def begin(ledger: Ledger[Game], game_id: str, opening: PendingOrder) -> None:
    """Record the order that opens a game.

    Raises:
        GameExists: When the ledger has a game with this id.
    """
    if ledger.size(game_id):
        raise GameExists(game=game_id, reason="it has already started")
    try:
        ledger.append_many(game_id, after=0, orders=(opening,))
    except CommitUnknown as unknown:
        raise unknown.of(f"the game {game_id} was opened", remedy=LOOK_AT_GAMES) from unknown
    note_home(ledger)


def between_orders(ledger: Ledger[Game], game_id: str, at: int) -> int:
    """Return the position, or, if it is inside an order, the end of the order before it.

    Raises:
        NoSuchGame: When the ledger has no such game.
        NoSuchRecord: When the game has no such position.
        RuleViolation: When the position is inside the setup.
    """
    first, last = LedgerHistory(ledger, game_id).order_at(ledger.record(game_id, at).position)
    if at == last:
        return at
    if first == 1:
        what = f"#{at} is inside the opening of the game, #1 to #{last}"
        raise RuleViolation(
            what,
            where=ledger.state(game_id, at).where,
            rule="positions",
            remedy=f"use #{last}",
            code="inside-the-opening",
            fields={"found": at, "last": last},
        )
    return first - 1


def fork(ledger: Ledger[Game], game_id: str, at: int, new_id: str) -> Game:
    """Copy a game up to a position under another id. Its ledger dice get a new seed.

    Args:
        at: The end of an order.

    Raises:
        GameExists: When the ledger has a game with the new id.
        NoSuchGame: When the ledger has no such game.
        NoSuchRecord: When the game has no such position.
        CannotBeWritten: When the new id is not valid.
    """
    state = ledger.state(game_id, at)
    told: tuple[AnyEvent | RestrictedEvent, ...] = (GameCopied(of=game_id, at=at, game=new_id),)
    if state.dice == "ledger" and not state.dice_open:
        # A copy with the original's dice would reveal the next rolls of the original.
        told += commit_to_seed(secrets.token_hex(32), new_id)
    ledger.fork(game_id, at, new_id, PendingOrder(seat=REFEREE, command=new_command(), drafts=drafts_of(told, None)))
    return ledger.state(new_id)
