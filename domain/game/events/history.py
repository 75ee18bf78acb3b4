"""Define the events that begin, end, copy and rewind a game, each with its effect, its validity and its audit text."""

from typing import Any, Literal

from umpire_ledger.domain.game.events.base import Event
from umpire_ledger.domain.game.events.checks import VALID, unknown_side
from umpire_ledger.domain.game.events.phrases import and_list, in_brackets
from umpire_ledger.domain.game.folding_game import FoldingGame
from umpire_ledger.domain.game.state import Game, Keep, RewindRequest, StoppedAmendment, replace
from umpire_ledger.domain.game.values import DicePolicy, DiceSource, Side, Value
from umpire_ledger.domain.game.verb_agreement import counted

CopyKind = Literal["", "backup", "import", "file", "restored"]
"""The way in which a game reached another ledger: in a backup, by an import, in a copied file, or restored.

A restored game replaces the original.
"""


COPIED = {"backup": "a backup", "import": "an import", "file": "a copied file", "restored": "a restored ledger"}


DICE_AFTER = {
    "reroll": "",
    "keep": "; re-played orders reuse their rolls",
    "keep-unless-new": "; re-played orders reuse their rolls up to the first new decision",
}


AMENDMENT_ENDS = {
    "played": "the amendment is complete: all remaining orders were re-played",
    "left": "the amendment ends here",
    "aborted": "the amendment is aborted",
}


class GameOpened(Event, frozen=True, kw_only=True, tag="game.opened"):
    """A game of a title begins. `scenario` is the whole scenario as it was checked, so the log explains itself.

    `sequence`: the scenario's own sequence of play, if it has one; `scenario` does not repeat it.
    """

    game: str
    title: str
    version: str
    name: str
    sides: tuple[Side, ...]
    dice: DiceSource
    options: dict[str, Value] = {}
    tables: dict[str, Any] = {}
    scenario: dict[str, Any] = {}
    sequence: dict[str, Any] = {}

    def apply(self, draft: FoldingGame) -> None:
        draft.more.update(
            id=self.game,
            title=self.title,
            version=self.version,
            name=self.name,
            dice=self.dice,
            sides=self.sides,
            options=self.options,
            tables=self.tables,
            sequence=self.sequence,
        )

    def transition_error(self, game: Game) -> str:
        return f"the game {game.id} has already begun" if game.id else VALID

    def audit_text(self) -> str:
        sides = " against ".join(side.name for side in self.sides)
        dice = "Umpire rolls the dice" if self.dice == "ledger" else "the group rolls dice at the table"
        return f"{self.name} begins: {self.title} {self.version}, {sides}; {dice}"


class GameCopied(Event, frozen=True, kw_only=True, tag="game.copied"):
    """A game is copied: everything before this record is from game `of`, up to position `at`.

    If `of` is the game itself, it is the same game in another ledger: keys stay, and the dice have a new seed.
    Otherwise a new game begins. `how`: the way it reached that ledger; `why`: the reason, if one was given.
    """

    of: str
    at: int
    game: str
    how: CopyKind = ""
    why: str = ""

    @property
    def is_same_game(self) -> bool:
        """Whether the game itself continues in another ledger."""
        return self.of == self.game

    def apply(self, draft: FoldingGame) -> None:
        if not self.is_same_game:
            draft.more.update(id=self.game, copied=self.of, copied_at=self.at, keys={})  # no seat has signed for a copy

    def transition_error(self, game: Game) -> str:
        return VALID if game.id and self.at > 0 else f"there is no game {self.of} to be copied up to #{self.at}"

    def audit_text(self) -> str:
        if self.is_same_game:
            where = COPIED.get(self.how, "another ledger")
            return f"{self.game} continues after #{self.at} in {where}; its dice have a new seed{in_brackets(self.why)}"
        return f"{self.game} begins as a copy of {self.of} up to #{self.at}"


class GameEnded(Event, frozen=True, kw_only=True, tag="game.ended"):
    """The game is over, because the sequence of play or the referee ended it."""

    why: str
    winner: str = ""

    def apply(self, draft: FoldingGame) -> None:
        draft.more["ended"] = self.why
        draft.more["winner"] = self.winner
        draft.open = ()

    def transition_error(self, game: Game) -> str:
        return f"the game is already over: {game.ended}" if game.ended else VALID

    def audit_text(self) -> str:
        return f"the game is over: {self.why}" + (f"; winner: {self.winner}" if self.winner else "")


class PlayRewound(Event, frozen=True, kw_only=True, tag="play.rewound"):
    """Play returns to position `to`. Nothing is deleted; the next record starts another branch.

    `kind`: undo, redo or rewind; amend: later orders of the branch are re-played. `rolls`: rolls made so far on any
    branch. `tip`: the last position of the abandoned branch, to which a redo returns. `dice`: the policy for the dice
    of re-played orders, `fresh`: records whose rolls are never reused. `consent`: the sides that agreed, if they did so
    instead of the referee. `secrets_open`: the position up to which secrets are open; no rewind closes them.
    """

    to: int
    kind: Literal["undo", "redo", "rewind", "amend"]
    why: str = ""
    rolls: int = 0
    tip: int = 0
    dice: DicePolicy = "reroll"
    fresh: tuple[int, ...] = ()
    consent: tuple[str, ...] = ()
    secrets_open: int = 0

    def apply(self, draft: FoldingGame) -> None:
        draft.rolls = max(draft.rolls, self.rolls)
        draft.more.update(asked=None, awaits_dice="")
        draft.more["secrets_open"] = max(draft.now("secrets_open"), self.secrets_open)
        if self.kind != "redo":
            amends = self.kind == "amend" or draft.now("amending") is not None
            keep = Keep(policy=self.dice, to=self.to, tip=self.tip, fresh=self.fresh, amends=amends)
            draft.more["keep"] = None if self.dice == "reroll" else keep

    def transition_error(self, game: Game) -> str:
        if self.rolls != game.rolls:
            return f"the game has {counted(game.rolls, 'roll')}, not {self.rolls}"
        return self.transition_error_in_part(game)

    def transition_error_in_part(self, game: Game) -> str:
        return VALID if self.to > 0 else f"there is no position #{self.to}"

    def audit_text(self) -> str:
        kinds = {"undo": "an undo", "redo": "a redo", "rewind": "a rewind", "amend": "an amendment"}
        agreed = f", agreed by {and_list(self.consent)}" if self.consent else ""
        again = "; later orders are re-played" if self.kind == "amend" else ""
        stands = f"{kinds[self.kind]}{agreed}: play returns to #{self.to}{in_brackets(self.why)}"
        return f"{stands}{again or DICE_AFTER[self.dice]}"


class AmendmentStopped(Event, frozen=True, kw_only=True, tag="amendment.stopped"):
    """An amendment stops, because an order of the branch that it re-plays no longer applies.

    `at`: that order; `seat`: its author; `tip`: the end of that branch; `left`: the number of remaining orders,
    including that one. `skipped`: an order that was left out to continue.
    """

    at: int
    tip: int
    left: int
    seat: str = ""
    skipped: int = 0
    why: str = ""

    def apply(self, draft: FoldingGame) -> None:
        draft.more["amending"] = StoppedAmendment(at=self.at, tip=self.tip, left=self.left, seat=self.seat)

    def transition_error(self, game: Game) -> str:
        return VALID if 0 < self.at <= self.tip else f"the branch that ended at #{self.tip} has no order #{self.at}"

    def audit_text(self) -> str:
        whose = f" of {self.seat}" if self.seat else ""
        stops = f"the amendment stops at #{self.at}{whose}, which no longer applies; {orders_left(self.left)}"
        return f"{_skipped(self.skipped)}{stops}{in_brackets(self.why)}"


class AmendmentEnded(Event, frozen=True, kw_only=True, tag="amendment.ended"):
    """A stopped amendment ends. `left`: the number of orders that stay on the old branch.

    `how`: all remaining orders were re-played, they stay on the old branch, or the amendment was aborted.
    """

    how: Literal["played", "left", "aborted"] = "played"
    left: int = 0
    skipped: int = 0
    why: str = ""

    def apply(self, draft: FoldingGame) -> None:
        draft.more["amending"] = None

    def transition_error(self, game: Game) -> str:
        """Accept an aborted amendment in any state, because its record follows a rewind to the branch before it."""
        return VALID if game.amending or self.how == "aborted" else "no amendment is stopped"

    def audit_text(self) -> str:
        stay = f"; {orders_left(self.left)} on the old branch" if self.left else ""
        return f"{_skipped(self.skipped)}{AMENDMENT_ENDS[self.how]}{stay}{in_brackets(self.why)}"


class RewindAsked(Event, frozen=True, kw_only=True, tag="rewind.asked"):
    """A seat asks all other sides to return to a position; play continues until the last of them has consented."""

    seat: str
    side: str
    to: int
    why: str
    dice: DicePolicy = "reroll"

    def apply(self, draft: FoldingGame) -> None:
        draft.more["asked"] = RewindRequest(seat=self.seat, side=self.side, to=self.to, why=self.why, dice=self.dice)

    def transition_error(self, game: Game) -> str:
        return f"there is no position #{self.to}" if self.to < 1 else unknown_side(game, self.side)

    def audit_text(self) -> str:
        return f"{self.seat} asks all sides to return to #{self.to}{in_brackets(self.why)}{DICE_AFTER[self.dice]}"


class RewindAnswered(Event, frozen=True, kw_only=True, tag="rewind.answered"):
    """A side consents to the requested rewind, or declines it, which ends the request."""

    side: str
    consents: bool
    why: str = ""

    def apply(self, draft: FoldingGame) -> None:
        asked = draft.now("asked")
        if asked is not None:
            yes = self.consents
            draft.more["asked"] = replace(asked, consents=(*asked.consents, self.side)) if yes else None

    def transition_error(self, game: Game) -> str:
        if game.asked is None:
            return "no rewind is requested"
        return f"{self.side} has already consented" if self.side in game.asked.consents else VALID

    def audit_text(self) -> str:
        return f"{self.side} {'consents to' if self.consents else 'declines'} the rewind{in_brackets(self.why)}"


class LineSealed(Event, frozen=True, kw_only=True, tag="line.sealed"):
    """A seat accepts everything up to a position."""

    seat: str
    position: int

    def transition_error(self, game: Game) -> str:
        return f"there is no position #{self.position}" if self.position < 1 else VALID

    def audit_text(self) -> str:
        return f"{self.seat} accepts everything up to #{self.position}"


HistoryEvent = (
    GameOpened
    | GameCopied
    | GameEnded
    | PlayRewound
    | AmendmentStopped
    | AmendmentEnded
    | RewindAsked
    | RewindAnswered
    | LineSealed
)


def orders_left(number: int) -> str:
    """Return a number of remaining orders in words: `1 order remains`, `3 orders remain`."""
    return f"{counted(number, 'order')} {'remains' if number == 1 else 'remain'}"


def _skipped(position: int) -> str:
    return f"#{position} is skipped; " if position else ""
