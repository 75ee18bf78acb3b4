"""Units, points and markers: each event with its effect, its validity and its audit text."""

from collections.abc import Callable

from umpire_ledger.domain.game.events.base import Event
from umpire_ledger.domain.game.events.checks import VALID, differs, quoted_value, unknown_side
from umpire_ledger.domain.game.events.phrases import in_brackets, say
from umpire_ledger.domain.game.folding_game import FoldingGame
from umpire_ledger.domain.game.state import Game, Hidden, Sighting, Unit, replace
from umpire_ledger.domain.game.values import Int, Value


class UnitPlaced(Event, frozen=True, kw_only=True, tag="unit.placed"):
    """A unit comes into play at a place. `seen_by`: the sides that see it, if it begins hidden; () for everyone."""

    unit: str
    side: str
    kind: str
    at: str
    attributes: dict[str, Value] = {}
    cause: str = ""
    seen_by: tuple[str, ...] = ()

    def apply(self, draft: FoldingGame) -> None:
        unit = Unit(id=self.unit, side=self.side, kind=self.kind, at=self.at, attributes=self.attributes)
        if self.seen_by:
            _hold(draft, Hidden(unit=unit, seen_by=self.seen_by))
        else:
            draft.acts += 1
            draft.units[self.unit] = unit

    def transition_error(self, game: Game) -> str:
        known = _unit(game, self.unit)
        if known is not None and not known.fate:
            return f"{self.unit} is already in play, at {known.at}"
        unknown = next((side for side in self.seen_by if side not in game.side_ids), self.side)
        return unknown_side(game, unknown)

    def transition_error_in_part(self, game: Game) -> str:
        return VALID

    def audit_text(self) -> str:
        hidden = f", seen by {', '.join(self.seen_by)}" if self.seen_by else ""
        return f"{self.unit} ({self.kind}, {self.side}) is placed at {self.at}{hidden}{in_brackets(self.cause)}"

    def units(self) -> tuple[str, ...]:
        return (self.unit,)


class UnitMoved(Event, frozen=True, kw_only=True, tag="unit.moved"):
    """A unit moves along a path: places in order, its former place first."""

    unit: str
    path: tuple[str, ...]
    cause: str = ""

    def apply(self, draft: FoldingGame) -> None:
        unit = draft.units.get(self.unit)
        if unit is None and self.path:
            _alter(draft, self.unit, lambda unit: replace(unit, at=self.path[-1]))
            return
        draft.acts += 1  # most records of a long game are moves of public units, so a function call is saved here
        if unit is not None and self.path:
            draft.units[self.unit] = replace(unit, at=self.path[-1])

    def transition_error(self, game: Game) -> str:
        unit = _unit(game, self.unit)
        if unit is None or unit.fate:
            return _not_in_play(self.unit, unit)
        path = self.path
        if len(path) > 1 and path[0] == unit.at:
            return VALID
        if len(path) > 1:
            return f"{self.unit} is at {unit.at}, but its path starts at {path[0]}"
        return self.transition_error_in_part(game)

    def transition_error_in_part(self, game: Game) -> str:
        return VALID if len(self.path) > 1 else f"the path of {self.unit} has fewer than two places"

    def audit_text(self) -> str:
        return f"{self.unit} moves {' → '.join(self.path)}{in_brackets(self.cause)}"

    def units(self) -> tuple[str, ...]:
        return (self.unit,)


class UnitChanged(Event, frozen=True, kw_only=True, tag="unit.changed"):
    """One attribute of a unit changes. The value of an absent attribute is null."""

    unit: str
    attribute: str
    before: Value
    after: Value
    cause: str = ""

    def apply(self, draft: FoldingGame) -> None:
        if self.attribute == "side" and isinstance(self.after, str):
            side = self.after
            _alter(draft, self.unit, lambda unit: replace(unit, side=side))
        else:
            _alter(
                draft,
                self.unit,
                lambda unit: replace(unit, attributes={**unit.attributes, self.attribute: self.after}),
            )

    def transition_error(self, game: Game) -> str:
        unit = _unit(game, self.unit)
        if unit is None:
            return _not_in_play(self.unit, unit)
        if self.attribute == "side":
            if self.before != unit.side:
                return f"{self.unit} belongs to {unit.side}, not to {self.before}"
            return unknown_side(game, str(self.after))
        have = unit.attributes.get(self.attribute)
        if differs(self.before, have):
            return f"{self.attribute} of {self.unit} is {quoted_value(have)}, not {quoted_value(self.before)}"
        return VALID

    def transition_error_in_part(self, game: Game) -> str:
        return VALID

    def audit_text(self) -> str:
        return f"{self.unit}: {self.attribute} {say(self.before)} → {say(self.after)}{in_brackets(self.cause)}"

    def units(self) -> tuple[str, ...]:
        return (self.unit,)


class UnitRemoved(Event, frozen=True, kw_only=True, tag="unit.removed"):
    """A unit leaves play. `fate`: destroyed, sunk, captured, withdrawn, …; `at`: its last place."""

    unit: str
    fate: str
    at: str = ""
    cause: str = ""

    def apply(self, draft: FoldingGame) -> None:
        _alter(draft, self.unit, lambda unit: replace(unit, fate=self.fate))

    def transition_error(self, game: Game) -> str:
        unit = _unit(game, self.unit)
        if unit is None or unit.fate:
            return _not_in_play(self.unit, unit)
        if self.at and self.at != unit.at:  # old logs do not name the place
            return f"{self.unit} is at {unit.at}, not at {self.at}"
        return VALID

    def transition_error_in_part(self, game: Game) -> str:
        return VALID

    def audit_text(self) -> str:
        return f"{self.unit} is {self.fate}{f' at {self.at}' if self.at else ''}{in_brackets(self.cause)}"

    def units(self) -> tuple[str, ...]:
        return (self.unit,)


class UnitCovered(Event, frozen=True, kw_only=True, tag="unit.covered"):
    """A unit is hidden. `blind`: the sides that lose sight of it; `at`: the last place at which they saw it.

    For the sides that still see the unit, the private record after this one places it again.
    """

    unit: str
    at: str
    blind: tuple[str, ...]
    cause: str = ""

    def apply(self, draft: FoldingGame) -> None:
        unit = draft.units.pop(self.unit, None)
        hidden = {**draft.now("hidden")}
        if unit is not None:
            draft.acts += 1
        elif (held := hidden.pop(self.unit, None)) is not None:
            unit = held.unit
            draft.more["hidden"] = hidden
        if unit is not None:
            seen = {f"{side}/{unit.id}": Sighting(side=side, unit=unit, turn=draft.turn) for side in self.blind}
            draft.more["sightings"] = {**draft.now("sightings"), **seen}

    def transition_error(self, game: Game) -> str:
        unit = _unit(game, self.unit)
        if unit is None:
            return _not_in_play(self.unit, unit)
        return VALID if self.at == unit.at else f"{self.unit} is at {unit.at}, not at {self.at}"

    def transition_error_in_part(self, game: Game) -> str:
        return VALID

    def audit_text(self) -> str:
        return f"{self.unit} is hidden at {self.at}{in_brackets(self.cause)}"

    def units(self) -> tuple[str, ...]:
        return (self.unit,)


class UnitShown(Event, frozen=True, kw_only=True, tag="unit.shown"):
    """A hidden unit is revealed as it is now. `seen_by`: the sides that see it from now on; () for all."""

    unit: str
    side: str
    kind: str
    at: str
    attributes: dict[str, Value] = {}
    seen_by: tuple[str, ...] = ()
    cause: str = ""

    def apply(self, draft: FoldingGame) -> None:
        unit = Unit(id=self.unit, side=self.side, kind=self.kind, at=self.at, attributes=self.attributes)
        seers = self.seen_by
        draft.more["sightings"] = {
            key: one
            for key, one in draft.now("sightings").items()
            if one.unit.id != self.unit or (seers and one.side not in seers)
        }
        if seers:
            _hold(draft, Hidden(unit=unit, seen_by=seers))
            return
        draft.acts += 1
        draft.more["hidden"] = {name: one for name, one in draft.now("hidden").items() if name != self.unit}
        draft.units[self.unit] = unit

    def transition_error(self, game: Game) -> str:
        """Require the revealed values to equal those of the hidden unit."""
        if self.unit in game.units:
            return f"{self.unit} is not hidden: it is at {game.units[self.unit].at}"
        held = game.hidden.get(self.unit)
        if held is None:
            return f"there is no hidden unit {self.unit}"
        said = (self.side, self.kind, self.at, dict(self.attributes))
        unit = held.unit
        same = said == (unit.side, unit.kind, unit.at, dict(unit.attributes))
        return VALID if same else f"the revealed values of {self.unit} differ from the hidden ones"

    def transition_error_in_part(self, game: Game) -> str:
        return VALID

    def audit_text(self) -> str:
        to = f" to {', '.join(self.seen_by)}" if self.seen_by else ""
        return f"{self.unit} ({self.kind}, {self.side}) is revealed{to} at {self.at}{in_brackets(self.cause)}"

    def units(self) -> tuple[str, ...]:
        return (self.unit,)


UnitEvent = UnitPlaced | UnitMoved | UnitChanged | UnitRemoved | UnitCovered | UnitShown


class HiddenOrdered(Event, frozen=True, kw_only=True, tag="hidden.ordered"):
    """A side or the referee ("") gives an order to hidden units. Other sides learn nothing else of the order.

    `search`: the order searched for hidden units of others, whether it found any or not.
    """

    side: str = ""
    search: bool = False

    def apply(self, draft: FoldingGame) -> None:
        draft.acts += 1

    def audit_text(self) -> str:
        return f"{self.side or 'the referee'} {'searches for hidden units' if self.search else 'gives a hidden order'}"


class HiddenDone(Event, frozen=True, kw_only=True, tag="hidden.done"):
    """All effects of a hidden order are recorded, in one private record, so that the number of records reveals nothing.

    `says`: a sentence for its readers, for instance that the search found nothing.
    """

    events: tuple[UnitEvent, ...] = ()
    says: str = ""

    def apply(self, draft: FoldingGame) -> None:
        for one in self.events:
            one.apply(draft)

    def transition_error(self, game: Game) -> str:
        for event in self.events:
            if why := event.transition_error(game):
                return why
            draft = FoldingGame(game)
            event.apply(draft)
            game = draft.freeze()
        return VALID

    def transition_error_in_part(self, game: Game) -> str:
        return VALID

    def audit_text(self) -> str:
        return (
            "; ".join((*(one.audit_line() for one in self.events), *filter(None, (self.says,))))
            or "the order changes no hidden unit"
        )

    def units(self) -> tuple[str, ...]:
        return tuple(one.unit for one in self.events)


class AccountChanged(Event, frozen=True, kw_only=True, tag="account.changed"):
    """An account of points, money or supplies changes: `after` is `before` plus `amount`."""

    account: str
    amount: Int
    before: Int
    after: Int
    cause: str = ""

    def apply(self, draft: FoldingGame) -> None:
        draft.acts += 1
        draft.accounts[self.account] = self.after

    def transition_error(self, game: Game) -> str:
        have = game.accounts.get(self.account, 0)
        if differs(self.before, have):
            return f"{self.account} is {have}, not {self.before}"
        return self.transition_error_in_part(game)

    def transition_error_in_part(self, game: Game) -> str:
        right = self.before + self.amount
        return VALID if self.after == right else f"{self.before} and {self.amount} are {right}, not {self.after}"

    def audit_text(self) -> str:
        return f"{self.account} {self.amount:+d}: {self.before} → {self.after}{in_brackets(self.cause)}"


class MarkerSet(Event, frozen=True, kw_only=True, tag="marker.set"):
    """A marker of the whole game is set; null removes it."""

    marker: str
    before: Value
    after: Value
    cause: str = ""

    def apply(self, draft: FoldingGame) -> None:
        draft.acts += 1
        if self.after is None:
            draft.markers.pop(self.marker, None)
        else:
            draft.markers[self.marker] = self.after

    def transition_error(self, game: Game) -> str:
        have = game.markers.get(self.marker)
        if differs(self.before, have):
            return f"the marker {self.marker} is {quoted_value(have)}, not {quoted_value(self.before)}"
        return VALID

    def transition_error_in_part(self, game: Game) -> str:
        return VALID

    def audit_text(self) -> str:
        return f"{self.marker}: {say(self.before)} → {say(self.after)}{in_brackets(self.cause)}"


UnitsEvent = (
    UnitPlaced
    | UnitMoved
    | UnitChanged
    | UnitRemoved
    | UnitCovered
    | UnitShown
    | HiddenOrdered
    | HiddenDone
    | AccountChanged
    | MarkerSet
)


def _alter(draft: FoldingGame, name: str, change: Callable[[Unit], Unit]) -> None:
    """Change a unit. A change of a hidden unit does not count in `acts`; its public `hidden.ordered` counts instead."""
    unit = draft.units.get(name)
    if unit is not None:
        draft.acts += 1
        draft.units[name] = change(unit)
    elif (held := draft.now("hidden").get(name)) is not None:
        _hold(draft, replace(held, unit=change(held.unit)))
    else:
        draft.acts += 1


def _hold(draft: FoldingGame, held: Hidden) -> None:
    draft.more["hidden"] = {**draft.now("hidden"), held.unit.id: held}


def _unit(game: Game, name: str) -> Unit | None:
    """Return a unit, public or hidden; None if there is none."""
    unit = game.units.get(name)
    held = game.hidden.get(name) if unit is None and game.hidden else None
    return unit if held is None else held.unit


def _not_in_play(name: str, unit: Unit | None) -> str:
    return f"there is no unit {name}" if unit is None else f"{name} is not in play: {unit.fate}"
