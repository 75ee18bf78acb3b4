"""A witness: a ledger cannot show two histories of one game under the signature of one witness."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import given, strategies as st
from msgspec.structs import replace

import umpire_ledger as umpire
from tests.desk.game import FORD
from tests.desk.test_keys import BLUE, OTHER, RED, signer
from tests.face.desk import (
    KeyFolder,
    NotWitnessed,
    Submission,
    Witness,
    cosigned_by,
    new_witness,
    read_witness,
)
from tests.face.domain import SeatKey
from tests.face.ledger import (
    CompactRange,
    SignedNote,
    consistency_path,
    extends,
    sha256,
)

MONDAY = 1_795_392_000


@pytest.fixture
def ford(tmp_path: Path) -> Iterator[umpire.PlayedGame]:
    with umpire.open(tmp_path / "club.ledger") as desk:
        desk.signer = signer(RED)
        yield desk.new_from_text("freeform", FORD, id="ford", dice="table", keys={"red": RED.key.text()})


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "tower"


@pytest.fixture
def tower(folder: Path) -> Witness:
    new_witness(folder, "tower", keys(folder))
    return Witness(folder, keys(folder), lambda: MONDAY)


def keys(folder: Path) -> KeyFolder:
    return KeyFolder(folder, lambda _: "")


def asked(game: umpire.PlayedGame, old: int, at: int | None = None) -> Submission:
    return game.submission(game.signed_checkpoint("red", at), old)


def refused(tower: Witness, request: Submission, status: int, *named: str, size: int = 0) -> NotWitnessed:
    """Check the status, size and names of a refusal, which leaves the newest checkpoint of the witness unchanged."""
    before = tower.newest("ford")
    with pytest.raises(NotWitnessed) as refusal:
        tower.add(request)
    assert (refusal.value.status, refusal.value.rule, refusal.value.size) == (status, "witness", size)
    assert all(name in f"{refusal.value.what} {refusal.value.remedy}" for name in named), refusal.value.what
    assert tower.newest("ford") == before
    return refusal.value


class TestStory:
    def test_witness_cosigns_a_growing_log(self, ford: umpire.PlayedGame, tower: Witness, folder: Path) -> None:
        first = asked(ford, 0)
        note = first.note.signed_by(tower.add(first))
        assert [one.at for one in cosigned_by(note, [tower.key])] == [MONDAY]
        known = ford.size
        for _ in range(5):
            ford.seat("red").note("on we go")
        tower.add(asked(ford, known))
        assert tower.newest("ford") == ford.checkpoint()
        assert Witness(folder, keys(folder)).newest("ford") == ford.checkpoint()  # it was kept
        again = asked(ford, ford.size)
        tower.add(again)  # the same once more

    def test_log_that_was_rolled_back_is_refused(self, ford: umpire.PlayedGame, tower: Witness) -> None:
        before = ford.size
        ford.seat("red").note("I attack")
        tower.add(asked(ford, 0))
        refused(tower, asked(ford, 0, before), 409, f"#{ford.size}", "--old", size=ford.size)
        forced = replace(asked(ford, 0, before), old=ford.size)
        refused(tower, forced, 400)

    def test_another_history_is_refused(self, ford: umpire.PlayedGame, tower: Witness, tmp_path: Path) -> None:
        """Play on in the ledger and in its copy."""
        ford.desk.backup(tmp_path / "copy.ledger")
        known = ford.size
        ford.seat("red").note("I attack")
        tower.add(asked(ford, 0))
        with umpire.open(tmp_path / "copy.ledger") as desk:
            desk.signer = signer(RED)
            copy = desk.game("ford")
            copy.seat("red").note("I retreat")
            refused(tower, asked(copy, ford.size), 409, f"#{ford.size}", size=ford.size)
            copy.seat("red").note("and again")
            grown = replace(asked(copy, known), old=ford.size)
            refused(tower, grown, 422, f"#{ford.size}")

    def test_witness_trusts_only_the_given_keys(self, ford: umpire.PlayedGame, tower: Witness) -> None:
        tower.trust("other", OTHER.key.text())
        refused(tower, asked(ford, 0), 404)
        tower.trust("ford", OTHER.key.text())
        refused(tower, asked(ford, 0), 403, OTHER.key.short)
        moved = SignedNote(ford.checkpoint().text(), (RED.sign("another text\n"),))
        tower.trust("ford", RED.key.text())
        refused(tower, ford.submission(moved, 0), 403, RED.key.short)
        tower.add(asked(ford, 0))

    def test_request_for_another_history_is_refused(self, ford: umpire.PlayedGame) -> None:
        other = replace(ford.checkpoint(), root=bytes(32))
        with pytest.raises(umpire.BrokenLedger) as broken:
            ford.submission(SignedNote(other.text()), 0)
        assert (broken.value.expected, broken.value.found) == (other.hex, ford.checkpoint().hex)
        with pytest.raises(umpire.CannotBeWritten) as refusal:
            ford.submission(SignedNote(ford.checkpoint().text()), 900)
        assert "#900" in refusal.value.what


class TestMade:
    def wrong(self, act: Callable[[], object], where: str, rule: str = "witness") -> None:
        with pytest.raises(umpire.WrongUse) as refusal:
            act()
        assert (refusal.value.where, refusal.value.rule) == (where, rule)

    def test_folder_has_one_witness(self, tower: Witness, folder: Path, tmp_path: Path) -> None:
        self.wrong(lambda: new_witness(folder, "second", keys(folder)), str(folder))
        self.wrong(lambda: Witness(tmp_path / "none", keys(tmp_path / "none")), str(tmp_path / "none"))

    def test_invalid_key_is_not_trusted(self, tower: Witness, folder: Path) -> None:
        self.wrong(lambda: tower.trust("ford", "red"), "keys", rule="keys")
        (folder / "logs").mkdir()
        with pytest.raises(umpire.WrongUse) as refusal:
            tower.trust("ford", RED.key.text())
        assert str(folder / "logs") in refusal.value.what

    def test_witness_key_differs_in_kind_from_a_seat_key(self, tower: Witness) -> None:
        assert read_witness(tower.key.text()) == tower.key
        self.wrong(lambda: read_witness(RED.key.text()), "keys")
        self.wrong(lambda: read_witness("tower"), "keys")

    def test_witness_without_cosignature_is_not_accepted(self, ford: umpire.PlayedGame, tower: Witness) -> None:
        note = asked(ford, 0).note
        self.not_cosigned(note, tower.key)
        borrowed = note.signed_by(tower.add(asked(ford, 0)))
        ford.seat("red").note("later")
        moved = SignedNote(ford.checkpoint().text(), borrowed.signatures)
        self.not_cosigned(moved, tower.key)
        self.not_cosigned(borrowed, SeatKey("tower", BLUE.key.public, 4))

    def not_cosigned(self, note: SignedNote, key: SeatKey) -> None:
        with pytest.raises(NotWitnessed) as refusal:
            cosigned_by(note, [key])
        assert refusal.value.status == 403
        assert key.short in refusal.value.what


class TestRequests:
    def test_written_request_is_read_back(self, ford: umpire.PlayedGame) -> None:
        for _ in range(3):
            ford.seat("red").note("on we go")
        one = asked(ford, 2)
        assert one.path
        assert Submission.read(one.written()) == one
        bare = ford.submission(SignedNote(ford.checkpoint().text()), 0)
        assert Submission.read(bare.written()) == bare

    @pytest.mark.parametrize(
        "text",
        [
            "",
            "old 0\n",
            "old 0\n\nhello\n",
            "old 01\n\numpire/ford\n0\n47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=\n",
            "new 0\n\numpire/ford\n0\n47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=\n",
            "old 0\n????\n\numpire/ford\n0\n47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=\n",
            "old 0\nAAAA\n\numpire/ford\n0\n47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=\n",
        ],
    )
    def test_malformed_request_is_refused(self, text: str) -> None:
        with pytest.raises(NotWitnessed) as refusal:
            Submission.read(text)
        assert (refusal.value.status, refusal.value.rule) == (400, "witness")


LEAVES = [sha256(bytes([n])).digest() for n in range(70)]


def root(size: int) -> bytes:
    return CompactRange().grow(LEAVES[:size]).root()


class TestConsistency:
    @given(st.data())
    def test_proof_is_valid_between_its_two_roots_only(self, data: st.DataObject) -> None:
        size = data.draw(st.integers(1, len(LEAVES)))
        old = data.draw(st.integers(1, size))
        path = consistency_path(LEAVES[:size], old)
        assert extends(old, root(old), size, root(size), path)
        assert not extends(old, bytes(32), size, root(size), path)
        assert old == size or not extends(old, root(old), size, bytes(32), path)
        assert not extends(old, root(old), size, root(size), (*path, bytes(32)))
        assert not extends(size + 1, root(old), size, root(size), path)
        if path:
            assert not extends(old, root(old), size, root(size), path[:-1])
            at = data.draw(st.integers(0, len(path) - 1))
            assert not extends(old, root(old), size, root(size), (*path[:at], bytes(32), *path[at + 1 :]))

    def test_anything_extends_no_records(self) -> None:
        assert extends(0, b"", 7, root(7), ())
        assert not extends(0, b"", 7, root(7), (bytes(32),))
