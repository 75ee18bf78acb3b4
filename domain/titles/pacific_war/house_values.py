"""Set the numbers that chapter 5.0 does not print."""

from umpire_ledger.kit import HouseValue


def _number(name: str, value: int, rule: str, says: str) -> HouseValue:
    return HouseValue(name=name, value=value, rule=rule, says=says)


BOMBING = _number("bombing-point", 1, "5.1.C", "each Strategic Bombing Point adds this to the roll")
LEVEL = _number("attrition-level", 1, "5.1.F", "each Allied Strategic Intelligence level adds this to the roll")
SUBMARINE = _number("attrition-submarine", 1, "5.1.F", "each submarine point against shipping adds this to the roll")
ESCORT = _number("attrition-escort", -1, "5.1.F", "each escort on duty adds this to the roll")
OTHER = _number("attrition-other", 2, "5.1.F", "what was not the priority loses the row's number divided by this")
CONDITION = _number("condition-level", 1, "5.1.Q", "each level of the Reaction player adds this to the roll")
ENGINEERING = _number("engineering-hits", 1, "5.1.M", "hits that engineering removes from a base at once")


def _default(where: str, value: int, rule: str, says: str) -> HouseValue:
    """Return the default value of a unit or another part of the scenario, used if the file is silent."""
    return HouseValue(name=where, value=value, rule=rule, says=says, where=where)


OURS = (
    *(BOMBING, LEVEL, SUBMARINE, ESCORT, OTHER, CONDITION, ENGINEERING),
    _default("costs.patrol", 1, "5.1.N", "Command Points for a Submarine Patrol"),
    _default("costs.time_multiple", 2, "5.1.P", "Command Points for each further Time multiple"),
    _default("costs.submarine_command", 0, "5.1.J", "Command Points for a submarine Command that is built"),
    _default("naval.cripples", 2, "units", "hits that cripple a ship"),
    _default("naval.sinks", 3, "units", "hits that sink a ship"),
    _default("naval.activation", 1, "5.1.P", "Activation Points of a unit, of air and ground units too"),
    _default("air.steps", 1, "units", "steps of an air unit, and of a full one; of ground units too"),
    _default("air.status", 1, "units", "Status Level of an air unit"),
    _default("patrols.submarines", 1, "5.1.N", "submarines of a patrol"),
    _default("links.maintenance", 1, "5.1.J", "Command Points a month for an Emergency Command Link"),
)
