"""Choices of the sides, and secrets: each event with its effect, its validity and its audit text."""

from umpire_ledger.domain.game.events.base import Event
from umpire_ledger.domain.game.events.checks import VALID, differs, quoted_value, unknown_side
from umpire_ledger.domain.game.events.phrases import in_brackets, say
from umpire_ledger.domain.game.folding_game import FoldingGame
from umpire_ledger.domain.game.state import REFEREE, Choice, Game, choice_key
from umpire_ledger.domain.game.values import Value


class ChoiceMade(Event, frozen=True, kw_only=True, tag="choice.made"):
    """A side's answer to a question. Beside a `choice.sealed` it is the private half."""

    question: str
    side: str
    choice: Value
    sealed: bool = False

    def apply(self, draft: FoldingGame) -> None:
        draft.acts += 1
        key = choice_key(self.question, self.side)
        draft.choices[key] = Choice(
            question=self.question, side=self.side, choice=self.choice, sealed=self.sealed, acts=draft.acts
        )

    def transition_error(self, game: Game) -> str:
        return VALID if self.side == REFEREE or self.side in game.seats else unknown_side(game, self.side)

    def audit_text(self) -> str:
        if self.choice is None and not self.sealed:
            return f"what {self.side} chose for {self.question} counts no longer"
        how = "secretly chooses" if self.sealed else "chooses"
        return f"{self.side} {how} {say(self.choice)} for {self.question}"


class ChoiceSealed(Event, frozen=True, kw_only=True, tag="choice.sealed"):
    """A side has chosen; what, only those know who may see the record beside this one."""

    question: str
    side: str

    def apply(self, draft: FoldingGame) -> None:
        draft.acts += 1
        key = choice_key(self.question, self.side)
        draft.choices[key] = Choice(question=self.question, side=self.side, sealed=True, known=False, acts=draft.acts)

    def transition_error(self, game: Game) -> str:
        """A secret may be settled anew later on, but not twice in one step."""
        before = game.choices.get(choice_key(self.question, self.side))
        since = max((one.acts for one in game.cursor.open), default=-1)
        if before is not None and before.sealed and before.acts > since:
            return f"{self.side} has sealed {self.question} already"
        return VALID

    def transition_error_in_part(self, game: Game) -> str:
        return VALID

    def audit_text(self) -> str:
        return f"{self.side} has chosen secretly for {self.question}"


class ChoiceRevealed(Event, frozen=True, kw_only=True, tag="choice.revealed"):
    """A sealed choice is laid open; it equals what was sealed."""

    question: str
    side: str
    choice: Value

    def apply(self, draft: FoldingGame) -> None:
        draft.acts += 1
        key = choice_key(self.question, self.side)
        draft.choices[key] = Choice(question=self.question, side=self.side, choice=self.choice, acts=draft.acts)

    def transition_error(self, game: Game) -> str:
        """Equal to what the side sealed, or else to what the referee did: what lies face down is shown to a side."""
        sealed = _sealed_by(game, self.question, self.side) or _sealed_by(game, self.question, REFEREE)
        if sealed is not None and differs(self.choice, sealed.choice):
            return f"for {self.question} {quoted_value(sealed.choice)} was sealed, not {quoted_value(self.choice)}"
        return VALID

    def transition_error_in_part(self, game: Game) -> str:
        return VALID

    def audit_text(self) -> str:
        return f"{self.side} reveals {say(self.choice)} for {self.question}"


class SecretPeeked(Event, frozen=True, kw_only=True, tag="secret.peeked"):
    """The referee looked at what only a seat may know, as it stood at a position."""

    seat: str
    position: int
    reason: str

    def transition_error(self, game: Game) -> str:
        return VALID if game.side_of(self.seat) else f"there is no seat {self.seat}"

    def audit_text(self) -> str:
        return f"the referee looks at what only {self.seat} may know{in_brackets(self.reason)}"


class SecretsOpened(Event, frozen=True, kw_only=True, tag="secrets.opened"):
    """What only some could see is open to everybody, up to a position; a seed that is not opened stays closed.

    `upto`: 0 while a side has only agreed, where every side opens its own. `side`: the one that agrees.
    """

    upto: int = 0
    side: str = ""

    def apply(self, draft: FoldingGame) -> None:
        draft.more["agreed_to_open"] = () if self.upto else (*draft.now("agreed_to_open"), self.side)
        draft.more["secrets_open"] = self.upto or draft.now("secrets_open")

    def transition_error(self, game: Game) -> str:
        return VALID if game.ended else "the game goes on, and its secrets are closed"

    def audit_text(self) -> str:
        if not self.upto:
            return f"{self.side} wants everything laid open"
        return f"everything up to #{self.upto} is laid open"


ChoicesEvent = ChoiceMade | ChoiceSealed | ChoiceRevealed | SecretPeeked | SecretsOpened


def _sealed_by(game: Game, question: str, side: str) -> Choice | None:
    """A sealed choice, where this copy of the game holds it."""
    choice = game.choices.get(choice_key(question, side))
    return choice if choice is not None and choice.sealed and choice.known else None
