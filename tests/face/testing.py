"""Name what tests use of the kit for testing titles, so that a move in it edits this file alone."""

from umpire_ledger.testing.arguments import (
    HELD,
    OWN as arguments_OWN,
    ArgumentUse,
    Invariant,
)
from umpire_ledger.testing.decided_again import (
    HistoryAt,
    differences,
)
from umpire_ledger.testing.examples import (
    Example,
    tells_secret,
)
from umpire_ledger.testing.finding import (
    Finding,
)
from umpire_ledger.testing.fixtures import (
    FIXTURES,
    OWN,
    folder_of,
    own_games,
    replay_folders,
    scenarios,
    titles,
)
from umpire_ledger.testing.in_ledger import (
    GAME,
    GameInLedger,
    empty_ledger,
    play,
    recorded,
)
from umpire_ledger.testing.left_behind import (
    left_behind,
)
from umpire_ledger.testing.openly import (
    played_openly,
)
from umpire_ledger.testing.play_report import (
    Observed,
)
from umpire_ledger.testing.promises import (
    determinism,
)
from umpire_ledger.testing.promises.offers import (
    as_known,
    dead_ends,
    in_vain,
)
from umpire_ledger.testing.promises.secrets import (
    HASHES,
)
from umpire_ledger.testing.promises.typing_order import (
    OrderPair,
    difference,
    difference_of_sides,
    is_shared,
    kept,
    recorded_blocks,
    recorded_pairs,
    suggested_pairs,
)
from umpire_ledger.testing.random_play import (
    NO_HISTORY,
    Player,
    StuckError,
    opened,
)
from umpire_ledger.testing.record import (
    end_of,
)
from umpire_ledger.testing.recorded import (
    Start,
    starts_in,
    with_ledger_dice,
)
from umpire_ledger.testing.run import (
    play as run_play,
)
from umpire_ledger.testing.secret_pairs import (
    edits,
)
from umpire_ledger.testing.story import (
    SEED,
    Story,
)
from umpire_ledger.testing.title_under_test import (
    trial_of,
)
