"""Limit players' generic orders to property of their own side and to state that the title's rules do not write.

The limits are checked before the order's decision, here for every title:

    units       must belong to the side; in a step whose `touches` names a set, to that set
    accounts    and markers must not belong to another side or be named in the title's `ruled`
    attributes  of units must exist for the unit or its kind and must not be in `ruled`; `side` can never be set
    questions   must not be in `ruled`

A step permits more with `touches`. The referee records everything else by a ruling; the refusal shows the command.

A title without a sequence of play (freeform) has no limits. It has no rules that write state and no steps that could
permit a shooter to record losses, and often one person keeps the ledger for the whole group.
"""

from collections.abc import Iterable, Mapping
from fnmatch import fnmatchcase
from typing import NamedTuple

import msgspec

from umpire_ledger.domain.flow.open_steps import rule_of
from umpire_ledger.domain.flow.queries import holders
from umpire_ledger.domain.flow.refusals import REFUSALS
from umpire_ledger.domain.game import orders as o
from umpire_ledger.domain.game.errors import RuleViolation
from umpire_ledger.domain.game.refusal_catalogue import refusal
from umpire_ledger.domain.game.state import Game, Unit
from umpire_ledger.domain.kit.title import Title
from umpire_ledger.domain.sequence.constructs import Step, Touch, names

NEVER = "side"
"""Attribute that no generic order of a player can set."""
LOSSES = (o.Change, o.Remove)
"""Orders that may change a unit of another side if a step permits it."""


class OrderScope(NamedTuple):
    """A generic order of a side, and the step in which it is given."""

    title: Title
    game: Game
    order: o.Order
    side: str
    step: Step

    @property
    def opened(self) -> Touch:
        """The state that the step permits players to change."""
        return self.step.touches


def verify_scope(title: Title, game: Game, order: o.Order, step: str) -> None:
    """Check the scope of a player's generic order.

    Raises:
        RuleViolation: The order touches another side's property, or state that the rules write.
    """
    side, place = game.side_of(order.seat), title.plan.step(step)
    if not side or place is None or not isinstance(order, o.GENERIC_ORDERS):
        return
    asked = OrderScope(title, game, order, side, place)
    _verify_role(asked)
    match order:
        case o.Move(unit=unit) | o.Remove(unit=unit):
            _verify_unit(asked, unit)
        case o.Change():
            _verify_unit(asked, order.unit)
            _verify_attribute(asked, order)
        case o.Place():
            _verify_place(asked, order)
        case o.Pay(account=account):
            _verify_name(asked, account, title.ruled.accounts, asked.opened.accounts)
            _verify_not_foreign(asked, account)
        case o.Mark(marker=marker):
            _verify_name(asked, marker, title.ruled.markers, asked.opened.markers)
            _verify_not_foreign(asked, marker)
        case o.Choose(question=question) | o.SealChoice(question=question) | o.Reveal(question=question):
            _verify_name(asked, question, title.ruled.questions, asked.opened.questions)
        case _:
            pass  # An order that only rolls dice changes no state.


def may_give(title: Title, game: Game, order: type[o.Order], side: str, step: Step) -> bool:
    """Return whether a step lets a side give orders of this class now; `touches` may limit generic orders to roles."""
    roles = names(step.touches.by)
    return not roles or order not in o.GENERIC_ORDERS or any(side in holders(title, game, role) for role in roles)


def matches(name: str, patterns: Iterable[str]) -> bool:
    """Return whether a name matches one of several shell-style patterns, such as `hits*`."""
    return any(fnmatchcase(name, pattern) for pattern in patterns)


# --- subjects of the order --------------------------------------------------------------------------------------------


def _verify_role(asked: OrderScope) -> None:
    title, game, order, side, step = asked
    if may_give(title, game, type(order), side, step):
        return
    may = [game.side_name(one) for role in names(step.touches.by) for one in holders(title, game, role)]
    first = ", ".join(one.tag() for one in step.allows if one not in o.GENERIC_ORDERS)
    raise _refuse(
        asked,
        "wait-for-others" if may else "not-in-this-step",
        order=order.tag(),
        side=game.side_name(side),
        step=step.id,
        may=" or ".join(may),
        first=first,
    )


def _verify_unit(asked: OrderScope, name: str) -> None:
    unit = asked.game.units.get(name)
    if unit is None:
        return  # The decision refuses an unknown unit.
    if asked.opened.units:
        _verify_member(asked, unit)
    elif _is_anothers(asked, unit.side):
        raise _foreign(asked, unit.id, unit.side)


def _verify_member(asked: OrderScope, unit: Unit) -> None:
    """Check a unit in a step that names a set: it must be in the set, and another side's unit may only take losses."""
    members = asked.title.sets[asked.opened.units](asked.game, asked.side)
    if unit.id in members and (unit.side == asked.side or isinstance(asked.order, LOSSES)):
        return
    if unit.side != asked.side:
        raise _foreign(asked, unit.id, unit.side)
    can = ", ".join(members) or "none"
    raise _refuse(asked, "unit-not-in-this-step", unit=unit.id, can=can)


def _verify_not_foreign(asked: OrderScope, name: str) -> None:
    owners = (asked.title.ruled.owner(asked.game, word) for word in name.split("/"))
    owner = next((side for side in owners if _is_anothers(asked, side)), "")
    if owner:
        raise _foreign(asked, name, owner)


def _is_anothers(asked: OrderScope, side: str) -> bool:
    return side != asked.side and side in asked.game.side_ids


# --- state that the rules write ---------------------------------------------------------------------------------------


def _verify_name(asked: OrderScope, name: str, ruled: Iterable[str], opened: Iterable[str]) -> None:
    if matches(name, ruled) and not matches(name, opened):
        raise _by_rules(asked, name)


def _verify_attribute(asked: OrderScope, order: o.Change) -> None:
    unit = asked.game.units.get(order.unit)
    if unit is None:
        return
    if order.attribute == NEVER:
        raise _by_rules(asked, f"the side of {order.unit}")
    _verify_known(asked, unit.kind, order.attribute, {**unit.attributes})
    if _is_ruled(asked, order.attribute):
        instead = asked.title.ruled.instead.get(order.attribute, "")
        raise _by_rules(asked, f"{order.attribute} of {order.unit}", instead)


def _is_ruled(asked: OrderScope, attribute: str) -> bool:
    return matches(attribute, asked.title.ruled.attributes) and not matches(attribute, asked.opened.attributes)


def _verify_known(asked: OrderScope, kind: str, attribute: str, own: Mapping[str, object] = {}) -> None:
    """Check that an attribute exists: the unit has it, a unit of its kind has it, or the title declares it."""
    ruled, opened = asked.title.ruled, asked.opened
    named = (pattern for pattern in (*ruled.attributes, *opened.attributes) if pattern != "*")
    if attribute in own or matches(attribute, (*named, *ruled.notes)):
        return
    known = sorted({name for unit in asked.game.units.values() if unit.kind == kind for name in unit.attributes})
    if attribute not in known:
        free = [name for name in known if not _is_ruled(asked, name)]
        remedy = f"name one of: {', '.join(free)}" if free else f"this order changes no attribute of a {kind}"
        raise _refuse(
            asked, "no-such-attribute", kind=kind, attribute=attribute, remedy=remedy, by_referee=_by_referee(asked)
        )


def _verify_place(asked: OrderScope, order: o.Place) -> None:
    if _is_anothers(asked, order.side):
        raise _foreign(asked, order.unit, order.side)
    known = asked.game.units.get(order.unit)
    if known is not None and known.fate:
        raise _refuse(asked, "unit-id-used", unit=order.unit, fate=known.fate, by_referee=_by_referee(asked))
    if o.Place in asked.title.decisions:
        return
    for attribute in order.attributes:
        _verify_known(asked, order.kind, attribute)
        if _is_ruled(asked, attribute):
            raise _by_rules(asked, f"{attribute} of {order.unit}")


# --- refusals ---------------------------------------------------------------------------------------------------------


def _foreign(asked: OrderScope, what: str, owner: str) -> RuleViolation:
    name = asked.game.side_name(owner)
    return _refuse(
        asked,
        "belongs-to-another-side",
        named=what,
        owner=name,
        kind=_OWN.get(type(asked.order), "a unit"),
        by_referee=_by_referee(asked),
    )


_OWN: Mapping[type[o.Order], str] = {o.Pay: "an account", o.Mark: "a marker"}


def _by_rules(asked: OrderScope, what: str, instead: str = "") -> RuleViolation:
    return _refuse(
        asked,
        "written-by-the-rules" if instead else "written-by-the-rules-alone",
        written=what,
        order=asked.order.tag(),
        instead=instead,
        by_referee=_by_referee(asked),
    )


def _refuse(asked: OrderScope, code: str, /, **fields: object) -> RuleViolation:
    beside = asked.step in asked.title.plan.anytime  # A step open at any time is not printed.
    rule = rule_of(asked.title, asked.game, "" if beside else asked.step.id)
    return refusal(RuleViolation, REFUSALS, code, fields, where=asked.game.where, rule=rule)


def _by_referee(asked: OrderScope) -> str:
    """Return the command with which the referee records the same change. An answer is still recorded for the side."""
    given = msgspec.to_builtins(asked.order)
    if not isinstance(asked.order, (o.Choose, o.SealChoice, o.Reveal)):
        del given["as"]
    game, order = _for_shell(asked.game.id), _for_shell(msgspec.json.encode(given).decode())
    return f'the referee can record it: `umpire rule {game} "as agreed" --grounds house --why "…" --order {order}`'


def _for_shell(word: str) -> str:
    """Return a word quoted for a shell. Importing `shlex` would slow down every view of a game."""
    return word if word.replace("-", "").isalnum() else "'" + word.replace("'", "'\\''") + "'"
