"""Where a ledger lies: a file, memory, or a database named by a URL. Nothing is opened here, and no driver imported.

A URL may hold a password. Whatever is printed, logged, noted or raised has the URL as `shown` gives it.
"""

from __future__ import annotations

import os

MEMORY = ":memory:"
POSTGRESQL = ("postgresql", "postgres")
"""The schemes of a PostgreSQL database, as libpq has them."""

_SECRET = "(?i)(?<=[?&])(?:ssl)?password=([^&]*)&?"


def scheme_of(where: str | os.PathLike[str]) -> str:
    """The scheme of a URL; "" for a file and for memory."""
    scheme, sign, _ = os.fspath(where).partition("://")
    return scheme.lower() if sign and scheme.isalnum() else ""


def is_database(where: str | os.PathLike[str]) -> bool:
    """Whether it is the URL of a database that Umpire can use."""
    return scheme_of(where) in POSTGRESQL


def shown(where: str | os.PathLike[str]) -> str:
    """The same for people: without a password."""
    name = os.fspath(where)
    if not scheme_of(name):
        return name
    scheme, user, _, rest = _parts(name)
    return f"{scheme}://{user}{rest}"


def database_in(where: str) -> str:
    """The name of the database that a URL names; "" where it leaves that to the server."""
    from urllib.parse import parse_qs, unquote  # noqa: PLC0415 -- as in `_parts`

    _, _, _, rest = _parts(where)
    hosts, _, parameters = rest.partition("?")
    named = parse_qs(parameters).get("dbname", [""])[-1]
    return named or unquote(hosts.partition("/")[2])


def passwords_in(where: str) -> list[str]:
    """The passwords in a URL, as they stand there and as they are meant."""
    import re  # noqa: PLC0415 -- as in `_parts`
    from urllib.parse import unquote  # noqa: PLC0415 -- only an error asks

    _, _, password, _ = _parts(where)
    found = [password, *re.findall(_SECRET, where)]
    return [one for one in {*found, *map(unquote, found)} if one]


def _parts(name: str) -> tuple[str, str, str, str]:
    """Scheme, user with the sign behind it, password, and all the rest without one.

    What is no sound URL is taken apart so that no password stays: one may hold a sign that should have been escaped.
    """
    import re  # noqa: PLC0415 -- whoever has a file need not wait for it

    scheme, _, rest = name.partition("://")
    rest = re.sub(_SECRET, "", rest).rstrip("?&")
    user, sign, rest = rest.rpartition("@")
    user, _, password = user.partition(":")
    return scheme, f"{user}{sign}", password, rest
