"""Define the units that a scenario sets up, one schema for each arm; units placed during play use the same schemas."""

from typing import Annotated, Literal

import msgspec

from umpire_ledger.kit import Piece

Count = Annotated[int, msgspec.Meta(ge=0, le=999)]
AtLeastOne = Annotated[int, msgspec.Meta(ge=1, le=999)]
SideId = Literal["japan", "allies"]


class Unit(Piece, frozen=True, kw_only=True):
    """Any unit. `arrives`: the month in which it may enter, placed at `to-come` until then; 0: it is there."""

    side: SideId
    name: str = ""


class Combat(Unit, frozen=True, kw_only=True):
    """A unit that operations activate. `activation`: its Activation Points.

    `enters`: its entry ports; if left out, any place without an enemy. `isolated`: it has no proper Command Link.
    """

    activation: Count = 1
    activated: bool = False
    arrives: Count = 0
    enters: tuple[str, ...] | msgspec.UnsetType = msgspec.UNSET
    isolated: bool | msgspec.UnsetType = msgspec.UNSET


class Naval(Combat, frozen=True, kw_only=True):
    """A ship. `cripples`, `sinks`: the hits that do so. `task_force`: the unit that it sails with, "" for none.

    `detected`: only for a ship that sails alone, which counts as a Task Force. `strength`, `full_strength`: only for
    amphibious transports; 5.1.L raises the strength.
    """

    arm: Literal["naval"] = "naval"
    hits: Count = 0
    cripples: AtLeastOne = 2
    sinks: AtLeastOne = 3
    crippled: bool = False
    task_force: str = ""
    detected: bool | msgspec.UnsetType = msgspec.UNSET
    strength: Count | msgspec.UnsetType = msgspec.UNSET
    full_strength: Count | msgspec.UnsetType = msgspec.UNSET


class Air(Combat, frozen=True, kw_only=True):
    """An air unit. `status`: its Status Level. `aboard`: the carrier it flies from, "" ashore."""

    arm: Literal["air"] = "air"
    steps: AtLeastOne = 1
    full_steps: AtLeastOne = 1
    status: Count = 1
    aboard: str = ""


class Ground(Combat, frozen=True, kw_only=True):
    """A ground unit. `aboard`: the ship that carries it, "" ashore. `paratroops`: it may be dropped from the air."""

    arm: Literal["ground"] = "ground"
    steps: AtLeastOne = 1
    full_steps: AtLeastOne = 1
    broken: bool = False
    isolated: bool = False
    aboard: str = ""
    paratroops: bool | msgspec.UnsetType = msgspec.UNSET


class Headquarters(Unit, frozen=True, kw_only=True):
    """A headquarters. `operation_cost` is due above 10 Activation Points; `points`: Command Points at the start,
    an account from then on.
    """

    arm: Literal["headquarters"] = "headquarters"
    operation_cost: Count = 0
    points: Count = 0


class Base(Unit, frozen=True, kw_only=True):
    """An airbase, port or Offensive Support Base."""

    arm: Literal["base"] = "base"
    linked: bool = True
    dry_dock: bool = False
    hits: Count = 0
    interdicted: bool = False


class TaskForce(Unit, frozen=True, kw_only=True):
    """A Task Force. Its ships name it in `task_force`."""

    arm: Literal["task-force"] = "task-force"
    detected: bool = False


class Patrol(Unit, frozen=True, kw_only=True):
    """A Submarine Patrol and the number of its submarines."""

    arm: Literal["patrol"] = "patrol"
    submarines: AtLeastOne = 1
    paid: bool = True


class SubmarineCommand(Unit, frozen=True, kw_only=True):
    """A submarine Command; `submarines`: its submarine points at the start, an account from then on."""

    arm: Literal["submarine-command"] = "submarine-command"
    submarines: Count = 0


class Resource(Unit, frozen=True, kw_only=True):
    """A Co-Prosperity Sphere Resource hex."""

    arm: Literal["resource"] = "resource"
    demolished: bool = False


class Link(Unit, frozen=True, kw_only=True):
    """An Emergency Command Link. `maintenance`: Command Points a month."""

    arm: Literal["link"] = "link"
    maintenance: Count = 1
    paid: bool = False


ARMS: dict[str, type[Unit]] = {
    "naval": Naval,
    "air": Air,
    "ground": Ground,
    "headquarters": Headquarters,
    "base": Base,
    "task-force": TaskForce,
    "patrol": Patrol,
    "submarine-command": SubmarineCommand,
    "resource": Resource,
    "link": Link,
}
"""The schema of the units of each arm."""
