"""All that reaches a terminal: results on stdout, words for people on stderr.

Nothing else prints. Names of files and of what is in them cannot steer a terminal from here,
and what stdout does not take is said.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import select
import signal
import sys
from typing import TextIO

from .errors import StoreError, printable_lines, printable_text

# Ctrl-C, a polite kill, and a terminal that is closed
STOP_SIGNALS = {signal.SIGINT, signal.SIGTERM, getattr(signal, "SIGHUP", signal.SIGTERM)}
CLOSED_STDOUT_MESSAGE = "standard output is closed: give the command somewhere to write"
UNPRINTABLE_PATTERN = re.compile(r"[^ -~\u00a1-\u00ac\u00ae-\u02ff]")  # that may be, sought fast


def print_text(text: str) -> None:
    """Lines for people on stdout; a character that it cannot hold is written as code.

    Raises
    ------
    StoreError
        Stdout is closed or full.
    """
    _put_on_stdout(printable_lines(text) + "\n", "backslashreplace")


def print_table(text: str) -> None:
    """A table of tabs and line ends on stdout, every character of it or none.

    Raises
    ------
    StoreError
        Stdout is closed or full, or its encoding lacks a character.
    """
    lines = (map(printable_text, line.split("\t")) for line in text.split("\n"))
    _put_on_stdout("\n".join(map("\t".join, lines)), "strict")


def print_json(value: object) -> None:
    """One JSON object on stdout; what a terminal obeys, or stdout cannot hold, is escaped.

    Raises
    ------
    StoreError
        Stdout is closed or full.
    """
    encoding = "" if sys.stdout is None else (sys.stdout.encoding or "")
    plain = encoding.lower().replace("-", "") not in ("utf8", "utf8sig")
    text = json.dumps(value, ensure_ascii=plain, allow_nan=False)
    if not text.isprintable():
        text = UNPRINTABLE_PATTERN.sub(_json_escape, text)
    _put_on_stdout(text + "\n", "strict")


def say_to_user(text: str, quiet: bool = False) -> None:
    """A line for people, on stderr, if there is one."""
    if not quiet and sys.stderr is not None:
        with contextlib.suppress(OSError, ValueError):  # nobody can read it
            _write_encoded(sys.stderr, printable_lines(text) + "\n", "backslashreplace")


def in_notebook() -> bool:
    """Whether stderr is the output of a cell: no terminal, and a line there can be written anew."""
    return type(sys.stderr).__module__.startswith("ipykernel.")


def say_again(text: str, end: str = "") -> None:
    """A line for people on stderr, in the place of the one that is there."""
    if sys.stderr is not None:
        with contextlib.suppress(OSError, ValueError):
            _write_encoded(sys.stderr, f"\r{printable_text(text)}{end}", "backslashreplace")


def occupy_closed_streams() -> None:
    """No file that is opened later gets the number of a stream that was closed."""
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # the lowest number free, which is this one


def is_unread(opened: os.stat_result) -> bool:
    """Whether nobody reads stdout any more; `opened` is what it was at first."""
    if not os.path.samestat(opened, os.fstat(1)):  # given up since then, as rich does
        return True
    if not hasattr(select, "poll"):
        return True
    pipe = select.poll()
    pipe.register(1, 0)  # errors are always reported
    return bool(pipe.poll(0))


def give_up_stdout() -> None:
    """What is left in the buffer of a stdout that takes nothing goes nowhere."""
    with contextlib.suppress(OSError, ValueError, AttributeError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
        os.close(nowhere)


def _put_on_stdout(text: str, errors: str) -> None:
    """On stdout, now."""
    if sys.stdout is None:
        raise StoreError(CLOSED_STDOUT_MESSAGE)
    try:
        _write_encoded(sys.stdout, text, errors)
    except BrokenPipeError:  # who read it has seen enough
        raise
    except UnicodeEncodeError as error:
        missing = printable_text(error.object[error.start])
        raise StoreError(
            f"standard output is {sys.stdout.encoding} and cannot hold {missing!r}: set "
            "PYTHONIOENCODING=utf-8"
        ) from None
    except OSError as error:
        give_up_stdout()
        raise StoreError(
            f"cannot write to standard output: {error.strerror or error}; what is in files is kept"
        ) from error


def _write_encoded(stream: TextIO, text: str, errors: str) -> None:
    encoding = stream.encoding or "utf-8"
    stream.write(text.encode(encoding, errors).decode(encoding))
    stream.flush()


def _json_escape(found: re.Match[str]) -> str:
    """A character as JSON may write it; itself if a terminal shows it."""
    letter = found.group()
    return letter if letter.isprintable() else json.dumps(letter)[1:-1]
