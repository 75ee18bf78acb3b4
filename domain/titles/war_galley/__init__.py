"""War Galley (GMT Games): galley fleets at oar and sail, after a fan's summary of its sequence of play."""

from umpire_ledger.domain.titles.war_galley import activation as act
from umpire_ledger.domain.titles.war_galley import (
    boarding,
    contact,
    fatigue,
    initiative,
    levels,
    movement,
    squadrons,
    status,
    victory,
)
from umpire_ledger.domain.titles.war_galley import suggests as try_
from umpire_ledger.domain.titles.war_galley.scenario import WarGalleyScenario, set_up
from umpire_ledger.domain.titles.war_galley.sequence import CITES, PRINTED, SEQUENCE
from umpire_ledger.domain.titles.war_galley.ships import NAME
from umpire_ledger.domain.titles.war_galley.wind import RollWind, decide_roll_wind
from umpire_ledger.kit import Game, Roll, Title


def _has_ships(game: Game, side: str) -> bool:
    """A side without a ship is out of the battle and is waited for no longer."""
    return any(not ship.fate and ship.side == side for ship in game.units.values())


TITLE = Title(
    id="war-galley",
    name=NAME,
    version="1",
    publisher="GMT Games",
    sequence=SEQUENCE,
    printed=PRINTED,
    labels=tuple(PRINTED),
    cites=CITES,
    scenario=WarGalleyScenario,
    set_up=set_up,
    plays_on=_has_ships,
    decides={
        RollWind: decide_roll_wind,
        squadrons.Join: squadrons.decide_join,
        initiative.RollInitiative: initiative.decide_roll_initiative,
        initiative.NameFirst: initiative.decide_name_first,
        levels.SetLevels: levels.decide_set_levels,
        act.ActivateBoth: act.decide_activate_both,
        act.CrewTest: act.decide_test_crew,
        movement.MoveShip: movement.decide_move_ship,
        movement.Stay: movement.decide_stay,
        movement.SetSails: movement.decide_set_sails,
        contact.Ram: contact.decide_ram,
        contact.Grapple: contact.decide_grapple,
        contact.Foul: contact.decide_foul,
        contact.CastOff: contact.decide_cast_off,
        contact.RunAground: contact.decide_run_aground,
        contact.SetFire: contact.decide_set_fire,
        contact.Hit: contact.decide_hit,
        boarding.Board: boarding.decide_board,
        fatigue.Tire: fatigue.decide_tire,
        status.Disengage: status.decide_disengage,
        status.FightFire: status.decide_fight_fire,
        status.CheckSpread: status.decide_check_spread,
        status.CheckSinking: status.decide_check_sinking,
    },
    roles={
        "choosers": squadrons.choosers,
        "winner": initiative.winner,
        "turn_order": initiative.turn_order,
        "owners_of_fouled": status.owners_of_fouled,
        "owners_of_burning": status.owners_of_burning,
        "owners_of_exposed": status.owners_of_exposed,
        "owners_of_rammed": status.owners_of_sinking,
    },
    facts={
        "wind_is_open": lambda game, side: True,
        "ships_choose": squadrons.is_unassigned,
        "initiative_is_owed": initiative.has_to_roll,
        "initiative_is_won": initiative.is_settled,
        "first_is_open": initiative.is_settled,
        "levels_are_open": levels.needs_level,
        "admiral_may_join": act.admiral_may_join,
        "ships_wait": movement.ships_wait_to_move,
        "grappled": boarding.is_grappled,
        "test_is_due": act.needs_test,
        "fouled": status.is_fouled,
        "burning": status.is_burning,
        "exposed": status.is_exposed,
        "rammed": status.is_sinking,
        "decided": victory.is_decided,
    },
    sets={
        "squadrons": squadrons.all_squadrons,
        "unused_squadrons": act.unused_squadrons,
        "individual_squadrons": squadrons.individual_squadrons,
    },
    acts={
        "B.range": squadrons.determine,
        "E.3": act.pass_on,
        "E.4": act.end_of_command,
        "F.4": act.pass_on,
        "G.2c": status.clear_masts,
        "G.3": status.recover,
        "H.a": victory.count_rammed,
        "H.b": victory.count_captured,
        "H.end": victory.conclude,
    },
    suggests={
        RollWind: try_.suggest_roll_wind,
        squadrons.Join: try_.suggest_join,
        initiative.RollInitiative: try_.suggest_roll_initiative,
        initiative.NameFirst: try_.suggest_name_first,
        levels.SetLevels: try_.suggest_set_levels,
        act.ActivateBoth: try_.suggest_activate_both,
        act.CrewTest: try_.suggest_test_crew,
        movement.MoveShip: try_.suggest_move_ship,
        movement.Stay: try_.suggest_stay,
        movement.SetSails: try_.suggest_set_sails,
        contact.Ram: try_.suggest_ram,
        contact.Grapple: try_.suggest_grapple,
        contact.Foul: try_.suggest_foul,
        contact.CastOff: try_.suggest_cast_off,
        contact.RunAground: try_.suggest_run_aground,
        contact.SetFire: try_.suggest_set_fire,
        contact.Hit: try_.suggest_hit,
        Roll: try_.suggest_roll,
        boarding.Board: try_.suggest_board,
        fatigue.Tire: try_.suggest_tire,
        status.Disengage: try_.suggest_disengage,
        status.FightFire: try_.suggest_fight_fire,
        status.CheckSpread: try_.suggest_check_spread,
        status.CheckSinking: try_.suggest_check_sinking,
    },
)
