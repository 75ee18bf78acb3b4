"""Roll dice: the ledger draws them from a committed seed, or the group rolls them on the table and types the results.

Roll n of the ledger's dice is drawn from the blocks HMAC-SHA256(seed, label ‖ 0x00 ‖ n ‖ 0x00 ‖ block). The roll number
n counts from 1 and the block number from 0, both in decimal. Each byte below the largest multiple of the number of
faces results in one die; other bytes are discarded, so that no face is favored. This is scheme 2, in which the purpose
of a roll does not influence it. In scheme 1, of older logs, `purpose ‖ 0x00` precedes the block number. In schemes 3
and 4 the key is SHA-256(seed ‖ the sides' newest shares, in the order of their bytes). Anyone with the seed can
recompute every roll (`check_roll`).
"""

import hashlib
import hmac
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, NamedTuple, Protocol

from umpire_ledger.domain.game.dice_notation import RULE, DiceNotation, parse
from umpire_ledger.domain.game.dice_shares import SCHEMES, SHARED, WITNESSED, awaited, shares_of, unpledged
from umpire_ledger.domain.game.errors import RuleViolation
from umpire_ledger.domain.game.events import DiceRolled, DiceSource, Modifier
from umpire_ledger.domain.game.refusal_catalogue import refusal
from umpire_ledger.domain.game.refusals import REFUSALS
from umpire_ledger.domain.game.state import Game, replace
from umpire_ledger.domain.game.verb_agreement import counted

MOST_TOTAL = 2**53 - 1
SCHEME = SCHEMES["ledger"]
"""The scheme of new games if the sides contribute no shares."""
KNOWN_SCHEMES = (1, SCHEME, SHARED, WITNESSED)


DiceOwners = Sequence[tuple[str, int]]
"""The owners of the dice, in order, and the number of dice of each."""


class Dice(Protocol):
    """The dice of a decision."""

    def roll(
        self,
        dice: str,
        *,
        purpose: str,
        modifiers: Iterable[Modifier] = (),
        rule: str = "",
        subjects: tuple[str, ...] = (),
        needed: str = "",
    ) -> DiceRolled:
        """Roll dice such as `2d6` for a purpose. The caller adds the outcome, the table and the row."""

    def expects(self, shares: DiceOwners, fewer: bool = False) -> None:
        """Announce the owners of the next dice, in order. `fewer`: the first results may make later dice unnecessary.

        Raises:
            RuleViolation: The order contains another number of results.
        """


class Epoch(NamedTuple):
    """The source of rolls: a seed in hex, and a label that goes into each roll. `scheme`: the method, from 1 to 4.

    `shares`: the sides' newest shares, in hex, if the scheme uses them.
    """

    seed: str
    label: str
    scheme: int = SCHEME
    shares: tuple[str, ...] = ()

    def key(self) -> bytes:
        """Return the key of the HMAC."""
        seed = bytes.fromhex(self.seed)
        if self.scheme < SHARED:
            return seed
        return hashlib.sha256(seed + b"".join(map(bytes.fromhex, sorted(self.shares)))).digest()


def draw(epoch: Epoch, roll: int, notation: DiceNotation, purpose: str = "") -> tuple[int, ...]:
    """Return the results of one roll of ledger dice, by the method in the module docstring.

    `purpose`: used in scheme 1 only.
    """
    ceiling = 256 - 256 % notation.faces
    words = (epoch.label, str(roll), purpose) if epoch.scheme == 1 else (epoch.label, str(roll))
    fair = (byte for byte in _stream(epoch.key(), words) if byte < ceiling)
    return tuple(next(fair) % notation.faces + 1 for _ in range(notation.number))


def _stream(seed: bytes, words: tuple[str, ...]) -> Iterator[int]:
    block = 0
    while True:
        yield from hmac.digest(seed, "\0".join((*words, str(block))).encode(), "sha256")
        block += 1


def check_roll(epoch: Epoch, rolled: DiceRolled) -> bool:
    """Return whether a recorded roll of ledger dice follows from the seed.

    A reused roll is recomputed with the number of its first roll.
    """
    if epoch.scheme not in KNOWN_SCHEMES:
        return False
    return rolled.pips == draw(epoch, rolled.thrown or rolled.roll, parse(rolled.dice), rolled.purpose)


class RollReuse(Protocol):
    """The choice of rolls that reuse old results after a rewind (`domain.history.reused_rolls`)."""

    def take(self, fresh: DiceRolled, notation: DiceNotation) -> "PriorRoll | None":
        """Return the old roll to reuse, or None for a fresh one."""


class PriorRoll(Protocol):
    """A roll on an abandoned branch."""

    @property
    def position(self) -> int: ...
    @property
    def roll(self) -> DiceRolled: ...


class DiceRoller(ABC):
    """Dice of either kind, which number rolls from the game's count and reuse old results after a rewind.

    `step`: the step of the rolls, set once the order is admitted. `shown`: the rolls made; `fresh`: the number of those
    that are not reused.
    """

    source: DiceSource

    def __init__(self, game: Game, keeps: RollReuse | None) -> None:
        self._game = game
        self._rolls = game.rolls
        self._keeps = keeps
        self._about = tuple(frame.item for frame in game.cursor.frames if frame.item)
        self.step = ""
        self.shown: list[DiceRolled] = []
        self.fresh = 0

    def roll(self, dice: str, *, purpose: str, **more: Any) -> DiceRolled:
        notation = parse(dice, self._game.where)
        self._rolls += 1
        made = rolled(self._rolls, dice, notation, (), self.source, purpose, **more)
        made = replace(made, step=self.step, about=self._about)
        self._verify_total(made, notation)
        old = self._keeps.take(made, notation) if self._keeps else None
        pips = self._throw(notation, purpose) if old is None else self._again(old.roll.pips)
        made = replace(made, pips=pips, total=made.total + sum(pips))
        if old is not None:
            made = replace(made, kept=old.position, thrown=old.roll.thrown or old.roll.roll)
        self.fresh += old is None
        self.shown.append(made)
        return made

    def _verify_total(self, made: DiceRolled, notation: DiceNotation) -> None:
        """Check the largest possible total before the roll, because a refusal after the roll would waste its results.

        Raises:
            RuleViolation: The total could exceed the largest integer of a record.
        """
        if abs(made.total) + notation.number * notation.faces > MOST_TOTAL:
            raise refusal(
                RuleViolation,
                REFUSALS,
                "modifiers-too-large",
                {"dice": made.dice, "total": made.total},
                where=self._game.where,
                rule=RULE,
            )

    @abstractmethod
    def expects(self, shares: DiceOwners, fewer: bool = False) -> None:
        """Announce the owners of the next dice, in order."""

    @abstractmethod
    def _throw(self, notation: DiceNotation, purpose: str) -> tuple[int, ...]:
        """Return fresh results."""

    def _again(self, pips: tuple[int, ...]) -> tuple[int, ...]:
        return pips


class TableDice(DiceRoller):
    """Dice results that the group rolled, used in order."""

    source: DiceSource = "table"

    def __init__(self, game: Game, pips: Iterable[int] = (), keeps: RollReuse | None = None) -> None:
        super().__init__(game, keeps)
        self._pips = list(pips)
        self._given = len(self._pips)
        self._kept = 0
        self._order = ""

    def expects(self, shares: DiceOwners, fewer: bool = False) -> None:
        """Check the number of results if none can be reused. Otherwise, each roll checks for missing results itself."""
        if len(shares) < 2:
            return
        self._order = ", ".join(f"{one} {number}" for one, number in shares)
        needed, brought = sum(number for _, number in shares), len(self._pips)
        if self._keeps is None and (brought > needed or (brought < needed and not fewer)):
            most = "at most " if fewer else ""
            raise self._refuse(
                "wrong-number-of-pips", most=most, limit=needed, given=_pips_given(brought), dice=self._order
            )

    def _again(self, pips: tuple[int, ...]) -> tuple[int, ...]:
        """Consume the reused results if the order contains them as well."""
        if tuple(self._pips[: len(pips)]) == pips:
            del self._pips[: len(pips)]
        self._kept += 1
        return pips

    def _throw(self, notation: DiceNotation, purpose: str) -> tuple[int, ...]:
        pips, self._pips = tuple(self._pips[: notation.number]), self._pips[notation.number :]
        if len(pips) < notation.number:
            left = _pips_left(len(pips), self._given) if self._given else _pips_given(0)
            letters = ["N"] * notation.number
            as_json = f'"pips": [{", ".join(letters)}]'
            raise self._refuse(
                "pips-missing",
                purpose=purpose,
                number=notation.number,
                faces=notation.faces,
                left=left,
                pips=",".join(letters),
                as_json=as_json,
                owners=self._in_order(),
            )
        wrong = next((pip for pip in pips if not 1 <= pip <= notation.faces), None)
        if wrong is not None:
            raise self._refuse("no-such-face", limit=notation.faces, given=wrong, purpose=purpose)
        return pips

    def finish(self) -> None:
        """Check that the order used every result.

        Raises:
            RuleViolation: Results remain, because the order rolls fewer dice.
        """
        if self._pips:
            kept = "; this order reuses results from before the rewind, so leave those out" if self._kept else ""
            raise self._refuse(
                "too-many-pips",
                unused=len(self._pips),
                given=self._given,
                pips=str(self._pips),
                kept=kept,
                owners=self._in_order(),
            )

    def _in_order(self) -> str:
        """Return the owners of the dice as a clause; "" if the order announced none."""
        return f"; in this sequence: {self._order}" if self._order else ""

    def _refuse(self, code: str, /, **fields: object) -> RuleViolation:
        return refusal(RuleViolation, REFUSALS, code, fields, where=self._game.where, rule=RULE)


def _pips_left(number: int, given: int) -> str:
    """Return a clause such as `only 1 of the 3 results is left`."""
    return f"only {number} of the {counted(given, 'result')} {'is' if number == 1 else 'are'} left"


def _pips_given(number: int) -> str:
    return (
        f"{counted(number, 'result')} {'was' if number == 1 else 'were'} given" if number else "no results were given"
    )


class LedgerDice(DiceRoller):
    """Dice that the ledger rolls from the game's seed, or from a public seed in a dry run.

    `is_open`: returns whether the log reveals the seed on any branch; called before each roll. `trial`: the number of
    the dry run, from 0; None for recorded rolls.
    """

    source: DiceSource = "ledger"
    trial: int | None = None

    def __init__(self, game: Game, keeps: RollReuse | None = None, is_open: Callable[[], bool] | None = None) -> None:
        super().__init__(game, keeps)
        self._is_open = is_open or (lambda: game.dice_open)

    def _throw(self, notation: DiceNotation, purpose: str) -> tuple[int, ...]:
        if not self._game.seed:
            raise refusal(RuleViolation, REFUSALS, "seed-not-here", {}, where=self._game.where, rule=RULE)
        game = self._game
        if self._is_open():
            raise refusal(RuleViolation, REFUSALS, "seed-is-public", {}, where=game.where, rule=RULE)
        if missing := awaited(game):
            raise _dice_wait(game, missing)
        if self.trial is not None:
            return draw(Epoch(_seed_of_a_trial(game, self.trial), game.label), self._rolls, notation)
        return draw(Epoch(game.seed, game.label, game.scheme, shares_of(game)), self._rolls, notation, purpose)

    def expects(self, shares: DiceOwners, fewer: bool = False) -> None:
        """Do nothing: the ledger rolls as many dice as the order needs."""

    def finish(self) -> None:
        """Do nothing: no results can remain."""


def _dice_wait(game: Game, missing: tuple[str, ...]) -> RuleViolation:
    what = "pledge" if unpledged(game) else "share"
    return refusal(
        RuleViolation,
        REFUSALS,
        "dice-wait",
        {
            "what": what,
            "plural": "s" if len(missing) > 1 else "",
            "missing": " and ".join(missing),
            "remedy": " and ".join(f"`umpire dice-share {game.id} --as {side}`" for side in missing),
        },
        where=game.where,
        rule=RULE,
    )


def _seed_of_a_trial(game: Game, number: int) -> str:
    """Return a seed that depends on no secret, so that the results of a dry run reveal none."""
    return hashlib.sha256(f"trial {number} of {game.label}, behind roll {game.rolls}".encode()).hexdigest()


def dice_for(
    game: Game, pips: tuple[int, ...] | None, keeps: RollReuse | None = None, is_open: Callable[[], bool] | None = None
) -> TableDice | LedgerDice:
    """Return the dice of this game. `is_open`: see LedgerDice.

    Raises:
        RuleViolation: The order contains results although the ledger rolls the dice.
    """
    if game.dice == "table":
        return TableDice(game, pips or (), keeps)
    if pips is not None:
        raise refusal(RuleViolation, REFUSALS, "ledger-rolls", {}, where=game.where, rule=RULE)
    return LedgerDice(game, keeps, is_open)


def rolled(
    number: int,
    dice: str,
    notation: DiceNotation,
    pips: tuple[int, ...],
    source: DiceSource,
    purpose: str,
    *,
    modifiers: Iterable[Modifier] = (),
    rule: str = "",
    subjects: tuple[str, ...] = (),
    needed: str = "",
) -> DiceRolled:
    """Return the record of one roll. A modifier in the notation counts like any other."""
    own = (Modifier(amount=notation.plus, source=dice),) if notation.plus else ()
    every = (*own, *modifiers)
    return DiceRolled(
        rule=rule,
        roll=number,
        purpose=purpose,
        dice=dice,
        pips=pips,
        modifiers=every,
        total=sum(pips) + sum(one.amount for one in every),
        needed=needed,
        subjects=subjects,
        source=source,
    )
