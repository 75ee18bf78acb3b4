"""Check `umpire prove`: a proof of one record for a reader who has only a checkpoint."""

import re
from pathlib import Path

import pytest

import umpire_ledger as umpire
from tests.at_least_one import at_least_one
from tests.cli.terminal import Answer, Terminal
from tests.face.testing import FIXTURES
from tests.naming import Naming

WHOLE = FIXTURES / "formats" / "1-edge" / "ford.whole.jsonl"
"""A game with a choice that Red sealed and a secret seed."""
HEADER = "the log its header"


def refused(answer: Answer, code: int, *, what: Naming, do: Naming, where: str = "", section: int = 0) -> None:
    """Check an error printed as JSON: what its fault and its remedy name, its place, the section of FORMAT.md."""
    assert answer.code == code, answer
    error = answer.error
    assert (error["what"], error["remedy"], error["where"]) == (what, do, where), answer
    assert not section or error["rule"] == Naming("FORMAT.md", section), answer


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
        assert said.out.splitlines()[0] == Naming("7.proof", "#7", game, 4)
        (ford_played.folder / "umpire.db").unlink()
        checked = ford_played.ok("verify", "7.proof", "--checkpoint", "blue.checkpoint")
        assert checked.out.splitlines()[0] == Naming("VALID", game, "#7")
        assert "\n  event: {" in checked.out
        assert checked.out == Naming(12)

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
        ford_played.ok("prove", game, str(position), "--as", "spectator", "-o", "one.proof")
        checked = ford_played.ok("verify", "one.proof", "--checkpoint", "now.checkpoint")
        assert checked.out.splitlines()[0] == Naming("VALID", game, f"#{position}")
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
        last, ends = Naming(game, "#29"), Naming(1, 29)
        refused(ford_played.type_json("prove", game, "999", "-o", "-"), 6, what=Naming("#999"), do=ends, where=last)
        refused(ford_played.type_json("prove", game, "0", "-o", "-"), 6, what=Naming("#0"), do=ends, where=last)
        answer = ford_played.type_json("prove", "frod", "1", "-o", "-")
        refused(answer, 6, what=Naming("frod"), do=Naming("ford?"), where="frod")
        answer = ford_played.type_json("prove", game, "1", "--as", "purple", "-o", "-")
        assert (answer.code, answer.error["refusal_code"]) == (3, "no-such-seat")
        assert answer.error["remedy"] == Naming("referee", "red", "blue", "anna", "spectator")
        assert ford_played.type("prove", game, "seven", "-o", "-").code == 2
        missing = ford_played.type_json("prove", game, "1", "--checkpoint", "none.txt", "-o", "-")
        assert (missing.code, missing.error["refusal_code"]) == (2, "wrong-use")
        assert missing.error["what"] == Naming("none.txt", "No such file or directory")

    def test_checkpoint_too_short_or_of_another_history_is_refused(self, ford_played: Terminal) -> None:
        game, *_ = secrets(ford_played)[0]
        words = ("prove", game, "14", "-o", "14.proof", "--checkpoint")
        answer = ford_played.type_json(*words, "blue.checkpoint")
        refused(answer, 2, what=Naming(12, "#14"), do=Naming(14), where=f"{game} #14")
        kept = (ford_played.folder / "now.checkpoint").read_text()
        ford_played.write("other.checkpoint", kept.replace(f"umpire/{game}", "umpire/other"))
        answer = ford_played.type_json(*words, "other.checkpoint")
        refused(answer, 2, what=Naming("other"), do=Naming(game), where=f"{game} #14")
        size = int(kept.split("\n")[1])
        ford_played.write("longer.checkpoint", kept.replace(f"\n{size}\n", f"\n{size + 1}\n"))
        answer = ford_played.type_json(*words, "longer.checkpoint")
        refused(answer, 5, what=Naming(size + 1, size), do=Naming(), where=f"{game} #{size}")
        ford_played.write("forged.checkpoint", kept.replace(f"\n{size}\n", f"\n{size - 1}\n"))
        answer = ford_played.type_json(*words, "forged.checkpoint")
        refused(answer, 5, what=Naming(f"#{size - 1}", size - 1), do=Naming(game), where=f"{game} #{size - 1}")
        assert not (ford_played.folder / "14.proof").exists()

    def test_invalid_proof_is_refused(self, ford_played: Terminal) -> None:
        game, *_ = secrets(ford_played)[0]
        ford_played.ok("prove", game, "7", "--checkpoint", "blue.checkpoint", "-o", "7.proof")
        checked = ("verify", "7.proof", "--checkpoint")
        answer = ford_played.type_json("verify", "7.proof")
        refused(answer, 2, what=Naming(), do=Naming("--checkpoint FILE"), where="7.proof", section=11)
        answer = ford_played.type_json(*checked, "now.checkpoint")
        refused(answer, 5, what=Naming(12, 29), do=Naming(), where=f"{game} #7", section=11)
        file = Path(ford_played.folder / "7.proof")
        file.write_bytes(file.read_bytes().replace(b'"seat":"', b'"seat":"x'))
        answer = ford_played.type_json(*checked, "blue.checkpoint")
        refused(answer, 5, what=Naming(), do=Naming(), where=f"{game} #7", section=11)
        assert not re.search(r"\d", answer.error["what"]), "the checkpoint is of the right size"
        assert answer.error["error"] == "broken"

    def test_proof_cannot_be_imported_as_a_log(self, ford_played: Terminal) -> None:
        game, *_ = secrets(ford_played)[0]
        ford_played.ok("prove", game, "7", "-o", "7.proof")
        refused(
            ford_played.type_json("import", "7.proof"), 5, what=Naming(), do=Naming("`umpire export`"), where=HEADER
        )


class TestOpen:
    def test_redacted_log_is_completed_by_keys_or_the_whole_log(self, ford_played: Terminal) -> None:
        game, *_ = secrets(ford_played)[0]
        for seat in ("red", "blue", "spectator"):
            ford_played.ok("export", game, "--as", seat, "-o", "theirs.jsonl")
            ford_played.ok("export", game, "--whole", "-o", "whole.jsonl")
            keys = ford_played.ok("export", game, "--keys", "--whole", "-o", "all.keys").out
            assert keys == Naming(len(secrets(ford_played)), game, "all.keys")
            for keys in ("all.keys", "whole.jsonl"):
                said = ford_played.ok("open", "theirs.jsonl", keys, "-o", "opened.jsonl", "--json").json
                assert (said["private_withheld"], said["public_withheld"]) == (0, 0)
                opened, whole = (
                    Path(ford_played.folder / name).read_bytes() for name in ("opened.jsonl", "whole.jsonl")
                )
                assert opened == whole
        checked = ford_played.ok("verify", "opened.jsonl", "--json").json
        assert checked["verdict"] == "VALID"

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
        answer = ford_played.type_json("export", game, "--keys", "--whole", "-o", "x.keys", "--as", "blue")
        refused(answer, 3, what=Naming("blue"), do=Naming("`whole`"), where="The ford")
        assert answer.error["rule"] == "secrets"

    def test_wrong_keys_are_refused_and_nothing_is_written(self, ford_played: Terminal) -> None:
        game, position, _ = secrets(ford_played)[0]
        ford_played.ok("export", game, "--as", "spectator", "-o", "public.jsonl")
        ford_played.ok("export", game, "--keys", "--whole", "-o", "all.keys")
        keys = (ford_played.folder / "all.keys").read_text()
        ford_played.write("wrong.keys", keys.replace('"salt":"', '"salt":"0000', 1))
        answer = ford_played.type_json("open", "public.jsonl", "wrong.keys", "-o", "opened.jsonl")
        refused(answer, 5, what=Naming(f"#{position}"), do=Naming(), where=f"{game} #{position}", section=12)
        ford_played.write("other.keys", keys.replace(f'"game":"{game}"', '"game":"other"'))
        answer = ford_played.type_json("open", "public.jsonl", "other.keys", "-o", "opened.jsonl")
        refused(answer, 5, what=Naming("other"), do=Naming(game), where=game, section=12)
        ford_played.ok("seal", game, "--as", "red", "-o", "no.keys")
        answer = ford_played.type_json("open", "public.jsonl", "no.keys", "-o", "opened.jsonl")
        refused(answer, 5, what=Naming(), do=Naming("--keys"), where=game, section=12)
        answer = ford_played.type_json("open", "public.jsonl", "missing.keys", "-o", "opened.jsonl")
        refused(answer, 2, what=Naming("missing.keys", "No such file or directory"), do=Naming())
        answer = ford_played.type_json("open", "all.keys", "all.keys", "-o", "opened.jsonl")
        refused(answer, 5, what=Naming(), do=Naming("`umpire export`"), where=HEADER)
        assert ford_played.type("open", "public.jsonl", "all.keys").code == 2
        assert ford_played.type("export", "--all", "logs", "--keys").code == 2
        assert not (ford_played.folder / "opened.jsonl").exists()
