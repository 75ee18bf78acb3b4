"""Move the pods of tugs: from crippled tugs to the fleet pod pool (6F), or between expeditionary fleets' tugs (8B)."""

from collections import Counter

from umpire_ledger.domain.titles.federation_and_empire.counters.empires import (
    empire_of,
    is_crippled,
    named_once,
    need_trait,
    own_unit,
    refuse,
    rule_of,
)
from umpire_ledger.kit import Dice, Game, Name, Order, Reason, Result, Unit, UnitName, changed, paid


class SendPods(Order, frozen=True, kw_only=True, tag="send-pods"):
    """Send the pods of a crippled tug back to the fleet pod pool."""

    unit: UnitName


class ExchangePods(Order, frozen=True, kw_only=True, tag="exchange-pods"):
    """Exchange pods between two tugs of expeditionary fleets: `unit` then has `pods`, and `other` has the rest."""

    unit: UnitName
    other: UnitName
    pods: tuple[Name, ...] = ()


def decide_send_pods(game: Game, order: SendPods, _: Dice) -> list[Result]:
    """Send all pods of a crippled tug to its empire's fleet pod pool.

    Raises:
        RuleViolation: The unit is not a tug, is not crippled or has no pods.
    """
    unit = own_unit(game, order, order.unit)
    need_trait(game, unit, "tug", "tug", "509.43")
    pods = unit.names("pods")
    if not is_crippled(unit) or not pods:
        raise refuse(
            game,
            "not-a-crippled-tug-with-pods",
            "509.43",
            unit=unit.id,
            why=Reason("no-pods", "has no pods") if is_crippled(unit) else Reason("not-crippled", "is not crippled"),
        )
    rule, cause = rule_of(game), f"pods of {unit.id}"
    return [
        *changed(unit, "pods", None, "sent to the fleet pod pool", rule),
        *paid(game, f"{empire_of(unit)}/pods", len(pods), cause, rule),
    ]


def decide_exchange_pods(game: Game, order: ExchangePods, _: Dice) -> list[Result]:
    """Share out the pods of two tugs; no pod is lost or gained.

    Raises:
        RuleViolation: The two cannot exchange pods (`_verify_pair`), neither has the pods, or one has exchanged
            already.
    """
    unit, other = own_unit(game, order, order.unit), own_unit(game, order, order.other)
    _verify_pair(game, unit, other)
    rest = Counter((*unit.names("pods"), *other.names("pods")))
    rest.subtract(order.pods)
    strange = next((pod for pod, number in rest.items() if number < 0), "")
    if strange:
        have = ", ".join((*unit.names("pods"), *other.names("pods"))) or "none"
        raise refuse(game, "pods-not-held", "411.75", pods=strange, limit=have)
    rule, cause = rule_of(game), f"exchange of {unit.id} and {other.id}"
    remedy = "leave its pods as they are"
    return [
        *named_once(game, unit, "pods_exchanged", Reason("pods-exchanged", "has exchanged pods"), remedy, "411.75"),
        *named_once(game, other, "pods_exchanged", Reason("pods-exchanged", "has exchanged pods"), remedy, "411.75"),
        *changed(unit, "pods", order.pods or None, cause, rule),
        *changed(other, "pods", tuple(sorted(rest.elements())) or None, cause, rule),
    ]


def _verify_pair(game: Game, unit: Unit, other: Unit) -> None:
    """Check that two different tugs of expeditionary fleets are in one hex.

    Raises:
        RuleViolation: They are the same tug or in different hexes, or one is not a tug or not in an expeditionary
            fleet.
    """
    for one in (unit, other):
        need_trait(game, one, "tug", "tug", "411.75")
        if not one.get("fleet"):
            raise refuse(game, "not-in-expeditionary-fleet", "411.75", unit=one.id)
    if unit.id == other.id or unit.at != other.at:
        raise refuse(
            game, "exchanges-with-a-tug" if unit.id == other.id else "tugs-apart", "411.75", other=other.id, at=unit.at
        )
