"""Hide secrets in refusals of orders that the referee enters for a side, if secrets are closed to the referee.

An order is decided on the state of the whole game, so a refusal may quote the side's secrets, for example its cards.
The referee reads the refusal only if the order is refused in the same words on the records that the referee may see.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from umpire_ledger.desk.core.adapters import LedgerHistory, place_words
from umpire_ledger.desk.core.authorship import hand_of
from umpire_ledger.desk.core.order_checks import TypoCheck
from umpire_ledger.domain.game.errors import RuleViolation
from umpire_ledger.domain.game.events import AnyEvent
from umpire_ledger.domain.game.evolve import fold
from umpire_ledger.domain.game.order_json import read_order
from umpire_ledger.domain.game.orders import Note
from umpire_ledger.domain.game.sealed_choices import CLOSED_TO_REFEREE
from umpire_ledger.domain.game.state import REFEREE, Game
from umpire_ledger.domain.history.end_of_game_reveal import CLOSED_RULE
from umpire_ledger.domain.kit.title import Title
from umpire_ledger.domain.play.decide import decide
from umpire_ledger.domain.play.re_decide import UNDECIDED
from umpire_ledger.ledger.ledger import Ledger
from umpire_ledger.projections.record.visible_record import decode_for_fold
from umpire_ledger.projections.tables.seat_visibility import sees

PUBLIC_RULES = (CLOSED_RULE, "keys", "command ids")
"""Rules of refusals that quote no secret."""
PARTS = ("what", "where", "rule", "remedy", "code", "fields")


def refusal_for_hand(
    ledger: Ledger[Game],
    game_id: str,
    title: Title,
    raw: Mapping[str, Any],
    refusal: RuleViolation,
    typo_check: TypoCheck,
) -> RuleViolation:
    """Return a refusal as the seat that gave the order may read it."""
    game = ledger.state(game_id)
    seat = str(raw.get("as", ""))
    is_entered = hand_of(raw) == REFEREE and bool(game.side_of(seat))
    if not (is_entered and game.options.get(CLOSED_TO_REFEREE)) or refusal.rule in PUBLIC_RULES:
        return refusal
    if _parts(refusal) == _parts(_refusal_as_seen(ledger, game, title, raw, typo_check)):
        return refusal
    what, remedy = (
        f"the order is refused, but only {seat} may see the reason",
        f"let {seat} give the order: `--as {seat}`",
    )
    return RuleViolation(what, where=place_words(game), rule=CLOSED_RULE, remedy=remedy)


def _parts(refusal: RuleViolation | None) -> tuple[object, ...]:
    return tuple(getattr(refusal, part, None) for part in PARTS)


def _refusal_as_seen(
    ledger: Ledger[Game], game: Game, title: Title, raw: Mapping[str, Any], typo_check: TypoCheck
) -> RuleViolation | None:
    """Return the refusal of the order in the game that the referee may see; None if it is accepted or undecidable."""
    seen = fold(Game(), _seen_events(ledger, game))
    try:
        sent = read_order(title, raw, place_words(seen))
        if isinstance(sent.order, Note) and sent.order.instead_of:
            return None  # the refusal depends on the note itself
        decide(title, seen, sent, LedgerHistory(ledger, game.id))
    except RuleViolation as refusal:
        return typo_check(title, seen, raw, refusal)
    except UNDECIDED:
        return None
    return None


def _seen_events(ledger: Ledger[Game], game: Game) -> Iterator[AnyEvent]:
    """Yield the events of the current branch that the referee may see."""
    for record in map(decode_for_fold, ledger.branch_bytes(game.id)):
        if record.event is not None and sees(game, REFEREE, record.position, record.visible_to):
            yield record.event
