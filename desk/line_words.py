"""A line as a person types it, divided into words: as a shell does it, but that an apostrophe in a word stays one.

`note Blue doesn't agree` is no open quotation, and a sentence keeps the quotation marks that were typed in it.
"""

from umpire_ledger.desk.errors import WrongUse

QUOTES = "\"'"
OPENS_BEHIND = "=,;:"
"""Inside a word a quotation begins behind these, and behind another quotation."""


class LineWord(str):
    """A word of a line. `raw`: as it was typed, with its quotation marks."""

    raw: str

    def __new__(cls, word: str, raw: str) -> "LineWord":
        made = super().__new__(cls, word)
        made.raw = raw
        return made


def split(text: str) -> list[str]:
    """The words of a line. Raises WrongUse for a quotation that is not closed."""
    words: list[str] = []
    at = 0
    while at < len(text):
        if text[at].isspace():
            at += 1
            continue
        word, end = _word(text, at)
        words.append(LineWord(word, text[at:end]))
        at = end
    return words


def typed_sentence(words: list[str]) -> str:
    """Words that make a sentence, as they were typed; one alone without the quotation marks around it."""
    return words[0] if len(words) == 1 else " ".join(getattr(word, "raw", word) for word in words)


def _word(text: str, at: int) -> tuple[str, int]:
    """The word that begins there, and where it ends."""
    found, opens = "", True
    while at < len(text) and not text[at].isspace():
        sign = text[at]
        if sign == "\\" and at + 1 < len(text):
            found, at, opens = found + text[at + 1], at + 2, False
        elif sign in QUOTES and opens:
            quoted, at = _quoted(text, at)
            found += quoted
        else:
            found, at, opens = found + sign, at + 1, sign in OPENS_BEHIND
    return found, at


def _quoted(text: str, at: int) -> tuple[str, int]:
    """What stands in quotation marks, and where it ends. In double ones a backslash guards a mark and itself."""
    sign, found, end = text[at], "", at + 1
    while end < len(text) and text[end] != sign:
        if sign == '"' and text[end : end + 2] in ('\\"', "\\\\"):
            end += 1
        found, end = found + text[end], end + 1
    if end == len(text):
        what, remedy = "the line cannot be read: a quotation is not closed", "close the quotation mark, or leave it out"
        raise WrongUse(what, where="the order", rule="", remedy=remedy)
    return found, end + 1
