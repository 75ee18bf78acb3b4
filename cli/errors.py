"""Print expected errors as four parts with an exit code; any other error is a bug and may crash.

The codes are in `desk/core/errors.py`, because the HTTP service also uses them.
"""

from collections.abc import Mapping
from typing import Any

import click
import msgspec

from umpire_ledger.cli.printing import json_text
from umpire_ledger.desk.core.errors import (
    BROKEN,
    CONFLICT,
    DONE,
    EXPECTED,
    INTERRUPTED,
    REFUSED,
    STORE,
    TITLE,
    UNKNOWN,
    UNSENT,
    USAGE,
    problem_of,
)

__all__ = [
    "BROKEN",
    "CONFLICT",
    "DONE",
    "EXPECTED",
    "INTERRUPTED",
    "REFUSED",
    "STORE",
    "TITLE",
    "UNKNOWN",
    "UNSENT",
    "USAGE",
    "Refusal",
    "refusal_of",
    "usage",
]


JSON_KEYS = ("error", "what", "where", "rule", "remedy", "refusal_code", "fields")


class Refusal(click.ClickException):
    """An expected error, to be printed on the terminal."""

    def __init__(
        self,
        error: str,
        code: int,
        *,
        what: str,
        where: str,
        rule: str,
        remedy: str,
        refusal_code: str = "",
        fields: Mapping[str, Any] | None = None,
    ) -> None:
        super().__init__(what)
        self.error = error
        self.code = code
        self.what = what
        self.where = where
        self.rule = rule
        self.remedy = remedy
        self.refusal_code = refusal_code or error
        self.fields = dict(fields or {})
        self.traceback = ""  # shown to authors with `--debug`

    def lines(self) -> list[str]:
        """Return the four parts, one part per line."""
        parts = (("at:  ", self.where), ("rule:", self.rule), ("do:  ", self.remedy))
        verdict = "Refused" if self.code == REFUSED else "Error"
        said = [f"{verdict}: {_short(self.what)}", *(f"  {name} {_short(part)}" for name, part in parts if part)]
        return [*self.traceback.splitlines(), *said]

    def json(self) -> str:
        """Return the four parts, the code of the refusal and its fields as one JSON object."""
        parts = {name: getattr(self, name) for name in JSON_KEYS}
        traced = {"traceback": self.traceback} if self.traceback else {}
        return json_text({**parts, **traced})


MOST_SHOWN = 2000
"""Maximum length of a part of a message, in characters, because it may quote foreign text."""


def _short(part: str) -> str:
    return part if len(part) <= MOST_SHOWN else f"{part[:MOST_SHOWN]} … ({len(part):,} characters)"


def refusal_of(error: Exception) -> Refusal:
    """Return the printable form of an expected error."""
    said = problem_of(error)
    parts = msgspec.structs.asdict(said)
    return Refusal(parts.pop("error"), parts.pop("code"), **parts)


def usage(what: str, *, where: str = "", rule: str = "", remedy: str = "") -> Refusal:
    """Return the refusal of wrong usage: arguments that contradict each other, or that exceed a limit."""
    return Refusal("usage", USAGE, what=what, where=where, rule=rule, remedy=remedy)
