"""What damage does to a unit: what it takes with it, and being crippled or destroyed."""

from umpire_ledger.domain.titles.federation_and_empire.empires import has, is_base, is_crippled, refuse, round_mark
from umpire_ledger.kit import Game, Result, Unit, changed, removed


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
        raise refuse(
            game, f"{doing} {unit.id} is {counted} points, not {said}", f"give {counted}, or leave `points` out", number
        )
    return counted


def harm(game: Game, unit: Unit, result: str, cause: str, rule: str) -> list[Result]:
    """The unit is crippled or destroyed. Raises RuleViolation for crippling a crippled unit."""
    if result == "destroyed":
        return [*changed(unit, "lost", round_mark(game), "", rule), *removed(unit, "destroyed", cause, rule)]
    if result != "crippled":
        return []
    if is_crippled(unit):
        raise refuse(game, f"{unit.id} is crippled already", "destroy it, or name another unit")
    account = account_of(unit) if has_absorbed(unit) else ""
    counted = (event for name in ("absorbed", account) if name for event in changed(unit, name, None, cause, rule))
    return [*changed(unit, "crippled", True, cause, rule), *counted]
