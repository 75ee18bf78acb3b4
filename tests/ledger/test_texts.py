"""The sentences of the ledger that tell why it refuses: the only place that pins them."""

from __future__ import annotations

import io
import sqlite3
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from tests.face.ledger import BrokenLedger, BrokenProof, CannotBeWritten, Checkpoint, Draft, Ledger, Proof
from tests.ledger.table import Numbers, number, open_table, play
from tests.ledger.test_inclusion_proof import EXAMPLE, example_proof, prove
from tests.ledger.test_replay_log import export, forge, record_with, verify
from umpire_ledger.ledger import replay_log

Ask = Callable[[Path], str]


def unwritten(drafts: Sequence[Draft], game_id: str = "g") -> Ask:
    """Return why an order of these drafts is not written."""

    def ask(_: Path) -> str:
        with open_table() as ledger, pytest.raises(CannotBeWritten) as refusal:
            ledger.append(game_id, after=0, seat="a", command="c", drafts=drafts)
        return refusal.value.what

    return ask


def unproven(other: Checkpoint) -> Ask:
    """Return why the proof in FORMAT.md does not lead to a checkpoint."""

    def ask(_: Path) -> str:
        with pytest.raises(BrokenProof) as refusal:
            Proof.read(example_proof()).verify(other)
        return str(refusal.value)

    return ask


def verdict(checkpoint: Callable[[Ledger[Numbers]], Checkpoint]) -> Ask:
    """Return why the log of a game of three records is not what a checkpoint was made of."""

    def ask(_: Path) -> str:
        with open_table() as ledger:
            play(ledger, "g", [1], [2], [3])
            return verify(export(ledger), checkpoint(ledger)).reason

    return ask


def rewritten(ledger: Ledger[Numbers]) -> Checkpoint:
    """Return the checkpoint of a game with the same id and size, but other records."""
    with open_table() as other:
        play(other, "g", [4], [5], [6])
        return other.checkpoint("g", 2)


def other_history(_: Path) -> str:
    with open_table() as ledger:
        play(ledger, "g", [1], [2])
        with pytest.raises(BrokenLedger) as broken:
            prove(ledger, "g", 1, Checkpoint(game="g", size=2, root=bytes(32)))
        return str(broken.value)


def no_records(_: Path) -> str:
    with open_table() as ledger, pytest.raises(BrokenLedger) as broken:
        replay_log.read_into(ledger, io.BytesIO(forge([])))
    return broken.value.reason


def other_index(folder: Path) -> str:
    file = str(folder / "umpire.db")
    with open_table(file) as ledger:
        play(ledger, "g", [1], [2], [3])
    raw = sqlite3.connect(file)
    raw.execute("DROP TRIGGER record_stays")
    raw.execute("UPDATE record SET follows = 1 WHERE position = 3")
    raw.commit()
    raw.close()
    with open_table(file) as ledger:
        return ledger.verify("g").reason


CAUSED = Draft(event=b"{}", cause=b"{}")
TOLD: tuple[tuple[str, Ask, str], ...] = (
    ("an order without events", unwritten([]), "an order without events"),
    ("two causes", unwritten([CAUSED, CAUSED]), "an order with two causes"),
    ("not a seat", unwritten([number(1, visible_to=("",))]), "cannot be a seat"),
    ("cannot follow", unwritten([number(1, follows=1)]), "#1 cannot follow #1"),
    ("game id", unwritten([number(1)], "two words"), "'two words' cannot be the id of a game"),
    ("an event that is no object", unwritten([Draft(event=b"[]")]), "event"),
    ("index does not fit", other_index, "the store's index does not match the record"),
    ("log without records", no_records, "the log has no records"),
    (
        "records of an order apart",
        lambda _: verify(forge([record_with(at, f"c{at % 2}") for at in range(1, 4)])).reason,
        "the records of an order are not consecutive",
    ),
    (
        "checkpoint of another game",
        verdict(lambda ledger: Checkpoint(game="h", size=3, root=ledger.checkpoint("g").root)),
        "the checkpoint belongs to another game",
    ),
    (
        "rewritten history",
        verdict(rewritten),
        "history differs from the checkpoint at #2: record #2 was changed",
    ),
    (
        "proof for another game",
        unproven(Checkpoint(game="other", size=3, root=EXAMPLE.root)),
        "the checkpoint belongs to another game, other",
    ),
    (
        "proof for another size",
        unproven(Checkpoint(game=EXAMPLE.game, size=2, root=EXAMPLE.root)),
        "it leads to a checkpoint at #3, not to the one at #2",
    ),
    (
        "another root",
        unproven(Checkpoint(game=EXAMPLE.game, size=3, root=bytes(32))),
        "it leads to a different root, so to a different history",
    ),
    ("proof in another history", other_history, "its first 2 records differ from the checkpoint"),
)


@pytest.mark.parametrize(("ask", "sentence"), [row[1:] for row in TOLD], ids=[row[0] for row in TOLD])
def test_ledger_refuses_in_this_sentence(tmp_path: Path, ask: Ask, sentence: str) -> None:
    assert sentence in ask(tmp_path)
