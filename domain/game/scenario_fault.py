"""Define a fault in a scenario."""

import re
from collections.abc import Mapping
from typing import Any

import msgspec

from umpire_ledger.domain.game.errors import DomainError, ScenarioError

SCHEMA_RULE = "the title's scenario schema"
"""Rule of a fault that names no other rule."""
OTHER = "scenario-fault"
"""Code of a fault for which a title names no other code."""


class ScenarioFault(msgspec.Struct, frozen=True, kw_only=True):
    """A fault in a scenario. `path`: its line, such as `$.units[0].at`; `remedy`: the correction."""

    path: str
    what: str
    remedy: str
    rule: str = SCHEMA_RULE
    code: str = OTHER
    """The name of the fault, for programs. It stays the same when the words change."""

    @property
    def key(self) -> str:
        """The last entry of the path: `at` of `$.units[0].at`; "" for the whole file."""
        return self.path.rpartition(".")[2].removeprefix("$")


def error_of(fault: ScenarioFault, remedy: str = "") -> ScenarioError:
    """Return the fault as an error, with its code in the field `reason`. `remedy`: a remedy to use instead."""
    fields = {"reason": fault.code, "key": fault.key}
    return ScenarioError(fault.what, where=fault.path, rule=fault.rule, remedy=remedy or fault.remedy, fields=fields)


def reason_of(error: DomainError) -> str:
    """Return the code of the fault that an error reports; the error's own code if it names no fault."""
    return str(error.fields.get("reason", error.code))


def value_at(parsed: Mapping[str, Any], path: str) -> str | int | float | bool | None:
    """Return the single value at a path; None if there is no such value."""
    found: Any = parsed
    for name, at in re.findall(r"\.([^.\[\]]+)|\[(\d+)\]", path):
        try:
            found = found[int(at) if at else name]
        except (KeyError, IndexError, TypeError):
            return None
    return found if isinstance(found, str | int | float) else None
