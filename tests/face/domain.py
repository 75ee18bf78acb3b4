"""Name what tests use of the rules and titles, so that a move in it edits this file alone."""

from umpire_ledger.domain.flow import (
    visible_openings,
)
from umpire_ledger.domain.flow.automatic_moves import (
    ONLY_ONE,
    ahead_of,
)
from umpire_ledger.domain.flow.available_orders import (
    acting_now,
    offered,
    offers,
    passes_until_dice,
)
from umpire_ledger.domain.flow.event_emitter import (
    EventEmitter,
)
from umpire_ledger.domain.flow.open_steps import (
    acting,
    answers_for,
    at_step,
    free_members,
    may_end,
    open_steps,
    rule_of,
    waiting_loop,
    waits_in,
)
from umpire_ledger.domain.flow.queries import (
    dice_asked_for,
    forfeits,
    owed,
    required_actions,
    why,
)
from umpire_ledger.domain.flow.repeated_units import (
    verify_named_once,
)
from umpire_ledger.domain.flow.sequence_checks.every_check import (
    Fault,
    check,
)
from umpire_ledger.domain.flow.sequence_checks.fault import (
    condition_leaves,
)
from umpire_ledger.domain.flow.sequence_checks.undefined_names import (
    roles_asked,
)
from umpire_ledger.domain.flow.sequence_listing import (
    page_of,
)
from umpire_ledger.domain.flow.triggers import (
    too_far,
)
from umpire_ledger.domain.flow.visible_openings import (
    KnownOpenings,
)
from umpire_ledger.domain.game import (
    events,
    scenario,
    scenario_limits,
)
from umpire_ledger.domain.game.access_tracking import (
    track_access,
)
from umpire_ledger.domain.game.board import (
    Background,
    Board,
    Edge,
    Hexes,
    Plane,
    Region,
    Scale,
    Squares,
    board_in,
    joined,
)
from umpire_ledger.domain.game.cells import (
    cell_of,
    distance,
    have_common_side,
    is_on_board,
    name_of,
    places_beside,
)
from umpire_ledger.domain.game.cursor import (
    Cursor,
    Frame,
    OpenStep,
    pass_number,
)
from umpire_ledger.domain.game.decision import (
    Decision,
    events_of,
)
from umpire_ledger.domain.game.dice import (
    Dice,
    Epoch,
    LedgerDice,
    TableDice,
    check_roll,
    dice_for,
    draw,
)
from umpire_ledger.domain.game.dice_notation import (
    MOST_DICE,
    MOST_FACES,
    commitment_of,
    parse,
)
from umpire_ledger.domain.game.dice_shares import (
    awaited,
    unpledged,
    unshown,
)
from umpire_ledger.domain.game.errors import (
    DeclarationError,
    DomainError,
    NoSuchPosition,
    NoSuchTitle,
    NotHeldHere,
    NothingDecided,
    RuleViolation,
    ScenarioError,
    TitleFault,
    UnknownName,
)
from umpire_ledger.domain.game.events import (
    AccountChanged,
    AmendmentEnded,
    AmendmentStopped,
    AnyEvent,
    ChoiceMade,
    ChoiceRevealed,
    ChoiceSealed,
    DiceAsked,
    DiceCommitted,
    DiceMode,
    DiceOpened,
    DicePledged,
    DicePledges,
    DicePolicy,
    DiceRolled,
    DiceSeeded,
    DiceShared,
    DiceSource,
    DisputeOpened,
    DisputeSettled,
    Event,
    GameCopied,
    GameEnded,
    GameOpened,
    HiddenDone,
    HiddenOrdered,
    LineSealed,
    LoopClosed,
    LoopOpened,
    MarkerSet,
    MessageArrived,
    MessageHeld,
    MessageSent,
    Modifier,
    NoteAdded,
    NoteOpened,
    PassBegun,
    PlayJumped,
    PlayRewound,
    RestrictedEvent,
    RewindAnswered,
    RewindAsked,
    RulingMade,
    SeatTaken,
    SecretsOpened,
    Side,
    SideDone,
    SideLeaves,
    StepClosed,
    StepOpened,
    StepPassed,
    Told,
    UnitChanged,
    UnitCovered,
    UnitMoved,
    UnitPlaced,
    UnitRemoved,
    UnitShown,
    Unreadable,
    Value,
    Where,
    decode,
    read,
)
from umpire_ledger.domain.game.evolve import (
    evolve,
    fold,
)
from umpire_ledger.domain.game.field_types import (
    fields_of as field_types_fields_of,
)
from umpire_ledger.domain.game.hidden_units import (
    FOG,
    dated,
    id_pattern,
    in_the_open,
    is_foggy,
    known_at_position,
    known_to,
    said_in_the_open,
)
from umpire_ledger.domain.game.looks import (
    COLORS,
    EDGES,
    SYMBOLS,
    TERRAINS,
    color_of,
    symbol_of,
)
from umpire_ledger.domain.game.midgame_setup import (
    MidgameSetup,
    Secrecy,
    StepThere,
    position_of,
)
from umpire_ledger.domain.game.nearest import (
    MOST_LISTED,
    listed,
)
from umpire_ledger.domain.game.order_json import (
    Sent,
    read_order,
)
from umpire_ledger.domain.game.orders import (
    ANYTIME_ORDERS,
    COVERS,
    EVERYWHERE,
    GENERIC_ORDERS,
    REFEREE_ORDERS,
    SEQUENCE_ORDERS,
    UNIT,
    Amend,
    AskRewind,
    Change,
    Choose,
    Dispute,
    Done,
    End,
    Excuse,
    Hide,
    Mark,
    Modified,
    Move,
    Note,
    OpenDice,
    Order,
    Pay,
    Pick,
    Place,
    Plus,
    ReadOff,
    Redo,
    Remove,
    Reveal,
    Rewind,
    Roll,
    Rule,
    Seal,
    SealChoice,
    SealWords,
    SendMessage,
    Settle,
    Show,
    TakeSeat,
    Undo,
    order_schema,
)
from umpire_ledger.domain.game.recordable import (
    recordable,
)
from umpire_ledger.domain.game.refusal_catalogue import (
    Reason,
    placeholders,
    refusal,
)
from umpire_ledger.domain.game.scenario import (
    FreePiece,
    FreeScenario,
    Piece,
    Scenario,
    Table,
    parse_scenario,
    read_scenario,
    set_up_pieces,
    title_of,
)
from umpire_ledger.domain.game.scenario_text import (
    scenario_text,
)
from umpire_ledger.domain.game.sealed_choices import (
    CLOSED_TO_REFEREE,
    may_see,
    readers,
    reveal,
    seal,
    secret_viewers,
)
from umpire_ledger.domain.game.seat_keys import (
    COSIGNER,
    MOST_NAME,
    SeatKey,
    short,
)
from umpire_ledger.domain.game.spectator_delay import (
    delay_in,
    read_delay,
)
from umpire_ledger.domain.game.state import (
    REFEREE,
    SPECTATOR,
    Choice,
    Game,
    Hidden,
    StoppedAmendment,
    Unit,
    choice_key,
    replace,
)
from umpire_ledger.domain.game.state_facts import (
    facts_of,
)
from umpire_ledger.domain.game.toml_faults import (
    UNREAD,
    read_leniently,
)
from umpire_ledger.domain.game.toml_lines import (
    line_of,
    lines_of,
    path_of,
)
from umpire_ledger.domain.game.toml_text import (
    toml_of,
)
from umpire_ledger.domain.game.transition_rules import (
    transition_error,
    transition_error_in_part,
)
from umpire_ledger.domain.game.verb_agreement import (
    in_plural,
)
from umpire_ledger.domain.history.dice_seeds import (
    commit_to_seed,
    open_dice,
)
from umpire_ledger.domain.history.end_of_game_reveal import (
    CLOSED_RULE,
)
from umpire_ledger.domain.history.history import (
    TALK,
    History,
    PlayedOrder,
)
from umpire_ledger.domain.kit.changes import (
    leave_when_nothing_is_due,
    paid,
)
from umpire_ledger.domain.kit.generic import (
    GENERIC,
)
from umpire_ledger.domain.kit.hide_and_show import (
    decide_hide,
)
from umpire_ledger.domain.kit.phrasing import (
    InWords,
    fields_of,
    phrase,
)
from umpire_ledger.domain.kit.roll_plans import (
    PlannedThrow,
    in_words,
)
from umpire_ledger.domain.kit.title import (
    Called,
    Closes,
    Result,
    Ruled,
    Title,
    called,
    does,
    owner_by_id,
)
from umpire_ledger.domain.play import (
    amend,
)
from umpire_ledger.domain.play.amend import (
    Replayed,
    ReplayHistory,
    Stop,
    amend as amend_amend,
)
from umpire_ledger.domain.play.decide import (
    decide,
    decision_of,
)
from umpire_ledger.domain.play.end_several_steps import (
    forfeited,
    why_stopped,
)
from umpire_ledger.domain.play.event_visibility import (
    state_for_decision,
)
from umpire_ledger.domain.play.game_setup import (
    open_game,
    scenario_for,
)
from umpire_ledger.domain.play.re_decide import (
    EmptyHistory,
    order_again,
)
from umpire_ledger.domain.play.roll_guard import (
    Throws,
    roll_once,
)
from umpire_ledger.domain.play.scenario_check import (
    ScenarioFinding,
    examine,
    left_to_table,
)
from umpire_ledger.domain.play.scenario_schema import (
    schema_of,
)
from umpire_ledger.domain.play.scenario_template import (
    template_of,
)
from umpire_ledger.domain.play.suggested_orders import (
    suggested,
    suggested_here,
    suggestions,
)
from umpire_ledger.domain.sequence.conditions import (
    Asks,
    Condition,
    Fact,
    Not,
    chose,
    done,
    ever,
    fact,
    given,
    inside,
    latest,
    nth,
    option,
    picked,
    says,
    suspended,
)
from umpire_ledger.domain.sequence.constructs import (
    ACTIVE,
    BACK,
    EACH,
    END,
    NEXT,
    OTHERS,
    REFEREE as constructs_REFEREE,
    Answer,
    AnyPlace,
    Each,
    Go,
    Heading,
    Instant,
    Rounds,
    Sequence,
    Step,
    Together,
    Touch,
    Turns,
)
from umpire_ledger.domain.sequence.plan import (
    Plan,
)
from umpire_ledger.domain.titles import (
    BUILT_IN,
    load,
)
from umpire_ledger.domain.titles.federation_and_empire import (
    TITLE as federation_and_empire_TITLE,
)
from umpire_ledger.domain.titles.federation_and_empire.combat import (
    fates,
)
from umpire_ledger.domain.titles.federation_and_empire.combat.assignments import (
    pinwheels_sealed,
)
from umpire_ledger.domain.titles.federation_and_empire.combat.battle import (
    answered,
)
from umpire_ledger.domain.titles.federation_and_empire.combat.battle_marks import (
    CHOSEN,
    HEX_UNIT_MARKS,
    UNIT_MARKS,
    carried_in,
)
from umpire_ledger.domain.titles.federation_and_empire.combat.damage import (
    compot_of,
)
from umpire_ledger.domain.titles.federation_and_empire.combat.dice_awaited import (
    assaults_due,
    dice_awaited,
)
from umpire_ledger.domain.titles.federation_and_empire.combat.directed import (
    Direct,
    cost_of,
)
from umpire_ledger.domain.titles.federation_and_empire.combat.fates import (
    StrikeSaf,
    decide_strike_saf,
)
from umpire_ledger.domain.titles.federation_and_empire.combat.losses import (
    absorbs,
)
from umpire_ledger.domain.titles.federation_and_empire.combat.pursuit import (
    is_slow,
)
from umpire_ledger.domain.titles.federation_and_empire.counters.empires import (
    NO_SHIPS,
    RIDERS,
    at_hex,
    chases_withdrawn,
    empires_of,
    force_of,
    hex_in_hand,
    in_battle,
    is_base,
    is_crippled,
    phasing,
    serving,
)
from umpire_ledger.domain.titles.federation_and_empire.counters.notation import (
    NOTATION,
    losses,
    stack,
)
from umpire_ledger.domain.titles.federation_and_empire.counters.size import (
    small_round_is_due,
)
from umpire_ledger.domain.titles.federation_and_empire.counters.traits import (
    __file__,
)
from umpire_ledger.domain.titles.federation_and_empire.economy.allotment import (
    Allot,
    CarryOver,
)
from umpire_ledger.domain.titles.federation_and_empire.economy.economy import (
    unstated,
)
from umpire_ledger.domain.titles.federation_and_empire.movement import (
    hexes,
)
from umpire_ledger.domain.titles.federation_and_empire.movement.hexes import (
    distance as hexes_distance,
    neighbours,
    way,
)
from umpire_ledger.domain.titles.federation_and_empire.movement.map_edges import (
    PLACES,
)
from umpire_ledger.domain.titles.federation_and_empire.movement.orions import (
    active_fleets,
    bid_of,
    bids_awaited,
    end_leases,
    won_ships,
)
from umpire_ledger.domain.titles.federation_and_empire.options import (
    OPTIONS,
)
from umpire_ledger.domain.titles.federation_and_empire.raids.decoys import (
    decoys_present,
)
from umpire_ledger.domain.titles.federation_and_empire.raids.raid_pool import (
    announced,
)
from umpire_ledger.domain.titles.federation_and_empire.raids.raid_rounds import (
    is_raid_round,
    may_fight,
    round_place,
    rounds_awaited,
    rounds_due,
)
from umpire_ledger.domain.titles.federation_and_empire.raids.raids import (
    raiders,
    runners_to_move,
    targets,
)
from umpire_ledger.domain.titles.federation_and_empire.rule_numbers import (
    CITES,
)
from umpire_ledger.domain.titles.federation_and_empire.scenario import (
    FederationScenario,
)
from umpire_ledger.domain.titles.federation_and_empire.starter import (
    STARTER,
)
from umpire_ledger.domain.titles.federation_and_empire.tables import (
    ROWS as federation_and_empire_ROWS,
)
from umpire_ledger.domain.titles.freeform import (
    TITLE as freeform_TITLE,
)
from umpire_ledger.domain.titles.freeform.language import (
    DEEPEST,
    ExpressionError,
    parse as language_parse,
)
from umpire_ledger.domain.titles.freeform.names import (
    SEQUENCE_WORDS,
)
from umpire_ledger.domain.titles.freeform.own_orders import (
    TYPES,
)
from umpire_ledger.domain.titles.freeform.places import (
    KINDS,
    SAYS,
)
from umpire_ledger.domain.titles.freeform.scenario import (
    FreeformScenario,
)
from umpire_ledger.domain.titles.freeform.texts import (
    ActText,
    DoText,
    OrderText,
    PlaceText,
    PlusText,
    RequireText,
    TakesText,
)
from umpire_ledger.domain.titles.freeform.values import (
    FUNCTIONS,
    NAMES,
    EvaluationContext,
    holds,
    value,
)
from umpire_ledger.domain.titles.pacific_war import (
    TITLE as pacific_war_TITLE,
)
from umpire_ledger.domain.titles.pacific_war.board import (
    PLACES as pacific_war_places,
)
from umpire_ledger.domain.titles.pacific_war.changeable_units import (
    leaving,
)
from umpire_ledger.domain.titles.pacific_war.coast import (
    coasts as pacific_war_coasts,
)
from umpire_ledger.domain.titles.pacific_war.combat import (
    Attack,
)
from umpire_ledger.domain.titles.pacific_war.intelligence import (
    limit,
)
from umpire_ledger.domain.titles.pacific_war.limits import (
    may_turn,
)
from umpire_ledger.domain.titles.pacific_war.pieces import (
    with_what_follows,
)
from umpire_ledger.domain.titles.pacific_war.scenario import (
    Costs,
    PacificWarScenario,
)
from umpire_ledger.domain.titles.pacific_war.tables import (
    ROWS as tables_ROWS,
)
from umpire_ledger.domain.titles.pacific_war.victory import (
    Ending,
)
from umpire_ledger.domain.titles.red_coat_rags import (
    TITLE as red_coat_rags_TITLE,
)
from umpire_ledger.domain.titles.red_coat_rags.pieces import (
    pieces,
    pieces_of,
    units,
    untied,
)
from umpire_ledger.domain.titles.red_coat_rags.scenario import (
    RedCoatScenario,
)
from umpire_ledger.domain.titles.red_coat_rags.tables import (
    ROWS as red_coat_rags_tables_ROWS,
)
from umpire_ledger.domain.titles.twilight_imperium_3 import (
    TITLE as twilight_imperium_3_TITLE,
    turn,
)
from umpire_ledger.domain.titles.twilight_imperium_3.casualties import (
    AssignHits,
)
from umpire_ledger.domain.titles.twilight_imperium_3.galaxy import (
    at_place,
    ships_in,
    systems,
)
from umpire_ledger.domain.titles.twilight_imperium_3.movement import (
    MoveShips,
)
from umpire_ledger.domain.titles.twilight_imperium_3.scenario import (
    TwilightScenario,
)
from umpire_ledger.domain.titles.twilight_imperium_3.strategy import (
    JoinSecondary,
    decide_join_secondary,
)
from umpire_ledger.domain.titles.twilight_imperium_3.units import (
    TROOPS,
    has_tech,
    what_of,
)
from umpire_ledger.domain.titles.war_galley import (
    TITLE as war_galley_TITLE,
    hexes as war_galley_hexes,
)
from umpire_ledger.domain.titles.war_galley.board import (
    board,
)
from umpire_ledger.domain.titles.war_galley.hexes import (
    DIRECTIONS,
    direction,
    distance as war_galley_hexes_distance,
    neighbour,
)
from umpire_ledger.domain.titles.war_galley.scenario import (
    WarGalleyScenario,
)
from umpire_ledger.domain.titles.war_galley.sequence import (
    PRINTED,
)
