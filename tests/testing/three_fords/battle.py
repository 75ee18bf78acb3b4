"""4a: a company attacks an enemy at its place or at the end of a road."""

from collections.abc import Iterator

from three_fords.board import ROADS, own_company, refuse
from three_fords.plans import assaults
from umpire_ledger.kit import (
    Dice,
    Game,
    Modifier,
    Order,
    Result,
    Unit,
    UnitName,
    changed,
    removed,
    roll_on_table,
    unit_of,
    word_in,
)

RULE = "4a"


class Attack(Order, frozen=True, kw_only=True, tag="attack"):
    """Attack an enemy company with one of yours."""

    company: UnitName
    target: UnitName


def decide_attack(game: Game, order: Attack, dice: Dice) -> list[Result]:
    """Roll on the table `battle`; a company attacks once in a turn."""
    company = own_company(game, order.seat, order.company, RULE)
    target = unit_of(game, order.target, RULE)
    verify_can_attack(game, company, target)
    rolled, result = roll_on_table(
        game,
        dice,
        "battle",
        purpose=f"{company.id} attacks {target.id}",
        rule=RULE,
        subjects=(company.id, target.id),
        modifiers=tuple(modifiers(game, company)),
    )
    spent = [*changed(company, "attacked", True, rule=RULE), *changed(company, "bonus", 0, rule=RULE)]
    return [rolled, *spent, *losses(target, str(result))]


def verify_can_attack(game: Game, company: Unit, target: Unit) -> None:
    """Refuse an attack that the company cannot make.

    Raises:
        RuleViolation: It has attacked, or the target is of its own side or too far away.
    """
    if company.get("attacked"):
        raise refuse(game, f"{company.id} has attacked", "name another company, or `done`", RULE)
    if target.side == company.side:
        raise refuse(game, f"{target.id} is yours", "name an enemy", RULE)
    if target.at not in (company.at, *ROADS[company.at]):
        raise refuse(game, f"{target.id} is too far away", "name a nearer target", RULE)


def modifiers(game: Game, company: Unit) -> Iterator[Modifier]:
    """Yield the modifiers of cards, of the plan, and of the lookout."""
    if bonus := company.number("bonus"):
        yield Modifier(amount=bonus, source="cards")
    if assaults(game, company.side):
        yield Modifier(amount=1, source="assault")
    if word_in(game, f"lookout/{company.side}") == company.at:
        yield Modifier(amount=1, source="lookout")


def losses(target: Unit, result: str) -> list[Result]:
    """Take a point of strength for a hit, two for a rout; a company without strength is destroyed."""
    left = target.number("strength") - {"miss": 0, "hit": 1, "rout": 2}[result]
    if left < 1:
        return removed(target, "destroyed", rule=RULE)
    return changed(target, "strength", left, rule=RULE)


def attacks(game: Game, side: str) -> Iterator[Order]:
    """Yield an attack of every company at every enemy."""
    for company in game.in_play(side):
        for target in game.in_play():
            if target.side != side:
                yield Attack(seat=side, company=company.id, target=target.id)
