"""Phrase clauses that the audit texts of several families share."""

from umpire_ledger.domain.game.values import Value


def say(value: Value) -> str:
    """Return a value in words."""
    if value is None:
        return "none"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, tuple):
        return ", ".join(value) or "nothing"
    return str(value)


def in_brackets(words: str) -> str:
    """Put a reason in brackets; return "" if there is none."""
    return f" ({words})" if words else ""


def and_list(names: tuple[str, ...]) -> str:
    """Join names with commas, and with `and` before the last one."""
    return ", ".join(names[:-1]) + " and " + names[-1] if len(names) > 1 else "".join(names)


def step_words(step: str, name: str) -> str:
    """Return a step as a sentence names it: `step G.2b (fire spreads)`."""
    return f"step {step}{in_brackets(name)}"
