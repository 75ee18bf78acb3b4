"""Name what tests use of the command line, so that a move in it edits this file alone."""

from umpire_ledger.cli.argument_help import (
    argument_help,
)
from umpire_ledger.cli.errors import (
    BROKEN,
    DONE,
    REFUSED,
    STORE,
    UNKNOWN,
    USAGE,
    refusal_of,
)
from umpire_ledger.cli.help_page import (
    EPILOG,
    SECTIONS,
)
from umpire_ledger.cli.main import (
    COMMANDS,
    GLOSSARY,
    RENAMED,
    TERMS,
    umpire,
)
from umpire_ledger.cli.outcome_text import (
    OTHER_DICE,
)
from umpire_ledger.cli.printing import (
    WIDEST,
    is_coloured,
    paint,
    side_marks,
    utc_now,
)
from umpire_ledger.cli.prompt import (
    Conversation,
    offers_for,
)
from umpire_ledger.cli.prompt_looks import (
    is_shell_form,
)
from umpire_ledger.cli.questions import (
    _say_causes,
)
from umpire_ledger.cli.settings import (
    KEYS,
    read,
)
from umpire_ledger.cli.status_text import (
    status_lines,
)
