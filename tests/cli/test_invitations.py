"""Check `umpire invite`, `umpire invitations` and the first output of `umpire serve`."""

import sys

import pytest

from tests.cli.terminal import Terminal


class TestInvite:
    def test_invite_link_is_printed_once_and_listed_without_token(self, ford: Terminal) -> None:
        said = ford.ok("invite", "ford", "red", "--for", "Anna", "--at", "https://umpire.example.org").out
        link, about, end = said.splitlines()
        address, _, token = link.partition("#")
        assert address == "https://umpire.example.org/in"
        assert "red of ford" in about
        listed = ford.ok("invitations", "ford")
        assert "Anna" in listed.out
        assert token.partition(".")[2] not in listed.out
        assert token.partition(".")[0] in end

    def test_invited_program_gets_a_token_and_no_link(self, ford: Terminal) -> None:
        made = ford.ok("invite", "ford", "spectator", "--program", "--json").json
        assert made["link"] == ""
        assert made["invitation"]["form"] == "program"
        assert len(made["token"]) == 60

    def test_invitation_can_be_revoked(self, ford: Terminal) -> None:
        id = ford.ok("invite", "ford", "red", "--json").json["invitation"]["id"]
        assert "revoked" in ford.ok("invitations", "--revoke", id).out
        assert ford.ok("invitations", "ford", "--json").json[0]["revoked_at"]

    @pytest.mark.parametrize(
        ("words", "code", "refusal", "rule", "says"),
        [
            (("invite", "ford"), 2, "usage", "", "--every-game"),
            (("invite", "ford", "red", "--every-game"), 2, "usage", "", "--every-game"),
            (("invite", "ford", "green"), 3, "no-such-seat", "seats", "green"),
            (("invite", "fjord", "red"), 6, "unknown", "", "fjord"),
            (("invite", "ford", "red", "--lasts", "soon"), 2, "wrong-use", "times", "'soon'"),
            (("invite", "ford", "red", "--lasts", "99w"), 2, "wrong-use", "invitations", "693"),
            (("invite", "ford", "red", "--at", "example.org"), 2, "usage", "addresses", "example.org"),
            (("invite", "ford", "red", "--at", "https://a.example/p"), 2, "usage", "addresses", "https://a.example/p"),
            (("invite", "ford", "red", "--for", "A" * 81), 2, "wrong-use", "limits", ""),
            (("invitations", "fjord"), 6, "unknown", "", "fjord"),
            (("invitations", "--revoke", "0123"), 6, "not-there", None, "0123"),
        ],
        ids=lambda value: " ".join(value) if isinstance(value, tuple) else "",
    )
    def test_invalid_invitation_is_refused(
        self, ford: Terminal, words: tuple[str, ...], code: int, refusal: str, rule: str | None, says: str
    ) -> None:
        answer = ford.type_json(*words)
        error = answer.error
        assert (answer.code, error["refusal_code"]) == (code, refusal)
        assert error["where"] == "invitations" if rule is None else error["rule"] == rule
        assert says in error["what"]


class TestServe:
    def test_without_the_extra_it_says_what_to_install(self, ford: Terminal, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setitem(sys.modules, "uvicorn", None)  # `find_spec` then answers that there is none
        answer = ford.type("serve")
        assert answer.code == 2
        assert "'umpire-ledger[serve]'" in answer.err

    def test_port_in_use_is_refused_with_a_remedy(self, ford: Terminal) -> None:
        pytest.importorskip("uvicorn", reason="the service needs the extra `serve`: pip install '.[serve]'")
        from umpire_ledger.service.running import bound  # noqa: PLC0415 -- as above

        with bound("127.0.0.1", 0) as taken:
            taken.listen()
            port = taken.getsockname()[1]
            answer = ford.type("serve", "--port", str(port))
        assert answer.code == 2
        assert f"127.0.0.1:{port}" in answer.err
        assert "--port 0 " in answer.err

    @pytest.mark.parametrize(
        "address", ["umpire.example.org", "ftp://a.example", "https://a.example/x", "https://u@a.example"]
    )
    def test_invalid_address_is_refused(self, ford: Terminal, address: str) -> None:
        answer = ford.type("serve", "--at", address)
        assert answer.code == 2
        assert f" {address} " in answer.err
        assert "rule: addresses" in answer.err
