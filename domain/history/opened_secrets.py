"""Secrets laid open when the game is over: what only some could see, everybody may see from then on.

Where the referee sees all secrets, the referee opens them. Where they are closed to the referee, the referee could end
a game early to read them: so each side agrees for itself, and the last one opens everything. What is open stays open,
whatever is rewound; what is recorded behind the opening is secret again until the next.
"""

from umpire_ledger.domain.game.errors import RuleViolation
from umpire_ledger.domain.game.events import SecretsOpened
from umpire_ledger.domain.game.orders import OpenSecrets
from umpire_ledger.domain.game.secrets import CLOSED_TO_REFEREE
from umpire_ledger.domain.game.state import Game
from umpire_ledger.domain.history.past import Past

RULE = "secrets are opened when the game is over"


def decide_open_secrets(game: Game, order: OpenSecrets, past: Past) -> SecretsOpened:
    """Everything up to here and this record itself, or a side's word that it agrees.

    Raises RuleViolation: the game goes on; another's to open; a side that has agreed already; nothing new to open.
    """
    if not game.ended:
        remedy = "wait for the end; `reveal` lays open one sealed answer, and a note to all says what you will"
        raise _refuse(game, "the game goes on, and its secrets are closed", remedy)
    if game.secrets_open and game.secrets_open == past.tip:
        raise _refuse(game, "everything is open already", "`umpire export` writes it whole for every seat")
    side = game.side_of(order.seat)
    if not game.options.get(CLOSED_TO_REFEREE):
        if side:
            raise _refuse(game, "it is the referee who lays everything open", "ask the referee")
        return SecretsOpened(upto=past.tip + 1)
    if not side:
        remedy = "ask the sides: each gives `umpire reveal GAME --all --as SIDE`"
        raise _refuse(game, "secrets are closed to the referee, and every side opens its own", remedy)
    missing = [one for one in game.side_ids if one != side and one not in game.agreed_to_open]
    if side in game.agreed_to_open:
        raise _refuse(game, f"{side} has agreed already", f"ask {', '.join(missing)}")
    return SecretsOpened(side=side, upto=0 if missing else past.tip + 1)


def _refuse(game: Game, what: str, remedy: str) -> RuleViolation:
    return RuleViolation(what, where=game.where, rule=RULE, remedy=remedy)
