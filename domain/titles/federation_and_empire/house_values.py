"""Declare the numbers that the sequence of play does not print."""

from umpire_ledger.kit import HouseValue


def _number(name: str, value: int | str, rule: str, says: str, where: str = "") -> HouseValue:
    return HouseValue(name=name, value=value, rule=rule, says=says, where=where)


DIE = _number("die", "1d6", "every roll", "the dice for a roll if the sequence names none")
POLICE_ATTACK = _number("police-attack", 2, "3A-2C", "attack factor of police ships that are called up")
POLICE_DEFENSE = _number("police-defense", 3, "3A-2C", "defense factor of police ships that are called up")
STATION_DEFENSE = _number("station-defense", 4, "3A-6A", "defense factor of a pacification station")
PINWHEEL = _number("pinwheel-ships", 2, "5-3F1", "ships that a pinwheel needs")
DIRECTED = _number("directed-cost", 2, "5-5B", "cost of directed damage, as a multiple of the unit's factors")
REACTIONS = _number("reactions", 1, "3B3", "reactions that a unit may make in a player turn")
RESERVES = _number(
    "reserves-to-battle", 0, "4A", "1: a reserve must end its move in a hex with an enemy; 0: in any hex"
)
POOL_TO_OWN = _number(
    "pool-to-own", 1, "3A-5B", "1: a ship leaves the pool for a hex with units of its side; 0: for any hex"
)
RAIDERS_MOVE = _number("raiders-move", 0, "3B2", "1: a unit that has raided may move in 3B2; 0: it may not")
BUILD_AT_OWN = _number(
    "build-at-own", 1, "2B3", "1: without yards, an empire builds in hexes with its units; 0: in any hex"
)
BEGIN_AT_OWN = _number("begin-at-own", 1, "3B6", "1: an empire begins bases in hexes with its units; 0: in any hex")
POLICE_PER_RAID = _number("police-per-raid", 1, "3A-2C", "police ships that a side may call up to one raided hex")
REPAIR_TUGS = _number("repair-tugs", 1, "7B", "repair tugs that an empire may deploy in a player turn; 0: no limit")
SHIPS_AS_CARGO = _number("ships-as-cargo", 0, "3A-4B", "1: a ship may be cargo of a blockade runner; 0: it may not")
MINIMUM_FORCE = _number("minimum-force", 1, "5-3E", "minimum units of a Battle Force, if that many are present")
SMALL_SCALE = _number(
    "small-scale-units",
    0,
    "5-3B",
    "maximum number of units, both sides together, in small-scale combat; 0: the players decide",
)
SHIPS_PER_CORE = _number("ships-per-core", 0, "5-3G", "ISC ships that one core position needs; 0: no limit")
RAISED_BIR = _number("raised-bir", 1, "5-3X2", "maximum increase of the attacker's BIR after four rounds")
APPROACH = _number(
    "approach-damage",
    0,
    "5-4G",
    "damage in an approach battle at which the fight moves on to the base; 0: the players decide",
)
PURSUIT_X = _number("pursuit-x", 0, "5-8B", "modifier to the die for X-ships of the pursuers")
PURSUIT_FAST = _number("pursuit-fast", 0, "5-8B", "modifier to the die for Fast ships of the pursuers")
PURSUIT_DECLINED = _number("pursuit-declined", 0, "5-8B", "modifier to the die for a declined approach battle")
CARRY_OVER = _number("carry-over", 0, "5-6A", "maximum damage points that can be carried over; 0: no limit")
MAP_EDGE = _number("map", 99, "105.IW", "the last column and the last row of the map", "map")
COMBAT = (
    CARRY_OVER,
    *(MINIMUM_FORCE, SMALL_SCALE, SHIPS_PER_CORE, RAISED_BIR, APPROACH),
    *(PURSUIT_X, PURSUIT_FAST, PURSUIT_DECLINED),
)
OURS = (
    *(DIRECTED, DIE, POLICE_ATTACK, POLICE_DEFENSE, STATION_DEFENSE, PINWHEEL, REACTIONS, RESERVES),
    *(POOL_TO_OWN, RAIDERS_MOVE, BUILD_AT_OWN, BEGIN_AT_OWN, POLICE_PER_RAID, REPAIR_TUGS, SHIPS_AS_CARGO),
    *COMBAT,
    MAP_EDGE,
    _number("empires.raid_pool", 99, "3A-1A", "maximum number of ships in the Raid Pool", "empires.raid_pool"),
    _number("calendar.year", 168, "105.IW", "the year of the first turn, a Spring", "calendar.year"),
    _number("tables.variable-bir", "the die has no automatic effect", "5-3X4", "variable BIR", "tables.variable-bir"),
    _number("damage_chart", "each side enters its points once", "5-4C4", "damage points of a COMPOT", "damage_chart"),
    _number("tables.pursuit", "the pursuer announces the result", "5-8B", "the pursuit die", "tables.pursuit"),
    _number("tables.rescue", "the unit is rescued", "5-S8", "result of a tug's die", "tables.rescue"),
)
