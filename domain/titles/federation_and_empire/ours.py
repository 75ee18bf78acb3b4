"""The numbers that the sequence of play does not print."""

from umpire_ledger.kit import Ours


def _number(name: str, value: int | str, rule: str, says: str, where: str = "") -> Ours:
    return Ours(name=name, value=value, rule=rule, says=says, where=where)


DIE = _number("die", "1d6", "every roll", "the dice of a roll for which the sequence names none")
POLICE_ATTACK = _number("police-attack", 2, "3A-2C", "attack factor of police ships that are called up")
POLICE_DEFENSE = _number("police-defense", 3, "3A-2C", "defense factor of police ships that are called up")
STATION_DEFENSE = _number("station-defense", 4, "3A-6A", "defense factor of a pacification station")
PINWHEEL = _number("pinwheel-ships", 2, "5-3F1", "ships that a pinwheel needs")
DIRECTED = _number("directed-cost", 2, "5-5B", "times a unit's factors that directed damage costs")
REACTIONS = _number("reactions", 1, "3B3", "reactions that a unit makes in a player turn")
OURS = (
    *(DIRECTED, DIE, POLICE_ATTACK, POLICE_DEFENSE, STATION_DEFENSE, PINWHEEL, REACTIONS),
    _number("empires.raid_pool", 99, "3A-1A", "ships in the Raid Pool at most", "empires.raid_pool"),
    _number("empires.borrowing", 0, "1C5", "EPs that an empire may borrow in a turn", "empires.borrowing"),
    _number("calendar.year", 168, "105.IW", "the year of the first turn, a Spring", "calendar.year"),
    _number("tables.variable-bir", "the die changes nothing of itself", "5-3X4", "variable BIR", "tables.variable-bir"),
    _number("tables.rescue", "the unit is rescued", "5-S8", "what a tug's die brings", "tables.rescue"),
)
