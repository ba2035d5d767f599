"""What remarks and summaries of all searches have in common."""

from __future__ import annotations

from collections.abc import Sequence

from .._core.errors import plural, printable, shorten
from .schema import FamilyTest

FEW_SAMPLES = 10
NAMED = 5  # classes


def is_least(test: FamilyTest) -> bool:
    """Whether no permuted run came near, so that more runs could give a smaller p."""
    return test["p_value"] <= test["least"] + 1e-12


def permutation_words(test: FamilyTest, what: str) -> str:
    """The p-value of a whole search, which is that of its best feature, set or pair."""
    least = ": the least possible" if is_least(test) else ""
    return (
        f"{test['p_value']:.2g}, {plural(test['n'], 'permuted run')}{least} (family p of the "
        f"best {what})"
    )


def named_few(classes: Sequence[tuple[str, float]]) -> str:
    """Small classes and their sizes."""
    named = ", ".join(f"{shorten(name)!r} ({size:g})" for name, size in classes[:NAMED])
    more = f" and {len(classes) - NAMED:,} more" if len(classes) > NAMED else ""
    return named + more


def printable_name(text: object, most: int = 60) -> str:
    """A name for the terminal: short, on one line, without control characters.

    Examples
    --------
    >>> printable_name("a\\tb\\x1b[31m")
    'a b?[31m'
    """
    line = " ".join(str(text).split())
    return shorten(printable(line), most)
