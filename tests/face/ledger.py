"""Name what tests use of the append-only log, so that a move in it edits this file alone."""

from umpire_ledger.ledger.branches import (
    Branch,
    Branches,
    branch_to,
)
from umpire_ledger.ledger.ledger import (
    Ledger,
)
from umpire_ledger.ledger.merkle import (
    inclusion_proof,
)
from umpire_ledger.ledger.merkle.compact_ranges import (
    parse_stored,
    to_keep,
)
from umpire_ledger.ledger.merkle.consistency_proof import (
    MOST_HASHES,
    consistency_path,
    extends,
    prove_growth,
)
from umpire_ledger.ledger.merkle.inclusion_proof import (
    Proof,
    audit_path,
    root_above,
)
from umpire_ledger.ledger.merkle.tree import (
    EMPTY_ROOT,
    Checkpoint,
    CompactRange,
    add_leaf,
    root_of,
    sha256,
)
from umpire_ledger.ledger.order_batches import (
    PendingOrder,
    batches,
    orders_of,
    timestamp,
    write_down,
)
from umpire_ledger.ledger.reading import (
    MOST_MARKED,
)
from umpire_ledger.ledger.records import (
    limits,
)
from umpire_ledger.ledger.records.check_result import (
    CheckResult,
)
from umpire_ledger.ledger.records.errors import (
    BrokenLedger,
    BrokenProof,
    CannotBeWritten,
    CommitUnknown,
    ConnectionBroken,
    GameExists,
    NoSuchGame,
    NoSuchRecord,
    PositionConflict,
    StoreUnavailable,
    WrongKeys,
)
from umpire_ledger.ledger.records.ledger_address import (
    database_in,
    is_database,
    passwords_in,
    shown,
)
from umpire_ledger.ledger.records.limits import (
    lines_of,
    said,
)
from umpire_ledger.ledger.records.record import (
    NOTHING,
    Draft,
    Record,
    check_object,
    fault,
    row_of,
)
from umpire_ledger.ledger.records.verdict import (
    MOST as MOST_STRETCHES,
    Withheld,
    in_words,
)
from umpire_ledger.ledger.replay_log import (
    FORMAT,
    NAME,
    Verdict,
)
from umpire_ledger.ledger.signed_note import (
    Signature,
    SignedNote,
)
from umpire_ledger.ledger.signed_orders import (
    note_text,
    taken_apart,
)
from umpire_ledger.ledger.snapshots import (
    pack_snapshot,
    unpack_snapshot,
)
from umpire_ledger.ledger.storage import (
    postgres_admin,
    postgres_schema,
)
from umpire_ledger.ledger.storage.commits import (
    TRIES,
)
from umpire_ledger.ledger.storage.copies import (
    HOME,
    home_of,
)
from umpire_ledger.ledger.storage.health import (
    look_at_file,
    look_at_sqlite,
)
from umpire_ledger.ledger.storage.metadata import (
    MetadataEntry,
    SqliteMetadata,
)
from umpire_ledger.ledger.storage.postgres_connection import (
    MOST_IDLE,
    Datastore,
)
from umpire_ledger.ledger.storage.postgres_health import (
    look_at_database,
)
from umpire_ledger.ledger.storage.record_mapper import (
    Filed,
    RecordMapper,
    StoredRecord,
)
from umpire_ledger.ledger.storage.refusal_log import (
    ASIDE,
    EARLIER,
)
from umpire_ledger.ledger.storage.sqlite import (
    Datastore as sqlite_Datastore,
    LedgerRecorder,
)
from umpire_ledger.ledger.storage.sqlite_connection import (
    STORE_FORMAT,
)
from umpire_ledger.ledger.storage.stores import (
    verify_driver,
)
from umpire_ledger.ledger.verification.batch_hashing import (
    SameOrder,
)
from umpire_ledger.ledger.verification.log_checker import (
    VALID,
    Verdict as log_checker_Verdict,
)
from umpire_ledger.ledger.verification.seen_order_ids import (
    OrderIds,
)
