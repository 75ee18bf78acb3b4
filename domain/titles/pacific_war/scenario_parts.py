"""Define parts of a scenario that are neither units nor tables: shipping, costs, and optional limits."""

from typing import Annotated, Literal

import msgspec

from umpire_ledger.domain.titles.pacific_war.units import Count
from umpire_ledger.kit import Id


class Shipping(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Japan's shipping, and the forces against it.

    `anti_shipping`: submarine points allocated before the first month.
    """

    merchant: Count = 0
    escorts: Count = 0
    homeland: Count = 0
    anti_shipping: Count = 0
    bombing: Count = 0


class Costs(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Costs in Command Points, from chapters that are not available: a Submarine Patrol, each further Time multiple.

    `submarine_command`: the cost of building one in 5.1.J.
    """

    patrol: Count = 1
    time_multiple: Count = 2
    submarine_command: Count = 0


class Transport(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Numbers of ground and air units that a side may move by Strategic Transport in a month; left out: any number."""

    ground: Count | None = None
    air: Count | None = None


class Distances(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Numbers of places that units may move (23.0); if left out, the players apply the limit.

    `naval_a_day`: ships in 5.1.R, for each day at sea. `naval`, `ground`, `air`: units in any other movement phase or
    air mission phase.
    """

    naval_a_day: Count | None = None
    naval: Count | None = None
    ground: Count | None = None
    air: Count | None = None


class FoulWeather(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Effects of foul weather in its zone (6.0); if left out, the players apply them. `zones`: the places of each zone.

    `search`: modifier of a search there. `places`: the distance limit for units that begin or end there; for ships in
    5.1.R, the limit for each day. `missions`: whether air missions may fly from and to the zone.
    """

    zones: dict[Id, tuple[str, ...]] = {}
    search: Annotated[int, msgspec.Meta(ge=-20, le=20)] | None = None
    places: Count | None = None
    missions: bool = True


Turned = Literal["apart", "in-port", "quiet"]
