"""Dice, their seed and the sides' shares in it: each event with its effect, its validity and its audit text."""

from functools import lru_cache
from typing import Literal

import msgspec

from umpire_ledger.domain.game.dice_notation import DiceNotation, commitment_of, parse
from umpire_ledger.domain.game.dice_shares import awaited, hash_of, takes_shares, unpledged
from umpire_ledger.domain.game.errors import RuleViolation
from umpire_ledger.domain.game.events.base import Event
from umpire_ledger.domain.game.events.checks import VALID, unknown_side
from umpire_ledger.domain.game.folding_game import FoldingGame
from umpire_ledger.domain.game.state import Game, replace
from umpire_ledger.domain.game.values import DiceSource, Int, Pledge

Failed = Literal["", "refused", "fault"]
"""The reason why an order was not carried out after its roll: a rule refused it, or its title was at fault."""


class Modifier(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A number added to the dice results, and its source."""

    amount: Int
    source: str


class DiceCommitted(Event, frozen=True, kw_only=True, tag="dice.committed"):
    """The ledger commits to a seed: its SHA-256 in hex, public before the first roll. `label` goes into every roll.

    `scheme`: the method of drawing (`domain.game.dice`), from 1 (logs without the field) to 4.
    """

    commitment: str
    label: str
    scheme: int = 1

    def apply(self, draft: FoldingGame) -> None:
        draft.more.update(commitment=self.commitment, label=self.label, scheme=self.scheme, seed="", dice_open=False)
        draft.more.update(pledges={}, awaits_dice="")

    def transition_error(self, game: Game) -> str:
        return "the dice of this game are rolled at the table" if game.dice != "ledger" else VALID

    def audit_text(self) -> str:
        return f"the ledger commits to a seed for its dice: {self.commitment[:16]}…"


class DicePledged(Event, frozen=True, kw_only=True, tag="dice.pledged"):
    """A side commits to its first share (SHA-256, in hex), before any side reveals one."""

    side: str
    pledge: str

    def apply(self, draft: FoldingGame) -> None:
        draft.more["pledges"] = {**draft.now("pledges"), self.side: Pledge(pledge=self.pledge)}

    def transition_error(self, game: Game) -> str:
        if not takes_shares(game):
            return "the dice of this game take no shares"
        if self.side in game.pledges:
            return f"{self.side} has already committed to its share"
        return unknown_side(game, self.side)

    def audit_text(self) -> str:
        return f"{self.side} commits to its share of the dice: {self.pledge[:16]}…"


class DiceShared(Event, frozen=True, kw_only=True, tag="dice.shared"):
    """A side reveals a share, 32 bytes in hex.

    Its SHA-256 is the share revealed before it, or the side's commitment.
    """

    side: str
    share: str

    def apply(self, draft: FoldingGame) -> None:
        pledges = draft.now("pledges")
        before = pledges.get(self.side, Pledge(pledge=""))
        draft.more["pledges"] = {**pledges, self.side: replace(before, share=self.share, since=True)}

    def transition_error(self, game: Game) -> str:
        if missing := unpledged(game):
            return f"a share is revealed before {missing[0]} has committed to its own"
        pledge = game.pledges.get(self.side)
        if pledge is None:
            return unknown_side(game, self.side)
        fits = hash_of(self.share) == (pledge.share or pledge.pledge)
        return VALID if fits else f"it is not the share that {self.side} committed to"

    def audit_text(self) -> str:
        return f"{self.side} reveals its share of the dice: {self.share[:16]}…"


class DiceAsked(Event, frozen=True, kw_only=True, tag="dice.asked"):
    """An order of a seat that rolls dice waits for new shares. `roll`: the number of its first roll."""

    seat: str
    roll: int

    def apply(self, draft: FoldingGame) -> None:
        draft.more["awaits_dice"] = self.seat
        draft.more["pledges"] = {side: replace(one, since=False) for side, one in draft.now("pledges").items()}

    def transition_error(self, game: Game) -> str:
        return VALID if self.roll == game.rolls + 1 else f"the next roll is number {game.rolls + 1}, not {self.roll}"

    def audit_text(self) -> str:
        return f"an order of {self.seat} waits for its dice, from roll {self.roll} on"


class DicePledges(Event, frozen=True, kw_only=True, tag="dice.pledges"):
    """Every side's commitment and newest share are repeated, because a rewind takes none of them back."""

    pledges: dict[str, Pledge]

    def apply(self, draft: FoldingGame) -> None:
        draft.more["pledges"] = self.pledges

    def transition_error(self, game: Game) -> str:
        return next((unknown_side(game, side) for side in self.pledges if side not in game.side_ids), VALID)

    def audit_text(self) -> str:
        return "the shares of the dice are complete"


class DiceSeeded(Event, frozen=True, kw_only=True, tag="dice.seeded"):
    """The ledger stores the 32-byte seed in hex, in a record that no one may see until the dice are opened."""

    seed: str

    def apply(self, draft: FoldingGame) -> None:
        draft.more["seed"] = self.seed

    def transition_error(self, game: Game) -> str:
        return _wrong_seed(game, self.seed)

    def audit_text(self) -> str:
        return "the ledger stores the seed of its dice"


class DiceRolled(Event, frozen=True, kw_only=True, tag="dice.rolled"):
    """A roll is made; its record holds all facts that are needed to check it.

    `roll`: the number of the roll, from 1, never used again even after a rewind. `step`: the step of the roll; `about`:
    the members of the loops around it, for instance a battle hex, a squadron. `kept`: the record whose results it
    reuses after a rewind, 0 for a fresh roll; `thrown`: the number of the roll that showed these results first, if that
    is another one. `book`: the group's own table, if the group read the result there. `failed`: its order was not
    carried out after the roll, because a rule refused it or its title was at fault.
    """

    roll: int
    purpose: str
    dice: str
    pips: tuple[int, ...]
    total: Int
    modifiers: tuple[Modifier, ...] = ()
    needed: str = ""
    outcome: str = ""
    subjects: tuple[str, ...] = ()
    table: str = ""
    row: str = ""
    source: DiceSource = "ledger"
    step: str = ""
    about: tuple[str, ...] = ()
    kept: int = 0
    thrown: int = 0
    book: str = ""
    failed: Failed = ""

    def apply(self, draft: FoldingGame) -> None:
        draft.rolls = self.roll
        draft.acts += 1
        if draft.now("awaits_dice"):
            draft.more["awaits_dice"] = ""
        keep = draft.now("keep")
        if keep is None:
            return
        if self.kept:
            draft.more["keep"] = replace(keep, used=(*keep.used, self.kept))
        elif keep.policy == "keep-unless-new":
            draft.more["keep"] = None  # a fresh roll is a new fact, so later orders no longer reuse old rolls

    def transition_error(self, game: Game) -> str:
        if self.roll != game.rolls + 1:
            return f"the next roll is number {game.rolls + 1}, not {self.roll}"
        if self.source != game.dice:
            return f"the dice of this game are from the {game.dice}, not from the {self.source}"
        if self.kept and game.keep is None:
            return f"it reuses the roll of #{self.kept}, but no rolls are reused now"
        if not self.kept and (missing := awaited(game)):
            return f"it is rolled without a share of {missing[0]}"
        return self.transition_error_in_part(game)

    def transition_error_in_part(self, game: Game) -> str:
        notation = _notation(self.dice)
        if notation is None:
            return f"{self.dice!r} is not a dice notation"
        pips = self.pips
        if len(pips) != notation.number or min(pips) < 1 or max(pips) > notation.faces:
            return f"{self.dice} cannot show {', '.join(map(str, pips)) or 'nothing'}"
        total = sum(pips)
        for modifier in self.modifiers:
            total += modifier.amount
        return VALID if self.total == total else f"results and modifiers add up to {total}, not {self.total}"

    def audit_text(self) -> str:
        table = f" on {self.table}, row {self.row}" if self.table else ""
        needed = f"; needs {self.needed}" if self.needed else ""
        outcome = f": {self.outcome}" if self.outcome else ""
        kept = f" [reused from #{self.kept}]" if self.kept else ""
        return f"roll {self.roll}, {self.purpose}: {dice_words(self)}{table}{needed}{outcome}{kept}"

    def units(self) -> tuple[str, ...]:
        return self.subjects


class DiceOpened(Event, frozen=True, kw_only=True, tag="dice.opened"):
    """The seed is made public, so that anyone can recompute every roll.

    `missing`: sides that withheld their share in it.
    """

    seed: str
    missing: tuple[str, ...] = ()

    def apply(self, draft: FoldingGame) -> None:
        if not draft.now("dice_open"):  # afterwards, a restored ledger opens its earlier seeds with the same event
            draft.more.update(seed=self.seed, dice_open=True)

    def transition_error(self, game: Game) -> str:
        if game.dice_open and game.has_copied_seed:
            return VALID  # an earlier seed of a restored ledger; the check of the dice compares it with the commitments
        return "the seed of the dice is already revealed" if game.dice_open else _wrong_seed(game, self.seed)

    def audit_text(self) -> str:
        missing = f"; no share from {', '.join(self.missing)}" if self.missing else ""
        return f"the ledger reveals the seed of its dice: {self.seed[:16]}…{missing}"


DiceEvent = DiceCommitted | DicePledged | DiceShared | DiceAsked | DicePledges | DiceSeeded | DiceRolled | DiceOpened


def _wrong_seed(game: Game, seed: str) -> str:
    fits = commitment_of(seed) == game.commitment
    return VALID if fits else "the seed is not the one that the game committed to"


@lru_cache(maxsize=256)
def _notation(dice: str) -> DiceNotation | None:
    try:
        return parse(dice)
    except RuleViolation:
        return None


def dice_words(event: DiceRolled) -> str:
    """Return dice results and modifiers separately, for instance `2d6: 4 3, +1 manpower = 8`."""
    pips = " ".join(map(str, event.pips))
    return f"{event.dice}: {pips}{''.join(_modifier(one, event.dice) for one in event.modifiers)} = {event.total}"


def _modifier(modifier: Modifier, dice: str) -> str:
    """Return a modifier in words. The modifier of the notation (`2d6+1`) has no other source."""
    return f", {modifier.amount:+d}" + ("" if modifier.source == dice else f" {modifier.source}")
