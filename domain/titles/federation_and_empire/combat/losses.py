"""Compute the damage that units absorb, and cripple or destroy them."""

from umpire_ledger.domain.titles.federation_and_empire import options
from umpire_ledger.domain.titles.federation_and_empire.counters.empires import (
    everybody_aboard,
    has,
    hex_in_hand,
    is_base,
    is_crippled,
    printed,
    refuse,
    regrouped,
    round_mark,
)
from umpire_ledger.kit import Game, Result, Unit, changed, removed, step_open


def absorbs(unit: Unit, result: str) -> int:
    """Return the points that a unit absorbs: its defense if crippled, its crippled defense too if destroyed.

    A unit that is already crippled absorbs only its crippled defense when it is destroyed. Points that a unit has
    absorbed without a loss are subtracted, in any round until it is repaired or replaced.
    """
    full, left, had = unit.number("defense"), unit.number("crippled_defense"), has_absorbed(unit)
    if result == "crippled":
        return max(0, full - had)
    return max(0, (left if is_crippled(unit) else full + left) - had)


def account_of(unit: Unit) -> str:
    """Return the attribute that counts points absorbed: base damage, or fighters lost; "" for other units."""
    if is_base(unit):
        return "sids"
    return "fighters_gone" if unit.get("fighters") is not None or has(unit, "fighters") else ""


def has_absorbed(unit: Unit) -> int:
    """Return the points that a unit has absorbed of its own factors; separately numbered fighters do not count."""
    own = 0 if unit.get("fighters") is not None and not is_base(unit) else unit.number(account_of(unit))
    return own + unit.number("absorbed")


def stated_points(game: Game, said: int | None, counted: int, unit: Unit, doing: str, number: str) -> int:
    """Return the points of an order: those of the unit's factors, or the stated ones if its counter has none.

    Raises:
        RuleViolation: The order states other points than the unit's factors give.
    """
    printed = unit.number("defense") or unit.number("crippled_defense")
    if not printed:
        return said or 0
    if said not in (None, counted):
        raise refuse(game, "points-not-as-counted", number, action=doing, unit=unit.id, limit=counted, given=said)
    return counted


def harm(game: Game, unit: Unit, result: str, cause: str, rule: str) -> list[Result]:
    """Cripple or destroy the unit; no other result has an effect.

    Raises:
        RuleViolation: A crippled unit would be crippled again.
    """
    if result == "destroyed":
        return destroyed(game, unit, "destroyed", cause, rule)
    if result != "crippled":
        return []
    if is_crippled(unit):
        raise refuse(game, "crippled-already", unit=unit.id)
    account = account_of(unit) if has_absorbed(unit) else ""
    counted = (event for name in ("absorbed", account) if name for event in changed(unit, name, None, cause, rule))
    return [*changed(unit, "crippled", True, cause, rule), *counted]


def destroyed(game: Game, unit: Unit, fate: str, cause: str, rule: str) -> list[Result]:
    """Remove a unit lost in the current battle, and the units aboard it that have no die in a later step."""
    return [
        *changed(unit, "lost", round_mark(game), "", rule),
        *lost_with(game, unit, rule),
        *removed(unit, fate, cause, rule),
    ]


def lost_with(game: Game, ship: Unit, rule: str) -> list[Result]:
    """Remove the units aboard a destroyed ship [reading], except those that have a die in 5-6C or 5-6X2."""
    gone = (unit for unit in everybody_aboard(game, (ship,)) if not _fate_follows(game, unit))
    lost = [event for unit in gone for event in removed(unit, "lost", f"aboard {ship.id}", rule)]
    return [*lost, *regrouped(game, ship, rule)]


def _fate_follows(game: Game, unit: Unit) -> bool:
    """Check whether a later step of the round rolls for a leader or team; a pursuit has no 5-6X2 (A2)."""
    step = printed(step_open(game))
    if not hex_in_hand(game):
        return False
    if has(unit, "team"):
        return bool(game.options.get(options.prime_teams.name)) and step not in ("5-6D", "5-6X4")
    asked = bool(game.options.get(options.admirals.name)) and game.cursor.frame("5-S8") is None
    return has(unit, "leader") and asked and step != "5-6X4"
