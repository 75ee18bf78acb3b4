"""War Galley (GMT Games): galley fleets under oar and sail, based on a fan's summary of its sequence of play."""

from umpire_ledger.domain.titles.war_galley import (
    activation,
    boarding,
    contact,
    fatigue,
    house_values,
    initiative,
    levels,
    movement,
    squadrons,
    status,
    suggests,
    victory,
    wind,
    withdrawal,
)
from umpire_ledger.domain.titles.war_galley.board import board
from umpire_ledger.domain.titles.war_galley.hexes import neighbours
from umpire_ledger.domain.titles.war_galley.scenario import Ending, WarGalleyScenario, set_up
from umpire_ledger.domain.titles.war_galley.sequence import PRINTED, SEQUENCE
from umpire_ledger.domain.titles.war_galley.ships import NAME
from umpire_ledger.domain.titles.war_galley.starter import STARTER
from umpire_ledger.domain.titles.war_galley.tables import TABLES
from umpire_ledger.domain.titles.war_galley.words import WORDS
from umpire_ledger.kit import Game, Roll, Title, called, does


def _has_ships(game: Game, side: str) -> bool:
    """Check whether a side still has a ship. Play does not wait for a side without ships."""
    return any(not ship.fate and ship.side == side for ship in game.units.values())


ORDERS = (
    does(wind.RollWind, wind.decide_roll_wind, tries=suggests.roll_wind, tables=("wind",)),
    does(squadrons.Join, squadrons.decide_join, tries=suggests.join),
    does(initiative.RollInitiative, initiative.decide_roll_initiative, tries=suggests.roll_initiative),
    does(initiative.NameFirst, initiative.decide_name_first, tries=suggests.name_first),
    does(levels.SetLevels, levels.decide_set_levels, tries=suggests.set_levels),
    does(
        activation.ActivateBoth,
        activation.decide_activate_both,
        tries=suggests.activate_both,
        tables=("double-activation",),
    ),
    does(activation.CrewTest, activation.decide_test_crew, tries=suggests.crew_test),
    does(movement.MoveShip, movement.decide_move_ship, tries=suggests.move_ship),
    does(movement.Stay, movement.decide_stay, tries=suggests.stay),
    does(movement.SetSails, movement.decide_set_sails, tries=suggests.set_sails),
    does(contact.Ram, contact.decide_ram, tries=suggests.ram),
    does(contact.Grapple, contact.decide_grapple, tries=suggests.grapple),
    does(contact.Foul, contact.decide_foul, tries=suggests.foul),
    does(contact.CastOff, contact.decide_cast_off, tries=suggests.cast_off),
    does(contact.RunAground, contact.decide_run_aground, tries=suggests.run_aground),
    does(contact.SetFire, contact.decide_set_fire, tries=suggests.set_fire),
    does(contact.Hit, contact.decide_hit, tries=suggests.hit),
    does(Roll, tries=suggests.roll),
    does(boarding.Board, boarding.decide_board, tries=suggests.board, tables=("boarding",)),
    does(fatigue.Tire, fatigue.decide_tire, tries=suggests.tire),
    does(status.Disengage, status.decide_disengage, tries=suggests.disengage, tables=("disengage",)),
    does(status.FightFire, status.decide_fight_fire, tries=suggests.fight_fire, tables=("firefight",)),
    does(status.CheckSpread, status.decide_check_spread, tries=suggests.check_spread, rolls=status.spread_plan),
    does(status.CheckSinking, status.decide_check_sinking, tries=suggests.check_sinking, rolls=status.sinking_plan),
    does(withdrawal.FleetTest, withdrawal.decide_test_fleet, tries=suggests.fleet_test),
)

TITLE = Title(
    id="war-galley",
    name=NAME,
    version="1",
    publisher="GMT Games",
    sequence=SEQUENCE,
    orders=ORDERS,
    printed=PRINTED,
    options={"withdrawal": False},
    readings={"withdrawal": "true: a fleet that loses its Admiral rolls to see if it withdraws (companion notes)"},
    ours=house_values.OURS,
    rows={name: table.row for name, table in TABLES.items()},
    victory=Ending,
    starter=STARTER,
    scenario=WarGalleyScenario,
    set_up=set_up,
    words=WORDS,
    board=board,
    plays_on=_has_ships,
    next_to=lambda game, place: neighbours(place),
    roles={
        "choosers": called("owners of ships in several ranges", squadrons.choosers, none="no ship has a choice"),
        "winner": called("winner of the initiative", initiative.winner, none="no side has won the initiative"),
        "turn_order": called("first player, then second", initiative.turn_order, none="no side is left"),
        "owners_of_fouled": called("owners of fouled ships", status.owners_of_fouled, none="no ship is fouled"),
        "owners_of_burning": called("owners of burning ships", status.owners_of_burning, none="no ship burns"),
        "owners_of_exposed": called(
            "owners of ships exposed to fire", status.owners_of_exposed, none="no ship is exposed to a fire"
        ),
        "owners_of_rammed": called(
            "owners of rammed ships", status.owners_of_sinking, none="no rammed ship has to roll"
        ),
        "leaderless": called(
            "sides without their Admiral", withdrawal.leaderless_sides, none="no fleet lost its Admiral"
        ),
    },
    sets={
        "squadrons": called("squadrons", squadrons.all_squadrons, none="every squadron has its levels"),
        "unused_squadrons": called(
            "command squadrons that have not gone", activation.unused_squadrons, none="every command squadron has gone"
        ),
        "individual_squadrons": called(
            "individual ships", squadrons.individual_squadrons, none="every individual ship has gone"
        ),
    },
    forfeits={
        "E.2": boarding.boarding_left_out,
        "F.3": boarding.boarding_left_out,
        "G.1": status.not_disengaged,
        "G.2a": status.not_fought,
    },
    acts={
        "B.range": squadrons.determine,
        "E.3": activation.pass_on,
        "E.4": activation.end_of_command,
        "F.4": activation.pass_on,
        "G.2c": status.clear_masts,
        "G.3": status.recover,
        "H.a": status.count_rammed_and_sunk,
        "H.b": victory.score_captured,
        "H.end": victory.conclude,
    },
)
