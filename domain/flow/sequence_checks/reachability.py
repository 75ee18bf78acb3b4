"""Find steps that play never reaches, places that it never leaves, and circles that wait for no side.

The sequence becomes a graph. Each place has the nodes `in` and `out`, and a step also has `open`. A path through a
procedure or a borrowed stretch is not followed past its return. Instead, the calling step leads on if the return is
possible. So no path enters from one caller and returns to another.

A guard may hold or not, as each path requires. Only the search for circles never passes by a place that may wait for a
side.
"""

from collections.abc import Iterable, Iterator

from umpire_ledger.domain.flow.sequence_checks.fault import Fault, step_exits
from umpire_ledger.domain.kit.title import Title
from umpire_ledger.domain.sequence.constructs import (
    BACK,
    END,
    NEXT,
    AnyPlace,
    Each,
    Heading,
    Rounds,
    Step,
    Together,
    Turns,
)
from umpire_ledger.domain.sequence.plan import Plan, children_of

Node = tuple[str, str]
"""A kind and an id: `in`, `open` or `out` of a place, `back` from a procedure, or `end`."""

THE_END: Node = ("end", "")


class Flow:
    """The graph of a plan. `silent`: it contains only the moves that wait for no side."""

    def __init__(self, plan: Plan, *, silent: bool = False) -> None:
        self.plan = plan
        self.silent = silent
        self.returning: set[str] = set()
        while True:
            self.leads: dict[Node, set[Node]] = {}
            self.calls: set[tuple[Node, Node]] = set()
            self._lay()
            found = set(self._returning())
            if found <= self.returning:
                return
            self.returning |= found

    # --- queries ------------------------------------------------------------------------------------------------------

    def reached(self, start: Iterable[Node], *, into_calls: bool = True, closed: Iterable[Node] = ()) -> set[Node]:
        """Return every node that play can reach from the start without passing a closed node."""
        edge = list(start)
        seen = {*edge, *closed}
        while edge:
            node = edge.pop()
            for to in self.leads.get(node, ()):
                if to not in seen and (into_calls or (node, to) not in self.calls):
                    seen.add(to)
                    edge.append(to)
        return seen.difference(closed)

    def reversed(self) -> dict[Node, set[Node]]:
        """Return the reversed graph: the predecessors of each node.

        An edge of a call is kept only if the call never returns.
        """
        found: dict[Node, set[Node]] = {}
        for node, leads in self.leads.items():
            for to in leads:
                if (node, to) not in self.calls or self.returning.isdisjoint((node[1], to[1])):
                    found.setdefault(to, set()).add(node)
        return found

    def circles(self) -> list[set[Node]]:
        """Return the sets of nodes in which play can go in a circle, each once."""
        left = {node for node in self.leads if node in self.reached(self.leads[node])}
        found = []
        while left:
            node = min(left)
            ring = {other for other in self.reached([node]) & left if node in self.reached([other])}
            found.append(ring)
            left -= ring
        return found

    # --- building the graph -------------------------------------------------------------------------------------------

    def _lay(self) -> None:
        for place in self.plan.places.values():
            self._lay_entry(place)
            self._lay_exit(place)
            if isinstance(place, Step):
                self._lay_ways(place)
        for instant in self.plan.instants if not self.silent else ():
            target = THE_END if instant.to == END else ("in", instant.to)
            for place in self.plan.leaves():
                if not instant.during or any(self.plan.holds(one, place.id) for one in instant.during):
                    self._lead(("open", place.id), target, call=instant.to in self.plan.procedures)

    def _lead(self, node: Node, to: Node, *, call: bool = False) -> None:
        self.leads.setdefault(node, set()).add(to)
        if call:
            self.calls.add((node, to))

    def _lay_entry(self, place: AnyPlace) -> None:
        node: Node = ("in", place.id)
        may_wait = self.waits(place)
        if place.when is not None and not (self.silent and may_wait):
            self._lead(node, ("out", place.id))
        match place:
            case Step(runs=None):
                self._lead(node, ("open", place.id))
            case Step(runs=(first, _)):
                self._lead(node, ("in", first), call=True)
                if place.id in self.returning:
                    self._lead(node, ("open", place.id))
            case Heading() | Rounds():
                self._lead(node, ("in", self.plan.first(place.id)))
            case Together(steps=steps):
                for step in steps:
                    self._lead(node, ("in", step.id))
            case Each() | Turns():
                if not self.silent or not _is_picked(place):
                    self._lead(node, ("in", self.plan.first(place.id)))
                if not self.silent or not may_wait:
                    self._lead(node, ("out", place.id))

    def _lay_exit(self, place: AnyPlace) -> None:
        node: Node = ("out", place.id)
        parent = self.plan.places.get(self.plan.parent[place.id])
        following = self.plan.after(place.id)
        if place.id in self.plan.procedures:
            self._lead(node, ("back", place.id))
        elif isinstance(parent, Together):
            if not self.silent or not self.waits(parent):
                self._lead(node, ("out", parent.id))
        elif following:
            self._lead(node, ("in", following))
        elif parent is None:
            self._lead(node, THE_END)
        else:
            self._lay_end_of_pass(node, parent)

    def _lay_end_of_pass(self, node: Node, parent: AnyPlace) -> None:
        again: Node = ("in", self.plan.first(parent.id))
        match parent:
            case Rounds(until=until):
                self._lead(node, again)
                if until is not None:
                    self._lead(node, ("out", parent.id))
            case Each() | Turns():
                self._lead(node, ("out", parent.id))
                if not self.silent:  # Each member has one pass, so this is not a circle.
                    self._lead(node, again)
            case _:
                self._lead(node, ("out", parent.id))

    def _lay_ways(self, step: Step) -> None:
        if self.silent and step.by:
            return
        node: Node = ("open", step.id)
        for way in step_exits(step):
            if way.target == NEXT:
                self._lead(node, ("out", step.id))
            elif way.target == END:
                self._lead(node, THE_END)
            elif way.target == BACK:
                self._lead(node, ("back", self.plan.around(step.id)[-1]))
            elif way.target in self.plan.procedures and not self.plan.holds(way.target, step.id):
                self._lead(node, ("in", way.target), call=True)
                if way.target in self.returning:
                    self._lead(node, ("out", step.id))
            elif self.plan.holds(way.target, step.id) and self.plan.has_frame(way.target):
                self._lead(node, ("in", self.plan.first(way.target)))
            else:
                self._lead(node, ("in", way.target))

    def _returning(self) -> Iterator[str]:
        """Yield the procedures, and the steps with a borrowed stretch, from which play can return."""
        for procedure in self.plan.procedures:
            if ("back", procedure) in self.reached([("in", procedure)]):
                yield procedure
        for step in self.plan.leaves():
            if step.runs is not None and self._comes_out(step.runs):
                yield step.id

    def _comes_out(self, stretch: tuple[str, str]) -> bool:
        """Return whether play can leave a stretch, after its last step or by an exit that leads elsewhere."""
        inside = {place for place in self.plan.places if self.plan.in_stretch(stretch, place)}
        seen: set[Node] = {("in", stretch[0])}
        edge = list(seen)
        while edge:
            node = edge.pop()
            if node[0] == "out" and self.plan.holds(node[1], stretch[1]):
                return True
            for to in self.leads.get(node, ()):
                if (node, to) in self.calls or to == THE_END or to in seen:
                    continue
                if to[1] not in inside and not self.plan.holds(to[1], stretch[1]):
                    return True
                seen.add(to)
                edge.append(to)
        return False

    def waits(self, place: AnyPlace) -> bool:
        """Return whether play may wait for a side in a place, a procedure called there, or a borrowed stretch."""
        if isinstance(place, Step):
            return (
                bool(place.by)
                or place.runs is not None
                or any(w.target in self.plan.procedures for w in step_exits(place))
            )
        return _is_picked(place) or any(self.waits(child) for child in children_of(place))


def _is_picked(place: AnyPlace) -> bool:
    return isinstance(place, Turns) or (isinstance(place, Each) and bool(place.by))


def flow(title: Title) -> Iterator[Fault]:
    """Yield a fault for each unreachable step, dead end, missing end of the game, and circle that waits for no side."""
    plan = title.plan
    if not plan.siblings[""]:
        return
    whole = Flow(plan)
    reached = whole.reached([("in", plan.siblings[""][0])])
    yield from _uncalled(plan)
    yield from _unreached(plan, reached)
    if THE_END in reached:
        yield from _dead_ends(plan, whole, reached)
    else:
        yield Fault(
            place=plan.siblings[""][0], what="the game never ends", remedy="let a step or a trigger lead to END"
        )
    yield from _circles(plan)


def _uncalled(plan: Plan) -> Iterator[Fault]:
    called = {way.target for step in plan.leaves() for way in step_exits(step) if not plan.holds(way.target, step.id)}
    called.update(instant.to for instant in plan.instants)
    for procedure in plan.sequence.procedures:
        if procedure.id not in called:
            yield Fault(place=procedure.id, what="no step calls this procedure", remedy="let a step lead to it")


def _unreached(plan: Plan, reached: set[Node]) -> Iterator[Fault]:
    for step in plan.leaves():
        outermost = plan.around(step.id)[-1]
        in_uncalled = outermost in plan.procedures and ("in", outermost) not in reached
        if ("open", step.id) not in reached and not in_uncalled and step not in plan.anytime:
            yield Fault(
                place=step.id,
                what="play never reaches this place",
                remedy="let a step lead to it, or make it a procedure and call it",
            )


def _dead_ends(plan: Plan, whole: Flow, reached: set[Node]) -> Iterator[Fault]:
    """Yield a fault for the first of the places that play cannot leave.

    Later places of the same dead end are skipped.
    """
    comes_from = whole.reversed()
    ends = {THE_END, *(("back", procedure) for procedure in plan.procedures)}
    edge, leading = list(ends), set(ends)
    while edge:
        for node in comes_from.get(edge.pop(), ()):
            if node not in leading:
                leading.add(node)
                edge.append(node)
    trapped = {node[1] for node in reached - leading if node[0] != "back"}
    first = min(trapped, key=lambda place: plan.order[place], default=None)
    if first is not None:
        yield Fault(place=first, what="the game cannot end from here", remedy="let a step lead out of it")


def _circles(plan: Plan) -> Iterator[Fault]:
    for ring in Flow(plan, silent=True).circles():
        places = sorted({node[1] for node in ring}, key=lambda place: plan.order[place])
        steps = ", ".join(place for place in places if plan.step(place)) or places[0]
        what = f"play loops through {steps} without waiting for a side"
        yield Fault(place=places[0], what=what, remedy="let a step of the cycle wait for a side")
