"""Read lines with `prompt_toolkit`: a menu of completions with remarks, and a history (arrow keys, Ctrl-R)."""

from collections.abc import Iterator
from pathlib import Path

from prompt_toolkit import PromptSession
from prompt_toolkit.completion import CompleteEvent, Completer, Completion
from prompt_toolkit.document import Document
from prompt_toolkit.history import InMemoryHistory

from umpire_ledger.cli.line_history import Offer, keep_line, lines_kept


class Offers(Completer):
    """A completer that gets its completions of the last word from the game."""

    def __init__(self, offer: Offer) -> None:
        self._offer = offer

    def get_completions(self, document: Document, complete_event: CompleteEvent) -> Iterator[Completion]:
        last, found = self._offer(document.text_before_cursor)
        for word, says in found:
            yield Completion(word, start_position=-len(last), display_meta=says)


class ToolkitReader:
    """A reader that returns one line at a time."""

    def __init__(self, offer: Offer, history: Path | None) -> None:
        self._history = history
        self._session: PromptSession[str] = PromptSession(
            history=InMemoryHistory(lines_kept(history)),
            completer=Offers(offer),
            complete_while_typing=False,
            reserve_space_for_menu=6,
        )

    def read(self, label: str) -> str:
        line: str = self._session.prompt(label)
        keep_line(self._history, line)
        return line
