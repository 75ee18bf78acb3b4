"""Check that a displayed URL contains no password in any encoding."""

import pytest

from tests.face.ledger import is_database, passwords_in, shown


@pytest.mark.parametrize(
    ("where", "said"),
    [
        ("umpire.db", "umpire.db"),
        (":memory:", ":memory:"),
        ("postgresql://h/db", "postgresql://h/db"),
        ("postgresql://u@h:5432/db", "postgresql://u@h:5432/db"),
        ("postgresql://u:secret@h/db", "postgresql://u@h/db"),
        (
            "postgres://u:secret@a:1,b:2/db?target_session_attrs=read-write",
            "postgres://u@a:1,b:2/db?target_session_attrs=read-write",
        ),
        ("postgresql:///db?host=/tmp&password=secret&port=2", "postgresql:///db?host=/tmp&port=2"),
        ("postgresql://h/db?PASSWORD=sec@ret", "postgresql://h/db"),
        ("postgresql://h/db?sslpassword=secret", "postgresql://h/db"),
        ("postgresql://u:sec@ret@h/db", "postgresql://u@h/db"),
        ("postgresql://u:sec/ret@h/db", "postgresql://u@h/db"),
        ("postgresql://u:sec?ret@h/db", "postgresql://u@h/db"),
        ("mysql://u:secret@h/db", "mysql://u@h/db"),
    ],
)
def test_place_shown_has_no_password(where: str, said: str) -> None:
    assert shown(where) == said
    assert is_database(where) == where.startswith("postgres")


def test_password_is_found_encoded_and_decoded() -> None:
    assert sorted(passwords_in("postgresql://u:a%40b@h/db?password=c%20d")) == ["a%40b", "a@b", "c d", "c%20d"]
    assert passwords_in("postgresql://u@h/db") == []
