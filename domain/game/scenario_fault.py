"""Describe what is wrong in a scenario."""

import msgspec

SCHEMA_RULE = "the title's scenario schema"
"""The rule of whatever a scenario says wrongly, where no other one is named."""


class ScenarioFault(msgspec.Struct, frozen=True, kw_only=True):
    """Something that is wrong in a scenario. `path`: its line, `$.units[0].at`; `remedy`: what to do."""

    path: str
    what: str
    remedy: str
    rule: str = SCHEMA_RULE
