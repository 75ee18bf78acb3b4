"""Reveal all secrets after the end of a game.

If the referee may see secrets, the referee reveals them all. If secrets are closed to the referee, a referee could end
a game early to read them. So each side agrees for itself, and the last one reveals all secrets. They stay revealed
after every rewind; secrets recorded later stay closed until the next reveal. In such games only the side itself gives
an order that reveals its secrets. The referee may enter its other orders.
"""

from collections.abc import Iterable

from umpire_ledger.domain.game.errors import RuleViolation
from umpire_ledger.domain.game.events import AnyEvent, ChoiceRevealed, NoteOpened, RestrictedEvent, SecretsOpened
from umpire_ledger.domain.game.order_json import Sent
from umpire_ledger.domain.game.orders import OpenSecrets, OpenWords
from umpire_ledger.domain.game.refusal_catalogue import refusal
from umpire_ledger.domain.game.sealed_choices import CLOSED_TO_REFEREE
from umpire_ledger.domain.game.state import REFEREE, Game
from umpire_ledger.domain.history.history import History
from umpire_ledger.domain.history.refusals import REFUSALS

RULE = "secrets are opened when the game is over"
CLOSED_RULE = "secrets closed to the referee"


def decide_open_secrets(game: Game, order: OpenSecrets, history: History) -> SecretsOpened:
    """Reveal all secrets up to this record, or record a side's agreement.

    Raises:
        RuleViolation: The game is not over, the seat may not reveal secrets, the side has agreed already, or everything
            is revealed.
    """
    if not game.ended:
        raise _refuse(game, "game-not-over")
    if game.secrets_open and game.secrets_open == history.tip:
        raise _refuse(game, "revealed-already")
    side = game.side_of(order.seat)
    if not game.options.get(CLOSED_TO_REFEREE):
        if side:
            raise _refuse(game, "only-the-referee-reveals")
        return SecretsOpened(upto=history.tip + 1)
    if not side:
        raise _refuse(game, "each-side-reveals")
    missing = [one for one in game.side_ids if one != side and one not in game.agreed_to_open]
    if side in game.agreed_to_open:
        raise _refuse(game, "agreed-already", side=side, missing=missing)
    return SecretsOpened(side=side, upto=0 if missing else history.tip + 1)


def is_entered_blindly(game: Game, sent: Sent) -> bool:
    """Return whether the referee enters an order for a side whose secrets are closed to the referee."""
    return _is_closed_to(game, sent.hand) and bool(game.side_of(sent.order.seat))


def verify_hand_may_ask(game: Game, sent: Sent) -> None:
    """Check that the referee does not enter an order that reads and reveals a side's secrets.

    Raises:
        RuleViolation: Secrets are closed to the referee, and the referee enters such an order for a side.
    """
    if isinstance(sent.order, OpenSecrets | OpenWords) and is_entered_blindly(game, sent):
        raise _reserved(game, game.side_of(sent.order.seat))


def verify_may_try(game: Game, seat: str, hand: str) -> None:
    """Check that the referee does not try an order of a side, because its legality may depend on the side's secrets.

    Raises:
        RuleViolation: Secrets are closed to the referee, and the referee tries an order for a side.
    """
    if _is_closed_to(game, hand) and (side := game.side_of(seat)):
        raise refusal(
            RuleViolation,
            REFUSALS,
            "only-the-side-tries",
            {"side_tries": game.side_does(side, "can try"), "side_id": side},
            where=game.where,
            rule=CLOSED_RULE,
        )


def verify_opens_own(
    game: Game, hand: str, told: Iterable[AnyEvent | RestrictedEvent], known: Iterable[AnyEvent] = ()
) -> None:
    """Check that each side gives the orders that reveal its own secrets, if secrets are closed to the referee.

    Args:
        hand: The seat that gives the order.
        known: Events that have revealed secrets before.

    Raises:
        RuleViolation: The referee gives such an order, in their own name or for a side.
    """
    if not _is_closed_to(game, hand):
        return
    open_already = set(map(_opened_by, known))
    for one in told:
        event, seen = (one.event, REFEREE in one.visible_to) if isinstance(one, RestrictedEvent) else (one, True)
        opened = _opened_by(event)
        if seen and opened[0] in game.side_ids and opened not in open_already:
            raise _reserved(game, opened[0])


def _is_closed_to(game: Game, hand: str) -> bool:
    return hand == REFEREE and bool(game.options.get(CLOSED_TO_REFEREE))


def _opened_by(event: AnyEvent) -> tuple[str, str | int]:
    """Return the side whose secret an event reveals, and the secret; ("", "") if it reveals none."""
    match event:
        case ChoiceRevealed(side=side, question=question):
            return side, question
        case NoteOpened(side=side, note=note, withdrawn=False):
            return side, note
        case SecretsOpened(side=side):
            return side, ""
        case _:
            return "", ""


def _reserved(game: Game, side: str) -> RuleViolation:
    return refusal(
        RuleViolation,
        REFUSALS,
        "only-the-side-reveals",
        {"side": game.side_name(side), "side_id": side},
        where=game.where,
        rule=CLOSED_RULE,
    )


def _refuse(game: Game, code: str, /, **fields: object) -> RuleViolation:
    return refusal(RuleViolation, REFUSALS, code, fields, where=game.where, rule=RULE, names=game.seat_names)
