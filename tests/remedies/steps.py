"""What a message says to do: its options, as Python and as the command have them."""

from __future__ import annotations

import ast
import re
import shlex
from collections.abc import Mapping
from typing import Any, NamedTuple

from tamis.cli._option_words import OPTION_NAMES, one_line

KEYS = f"{OPTION_NAMES}|samples_sheet"
TEXT = r"""(?:'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")"""
PYTHON = re.compile(
    rf"\b(?:(long)=\[({TEXT}(?:, {TEXT})*)\]|({KEYS})=\[({TEXT}(?:, {TEXT})*)\]|({KEYS})=({TEXT})"
    rf"|(transpose|drop_unlabelled)=True|(?:({KEYS}|block)s?)=(?=[\s;,.]|$)"
    rf"|({KEYS})=(?:\[\.\.\.\]|\.\.\.))"
)
WORD = r"""(?:'[^']*'(?:"'"'[^']*')*)"""
SHELL = re.compile(
    rf"--long ({WORD} {WORD} {WORD})|--(transpose|drop-unlabelled)\b(?! ')"
    rf"|((?:--([a-z-]+) {WORD})(?: --\4 {WORD})*)|--([a-z-]+)(?: \.\.\.)?"
)
SEVERAL = ("drop", "categorical", "missing", "unify", "allow", "long", "lines")


class Step(NamedTuple):
    """An option with what it is to be; None where the user has to know that."""

    key: str
    value: Any


def python_steps(message: str) -> list[Step]:
    """The arguments of `read_table` that a message names, in its order."""
    found = []
    for match in PYTHON.finditer(message):
        long, three, some, several, one, text, flag, bare, dots = match.groups()
        if long:
            found.append(Step("long", _texts(three)))
        elif some:
            found.append(Step(some, _texts(several)))
        elif one:
            value = ast.literal_eval(text)
            found.append(Step(one, (value,) if one in SEVERAL else value))
        elif flag:
            found.append(Step(flag, True))
        else:
            found.append(Step(bare or dots, None))
    return found


def _texts(listed: str) -> tuple[str, ...]:
    return tuple(ast.literal_eval(f"[{listed}]"))


def shell_steps(line: str) -> list[Step]:
    """The options that a line of the command names, in its order."""
    found = []
    for match in SHELL.finditer(line):
        three, flag, several, key, bare = match.groups()
        if three:
            found.append(Step("long", tuple(shlex.split(three))))
        elif flag:
            found.append(Step(flag.replace("-", "_"), True))
        elif several:
            values = tuple(shlex.split(several)[1::2])
            key = key.replace("-", "_")
            found.append(Step(key, values if key in SEVERAL else values[-1]))
        elif bare.replace("-", "_") in KEYS.split("|") or bare == "block":
            found.append(Step(bare.replace("-", "_"), None))
    return found


def printed_steps(message: str) -> list[Step]:
    """The same of a message as the command prints it, which says the same.

    Raises
    ------
    AssertionError
        The command says something else.
    """
    steps, printed = python_steps(message), shell_steps(one_line(message))
    assert steps == printed, f"Python says {steps}, the command {printed}: {message}"
    return steps


def words_of(how: Mapping[str, Any]) -> list[str]:
    """Arguments of `read_table` as words of the command."""
    words: list[str] = []
    for key, value in how.items():
        option = f"--{key.replace('_', '-')}"
        if value is True:
            words.append(option)
        elif key == "long":
            words += [option, *value]
        else:
            for one in value if isinstance(value, tuple) else (value,):
                words += [option, str(one)]
    return words


def with_step(how: Mapping[str, Any], step: Step) -> dict[str, Any]:
    """The arguments with one more."""
    if step.key in SEVERAL and step.key != "long":
        return {**how, step.key: tuple(dict.fromkeys([*how.get(step.key, ()), *step.value]))}
    return {**how, step.key: step.value}
