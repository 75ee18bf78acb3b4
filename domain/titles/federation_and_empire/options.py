"""Declare the expansions that a scenario may use.

A step of an unused expansion is passed, and the record gives the reason. An option says only which rules are in use,
never whether a side has at present a unit to which they apply.
"""

from umpire_ledger.kit import Value, option

READINGS = {
    "admirals": "admirals lead fleets and may change ships",
    "annexation": "neutral territory may be annexed",
    "colonies": "colonies are announced, paid for and established",
    "decoys": "decoys are bought and assigned to ships",
    "depot_repair": "cripples are repaired at depots",
    "diplomacy": "diplomatic presence counts (1A3D)",
    "ground_combat": "ground units fight for planets",
    "honor_duels": "honor duels are offered before a battle",
    "isc": "the Inter-Stellar Concordium plays",
    "orions": "the Orions play",
    "pacification": "pacification stations are placed (3A-S6)",
    "prime_teams": "Prime Teams are used",
    "raid_bir": "special raids choose their BIR (320.37)",
    "raids": "raids are carried out",
    "saf": "SAF attack fixed units (5-4A6, 5-5E)",
    "special_fighters": "the Federation names places for special fighters (2B9)",
    "survey": "survey ships explore",
    "swac": "SWAC shuttles take part in electronic warfare",
    "swarm": "the Swarm is in play (2B8)",
    "tactical_reserves": "tactical reserve fleets are formed",
    "web": "the Tholians use webs",
    "wyn": "the WYN cluster plays",
    "x_ships": "X-ships are built and used",
}
"""The meaning of each option if it is true; if it is false, its steps are passed."""

OPTIONS: dict[str, Value] = dict.fromkeys(READINGS, False)

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
