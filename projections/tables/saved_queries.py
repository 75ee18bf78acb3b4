"""Provide common questions about the read models as plain SQL for `sqlite3`, `sqlite-utils` and Datasette.

Unless its description says otherwise, each query selects public rows (`visible_to IS NULL`) on the current branch
(`counts`). Names with a colon, such as `:game`, are parameters.
"""

import re

import msgspec

_asked = re.compile(r"(?<![\w:]):([a-z]+)").findall


class Query(msgspec.Struct, frozen=True):
    """A saved query. `examples`: parameter values with results in the recorded games that come with Umpire."""

    name: str
    title: str
    what: str
    sql: str
    examples: dict[str, str] = {}

    @property
    def parameters(self) -> tuple[str, ...]:
        """The names of the query's parameters, in the order of the text."""
        return tuple(dict.fromkeys(_asked(self.sql)))


_HARBOUR = {"game": "great-harbour"}

QUERIES = (
    Query(
        "who_burned_whose_ship",
        "Ships set on fire",
        "Ships that caught fire: current side, ordering seat, rule and roll.",
        """
        SELECT audit.game, audit.turn, audit.units AS ship, units.side AS whose, orders.seat AS by_order_of,
               audit.text, group_concat(dice.pips, ' ') AS rolled, audit.rule, orders.text AS the_order, audit.position
        FROM audit
        JOIN orders ON orders.id = audit.order_id
        LEFT JOIN units ON units.game = audit.game AND units.seat = 'spectator' AND units.id = audit.units
        LEFT JOIN dice ON dice.order_id = audit.order_id AND dice.visible_to IS NULL
        WHERE audit.event = 'unit.changed' AND audit.text LIKE audit.units || ': fire none → yes%'
              AND audit.counts AND audit.visible_to IS NULL
        GROUP BY audit.id ORDER BY audit.id
        """,
    ),
    Query(
        "dice_by_seat",
        "Dice by seat",
        "Number and mean of the dice each seat rolled on the current branch.",
        """
        SELECT dice.game, dice.seat, dice.dice, count(DISTINCT dice.id) AS rolls, count(*) AS pips_shown,
               round(avg(pip.value), 2) AS mean, min(pip.value) AS lowest, max(pip.value) AS highest
        FROM dice JOIN json_each(dice.pips) AS pip
        WHERE dice.counts AND dice.visible_to IS NULL
        GROUP BY dice.game, dice.seat, dice.dice ORDER BY dice.game, dice.seat, rolls DESC
        """,
    ),
    Query(
        "where_a_unit_was",
        "Path of a unit",
        "Every place of a unit on the current branch, from first to last.",
        """
        SELECT position, turn, step, seat, text, rule, at
        FROM audit
        WHERE game = :game AND units = :unit AND event IN ('unit.placed', 'unit.moved', 'unit.removed')
              AND counts AND visible_to IS NULL
        ORDER BY position
        """,
        _HARBOUR | {"unit": "syracuse-3"},
    ),
    Query(
        "an_evening_order_by_order",
        "Orders of a game",
        "Every order of a game, each in one sentence, including undone and refused orders. Refused orders are for the"
        " referee: see `refusals`.",
        """
        SELECT first AS position, turn, step, seat, iif(counts, 'stands', 'taken back') AS outcome, text, at
        FROM orders WHERE game = :game
        UNION ALL
        SELECT after, NULL, place, seat, 'refused', name || ': ' || what || ' [' || rule || ']', at
        FROM refusals WHERE game = :game
        ORDER BY 1, 7
        """,
        _HARBOUR,
    ),
    Query(
        "taken_back",
        "Undone orders",
        "Orders of all games that a rewind or undo removed.",
        """
        SELECT game, first AS position, turn, step, seat, text, at
        FROM orders WHERE NOT counts ORDER BY game, first
        """,
    ),
    Query(
        "losses",
        "Losses",
        "Units that have left play: side, fate and ordering seat.",
        """
        SELECT audit.game, audit.turn, units.side, units.kind, audit.units AS unit, units.fate,
               orders.seat AS by_order_of, orders.text AS the_order, audit.position
        FROM audit
        JOIN orders ON orders.id = audit.order_id
        JOIN units ON units.game = audit.game AND units.seat = 'spectator' AND units.id = audit.units
        WHERE audit.event = 'unit.removed' AND audit.counts AND audit.visible_to IS NULL
        ORDER BY audit.game, audit.position
        """,
    ),
    Query(
        "an_account",
        "Changes of an account",
        "Gains and losses of an account, order by order.",
        """
        SELECT audit.position, audit.turn, audit.step, audit.seat, audit.text, orders.text AS the_order
        FROM audit JOIN orders ON orders.id = audit.order_id
        WHERE audit.game = :game AND audit.event = 'account.changed' AND audit.text LIKE :account || ' %'
              AND audit.counts AND audit.visible_to IS NULL
        ORDER BY audit.position
        """,
        _HARBOUR | {"account": "vp/athens"},
    ),
    Query(
        "disputes_with_their_records",
        "Disputes and contested records",
        "Each contested record, with the ruling on its dispute.",
        """
        SELECT disputes.game, disputes.dispute, disputes.state, disputes.seat, disputes.claim, audit.position,
               iif(audit.visible_to IS NULL, audit.text, 'a secret record') AS contested, disputes.ruling,
               disputes.reason
        FROM disputes
        LEFT JOIN contested ON contested.dispute_id = disputes.id
        LEFT JOIN audit ON audit.id = contested.record_id
        ORDER BY disputes.id, audit.id
        """,
    ),
    Query(
        "rulings_on_a_rule",
        "Rulings on a rule",
        "Rulings in all games, found by a part of the rule number, so that the same question gets the same ruling.",
        """
        SELECT game, position, rule, ruling, reason, grounds, overrides, seat, counts
        FROM rulings WHERE instr(rule || ' ' || overrides, :rule) ORDER BY game, position
        """,
        {"rule": "5.1"},
    ),
    Query(
        "what_is_refused",
        "Most frequent refusals",
        "Refused orders counted by title and rule. For the referee.",
        """
        SELECT game.title, refusals.name AS the_order, refusals.rule, count(*) AS times,
               min(refusals.what) AS for_instance
        FROM refusals JOIN game ON game.id = refusals.game
        GROUP BY 1, 2, 3 ORDER BY times DESC, 1, 2, 3
        """,
    ),
    Query(
        "pace",
        "Pace of a game",
        "Orders by turn and seat, with the times of the first and last record.",
        """
        SELECT game, turn, seat, count(*) AS orders, sum(NOT counts) AS taken_back, min(at) AS began, max(at) AS ended
        FROM orders WHERE game = :game GROUP BY game, turn, seat ORDER BY turn, seat
        """,
        _HARBOUR,
    ),
    Query(
        "search",
        "Search the audit trail",
        'Full text, in the order of play: words, "adjacent words", beginnings*.',
        """
        SELECT audit.game, audit.position, audit.turn, audit.step, audit.seat, audit.text, audit.rule, audit.counts
        FROM audit_fts JOIN audit ON audit.id = audit_fts.rowid
        WHERE audit_fts MATCH iif(trim(:words) = '', '""', :words) AND audit.visible_to IS NULL
        ORDER BY audit.id LIMIT 200
        """,
        {"words": "fire"},
    ),
)
