"""Choices of the sides, and secrets: each event with its effect, its validity and its audit text."""

from umpire_ledger.domain.game.events.base import Event
from umpire_ledger.domain.game.events.checks import VALID, differs, quoted_value, unknown_side
from umpire_ledger.domain.game.events.phrases import in_brackets, say
from umpire_ledger.domain.game.folding_game import FoldingGame
from umpire_ledger.domain.game.state import REFEREE, Choice, Game, choice_key
from umpire_ledger.domain.game.values import Value


class ChoiceMade(Event, frozen=True, kw_only=True, tag="choice.made"):
    """A side answers a question. The answer to a `choice.sealed` is recorded in a private record of this type."""

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
            return f"the choice of {self.side} for {self.question} no longer counts"
        how = "secretly chooses" if self.sealed else "chooses"
        return f"{self.side} {how} {say(self.choice)} for {self.question}"


class ChoiceSealed(Event, frozen=True, kw_only=True, tag="choice.sealed"):
    """A side has chosen. Only the readers of the private record next to this one see the choice."""

    question: str
    side: str

    def apply(self, draft: FoldingGame) -> None:
        draft.acts += 1
        key = choice_key(self.question, self.side)
        draft.choices[key] = Choice(question=self.question, side=self.side, sealed=True, known=False, acts=draft.acts)

    def transition_error(self, game: Game) -> str:
        """Allow a side to seal a question again later, but not twice in one step."""
        before = game.choices.get(choice_key(self.question, self.side))
        since = max((one.acts for one in game.cursor.open), default=-1)
        if before is not None and before.sealed and before.acts > since:
            return f"{self.side} has already sealed a choice for {self.question}"
        return VALID

    def transition_error_in_part(self, game: Game) -> str:
        return VALID

    def audit_text(self) -> str:
        return f"{self.side} makes a secret choice for {self.question}"


class ChoiceRevealed(Event, frozen=True, kw_only=True, tag="choice.revealed"):
    """A side reveals its sealed choice, exactly as it was sealed."""

    question: str
    side: str
    choice: Value

    def apply(self, draft: FoldingGame) -> None:
        draft.acts += 1
        key = choice_key(self.question, self.side)
        draft.choices[key] = Choice(question=self.question, side=self.side, choice=self.choice, acts=draft.acts)

    def transition_error(self, game: Game) -> str:
        """Require the value sealed by the side, or by the referee, as with a face-down card shown to a side."""
        sealed = _sealed_by(game, self.question, self.side) or _sealed_by(game, self.question, REFEREE)
        if sealed is not None and differs(self.choice, sealed.choice):
            own, other = quoted_value(sealed.choice), quoted_value(self.choice)
            return f"the sealed choice for {self.question} is {own}, not {other}"
        return VALID

    def transition_error_in_part(self, game: Game) -> str:
        return VALID

    def audit_text(self) -> str:
        return f"{self.side} reveals {say(self.choice)} for {self.question}"


class SecretPeeked(Event, frozen=True, kw_only=True, tag="secret.peeked"):
    """The referee looks at a seat's secrets as of a position."""

    seat: str
    position: int
    reason: str

    def transition_error(self, game: Game) -> str:
        return VALID if game.side_of(self.seat) else f"there is no seat {self.seat}"

    def audit_text(self) -> str:
        return f"the referee looks at the secrets of {self.seat}{in_brackets(self.reason)}"


class SecretsOpened(Event, frozen=True, kw_only=True, tag="secrets.opened"):
    """Secrets up to a position are revealed to all; a seed that is not revealed stays secret.

    `upto`: 0 if a side has only agreed and others have not. `side`: the side that agrees.
    """

    upto: int = 0
    side: str = ""

    def apply(self, draft: FoldingGame) -> None:
        draft.more["agreed_to_open"] = () if self.upto else (*draft.now("agreed_to_open"), self.side)
        draft.more["secrets_open"] = self.upto or draft.now("secrets_open")

    def transition_error(self, game: Game) -> str:
        return VALID if game.ended else "secrets can be revealed only after the end of the game"

    def audit_text(self) -> str:
        if not self.upto:
            return f"{self.side} agrees to reveal every secret"
        return f"every secret up to #{self.upto} is revealed"


ChoicesEvent = ChoiceMade | ChoiceSealed | ChoiceRevealed | SecretPeeked | SecretsOpened


def _sealed_by(game: Game, question: str, side: str) -> Choice | None:
    """Return a side's sealed choice; None if there is none or this copy of the game does not hold it."""
    choice = game.choices.get(choice_key(question, side))
    return choice if choice is not None and choice.sealed and choice.known else None
