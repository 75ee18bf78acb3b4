"""Build a scenario's own sequence of play from the constructs that titles use."""

from collections.abc import Iterator, Mapping
from typing import Any

import msgspec

from umpire_ledger.domain.titles.freeform.action_script import read_modifiers
from umpire_ledger.domain.titles.freeform.names import KnownNames, Names
from umpire_ledger.domain.titles.freeform.own_orders import decide_own, read_order, read_types
from umpire_ledger.domain.titles.freeform.places import (
    KINDS,
    NEEDED,
    SAYS,
    kind_of,
    needs_of_its_own,
    roles_of,
    rule_of,
)
from umpire_ledger.domain.titles.freeform.sides_and_sets import CanGive, read_role, read_set
from umpire_ledger.domain.titles.freeform.step_actions import (
    Draw,
    Throw,
    decide_draw,
    decide_sealing,
    decide_throw,
    read_acts,
    sealings,
)
from umpire_ledger.domain.titles.freeform.suggestions import could_give, ideas_for
from umpire_ledger.domain.titles.freeform.texts import FactText, PlaceText, SequenceText
from umpire_ledger.domain.titles.freeform.values import EvaluationContext, holds, units
from umpire_ledger.kit import (
    ACTIVE,
    ANYTIME_ORDERS,
    EACH,
    GENERIC_ORDERS,
    OTHERS,
    REFEREE,
    REFEREE_ORDERS,
    SEQUENCE_ORDERS,
    Acts,
    Answer,
    AnyPlace,
    Called,
    Condition,
    Each,
    Game,
    Go,
    Heading,
    Instant,
    Order,
    OrderDeclaration,
    Rounds,
    Ruled,
    ScenarioFault,
    SealChoice,
    Sequence,
    Step,
    Together,
    Touch,
    Turns,
    Unit,
    does,
    fact,
    nearest,
)

CAN_BE_ALLOWED: Mapping[str, type[Order]] = {one.tag(): one for one in GENERIC_ORDERS}
EVERY_ORDER: Mapping[str, type[Order]] = {**CAN_BE_ALLOWED, Draw.tag(): Draw, Throw.tag(): Throw}
NOT_FREE: Mapping[str, type[Order]] = {one.tag(): one for one in (*ANYTIME_ORDERS, *REFEREE_ORDERS, *SEQUENCE_ORDERS)}
"""Orders that every game has in addition to its title's own, so that a scenario cannot use their names."""
EVERYWHERE = (ACTIVE, OTHERS, EACH, REFEREE)
ALONE = ("procedure", "instant", "anytime")


class LoadedSequence:
    """A loaded sequence of a scenario. `sequence`, `roles`, `sets`, `acts`, `orders`: values for a `Title`."""

    def __init__(self, text: SequenceText, known: KnownNames) -> None:
        self.text = text
        self.names = Names(known, EVERY_ORDER)
        self.own = read_types(self.names, text.orders, {**EVERY_ORDER, **NOT_FREE})
        self.names.orders = {**EVERY_ORDER, **{name: one.type for name, one in self.own.items()}}
        self.roles: dict[str, Called] = {}
        self.sets: dict[str, Called] = {}
        self.acts: dict[str, Acts] = {}
        self.kinds: list[tuple[str, str]] = [kind_of(place) for place in text.play]
        self._read_names()
        self.own = {name: read_order(self.names, name, one) for name, one in self.own.items()}
        self._inside = self._by_parent()
        self.sequence = Sequence(
            steps=tuple(self._places("")),
            procedures=tuple(self._procedures()),
            instants=tuple(self._instants()),
            anytime=tuple(self._anytime()),
        )
        self.orders: tuple[OrderDeclaration, ...] = tuple(self._orders())

    @property
    def faults(self) -> list[ScenarioFault]:
        """The faults found, each with its path in the file."""
        return self.names.faults

    def path_of(self, place: str) -> str:
        """Return the path in the file of a place, role, set or order; "$.play" for an unknown name."""
        at = next((at for at, (_, id) in enumerate(self.kinds) if id == place), None)
        if at is not None:
            return f"$.play[{at}]"
        for kind in ("roles", "sets", "orders"):
            if place in getattr(self.text, kind):
                return f"$.{kind}.{place}"
        return "$.play"

    @property
    def sides_named(self) -> tuple[str, ...]:
        """The sides that the sequence names by their own ids."""
        said = (role for place in self.text.play for _, role in roles_of(place))
        return tuple(dict.fromkeys(role for role in said if role not in self.roles and role not in EVERYWHERE))

    @property
    def ruled(self) -> Ruled:
        """The attributes and markers that the sequence and its orders write.

        A generic order may write them only if its step allows it.
        """
        lines = [line for order in self.text.orders.values() for line in order.does]
        acts = [*(act for place in self.text.play for act in place.does), *lines]
        into = [one.into for place in self.text.play for one in (place.draws, place.throws) if one is not None]
        into += [line.into for line in lines]
        cups = (place.draws.cup for place in self.text.play if place.draws is not None)
        return Ruled(
            attributes=tuple(dict.fromkeys(act.change for act in acts if act.change)),
            markers=tuple(dict.fromkeys(filter(None, (*(_pattern(act.set) for act in acts), *into, *cups)))),
        )

    # --- names --------------------------------------------------------------------------------------------------------

    def _verify_roles(self, place: PlaceText, kind: str, path: str) -> None:
        for where, role in roles_of(place):
            if role in self.roles or role in (ACTIVE, OTHERS, EACH) or (role == REFEREE and kind == "anytime"):
                continue
            if self.names.known.lacks("side", role):
                known = (*self.roles, ACTIVE, OTHERS, EACH)
                near = nearest(role, known)
                remedy = f"did you mean {' or '.join(near)}?" if near else f"name a side, or one of: {', '.join(known)}"
                self.names.fault(f"there is no role {role}", f"{path}.{where}", remedy, "unknown-role")

    def _read_names(self) -> None:
        for name, one in self.text.facts.items():
            found = self._fact(name, one)
            if found is not None:
                self.names.facts[name] = found
        for name, role in self.text.roles.items():
            path = f"$.roles.{name}"
            self.roles[name] = read_role(self.names, role, path, self._can_give(role.can, f"{path}.can"))
        for name, of in self.text.sets.items():
            self.sets[name] = read_set(self.names, of, f"$.sets.{name}")

    def _can_give(self, order: str, path: str) -> CanGive | None:
        """Return a check whether a side could give an order of the file; None without a valid order.

        The check looks the order up when it runs, because orders are read after roles.
        """
        if not order:
            return None
        if order not in self.own:
            known = ", ".join(sorted(self.own)) or "none"
            self.names.fault(f"the file has no order {order}", path, f"name one of: {known}", "unknown-order")
            return None
        return lambda game, side: could_give(self.own[order], game, side)

    def _fact(self, name: str, text: FactText) -> Any:
        path = f"$.facts.{name}"
        if not name.isidentifier():
            self.names.fault(
                f"{name!r} is not a valid name of a fact", path, "use letters, digits and _ in the name of a fact"
            )
        node = self.names.expression(text.asks, f"{path}.is")
        about = self.names.expression(text.who, f"{path}.who", of_units=True) if text.who else None
        if node is None:
            return fact(text.words, lambda game, side: False, name=name)

        def who(game: Game, side: str) -> tuple[Unit, ...]:
            return units(about, EvaluationContext(game, side))

        return fact(
            text.words,
            lambda game, side: holds(node, EvaluationContext(game, side)),
            otherwise=text.otherwise,
            owed=text.owed,
            who=who if about is not None else None,
            name=name,
            lasting=text.lasting,
        )

    # --- places -------------------------------------------------------------------------------------------------------

    def _by_parent(self) -> dict[str, list[int]]:
        """Return the indexes of the places directly inside each place, and collect the faults of all places."""
        found: dict[str, list[int]] = {}
        holders = {
            id for kind, id in self.kinds if kind in ("heading", "rounds", "each", "turns", "together", "procedure")
        }
        before: set[str] = set()
        for at, place in enumerate(self.text.play):
            kind, id = self.kinds[at]
            path = f"$.play[{at}]"
            self._verify_fields(place, kind, id, path)
            self._verify_roles(place, kind, path)
            if place.inside and (place.inside not in holders or place.inside not in before):
                where = "which cannot contain places" if place.inside in before else "which is not above it"
                self.names.fault(f"{id} is in {place.inside}, {where}", f"{path}.in", "name a heading or loop above it")
            elif kind not in ALONE:
                found.setdefault(place.inside, []).append(at)
            before.add(id)
        return found

    def _verify_fields(self, place: PlaceText, kind: str, id: str, path: str) -> None:
        said = [one for one in KINDS if getattr(place, one)]
        if len(said) != 1:
            what = f"this place has several kinds: {', '.join(said)}" if said else "this place has no kind"
            self.names.fault(what, path, f"give the id of the place to exactly one of: {', '.join(KINDS)}")
            return
        defaults = PlaceText()
        for field in msgspec.structs.fields(PlaceText):
            if field.name in KINDS or getattr(place, field.name) == getattr(defaults, field.name):
                continue
            if field.name not in SAYS[kind]:
                can = ", ".join(sorted("in" if one == "inside" else one for one in SAYS[kind]))
                self.names.fault(
                    f"{kind} {id} cannot have `{field.encode_name}`",
                    f"{path}.{field.encode_name}",
                    f"it can have: {can}",
                )
        for name in NEEDED.get(kind, ()):
            if not getattr(place, name):
                self.names.fault(f"{kind} {id} needs `{name}`", path, f'write {name} = "…"')

    def _places(self, parent: str) -> Iterator[AnyPlace]:
        for at in self._inside.get(parent, ()):
            yield self._place(at)

    def _place(self, at: int) -> AnyPlace:
        place, (kind, id) = self.text.play[at], self.kinds[at]
        path = f"$.play[{at}]"
        common: dict[str, Any] = {"name": place.name or id, "rules": place.rules}
        common["when"] = self.names.condition(place.when, f"{path}.when")
        if kind in ("step", ""):
            return self._step(at, common)
        common["steps"] = tuple(self._places(id))
        match kind:
            case "rounds":
                until = self.names.condition(place.until, f"{path}.until")
                return Rounds(id, **common, until=until, counts_turns=place.counts_turns)
            case "each":
                return Each(id, **common, of=place.of, by=place.by, may_end=place.may_end)
            case "turns":
                return Turns(id, **common, of=place.of, sides=place.sides)
            case "together":
                return Together(id, **common)
            case _:
                return Heading(id, **common)

    def _procedures(self) -> Iterator[Heading]:
        for at, (kind, _) in enumerate(self.kinds):
            if kind == "procedure":
                found = self._place(at)
                assert isinstance(found, Heading)
                yield found

    def _instants(self) -> Iterator[Instant]:
        for at, (kind, id) in enumerate(self.kinds):
            place = self.text.play[at]
            when = self.names.condition(place.when, f"$.play[{at}].when") if kind == "instant" else None
            if when is not None:
                yield Instant(name=id, when=when, to=place.to, during=place.during, rules=place.rules)

    def _anytime(self) -> Iterator[Step]:
        for at, (kind, id) in enumerate(self.kinds):
            if kind == "anytime":
                yield self._step(at, {"name": self.text.play[at].name or id, "rules": self.text.play[at].rules})

    # --- steps --------------------------------------------------------------------------------------------------------

    def _step(self, at: int, common: dict[str, Any]) -> Step:
        place, (_, id) = self.text.play[at], self.kinds[at]
        path = f"$.play[{at}]"
        acts = read_acts(self.names, place, path)
        if acts is not None:
            self.acts[id] = acts
        allows = (*self._allowed(place, path), *self._own_orders(place, path))
        return Step(
            id,
            **common,
            by=place.by,
            also=place.also,
            answers=tuple(self._answers(place, path)),
            then=tuple(
                Go(one.to, self.names.condition(one.when, f"{path}.then[{nth}].when"), one.note)
                for nth, one in enumerate(place.then)
            ),
            needs=self._needs(place, path),
            runs=self._runs(place, path),
            keep=place.keep,
            allows=tuple(dict.fromkeys(allows)),
            touches=self._touches(place),
            in_turn=place.in_turn,
            first_come=place.first_come,
            counts_turns=place.counts_turns,
            need=place.need,
            secret=place.secret,
            rolls=place.rolls,
        )

    def _answers(self, place: PlaceText, path: str) -> Iterator[Answer]:
        for at, one in enumerate(place.answers):
            when = self.names.condition(one.when, f"{path}.answers[{at}].when")
            yield Answer(one.name, one.to, when, one.by)

    def _allowed(self, place: PlaceText, path: str) -> Iterator[type[Order]]:
        allowed = {**CAN_BE_ALLOWED, **{name: one.type for name, one in self.own.items()}}
        for at, name in enumerate(place.allows):
            if name in allowed:
                self._verify_closing(place, name, f"{path}.allows[{at}]")
                yield allowed[name]
            else:
                known = ", ".join(allowed)
                self.names.fault(
                    f"there is no order {name}", f"{path}.allows[{at}]", f"name one of: {known}", "unknown-order"
                )

    def _verify_closing(self, place: PlaceText, order: str, path: str) -> None:
        """Check that the answer with which an order closes a step is one of the step's answers."""
        closes = self.own[order].text.closes if order in self.own else False
        known = [one.name for one in place.answers]
        if isinstance(closes, str) and closes not in known:
            what = f"{order} closes with {closes}, which is not an answer to the step"
            self.names.fault(what, path, f"answers of the step: {', '.join(known) or 'no answers'}")

    def _own_orders(self, place: PlaceText, path: str) -> Iterator[type[Order]]:
        """Yield the orders of a step that draws, throws or seals, and check the names that the step uses."""
        if place.draws is not None:
            self.names.named("marker", place.draws.cup, f"{path}.draws.cup")
            yield Draw
        if place.throws is not None:
            self.names.named("table", place.throws.table, f"{path}.throws.table")
            read_modifiers(self.names, place.throws.modifiers, f"{path}.throws")
            yield Throw
        if place.seals is not None:
            yield SealChoice

    def _needs(self, place: PlaceText, path: str) -> Condition | None:
        """Return the conditions that must be true before a step ends, from the file and from the step's own orders."""
        found = [self.names.condition(place.needs, f"{path}.needs"), *needs_of_its_own(place)]
        needs: Condition | None = None
        for one in found:
            needs = one if needs is None else needs if one is None else needs & one
        return needs

    def _runs(self, place: PlaceText, path: str) -> tuple[str, str] | None:
        match place.runs:
            case ():
                return None
            case (first, last):
                return first, last
            case _:
                self.names.fault(
                    "a borrowed stretch needs a first and a last step", f"{path}.runs", 'write ["3a", "3c"]'
                )
                return None

    def _touches(self, place: PlaceText) -> Touch:
        text = place.touches
        if text is None:
            return Touch()
        return Touch(
            units=text.units,
            attributes=text.attributes,
            accounts=text.accounts,
            markers=text.markers,
            questions=text.questions,
            by=text.by,
        )

    def _orders(self) -> Iterator[OrderDeclaration]:
        """Yield `draw`, `throw` and `seal-choice` with their steps' data, then the orders that the file defines."""
        steps = [(id, place) for (_, id), place in zip(self.kinds, self.text.play, strict=True)]
        draws = {id: (one.draws, rule_of(one)) for id, one in steps if one.draws is not None}
        throws = {
            id: (
                msgspec.structs.replace(one.throws, purpose=one.throws.purpose or one.name or id),
                rule_of(one),
                read_modifiers(self.names, one.throws.modifiers, ""),
            )
            for id, one in steps
            if one.throws is not None
        }
        seals = {id: (one.seals, rule_of(one)) for id, one in steps if one.seals is not None}
        if draws:
            yield does(Draw, decide_draw(draws))
        if throws:
            tables = tuple(dict.fromkeys(text.table for text, _, _ in throws.values()))
            yield does(Throw, decide_throw(throws), tables=tables)
        if seals:
            yield does(SealChoice, decide_sealing(seals), tries=sealings(seals))
        for own in self.own.values():
            yield does(own.type, decide_own(own), tries=ideas_for(own), tables=own.tables)


def _pattern(name: str) -> str:
    """Return a name with braces as a `Ruled` pattern: every name that begins like the text before the first brace."""
    before, brace, _ = name.partition("{")
    return f"{before}*" if brace else name
