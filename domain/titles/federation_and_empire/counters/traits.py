"""List the `traits` that a scenario may give to units, with the steps that ask for them. Other words have no effect."""

from collections.abc import Iterable, Iterator

from umpire_ledger.kit import ScenarioFault, nearest, scenario_fault

TRAITS = {
    "captured": "a captured enemy ship: gives +1 to one damage die (5-4C2)",
    "cloak": "may cloak to pass an approach battle, evade or attack (5-2A1, 5-1E, 5-3X3); may have a decoy",
    "commando": "can land troops; with a general, exceeds the command limit (5-3D, 5-4A5)",
    "decoy": "a cloaked decoy of the Romulans (2B7, 5-1A to 5-8F)",
    "diplomat": "counts as a diplomatic presence and negotiates; aboard a ship or on a planet (1A3D, 1C3)",
    "drone": "may bombard and make drone raids (3A-3A, 5-3E)",
    "engineers": "help with recovery, annexation and base repairs, once a player turn (1A3A, 1A3C, 2A3)",
    "fast": "a Fast ship: counts in the pursuit die (5-8B)",
    "fighter": "may make a special raid (3A-3A)",
    "fighters": "can absorb less damage than would cripple it, as fighters do (5-6A)",
    "forward": "may be a Forward Defense Unit (1H)",
    "frd": "a repair dock: slow, moves with a transport on mission F, repairs ships (2A2, 5-1C, 5-7D)",
    "gce": "carries a ground combat element, which is replaced in 2B4; or is one",
    "general": "a Marine general, in addition to `leader` (3A-1A, 5-3D, 5-3E)",
    "hdw": "a heavy war destroyer: may be reconfigured (3B2)",
    "homeless": "may have a support line (1H)",
    "hospital": "helps with recovery (1A3A)",
    "isc": "an ISC ship: can form an echelon and its core (5-3G, 5-3X5, 5-4A7F)",
    "leader": "an admiral or general; aboard a ship",
    "mauler": "a mauler: directed damage, captures, shock (5-5B, 5-6X1, 5-6D)",
    "modular": "can change modules (2B5, 3B2)",
    "pacification": "a pacification base: ends tactical retrogrades (3A-6, 6D1)",
    "penal": "a penal ship: honor duels, sacrifice (5-3H, 5-5A)",
    "pf": "may make a special raid (3A-3A)",
    "pinwheel": "may form pinwheels (5-3E, 5-3F)",
    "police": "a police ship, like those that are called up",
    "repair": "a repair ship: deployed in 7B, returns in 7D",
    "saf": "a special attack force (5-4A6, 5-5E)",
    "scout": "has electronic warfare and can have the scout bonus (5-4A2, 5-3G)",
    "sfg": "has a stasis field generator (5-4A7); the scenario needs the table `sfg`",
    "shock": "subject to shock: announces factors (5-4B, 5-6D)",
    "slow": "a Slow Unit, with its own pursuit (5-8D, 5-8G)",
    "starbase": "a starbase: modular ships are converted there (2B5)",
    "stellar-fortress": "a stellar fortress: modular ships are converted there (2B5)",
    "swac": "a SWAC shuttle (5-4A1, 5-4F)",
    "team": "a Prime Team; aboard a ship (1B, 2B7, 3A, 5-3E, 5-6C)",
    "transport": "has missions (509.1)",
    "troops": "may land troops (5-4A5)",
    "tug": "has missions and pods; can rescue (509.1, 5-6H, 6F, 8B)",
    "web": "a web caster or a web tower (5-3J, 5-3X5, 5-4A7B, 5-4B)",
    "x": "an X-ship: reacts to reserves, retrogrades, has EW (4A, 6D3, 5-4A3, 5-8B)",
    "xbase": "an X-base: chooses its EW after the reveal (5-4A4)",
}
"""Meaning of each trait, with the steps that ask for it."""
ALIKE = 0.8
"""Similarity, from 0 to 1, at which an unknown word counts as a misspelling of a trait."""


def faults_of_traits(path: str, traits: Iterable[str]) -> Iterator[ScenarioFault]:
    """Yield a fault for each trait that nearly equals a known one: such a word would have no effect, unnoticed."""
    for at, trait in enumerate(traits):
        near = nearest(trait, TRAITS, ALIKE) if trait not in TRAITS else []
        if near:
            yield scenario_fault(
                f"no rule uses the trait {trait}",
                f"{path}[{at}]",
                f"did you mean {' or '.join(near)}?",
                code="unknown-trait",
            )
