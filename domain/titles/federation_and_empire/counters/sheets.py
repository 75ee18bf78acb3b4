"""What rules that are not in the printed sequence would say, where a scenario gives it: kinds, prices, yards, rates.

Each stands in the scenario with its source and is a limit there. Where the scenario is silent the players say it.
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
"""What a counter says on its two sides; its command rating beside it."""


class KindOfUnit(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """A kind of unit that may be built or converted to: both sides of its counter, and what it can do."""

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
    """Prices in EPs by what is bought or given up, `build D7`, `scrap D6`, `colony`, and where they are from.

    By kind of unit: activate, build, convert, deploy, repair, salvage, scrap, upgrade. By name: `battleship OPTION`,
    `construct FACILITY`. By themselves: `build GCE`, `repair SIDS`, `replace fighters` (PFs, GCE), `support homeless`
    (forward defense), `colony`, `colonial base`, `drone bombardment`, `drone raid`, `WYN trade` (what one
    brings at most).
    """

    source: Source
    of: dict[Annotated[str, msgspec.Meta(min_length=1, max_length=80)], Points]


class Yard(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """Where an empire builds, and how many units in one turn.

    `facility`: it has these places once this facility is paid off there, for `construct FACILITY` of the `costs`.
    """

    empire: Id
    at: Annotated[str, msgspec.Meta(pattern=r"^[0-9]{4}$")]
    places: Factor
    facility: Annotated[str, msgspec.Meta(max_length=80)] = ""


class Interest(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Interest on debts, in percent a turn; parts of an EP are left out or, `up`, count whole (447.3)."""

    percent: Annotated[int, msgspec.Meta(ge=0, le=100)]
    source: Source
    parts: Literal["left out", "up"] = "left out"


class Counter(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A counter of 1A3 that stands when the war begins, and the side that counts it."""

    side: Id
    counter: Literal["recovery", "capture", "annexation", "diplomacy"]
    place: Annotated[str, msgspec.Meta(min_length=1, max_length=80)]
    turns: Annotated[int, msgspec.Meta(ge=1, le=99)]


def sheets(**given: Any) -> dict[str, Any]:
    """The sheets that a scenario has, as plain JSON by name; kinds by their name."""
    plain = {name: msgspec.json.decode(msgspec.json.encode(value)) for name, value in given.items() if value}
    if "kinds" in plain:
        plain["kinds"] = {one["kind"]: one for one in plain["kinds"]}
    return plain


def price(game: Game, said: int | None, what: str, number: str = "", *, free: bool = False) -> int:
    """What something costs: by the scenario's list, or as the order says. `free`: nothing, where nobody says it.

    Raises RuleViolation: another price than the list's; neither of them says it.
    """
    listed = listed_price(game, what)
    if listed is None and said is None and not free:
        unsaid = f"nobody has said {what_it_costs(what)}"
        raise refuse(game, unsaid, "say it as `ep`, for instance 3", number)
    if listed is not None and said not in (None, listed):
        raise refuse(game, f"`{what}` is {listed} EP in the scenario's prices, not {said}", "leave `ep` out", number)
    return (said or 0) if listed is None else listed


def listed_price(game: Game, what: str) -> int | None:
    """The scenario's price of something; None where it has none."""
    found: int | None = game.tables.get("costs", {}).get("of", {}).get(what)
    return found


def counter_of(game: Game, kind: str, stated: dict[str, Value], number: str = "") -> dict[str, Value]:
    """Both sides of the counter of a kind: by the scenario's sheet of kinds, or as the order states them.

    `stated`: what the order says of it. Raises RuleViolation: the sheet says something else; one side alone is stated.
    """
    known = game.tables.get("kinds", {}).get(kind)
    if known is None:
        missing = [name for name in SIDES if name not in stated]
        if missing and len(missing) < len(SIDES):
            what = f"the order does not say {' and '.join(missing)} of the {kind}"
            raise refuse(game, what, "give both sides of its counter", number)
        return stated
    full: dict[str, Value] = dict.fromkeys(BOTH_SIDES, 0)
    full |= {name: tuple(one) if isinstance(one, list) else one for name, one in known.items() if name != "kind"}
    for name, value in stated.items():
        if value != full.get(name, ()):
            what = f"a {kind} has {name} {full.get(name, 'none')}, not {value}"
            raise refuse(game, what, f"leave `{name}` out", number)
    return full


def stated_in(order: Order) -> dict[str, Value]:
    """What an order says of a counter: the fields of both sides and traits that it gives."""
    said = {name: getattr(order, name, None) for name in (*BOTH_SIDES, "traits")}
    return {name: value for name, value in said.items() if value is not None}


def yards_of(game: Game, empire: str) -> dict[str, int]:
    """Where an empire builds, and how many in a turn; empty where the scenario does not say it."""
    mine = (one for one in game.tables.get("yards", ()) if one["empire"] == empire)
    return {one["at"]: one["places"] for one in mine if _stands(game, one)}


def unpaid_at(game: Game, empire: str, at: str) -> str:
    """The facility that is to be paid off before an empire's yard there builds; "" where there is none."""
    mine = (one for one in game.tables.get("yards", ()) if (one["empire"], one["at"]) == (empire, at))
    return next((one["facility"] for one in mine if not _stands(game, one)), "")


def _stands(game: Game, yard: dict[str, Any]) -> bool:
    """Whether a yard has its places: one with a facility when that is paid off (450.1) [reading]."""
    what = yard.get("facility")
    if not what:
        return True
    paid = game.accounts.get(f"{yard['empire']}/{what} {yard['at']}", 0)
    return paid >= (listed_price(game, f"construct {what}") or 1)


def interest_on(game: Game, debt: int) -> int | None:
    """The interest on a debt; None where the scenario has no rate."""
    rate = game.tables.get("interest")
    if rate is None:
        return None
    whole, part = divmod(debt * rate["percent"], 100)
    more: int = whole + 1 if rate["parts"] == "up" and part else whole
    return more


def turns_needed(game: Game, counter: str) -> int:
    """The turns that a counter takes; 0 where the scenario does not say it."""
    found: int = game.tables.get("turns_needed", {}).get(counter, 0)
    return found


def missions(game: Game) -> tuple[str, ...]:
    """The codes of missions; none where the scenario does not list them."""
    return tuple(game.tables.get("missions", ()))
