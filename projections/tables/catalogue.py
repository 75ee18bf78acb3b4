"""Define the tables and views of the read models, column by column.

`schema.py` creates them, `docs/reference/read-models.md` prints them, and Datasette shows their descriptions. Columns
for people come first, columns that join tables last. A new column needs a new `views_file.FORMAT`.
"""

from typing import NamedTuple


class Column(NamedTuple):
    """A column. `refers`: the table whose key it contains."""

    name: str
    type: type
    what: str
    refers: str = ""


class ReadModelTable(NamedTuple):
    """A table. `facets`: columns by which people narrow a list; `label`: Datasette's name of a row; `hidden`: internal.

    `public`: whether everyone in the game may see all its rows.
    """

    what: str
    columns: tuple[Column, ...]
    key: tuple[str, ...]
    facets: tuple[str, ...] = ()
    label: str = ""
    hidden: bool = False
    public: bool = False

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(column.name for column in self.columns)

    @property
    def row_ids(self) -> tuple[str, ...]:
        """The columns that contain row ids, which begin with the game's key in this file."""
        return tuple(name for name, kind, *_ in self.columns if kind is int and (name == "id" or name.endswith("_id")))


class View(NamedTuple):
    """A view. `select`: the statement after CREATE VIEW … AS; `what` and `facets` as in `ReadModelTable`."""

    what: str
    columns: tuple[Column, ...]
    select: str
    facets: tuple[str, ...] = ()


GAME = Column("game", str, "the id of its game", "game")
POSITION = Column("position", int, "the position of its record in the game, from 1")
TURN = Column("turn", int, "the turn; 0 if no turn is running")
STEP = Column("step", str, "the label of the step; ` / ` separates several open steps")
AT = Column("at", str, "time of recording, UTC")
RULE = Column("rule", str, "the number of the rule")
COUNTS = Column("counts", int, "1 on the current branch; 0 after a rewind removed it")
COMMAND = Column("command", str, "the order id, under which the order was given")
OF_ORDER = Column("order_id", int, "its order", "orders")
RECORD_ID = Column("id", int, "its record: the game's key in this file, then ten digits of position", "audit")
SEEN_BY = "seats that can see it, as JSON; null for everyone"
PLACE = "the current place in the sequence, in words"

TABLES: dict[str, ReadModelTable] = {
    "game": ReadModelTable(
        "One row per game, with the last position applied to these tables.",
        (
            Column("id", str, "the id of the game"),
            Column("name", str, "the scenario's name"),
            Column("title", str, "the title, for example `war-galley`"),
            TURN,
            Column("place", str, PLACE),
            Column("ended", str, "reason why the game is over; empty until then"),
            Column("waits", str, "seats that must act, each with time and position of the request, as JSON"),
            Column("disputes", str, "open disputes, as JSON"),
            Column("unreadable", str, "a record that this version of Umpire cannot read, in words; otherwise empty"),
            Column("secrets_open", int, "the last position whose secrets are revealed to everyone; 0 if none"),
            Column("position", int, "the last position applied to these tables"),
            Column("opened_at", str, "time of the first record, UTC"),
            Column("last_at", str, "time of the last record, UTC"),
            Column("key", int, "its number in this file; the ids of its rows begin with it"),
            Column("edition", str, "the version of Umpire that made the rows"),
            Column("refused", int, "the number of the last refused order in `refusals`"),
            Column("searched", int, "the last position in the search index"),
            Column("last_line", str, "the last record as stored, to recognise another ledger's game"),
        ),
        ("id",),
        facets=("title", "ended"),
        label="id",
    ),
    "orders": ReadModelTable(
        "One row per order: its seat, arguments and result. Only public information.",
        (
            GAME,
            Column("first", int, "the position of its first record"),
            Column("last", int, "the position of its last record"),
            TURN,
            Column("step", str, "the label of the step under which it was given"),
            Column("seat", str, "the seat that gave it"),
            Column("text", str, "the order and its public result, in one sentence"),
            Column("name", str, "the order, for example `move`; empty for the opening and for a secret order"),
            Column("arguments", str, "the arguments, as JSON; `{}` for a secret order"),
            COUNTS,
            AT,
            Column("entered_by", str, "the seat that entered it; empty if the seat did so itself"),
            Column("happened_at", str, "for a late entry, the time of the event"),
            Column("witness", str, "for a late entry, the witness"),
            Column("visible_to", str, "seats that can see the arguments, as JSON; null for everyone"),
            COMMAND,
            Column("id", int, "its first record: the game's key in this file, then ten digits of position"),
        ),
        ("id",),
        facets=("game", "seat", "name", "turn"),
        label="text",
        public=True,
    ),
    "audit": ReadModelTable(
        "The audit trail, one row per record. It contains every secret: see `visible_to`.",
        (
            GAME,
            POSITION,
            TURN,
            STEP,
            Column("seat", str, "the seat that gave the order"),
            Column("text", str, "the event, in words"),
            Column("dice", str, "the roll with its modifiers, in words; empty without a roll"),
            RULE,
            Column("event", str, "the event tag, for example `unit.moved`"),
            COUNTS,
            AT,
            Column("visible_to", str, SEEN_BY),
            Column("units", str, "the ids of its units, one per line"),
            Column("cause", str, "the order as given, as JSON, on the one record that contains it"),
            Column("starts", int, "1 on the first record of an order"),
            COMMAND,
            OF_ORDER,
            RECORD_ID._replace(refers=""),
        ),
        ("id",),
        facets=("game", "event", "seat", "turn", "step"),
        label="text",
    ),
    "roll": ReadModelTable(
        "One row per roll, secret rolls included. The view `dice` adds turn and step.",
        (
            GAME,
            Column("roll", int, "the number of the roll in its game, never reused"),
            POSITION,
            Column("seat", str, "the seat whose order rolled it"),
            Column("purpose", str, "the purpose"),
            Column("dice", str, "the dice, for example `2d6`"),
            Column("pips", str, "the dice results, as JSON"),
            Column("total", int, "dice results plus modifiers"),
            Column("needed", str, "the target, in words"),
            Column("outcome", str, "the outcome"),
            Column("modifiers", str, "modifiers with their sources, as JSON"),
            RULE,
            Column("subjects", str, "its units, one per line"),
            Column("source", str, "`ledger` or `table`: the source of the result"),
            RECORD_ID,
        ),
        ("id",),
        facets=("game", "seat", "dice"),
        label="purpose",
    ),
    "undo_point": ReadModelTable(
        "One row per undo point.",
        (
            GAME,
            POSITION,
            TURN,
            Column("place", str, PLACE),
            Column("step", str, "the label of the step that opens there"),
            Column("name", str, "the name of that step"),
            Column("opened", int, "the position of the record that opened it"),
            RECORD_ID,
        ),
        ("id",),
        facets=("game", "turn", "step"),
        label="place",
        public=True,
    ),
    "waited": ReadModelTable(
        "Seats that had to act after a record: one row per change, abandoned branches included.",
        (
            GAME,
            POSITION,
            Column("waits", str, "seats that must act, each with time and position of the request, as JSON"),
            RECORD_ID,
        ),
        ("id",),
        hidden=True,
    ),
    "disputes": ReadModelTable(
        "One row per dispute. A rewind removes none.",
        (
            GAME,
            Column("dispute", str, "its id in the game, for example `d1`"),
            Column("state", str, "`open` or `settled`"),
            Column("seat", str, "the seat that contests"),
            Column("claim", str, "the claim"),
            Column("rule", str, "the disputed rule"),
            Column("ruling", str, "the ruling"),
            Column("reason", str, "the reason of the ruling"),
            POSITION,
            AT,
            Column("settled_id", int, "the record that settled it", "audit"),
            OF_ORDER,
            RECORD_ID,
        ),
        ("id",),
        facets=("game", "state", "seat", "rule"),
        label="claim",
        public=True,
    ),
    "contested": ReadModelTable(
        "One row per record that a dispute contests.",
        (
            GAME,
            Column("position", int, "the position of the contested record"),
            Column("dispute_id", int, "the dispute", "disputes"),
            Column("record_id", int, "the contested record", "audit"),
        ),
        ("dispute_id", "record_id"),
        facets=("game",),
        public=True,
    ),
    "rulings": ReadModelTable(
        "One row per ruling of the referee, or of a title that interprets a rule.",
        (
            GAME,
            POSITION,
            Column("rule", str, "the rule"),
            Column("ruling", str, "the ruling"),
            Column("reason", str, "the reason"),
            Column("grounds", str, "its grounds: house rule, official answer, printed rule"),
            Column("remedy", str, "the remedy"),
            Column("overrides", str, "the step or rule that it overrides"),
            Column("seat", str, "the seat that ruled"),
            COUNTS,
            AT,
            Column("dispute_id", int, "the dispute that it settles", "disputes"),
            OF_ORDER,
            RECORD_ID,
        ),
        ("id",),
        facets=("game", "rule", "grounds", "seat"),
        label="ruling",
        public=True,
    ),
    "seals": ReadModelTable(
        "One row per seal: a seat accepts all records up to a position.",
        (
            GAME,
            Column("seat", str, "the seat that accepted"),
            Column("sealed", int, "the last accepted position"),
            POSITION,
            COUNTS,
            AT,
            Column("sealed_id", int, "the last accepted record", "audit"),
            OF_ORDER,
            RECORD_ID,
        ),
        ("id",),
        facets=("game", "seat"),
        public=True,
    ),
    "refusals": ReadModelTable(
        "One row per stored refused order, as the referee can see it. A refused order is not a record.",
        (
            GAME,
            Column("after", int, "the last position at the time"),
            Column("seat", str, "the seat that gave it"),
            Column("name", str, "the order"),
            Column("what", str, "the fault"),
            Column("place", str, "the place in the sequence"),
            RULE,
            Column("remedy", str, "what to do instead"),
            Column("allowed", str, "the orders that were possible instead, as JSON"),
            Column("code", str, "the name of the fault, for programs; empty if an early version stored it"),
            Column("fields", str, "the values of the fault by name, as JSON"),
            Column("arguments", str, "the order as sent, as JSON"),
            AT,
            Column("kept", str, "`sound`, `unprotected` (stored by an early version) or `changed` since"),
            Column("visible_to", str, "seats that can see it, as JSON"),
            Column("after_id", int, "the last record at the time", "audit"),
            Column("id", int, "the game's key in this file, then ten digits of its number in the ledger"),
        ),
        ("id",),
        facets=("game", "seat", "name", "rule"),
        label="what",
    ),
    "unit": ReadModelTable(
        "Current units, once per group of seats with equal knowledge. The view `units` lists them by seat.",
        (
            GAME,
            Column("id", str, "the id of the unit"),
            Column("side", str, "its side"),
            Column("kind", str, "its kind"),
            Column("at", str, "its place"),
            Column("fate", str, "how it left play; empty while in play"),
            Column("attributes", str, "its attributes, as JSON; the views of titles show them as columns"),
            Column("knows", str, "the first seat with this knowledge"),
        ),
        ("game", "knows", "id"),
        hidden=True,
    ),
    "account": ReadModelTable(
        "Current accounts, once per group of seats. The view `accounts` lists them by seat.",
        (
            GAME,
            Column("id", str, "the name of the account"),
            Column("amount", int, "the balance"),
            Column("knows", str, "the first seat with this knowledge"),
        ),
        ("game", "knows", "id"),
        hidden=True,
    ),
    "marker": ReadModelTable(
        "Current markers, once per group of seats. The view `markers` lists them by seat.",
        (
            GAME,
            Column("id", str, "the name of the marker"),
            Column("value", str, "its value, as JSON"),
            Column("knows", str, "the first seat with this knowledge"),
        ),
        ("game", "knows", "id"),
        hidden=True,
    ),
    "attribute": ReadModelTable(
        "Names of public attributes that units of a game have had, on any branch.",
        (GAME, Column("name", str, "the name of the attribute")),
        ("game", "name"),
        hidden=True,
        public=True,
    ),
    "seat": ReadModelTable(
        "One row per seat, including the referee and the spectator.",
        (
            GAME,
            Column("seat", str, "the seat"),
            Column("side", str, "its side; empty for the referee and the spectator"),
            Column("knows", str, "the first seat with the same knowledge"),
            Column("nth", int, "its place in the list of seats, from 1"),
        ),
        ("game", "seat"),
        facets=("game", "side"),
        public=True,
    ),
    "turn_view": ReadModelTable(
        "The output of `umpire status` for a seat, secrets included. A program stores it before it exits; applying the"
        " next order deletes it.",
        (
            GAME,
            Column("seat", str, "the seat"),
            Column("position", int, "the position it shows"),
            TURN,
            Column("place", str, PLACE),
            Column("open", str, "the labels of the open steps"),
            Column("waiting", str, "seats that must act"),
            Column("view", str, "the whole view, as JSON"),
        ),
        ("game", "seat"),
        hidden=True,
    ),
    "looked": ReadModelTable(
        "The last position that each seat viewed; no record stores this. A row with an empty seat holds a position"
        " that was once read but is now missing from the ledger.",
        (
            GAME,
            Column("seat", str, "the seat"),
            Column("position", int, "the position that it last viewed"),
        ),
        ("game", "seat"),
        hidden=True,
    ),
    "secret": ReadModelTable(
        "Kinds of secret records in a game.",
        (
            GAME,
            Column("visible_to", str, SEEN_BY),
            Column("event", str, "the kind of record"),
            Column("first", int, "the position of the first one"),
        ),
        ("game", "visible_to", "event"),
        hidden=True,
    ),
    "sees": ReadModelTable(
        "Kinds of secret records that a seat can see.",
        (
            GAME,
            Column("seat", str, "the seat"),
            Column("visible_to", str, "a list of seats that includes it"),
        ),
        ("game", "seat", "visible_to"),
        hidden=True,
    ),
    "snapshot": ReadModelTable(
        "States of seats' knowledge, from which updates continue; a cache.",
        (
            GAME,
            Column("position", int, "the position of the state"),
            Column("sees", str, "the secrets that it includes, as JSON"),
            Column("schema", str, "the shape of the state"),
            Column("state", bytes, "the state, packed"),
        ),
        ("game", "position", "sees"),
        hidden=True,
    ),
}
BY_ROW = ("audit", "orders", "roll", "undo_point", "waited", "disputes", "rulings", "seals", "refusals")
"""Tables whose row ids begin with the game's key; the keys of other tables contain the game's id."""
COUNTING = tuple(name for name, table in TABLES.items() if "counts" in table.names)
"""Tables with a column that states whether a row is on the current branch."""
INDEXES = (("game", "key"), ("audit", "order_id"), ("roll", "game"))


def _column(table: str, name: str) -> Column:
    return next(column for column in TABLES[table].columns if column.name == name)


_IN_TRAIL = ("turn", "step", "at", "counts", "visible_to", "order_id")
_DICE = (
    *("game", "roll", "position", "turn", "step", "seat", "purpose", "dice", "pips", "total", "needed", "outcome"),
    *("modifiers", "rule", "subjects", "source", "at", "counts", "visible_to", "order_id", "id"),
)
_dice_from = {name: "audit" if name in _IN_TRAIL else "roll" for name in _DICE}
VIEWS: dict[str, View] = {
    "dice": View(
        "Every roll with its turn, step and branch. It contains secret rolls: see `visible_to`.",
        tuple(_column(table, name) for name, table in _dice_from.items()),
        f"SELECT {', '.join(f'{table}.{name}' for name, table in _dice_from.items())}"
        " FROM roll JOIN audit ON audit.id = roll.id",
        facets=("game", "seat", "turn", "dice"),
    ),
    **{
        f"{table}s": View(
            f"{what} as each seat knows them. Filter by `seat`.",
            (GAME, Column("seat", str, "the seat that knows this"), *(_column(table, name) for name in names)),
            f"SELECT seat.game, seat.seat, {', '.join(f'{table}.{name}' for name in names)} FROM seat JOIN {table}"
            f" ON {table}.game = seat.game AND {table}.knows = seat.knows",
            facets=("game", "seat", *facets),
        )
        for table, what, names, facets in (
            ("unit", "Units", ("id", "side", "kind", "at", "fate", "attributes"), ("side", "kind")),
            ("account", "Accounts", ("id", "amount"), ()),
            ("marker", "Markers", ("id", "value"), ()),
        )
    },
}
