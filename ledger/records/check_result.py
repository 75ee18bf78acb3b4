"""Describe the results of a health check as plain data."""

from __future__ import annotations

from typing import Literal

import msgspec

RESTORE = "restore a backup"
VERIFY_EACH = "`umpire verify` each game against a checkpoint"


class CheckResult(msgspec.Struct, frozen=True, kw_only=True):
    """The result of one check. `bad`: the ledger cannot be trusted or used; `warn`: it can, but it needs attention."""

    check: str
    state: Literal["ok", "warn", "bad"]
    what: str
    remedy: str = ""
