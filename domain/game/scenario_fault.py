"""Describe what is wrong in a scenario."""

import msgspec

SCHEMA_RULE = "the title's scenario schema"
"""The rule of a fault for which no other one is named."""


class ScenarioFault(msgspec.Struct, frozen=True, kw_only=True):
    """A fault of a scenario. `path`: its line, `$.units[0].at`; `remedy`: the correction."""

    path: str
    what: str
    remedy: str
    rule: str = SCHEMA_RULE
