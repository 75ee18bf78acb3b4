"""Name what tests use of the application layer, so that a move in it edits this file alone."""

from umpire_ledger.desk.cases import (
    case_check,
)
from umpire_ledger.desk.cases.case_folder import (
    FILES,
    LOG,
    PAGES,
    PROGRAM,
    hash_of,
)
from umpire_ledger.desk.core import (
    game_session,
    tokenizer,
)
from umpire_ledger.desk.core.adapters import (
    GameStateBuilder,
    LedgerHistory,
    drafts_of,
    event_of,
    find_title,
    find_title_of,
    need_title,
    need_title_of,
    title_references,
)
from umpire_ledger.desk.core.edition import (
    EDITION,
)
from umpire_ledger.desk.core.errors import (
    BROKEN,
    DONE,
    EXPECTED,
    REFUSED,
    STORE,
    UNKNOWN,
    NotAuthorized,
    NotWitnessed,
    WrongUse,
    problem_of,
)
from umpire_ledger.desk.core.game_session import (
    GameSession,
)
from umpire_ledger.desk.core.open_game import (
    OpenGame,
)
from umpire_ledger.desk.core.open_ledger import (
    open_ledger,
)
from umpire_ledger.desk.core.outcomes import (
    Recorded,
)
from umpire_ledger.desk.core.read_models import (
    ReadModels,
)
from umpire_ledger.desk.core.tokenizer import (
    split,
    typed_sentence,
)
from umpire_ledger.desk.desk import (
    Desk,
)
from umpire_ledger.desk.game import (
    PlayedGame,
)
from umpire_ledger.desk.games import (
    games_list,
)
from umpire_ledger.desk.games.invitations import (
    EVERY_GAME,
    TRIES,
    Admission,
    GrantedSeat,
    Invitations,
)
from umpire_ledger.desk.games.quick_status import (
    stored_status,
)
from umpire_ledger.desk.logs.log_files import (
    FORESEEN,
    Checked,
    misfits_in,
    take_in,
    verify_file,
    verify_game,
)
from umpire_ledger.desk.logs.log_names import (
    log_name,
    log_names,
)
from umpire_ledger.desk.logs.verifier import (
    FILE,
    verifier_hash,
)
from umpire_ledger.desk.notifications import (
    delivery_log,
    sender,
)
from umpire_ledger.desk.notifications.email import (
    Server,
    Smtp,
)
from umpire_ledger.desk.notifications.notice_settings import (
    NoticeSettings,
)
from umpire_ledger.desk.notifications.webhook import (
    Webhook,
    seconds_of,
)
from umpire_ledger.desk.orders import (
    titles,
)
from umpire_ledger.desk.orders.click_choices import (
    ClickableOrder,
    UnitOrder,
    UnitOrders,
    asks_again,
)
from umpire_ledger.desk.orders.completion import (
    CompletionContext,
    completions,
)
from umpire_ledger.desk.orders.dry_run import (
    SEED,
    Rehearsal,
)
from umpire_ledger.desk.orders.dry_run_session import (
    DryRunSession,
)
from umpire_ledger.desk.orders.file_play import (
    BATCH,
    Played,
    play_lines,
)
from umpire_ledger.desk.orders.order_arguments import (
    arguments_of,
)
from umpire_ledger.desk.orders.order_examples import (
    FOLDER,
    TABLE,
    example_of,
    lines_in,
)
from umpire_ledger.desk.orders.order_files import (
    order_lines,
    orders_in,
    read_order_json,
)
from umpire_ledger.desk.orders.order_forms import (
    FormField,
    OrderForm,
    with_choices,
)
from umpire_ledger.desk.orders.path_search import (
    shortest_ways,
    way_over,
)
from umpire_ledger.desk.orders.previews import (
    preview,
)
from umpire_ledger.desk.orders.sessions import (
    open_session,
)
from umpire_ledger.desk.orders.titles import (
    faults,
    title_ids,
)
from umpire_ledger.desk.orders.typed_orders import (
    read_typed,
    short_form,
    sort_words,
    typed_by,
    usage_of,
)
from umpire_ledger.desk.orders.unit_orders import (
    MOST_ANSWERS,
    Candidates,
    Subject,
    first_argument,
    unit_orders,
)
from umpire_ledger.desk.pictures.backgrounds import (
    store as store_background,
)
from umpire_ledger.desk.scenarios import (
    from_state,
    triplea,
    triplea_xml,
)
from umpire_ledger.desk.scenarios.background_file import (
    fault_of as fault_of_background,
)
from umpire_ledger.desk.scenarios.from_state import (
    scenario_at,
)
from umpire_ledger.desk.scenarios.opening import (
    fork,
    new_game,
)
from umpire_ledger.desk.scenarios.scenario_files import (
    examined,
)
from umpire_ledger.desk.scenarios.shipped import (
    HOME,
    ShippedScenario,
    shipped_scenarios,
)
from umpire_ledger.desk.seat import (
    Seat,
)
from umpire_ledger.desk.seat_queries import (
    plain_unit,
)
from umpire_ledger.desk.signing import (
    ed25519,
)
from umpire_ledger.desk.signing.checkpoints import (
    keep_note,
    read_note,
)
from umpire_ledger.desk.signing.ed25519 import (
    SecretKey,
    is_signed,
)
from umpire_ledger.desk.signing.key_store import (
    KeyFolder,
)
from umpire_ledger.desk.signing.share_files import (
    CHAIN,
    draw,
    share_behind,
)
from umpire_ledger.desk.signing.signing import (
    signed,
)
from umpire_ledger.desk.signing.witness import (
    Submission,
    Witness,
    cosigned_by,
    new_witness,
    read_witness,
)
from umpire_ledger.desk.upkeep.database import (
    lay_store,
)
from umpire_ledger.desk.upkeep.doctor import (
    check_up,
)
