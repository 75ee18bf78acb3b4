"""Every order of the title, one line an order: how it is decided, and which concrete ones are worth trying."""

from functools import wraps

from umpire_ledger.domain.titles.federation_and_empire import (
    economy,
    empires,
    fighting,
    forces,
    intensity,
    interception,
    missions,
    moving,
    orions,
    raid_answers,
    raid_pool,
    raids,
    reconfigure,
    repairs,
    retreat,
    shipyard,
    skirmish,
    stasis,
    suggest,
    suggest_combat,
    suggest_economy,
    suggest_movement,
    suggest_orions,
    suggest_raids,
    suggest_shipyard,
    wyn,
)
from umpire_ledger.domain.titles.federation_and_empire.empires import refuse
from umpire_ledger.kit import Choose, Dice, Does, Game, Mark, Order, Result, Roll, always, does, replace


def heard(line: Does) -> Does:
    """The same order, refused where it would change nothing: an order that leaves no trace was a slip."""
    decide = line.decide
    if decide is None:
        return line

    @wraps(decide)
    def decided(game: Game, order: Order, dice: Dice) -> list[Result]:
        results = decide(game, order, dice)
        if not results:
            raise refuse(game, f"`{order.tag()}` changes nothing: it is so already", "`done`, or say something else")
        return results

    return replace(line, decide=decided)


ORDERS = (
    # --- phase 1, and what is paid, carried and led in every phase ----------------------------------------------------
    does(economy.CheckSupply, economy.decide_check_supply, tries=suggest_economy.out_of_supply),
    does(economy.Count, economy.decide_count, tries=suggest_economy.counts),
    does(economy.Survey, economy.decide_survey, tries=suggest_economy.surveys),
    does(economy.Annex, economy.decide_annex, tries=suggest_economy.annexations),
    does(economy.StateDebt, economy.decide_state_debt, tries=suggest_economy.debts_stated),
    does(economy.StateInterest, economy.decide_state_interest, tries=suggest_economy.interest_stated),
    does(economy.Income, economy.decide_income, tries=suggest_economy.incomes),
    does(economy.JoinGrid, economy.decide_join_grid, tries=suggest_economy.grids),
    does(economy.Scrap, economy.decide_scrap, tries=suggest_economy.scrapped),
    does(economy.PayInterest, economy.decide_pay_interest, tries=suggest_economy.interest_payments),
    does(economy.Borrow, economy.decide_borrow, tries=suggest_economy.loans),
    does(economy.Spend, economy.decide_spend, tries=suggest_economy.expenses),
    does(economy.Receive, economy.decide_receive, tries=suggest_economy.salvage, offered=always),
    does(missions.AssignMission, missions.decide_assign_mission, tries=suggest_economy.missions_assigned),
    does(missions.Designate, missions.decide_designate, tries=suggest_economy.designations),
    does(missions.Support, missions.decide_support, tries=suggest_economy.support_lines),
    does(missions.Pods, missions.decide_pods, tries=suggest_economy.pods),
    does(missions.TransferLeader, missions.decide_transfer_leader, tries=suggest_economy.leaders_transferred),
    does(missions.LoseLeader, missions.decide_lose_leader, tries=suggest_economy.leaders_lost),
    does(missions.AssignDecoy, missions.decide_assign_decoy, tries=suggest_economy.decoys_assigned),
    does(missions.RevealDecoy, missions.decide_reveal_decoy, tries=suggest_economy.decoys_revealed),
    does(missions.AnnounceDecoys, missions.decide_announce_decoys, tries=suggest_economy.decoys_announced),
    # --- phase 2 and repairs ------------------------------------------------------------------------------------------
    does(shipyard.Build, shipyard.decide_build, tries=suggest_shipyard.builds),
    does(
        shipyard.Convert,
        shipyard.decide_convert,
        tries=suggest_shipyard.conversions,
        offered=shipyard.can_convert,
    ),
    does(shipyard.Activate, shipyard.decide_activate, tries=suggest_shipyard.activations),
    does(shipyard.FormDivision, shipyard.decide_form_division, tries=suggest_shipyard.divisions),
    does(shipyard.DisbandDivision, shipyard.decide_disband_division, tries=suggest_shipyard.divisions_disbanded),
    does(shipyard.Replace, shipyard.decide_replace, tries=suggest_shipyard.replacements),
    does(shipyard.Battleship, shipyard.decide_battleship, tries=suggest_shipyard.battleships),
    does(shipyard.Deploy, shipyard.decide_deploy, tries=suggest_shipyard.deployments),
    does(shipyard.Colony, shipyard.decide_colony, tries=suggest_shipyard.colonies),
    does(shipyard.Scuttle, shipyard.decide_scuttle, tries=suggest_shipyard.scuttled),
    does(repairs.Repair, repairs.decide_repair, tries=suggest_shipyard.repairs_paid),
    does(repairs.Depot, repairs.decide_depot, tries=suggest_shipyard.depot_acts),
    does(repairs.DeployRepair, repairs.decide_deploy_repair, tries=suggest_movement.repairers_deployed),
    does(repairs.FieldRepair, repairs.decide_field_repair, tries=suggest_movement.field_repairs),
    # --- phase 3A -----------------------------------------------------------------------------------------------------
    does(raid_pool.Pool, raid_pool.decide_pool, tries=suggest_raids.pool_moves),
    does(raid_pool.Resist, raid_pool.decide_resist, tries=suggest_raids.resistance),
    does(raids.Raid, raids.decide_raid, tries=suggest_raids.raiders_named),
    does(raid_answers.AnswerRaid, raid_answers.decide_answer_raid, tries=suggest_raids.answers),
    does(raid_answers.Fighters, raid_answers.decide_fight_raiders, tries=suggest_raids.fighters),
    does(raids.PayRaid, raids.decide_pay_raid, tries=suggest_raids.raids_paid),
    does(wyn.SellShip, wyn.decide_sell_ship, tries=suggest_raids.ships_sold),
    does(raids.Recall, raids.decide_recall, tries=suggest_raids.recalls),
    does(raid_answers.Disrupt, raid_answers.decide_disrupt, tries=suggest_raids.disruptions),
    does(raid_pool.Emplace, raid_pool.decide_emplace, tries=suggest_raids.stations),
    does(skirmish.Skirmish, skirmish.decide_skirmish, tries=suggest_raids.skirmishes, offered=empires.has_units),
    does(skirmish.Suffer, skirmish.decide_suffer, tries=suggest_raids.sufferers, offered=empires.has_units),
    does(skirmish.CarryPoints, skirmish.decide_carry_points, tries=suggest_raids.carried_points),
    does(interception.InterceptAt, interception.decide_intercept_at, tries=suggest_raids.hexes_of_interception),
    does(interception.RollIntercept, interception.decide_roll_intercept, tries=suggest_raids.interceptions),
    does(interception.Load, interception.decide_load, tries=suggest_raids.loads),
    does(interception.Stay, interception.decide_stay, tries=suggest_raids.stays),
    # --- phases 3B, 4 and 6 to 9 --------------------------------------------------------------------------------------
    does(moving.MoveUnits, moving.decide_move_units, tries=suggest_movement.moves),
    does(reconfigure.Reconfigure, reconfigure.decide_reconfigure, tries=suggest_movement.reconfigured),
    does(moving.React, moving.decide_react, tries=suggest_movement.reactions),
    does(moving.FormReserve, moving.decide_form_reserve, tries=suggest_movement.reserves),
    does(moving.MoveReserve, moving.decide_move_reserve, tries=suggest_movement.fleets_moved),
    does(
        moving.Retrograde,
        moving.decide_retrograde,
        tries=suggest_movement.retrogrades,
        offered=moving.can_retrograde,
    ),
    does(moving.Dissolve, moving.decide_dissolve, tries=suggest_movement.dissolved_groups),
    # --- phase 5 ------------------------------------------------------------------------------------------------------
    does(forces.RecordDecoys, forces.decide_record_decoys, tries=suggest_combat.decoys),
    does(forces.Withdraw, forces.decide_withdraw, tries=suggest_combat.withdrawals),
    does(forces.NameFlagship, forces.decide_name_flagship, tries=suggest_combat.flagships_named),
    does(forces.Evade, forces.decide_evade, tries=suggest_combat.evasions),
    does(forces.SealEscorts, forces.decide_seal_escorts, tries=suggest_combat.escorts),
    does(forces.SealFlagship, forces.decide_seal_flagship, tries=suggest_combat.flagships_sealed),
    does(forces.SealForce, forces.decide_seal_force, tries=suggest_combat.forces_sealed),
    does(forces.DeclarePinwheels, forces.decide_declare_pinwheels, tries=suggest_combat.pinwheels),
    does(forces.DissolvePinwheel, forces.decide_dissolve_pinwheel, tries=suggest_combat.pinwheels_dissolved),
    does(forces.UseCaptured, forces.decide_use_captured, tries=suggest_combat.captured_ships),
    does(intensity.FightingRetreat, intensity.decide_fighting_retreat, tries=suggest_combat.fighting_retreats),
    does(intensity.SealIntensity, intensity.decide_seal_intensity, tries=suggest_combat.intensities),
    does(intensity.VaryIntensity, intensity.decide_vary_intensity, tries=suggest_combat.variable_intensities),
    does(intensity.AdjustIntensity, intensity.decide_adjust_intensity, tries=suggest_combat.war_plans),
    does(intensity.SealEW, intensity.decide_seal_ew, tries=suggest_combat.electronic_warfare),
    does(intensity.ShiftEW, intensity.decide_shift_ew, tries=suggest_combat.shifts),
    does(intensity.Announce, intensity.decide_announce, tries=suggest_combat.announcements),
    does(stasis.DeclareStasis, stasis.decide_declare_stasis, tries=suggest_combat.stasis_attempts),
    does(stasis.RollStasis, stasis.decide_roll_stasis, tries=suggest_combat.stasis_rolls),
    does(stasis.NameTargets, stasis.decide_name_targets, tries=suggest_combat.stasis_targets),
    does(stasis.RollTarget, stasis.decide_roll_target, tries=suggest_combat.targets_rolled),
    does(fighting.RollDamage, fighting.decide_roll_damage, tries=suggest_combat.damage_rolls),
    does(fighting.Score, fighting.decide_score, tries=suggest_combat.scores),
    does(fighting.Direct, fighting.decide_direct, tries=suggest_combat.directed),
    does(fighting.Sacrifice, fighting.decide_sacrifice, tries=suggest_combat.sacrifices),
    does(fighting.Allot, fighting.decide_allot, tries=suggest_combat.allotments),
    does(fighting.CarryOver, fighting.decide_carry_over, tries=suggest_combat.carried_over),
    does(fighting.Capture, fighting.decide_capture, tries=suggest_combat.captures),
    does(retreat.RetreatUnits, retreat.decide_retreat, tries=suggest_combat.retreats),
    does(retreat.SealPursuit, retreat.decide_seal_pursuit, tries=suggest_combat.pursuit_forces),
    does(retreat.RollPursuit, retreat.decide_roll_pursuit, tries=suggest_combat.pursuit_rolls),
    does(retreat.Stand, retreat.decide_stand, tries=suggest_combat.stands),
    does(retreat.Rescue, retreat.decide_rescue, tries=suggest_combat.rescues),
    # --- phase 11 -----------------------------------------------------------------------------------------------------
    does(orions.OrionRepair, orions.decide_orion_repair, tries=suggest_orions.orion_repairs),
    does(orions.Bribe, orions.decide_bribe, tries=suggest_orions.bribes),
    does(orions.AcceptBribe, orions.decide_accept_bribe, tries=suggest_orions.bribes_accepted),
    does(orions.OfferLease, orions.decide_offer_lease, tries=suggest_orions.ships_offered),
    does(orions.SealBid, orions.decide_seal_bid, tries=suggest_orions.bids),
    does(orions.Lease, orions.decide_lease, tries=suggest_orions.leases),
    does(orions.Pirate, orions.decide_pirate, tries=suggest_orions.pirates),
    # --- generic orders -----------------------------------------------------------------------------------------------
    does(Roll, tries=suggest.agreed_rolls),
    does(Mark, tries=suggest.agreed_marks),
    does(Choose, tries=suggest.places_of_fighters),
)
