"""The expansions that a scenario may use. A step of an expansion that is not used is passed, and the record says why.

An option tells only which rules are played: never whether a side has, here and now, the unit that they are about.
"""

from umpire_ledger.kit import Value, option

OPTIONS: dict[str, Value] = dict.fromkeys(
    (
        "admirals",
        "annexation",
        "colonies",
        "decoys",
        "depot_repair",
        "diplomacy",
        "ground_combat",
        "honor_duels",
        "isc",
        "orions",
        "pacification",
        "prime_teams",
        "raids",
        "saf",
        "special_fighters",
        "survey",
        "swac",
        "swarm",
        "tactical_reserves",
        "web",
        "wyn",
        "x_ships",
    ),
    False,
)

admirals = option("admirals")
annexation = option("annexation")
colonies = option("colonies")
decoys = option("decoys")
depot_repair = option("depot_repair")
diplomacy = option("diplomacy")
ground_combat = option("ground_combat")
honor_duels = option("honor_duels")
isc = option("isc")
orions = option("orions")
pacification = option("pacification")
prime_teams = option("prime_teams")
raids = option("raids")
saf = option("saf")
special_fighters = option("special_fighters")
survey = option("survey")
swac = option("swac")
swarm = option("swarm")
tactical_reserves = option("tactical_reserves")
web = option("web")
wyn = option("wyn")
x_ships = option("x_ships")
