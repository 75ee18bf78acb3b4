"""Set the numbers that chapter 5.0 does not print."""

from umpire_ledger.kit import HouseValue


def _number(name: str, value: int, rule: str, says: str) -> HouseValue:
    return HouseValue(name=name, value=value, rule=rule, says=says)


BOMBING = _number("bombing-point", 1, "5.1.C", "bonus to the roll for each Strategic Bombing Point")
LEVEL = _number("attrition-level", 1, "5.1.F", "bonus to the roll for each Allied Strategic Intelligence level")
SUBMARINE = _number("attrition-submarine", 1, "5.1.F", "bonus to the roll for each submarine point against shipping")
ESCORT = _number("attrition-escort", -1, "5.1.F", "bonus to the roll for each escort on duty")
OTHER = _number("attrition-other", 2, "5.1.F", "divisor of the row's loss for the lower priority")
CONDITION = _number("condition-level", 1, "5.1.Q", "bonus to the roll for each level of the Reaction player")
ENGINEERING = _number("engineering-hits", 1, "5.1.M", "hits that engineering removes from a base at once")


def _default(where: str, value: int, rule: str, says: str) -> HouseValue:
    """Return the default value of a unit or another part of the scenario, used if the file leaves it out."""
    return HouseValue(name=where, value=value, rule=rule, says=says, where=where)


OURS = (
    *(BOMBING, LEVEL, SUBMARINE, ESCORT, OTHER, CONDITION, ENGINEERING),
    _default("costs.patrol", 1, "5.1.N", "Command Points for a Submarine Patrol"),
    _default("costs.time_multiple", 2, "5.1.P", "Command Points for each further Time multiple"),
    _default("costs.submarine_command", 0, "5.1.J", "Command Points for building a submarine Command"),
    _default("naval.cripples", 2, "units", "hits that cripple a ship"),
    _default("naval.sinks", 3, "units", "hits that sink a ship"),
    _default("naval.activation", 1, "5.1.P", "Activation Points of a unit, also for air and ground units"),
    _default("air.steps", 1, "units", "steps and full strength of an air unit, also for ground units"),
    _default("air.status", 1, "units", "Status Level of an air unit"),
    _default("patrols.submarines", 1, "5.1.N", "submarines in a patrol"),
    _default("links.maintenance", 1, "5.1.J", "Command Points each month for an Emergency Command Link"),
)
