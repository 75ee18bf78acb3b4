"""Explain the arguments of a command in its help, because click explains only options."""

from collections.abc import Mapping

import click

NUMBER = "12, or '#12' in quotes"
ARGUMENTS = {
    "account_id": "Id of the account, for example vp/athens.",
    "after": "Second position or game. Default: the newest record of GAME.",
    "at": f"Position up to which the seat knew the game: {NUMBER}.",
    "before": "Position (12 or '#12'), another game, or its position (GAME#12).",
    "checkpoint": "Checkpoint of the game as you saw it; - reads standard input.",
    "dispute_id": "Id of the dispute; `umpire dispute list GAME` lists them.",
    "export": "Replay log with withheld records; - reads standard input.",
    "file": "File to read; - reads standard input.",
    "folder": "Folder of the witness.",
    "game_id": "Id of the game; `umpire games` lists them.",
    "games": "Ids of games. Default: all games.",
    "key": "Public half of the key.",
    "keys": "Output of `umpire export --keys`, a log or a proof.",
    "kind": "Subject of the chart.",
    "name": "Name of the key.",
    "order": "Order as JSON; - reads standard input.",
    "order_name": "Name of the order.",
    "output": "File to create.",
    "position": f"Position of the record: {NUMBER}.",
    "record": f"Position of the record: {NUMBER}.",
    "records": f"Positions of the records: {NUMBER}.",
    "request": "Output of `umpire witness ask`; - reads standard input.",
    "ruling": "Decision in words.",
    "sealed": f"Position of the sealed orders: {NUMBER}.",
    "seat": "Seat of the game, for example athens.",
    "text": "Order with its arguments, or as JSON.",
    "title": "Title in a Python module, or the id of an installed title.",
    "title_id": "Id of the title; `umpire titles` lists them.",
    "unit_id": "Id of the unit, for example athens-5.",
    "who": "Seat of the game, for example athens.",
    "words": "Answer to the step's question, if it asks one.",
}
"""Descriptions of arguments, by the name of their parameter."""
OWN = {
    ("amend", "at"): f"Position of the order to replace: {NUMBER}.",
    ("amend", "text"): "Order as in `umpire order`, or JSON. Put -- before it if it has options.",
    ("cosign", "file"): "Checkpoint that `umpire seal` wrote; your signature is added.",
    ("import", "file"): "Replay log or a folder of them; - reads standard input.",
    ("note", "text"): "Text of the note.",
    ("orders", "title_id"): "Id of a title, or a scenario file.",
    ("play", "file"): "Order file (JSON Lines); - reads standard input.",
    ("referee", "what"): "Id of a game, or a replay log.",
    ("rename", "name"): "New display name.",
    ("scenario", "game_id"): "Id of a title or a game.",
    ("sequence", "title_id"): "Id of a title, or a scenario file.",
    ("verify", "what"): "Log, page, proof, case folder or id of a game; - reads a log.",
}
"""Descriptions of arguments with another meaning in one command, by command and parameter."""


class Explained(click.Command):
    """A command with its arguments explained in its help."""

    sections: Mapping[str, str] = {}
    """Headings for some of its options, by the name of the option's parameter."""

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the arguments, then the options."""
        arguments = [one for one in self.params if isinstance(one, click.Argument)]
        if arguments:
            with formatter.section("Arguments"):
                formatter.write_dl([(_word(one), argument_help(self, one)) for one in arguments])
        grouped: dict[str, list[tuple[str, str]]] = {}
        for one in self.get_params(ctx):
            if not isinstance(one, click.Argument) and (row := one.get_help_record(ctx)):
                grouped.setdefault(self.sections.get(one.name or "", "Options"), []).append(row)
        for heading in sorted(grouped, key=lambda one: one == "Options"):
            with formatter.section(heading):
                formatter.write_dl(grouped[heading])


def argument_help(command: click.Command, argument: click.Argument) -> str:
    """Return the sentence about an argument of a command; "" if there is none."""
    name = argument.name or ""
    return OWN.get((command.name or "", name)) or ARGUMENTS.get(name, "")


def _word(argument: click.Argument) -> str:
    """Return the word for an argument in the usage, without the marks for an optional or repeated argument."""
    word = (argument.metavar or argument.name or "").strip("[]…").partition(" ")[0]
    return word if argument.metavar else word.upper()
