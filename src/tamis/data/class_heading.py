"""Class names as headings, and the values of a number."""

from __future__ import annotations

import re
from collections.abc import Iterable

from .._core.errors import shorten_text, unbroken_text

NUMBER_PATTERN = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?")
BARE_WORDS = frozenset(["yes", "no", "true", "false"])
MAX_TARGET_LENGTH = 40  # characters of the target's name


def class_heading(target: str, name: str) -> str:
    """A class named so that it can stand alone, cut if it is long: bare numbers and letters, yes
    and no with their column.

    Examples
    --------
    >>> class_heading("relapse", "1"), class_heading("relapse", "early")
    ('relapse = 1', 'early')
    >>> class_heading("relapse", "no")
    'relapse = no'
    """
    bare = len(name) == 1 or name.casefold() in BARE_WORDS or NUMBER_PATTERN.fullmatch(name)
    if bare and target:
        name = f"{shorten_text(target, MAX_TARGET_LENGTH)} = {name}"
    return shorten_text(unbroken_text(name))


def class_headings(target: str, names: Iterable[str]) -> list[str]:
    """Headings of several classes, with a number behind those that are the same once they are cut.

    Examples
    --------
    >>> class_headings("relapse", ["0", "1"])
    ['relapse = 0', 'relapse = 1']
    >>> class_headings("", ["a" * 90 + "b" * 20, "a" * 70 + "b" * 20])[1]
    'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa...bbbbbbbbbbbbbbbbb (2)'
    """
    seen: dict[str, int] = {}
    found = []
    for name in names:
        heading = class_heading(target, name)
        seen[heading] = count = seen.get(heading, 0) + 1
        found.append(heading if count == 1 else f"{heading} ({count})")
    return found


def number_heading(target: str, low: float, median: float, high: float, log: bool = False) -> str:
    """The values of a number, or of its logarithm.

    Examples
    --------
    >>> number_heading("bmi", 18.2, 25.03, 41.0)
    'bmi from 18.2 to 41, median 25.03'
    """
    name = shorten_text(f"log of {target}" if log else target)
    return f"{name} from {low:.4g} to {high:.4g}, median {median:.4g}"
