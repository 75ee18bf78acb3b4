"""In Red Coat Rags Attired: home-brew rules for musket and pike on a table without hexes, version 11-09-2015."""

from umpire_ledger.domain.titles.red_coat_rags import (
    actions,
    chance,
    command,
    fire,
    initiative,
    locks,
    morale,
    special,
    turn,
)
from umpire_ledger.domain.titles.red_coat_rags import activation as act
from umpire_ledger.domain.titles.red_coat_rags import close_combat as close
from umpire_ledger.domain.titles.red_coat_rags import suggests as try_
from umpire_ledger.domain.titles.red_coat_rags.pieces import NAME, has_pieces, other_side, phasing
from umpire_ledger.domain.titles.red_coat_rags.scenario import RedCoatScenario, set_up
from umpire_ledger.domain.titles.red_coat_rags.sequence import LABELS, PHASING, SEQUENCE
from umpire_ledger.kit import Change, Game, Roll, Title


def _phasing_player(game: Game) -> tuple[str, ...]:
    return (phasing(game),) if phasing(game) else ()


def _other_player(game: Game) -> tuple[str, ...]:
    return (other_side(game, phasing(game)),) if phasing(game) else ()


TITLE = Title(
    id="red-coat-rags",
    name=NAME,
    version="1",
    sequence=SEQUENCE,
    labels=LABELS,
    options={"own_wing_cubes": False, "cubes_return_each_turn": False},
    scenario=RedCoatScenario,
    set_up=set_up,
    plays_on=has_pieces,
    decides={
        initiative.RollInitiative: initiative.decide_roll_initiative,
        command.Reposition: command.decide_reposition,
        morale.CheckMorale: morale.decide_check_morale,
        morale.Rally: morale.decide_rally,
        locks.BreakLock: locks.decide_break_lock,
        command.MoveCommand: command.decide_move_command,
        command.OutOfCommand: command.decide_out_of_command,
        act.Activate: act.decide_activate,
        actions.MovePiece: actions.decide_move_piece,
        actions.Form: actions.decide_form,
        actions.Load: actions.decide_load,
        actions.Special: actions.decide_special,
        actions.Engage: actions.decide_engage,
        actions.LockCorner: actions.decide_lock_corner,
        fire.Fire: fire.decide_fire,
        fire.ResolveFire: fire.decide_resolve_fire,
        close.ResolveClose: close.decide_resolve_close,
        special.SpecialMove: special.decide_special_move,
        special.MoveOfficer: special.decide_move_officer,
        turn.Concede: turn.decide_concede,
        chance.LetDieDecide: chance.decide_let_die_decide,
    },
    roles={PHASING: _phasing_player, "other_player": _other_player},
    facts={
        "initiative_is_owed": initiative.has_to_roll,
        "initiative_is_won": initiative.is_won,
        "morale_is_due": morale.morale_is_due,
        "rally_is_due": morale.rally_is_due,
        "lock_may_break": locks.lock_may_break,
        "activation_failed": act.has_failed,
        "unit_is_active": act.is_active,
        "fire_is_declared": fire.fire_is_declared,
        "contact_is_open": close.contact_is_open,
        "special_is_open": special.special_is_open,
        "units_are_left": act.units_are_left,
        "phase_is_left": turn.phase_is_left,
        "has_conditions": turn.has_conditions,
        "decided": turn.is_decided,
    },
    acts={
        "2e.lost": command.drop_uncommanded,
        "4a": fire.forget_declared,
        "6": act.end_activation,
        "11": turn.change_phase,
        "12.end": turn.conclude,
    },
    suggests={
        initiative.RollInitiative: try_.suggest_roll_initiative,
        command.Reposition: try_.suggest_reposition,
        morale.CheckMorale: try_.suggest_check_morale,
        morale.Rally: try_.suggest_rally,
        locks.BreakLock: try_.suggest_break_lock,
        command.MoveCommand: try_.suggest_move_command,
        command.OutOfCommand: try_.suggest_out_of_command,
        act.Activate: try_.suggest_activate,
        actions.MovePiece: try_.suggest_move_piece,
        actions.Form: try_.suggest_form,
        actions.Load: try_.suggest_load,
        actions.Special: try_.suggest_special,
        actions.Engage: try_.suggest_engage,
        actions.LockCorner: try_.suggest_lock_corner,
        fire.Fire: try_.suggest_fire,
        fire.ResolveFire: try_.suggest_resolve_fire,
        close.ResolveClose: try_.suggest_resolve_close,
        special.SpecialMove: try_.suggest_special_move,
        special.MoveOfficer: try_.suggest_move_officer,
        turn.Concede: try_.suggest_concede,
        chance.LetDieDecide: try_.suggest_let_die_decide,
        Roll: try_.suggest_roll,
        Change: try_.suggest_change,
    },
)
