"""Define the tables and views of the read models, column by column, for their readers and their makers.

`schema.py` creates them, `docs/reference/read-models.md` prints them, Datasette shows these words. Columns that
people read come first, those that join tables last. A new column needs a new `views_file.FORMAT`.
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

    `public`: it contains only rows that everybody at the table may see.
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
        """The columns with ids of rows, which begin with the game's key in this file."""
        return tuple(name for name, kind, *_ in self.columns if kind is int and (name == "id" or name.endswith("_id")))


class View(NamedTuple):
    """A view. `select`: all that follows CREATE VIEW … AS; `what` and `facets` as of a table."""

    what: str
    columns: tuple[Column, ...]
    select: str
    facets: tuple[str, ...] = ()


GAME = Column("game", str, "the id of its game", "game")
POSITION = Column("position", int, "the position of its record in the game, from 1")
TURN = Column("turn", int, "the turn, 0 where none is running")
STEP = Column("step", str, "the label of the step; several that were open have ` / ` between them")
AT = Column("at", str, "when it was recorded, UTC")
RULE = Column("rule", str, "the number of the rule")
COUNTS = Column("counts", int, "1 on the present line, 0 where a rewind took it off")
COMMAND = Column("command", str, "the id that the order was given under")
OF_ORDER = Column("order_id", int, "its order", "orders")
RECORD_ID = Column("id", int, "its record: the game's key in this file, and ten digits of position", "audit")
SEEN_BY = "who may see it, as JSON; null where everybody may"
PLACE = "where play stands, in words"

TABLES: dict[str, ReadModelTable] = {
    "game": ReadModelTable(
        "One row a game, and up to where it is followed.",
        (
            Column("id", str, "the id of the game"),
            Column("name", str, "the scenario's name"),
            Column("title", str, "the title, for instance `war-galley`"),
            TURN,
            Column("place", str, PLACE),
            Column("ended", str, "why it is over; empty while it is not"),
            Column("waits", str, "who is waited for, since when and since which position, as JSON"),
            Column("disputes", str, "the disputes that are open, as JSON"),
            Column("unreadable", str, "in words, a record that this edition cannot read; empty where there is none"),
            Column("secrets_open", int, "the last position whose secrets were laid open to everybody; 0: none"),
            Column("position", int, "the last position that is followed"),
            Column("opened_at", str, "when the first record was made, UTC"),
            Column("last_at", str, "when the last record was made, UTC"),
            Column("key", int, "its number in this file, with which the ids of its rows begin"),
            Column("edition", str, "the edition of Umpire that made the rows"),
            Column("refused", int, "the number of the last refused order that is followed"),
            Column("searched", int, "the last position whose words are in the search index"),
            Column("last_line", str, "the last record as it is stored, by which another ledger's game is recognised"),
        ),
        ("id",),
        facets=("title", "ended"),
        label="id",
    ),
    "orders": ReadModelTable(
        "One row an order: who gave it, what was asked for, and what came of it. Only what everybody may see.",
        (
            GAME,
            Column("first", int, "the position of its first record"),
            Column("last", int, "the position of its last record"),
            TURN,
            Column("step", str, "the label of the step under which it was given"),
            Column("seat", str, "the seat that gave it"),
            Column("text", str, "what was ordered and what came of it, in one sentence, as far as everybody may see"),
            Column("name", str, "the order, for instance `move`; empty for the opening, and where it is secret"),
            Column("arguments", str, "what was asked for beside the name, as JSON; `{}` where it is secret"),
            COUNTS,
            AT,
            Column("entered_by", str, "the hand that gave it for the seat; empty where that is the seat's own"),
            Column("happened_at", str, "when it happened, where it was entered late"),
            Column("witness", str, "who saw it, where it was entered late"),
            Column("visible_to", str, "who may see what was asked for, as JSON; null where everybody may"),
            COMMAND,
            Column("id", int, "its first record: the game's key in this file, and ten digits of position"),
        ),
        ("id",),
        facets=("game", "seat", "name", "turn"),
        label="text",
        public=True,
    ),
    "audit": ReadModelTable(
        "The audit trail, one row a record. It holds every secret: `visible_to` says who may see a row.",
        (
            GAME,
            POSITION,
            TURN,
            STEP,
            Column("seat", str, "the seat that gave the order"),
            Column("text", str, "what happened, in words"),
            Column("dice", str, "the roll with its modifiers, in words; empty where there was none"),
            RULE,
            Column("event", str, "the kind of record, for instance `unit.moved`"),
            COUNTS,
            AT,
            Column("visible_to", str, SEEN_BY),
            Column("units", str, "the ids of the units that it is about, one a line"),
            Column("cause", str, "the order as it was given, as JSON, on the one record that carries it"),
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
        "One row a roll of dice; `dice` has its turn and step too. It holds secret rolls, as the audit trail does.",
        (
            GAME,
            Column("roll", int, "the number of the roll in its game, never used twice"),
            POSITION,
            Column("seat", str, "the seat whose order threw it"),
            Column("purpose", str, "what it was for"),
            Column("dice", str, "which dice, for instance `2d6`"),
            Column("pips", str, "what they showed, as JSON"),
            Column("total", int, "pips and modifiers together"),
            Column("needed", str, "what was needed, in words"),
            Column("outcome", str, "what came of it"),
            Column("modifiers", str, "what was added and where it comes from, as JSON"),
            RULE,
            Column("subjects", str, "the units it was about, one a line"),
            Column("source", str, "`ledger` or `table`: who threw"),
            RECORD_ID,
        ),
        ("id",),
        facets=("game", "seat", "dice"),
        label="purpose",
    ),
    "undo_point": ReadModelTable(
        "One row a place that play can return to.",
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
        "Who was waited for from a record on: one row each time it changed, on lines that were left too.",
        (
            GAME,
            POSITION,
            Column("waits", str, "who is waited for, since when and since which position, as JSON"),
            RECORD_ID,
        ),
        ("id",),
        hidden=True,
    ),
    "disputes": ReadModelTable(
        "One row a dispute. It stands outside the lines: a rewind takes none away.",
        (
            GAME,
            Column("dispute", str, "its id in the game, for instance `d1`"),
            Column("state", str, "`open` or `settled`"),
            Column("seat", str, "the seat that contests"),
            Column("claim", str, "what it says"),
            Column("rule", str, "the rule that the quarrel is about"),
            Column("ruling", str, "how it was settled"),
            Column("reason", str, "why so"),
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
        "Which records a dispute is about, one row each.",
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
        "One row a ruling of the referee, or of a title that had to read a rule one way.",
        (
            GAME,
            POSITION,
            Column("rule", str, "the rule it is about"),
            Column("ruling", str, "what is ruled"),
            Column("reason", str, "why"),
            Column("grounds", str, "what it rests on: house rule, official answer, printed rule"),
            Column("remedy", str, "what is to be done about it"),
            Column("overrides", str, "the step or rule that it goes against"),
            Column("seat", str, "who ruled"),
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
        "One row a seal: a seat's word for everything up to a position.",
        (
            GAME,
            Column("seat", str, "the seat that accepted"),
            Column("sealed", int, "the position up to which it did"),
            POSITION,
            COUNTS,
            AT,
            Column("sealed_id", int, "the last record that it accepted", "audit"),
            OF_ORDER,
            RECORD_ID,
        ),
        ("id",),
        facets=("game", "seat"),
        public=True,
    ),
    "refusals": ReadModelTable(
        "One row a refused order that the ledger keeps, as the referee may see it: it is no record.",
        (
            GAME,
            Column("after", int, "the last position when it was given"),
            Column("seat", str, "the seat that gave it"),
            Column("name", str, "the order"),
            Column("what", str, "what was wrong"),
            Column("place", str, "where in the sequence"),
            RULE,
            Column("remedy", str, "what to do instead"),
            Column("allowed", str, "the orders that it might have given, as JSON"),
            Column("arguments", str, "the order as it was sent, as JSON"),
            AT,
            Column("kept", str, "`sound`, `unprotected` (kept by an early edition) or `changed` since"),
            Column("visible_to", str, "who may see it, as JSON"),
            Column("after_id", int, "the last record when it was given", "audit"),
            Column("id", int, "the game's key in this file, and ten digits of its number in the ledger"),
        ),
        ("id",),
        facets=("game", "seat", "name", "rule"),
        label="what",
    ),
    "unit": ReadModelTable(
        "Units as they stand now, once for each group of seats that know the same; `units` has them by seat.",
        (
            GAME,
            Column("id", str, "the id of the unit"),
            Column("side", str, "its side"),
            Column("kind", str, "its kind"),
            Column("at", str, "where it stands"),
            Column("fate", str, "how it left play; empty while it is in it"),
            Column("attributes", str, "its attributes, as JSON; the views of titles have them as columns"),
            Column("knows", str, "the first seat that knows this"),
        ),
        ("game", "knows", "id"),
        hidden=True,
    ),
    "account": ReadModelTable(
        "Accounts as they stand now, likewise; `accounts` has them by seat.",
        (
            GAME,
            Column("id", str, "the name of the account"),
            Column("amount", int, "what is in it"),
            Column("knows", str, "the first seat that knows this"),
        ),
        ("game", "knows", "id"),
        hidden=True,
    ),
    "marker": ReadModelTable(
        "Markers as they stand now, likewise; `markers` has them by seat.",
        (
            GAME,
            Column("id", str, "the name of the marker"),
            Column("value", str, "what it is set to, as JSON"),
            Column("knows", str, "the first seat that knows this"),
        ),
        ("game", "knows", "id"),
        hidden=True,
    ),
    "attribute": ReadModelTable(
        "The names of attributes that units of a game have had for everybody to see, on any line.",
        (GAME, Column("name", str, "the name of the attribute")),
        ("game", "name"),
        hidden=True,
        public=True,
    ),
    "seat": ReadModelTable(
        "Who has a view of a game.",
        (
            GAME,
            Column("seat", str, "the seat"),
            Column("side", str, "the side it speaks for; empty for the referee and the spectator"),
            Column("knows", str, "the first seat that knows the same"),
            Column("nth", int, "its place in the list of seats, from 1"),
        ),
        ("game", "seat"),
        facets=("game", "side"),
        public=True,
    ),
    "turn_view": ReadModelTable(
        "What `umpire status` shows a seat, laid down when a program ends; the next order that is followed takes it"
        " away. It holds what that seat may know, secrets too.",
        (
            GAME,
            Column("seat", str, "the seat"),
            Column("position", int, "the position it shows"),
            TURN,
            Column("place", str, PLACE),
            Column("open", str, "the labels of the open steps"),
            Column("waiting", str, "who must act"),
            Column("view", str, "the whole view, as JSON"),
        ),
        ("game", "seat"),
        hidden=True,
    ),
    "looked": ReadModelTable(
        "Where each seat last looked; without a seat, a position that the ledger lacks. No record tells it.",
        (
            GAME,
            Column("seat", str, "the seat"),
            Column("position", int, "the position at which it last looked"),
        ),
        ("game", "seat"),
        hidden=True,
    ),
    "secret": ReadModelTable(
        "Which kinds of secret records a game has.",
        (
            GAME,
            Column("visible_to", str, SEEN_BY),
            Column("event", str, "the kind of record"),
            Column("first", int, "the position of the first of them"),
        ),
        ("game", "visible_to", "event"),
        hidden=True,
    ),
    "sees": ReadModelTable(
        "Which of them a seat may see.",
        (
            GAME,
            Column("seat", str, "the seat"),
            Column("visible_to", str, "a list of seats that includes it"),
        ),
        ("game", "seat", "visible_to"),
        hidden=True,
    ),
    "snapshot": ReadModelTable(
        "Folded states of what seats know, to fold on from; a cache.",
        (
            GAME,
            Column("position", int, "the position of the state"),
            Column("sees", str, "which secrets it is made of, as JSON"),
            Column("schema", str, "the shape of the state"),
            Column("state", bytes, "the state, packed"),
        ),
        ("game", "position", "sees"),
        hidden=True,
    ),
}
BY_ROW = ("audit", "orders", "roll", "undo_point", "waited", "disputes", "rulings", "seals", "refusals")
"""Tables whose row ids begin with the game's key; the others have the game's id in their key."""
COUNTING = tuple(name for name, table in TABLES.items() if "counts" in table.names)
"""Tables in which a rewind takes rows off the current branch."""
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
        "Every roll with its turn and step, and whether it counts. It holds secret rolls: see `visible_to`.",
        tuple(_column(table, name) for name, table in _dice_from.items()),
        f"SELECT {', '.join(f'{table}.{name}' for name, table in _dice_from.items())}"
        " FROM roll JOIN audit ON audit.id = roll.id",
        facets=("game", "seat", "turn", "dice"),
    ),
    **{
        f"{table}s": View(
            f"{what} as each seat knows them: choose a seat.",
            (GAME, Column("seat", str, "who knows this"), *(_column(table, name) for name in names)),
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
