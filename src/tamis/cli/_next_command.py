"""The command to run next, with the same table and reading options as the running one."""

from __future__ import annotations

import shlex
from collections.abc import Collection, Iterator, Mapping
from typing import Any

import rich_click as click
from click.core import ParameterSource


def next_command(
    context: click.Context,
    name: str,
    left_out: Collection[str],
    renamed: Mapping[str, str] | None = None,
) -> str:
    """The line of another command with the arguments of the running one, but for some parameters;
    options that have another name there are `renamed`."""
    arguments, options = [], []
    for parameter in context.command.params:
        given = context.get_parameter_source(str(parameter.name)) is not ParameterSource.DEFAULT
        if parameter.name in left_out or not given:
            continue
        values = list(_written_values(context.params[str(parameter.name)]))
        if isinstance(parameter, click.Argument):
            arguments += [f"./{value}" if value.startswith("-") else value for value in values]
        elif isinstance(parameter, click.Option):
            for value in values:
                options.append((renamed or {}).get(parameter.opts[0], parameter.opts[0]))
                if not parameter.is_flag:
                    joined = value.startswith("-")  # else it looks like an option
                    options[-1:] = [f"{options[-1]}={value}"] if joined else [options[-1], value]
    return " ".join(["tamis", name, *map(shell_word, [*arguments, *options])])


def _written_values(value: Any) -> Iterator[str]:
    """What was given of a parameter, each as it was written."""
    if isinstance(value, Mapping):
        yield from (f"{name}={part}" for name, part in value.items())
    elif isinstance(value, tuple):
        yield from map(str, value)
    elif value is not None and value is not False:
        yield str(value)


def shell_word(text: str) -> str:
    """A text as one word of a shell, on one line; what a terminal obeys as codes.

    Examples
    --------
    >>> shell_word("a.csv"), shell_word("my table.csv"), shell_word("it's\\n")
    ('a.csv', "'my table.csv'", "$'it\\\\'s\\\\x0a'")
    """
    if text.isprintable():
        return shlex.quote(text)
    return "$'" + "".join(map(_escape_code, text)) + "'"


def _escape_code(letter: str) -> str:
    if letter in "\\'":
        return f"\\{letter}"
    if letter.isprintable():
        return letter
    return "".join(f"\\x{byte:02x}" for byte in letter.encode("utf-8", "surrogateescape"))
