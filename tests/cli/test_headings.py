"""The help of long commands: every option under one heading, said where the option is made."""

from __future__ import annotations

import re

import click
import pytest
import rich_click

from tamis.cli.interact import make_command
from tamis.cli.main import COMMAND_NAMES, main

COMMON = {
    "study": [
        "--target",
        "--regression",
        "--log-target",
        "--positive",
        "--group",
        "--plan",
        "--out",
    ],
    "genome study": ["--pheno", "--pheno-name", "--positive", "--group", "--plan", "--out"],
    "read": ["--target", "--positive", "--regression", "--fix", "--group"],
    "interact": ["--target", "--method", "--out"],
    "predict": None,
    "evaluate": None,
}
ORDER = ["Most used", "Data", "Reading the file", "Protocol", "Methods", "Run and output"]


def command_of(name: str) -> click.Command:
    """The command, with the options of the searches."""
    from tamis._core.registry import rows_of
    from tamis._core.rows import SearchRow

    if name == "interact":
        return make_command(rows_of(SearchRow), rich_click.RichCommand)
    found: click.Command = main
    for word in name.split():
        found = found.get_command(click.Context(found), word)
    return found


def options_of(command: click.Command) -> list[click.Option]:
    every = command.get_params(click.Context(command))
    return [p for p in every if isinstance(p, click.Option) and not p.hidden]


def headings(tamis, monkeypatch, name: str, columns: int = 100) -> dict[str, list[str]]:
    """Heading -> the options under it, as the help prints them."""
    monkeypatch.setenv("COLUMNS", str(columns))
    code, out, _ = tamis(*name.split(), "--help")
    assert code == 0
    assert max(map(len, out.splitlines())) <= columns
    found: dict[str, list[str]] = {}
    for line in out.splitlines():
        if heading := re.match(r"╭─ (.+?) ─", line):
            found[heading[1]] = []
        elif option := re.match(r"│ (?:[*]  |   )?(--[\w-]+)", line):
            list(found.values())[-1].append(option[1])
    return found


# a command that reads a table as a study does has the headings too: name it here
LONG = [*COMMON, *(name for name in ("look",) if name in COMMAND_NAMES)]


@pytest.mark.parametrize("name", LONG)
def test_every_option_stands_under_one_heading(tamis, monkeypatch, name):
    options = options_of(command_of(name))
    assert [o.opts[0] for o in options if not isinstance(getattr(o, "panel", None), str)] == []
    found = headings(tamis, monkeypatch, name)
    printed = [option for under in found.values() for option in under]
    assert sorted(printed) == sorted(o.opts[0] for o in options)
    assert all(found.values())
    assert {o.opts[0]: o.panel for o in options} == {
        option: heading for heading, under in found.items() for option in under
    }


@pytest.mark.parametrize("name", LONG)
@pytest.mark.parametrize("columns", [80, 120])
def test_headings_come_in_one_order(tamis, monkeypatch, name, columns):
    found = headings(tamis, monkeypatch, name, columns)
    known = [heading for heading in found if heading in ORDER]
    assert known == sorted(known, key=ORDER.index)
    assert list(found)[-1] == "Run and output"
    if COMMON.get(name):
        assert next(iter(found.items())) == ("Most used", COMMON[name])


def test_an_option_has_the_same_heading_in_every_command():
    found: dict[str, set[str]] = {}
    for name in ("study", "read", "interact", "genome study", *LONG[6:]):
        for option in options_of(command_of(name)):
            found.setdefault(option.opts[0], set()).add(option.panel)
    found.pop("--seed")  # of searches it is what all of them have,
    found.pop("--permutations")  # and so are these
    assert {name: under for name, under in found.items() if len(under) > 1} == {}
