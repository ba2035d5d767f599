"""Options that name what a command writes are no input: --force may write over them again."""

from __future__ import annotations

import re

import click

from tamis.cli._shared import OUTPUT_PARAMETERS
from tamis.cli.main import main

WRITES = re.compile(
    r"Writ|Result folder|Where |Keep what|A Parquet table|.*write the table here", re.ASCII
)


def path_options(command, context):
    """Path options of a command and of all below it, with the words of their help."""
    if isinstance(command, click.Group):
        for name in command.list_commands(context):
            yield from path_options(command.get_command(context, name), context)
        return
    for option in command.params:
        if isinstance(option, click.Option) and isinstance(option.type, click.Path):
            yield option.name, option.help


def test_options_that_name_a_result_are_known_as_outputs():
    found = set(path_options(main, click.Context(main)))
    assert len(found) > 20
    writing = {name for name, words in found if WRITES.match(words)}
    assert {"out", "report", "page"} <= writing
    assert writing == set(OUTPUT_PARAMETERS) & {name for name, _ in found}
