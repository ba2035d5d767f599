"""What users read when something is wrong: the name, the value, what is allowed, what to do.

The command prints the message of a `TamisError` as one line and exits with 2. Anything
else that reaches the user is a bug.
"""

from __future__ import annotations

import difflib
import importlib
import re
import unicodedata
from collections.abc import Iterable
from types import ModuleType
from typing import Any

MAX_MESSAGE_LENGTH = 480  # characters of a message
HEAD_LENGTH = 300  # of these before what is left out of a longer one
ELLIPSIS = " ... "
# a quoted text, or a blank outside of quotes; an apostrophe within a word opens none
CUT_PLACE = re.compile(r"""(?<!\w)(?:'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")| """)
MAX_COMPARED_LENGTH = 200  # of a name, beyond which it is not compared
MIN_NAME_SIMILARITY = 0.66  # of the letters of two names, that they share
MIN_CONTAINED_LENGTH = 3  # letters of a name that is looked for in others


class TamisError(ValueError):
    """Base of every error that is the input's, not the program's: one printable line."""

    def __str__(self) -> str:
        return message_line(super().__str__())

    @property
    def lines(self) -> list[str]:
        """The message, a line for each thing that is wrong."""
        return [str(self)]


class DataError(TamisError):
    """A table, sheet or file that cannot be used as it is."""


class PlanError(TamisError):
    """A plan or an option that names something unknown or impossible."""


class MethodError(PlanError):
    """A method that does not keep to its interface (`_core/interfaces.py`).

    Attributes
    ----------
    check : str
        Code by which `tamis check` names the fault.
    """

    def __init__(self, message: str, check: str = ""):
        super().__init__(message)
        self.check = check

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (str(self), self.check)


class StoreError(TamisError):
    """A result folder that cannot be written, or belongs to another study."""


class ModelError(TamisError):
    """A saved model that cannot be read or applied to the table given."""


class MissingExtraError(TamisError, ImportError):
    """An optional library that the request needs is not installed."""


def listed_names(names: Iterable[object], most: int = 5) -> str:
    """Names for a message: the first few, quoted, and how many more there are.

    Examples
    --------
    >>> listed_names(["a", "b", "c"], most=2)
    "'a', 'b' and 1 more"
    """
    names = list(names)
    shown = ", ".join(shorten_text(repr(str(name))) for name in names[:most])
    return shown if len(names) <= most else f"{shown} and {len(names) - most:,} more"


def listed_parts(parts: Iterable[str], most: int = 20, between: str = ", ") -> str:
    """Parts of a line, such as sizes of classes: the first few, and how many more there are.

    Examples
    --------
    >>> listed_parts(["3 ill", "4 well"]), listed_parts(["a", "b", "c"], most=2)
    ('3 ill, 4 well', 'a, b and 1 more')
    """
    parts = list(parts)
    shown = between.join(shorten_text(part, 120) for part in parts[:most])
    return shown if len(parts) <= most else f"{shown} and {len(parts) - most:,} more"


def counted_noun(n: int, noun: str, many: str = "") -> str:
    """``1 column``, ``2,480 columns``; `many` is a plural that is not made by an s."""
    return f"{n:,} {noun if n == 1 else many or noun + 's'}"


def shorten_text(name: object, most: int = 60) -> str:
    """A name for a message, its middle left out if it is long."""
    text = str(name)
    return text if len(text) <= most else f"{text[: most - 20]}...{text[-17:]}"


def printable_text(text: str) -> str:
    """A text without what a terminal obeys: each such character is a question mark.

    Examples
    --------
    >>> printable_text("a\\x1b[31m\\u202eb")
    'a?[31m?b'
    """
    if text.isprintable():
        return text
    return "".join(
        letter if letter.isprintable() else " " if unicodedata.category(letter) == "Zs" else "?"
        for letter in text
    )


def unbroken_text(text: str) -> str:
    """A text without ends of lines: a name that has some starts no line of its own.

    Examples
    --------
    >>> unbroken_text("  g\\n  ! warning"), unbroken_text("two  blanks")
    ('  g ! warning', 'two  blanks')
    """
    first, *more = text.splitlines() or [""]
    return " ".join([first, *map(str.strip, more)])


def printable_lines(text: str) -> str:
    """Lines without what a terminal obeys."""
    return "\n".join(map(printable_text, text.split("\n")))


def message_line(text: str) -> str:
    """A text as one printable line; of a very long one the middle is left out, between words and
    outside quotes where it can be: half a name in a remedy would be another name."""
    line = printable_text(" ".join(text.split()))
    if len(line) <= MAX_MESSAGE_LENGTH:
        return line
    most = MAX_MESSAGE_LENGTH - len(ELLIPSIS)
    cuts = [gap.start() for gap in CUT_PLACE.finditer(line) if gap.group() == " "]
    head = max((at for at in cuts if most // 2 <= at <= HEAD_LENGTH), default=HEAD_LENGTH)
    least = len(line) - (most - HEAD_LENGTH)
    tail = min((at + 1 for at in cuts if least <= at + 1 < len(line) - 40), default=least)
    return f"{line[:head]}{ELLIPSIS}{line[tail:]}"


def value_text(value: object) -> str:
    """A value as code for a message of one line."""
    return " ".join(shorten_text(repr(value)).split())


def nearest_hint(name: object, valid: Iterable[object]) -> str:
    """``did you mean 'x'?`` for the closest valid name, else the list of what is allowed.

    Examples
    --------
    >>> nearest_hint("moderatd_t", ["moderated_t", "welch_t"])
    "did you mean 'moderated_t'?"
    """
    names = [str(v) for v in valid]
    close = nearest_name(name, names)
    if close is not None:
        return f"did you mean {shorten_text(close)!r}?"
    return f"choose from {listed_names(names, most=12)}"


def nearest_name(name: object, names: Iterable[str]) -> str | None:
    """The valid name that a mistyped one is like, if there is one.

    They share two thirds of their letters, or it is the only one that has the other as its
    beginning or as a word.

    Examples
    --------
    >>> nearest_name("clas", ["cells", "class"]), nearest_name("income", ["outcome"])
    ('class', None)
    >>> nearest_name("status", ["disease_status", "age"]), nearest_name("acc", ["mcc", "accuracy"])
    ('disease_status', 'accuracy')
    """
    given, lower = (
        str(name)[:MAX_COMPARED_LENGTH].lower(),
        {v[:MAX_COMPARED_LENGTH].lower(): v for v in names},
    )
    longer = [one for one in lower if one != given and one.startswith(given)]
    begun = longer if len(given) >= MIN_CONTAINED_LENGTH else []
    close = begun
    if len(begun) != 1:
        close = difflib.get_close_matches(given, lower, n=1, cutoff=MIN_NAME_SIMILARITY)
    if not close and len(given) >= MIN_CONTAINED_LENGTH:
        word = re.compile(rf"(?:^|(?<=[\W_])){re.escape(given)}(?=[\W_]|$)|^{re.escape(given)}")
        found = [one for one in lower if word.search(one)]
        close = found if len(found) == 1 else []
    return lower[close[0]] if close else None


def require_library(module: str, extra: str, purpose: str) -> ModuleType:
    """Import an optional library, or say which extra brings it."""
    try:
        return importlib.import_module(module)
    except ImportError as error:
        raise MissingExtraError(
            f"{purpose} needs the library {module!r}: install it with "
            f"`pip install '.[{extra}]'` in a checkout of Tamis"
        ) from error
