"""Name what tests use of the read side, so that a move in it edits this file alone."""

from umpire_ledger.projections.pictures.chart_svg import (
    chart_svg_of,
)
from umpire_ledger.projections.pictures.charts import (
    KINDS,
    Chart,
    ChartSubject,
    Panel,
    accounts_chart,
    dice_chart,
    losses_chart,
)
from umpire_ledger.projections.pictures.counters import (
    COLOURS,
    READABLE,
    DrawnCounter,
    contrast,
    counter_of,
    ink_on,
    label_of,
    looks_of,
    with_colors,
)
from umpire_ledger.projections.pictures.drawn_ground import (
    TEXTURES,
    ground_style,
)
from umpire_ledger.projections.pictures.drawn_stacks import (
    MOST_FANNED,
)
from umpire_ledger.projections.pictures.grids import (
    HIGH,
    outline_of,
    spot_of,
)
from umpire_ledger.projections.pictures.ground import (
    clipped,
)
from umpire_ledger.projections.pictures.layout import (
    APART,
    apart,
    laid_out,
)
from umpire_ledger.projections.pictures.page_log import (
    put_in,
    taken_out,
)
from umpire_ledger.projections.pictures.page_states import (
    merge_patch,
)
from umpire_ledger.projections.pictures.replay_page import (
    PAGE,
    SCRIPTS,
    lean,
)
from umpire_ledger.projections.pictures.spread import (
    COUNTER,
    stack_spots,
)
from umpire_ledger.projections.pictures.svg import (
    svg_of,
)
from umpire_ledger.projections.pictures.symbols import (
    DRAWINGS,
    leaves_right,
    place_of as place_of_symbol,
)
from umpire_ledger.projections.pictures.table_picture import (
    Picture,
    Stack,
    UnitPath,
    bearings,
    picture_of,
)
from umpire_ledger.projections.questions.branches import (
    lines,
)
from umpire_ledger.projections.questions.by_turn import (
    AccountByTurn,
    ByTurn,
)
from umpire_ledger.projections.questions.dependency import (
    dependents as dependency_dependents,
)
from umpire_ledger.projections.questions.dependency.model import (
    Cause,
)
from umpire_ledger.projections.questions.dependency.prerequisites import (
    VisibleHistory,
    decided_again,
    order_of,
)
from umpire_ledger.projections.questions.dependency.queries import (
    dependents,
)
from umpire_ledger.projections.questions.dice import (
    rolls,
)
from umpire_ledger.projections.questions.dice_statistics import (
    FEWEST,
    Thrown,
    chi_square,
    faces,
    p_value,
    plain_purpose,
    totals,
    upper_gamma,
)
from umpire_ledger.projections.questions.differences import (
    differences,
)
from umpire_ledger.projections.questions.record_explanation import (
    Explanation,
    depending,
    why,
)
from umpire_ledger.projections.questions.rewind_preview import (
    EVERYBODY,
    Impact,
    ImpactLine,
    impact,
    words_of,
)
from umpire_ledger.projections.questions.rolls import (
    thrown,
)
from umpire_ledger.projections.questions.statements import (
    life,
    statement,
)
from umpire_ledger.projections.questions.sums import (
    Sums,
    chances,
    sums,
)
from umpire_ledger.projections.questions.times import (
    times as game_times,
)
from umpire_ledger.projections.questions.verification.dice import (
    DiceContext,
    RollChecker,
    opened_seeds,
)
from umpire_ledger.projections.questions.verification.inconsistent_events import (
    MOST,
    Misfit,
    Misfits,
    returns,
)
from umpire_ledger.projections.questions.visibility_check import (
    FREE,
    LIMITS,
    PUBLIC,
    Envelope,
    visibility_fault,
)
from umpire_ledger.projections.record import outcome_phrases
from umpire_ledger.projections.record.escaping import (
    inert,
    inert_cell,
    inert_json,
    inert_markdown,
    inert_markdown_line,
)
from umpire_ledger.projections.record.event_text import (
    text_of,
)
from umpire_ledger.projections.record.outcome_phrases import (
    dice_said,
    is_kept,
)
from umpire_ledger.projections.record.referee_verbs import ACTS
from umpire_ledger.projections.record.refusal import (
    WITHHELD,
)
from umpire_ledger.projections.record.sentence import (
    GENERIC,
    _third,
    sentence,
)
from umpire_ledger.projections.record.visible_record import (
    VisibleRecord,
    decode,
)
from umpire_ledger.projections.reports.case_file import (
    case_of,
    page,
)
from umpire_ledger.projections.reports.conformance import (
    conformance,
)
from umpire_ledger.projections.reports.disputes import (
    disputes,
)
from umpire_ledger.projections.reports.notices import SUBJECTS, Kind
from umpire_ledger.projections.reports.referee import (
    acts,
    counted,
)
from umpire_ledger.projections.reports.refused_orders import (
    LONGEST,
    allowed_to,
    refusals,
    refused,
)
from umpire_ledger.projections.reports.sitrep import (
    sitrep,
    text_of as sitrep_text_of,
)
from umpire_ledger.projections.tables import (
    mending,
    schema,
    search_index,
    title_views,
)
from umpire_ledger.projections.tables.audit_search import (
    AuditLine,
    Filter,
    audit_lines,
)
from umpire_ledger.projections.tables.catalogue import (
    TABLES,
    VIEWS,
    ReadModelTable,
    View,
)
from umpire_ledger.projections.tables.copies import (
    CopyOrigin,
    copied_from,
)
from umpire_ledger.projections.tables.datasette_file import (
    config_text,
)
from umpire_ledger.projections.tables.dialect import (
    StatementResult,
    Values,
    dialect_of,
)
from umpire_ledger.projections.tables.game_status import (
    standing_at,
)
from umpire_ledger.projections.tables.listed_games import (
    listed,
)
from umpire_ledger.projections.tables.order_history import (
    RecordedOrder,
    orders_on_branch,
    placed,
    seen_by,
)
from umpire_ledger.projections.tables.pieces import (
    units,
)
from umpire_ledger.projections.tables.postgres_tables import (
    TableConnection,
)
from umpire_ledger.projections.tables.saved_queries import (
    QUERIES,
    Query,
)
from umpire_ledger.projections.tables.schema import (
    make,
    open_for_writing,
)
from umpire_ledger.projections.tables.seat_visibility import (
    is_for,
    seats_at,
    sees,
)
from umpire_ledger.projections.tables.step_index import (
    order_by_order,
)
from umpire_ledger.projections.tables.turn_view import (
    Allowed,
    RequiredActionView,
    StepAnswers,
    TitleOf,
    TurnView,
    turn_view,
)
from umpire_ledger.projections.tables.undo_points import (
    NOT_PLAY_TAGS,
    UndoPoint,
    undo_points,
)
from umpire_ledger.projections.tables.updater import (
    Follower,
)
from umpire_ledger.projections.tables.views_file import (
    HIDDEN,
    KEYS,
    MEMORY,
    WITHHELD as views_file_WITHHELD,
    connect,
    fresh_turn_view,
    is_views,
    key_of,
    looked,
    mark_read,
    open_views,
    record_read_mark,
    seats_of,
    stored_turn_view,
    views_path,
)
from umpire_ledger.projections.tables.waiting import (
    Waiting,
    Waits,
)
