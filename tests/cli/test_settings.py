"""Check `umpire.toml`: where it is found, its precedence, and refusals that show no secret."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cli.terminal import Terminal
from tests.face.cli import KEYS, read

SECRET = "hunter2-very-secret"


@pytest.fixture(autouse=True)
def _without_settings(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    for name in KEYS.values():
        monkeypatch.delenv(name, raising=False)
    yield
    assert not set(KEYS.values()) & set(os.environ), "a command leaves the environment as it was"


def below(terminal: Terminal, *folders: str) -> Terminal:
    deeper = terminal.folder.joinpath(*folders)
    deeper.mkdir(parents=True)
    return Terminal(deeper)


class TestWhereItIsFound:
    def test_file_in_a_folder_above_is_found_with_its_ledger(self, terminal: Terminal) -> None:
        terminal.write("umpire.toml", 'ledger = "club.db"\n')
        inner = below(terminal, "games", "ford")
        inner.new()
        assert (terminal.folder / "club.db").exists()
        assert not (inner.folder / "umpire.db").exists()
        assert "ford" in inner.ok("games").out

    def test_only_the_nearest_file_counts(self, terminal: Terminal) -> None:
        terminal.write("umpire.toml", 'seat = "nobody"\nledger = "far.db"\n')
        inner = below(terminal, "inner")
        inner.write("umpire.toml", 'ledger = "near.db"\n')
        inner.new()
        assert (inner.folder / "near.db").exists()
        inner.ok("status", "ford")

    def test_help_needs_no_sound_file(self, terminal: Terminal) -> None:
        terminal.write("umpire.toml", "nonsense")
        assert "Usage" in terminal.ok("status", "--help").out


class TestWhatItSays:
    def test_settings_name_the_seat(self, ford: Terminal) -> None:
        ford.write("umpire.toml", 'seat = "red"\n')
        ford.ok("order", "ford", "note", "here")
        assert ford.ok("audit", "ford", "--last", "1", "--json", "--records").json[0]["seat"] == "red"

    def test_environment_precedes_the_settings(self, ford: Terminal, monkeypatch: pytest.MonkeyPatch) -> None:
        ford.write("umpire.toml", 'seat = "red"\n')
        monkeypatch.setenv("UMPIRE_SEAT", "blue")
        ford.ok("order", "ford", "note", "here")
        assert ford.ok("audit", "ford", "--last", "1", "--json", "--records").json[0]["seat"] == "blue"
        monkeypatch.delenv("UMPIRE_SEAT")

    def test_option_precedes_environment_and_settings(self, ford: Terminal) -> None:
        ford.write("umpire.toml", 'seat = "red"\nledger = "nowhere.db"\n')
        assert "ford" in ford.ok("games", "--ledger", "umpire.db").out

    def test_settings_name_the_dice_of_a_new_game(self, terminal: Terminal) -> None:
        terminal.write("umpire.toml", 'dice = "ledger"\n')
        terminal.new()
        assert "dice.committed" in terminal.ok("audit", "ford", "--json", "--records").out
        terminal.new("second", "--dice", "table")
        assert "dice.committed" not in terminal.ok("audit", "second", "--json", "--records").out

    def test_times_in_the_local_zone(self, ford: Terminal, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("TZ", "Asia/Kolkata")
        ford.write("umpire.toml", 'times = "local"\n')
        assert "+05:30" in ford.process("games").out
        monkeypatch.delenv("TZ")

    def test_mail_and_webhook_settings_become_their_variables(self, tmp_path: Path) -> None:
        file = tmp_path / "umpire.toml"
        file.write_text(
            'webhook = "https://x.example"\n[mail]\nhost = "m"\nport = 25\ntls = "starttls"\nfrom = "a@b"\n'
        )
        assert read(str(file)) == {
            "UMPIRE_WEBHOOK": "https://x.example",
            "UMPIRE_SMTP_HOST": "m",
            "UMPIRE_SMTP_PORT": "25",
            "UMPIRE_SMTP_TLS": "starttls",
            "UMPIRE_SMTP_FROM": "a@b",
        }


class TestWhatIsRefused:
    @pytest.mark.parametrize(
        ("text", "what", "do"),
        [
            ('legder = "x"\n', "legder", " ledger?"),
            (f'[mail]\npasword = "{SECRET}"\n', " mail.pasword", " mail.password"),
            ("[zzz]\na = 1\n", " zzz", ": ledger, seat"),
            ("ledger = 7\n", "ledger ", ""),
            ('dice = "loaded"\n', "dice ", "ledger or shared or witnessed or table"),
            (f'[mail]\nport = "{SECRET}"\n', "mail.port ", ""),
            (f'[mail]\npassword = ["{SECRET}"]\n', "mail.password ", ""),
            (f"[mail]\npassword = {SECRET}\n", " TOML, ", ""),
            ("x" * 70_000, "umpire.toml ", ""),
        ],
    )
    def test_invalid_setting_is_refused_without_its_value(
        self, terminal: Terminal, text: str, what: str, do: str
    ) -> None:
        terminal.write("umpire.toml", text)
        answer = terminal.type("games", "--json")
        assert answer.code == 2
        assert what in answer.error["what"]
        assert do in answer.error["remedy"]
        assert (answer.error["rule"], answer.error["where"]) == ("umpire.toml", str(terminal.folder / "umpire.toml"))
        assert SECRET not in answer.out + answer.err

    def test_settings_file_that_cannot_be_read_is_an_error(
        self, terminal: Terminal, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        terminal.write("umpire.toml", 'seat = "red"\n')

        def denied(_: Path) -> bytes:
            raise PermissionError(13, "Permission denied")

        monkeypatch.setattr(Path, "read_bytes", denied)
        answer = terminal.type("games")
        assert answer.code == 2
        assert ": Permission denied" in answer.err
