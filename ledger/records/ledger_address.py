"""Describe the place of a ledger: a file, memory, or a database named by a URL, without opening it or its driver.

A URL may contain a password. Print, log, store or raise a URL only as `shown` returns it.
"""

from __future__ import annotations

import os
import re

MEMORY = ":memory:"
POSTGRESQL = ("postgresql", "postgres")
"""URL schemes of a PostgreSQL database, as in libpq."""

_SECRET = "(?i)(?<=[?&])(?:ssl)?password=([^&]*)&?"


def scheme_of(where: str | os.PathLike[str]) -> str:
    """Return the scheme of a URL; "" for a file and for memory."""
    scheme, sign, _ = os.fspath(where).partition("://")
    return scheme.lower() if sign and scheme.isalnum() else ""


def is_database(where: str | os.PathLike[str]) -> bool:
    """Return whether a place is the URL of a database that Umpire can use."""
    return scheme_of(where) in POSTGRESQL


def shown(where: str | os.PathLike[str]) -> str:
    """Return the place in a form for people, without a password."""
    name = os.fspath(where)
    if not scheme_of(name):
        return name
    scheme, user, _, rest = _parts(name)
    return f"{scheme}://{user}{rest}"


def database_in(where: str) -> str:
    """Return the name of the database in a URL; "" if the URL does not name one."""
    from urllib.parse import parse_qs, unquote  # noqa: PLC0415 -- 2 ms: only an error asks

    _, _, _, rest = _parts(where)
    hosts, _, parameters = rest.partition("?")
    named = parse_qs(parameters).get("dbname", [""])[-1]
    return named or unquote(hosts.partition("/")[2])


def passwords_in(where: str) -> list[str]:
    """Return the passwords in a URL, both escaped and unescaped."""
    from urllib.parse import unquote  # noqa: PLC0415 -- 2 ms: only an error asks

    _, _, password, _ = _parts(where)
    found = [password, *re.findall(_SECRET, where)]
    return [one for one in {*found, *map(unquote, found)} if one]


def _parts(name: str) -> tuple[str, str, str, str]:
    """Split a URL into scheme, user with its sign, password, and the rest without a password.

    A malformed URL, in which a password may contain an unescaped sign, is split so that no part of the password
    remains.
    """

    scheme, _, rest = name.partition("://")
    rest = re.sub(_SECRET, "", rest).rstrip("?&")
    user, sign, rest = rest.rpartition("@")
    user, _, password = user.partition(":")
    return scheme, f"{user}{sign}", password, rest
