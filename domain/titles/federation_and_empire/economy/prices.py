"""What a scenario may give a price for, as its `costs` call it, and how an order is told what it lacks."""

from collections.abc import Collection, Iterator, Mapping

from umpire_ledger.kit import ScenarioFault, listed, nearest, scenario_fault

OF_KINDS = {
    "activate": "what activating a {} costs",
    "build": "what building a {} costs",
    "convert": "what the conversion to a {} costs",
    "deploy": "what a {} costs",
    "repair": "what the repair of a {} costs",
    "salvage": "what the salvage of a {} brings",
    "scrap": "what scrapping a {} brings",
    "upgrade": "what the upgrade to a {} costs",
}
"""Prices by kind of unit, `repair D7`, and what an order does not say where nobody says the price."""
OF_NAMES = {
    "battleship": "what the option {} costs",
    "construct": "what {} costs",
}
"""Prices of what a scenario names itself: options of battleships, shipyard facilities."""
BY_THEMSELVES = (
    *("build GCE", "repair SIDS", "replace fighters", "replace PFs", "replace GCE"),
    *("support homeless", "support forward defense"),
    *("colony", "colonial base", "drone bombardment", "drone raid", "WYN trade"),
)
"""Prices of what there is one sort of."""


def what_it_costs(what: str) -> str:
    """In words, what nobody has said: `what scrapping a D6 brings`."""
    verb, _, of = what.partition(" ")
    words = {**OF_KINDS, **OF_NAMES}.get(verb)
    return words.format(of) if words and what not in BY_THEMSELVES else f"what it costs: {what}"


VERY_ALIKE = 0.85
"""How alike a kind that the scenario does not have is to one that it has, for it to be a slip of the pen."""


def faults_of_prices(costs: Mapping[str, int], kinds: Collection[str]) -> Iterator[ScenarioFault]:
    """Prices that no order asks for, each with the nearest.

    A kind that nobody has yet may be priced, for it can be built.
    """
    able = (*BY_THEMSELVES, *(f"{verb} {kind}" for verb in OF_KINDS for kind in sorted(kinds)))
    for name in costs:
        verb, _, of = name.partition(" ")
        if name in BY_THEMSELVES or (of and verb in OF_NAMES):
            continue
        if of and verb in OF_KINDS:
            alike = (*(f"{verb} {kind}" for kind in nearest(of, sorted(kinds), VERY_ALIKE)), *_sort_like(name))
            near = [] if of in kinds else list(alike)
            fault = bool(near)
        else:
            near, fault = nearest(name, able), True
        if fault:
            remedy = f"did you mean {' or '.join(near)}?" if near else f"it has: {_forms()}"
            yield scenario_fault(f"nothing is priced as {name}", f"$.costs.of.{name}", remedy)


def _sort_like(name: str) -> list[str]:
    """Of what there is one sort of, what is so alike that it must be meant."""
    return nearest(name, BY_THEMSELVES, VERY_ALIKE)


def _forms() -> str:
    verbs = (*(f"{verb} KIND" for verb in OF_KINDS), "battleship OPTION", "construct FACILITY")
    return listed((*verbs, *BY_THEMSELVES))
