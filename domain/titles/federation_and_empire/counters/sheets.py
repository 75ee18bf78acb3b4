"""Read a scenario's values for rules outside the printed sequence: kinds, prices, yards, rates.

Each value has its source in the scenario, and orders must keep to it. If the scenario does not set a value, the players
state it.
"""

from typing import Annotated, Any, Literal

import msgspec

from umpire_ledger.domain.titles.federation_and_empire.counters.empires import refuse
from umpire_ledger.domain.titles.federation_and_empire.economy.prices import what_it_costs
from umpire_ledger.kit import Game, Id, Order, Value

Points = Annotated[int, msgspec.Meta(ge=0, le=1_000_000)]
Factor = Annotated[int, msgspec.Meta(ge=0, le=99)]
Some = Annotated[int, msgspec.Meta(ge=1, le=1_000_000)]
Source = Annotated[str, msgspec.Meta(min_length=1, max_length=2000)]
BOTH_SIDES = ("attack", "defense", "crippled_attack", "crippled_defense", "command")
SIDES = BOTH_SIDES[:4]
"""Fields printed on the two sides of a counter, without its command rating."""


class KindOfUnit(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """A kind of unit that may be built or converted to: both sides of its counter, with its traits."""

    kind: Annotated[str, msgspec.Meta(min_length=1, max_length=80)]
    attack: Factor = 0
    defense: Factor = 0
    crippled_attack: Factor = 0
    crippled_defense: Factor = 0
    command: Factor = 0
    traits: tuple[Id, ...] = ()
    fighters: Factor | None = None
    pfs: Factor | None = None
    repairs: Factor = 0
    survey: Factor = 0


class Costs(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Prices in EPs by purchase or sale, for example `build D7`, `scrap D6` or `colony`, with their source.

    By kind of unit: activate, build, convert, deploy, repair, salvage, scrap, upgrade. By name: `battleship OPTION`,
    `construct FACILITY`. Without either: `build GCE`, `repair SIDS`, `replace fighters` (PFs, GCE), `support homeless`
    (forward defense), `colony`, `colonial base`, `drone bombardment`, `drone raid`, `WYN trade` (the most that one
    trade brings).
    """

    source: Source
    of: dict[Annotated[str, msgspec.Meta(min_length=1, max_length=80)], Points]


class Yard(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """A hex in which an empire builds, with the number of units in one turn.

    `facility`: the yard works only after this facility is paid off there, at the price `construct FACILITY` of the
    `costs`.
    """

    empire: Id
    at: Annotated[str, msgspec.Meta(pattern=r"^[0-9]{4}$")]
    places: Factor
    facility: Annotated[str, msgspec.Meta(max_length=80)] = ""


class Interest(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Interest on debts, in percent a turn; parts of an EP are left out or, with `up`, rounded up (447.3)."""

    percent: Annotated[int, msgspec.Meta(ge=0, le=100)]
    source: Source
    parts: Literal["left out", "up"] = "left out"


class Counter(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A counter of 1A3 that exists when the war begins, and the side that counts it."""

    side: Id
    counter: Literal["recovery", "capture", "annexation", "diplomacy"]
    place: Annotated[str, msgspec.Meta(min_length=1, max_length=80)]
    turns: Annotated[int, msgspec.Meta(ge=1, le=99)]


def sheets(**given: Any) -> dict[str, Any]:
    """Return the sheets that a scenario has, as plain JSON by name; kinds by their name."""
    plain = {name: msgspec.json.decode(msgspec.json.encode(value)) for name, value in given.items() if value}
    if "kinds" in plain:
        plain["kinds"] = {one["kind"]: one for one in plain["kinds"]}
    return plain


def price(game: Game, said: int | None, what: str, number: str = "", *, free: bool = False) -> int:
    """Return the price of something: the scenario's, or else the order's. `free`: 0 if neither sets one.

    Raises:
        RuleViolation: The order states another price than the scenario's, or neither sets one.
    """
    listed = listed_price(game, what)
    if listed is None and said is None and not free:
        raise refuse(game, "price-missing", number, what=what_it_costs(what))
    if listed is not None and said not in (None, listed):
        raise refuse(game, "price-differs", number, what=what, limit=listed, given=said)
    return (said or 0) if listed is None else listed


def listed_price(game: Game, what: str) -> int | None:
    """Return the scenario's price of something; None if it has none."""
    found: int | None = game.tables.get("costs", {}).get("of", {}).get(what)
    return found


def counter_of(game: Game, kind: str, stated: dict[str, Value], number: str = "") -> dict[str, Value]:
    """Return both sides of the counter of a kind: from the scenario's sheet of kinds, or as the order states them.

    Args:
        stated: The values in the order.

    Raises:
        RuleViolation: The sheet has other values, or the order states only one side.
    """
    known = game.tables.get("kinds", {}).get(kind)
    if known is None:
        missing = [name for name in SIDES if name not in stated]
        if missing and len(missing) < len(SIDES):
            raise refuse(game, "counter-values-missing", number, missing=" and ".join(missing), kind=kind)
        return stated
    full: dict[str, Value] = dict.fromkeys(BOTH_SIDES, 0)
    full |= {name: tuple(one) if isinstance(one, list) else one for name, one in known.items() if name != "kind"}
    for name, value in stated.items():
        if value != full.get(name, ()):
            raise refuse(
                game,
                "counter-values-differ",
                number,
                kind=kind,
                attribute=name,
                limit=full.get(name, "none"),
                given=value,
            )
    return full


def stated_in(order: Order) -> dict[str, Value]:
    """Return the values of a counter that an order states: the fields of both sides and the traits."""
    said = {name: getattr(order, name, None) for name in (*BOTH_SIDES, "traits")}
    return {name: value for name, value in said.items() if value is not None}


def yards_of(game: Game, empire: str) -> dict[str, int]:
    """Return the hexes in which an empire builds, with the units per turn; empty if the scenario lists none."""
    mine = (one for one in game.tables.get("yards", ()) if one["empire"] == empire)
    return {one["at"]: one["places"] for one in mine if _stands(game, one)}


def unpaid_at(game: Game, empire: str, at: str) -> str:
    """Return the facility that must be paid off before an empire's yard there builds; "" if there is none."""
    mine = (one for one in game.tables.get("yards", ()) if (one["empire"], one["at"]) == (empire, at))
    return next((one["facility"] for one in mine if not _stands(game, one)), "")


def _stands(game: Game, yard: dict[str, Any]) -> bool:
    """Check whether a yard builds: one that needs a facility does only when that is paid off (450.1) [reading]."""
    what = yard.get("facility")
    if not what:
        return True
    paid = game.accounts.get(f"{yard['empire']}/{what} {yard['at']}", 0)
    return paid >= (listed_price(game, f"construct {what}") or 1)


def interest_on(game: Game, debt: int) -> int | None:
    """Return the interest on a debt; None if the scenario has no rate."""
    rate = game.tables.get("interest")
    if rate is None:
        return None
    whole, part = divmod(debt * rate["percent"], 100)
    more: int = whole + 1 if rate["parts"] == "up" and part else whole
    return more


def turns_needed(game: Game, counter: str) -> int:
    """Return the turns that a counter takes; 0 if the scenario sets none."""
    found: int = game.tables.get("turns_needed", {}).get(counter, 0)
    return found


def missions(game: Game) -> tuple[str, ...]:
    """Return the codes of missions; none if the scenario does not list them."""
    return tuple(game.tables.get("missions", ()))
