"""Draw the pictures of a case file: the board before and after the contested orders, and the dice of the excerpt."""

import msgspec

from umpire_ledger.desk.cases.picture_files import AFTER, BEFORE, DICE
from umpire_ledger.desk.pictures.pictures import table_between
from umpire_ledger.domain.game.events import DiceRolled
from umpire_ledger.domain.game.state import Game
from umpire_ledger.ledger.ledger import Ledger
from umpire_ledger.projections.pictures.dice_svg import dice_svg_of, throw_of
from umpire_ledger.projections.pictures.picture_words import picture_words
from umpire_ledger.projections.pictures.svg import svg_of
from umpire_ledger.projections.pictures.table_picture import Picture
from umpire_ledger.projections.reports.case_file import Case, CasePicture, CasePictures
from umpire_ledger.projections.tables.copies import copy_words
from umpire_ledger.projections.tables.updater import Follower


class Drawn(msgspec.Struct, frozen=True):
    """The pictures by file name, with their captions and words for the page."""

    shown: CasePictures
    files: dict[str, bytes]


def case_pictures(follower: Follower, ledger: Ledger[Game], case: Case) -> Drawn:
    """Draw the pictures of a case from the knowledge of its seat only.

    Raises:
        NoSuchRecord: When the case needs a record that the game does not have.
    """
    before, after = (_table(follower, ledger, case, at) for at in (case.before_at, case.after_at))
    dice = _dice(case)
    shown = CasePictures(
        before=CasePicture(file=BEFORE, caption=f"Board at #{case.before_at}", words=tuple(picture_words(before))),
        after=CasePicture(
            file=AFTER,
            caption=f"Board at #{case.after_at}, with moves and losses since #{case.before_at}",
            words=tuple(picture_words(after)),
        ),
        dice=CasePicture(file=DICE, caption="Dice results"),
    )
    drawn = {BEFORE: svg_of(before, stacks=True), AFTER: svg_of(after, stacks=True), DICE: dice}
    return Drawn(shown, {name: text.encode() for name, text in drawn.items()})


def _table(follower: Follower, ledger: Ledger[Game], case: Case, at: int) -> Picture:
    """Return the picture of the board at a position, with all changes since the contested orders began."""
    known = follower.known_to(case.game, case.seat, at)
    title, copied = follower.title_of(case.game), copy_words(case.after.copied)
    return table_between(ledger, case.game, title, known, case.seat, (case.before_at, at), copied)


def _dice(case: Case) -> str:
    throws = [throw_of(one["position"], one["seat"], _event(one), counts=bool(one["counts"])) for one in case.dice]
    return dice_svg_of(throws, f"{case.name or case.game}: dice around dispute {case.dispute.dispute}")


def _event(roll: dict[str, object]) -> DiceRolled:
    """Return the event of a roll that the case contains as plain data."""
    names = set(DiceRolled.__struct_fields__)
    plain = {name: value for name, value in roll.items() if name in names}
    return msgspec.convert({**plain, "type": "dice.rolled"}, DiceRolled)
