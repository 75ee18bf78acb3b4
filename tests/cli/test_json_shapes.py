"""Compare the keys that `--json` prints with those of an earlier release; programs read them, so all must remain."""

import json
import re
import shutil
from collections.abc import Iterator
from typing import Any

from tests.cli.terminal import ROOT, Terminal

FORMER = ROOT / "fixtures/formats/json-keys.tsv"
"""The keys of 23 November 2026. Keys may be added; a line of this file is never removed."""
REPLAY = ROOT / "fixtures/war-galley/replays/great-harbour.jsonl"
GROUPS = {"dispute", "key", "witness", "db"}
JOURNEY = """
new freeform --id ford --scenario scenario.toml
order ford move r1 0103 --as red
order ford roll 1d6 --pips 3 --modifiers [{"amount":1,"source":"night"}] --as red
order ford move b1 0104 --as blue
order ford pay points 3 --as red
order ford fly r1 0103 --as blue
order ford remove nothing-there --as blue
order ford note hello --as red
note ford secretly --to red --as red
note ford later --to blue --as red
status ford
status ford --as red
dispute open ford #4 --claim wrong --as blue
dispute list ford
dispute show ford d1
case ford d1 -o case-d1
dispute settle ford d1 --ruling stands
rule ford lost --rule 8.1 --grounds house --why agreed
rulings ford
seal ford --as red -o red.checkpoint
undo-points ford
rewind ford --to #5 --why cocked --preview
rewind ford --to #4 --why cocked
branches ford
redo ford
undo ford --as referee --preview
order ford move r1 0105 --as red
undo ford --as red
order ford move r1 0106 --as red
ask-rewind ford --to #10 --why misread --as red
consent ford --as blue
amend ford #4 move r1 0107 --why misread --check
amend ford #4 move r1 0107 --why misread
fork ford --at 8 --id copy
diff ford #5 #8
audit ford
audit ford --as red
units ford
units ford --as red
unit ford r1
why ford #4
known ford red #6
dice ford
since ford --as red
times ford
conformance ford
sitrep ford
refusals ford
account ford points
peek ford blue --why checking
referee ford
notices
map ford -o ford.svg
chart ford dice -o dice.svg
replay-page ford -o ford.html
export ford -o ford.log
export ford -o all.log --whole
export ford -o mine.log --as red
export ford -o red.keys --keys --as red
verify ford
verify ford.log
verify mine.log
verify ford.log --checkpoint red.checkpoint
verify ford.html
import ford.log --ledger second.db
games --ledger second.db
prove ford #4 --checkpoint red.checkpoint -o 4.proof
verify 4.proof --checkpoint red.checkpoint
reveal ford
unredact ford.log red.keys -o opened.log
rename ford The-ford
archive ford -o archived.log
games
games --archived
unarchive ford
key new anna
key list
key show anna
new freeform --id shared --scenario scenario.toml --dice shared
dice-share shared --as red
dice-share shared --as blue
dice-share shared --as red
invite ford red --for Anna
invitations ford
titles
sequence war-galley
orders war-galley
orders war-galley roll-wind
scenario war-galley
scenario --check scenario.toml
backup copy.db
verifier
read-models
rebuild
doctor
check-title freeform --orders 100
import great-harbour.jsonl
order great-harbour roll-wind --as athens
done great-harbour --as athens
status great-harbour
status great-harbour --as athens
audit great-harbour
units great-harbour
dice great-harbour
times great-harbour
conformance great-harbour --turn 1
sitrep great-harbour --turn 1
undo-points great-harbour
branches great-harbour
map great-harbour -o g.svg
replay-page great-harbour -o g.html
verify great-harbour
known great-harbour athens #300
diff great-harbour #100 #300
why great-harbour #303
since great-harbour --as athens
chart great-harbour dice
chart great-harbour losses
chart great-harbour time
scenario great-harbour --at 300 -o at.toml
""".strip()

EXIT_CODES = {
    "order ford fly r1 0103 --as blue": 3,
    "order ford remove nothing-there --as blue": 3,
    "order great-harbour roll-wind --as athens": 3,
    "done great-harbour --as athens": 3,
}
"""The exit codes of that release that are not 0."""


def keys(value: Any, path: str = "") -> Iterator[str]:
    """Yield the path of each value; a name with a digit is an id and becomes `*`, an empty list or object ends one."""
    if isinstance(value, dict) and value:
        for name, below in value.items():
            part = "*" if re.search(r"\d", name) else name
            yield from keys(below, f"{path}.{part}" if path else part)
    elif isinstance(value, list) and value:
        for below in value:
            yield from keys(below, f"{path}[]")
    else:
        yield path + {dict: "{}", list: "[]"}.get(type(value), "")


def documents(text: str) -> Iterator[Any]:
    """Yield the JSON of an answer: a single document, or one on each line."""
    try:
        yield json.loads(text)
    except json.JSONDecodeError:
        yield from map(json.loads, text.splitlines())


def test_keys_and_exit_codes_of_a_former_release_remain(terminal: Terminal) -> None:
    shutil.copy(REPLAY, terminal.folder)
    found, codes = set(), {}
    for line in JOURNEY.splitlines():
        words = line.split()
        command = " ".join(words[: 2 if words[0] in GROUPS else 1])
        answer = terminal.type_json(*words)
        codes[line] = answer.code
        text = answer.err if answer.code and not answer.out else answer.out
        found |= {f"{command}\t{key}" for document in documents(text) for key in keys(document)}
    former = set(FORMER.read_text(encoding="utf-8").splitlines()[1:])
    assert sorted(former - found) == []
    assert {line: code for line, code in codes.items() if code} == EXIT_CODES
