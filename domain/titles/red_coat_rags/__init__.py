"""In Red Coat Rags Attired: home-made rules for musket and pike on a table without hexes, version 11-09-2015."""

from umpire_ledger.domain.titles.red_coat_rags import (
    actions,
    activation,
    chance,
    close_combat,
    command,
    contact,
    fire,
    house_values,
    initiative,
    locks,
    morale,
    special_moves,
    suggests,
    turn,
)
from umpire_ledger.domain.titles.red_coat_rags.board import board
from umpire_ledger.domain.titles.red_coat_rags.pieces import NAME, WRITTEN, has_pieces, other_player, phasing_player
from umpire_ledger.domain.titles.red_coat_rags.scenario import RedCoatScenario, Victory, set_up
from umpire_ledger.domain.titles.red_coat_rags.sequence import OTHER, PHASING, SEQUENCE
from umpire_ledger.domain.titles.red_coat_rags.starter import STARTER
from umpire_ledger.domain.titles.red_coat_rags.tables import ROWS
from umpire_ledger.domain.titles.red_coat_rags.words import WORDS
from umpire_ledger.kit import Change, Move, Place, Remove, Roll, Ruled, Title, always, called, does

ORDERS = (
    does(initiative.RollInitiative, initiative.decide_roll_initiative),
    does(command.Reposition, command.decide_reposition, tries=suggests.reposition, offered=command.officers_wait),
    does(morale.CheckMorale, morale.decide_check_morale, tries=suggests.check_morale),
    does(morale.Rally, morale.decide_rally, tries=suggests.rally),
    does(locks.BreakLock, locks.decide_break_lock, tries=suggests.break_lock),
    does(command.MoveCommand, command.decide_move_command, tries=suggests.move_command, offered=command.commands_wait),
    does(
        command.OutOfCommand,
        command.decide_out_of_command,
        tries=suggests.out_of_command,
        offered=command.is_told_by_the_table,
    ),
    does(activation.Activate, activation.decide_activate, tries=suggests.activate),
    does(actions.MovePiece, actions.decide_move_piece, tries=suggests.move_piece),
    does(actions.Form, actions.decide_form, tries=suggests.form),
    does(actions.Load, actions.decide_load, tries=suggests.load),
    does(actions.Special, actions.decide_special, tries=suggests.special),
    does(contact.Engage, contact.decide_engage, tries=suggests.engage),
    does(contact.LockCorner, contact.decide_lock_corner, tries=suggests.lock_corner),
    does(fire.Fire, fire.decide_fire, tries=suggests.fire),
    does(fire.ResolveFire, fire.decide_resolve_fire, tables=("fire",), rolls=fire.fire_plan),
    does(
        close_combat.ResolveClose,
        close_combat.decide_resolve_close,
        tries=suggests.resolve_close,
        tables=("close",),
        offered=close_combat.contact_is_open,
    ),
    does(special_moves.SpecialMove, special_moves.decide_special_move, tries=suggests.special_move),
    does(special_moves.MoveOfficer, special_moves.decide_move_officer, tries=suggests.move_officer),
    does(turn.Concede, turn.decide_concede, tries=suggests.concede, offered=always),
    does(chance.LetDieDecide, chance.decide_let_die_decide, tries=suggests.let_die_decide),
    does(Roll, actions.decide_roll_special, tries=suggests.roll, offered=actions.can_record),
    does(Change, actions.decide_change_piece, tries=suggests.change, offered=actions.can_record),
    does(Move, chance.decide_move_by_ruling, tries=suggests.move),
    does(Place, tries=suggests.place),
    does(Remove, chance.decide_remove_by_ruling, tries=suggests.remove),
)

TITLE = Title(
    id="red-coat-rags",
    name=NAME,
    version="1",
    sequence=SEQUENCE,
    options={"own_wing_cubes": False, "cubes_return_each_turn": False, "actions_repeat": False},
    readings={
        "actions_repeat": "true: several dice can give the same action more than once; false: one of each action",
        "own_wing_cubes": "true: only officers of the same wing, or a CO without one, spend white cubes; false: all do",
        "cubes_return_each_turn": "true: spent cubes return at the end of a turn; false: they do not return",
    },
    rows=ROWS,
    victory=Victory,
    starter=STARTER,
    scenario=RedCoatScenario,
    set_up=set_up,
    words=WORDS,
    board=board,
    plays_on=has_pieces,
    orders=ORDERS,
    ours=house_values.OURS,
    roles={
        PHASING: called("phasing player", phasing_player, none="no player has a phase"),
        OTHER: called("other player", other_player, none="no other player is left"),
    },
    sets={"activated": activation.activated},
    names=suggests.NAMES,
    ruled=Ruled(attributes=WRITTEN, notes=("*",)),
    forfeits={
        "2e.move": command.pieces_out_of_command,
        "4a": actions.actions_left_over,
    },
    acts={
        "2e.lost": command.drop_uncommanded,
        "4a": fire.forget_declared,
        "6": activation.end_activation,
        "11": turn.change_phase,
        "12.end": turn.conclude,
    },
)
