"""List the prices that a scenario may set in its `costs`, and name a missing price in words."""

from collections.abc import Collection, Iterator, Mapping

from umpire_ledger.kit import ScenarioFault, listed, nearest, scenario_fault

OF_KINDS = {
    "activate": "the activation cost of {}",
    "build": "the build cost of {}",
    "convert": "the cost of a conversion to {}",
    "deploy": "the deployment cost of {}",
    "repair": "the repair cost of {}",
    "salvage": "the salvage value of {}",
    "scrap": "the scrap value of {}",
    "upgrade": "the cost of an upgrade to {}",
}
"""Prices by kind of unit, as in `repair D7`, with the words of the refusal when a price is missing."""
OF_NAMES = {
    "battleship": "the cost of the option {}",
    "construct": "the cost of {}",
}
"""Prices of names that the scenario chooses: options of battleships, shipyard facilities."""
BY_THEMSELVES = (
    *("build GCE", "repair SIDS", "replace fighters", "replace PFs", "replace GCE"),
    *("support homeless", "support forward defense"),
    *("colony", "colonial base", "drone bombardment", "drone raid", "WYN trade"),
)
"""Prices that do not depend on a kind or name."""


def what_it_costs(what: str) -> str:
    """Describe a price that is not known: `the scrap value of D6`."""
    verb, _, of = what.partition(" ")
    words = {**OF_KINDS, **OF_NAMES}.get(verb)
    return words.format(of) if words and what not in BY_THEMSELVES else f"the price of `{what}`"


VERY_ALIKE = 0.85
"""Similarity, from 0 to 1, at which an unknown kind counts as a misspelling of a known one."""


def faults_of_prices(costs: Mapping[str, int], kinds: Collection[str]) -> Iterator[ScenarioFault]:
    """Yield a fault for each price that no order asks for, with the nearest valid names.

    A kind without units may have a price, since it can be built.
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
            remedy = f"did you mean {' or '.join(near)}?" if near else f"prices have these names: {_forms()}"
            yield scenario_fault(f"there is no price named {name}", f"$.costs.of.{name}", remedy, code="unknown-price")


def _sort_like(name: str) -> list[str]:
    """Return the prices without a kind whose names are so similar that one of them must be meant."""
    return nearest(name, BY_THEMSELVES, VERY_ALIKE)


def _forms() -> str:
    verbs = (*(f"{verb} KIND" for verb in OF_KINDS), "battleship OPTION", "construct FACILITY")
    return listed((*verbs, *BY_THEMSELVES))
