"""Check `umpire key`: only the owner can read a private key, and no message shows it."""

import json
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.terminal import ROOT, Terminal
from tests.face.cli import REFUSED
from tests.face.domain import SeatKey, short
from tests.naming import Naming


@pytest.fixture
def table(tmp_path: Path) -> Terminal:
    return Terminal(tmp_path)


def folder(table: Terminal) -> Path:
    return table.folder / "config" / "umpire" / "keys"


class TestNew:
    def test_key_is_private_and_its_public_half_is_printed(self, table: Terminal) -> None:
        made = table.ok("key", "new", "red")
        assert SeatKey.read(made.out.strip()).name == "red"
        assert stat.S_IMODE((folder(table) / "red.pem").stat().st_mode) == 0o600
        assert stat.S_IMODE(folder(table).stat().st_mode) == 0o700
        assert table.ok("key", "show", "red").out == made.out
        assert table.ok("key", "list", "--json").json == [
            {"name": "red", "key": made.out.strip(), "id": made.out.split("+")[1]}
        ]

    def test_existing_key_is_not_overwritten(self, table: Terminal) -> None:
        table.ok("key", "new", "red")
        before = (folder(table) / "red.pem").read_bytes()
        answer = table.type("key", "new", "red", "--json")
        where = str(folder(table) / "red.pem")
        assert (answer.code, answer.error["rule"], answer.error["where"]) == (2, "keys", where)
        assert "`umpire key list`" in answer.error["remedy"]
        assert (folder(table) / "red.pem").read_bytes() == before

    @pytest.mark.parametrize("name", ["", "../red", "red+blue", "-red", "a b", "r" * 81])
    def test_invalid_key_name_is_refused(self, table: Terminal, name: str) -> None:
        answer = table.type("key", "new", "--json", "--", name)
        assert (answer.code, answer.error["rule"], answer.error["where"]) == (2, "keys", "keys")
        assert "1 to 80" in answer.error["remedy"]
        assert not folder(table).exists()

    def test_key_folder_that_cannot_be_created_is_an_error(self, table: Terminal) -> None:
        table.write("config", "a file")
        answer = table.type("key", "new", "red", "--json")
        where = str(folder(table))
        assert (answer.code, answer.error["rule"], answer.error["where"]) == (2, "keys", where)

    def test_empty_list_of_keys_names_their_folder(self, table: Terminal) -> None:
        assert str(folder(table)) in table.ok("key", "list").out

    def test_missing_key_suggests_the_nearest_or_a_new_one(self, table: Terminal) -> None:
        table.ok("key", "new", "red")
        assert "red?" in table.type("key", "show", "rde", "--json").error["remedy"]
        assert "key new green" in table.type("key", "show", "green", "--json").error["remedy"]


class TestPassphrase:
    @pytest.fixture
    def locked(self, table: Terminal, monkeypatch: pytest.MonkeyPatch) -> Terminal:
        monkeypatch.setenv("UMPIRE_KEY_PASSPHRASE_FILE", str(table.write("phrase", "open sesame\n")))
        table.ok("key", "new", "red", "--passphrase")
        public = table.ok("key", "show", "red").out.strip()
        table.new("ford", "--key", f"red={public}")
        return table

    def test_passphrase_file_unlocks_the_key(self, locked: Terminal) -> None:
        assert b"ENCRYPTED" in (folder(locked) / "red.pem").read_bytes()
        assert locked.give("red", "note", text="hello").code == 0

    def test_another_phrase_opens_nothing_and_is_not_shown(self, locked: Terminal) -> None:
        locked.write("phrase", "abracadabra")
        size = locked.size()
        answer = locked.type("note", "ford", "hello", "--as", "red", "--json")
        assert (answer.code, answer.error["rule"]) == (2, "keys")
        assert "pass-phrase" in answer.error["remedy"]
        assert "abracadabra" not in answer.err
        assert locked.size() == size

    def test_empty_passphrase_is_refused(self, locked: Terminal) -> None:
        locked.write("phrase", "")
        assert "pass-phrase" in locked.type("note", "ford", "hello", "--as", "red", "--json").error["remedy"]
        answer = locked.type("key", "new", "blue", "--passphrase", "--json")
        assert (answer.code, answer.error["rule"], "--passphrase" in answer.error["remedy"]) == (2, "keys", True)
        assert not (folder(locked) / "blue.pem").exists()

    def test_locked_key_without_a_terminal_names_the_variable(
        self, locked: Terminal, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.delenv("UMPIRE_KEY_PASSPHRASE_FILE")
        answer = locked.type("note", "ford", "hello", "--as", "red", "--json")
        assert (answer.code, "UMPIRE_KEY_PASSPHRASE_FILE" in answer.error["remedy"]) == (2, True)

    def test_missing_passphrase_file_is_refused(self, locked: Terminal, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("UMPIRE_KEY_PASSPHRASE_FILE", "nowhere")
        answer = locked.type("note", "ford", "hello", "--as", "red", "--json")
        assert (answer.code, answer.error["where"]) == (2, "nowhere")

    def test_new_passphrase_is_typed_twice(self, table: Terminal) -> None:
        made = table.type("key", "new", "red", "--passphrase", stdin="sesame\nsesame\n")
        assert made.code == 0
        assert b"ENCRYPTED" in (folder(table) / "red.pem").read_bytes()


class TestDamagedFiles:
    @pytest.fixture
    def keyed(self, table: Terminal) -> Terminal:
        public = table.ok("key", "new", "red").out.strip()
        table.new("ford", "--key", f"red={public}")
        return table

    def refused(self, table: Terminal) -> dict[str, str]:
        size = table.size()
        answer = table.type("note", "ford", "hello", "--as", "red", "--json")
        assert (answer.code, answer.error["rule"]) == (2, "keys")
        assert table.size() == size
        return answer.error

    def test_key_readable_by_others_cannot_sign(self, keyed: Terminal) -> None:
        file = folder(keyed) / "red.pem"
        file.chmod(0o644)
        error = self.refused(keyed)
        assert error["where"] == str(file)
        assert f"600 {file}" in error["remedy"]

    def test_file_without_a_key_is_refused(self, keyed: Terminal) -> None:
        (folder(keyed) / "red.pem").write_text("hello")
        assert "pass-phrase" in self.refused(keyed)["remedy"]

    def test_key_of_another_kind_is_refused(self, keyed: Terminal) -> None:
        from cryptography.hazmat.primitives import serialization as s  # noqa: PLC0415 -- this test alone
        from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey  # noqa: PLC0415 -- as above

        other = X25519PrivateKey.generate().private_bytes(s.Encoding.PEM, s.PrivateFormat.PKCS8, s.NoEncryption())
        (folder(keyed) / "red.pem").write_bytes(other)
        assert "pass-phrase" in self.refused(keyed)["remedy"]

    def test_invalid_public_half_is_refused(self, keyed: Terminal) -> None:
        (folder(keyed) / "red.key").write_text("hello")
        assert "umpire key new" in self.refused(keyed)["remedy"]

    def test_halves_of_two_keys(self, keyed: Terminal) -> None:
        keyed.ok("key", "new", "blue")
        (folder(keyed) / "red.pem").write_bytes((folder(keyed) / "blue.pem").read_bytes())
        assert self.refused(keyed)["where"] == str(folder(keyed))

    def test_another_key_of_that_name_is_not_used(self, keyed: Terminal) -> None:
        for file in folder(keyed).iterdir():
            file.unlink()
        keyed.ok("key", "new", "red")
        answer = keyed.type("note", "ford", "hello", "--as", "red", "--json")
        assert (answer.code, answer.error["rule"], "umpire key list" in answer.error["remedy"]) == (3, "keys", True)


class TestAtTheTable:
    def test_game_is_opened_with_a_key(self, table: Terminal) -> None:
        public = table.ok("key", "new", "red").out.strip()
        opened = table.new("ford", "--key", f"red={public}").out
        assert "Skirmish" in opened
        table.ok("note", "ford", "hello", "--as", "red")
        assert f": 1 order of red, key {short(public)}; " in table.ok("verify", "ford").out
        (one,) = table.ok("verify", "ford", "--json").json["signed"]
        assert (one["seat"], one["orders"], one["checked"]) == ("red", 1, True)

    @pytest.mark.parametrize("text", ["red", "=abc"])
    def test_key_option_requires_a_seat(self, table: Terminal, text: str) -> None:
        answer = table.type("new", "freeform", "--id", "ford", "--scenario", "scenario.toml", "--key", text)
        assert (answer.code, "--key athens=KEY" in answer.err) == (2, True)

    def test_order_is_signed_elsewhere_and_entered_in_the_ledger(self, table: Terminal) -> None:
        public = table.ok("key", "new", "red").out.strip()
        table.new("ford", "--key", f"red={public}")
        table.ok("seal", "ford", "--as", "blue", "-o", "seen")
        raw = json.dumps({"as": "red", "order": "note", "text": "by mail"})
        line = table.ok("key", "sign", "red", "seen", raw).out
        for file in folder(table).iterdir():
            file.unlink()
        table.write("mail.jsonl", line)
        table.ok("play", "ford", "mail.jsonl")
        again = table.ok("play", "ford", "mail.jsonl", "--json").json
        assert (again["orders"], [one["line"] for one in again["skipped"]]) == (0, [1])
        assert table.type("play", "ford", "mail.jsonl", "--again").code == REFUSED
        assert table.ok("verify", "ford", "--json").json["signed"][0]["orders"] == 1


class TestCheckpoints:
    def test_red_seals_and_blue_signs_below(self, table: Terminal) -> None:
        for seat in ("red", "blue"):
            table.ok("key", "new", seat)
        keys = [f"--key={seat}={table.ok('key', 'show', seat).out.strip()}" for seat in ("red", "blue")]
        table.new("ford", *keys)
        sealed = table.ok("seal", "ford", "--as", "red", "-o", "kept")
        assert sealed.out.splitlines()[-1] == Naming("kept", "red")
        assert table.ok("key", "cosign", "ford", "kept", "--as", "blue").out == Naming("kept", "red, blue")
        assert table.ok("key", "cosign", "ford", "kept", "--as", "blue", "--json").json["signed"] == ["red", "blue"]
        table.ok("note", "ford", "later", "--as", "red")
        table.ok("export", "ford", "-o", "log.jsonl", "--as", "referee")
        for what in ("ford", "log.jsonl"):
            checked = table.ok("verify", what, "--checkpoint", "kept", "--json").json
            assert [one["seat"] for one in checked["vouching"]] == ["red", "blue"]
            told = table.ok("verify", what, "--checkpoint", "kept").out.splitlines()
            assert any(line == Naming("red", "#1-#6", 1) for line in told)

    def test_verifier_program_checks_no_signature_of_a_checkpoint(self, table: Terminal) -> None:
        table.ok("key", "new", "red")
        table.new("ford", "--key", f"red={table.ok('key', 'show', 'red').out.strip()}")
        table.ok("seal", "ford", "--as", "red", "-o", "kept")
        table.ok("export", "ford", "-o", "log.jsonl", "--as", "referee")
        program = ROOT / "ledger" / "one_page" / "umpire-verify.py"
        words = [sys.executable, str(program), "log.jsonl", "--checkpoint", "kept"]
        assert subprocess.run(words, cwd=table.folder, check=False, capture_output=True).returncode == 0
        (table.folder / "kept").write_text((table.folder / "kept").read_text().replace("\n\n", "\n\n\n"))
        assert subprocess.run(words, cwd=table.folder, check=False, capture_output=True).returncode == 2

    def keyed(self, table: Terminal) -> None:
        for seat in ("red", "blue"):
            table.ok("key", "new", seat)
        keys = [f"--key={seat}={table.ok('key', 'show', seat).out.strip()}" for seat in ("red", "blue")]
        table.new("ford", *keys)

    def test_signature_by_a_replaced_key_is_reported(self, table: Terminal) -> None:
        self.keyed(table)
        table.ok("seal", "ford", "--as", "red", "-o", "kept")
        table.ok("key", "new", "red-2")
        new = table.ok("key", "show", "red-2").out.strip()
        table.ok("order", "ford", "give-key", "red", new, "--reason", "stolen")
        table.ok("seal", "ford", "--as", "blue", "-o", "later")
        later = (table.folder / "later").read_text().split("\n\n")[0]
        signed = (table.folder / "kept").read_text().split("\n\n")[1]
        table.write("moved", f"{later}\n\n{signed}")
        (one,) = table.ok("verify", "ford", "--checkpoint", "moved", "--json").json["vouching"]
        assert (one["name"], one["seat"], one["elsewhere"]) == ("red", "", "red")
        assert f": {one['key']} " in table.ok("verify", "ford", "--checkpoint", "moved").out

    def test_case_file_is_checked_against_the_signatures(self, table: Terminal) -> None:
        self.keyed(table)
        table.ok("seal", "ford", "--as", "red", "-o", "one")
        table.ok("dispute", "open", "ford", "#2", "--claim", "we never agreed", "--as", "red")
        table.ok("seal", "ford", "--as", "red", "-o", "two")
        table.ok("case", "ford", "d1", "-o", "case-d1", "--as", "red")
        (red,) = table.ok("verify", "case-d1", "--checkpoint", "two", "--json").json["log"]["vouching"]
        assert (red["name"], red["seat"], red["elsewhere"]) == ("red", "red", "")
        one, two = ((table.folder / name).read_text() for name in ("one", "two"))
        table.write("moved", two.split("\n\n")[0] + "\n\n" + one.split("\n\n")[1])
        answer = table.type("verify", "case-d1", "--checkpoint", "moved", "--json")
        assert (answer.code, answer.error["what"]) == (
            5,
            table.type("verify", "ford", "--checkpoint", "moved", "--json").error["what"],
        )

    def test_proof_states_that_it_checked_no_signature(self, table: Terminal) -> None:
        self.keyed(table)
        table.ok("seal", "ford", "--as", "red", "-o", "kept")
        table.ok("prove", "ford", "#2", "--checkpoint", "kept", "-o", "2.proof")
        answer = table.ok("verify", "2.proof", "--checkpoint", "kept", "--json").json
        assert (answer["signatures_not_checked"], answer["witnessed"]) == (1, [])

    def test_seal_overwrites_only_an_older_seal_of_the_same_seat(self, table: Terminal) -> None:
        self.keyed(table)
        table.ok("seal", "ford", "--as", "red", "-o", "kept")
        table.ok("note", "ford", "later", "--as", "red")
        table.ok("seal", "ford", "--as", "red", "-o", "kept")
        table.ok("key", "cosign", "ford", "kept", "--as", "blue")
        table.ok("note", "ford", "later still", "--as", "red")
        table.write("letter", "dear Ann\n")
        size = table.ok("status", "ford", "--json").json["position"]
        for file, what in (("kept", " by blue"), ("letter", " of ford")):
            before = (table.folder / file).read_bytes()
            answer = table.type("seal", "ford", "--as", "red", "-o", file, "--json")
            assert (answer.code, answer.error["rule"]) == (2, "seals")
            assert what in answer.error["what"]
            assert answer.error["where"] == file
            assert (table.folder / file).read_bytes() == before
        assert table.ok("status", "ford", "--json").json["position"] == size
