"""Messages about arguments of `read_table` in the words of the command."""

from __future__ import annotations

import ast
import re
from contextlib import suppress

from .._core.errors import message_line

# arguments of `read_table`
OPTION_NAMES = (
    "target|drop|allow|unify|categorical|id|separator|samples|group|split|batch|positive|incomplete|reasoner|"
    "encoding|decimal|thousands|sheet|missing|limits|units|duplicates|layer|infinite|prepare"
)
VALUE_PATTERN = r"""'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|\.\.\."""  # as Python writes text


def one_line(message: str) -> str:
    """A message on one line, for a terminal, with arguments of `read_table` as options."""
    return as_options(message_line(message))


def as_options(text: str) -> str:
    """A text with arguments of `read_table` as the command's options.

    Examples
    --------
    >>> as_options("drop=['x', 'y'] or samples= or blocks=")
    "--drop 'x' --drop 'y' or --samples or --block"
    """
    some = rf"\[((?:{VALUE_PATTERN})(?:, (?:{VALUE_PATTERN}))*)\]|({VALUE_PATTERN})"
    three = rf"\blong=\[({VALUE_PATTERN}), ({VALUE_PATTERN}), ({VALUE_PATTERN})\]"
    text = re.sub(three, lambda m: f"--long {' '.join(map(_shell_quoted, m.groups()))}", text)
    named = re.sub(rf"\b({OPTION_NAMES})=(?:{some})", _quoted_options, text)
    for flag in ("drop_unlabelled", "regression", "log_target"):
        named = named.replace(f"{flag}=True", f"--{flag.replace('_', '-')}")
    named = named.replace("samples_sheet=", "--samples-sheet")
    bare = rf"\b(?:({OPTION_NAMES})|(block)s)=(?=[\s;,.]|$)|\b(transpose)=True"
    return re.sub(bare, r"--\1\2\3", named)


def _quoted_options(found: re.Match[str]) -> str:
    """An argument's values, each after the option and quoted for a shell."""
    said = []
    for value in re.findall(VALUE_PATTERN, found[2] or found[3]):
        said.append(f"--{found[1]} {_shell_quoted(value)}")
    return " ".join(said)


def _shell_quoted(value: str) -> str:
    """A text of Python as a shell has it."""
    with suppress(ValueError, SyntaxError):  # what only looks like text of Python stays
        if value != "...":
            return "'" + str(ast.literal_eval(value)).replace("'", "'\"'\"'") + "'"
    return value
