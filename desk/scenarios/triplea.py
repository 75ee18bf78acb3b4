"""Convert a map file of TripleA to a scenario of freeform: players, territories, units and the sequence of its steps.

Its rules are Java (delegates) and are not converted: a step allows the generic orders of its kind. The first lines of
the scenario list the omissions.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import groupby
from pathlib import Path
from typing import Any, NoReturn

from umpire_ledger.desk.core.errors import WrongUse
from umpire_ledger.desk.scenarios.scenario_files import examined
from umpire_ledger.desk.scenarios.triplea_xml import RULE, Element, read_xml
from umpire_ledger.domain.game.toml_text import toml_of

MOST_SIDES = 15
"""Maximum number of players: one less than the sides of a scenario, because units may belong to no player."""
MOST_UNITS = 5000
SIX = 6
"""Number of faces of a die if the file does not give it."""
NOBODY = "nobody"
"""The side of units that no player owns."""
HELD = "held"
"""The place of units that are not placed yet."""
ROUND = "round"
KINDS: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("techactivation", ()),
    ("tech", ("roll", "pay", "mark")),
    ("purchase", ("pay", "place")),
    ("bidplace", ("place",)),
    ("bid", ("pay", "place")),
    ("move", ("move",)),
    ("battle", ("roll", "remove", "move", "change", "mark")),
    ("place", ("place", "move")),
    ("politics", ("mark", "choose")),
    ("useractions", ("mark", "choose", "pay")),
    ("endturn", ("pay", "mark")),
)
"""Suffixes of step names, by which TripleA itself distinguishes its steps, each with the orders of such a step."""
OTHERWISE = ("roll", "move", "pay", "mark", "change", "place", "remove")
NUMBERS = ("movement", "attack", "defense", "hitPoints")
"""Options of a unit type that become attributes of its units."""
NOT_SAID = ("production", "technology", "relationshipTypes", "territoryEffectList", "propertyList", "attachmentList")


def scenario_from_triplea(file: str | Path) -> str:
    """Return a scenario of freeform (TOML) from a map file of TripleA.

    Raises:
        WrongUse: When the file cannot be read, or is not such a map file; `where` has the line.
    """
    path = Path(file)
    converter = _Converter(path, read_xml(path))
    text = toml_of(converter.plain(), {"": converter.heading()})
    findings = examined(text, "freeform").findings
    if findings:
        first = findings[0]
        more = f"; {len(findings) - 1} more" if len(findings) > 1 else ""
        raise WrongUse(f"{first.what}{more}", where=f"{path}, as {first.path}", rule=first.rule, remedy=first.remedy)
    return text


class _Converter:
    """One map file. Names of players become ids of sides: lower-case letters, digits and hyphens."""

    def __init__(self, file: Path, game: Element) -> None:
        self.file, self.game = file, game
        if game.name != "game":
            self._fault(game, f"its outermost element is {game.name}, not game", "give a TripleA map file")
        players = [self._named(one) for one in game.all("playerList", "player")]
        if not players:
            self._fault(game, "it has no player", "give a map file with a <playerList>")
        if len(players) > MOST_SIDES:
            self._fault(game, f"it has {len(players)} players", f"a game has at most {MOST_SIDES} sides")
        self.sides = dict(zip(players, _ids(players), strict=True))
        self.territories = [self._named(one) for one in game.all("map", "territory")]
        dice = next(game.all("diceSides"), None)
        self.faces = self._number(dice, "value") if dice is not None else SIX
        self.units = list(self._units())

    def heading(self) -> list[str]:
        """Return comments for the head of the scenario: its source and its omissions."""
        left = [name for name in NOT_SAID if any(self.game.all(name))]
        left += ["alliances"] if any(self.game.all("playerList", "alliance")) else []
        return [
            f"Made from {self.file.name}, a TripleA map file. The rules of its delegates are not included: each step",
            "allows the generic orders of its kind. Amend it as you play: see docs/reference/scenario-language.md.",
            *([f"Left out: {', '.join(left)}."] if left else []),
        ]

    def plain(self) -> dict[str, Any]:
        """Return the scenario as plain data."""
        info = next(self.game.all("info"), None)
        name = info.get("name") if info is not None else ""
        sides = [{"id": id, "name": player} for player, id in self.sides.items()]
        if any(unit["side"] == NOBODY for unit in self.units):
            sides.append({"id": NOBODY, "name": "Nobody"})
        return {
            "title": "freeform",
            "name": name or self.file.stem,
            "about": f"From the TripleA map file {self.file.name}.",
            "dice": "table",
            "sides": sides,
            "board": self._board(),
            "markers": self._markers(),
            "accounts": self._accounts(),
            "facts": {
                "decided": {
                    "is": "marker('decided')",
                    "words": "the game is decided",
                    "otherwise": "the game is not decided",
                }
            },
            "play": list(self._play()),
            "units": self.units,
        }

    # --- the map ------------------------------------------------------------------------------------------------------

    def _board(self) -> dict[str, Any]:
        links = [[self._territory(one, "t1"), self._territory(one, "t2")] for one in self.game.all("map", "connection")]
        joined = {place for link in links for place in link}
        alone = [place for place in self.territories if place not in joined]
        held = [HELD] if any(unit["at"] == HELD for unit in self.units) else []
        return {name: places for name, places in (("links", links), ("boxes", [*alone, *held])) if places}

    def _markers(self) -> dict[str, Any]:
        found: dict[str, Any] = {"decided": False}
        water = [self._named(one) for one in self.game.all("map", "territory") if one.get("water") == "true"]
        if water:
            found["water"] = water
        for one in self.game.all("initialize", "ownerInitialize", "territoryOwner"):
            owner = one.get("owner")
            found[f"owner/{self._territory(one, 'territory')}"] = self.sides.get(owner, NOBODY)
        return found

    def _accounts(self) -> dict[str, int]:
        found = {
            f"{self._named(resource)}/{side}": 0
            for resource in self.game.all("resourceList", "resource")
            for side in self.sides.values()
        }
        for one in self.game.all("initialize", "resourceInitialize", "resourceGiven"):
            if one.get("player") in self.sides:
                found[f"{one.get('resource')}/{self.sides[one.get('player')]}"] = self._number(one, "quantity")
        return found

    # --- units --------------------------------------------------------------------------------------------------------

    def _units(self) -> Iterator[dict[str, Any]]:
        values = self._values()
        numbers: Counter[str] = Counter()
        placed = self.game.all("initialize", "unitInitialize", "unitPlacement")
        held = self.game.all("initialize", "unitInitialize", "heldUnits")
        for placement in (*placed, *held):
            kind = placement.get("unitType") or self._fault(
                placement, f"{placement.name} names no unitType", "name one"
            )
            at = HELD if placement.name == "heldUnits" else self._territory(placement, "territory")
            side = self.sides.get(placement.get("owner") or placement.get("player"), NOBODY)
            hurt = {"hits": self._number(placement, "hitsTaken")} if placement.get("hitsTaken") else {}
            for _ in range(self._number(placement, "quantity")):
                stem = f"{side}-{_id(kind)}"[:50]
                numbers[stem] += 1
                if numbers.total() > MOST_UNITS:
                    self._fault(
                        placement, f"it places more than {MOST_UNITS:,} units", f"use at most {MOST_UNITS:,} units"
                    )
                attributes = {**values.get(kind, {}), **hurt}
                unit = {"id": f"{stem}-{numbers[stem]}", "side": side, "kind": kind, "at": at}
                yield {**unit, "attributes": attributes} if attributes else unit

    def _values(self) -> dict[str, dict[str, int]]:
        """Return the numeric values of each unit type."""
        found: dict[str, dict[str, int]] = {}
        for one in self.game.all("attachmentList", "attachment"):
            if one.get("name") == "unitAttachment":
                said = {each.get("name"): each.get("value") for each in one.all("option")}
                known = {name: int(said[name]) for name in NUMBERS if re.fullmatch("[0-9]{1,6}", said.get(name, ""))}
                found.setdefault(one.get("attachTo"), {}).update(known)
        return found

    # --- the sequence -------------------------------------------------------------------------------------------------

    def _play(self) -> Iterator[dict[str, Any]]:
        """Yield rounds of steps; consecutive steps of one player are under a heading with their name."""
        steps = list(self.game.all("gamePlay", "sequence", "step"))
        if not steps:
            self._fault(self.game, "it has no sequence of steps", "give a map file with <gamePlay> and <sequence>")
        shown = {one.get("name"): one.get("display") for one in self.game.all("gamePlay", "delegate")}
        taken = {ROUND}
        yield {"rounds": ROUND, "name": "rounds", "counts_turns": True, "until": "decided"}
        for player, several in groupby(steps, key=lambda one: one.get("player")):
            parent = ROUND
            if player:
                parent = _free(f"{self._side(next(self._with(steps, player)))}", taken)
                yield {"heading": parent, "in": ROUND, "name": player}
            for one in several:
                yield self._step(one, parent, taken, shown)
        yield {"anytime": _free("referee", taken), "name": "the game is decided", "by": "referee", "allows": ["mark"]}

    @staticmethod
    def _with(steps: Iterable[Element], player: str) -> Iterator[Element]:
        return (one for one in steps if one.get("player") == player)

    def _step(self, element: Element, parent: str, taken: set[str], shown: dict[str, str]) -> dict[str, Any]:
        name = self._named(element)
        made: dict[str, Any] = {"step": _free(name, taken), "in": parent}
        made["name"] = element.get("display") or shown.get(element.get("delegate"), "") or name
        if element.get("player"):
            allows = list(_allowed(name))
            made |= {"by": self._side(element), "allows": allows, "need": "optional"}
            made |= {"rolls": f"1d{self.faces}"} if "roll" in allows else {}
        most = self._number(element, "maxRunCount") if element.get("maxRunCount") else 0
        if most > 0:
            made["when"] = f"nth(1..{most}, '{ROUND}')"
        return made

    # --- names and numbers --------------------------------------------------------------------------------------------

    def _named(self, element: Element) -> str:
        name = element.get("name")
        if not name or len(name) > 80 or not name.isprintable():
            self._fault(
                element, f"{element.name} has {'no name' if not name else 'a name that is too long'}", "name it"
            )
        return name

    def _territory(self, element: Element, attribute: str) -> str:
        name = element.get(attribute)
        if name not in self.territories:
            self._fault(element, f"there is no territory {name!r}", "name one of the map's territories")
        return name

    def _side(self, element: Element) -> str:
        player = element.get("player")
        if player not in self.sides:
            self._fault(element, f"there is no player {player!r}", f"name one of: {', '.join(self.sides)}")
        return self.sides[player]

    def _number(self, element: Element, attribute: str) -> int:
        said = element.get(attribute)
        if not re.fullmatch(r"-?[0-9]{1,9}", said):
            self._fault(
                element, f"{attribute} is {said!r}, not a whole number", "write a number of at most nine digits"
            )
        return int(said)

    def _fault(self, one: Element, what: str, remedy: str) -> NoReturn:
        raise WrongUse(what, where=f"{self.file}:{one.line}", rule=RULE, remedy=remedy)


def _allowed(name: str) -> tuple[str, ...]:
    """Return the orders of a step by the suffix of its name."""
    bare = name.lower()
    return next((orders for end, orders in KINDS if bare.endswith(end)), OTHERWISE)


def _id(name: str) -> str:
    """Return a name as an id: lower-case letters, digits and hyphens."""
    return re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-") or "x"


def _ids(names: Iterable[str]) -> list[str]:
    taken = {"referee", "spectator", NOBODY, "active", "others", "each"}
    return [_free(_id(name)[:40], taken) for name in names]


def _free(name: str, taken: set[str]) -> str:
    """Return the name, with a number if it is already taken, and mark it as taken."""
    found, number = name, 1
    while found in taken:
        number += 1
        found = f"{name}-{number}"
    taken.add(found)
    return found
