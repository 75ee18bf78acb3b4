"""Manage cloaked decoys of the Romulans: recorded for ships (2B7, 5-1C), announced, withdrawn, revealed when used.

A decoy in the Raid Pool is visible. The ship it belongs to is a sealed choice in the log, which proves that the ship
revealed later is the one recorded. Public facts alone decide whether the Romulans must answer a question about decoys:
they have ships in the hex, and unrevealed decoys.
"""

from collections.abc import Callable
from typing import Annotated, Literal

import msgspec

from umpire_ledger.domain.titles.federation_and_empire.combat.battle import commit
from umpire_ledger.domain.titles.federation_and_empire.combat.withdrawal import Path
from umpire_ledger.domain.titles.federation_and_empire.counters.empires import (
    POOL,
    Pips,
    empire_of,
    has,
    hex_in_hand,
    is_ship,
    living,
    need_trait,
    own_unit,
    phasing,
    refuse,
    rule_of,
    serving,
    side_of_empire,
    try_for,
    units_where,
)
from umpire_ledger.domain.titles.federation_and_empire.house_values import DIE
from umpire_ledger.domain.titles.federation_and_empire.movement.paths import verify_together
from umpire_ledger.kit import (
    ChoiceMade,
    ChoiceRevealed,
    ChoiceSealed,
    Dice,
    Game,
    Name,
    Order,
    RestrictedEvent,
    Result,
    RollTable,
    TableRoll,
    Unit,
    UnitName,
    changed,
    choice_key,
    marked,
    modifiers_of,
    moved,
    names_in,
    reveal,
    secret_viewers,
    step_open,
    word_of,
)


class AssignDecoy(Order, frozen=True, kw_only=True, tag="assign-decoy"):
    """Secretly record which ship a cloaked decoy belongs to; this cannot change until the decoy is revealed."""

    decoy: UnitName
    ship: UnitName


class RevealDecoy(TableRoll, frozen=True, kw_only=True, tag="reveal-decoy"):
    """Reveal the ship that a decoy was recorded for, and roll for the decoy's effect.

    `at_least`: the lowest die that works, if the scenario has no table `decoy`; without either the decoy works.
    """

    decoy: UnitName
    purpose: Name
    roll: bool = True
    at_least: Pips | None = None


class WithdrawDecoy(Order, frozen=True, kw_only=True, tag="withdraw-decoy"):
    """Withdraw a cloaked decoy further, along a path from the hex to which its ship has withdrawn."""

    decoy: UnitName
    path: Path


class AnnounceDecoys(Order, frozen=True, kw_only=True, tag="announce-decoys"):
    """Announce the number and types of the cloaked decoys that are present, but not their places."""

    number: Annotated[int, msgspec.Meta(ge=1, le=99)]
    types: tuple[Name, ...]


class RecordDecoys(Order, frozen=True, kw_only=True, tag="record-decoys"):
    """Secretly record the places of all your cloaked decoys, each written `DECOY SHIP`; do so even if you have none."""

    places: tuple[Name, ...] = ()


ROMULAN = "romulan"
"""The empire that has cloaked decoys (2B7)."""


def is_decoy(unit: Unit) -> bool:
    """Check whether a unit is a cloaked decoy of the Romulans."""
    return has(unit, "decoy") and empire_of(unit) == ROMULAN


def romulans(game: Game) -> tuple[str, ...]:
    """Return the side that plays the Romulans, phasing or not (A12)."""
    side = side_of_empire(game, ROMULAN)
    return (side,) if side else ()


def need_decoy(game: Game, unit: Unit, number: str = "") -> None:
    """Check that a unit is a cloaked decoy of the Romulans: no other empire has any (2B7).

    Raises:
        RuleViolation: The unit is not a decoy, or belongs to another empire.
    """
    need_trait(game, unit, "decoy", "cloaked decoy", number)
    if empire_of(unit) != ROMULAN:
        raise refuse(game, "only-romulan-decoys", number, unit=unit.id, empire=empire_of(unit))


def _unseen(game: Game, fits: Callable[[Unit], bool]) -> tuple[str, ...]:
    """Return the Romulans if they have unrevealed decoys and a unit that matches; both facts are public."""
    return tuple(
        side
        for side in romulans(game)
        if units_where(game, lambda unit: is_decoy(unit) and not unit.get("revealed"), side)
        and units_where(game, lambda unit: empire_of(unit) == ROMULAN and not has(unit, "decoy") and fits(unit), side)
    )


def decoy_ships(game: Game) -> tuple[str, ...]:
    """Return the Romulans if they have ships in the battle hex or withdrawn from it, phasing or not (A12)."""
    place = hex_in_hand(game)
    return _unseen(game, lambda unit: place in (unit.at, unit.get("withdrew")))


def decoys_gone(game: Game) -> tuple[str, ...]:
    """Return the Romulans if they are not phasing and their ships have withdrawn from the hex."""
    place = hex_in_hand(game)
    return tuple(side for side in _unseen(game, lambda unit: unit.get("withdrew") == place) if side != phasing(game))


def decoys_hit(by_phasing: bool) -> Callable[[Game], tuple[str, ...]]:
    """Return a role: the Romulans if the phasing side, or else another side, directs damage at one of their ships."""

    def hit(game: Game) -> tuple[str, ...]:
        sides = (side for side in game.side_ids if (side == phasing(game)) is by_phasing)
        named = {game.markers.get(f"directed by {side}") for side in sides}
        return _unseen(game, lambda unit: unit.id in named)

    return hit


def decoys_frozen(game: Game) -> tuple[str, ...]:
    """Return the Romulans if one of their ships is frozen."""
    return _unseen(game, lambda unit: bool(unit.get("frozen")))


def decoys_escape(game: Game) -> tuple[str, ...]:
    """Return the Romulans if one of their ships is to escape the pursuit by a decoy (5-8D)."""
    return _unseen(game, lambda unit: bool(unit.get("escapes")))


def ship_of_decoy(game: Game, decoy: Unit) -> str:
    """Return the ship that an unrevealed decoy was recorded for in 2B7 or 5-1C; "" if there is none."""
    recorded = game.choices.get(choice_key(f"decoy {decoy.id}", decoy.side))
    if recorded is not None:
        return str(recorded.choice) if recorded.sealed and recorded.known else ""
    told = game.choices.get(choice_key("decoys", decoy.side))
    places = told.choice if told is not None and isinstance(told.choice, tuple) else ()
    return next((one.partition(" ")[2] for one in places if one.partition(" ")[0] == decoy.id), "")


def lay_open(game: Game, decoy: Unit, rule: str) -> list[Result]:
    """Return the events that reveal the ship that a decoy was recorded for.

    Raises:
        RuleViolation: No ship was recorded.
    """
    question, ship = f"decoy {decoy.id}", ship_of_decoy(game, decoy)
    if choice_key(question, decoy.side) in game.choices or not ship:
        return [*reveal(game, decoy.side, question, rule)]
    return [ChoiceMade(question=question, side=decoy.side, choice=ship, rule=rule)]


def decide_assign_decoy(game: Game, order: AssignDecoy, _: Dice) -> list[Result]:
    """Record the ship of a decoy as a sealed choice, always in two records.

    Raises:
        RuleViolation: The unit is not a decoy of the side, the ship is of another empire, or the decoy is already
            recorded, which cannot be changed.
    """
    decoy = own_unit(game, order, order.decoy)
    need_decoy(game, decoy, "538.51")
    ship = own_unit(game, order, order.ship)
    if empire_of(ship) != empire_of(decoy) or not is_ship(ship):
        raise refuse(game, "decoy-needs-own-ship", "538.51", ship=ship.id, empire=empire_of(decoy))
    if step_open(game) == "2B7" and decoy.at != POOL:
        raise refuse(game, "decoy-not-in-pool", "538.51", decoy=decoy.id)
    question = f"decoy {decoy.id}"
    recorded = game.choices.get(choice_key(question, decoy.side))
    if recorded is not None and recorded.sealed:
        raise refuse(game, "decoy-recorded-already", "538.31", decoy=decoy.id)
    rule = rule_of(game, "538.51")
    made = ChoiceMade(question=question, side=decoy.side, choice=ship.id, sealed=True, rule=rule)
    return [
        ChoiceSealed(question=question, side=decoy.side, rule=rule),
        RestrictedEvent(made, secret_viewers(game, decoy.side)),
    ]


def decoys_present(game: Game, side: str) -> tuple[Unit, ...]:
    """Return the decoys of a side whose ship is in the battle hex."""
    here = {unit.id for unit in living(game) if unit.side == side and unit.at == hex_in_hand(game)}
    decoys = (unit for unit in living(game) if unit.side == side and is_decoy(unit))
    return tuple(unit for unit in decoys if ship_of_decoy(game, unit) in here)


def decide_announce_decoys(game: Game, order: AnnounceDecoys, _: Dice) -> list[Result]:
    """Announce the number and types of the decoys in the hex, but not their ships.

    Raises:
        RuleViolation: Other decoys were recorded, or decoys are already announced.
    """
    side = game.side_of(order.seat)
    present = decoys_present(game, side)
    kinds = tuple(sorted({unit.kind for unit in present}))
    if (order.number, tuple(sorted(set(order.types)))) != (len(present), kinds):
        raise refuse(
            game,
            "other-decoys-recorded" if present else "no-decoys-recorded",
            "538.31",
            hex=hex_in_hand(game),
            number=len(present),
            kinds=", ".join(kinds) or "none",
        )
    said, rule = (str(order.number), *order.types), rule_of(game, "538.31")
    if game.markers.get("decoys announced") is not None:
        raise refuse(game, "decoys-announced-already", "538.31")
    made = ChoiceMade(question="decoys present", side=side, choice=said, rule=rule)
    return [made, *marked(game, "decoys announced", side, "", rule)]


def decoys_unannounced(game: Game, side: str) -> bool:
    """Check whether decoys recorded for ships in the hex are not announced; only their owner knows."""
    return bool(decoys_present(game, side)) and game.markers.get("decoys announced") is None


def decide_record_decoys(game: Game, order: RecordDecoys, _: Dice) -> list[Result]:
    """Record decoys in one sealed record for each battle hex, which does not show whether there are any.

    Raises:
        RuleViolation: A decoy is recorded for another ship or already revealed, a ship is of another empire, or the hex
            already has a record.
    """
    for place in order.places:
        decoy, ship = (*place.split(), "", "")[:2]
        found, for_ship = own_unit(game, order, decoy), own_unit(game, order, ship)
        known = ship_of_decoy(game, found)
        if empire_of(for_ship) != empire_of(found) or has(for_ship, "decoy"):
            raise refuse(game, "decoy-needs-ship-of-empire", "538.31", ship=ship, empire=empire_of(found))
        if not is_decoy(found) or found.get("revealed") or known not in ("", ship):
            raise refuse(
                game, "decoy-of-another-ship" if known else "decoy-seen-already", "538.31", decoy=decoy, ship=known
            )
    return commit(game, game.side_of(order.seat), "decoys", order.places, "538.31")


def decide_withdraw_decoy(game: Game, order: WithdrawDecoy, _: Dice) -> list[Result]:
    """Reveal a decoy and move it on, after ships have withdrawn.

    Raises:
        RuleViolation: No ship is recorded, or the path has a gap.
    """
    decoy = own_unit(game, order, order.decoy)
    need_decoy(game, decoy, "538.53")
    place, side, rule = hex_in_hand(game), decoy.side, rule_of(game, "538.53")
    gone = next(unit for unit in living(game) if unit.side == side and unit.get("withdrew") == place)
    if not ship_of_decoy(game, decoy):
        raise refuse(game, "decoy-without-ship", "538.53", decoy=decoy.id)
    verify_together(game, (gone,), order.path)
    shown = lay_open(game, decoy, rule)
    return [
        *shown,
        *changed(decoy, "revealed", step_open(game), "withdrawn", rule),
        *moved(decoy, (gone.at, *order.path), "withdrawal", rule),
    ]


DECOY = RollTable("decoy", Literal["success", "failure"])


def decide_reveal_decoy(game: Game, order: RevealDecoy, dice: Dice) -> list[Result]:
    """Reveal the recorded ship of one decoy, with a die for its effect if the order asks for one.

    Raises:
        RuleViolation: The decoy is not the side's, is already revealed, or has no ship recorded, which only its owner
            learns; or its ship has no use for it here.
    """
    decoy = own_unit(game, order, order.decoy)
    need_decoy(game, decoy)
    _verify_recorded(game, decoy)
    if hex_in_hand(game):
        _verify_diverts(game, decoy)
    rule, purpose, about = rule_of(game), f"decoy {decoy.id}: {order.purpose}", (decoy.id,)
    shown = lay_open(game, decoy, rule)
    ship = next((str(one.choice) for one in shown if isinstance(one, ChoiceRevealed | ChoiceMade)), "")
    spent = changed(decoy, "revealed", step_open(game), order.purpose, rule)
    if not order.roll:
        return [*shown, *spent]
    if order.at_least is None and order.by_the_book is None and DECOY.name not in game.tables:
        rolled = dice.roll(
            word_of(game, DIE), purpose=purpose, modifiers=modifiers_of(order), rule=rule, subjects=about
        )
        return [*shown, rolled, *spent, *_helped(game, game.units.get(ship), rule)]
    tried = try_for(game, dice, order, DECOY.name, order.at_least, purpose, about)
    if tried.row is None:
        return list(tried.told)
    helped = _helped(game, game.units.get(ship), rule) if tried.row == "success" else []
    return [*shown, *tried.told, *spent, *helped]


def _helped(game: Game, ship: Unit | None, rule: str) -> list[Result]:
    """Apply the effect of a successful decoy to its ship: no hit (5-5B, 5-5C), no stasis (5-4A7F), escape (5-8F)."""
    step = step_open(game)
    if ship is None:
        return []
    if step in AIMED:
        left = tuple(one for one in names_in(game, "hits") if one.partition(" ")[0] != ship.id)
        return marked(game, "hits", left or None, "a decoy", rule)
    if step == "5-4A7F":
        return changed(ship, "frozen", None, "a decoy", rule)
    return changed(ship, "escaped", True, "a decoy", rule) if step == "5-8F/decoys" else []


AIMED = ("5-5B/decoys", "5-5C/decoys")


def _verify_recorded(game: Game, decoy: Unit) -> None:
    """Check that a decoy is recorded for a ship and not revealed.

    Raises:
        RuleViolation: It is already revealed, or recorded for no ship.
    """
    recorded = game.choices.get(choice_key(f"decoy {decoy.id}", decoy.side))
    if recorded is not None and not recorded.sealed:
        raise refuse(game, "decoy-revealed-already", decoy=decoy.id)
    if not ship_of_decoy(game, decoy):
        raise refuse(game, "no-ship-recorded-for-decoy", decoy=decoy.id)


def _verify_diverts(game: Game, decoy: Unit) -> None:
    """Check that the recorded ship fights and that the decoy can help it in this step.

    Raises:
        RuleViolation: The ship does not fight, or the step has no use for its decoy.
    """
    ship = ship_of_decoy(game, decoy)
    step, found = step_open(game), game.units.get(ship)
    if not ship:
        return
    number = "538.54" if step == "5-3G/decoys" else ""
    if step in AIMED:
        aimed = [game.markers.get(f"directed by {side}") for side in game.side_ids if side != decoy.side]
        if ship not in aimed:
            raise refuse(game, "ship-of-decoy-not-directed-at", decoy=decoy.id)
        return
    if found is None or found.fate or found not in serving(game, decoy.side):
        raise refuse(game, "ship-of-decoy-not-fighting", number, decoy=decoy.id)
    if step == "5-4A7F" and not found.get("frozen"):
        raise refuse(game, "ship-of-decoy-not-frozen", decoy=decoy.id)
    if step == "5-8F/decoys" and not found.get("escapes"):
        raise refuse(game, "ship-of-decoy-not-named", "538.55", decoy=decoy.id)
