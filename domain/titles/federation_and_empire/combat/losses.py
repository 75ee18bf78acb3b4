"""What damage does to a unit: what it takes with it, and being crippled or destroyed."""

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
    """The points that a unit takes with it: its defense when crippled, its crippled defense when destroyed too.

    What it has absorbed without a loss is taken off, in any round until it is repaired or replaced.
    """
    full, left, had = unit.number("defense"), unit.number("crippled_defense"), has_absorbed(unit)
    if result == "crippled":
        return max(0, full - had)
    return max(0, (left if is_crippled(unit) else full + left) - had)


def account_of(unit: Unit) -> str:
    """What counts the points that a unit absorbs: damage of a base, fighters that are gone; "" where nothing can."""
    if is_base(unit):
        return "sids"
    return "fighters_gone" if unit.get("fighters") is not None or has(unit, "fighters") else ""


def has_absorbed(unit: Unit) -> int:
    """The points of its factors that a unit has absorbed; those of fighters with a number of their own are none."""
    own = 0 if unit.get("fighters") is not None and not is_base(unit) else unit.number(account_of(unit))
    return own + unit.number("absorbed")


def stated_points(game: Game, said: int | None, counted: int, unit: Unit, doing: str, number: str) -> int:
    """The points of an order: what its unit's factors come to, or what is said where its counter has none."""
    printed = unit.number("defense") or unit.number("crippled_defense")
    if not printed:
        return said or 0
    if said not in (None, counted):
        raise refuse(game, "points-not-as-counted", number, action=doing, unit=unit.id, limit=counted, given=said)
    return counted


def harm(game: Game, unit: Unit, result: str, cause: str, rule: str) -> list[Result]:
    """The unit is crippled or destroyed. Raises RuleViolation for crippling a crippled unit."""
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
    """The unit is lost in the battle in hand, and with it those aboard for whom no later step throws a die."""
    return [
        *changed(unit, "lost", round_mark(game), "", rule),
        *lost_with(game, unit, rule),
        *removed(unit, fate, cause, rule),
    ]


def lost_with(game: Game, ship: Unit, rule: str) -> list[Result]:
    """Who is aboard a ship that is destroyed is lost with it [reading], unless 5-6C or 5-6X2 still asks for a fate."""
    gone = (unit for unit in everybody_aboard(game, (ship,)) if not _fate_follows(game, unit))
    lost = [event for unit in gone for event in removed(unit, "lost", f"aboard {ship.id}", rule)]
    return [*lost, *regrouped(game, ship, rule)]


def _fate_follows(game: Game, unit: Unit) -> bool:
    """Whether a later step of the round rolls for a leader or team; a pursuit has no 5-6X2 (A2)."""
    step = printed(step_open(game))
    if not hex_in_hand(game):
        return False
    if has(unit, "team"):
        return bool(game.options.get(options.prime_teams.name)) and step not in ("5-6D", "5-6X4")
    asked = bool(game.options.get(options.admirals.name)) and game.cursor.frame("5-S8") is None
    return has(unit, "leader") and asked and step != "5-6X4"
