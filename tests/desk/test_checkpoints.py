"""Checkpoints signed by several seats: the history each signature confirms, and forged signatures."""

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import given, strategies as st
from msgspec.structs import replace

import umpire_ledger as umpire
from tests.desk.game import FORD
from tests.desk.test_keys import BLUE, OTHER, RED, exported, signer
from tests.face.desk import keep_note, read_note
from tests.face.ledger import Signature, SignedNote


@pytest.fixture
def ford(tmp_path: Path) -> Iterator[umpire.PlayedGame]:
    """Both sides have keys, and both keys are on this machine."""
    with umpire.open(tmp_path / "club.ledger") as desk:
        desk.signer = signer(RED, BLUE)
        keys = {"red": RED.key.text(), "blue": BLUE.key.text()}
        game = desk.new_from_text("freeform", FORD, id="ford", dice="table", keys=keys)
        game.seat("red").order("move", unit="r1", path=["0201"])
        yield game


def sealed(game: umpire.PlayedGame) -> SignedNote:
    """Return the signed checkpoint that red keeps."""
    outcome, _ = game.seat("red").seal()
    return game.signed_checkpoint("red", outcome.position)


class TestSignatures:
    def test_cosigned_checkpoint_verifies_after_further_play(self, ford: umpire.PlayedGame, tmp_path: Path) -> None:
        note = ford.cosigned(sealed(ford), "blue")
        ford.seat("blue").note("and on we go")
        found = umpire.verify(exported(ford, tmp_path), checkpoint=note)
        assert [(one.seat, one.key) for one in found.vouching] == [("red", RED.key.short), ("blue", BLUE.key.short)]
        assert found.valid
        assert ford.verify(note).vouching == found.vouching
        first, *others = found.known
        assert first == f"signed by red, blue up to #{note.checkpoint.size}"
        assert not [one for one in others if "by red" in one], "its signed orders vouch for less"
        assert found.verdict.size == note.checkpoint.size + 1

    def test_exported_log_shows_the_seat_and_root_of_each_seal(self, ford: umpire.PlayedGame, tmp_path: Path) -> None:
        size = ford.size
        sealed(ford)
        assert [(one.seat, one.vouches) for one in umpire.verify(exported(ford, tmp_path)).signed] == [("red", size)]

    def test_bare_checkpoint_is_read_without_signatures(self, ford: umpire.PlayedGame, tmp_path: Path) -> None:
        (tmp_path / "bare").write_text(ford.checkpoint().text())
        assert umpire.read_checkpoint(tmp_path / "bare") == ford.checkpoint()
        assert umpire.verify(exported(ford, tmp_path), checkpoint=read_note(tmp_path / "bare")).vouching == ()

    def test_signature_with_an_unknown_key_has_no_seat(self, ford: umpire.PlayedGame) -> None:
        note = SignedNote(ford.checkpoint().text())
        note = note.signed_by(OTHER.sign(note.text))
        assert [(one.seat, one.key) for one in ford.verify(note).vouching] == [("", OTHER.key.short)]

    def test_replaced_key_signs_no_later_history(self, ford: umpire.PlayedGame, tmp_path: Path) -> None:
        before = sealed(ford)
        ford.referee.order("give-key", who="red", key=OTHER.key.text(), reason="the laptop was stolen")
        ford.seat("blue").note("and on we go")
        note = SignedNote(ford.checkpoint().text())
        note = note.signed_by(RED.sign(note.text), OTHER.sign(note.text))
        found = umpire.verify(exported(ford, tmp_path), checkpoint=note)
        assert [(one.seat, one.elsewhere) for one in found.vouching] == [("", "red"), ("red", "")]
        assert [one.seat for one in ford.verify(before).vouching] == ["red"]

    def test_key_given_later_does_not_confirm_earlier_signatures(self, ford: umpire.PlayedGame) -> None:
        note = SignedNote(ford.checkpoint().text())
        note = note.signed_by(OTHER.sign(note.text))
        ford.referee.order("give-key", who="red", key=OTHER.key.text(), reason="the laptop was stolen")
        found = ford.verify(note)
        assert [(one.seat, one.elsewhere) for one in found.vouching] == [("", "red")]
        assert any(one.endswith(f"#{note.checkpoint.size}") and "red" not in one for one in found.known)

    def test_signature_for_another_checkpoint_is_refused(self, ford: umpire.PlayedGame) -> None:
        earlier = sealed(ford)
        ford.seat("red").note("later")
        moved = SignedNote(ford.checkpoint().text(), earlier.signatures)
        with pytest.raises(umpire.BrokenLedger) as broken:
            ford.verify(moved)
        assert broken.value.position == ford.size
        assert re.search(r"\bred\b", broken.value.what)

    def test_invalid_key_in_the_log_confirms_no_signature(self, ford: umpire.PlayedGame, tmp_path: Path) -> None:
        from tests.desk.test_keys import forged  # noqa: PLC0415 -- this test alone

        file = exported(ford, tmp_path)

        def change(records: list[object]) -> None:
            for at, one in enumerate(records):
                event = bytes(one.event).replace(BLUE.key.text().encode(), b"blue")  # type: ignore[attr-defined]
                records[at] = replace(one, event=type(one.event)(event))  # type: ignore[type-var, attr-defined]

        checked = forged(file, change)  # type: ignore[arg-type]
        note = SignedNote(f"umpire/ford\n{checked.verdict.size}\n{'A' * 43}=\n")
        assert umpire.verify(file, checkpoint=note).vouching == ()


class TestCosigning:
    def refused(self, act: Callable[[], object], *, seat: str, do: str) -> None:
        with pytest.raises(umpire.Refused) as refusal:
            act()
        assert refusal.value.rule == "keys"
        assert seat in refusal.value.what
        assert f"`{do}`" in refusal.value.remedy

    def test_checkpoint_of_another_history_is_not_signed(self, ford: umpire.PlayedGame) -> None:
        note = sealed(ford)
        for other in (
            replace(note.checkpoint, root=bytes(32)),
            replace(note.checkpoint, size=900),
            replace(note.checkpoint, game="other"),
        ):
            with pytest.raises(umpire.BrokenLedger) as broken:
                ford.cosigned(SignedNote(other.text()), "blue")
            assert (broken.value.position, broken.value.expected) == (other.size, other.hex)

    def test_seat_signs_only_with_its_own_key(self, ford: umpire.PlayedGame) -> None:
        note = sealed(ford)
        ford.desk.signer = signer(RED)
        self.refused(lambda: ford.cosigned(note, "blue"), seat="blue", do="umpire key list")
        self.refused(lambda: ford.cosigned(note, "referee"), seat="referee", do="give-key")

    def test_signatures_of_the_same_checkpoint_are_merged(self, ford: umpire.PlayedGame, tmp_path: Path) -> None:
        note, file = sealed(ford), tmp_path / "kept"
        keep_note(file, note)
        keep_note(file, SignedNote(note.text, (BLUE.sign(note.text),)))
        assert [one.name for one in read_note(file).signatures] == ["red", "blue"]
        keep_note(file, note)
        assert [one.name for one in read_note(file).signatures] == ["red", "blue"]
        keep_note(file, SignedNote(ford.checkpoint(1).text()))
        assert read_note(file).signatures == ()

    def test_file_other_than_a_note_is_overwritten_and_not_read(self, tmp_path: Path) -> None:
        file = tmp_path / "kept"
        file.write_text("hello")
        with pytest.raises(umpire.WrongUse) as refusal:
            read_note(file)
        assert str(file) in refusal.value.what
        keep_note(file, SignedNote(f"umpire/ford\n1\n{'A' * 43}=\n"))
        assert read_note(file).checkpoint.size == 1


NOTE = "This is an example message.\n"
LINE = (
    "— example.com/foo Uw2QOkn8srV1yJGh2VYRlL1Tnagv1YEq6TfXppzi2ONncAlTgK7Ztg1ERYNZXsYjOBH3mFXmRKuwHjG1Yu72IneyaQM=\n"
)


class TestSignedNotes:
    def test_published_example_is_read_and_written(self) -> None:
        note = SignedNote.read(f"{NOTE}\n{LINE}")
        assert (note.text, note.signatures[0].name, note.written()) == (NOTE, "example.com/foo", f"{NOTE}\n{LINE}")

    @pytest.mark.parametrize(
        "text",
        [
            "",
            "no line feed",
            f"{NOTE}\n",
            f"{NOTE}\n{LINE}more",
            f"{NOTE}\n{LINE.replace('— ', '- ')}",
            f"{NOTE}\n— foo !!!!\n",
            f"{NOTE}\n— foo AAAA=\n",
            f"{NOTE}\n— foo AAAA\n",
            f"a\x01b\n\n{LINE}",
            f"{NOTE}\n{LINE * 101}",
        ],
    )
    def test_malformed_note_is_refused(self, text: str) -> None:
        with pytest.raises(ValueError) as refusal:  # noqa: PT011 -- its class is all it has besides its words
            SignedNote.read(text)
        assert type(refusal.value) is ValueError, "not one of its kinds, such as a fault of base64"

    @given(st.lists(st.tuples(st.text("abc.", min_size=1), st.binary(min_size=4, max_size=4), st.binary(min_size=1))))
    def test_written_note_is_read_back(self, lines: list[tuple[str, bytes, bytes]]) -> None:
        note = SignedNote(NOTE, tuple(Signature(*one) for one in lines[:100]))
        assert SignedNote.read(note.written()) == note
