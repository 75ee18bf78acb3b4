"""Pacific War (GMT Games, second edition): the struggle against Japan, chapter 5.0 for Strategic and Campaign play."""

from umpire_ledger.domain.titles.pacific_war import (
    activation,
    bidding,
    combat,
    command,
    cycle,
    flying,
    forces,
    intelligence,
    month,
    movement,
    on_the_table,
    operation,
    ours,
    regroup,
    returning,
    shipping,
    suggests,
    task_forces,
    victory,
)
from umpire_ledger.domain.titles.pacific_war.board import board
from umpire_ledger.domain.titles.pacific_war.notation import NOTATION
from umpire_ledger.domain.titles.pacific_war.pieces import ALLIES, JAPAN, NAME
from umpire_ledger.domain.titles.pacific_war.scenario import PacificWarScenario, set_up
from umpire_ledger.domain.titles.pacific_war.sequence import (
    ADVANTAGE,
    DISADVANTAGE,
    OPERATION_PLAYER,
    REACTION_PLAYER,
    SEQUENCE,
)
from umpire_ledger.domain.titles.pacific_war.starter import STARTER
from umpire_ledger.domain.titles.pacific_war.tables import MAY_HAVE, ROWS, STRATEGIC
from umpire_ledger.domain.titles.pacific_war.words import WORDS
from umpire_ledger.kit import Change, Move, Pay, Place, Remove, Roll, Title, called, does

COMMAND_POINTS = tuple(f"command-points/{side}" for side in (JAPAN, ALLIES))
INTELLIGENCE = tuple(f"strategic-intelligence/{side}" for side in (JAPAN, ALLIES))

ORDERS = (
    does(shipping.RollWeather, shipping.decide_roll_weather, rolls=shipping.weather_plan),
    does(intelligence.DetermineLevel, intelligence.decide_determine_level, tables=INTELLIGENCE),
    does(shipping.BombHomeland, shipping.decide_bomb_homeland, tables=("strategic-bombing",)),
    does(shipping.AllocateEscorts, shipping.decide_allocate_escorts, tries=suggests.allocate_escorts),
    does(shipping.SetPriority, shipping.decide_set_priority, tries=suggests.set_priority),
    does(shipping.CountAttrition, shipping.decide_count_attrition, tables=("merchant-attrition",)),
    does(command.ReceivePoints, command.decide_receive_points, tables=COMMAND_POINTS),
    does(command.AllocatePoints, command.decide_allocate_points, tries=suggests.allocate_points),
    does(regroup.IsolationPenalty, regroup.decide_isolation_penalty, tries=suggests.isolation_penalty),
    does(forces.Reinforce, forces.decide_reinforce, tries=suggests.reinforce),
    does(returning.BringBack, returning.decide_bring_back, tries=suggests.bring_back),
    does(forces.AllocateSubmarines, forces.decide_allocate_submarines, tries=suggests.allocate_submarines),
    does(forces.BuildCommand, forces.decide_build_command, tries=suggests.build_command),
    does(forces.PayLink, forces.decide_pay_link, tries=suggests.pay_link),
    does(forces.RepairShip, forces.decide_repair_ship, tries=suggests.repair_ship),
    does(regroup.Recombine, regroup.decide_recombine, tries=suggests.recombine),
    does(regroup.BreakDown, regroup.decide_break_down, tries=suggests.break_down),
    does(forces.ReplaceSteps, forces.decide_replace_steps, tries=suggests.replace_steps),
    does(forces.RepairBase, forces.decide_repair_base, tries=suggests.repair_base),
    does(forces.PlaceOsb, forces.decide_place_osb, tries=suggests.place_osb),
    does(forces.PlacePatrol, forces.decide_place_patrol, tries=suggests.place_patrol),
    does(bidding.ClaimOperation, bidding.decide_claim),
    does(bidding.MakeBid, bidding.decide_bid, tries=suggests.make_bid),
    does(bidding.BreakTie, bidding.decide_break_tie, tables=("tied-bids",)),
    does(activation.Activate, activation.decide_activate, tries=suggests.activate),
    does(activation.Deactivate, activation.decide_deactivate, tries=suggests.deactivate),
    does(activation.PayTime, activation.decide_pay_time, tries=suggests.pay_time),
    does(activation.SetLevel, activation.decide_set_level, tries=suggests.set_level),
    does(
        intelligence.DetermineCondition, intelligence.decide_determine_condition, tables=("operational-intelligence",)
    ),
    does(intelligence.RevealCondition, intelligence.decide_reveal_condition),
    does(intelligence.ForceEnd, intelligence.decide_force_end),
    does(movement.AdvanceDay, movement.decide_advance_day, tries=suggests.advance_day),
    does(movement.Search, movement.decide_search, tries=suggests.search, tables=("search",)),
    does(movement.Undetect, movement.decide_undetect, tries=suggests.undetect),
    does(movement.Embark, movement.decide_embark, tries=suggests.embark),
    does(movement.Disembark, movement.decide_disembark, tries=suggests.disembark),
    does(movement.FormTaskForce, movement.decide_form_task_force, tries=suggests.form_task_force),
    does(cycle.RollLighting, cycle.decide_roll_lighting, tables=("lighting",)),
    does(cycle.RollAdvantage, cycle.decide_roll_advantage, tables=("advantage",)),
    does(cycle.DetermineBattle, cycle.decide_determine_battle, tables=("naval-battle",)),
    does(cycle.Demolish, cycle.decide_demolish, tries=suggests.demolish, offered=cycle.can_demolish),
    does(cycle.Rally, cycle.decide_rally, tries=suggests.rally, tables=("rally",)),
    does(combat.Attack, combat.decide_attack, tries=suggests.attack, tables=combat.TABLES),
    does(flying.Paradrop, flying.decide_paradrop, tries=suggests.paradrop),
    does(operation.CountDamage, operation.decide_count_damage),
    does(Move, movement.decide_move, tries=suggests.move),
    does(Change, on_the_table.decide_change_unit, tries=suggests.change, offered=on_the_table.has_units),
    does(Remove, on_the_table.decide_remove_unit, tries=suggests.remove),
    does(Place, on_the_table.decide_place_unit, tries=suggests.place),
    does(Pay, on_the_table.decide_pay_points, tries=suggests.pay),
    does(Roll, tries=suggests.roll),
)

TITLE = Title(
    id="pacific-war",
    name=NAME,
    version="1",
    publisher="GMT Games",
    sequence=SEQUENCE,
    sides=(JAPAN, ALLIES),
    options={"weather": True, bidding.SEALED: True, "closing_cycle": True, movement.JAPANESE_SUBMARINES: False},
    readings={
        "weather": "5.1.A is played; false: it is passed",
        bidding.SEALED: "both bid at once, each in secret; false: openly, one after the other",
        "closing_cycle": "an operation that ends closes its Battle Cycle with 5.2.N and 5.2.O; false: it breaks off",
        movement.JAPANESE_SUBMARINES: "34.1 and 34.2: Japanese submarines move with the others in 5.2.C and 5.2.K",
    },
    rows={**ROWS, **STRATEGIC, **MAY_HAVE},
    starter=STARTER,
    scenario=PacificWarScenario,
    set_up=set_up,
    words=WORDS,
    board=board,
    orders=ORDERS,
    ours=ours.OURS,
    tables={"5.1.G/assigned": COMMAND_POINTS},
    roles={
        "claimant": called("last Reaction player", bidding.claimants, none="nobody may claim the operation"),
        OPERATION_PLAYER: called(
            "Operation player", bidding.role("operation_player"), none="there is no Operation player"
        ),
        REACTION_PLAYER: called("Reaction player", bidding.role("reaction_player"), none="there is no Reaction player"),
        ADVANTAGE: called("Advantage player", bidding.role("advantage"), none="neither player has the advantage"),
        DISADVANTAGE: called(
            "Disadvantage player", bidding.role("disadvantage"), none="neither player has the disadvantage"
        ),
        "owners_in_hand": called(
            "owners of ships in the hex", cycle.owners_in_hand, none="no ship is left in the hex of battle"
        ),
        "owners_of_damaged_airbases": called(
            "owners of damaged airbases", forces.owners_of_damaged_airbases, none="no linked airbase is damaged"
        ),
        "owners_of_broken": called("owners of broken units", cycle.owners_of_broken, none="no broken unit may rally"),
        "owners_of_detected": called(
            "owners of detected Task Forces", task_forces.owners_of_detected, none="no Task Force is detected"
        ),
    },
    sets={"battle_hexes": called("hexes of naval battle", cycle.battle_hexes, none="no naval battle is left")},
    forfeits={
        "5.1.F": command.points_to_lapse,
        "5.1.M": forces.patrols_to_leave,
        "5.1.P/activate": operation.operation_at_risk,
        "5.2.M": operation.operation_at_risk,
    },
    acts={
        "5.0": month.begin_month,
        "5.1.G/unused": command.drop_unused,
        "5.1.G/assigned": command.assign_points,
        "5.1.J": forces.open_reinforcements,
        "5.1.N": forces.take_patrols_off,
        "5.1.A": shipping.clear_weather,
        "5.1.O/bid": bidding.clear_the_table,
        "5.1.O/open": bidding.open_bids,
        "5.1.O/player": bidding.begin_operation,
        "5.1.P/launch": operation.launch,
        "5.2.A": cycle.begin_cycle,
        "5.2.D/28.12/over": flying.decline,
        "5.2.L/28.12/over": flying.decline,
        "5.2.O": month.two_days_on,
        "5.3/over": operation.end,
        "5.3/final": victory.after_the_last_operation,
        "5.4/suspend": month.suspend,
        "5.4/gameend": victory.after_the_last_month,
        "5.4/restart/month": month.begin_month,
        "5.4/resume/a": month.resume,
        "5.4/resume/b": month.give_up,
        "5.4/resume/c": month.resume,
        "5.4/resume/d": month.begin_anew,
        "5.4/resume/o": month.begin_anew,
    },
    notation=NOTATION,
    ruled=on_the_table.RULED,
)
