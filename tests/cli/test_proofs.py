"""Check `umpire prove`: a proof of one record for a reader who has only a checkpoint."""

from pathlib import Path

import pytest

import umpire_ledger as umpire
from tests.at_least_one import at_least_one
from tests.cli.terminal import Answer, Terminal
from tests.face.testing import FIXTURES

WHOLE = FIXTURES / "formats" / "1-edge" / "ford.whole.jsonl"
"""A game with a choice that Red sealed and a secret seed."""


def refused(answer: Answer, code: int, *, what: str, do: str, rule: str = "") -> None:
    """Check that an answer is printed as an error: its fault, then place and rule if it has them, and its remedy."""
    assert answer.code == code, answer
    parts = dict(line.strip().split(":", 1) for line in answer.err.splitlines())
    assert list(parts) == [part for part in ("Error", "at", "rule", "do") if part in parts], answer
    assert what in parts["Error"], answer
    assert rule in parts.get("rule", ""), answer
    assert do in parts["do"], answer


@pytest.fixture
def ford_played(terminal: Terminal) -> Terminal:
    """Return a game with secrets, and Blue's checkpoint of its first 12 records."""
    terminal.ok("import", str(WHOLE))
    with umpire.open(terminal.folder / "umpire.db", read_only=True) as desk:
        (entry,) = desk.games()
        terminal.write("blue.checkpoint", desk.game(entry.game).checkpoint(12).text())
        terminal.write("now.checkpoint", desk.game(entry.game).checkpoint().text())
    return terminal


def secrets(terminal: Terminal) -> list[tuple[str, int, tuple[str, ...]]]:
    """Return the private records as (game, position, seats that may see it)."""
    with umpire.open(terminal.folder / "umpire.db", read_only=True) as desk:
        (entry,) = desk.games()
        records = desk.game(entry.game).ledger.records(entry.game)
        return [(entry.game, one.position, one.visible_to) for one in records if one.visible_to is not None]


class TestAProof:
    def test_proof_is_verified_with_only_the_checkpoint(self, ford_played: Terminal) -> None:
        game, *_ = secrets(ford_played)[0]
        said = ford_played.ok("prove", game, "#7", "--checkpoint", "blue.checkpoint", "-o", "7.proof")
        assert f"7.proof: #7 of {game}, 4 steps up to the root " in said.out
        (ford_played.folder / "umpire.db").unlink()
        checked = ford_played.ok("verify", "7.proof", "--checkpoint", "blue.checkpoint")
        assert checked.out.startswith(f"VALID: #7 of {game} stands in the history of this checkpoint\n")
        assert "\n  event: {" in checked.out
        assert "over 12 records" in checked.out

    def test_is_printed_for_a_dash_and_led_to_the_present_checkpoint(self, ford_played: Terminal) -> None:
        game, *_ = secrets(ford_played)[0]
        ford_played.write("7.proof", ford_played.ok("prove", game, "7", "-o", "-").out)
        found = ford_played.ok("verify", "7.proof", "--checkpoint", "now.checkpoint", "--json").json
        assert (found["verdict"], found["game"], found["position"]) == ("VALID", game, 7)
        assert found["record"]["position"] == 7
        made = ford_played.ok("prove", game, "7", "--json", "-o", "-").json
        of_the_check = {"verdict", "witnessed", "signatures_not_checked"}
        assert made == {**{name: found[name] for name in found if name not in of_the_check}, "file": None}

    def test_proof_for_a_seat_hides_secrets_and_is_valid(self, ford_played: Terminal) -> None:
        """Prove the event to seats that may see it, and only the hashes to all others."""
        seen = set[bool]()
        for game, position, visible_to in at_least_one(secrets(ford_played)):
            for seat in ("red", "blue", "spectator"):
                printed = ford_played.ok("prove", game, str(position), "--as", seat, "-o", "-").out
                ford_played.write("one.proof", printed)
                ford_played.ok("verify", "one.proof", "--checkpoint", "now.checkpoint")
                assert ('"event":' in printed) == ('"salt":' in printed) == (seat in visible_to)
                assert '"cause":' not in printed or seat in visible_to
                seen.add(seat in visible_to)
        assert seen == {True, False}

    def test_of_a_withheld_record_says_so(self, ford_played: Terminal) -> None:
        game, position, _ = secrets(ford_played)[0]
        said = ford_played.ok("prove", game, str(position), "--as", "spectator", "-o", "one.proof")
        assert "withheld: what happened; its hash is proved" in said.out
        checked = ford_played.ok("verify", "one.proof", "--checkpoint", "now.checkpoint")
        assert "withheld: what happened; its hash is proved" in checked.out
        assert "event:" not in checked.out

    def test_in_python(self, ford_played: Terminal) -> None:
        game, *_ = secrets(ford_played)[0]
        with umpire.open(ford_played.folder / "umpire.db", read_only=True) as desk:
            played = desk.game(game)
            for proof in (played.prove(7), played.seat("red").prove(7, played.checkpoint(9))):
                assert umpire.verify_proof(proof, proof.checkpoint).record.position == 7
            with pytest.raises(umpire.NoSuchSeat):
                played.prove(7, seat="purple")


class TestBadInput:
    def test_proof_of_an_unknown_record_or_game_is_refused(self, ford_played: Terminal) -> None:
        game, *_ = secrets(ford_played)[0]
        refused(
            ford_played.type("prove", game, "999", "-o", "-"), 6, what="no record #999", do="give a position from 1 to"
        )
        refused(ford_played.type("prove", game, "0", "-o", "-"), 6, what="no record #0", do="give a position from 1 to")
        refused(ford_played.type("prove", "frod", "1", "-o", "-"), 6, what="no game frod", do="did you mean ford?")
        refused(
            ford_played.type("prove", game, "1", "--as", "purple", "-o", "-"),
            3,
            what="no seat purple",
            do="name one of",
        )
        assert ford_played.type("prove", game, "seven", "-o", "-").code == 2
        missing = ford_played.type("prove", game, "1", "--checkpoint", "none.txt", "-o", "-")
        refused(missing, 2, what="none.txt cannot be read", do="check the path")

    def test_checkpoint_too_short_or_of_another_history_is_refused(self, ford_played: Terminal) -> None:
        game, *_ = secrets(ford_played)[0]
        words = ("prove", game, "14", "-o", "14.proof", "--checkpoint")
        answer = ford_played.type(*words, "blue.checkpoint")
        refused(answer, 2, what="made of 12 records, before #14 was one", do="a checkpoint of 14 records or more")
        kept = (ford_played.folder / "now.checkpoint").read_text()
        ford_played.write("other.checkpoint", kept.replace(f"umpire/{game}", "umpire/other"))
        refused(
            ford_played.type(*words, "other.checkpoint"), 2, what="of another game, other", do=f"checkpoint of {game}"
        )
        size = int(kept.split("\n")[1])
        ford_played.write("longer.checkpoint", kept.replace(f"\n{size}\n", f"\n{size + 1}\n"))
        refused(ford_played.type(*words, "longer.checkpoint"), 5, what=f"and {size} are here", do="has them all")
        ford_played.write("forged.checkpoint", kept.replace(f"\n{size}\n", f"\n{size - 1}\n"))
        refused(ford_played.type(*words, "forged.checkpoint"), 5, what="not those that", do=f"umpire verify {game}")
        assert not (ford_played.folder / "14.proof").exists()

    def test_invalid_proof_is_refused(self, ford_played: Terminal) -> None:
        game, *_ = secrets(ford_played)[0]
        ford_played.ok("prove", game, "7", "--checkpoint", "blue.checkpoint", "-o", "7.proof")
        checked = ("verify", "7.proof", "--checkpoint")
        refused(
            ford_played.type("verify", "7.proof"), 2, what="says nothing without a checkpoint", do="--checkpoint FILE"
        )
        answer = ford_played.type(*checked, "now.checkpoint")
        refused(
            answer, 5, what="a checkpoint of 12 records", do="the checkpoint that it was made for", rule="section 11"
        )
        file = Path(ford_played.folder / "7.proof")
        file.write_bytes(file.read_bytes().replace(b'"seat":"', b'"seat":"x'))
        answer = ford_played.type(*checked, "blue.checkpoint")
        refused(answer, 5, what="does not lead to the checkpoint's root", do="undamaged copy", rule="section 11")
        assert ford_played.type(*checked, "blue.checkpoint", "--json").error["error"] == "broken"

    def test_proof_cannot_be_imported_as_a_log(self, ford_played: Terminal) -> None:
        game, *_ = secrets(ford_played)[0]
        ford_played.ok("prove", game, "7", "-o", "7.proof")
        refused(ford_played.type("import", "7.proof"), 5, what="this is not a replay log", do="`export`")


class TestOpen:
    def test_redacted_log_is_completed_by_keys_or_the_whole_log(self, ford_played: Terminal) -> None:
        game, *_ = secrets(ford_played)[0]
        for seat in ("red", "blue", "spectator"):
            ford_played.ok("export", game, "--as", seat, "-o", "theirs.jsonl")
            ford_played.ok("export", game, "--whole", "-o", "whole.jsonl")
            assert "to private records of" in ford_played.ok("export", game, "--keys", "--whole", "-o", "all.keys").out
            for keys in ("all.keys", "whole.jsonl"):
                said = ford_played.ok("open", "theirs.jsonl", keys, "-o", "opened.jsonl").out
                assert "still withheld: 0 private, 0 public" in said
                opened, whole = (
                    Path(ford_played.folder / name).read_bytes() for name in ("opened.jsonl", "whole.jsonl")
                )
                assert opened == whole
        assert ford_played.ok("verify", "opened.jsonl").out.startswith("VALID (hashes only")

    def test_keys_of_a_seat_give_its_own_export(self, ford_played: Terminal) -> None:
        game, *_ = secrets(ford_played)[0]
        ford_played.ok("export", game, "--as", "spectator", "-o", "public.jsonl")
        for seat in ("red", "blue", "referee"):
            ford_played.ok("export", game, "--as", seat, "-o", "theirs.jsonl")
            number = ford_played.ok("export", game, "--keys", "--as", seat, "-o", "their.keys", "--json").json["keys"]
            said = ford_played.ok("open", "public.jsonl", "their.keys", "-o", "opened.jsonl", "--json").json
            assert said["opened"] == number
            assert said["private_withheld"] == len(secrets(ford_played)) - number
            theirs = (ford_played.folder / "theirs.jsonl").read_text()
            assert (ford_played.folder / "opened.jsonl").read_text() == theirs
            assert ford_played.ok("open", "public.jsonl", "their.keys", "-o", "-").out == theirs

    def test_keys_show_a_seat_no_secret_of_others(self, ford_played: Terminal) -> None:
        for game, position, visible_to in at_least_one(secrets(ford_played)):
            for seat in ("red", "blue", "spectator"):
                printed = ford_played.ok("export", game, "--keys", "-o", "-", "--as", seat).out
                assert (f'"position":{position},' in printed) == (seat in visible_to)
        refused(
            ford_played.type("export", game, "--keys", "--whole", "-o", "x.keys", "--as", "blue"),
            3,
            what="holds what blue may not see",
            do="let the referee move the game",
        )

    def test_wrong_keys_are_refused_and_nothing_is_written(self, ford_played: Terminal) -> None:
        game, position, _ = secrets(ford_played)[0]
        ford_played.ok("export", game, "--as", "spectator", "-o", "public.jsonl")
        ford_played.ok("export", game, "--keys", "--whole", "-o", "all.keys")
        keys = (ford_played.folder / "all.keys").read_text()
        ford_played.write("wrong.keys", keys.replace('"salt":"', '"salt":"0000', 1))
        answer = ford_played.type("open", "public.jsonl", "wrong.keys", "-o", "opened.jsonl")
        refused(answer, 5, what=f"the keys do not fit #{position}", do="of this very history", rule="section 12")
        ford_played.write("other.keys", keys.replace(f'"game":"{game}"', '"game":"other"'))
        answer = ford_played.type("open", "public.jsonl", "other.keys", "-o", "opened.jsonl")
        refused(answer, 5, what="keys to another game, other", do=f"give keys to {game}", rule="section 12")
        ford_played.ok("seal", game, "--as", "red", "-o", "no.keys")
        answer = ford_played.type("open", "public.jsonl", "no.keys", "-o", "opened.jsonl")
        refused(answer, 5, what="holds no keys", do="umpire export --keys", rule="section 12")
        answer = ford_played.type("open", "public.jsonl", "missing.keys", "-o", "opened.jsonl")
        refused(answer, 2, what="missing.keys cannot be read", do="check the path")
        answer = ford_played.type("open", "all.keys", "all.keys", "-o", "opened.jsonl")
        refused(answer, 5, what="this is not a replay log", do="`export`")
        assert ford_played.type("open", "public.jsonl", "all.keys").code == 2
        assert ford_played.type("export", "--all", "logs", "--keys").code == 2
        assert not (ford_played.folder / "opened.jsonl").exists()
