"""Describe what is wrong in a scenario."""

import re
from collections.abc import Mapping
from typing import Any

import msgspec

from umpire_ledger.domain.game.errors import DomainError, ScenarioError

SCHEMA_RULE = "the title's scenario schema"
"""The rule of a fault for which no other one is named."""
OTHER = "scenario-fault"
"""The code of a fault for which a title names no other one."""


class ScenarioFault(msgspec.Struct, frozen=True, kw_only=True):
    """A fault of a scenario. `path`: its line, `$.units[0].at`; `remedy`: the correction."""

    path: str
    what: str
    remedy: str
    rule: str = SCHEMA_RULE
    code: str = OTHER
    """The name of the fault, for programs. It stays the same when the words change."""

    @property
    def key(self) -> str:
        """The entry at the end of the path: `at` of `$.units[0].at`, "" for the whole file."""
        return self.path.rpartition(".")[2].removeprefix("$")


def error_of(fault: ScenarioFault, remedy: str = "") -> ScenarioError:
    """Return the fault as an error, with its code as the field `reason`. `remedy`: one to use instead."""
    fields = {"reason": fault.code, "key": fault.key}
    return ScenarioError(fault.what, where=fault.path, rule=fault.rule, remedy=remedy or fault.remedy, fields=fields)


def reason_of(error: DomainError) -> str:
    """Return the code of the fault that an error is about; its own code if it names none."""
    return str(error.fields.get("reason", error.code))


def value_at(parsed: Mapping[str, Any], path: str) -> str | int | float | bool | None:
    """Return the single value at a path; None if there is none."""
    found: Any = parsed
    for name, at in re.findall(r"\.([^.\[\]]+)|\[(\d+)\]", path):
        try:
            found = found[int(at) if at else name]
        except (KeyError, IndexError, TypeError):
            return None
    return found if isinstance(found, str | int | float) else None
