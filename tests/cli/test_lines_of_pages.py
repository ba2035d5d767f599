"""Commands that the README and pages of docs/ show are commands: every word of them is known."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import click
import pytest

from tamis.cli.main import main

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]


def command_lines(page: Path) -> list[str]:
    """The lines of blocks of shell that call the command, continued ones as one."""
    blocks = re.findall(r"```(?:sh|console)\n(.*?)```", page.read_text(encoding="utf-8"), re.S)
    lines = "\n".join(blocks).replace("\\\n", " ").splitlines()
    found = (re.search(r"(?:^|&& )(?:\$ )?(?:\S*/)?tamis (.*)", line) for line in lines)
    return [one[1] for one in found if one]


def check_words(line: str) -> None:
    """Find the command of a line and give it its options; files are not looked for."""
    words, group, context = shlex.split(line, comments=True), main, None
    while isinstance(group, click.Group):
        name = words.pop(0)
        command = group.get_command(click.Context(group, context), name)
        assert command is not None, f"no command {name!r}"
        context, group = click.Context(command, context, info_name=name), command
    parser = group.make_parser(context)
    parser.ignore_unknown_options = False
    _, rest, _ = parser.parse_args(words)
    assert not rest, f"too many words: {rest}"


@pytest.mark.every
@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_every_option_of_a_line_exists(page):
    for line in command_lines(page):
        try:
            check_words(re.split(r" [|>] ?", line)[0])
        except click.UsageError as error:
            pytest.fail(f"tamis {line}: {error.format_message()}")


def test_a_page_shows_every_command():
    shown = {line.split()[0] for line in command_lines(ROOT / "docs/commands.md")}
    assert shown >= set(main.list_commands(click.Context(main))) - {"report", "demo"}


def test_an_option_that_is_none_is_noticed():
    with pytest.raises(click.UsageError, match="No such option"):
        check_words("study table.csv --targets class")
    with pytest.raises(AssertionError, match="no command"):
        check_words("genome paris cohort.bed")
