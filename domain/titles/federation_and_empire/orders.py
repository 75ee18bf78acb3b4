"""List every order of the title, one line for each: the function that decides it and the one that suggests it."""

from functools import wraps

from umpire_ledger.domain.titles.federation_and_empire.combat import (
    damage,
    directed,
    electronic_warfare,
    fates,
    forces,
    ground,
    intensity,
    pinwheels,
    prizes,
    pursuit,
    rescues,
    retreat,
    skirmish,
    withdrawal,
)
from umpire_ledger.domain.titles.federation_and_empire.combat.battle import has_sealed
from umpire_ledger.domain.titles.federation_and_empire.counters import counters
from umpire_ledger.domain.titles.federation_and_empire.counters.empires import phasing, refuse
from umpire_ledger.domain.titles.federation_and_empire.economy import (
    allotment,
    economy,
    pods,
    reconfigure,
    repairs,
    reserves,
    shipyard,
    special_production,
)
from umpire_ledger.domain.titles.federation_and_empire.movement import (
    missions,
    moving,
    orions,
    reactions,
    retrograde,
    stasis,
    wyn,
)
from umpire_ledger.domain.titles.federation_and_empire.movement.map_edges import verify_on_map
from umpire_ledger.domain.titles.federation_and_empire.raids import (
    decoys,
    designations,
    interception,
    raid_answers,
    raid_pool,
    raids,
)
from umpire_ledger.domain.titles.federation_and_empire.suggestions import (
    combat,
    common,
    economy as suggest_economy,
    movement,
    orions as suggest_orions,
    raids as suggest_raids,
    shipyard as suggest_shipyard,
    units,
)
from umpire_ledger.kit import Dice, Game, Mark, Order, OrderDeclaration, Result, Roll, always, does, replace, step_open

BESIDE: dict[str, tuple[type[Order], ...]] = {"3B2": (reactions.React,)}
"""By step: the orders that only the other side gives, not the side whose step it is."""
THE_TABLES: tuple[type[Order], ...] = (Roll, Mark)
"""Orders that both sides may give: dice and notes of agreements."""


def _verify_role(game: Game, order: Order) -> None:
    """Check the side of an order in a step that admits orders of both sides.

    Raises:
        RuleViolation: The order belongs to the other side.
    """
    step = step_open(game)
    if step not in BESIDE or isinstance(order, THE_TABLES):
        return
    theirs, mine = isinstance(order, BESIDE[step]), game.side_of(order.seat) == phasing(game)
    if theirs == mine:
        whose = "an order of the other side" if mine else f"an order of {game.side_name(phasing(game))}"
        raise refuse(
            game,
            "not-an-order-here" if mine else "not-an-order-here-others",
            order=order.tag(),
            whose=whose,
            step=step,
            orders=tuple(one.tag() for one in BESIDE[step]),
        )


def heard(line: OrderDeclaration) -> OrderDeclaration:
    """Return the line with further refusals: a side that may not give the order, a hex off the map, no change.

    An order without effect is probably a typing error.
    """
    decide = line.decide
    if decide is None:
        return line

    @wraps(decide)
    def decided(game: Game, order: Order, dice: Dice) -> list[Result]:
        _verify_role(game, order)
        verify_on_map(game, order)
        results = decide(game, order, dice)
        if not results:
            raise refuse(game, "changes-nothing", order=order.tag())
        return results

    return replace(line, decide=decided)


ORDERS = (
    # --- phase 1, and payments, transport and leaders in every phase --------------------------------------------------
    does(economy.CheckSupply, economy.decide_check_supply, tries=suggest_economy.out_of_supply),
    does(counters.Count, counters.decide_count, tries=suggest_economy.counts, offered=always),
    does(counters.Survey, counters.decide_survey, tries=suggest_economy.surveys),
    does(counters.Annex, counters.decide_annex, tries=suggest_economy.annexations),
    does(counters.Survive, counters.decide_survive, tries=suggest_economy.survivals),
    does(counters.Negotiate, counters.decide_negotiate, tries=suggest_economy.negotiations),
    does(economy.StateInterest, economy.decide_state_interest, tries=suggest_economy.interest_stated),
    does(economy.Income, economy.decide_income, tries=suggest_economy.incomes),
    does(economy.JoinGrid, economy.decide_join_grid, tries=suggest_economy.grids),
    does(economy.Scrap, economy.decide_scrap, tries=suggest_economy.scrapped),
    does(economy.PayInterest, economy.decide_pay_interest, tries=suggest_economy.interest_payments),
    does(economy.Borrow, economy.decide_borrow, tries=suggest_economy.loans),
    does(economy.Trade, economy.decide_trade, tries=suggest_economy.trades),
    does(economy.Receive, economy.decide_receive, tries=suggest_economy.salvage, offered=always),
    does(missions.AssignMission, missions.decide_assign_mission, tries=suggest_economy.missions_assigned),
    does(missions.Designate, missions.decide_designate, tries=suggest_economy.designations),
    does(missions.Support, missions.decide_support, tries=suggest_economy.support_lines),
    does(missions.TransferLeader, missions.decide_transfer_leader, tries=suggest_economy.leaders_transferred),
    does(missions.LoseLeader, missions.decide_lose_leader, tries=suggest_economy.leaders_lost),
    does(decoys.AssignDecoy, decoys.decide_assign_decoy, tries=suggest_economy.decoys_assigned),
    does(decoys.RevealDecoy, decoys.decide_reveal_decoy, tries=suggest_economy.decoys_revealed),
    does(decoys.AnnounceDecoys, decoys.decide_announce_decoys, tries=suggest_economy.decoys_announced),
    # --- phase 2 and repairs ------------------------------------------------------------------------------------------
    does(shipyard.Build, shipyard.decide_build, tries=suggest_shipyard.builds),
    does(
        shipyard.Convert,
        shipyard.decide_convert,
        tries=suggest_shipyard.conversions,
        offered=shipyard.can_convert,
    ),
    does(shipyard.Activate, shipyard.decide_activate, tries=suggest_shipyard.activations),
    does(special_production.FormDivision, special_production.decide_form_division, tries=suggest_shipyard.divisions),
    does(
        special_production.DisbandDivision,
        special_production.decide_disband_division,
        tries=suggest_shipyard.divisions_disbanded,
    ),
    does(shipyard.Replace, shipyard.decide_replace, tries=suggest_shipyard.replacements),
    does(special_production.Battleship, special_production.decide_battleship, tries=suggest_shipyard.battleships),
    does(special_production.Construct, special_production.decide_construct, tries=suggest_shipyard.facilities),
    does(special_production.CallPolice, special_production.decide_call_police, tries=suggest_shipyard.police),
    does(special_production.NewLeader, special_production.decide_new_leader, tries=suggest_shipyard.new_leaders),
    does(special_production.Defend, special_production.decide_defend, tries=suggest_shipyard.teams),
    does(special_production.Swarm, special_production.decide_swarm, tries=suggest_shipyard.swarms),
    does(special_production.Squadrons, special_production.decide_squadrons, tries=suggest_shipyard.squadrons),
    does(shipyard.Deploy, shipyard.decide_deploy, tries=suggest_shipyard.deployments),
    does(special_production.Colony, special_production.decide_colony, tries=suggest_shipyard.colonies),
    does(shipyard.Scuttle, shipyard.decide_scuttle, tries=suggest_shipyard.scuttled, offered=shipyard.can_scuttle),
    does(repairs.Repair, repairs.decide_repair, tries=suggest_shipyard.repairs_paid),
    does(repairs.Depot, repairs.decide_depot, tries=suggest_shipyard.depot_acts),
    does(repairs.DeployRepair, repairs.decide_deploy_repair, tries=movement.repairers_deployed),
    does(repairs.FieldRepair, repairs.decide_field_repair, tries=movement.field_repairs),
    # --- phase 3A -----------------------------------------------------------------------------------------------------
    does(raid_pool.Pool, raid_pool.decide_pool, tries=suggest_raids.pool_moves),
    does(raid_pool.Resist, raid_pool.decide_resist, tries=suggest_raids.resistance),
    does(raids.Raid, raids.decide_raid, tries=suggest_raids.raiders_named),
    does(raid_answers.AnswerRaid, raid_answers.decide_answer_raid, tries=suggest_raids.answers),
    does(raid_answers.Fighters, raid_answers.decide_fight_raiders, tries=suggest_raids.fighters),
    does(raids.PayRaid, raids.decide_pay_raid, tries=suggest_raids.raids_paid),
    does(wyn.SellShip, wyn.decide_sell_ship, tries=suggest_raids.ships_sold, offered=wyn.can_sell),
    does(raids.Recall, raids.decide_recall, tries=suggest_raids.recalls),
    does(raid_answers.Disrupt, raid_answers.decide_disrupt, tries=suggest_raids.disruptions),
    does(raid_pool.Emplace, raid_pool.decide_emplace, tries=suggest_raids.stations),
    does(skirmish.Skirmish, skirmish.decide_skirmish, tries=suggest_raids.skirmishes, offered=skirmish.can_skirmish),
    does(skirmish.Suffer, skirmish.decide_suffer, tries=suggest_raids.sufferers, offered=skirmish.can_suffer),
    does(skirmish.CarryPoints, skirmish.decide_carry_points, tries=suggest_raids.carried_points),
    does(interception.InterceptAt, interception.decide_intercept_at, tries=suggest_raids.hexes_of_interception),
    does(interception.RollIntercept, interception.decide_roll_intercept, tries=suggest_raids.interceptions),
    does(interception.Load, interception.decide_load, tries=suggest_raids.loads),
    does(interception.Stay, interception.decide_stay, tries=suggest_raids.stays),
    # --- phases 3B, 4 and 6 to 9 --------------------------------------------------------------------------------------
    does(moving.MoveUnits, moving.decide_move_units, tries=movement.moves),
    does(reconfigure.Reconfigure, reconfigure.decide_reconfigure, tries=movement.reconfigured),
    does(reactions.React, reactions.decide_react, tries=movement.reactions),
    does(reserves.FormReserve, reserves.decide_form_reserve, tries=movement.reserves),
    does(reserves.MoveReserve, reserves.decide_move_reserve, tries=movement.fleets_moved),
    does(
        retrograde.Retrograde,
        retrograde.decide_retrograde,
        tries=movement.retrogrades,
        offered=retrograde.can_retrograde,
    ),
    does(ground.PlaceGce, ground.decide_place_gce, tries=movement.gces_placed),
    does(pods.SendPods, pods.decide_send_pods, tries=movement.pods_sent),
    does(pods.ExchangePods, pods.decide_exchange_pods, tries=movement.pods_exchanged),
    does(retrograde.Dissolve, retrograde.decide_dissolve, tries=movement.dissolved_groups),
    # --- phase 5 ------------------------------------------------------------------------------------------------------
    does(withdrawal.AnnounceWithdrawal, withdrawal.decide_announce_withdrawal, tries=combat.withdrawals_named),
    does(decoys.WithdrawDecoy, decoys.decide_withdraw_decoy, tries=combat.decoys_withdrawn),
    does(decoys.RecordDecoys, decoys.decide_record_decoys, tries=combat.decoys, closed=has_sealed("decoys")),
    does(withdrawal.Withdraw, withdrawal.decide_withdraw, tries=combat.withdrawals),
    does(withdrawal.NameFlagship, withdrawal.decide_name_flagship, tries=combat.flagships_named),
    does(withdrawal.Evade, withdrawal.decide_evade, tries=combat.evasions),
    does(forces.SealEscorts, forces.decide_seal_escorts, tries=combat.escorts, closed=has_sealed("escorts")),
    does(
        forces.SealFlagship, forces.decide_seal_flagship, tries=combat.flagships_sealed, closed=has_sealed("flagship")
    ),
    does(forces.SealForce, forces.decide_seal_force, tries=combat.forces_sealed, closed=has_sealed("force")),
    does(pinwheels.DeclarePinwheels, pinwheels.decide_declare_pinwheels, tries=combat.pinwheels),
    does(pinwheels.DissolvePinwheel, pinwheels.decide_dissolve_pinwheel, tries=combat.pinwheels_dissolved),
    does(prizes.UseCaptured, prizes.decide_use_captured, tries=combat.captured_ships),
    does(
        intensity.FightingRetreat,
        intensity.decide_fighting_retreat,
        tries=combat.fighting_retreats,
        offered=intensity.may_retreat_fighting,
    ),
    does(intensity.SealIntensity, intensity.decide_seal_intensity, tries=combat.intensities, closed=has_sealed("BIR")),
    does(intensity.VaryIntensity, intensity.decide_vary_intensity, tries=combat.variable_intensities),
    does(intensity.AdjustIntensity, intensity.decide_adjust_intensity, tries=combat.war_plans),
    does(intensity.RaiseIntensity, intensity.decide_raise_intensity),
    does(
        electronic_warfare.SealEW,
        electronic_warfare.decide_seal_ew,
        tries=combat.electronic_warfare,
        closed=has_sealed("EW"),
    ),
    does(electronic_warfare.ShiftEW, electronic_warfare.decide_shift_ew, tries=combat.shifts),
    does(intensity.Announce, intensity.decide_announce, tries=combat.announcements),
    does(stasis.DeclareStasis, stasis.decide_declare_stasis, tries=combat.stasis_attempts),
    does(stasis.RollStasis, stasis.decide_roll_stasis, tries=combat.stasis_rolls),
    does(stasis.NameTargets, stasis.decide_name_targets, tries=combat.stasis_targets),
    does(stasis.RollTarget, stasis.decide_roll_target, tries=combat.targets_rolled),
    does(damage.RollDamage, damage.decide_roll_damage, tries=combat.damage_rolls),
    does(damage.Score, damage.decide_score, tries=combat.scores),
    does(directed.Direct, directed.decide_direct, tries=combat.directed),
    does(directed.Sacrifice, directed.decide_sacrifice, tries=combat.sacrifices),
    does(allotment.Allot, allotment.decide_allot, tries=combat.allotments),
    does(allotment.CarryOver, allotment.decide_carry_over, tries=combat.carried_over),
    does(prizes.Capture, prizes.decide_capture, tries=combat.captures),
    does(retreat.RetreatUnits, retreat.decide_retreat, tries=combat.retreats),
    does(pursuit.SealPursuit, pursuit.decide_seal_pursuit, tries=combat.pursuit_forces, closed=has_sealed("pursuit")),
    does(
        pursuit.RollPursuit,
        pursuit.decide_roll_pursuit,
        tries=combat.pursuit_rolls,
        closed=has_sealed(pursuit.DIE_SEALED),
    ),
    does(pursuit.Stand, pursuit.decide_stand, tries=combat.stands),
    does(rescues.Rescue, rescues.decide_rescue, tries=combat.rescues),
    does(pursuit.AddSlow, pursuit.decide_add_slow, tries=combat.slow_added),
    does(missions.RevealAdmiral, missions.decide_reveal_admiral, tries=units.admirals),
    does(designations.GiveBonus, designations.decide_give_bonus, tries=units.bonuses),
    does(designations.TakeCore, designations.decide_take_core, tries=units.cores),
    does(designations.Tow, designations.decide_tow, tries=units.tows),
    does(designations.PullOut, designations.decide_pull_out, tries=units.pulled),
    does(designations.CastWeb, designations.decide_cast_web, tries=units.webs_cast),
    does(designations.AttackCloaked, designations.decide_attack_cloaked, tries=units.cloaked),
    does(designations.AssignSwac, designations.decide_assign_swac, tries=units.swacs),
    does(designations.TransferFighters, designations.decide_transfer_fighters, tries=units.fighters),
    does(designations.ReturnGce, designations.decide_return_gce, tries=units.gces_back),
    does(designations.TransferGce, designations.decide_transfer_gce, tries=units.gces),
    does(fates.RollFate, fates.decide_roll_fate, tries=units.fates_rolled),
    does(fates.StrikeSaf, fates.decide_strike_saf, tries=units.safs),
    # --- phase 11 -----------------------------------------------------------------------------------------------------
    does(orions.OrionRepair, orions.decide_orion_repair, tries=suggest_orions.orion_repairs),
    does(orions.Bribe, orions.decide_bribe, tries=suggest_orions.bribes),
    does(orions.AcceptBribe, orions.decide_accept_bribe, tries=suggest_orions.bribes_accepted),
    does(orions.OfferLease, orions.decide_offer_lease, tries=suggest_orions.ships_offered),
    does(orions.SealBid, orions.decide_seal_bid, tries=suggest_orions.bids, closed=orions.has_bid),
    does(orions.Lease, orions.decide_lease, tries=suggest_orions.leases),
    does(orions.Pirate, orions.decide_pirate, tries=suggest_orions.pirates),
    # --- generic orders -----------------------------------------------------------------------------------------------
    does(Roll, tries=common.agreed_rolls),
    does(Mark, tries=common.agreed_marks),
)
