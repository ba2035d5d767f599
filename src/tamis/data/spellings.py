"""Spellings of one name: `pt07`, `PT07`, `Pt-7`.

Names that differ in nothing but their spelling are distinguished as any others, so that a patient's
samples may lie on both sides of a fold, and a class may have a twin. There is one comparison for
all: Unicode's compatible forms (NFKC, Unicode Standard Annex 15), case folded, without characters
that are not shown, with one dash and one blank, without what stands between letters and digits,
and without zeros in front of a whole number.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable, Sequence

import numpy as np

from .._core.errors import counted_noun, listed_names, shorten_text
from .faults import Fault
from .raw import Text

INVISIBLE_PATTERN = re.compile(
    "[\u00ad\u034f\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufe00-\ufe0f\ufeff]"
)
DASH_PATTERN = re.compile("[\u2010-\u2015\u2043\u2212\ufe58\ufe63\uff0d]")
BLANK_PATTERN = re.compile(r"[^\S \0]")
# these begin with the letter that is looked for, which makes them fast
INNER_DASH_PATTERN = re.compile(r"-(?:(?<=\w-)(?=[^\W\d])|(?<=[^\W\d]-)(?=\d))")
LEADING_ZEROS_PATTERN = re.compile(r"0(?<![\d.,]0)0*(?=\d)")
SEPARATING_CHARACTERS = dict.fromkeys(
    [k for k in range(1, 128) if chr(k).isspace() or chr(k) in "-_"]
)


def _one_blank(text: str) -> str:
    """Of names with a zero byte between: one kind of blank, one at a time, none at the edges."""
    text = _single(BLANK_PATTERN.sub(" ", text), " ")
    return text.replace(" \0", "\0").replace("\0 ", "\0").strip(" ")


def _without_between(text: str) -> str:
    """Without what stands between letters and digits; between digits it is a dash."""
    return INNER_DASH_PATTERN.sub("", _single(text.replace("_", "-").replace(" ", "-"), "-"))


def _single(text: str, letter: str) -> str:
    while letter * 2 in text:
        text = text.replace(letter * 2, letter)
    return text


# what a step unites, by its name; later ones of what earlier ones give
SPELLING_STEPS: tuple[tuple[str, Callable[[str], str]], ...] = (
    ("accents (one character or two)", lambda s: unicodedata.normalize("NFC", s)),
    ("characters that are not shown", lambda s: s if s.isascii() else INVISIBLE_PATTERN.sub("", s)),
    ("kinds of one character", lambda s: unicodedata.normalize("NFKC", s)),
    ("capitals", str.casefold),
    ("dashes", lambda s: s if s.isascii() else DASH_PATTERN.sub("-", s)),
    ("blanks", _one_blank),
    ("blanks or dashes", _without_between),
    ("zeros in front", lambda s: LEADING_ZEROS_PATTERN.sub("", s)),
)


def spelling_keys(names: Sequence[str]) -> list[str]:
    """The same text for names that differ in spelling alone.

    Examples
    --------
    >>> spelling_keys(["pt07", "PT 7", "HER2-", "HER2\u2013", "1.05", "2024-01"])
    ['pt7', 'pt7', 'her2-', 'her2-', '1.05', '2024-1']
    """
    text = "\0".join(names)  # all at once: a name takes a step some 50 ns
    for _, unite in SPELLING_STEPS:
        text = unite(text)
    found = text.split("\0")
    if len(found) == len(names):
        return found
    return [spelling_keys([name.replace("\0", " ")])[0] for name in names] if names else []


def _maybe_alike(names: Sequence[str]) -> Sequence[str]:
    """The names that may be spellings of another: all that share a coarser key, which is had in
    a tenth of the time. Most tables have none."""
    text = "\0".join(names)
    if not text.isascii():
        return names
    coarse = (
        LEADING_ZEROS_PATTERN.sub("", text.lower()).translate(SEPARATING_CHARACTERS).split("\0")
    )
    if len(coarse) != len(names):
        return names
    if len(set(coarse)) == len(names):
        return []
    count = Counter(coarse)
    return [name for name, key in zip(names, coarse, strict=True) if count[key] > 1]


def alike_names(names: Sequence[str]) -> list[tuple[str, ...]]:
    """Different names of one spelling key, in the order of their first.

    Examples
    --------
    >>> alike_names(["b1", "a", "B1", "a"])
    [('b1', 'B1')]
    """
    names = list(dict.fromkeys(_maybe_alike(names)))
    keys = spelling_keys(names)
    if len(set(keys)) == len(keys):  # names that are not ASCII have no coarser key
        return []
    found: dict[str, list[str]] = {}
    for name, key in zip(names, keys, strict=True):
        found.setdefault(key, []).append(name)
    return [tuple(own) for own in found.values() if len(own) > 1]


def difference_text(one: str, other: str) -> str:
    """In what two spellings of one name differ.

    Examples
    --------
    >>> difference_text("pt07", "PT7")
    'capitals and zeros in front'
    """
    needed = list(SPELLING_STEPS)
    # folding case unites ligatures and NFKC blanks; of the rest, the later ones unite more
    for step in (SPELLING_STEPS[3], SPELLING_STEPS[2], *reversed(SPELLING_STEPS)):
        without = [own for own in needed if own is not step]
        if _united(one, without) == _united(other, without):
            needed = without
    return " and ".join(kind for kind, _ in needed)


def _united(name: str, steps: list[tuple[str, Callable[[str], str]]]) -> str:
    for _, unite in steps:
        name = unite(name)
    return name


def spelled_names(names: Sequence[str]) -> str:
    """A few names in quotes, and in what they differ: some look the same.

    Examples
    --------
    >>> spelled_names(["pt07", "PT07"])
    "'pt07' and 'PT07' (capitals)"
    """
    one, other = map(shorten_text, names[:2])
    return f"{one!r} and {other!r} ({difference_text(names[0], names[1])})"


def refuse_spellings(column: Text, name: str, what: str) -> None:
    """Refuse values of a role that are spellings of one.

    Raises
    ------
    Fault
        With the remedy `unify`.
    """
    values = column.distinct()
    groups = alike_names(values)
    if not groups:
        return
    more = len(groups) - 1
    others = f", and {more:,} more such" if more else ""
    surplus = _surplus(groups)
    are = f"so that {len(values):,} are read for {len(values) - surplus:,}"
    raise Fault(
        f"column {name!r} has spellings of one {what}: {spelled_names(groups[0])}{others}, {are}; "
        f"write them alike with unify=[{name!r}], or say that they differ with allow=[{name!r}]",
        surplus,
        {"unify": (name,)},
    )


def _surplus(groups: Iterable[Sequence[str]]) -> int:
    return sum(len(own) - 1 for own in groups)


def unified(column: Text) -> tuple[Text, dict[str, str]]:
    """The column with each value spelled as it is most often, of equals as it is first; and what
    was written otherwise."""
    labels = column.labels
    count, first = Counter(labels), {label: -k for k, label in reversed([*enumerate(labels)])}
    changed: dict[str, str] = {}
    for own in alike_names([label for label in labels if label is not None]):
        best = max(own, key=lambda name: (count[name], first[name]))
        changed |= {name: best for name in own if name != best}
    if not changed:
        return column, {}
    return Text.of(changed.get(str(v), v) for v in labels), changed


def note_on_unified(name: str, changed: dict[str, str]) -> str:
    """What was written otherwise."""
    some = listed_names([f"{old} as {new}" for old, new in changed.items()], 3)
    return f"column {name!r}: {counted_noun(len(changed), 'spelling')} unified: {some}"


def notes_on_names(names: Sequence[str], what: str) -> list[str]:
    """A line on features or samples whose names differ in spelling alone: they may truly differ."""
    groups = alike_names(names)
    if not groups:
        return []
    number = counted_noun(_surplus(groups) + len(groups), what)
    return [
        f"{number} differ from another in spelling alone, such as {spelled_names(groups[0])}: they "
        "are taken as different"
    ]


def joined_spellings(wanted: Iterable[str], names: Sequence[str]) -> np.ndarray | None:
    """Places among `names` of those that are wanted, by spelling; None where that is not one to
    one."""
    keys = spelling_keys(names)
    if len(set(keys)) < len(keys):
        return None
    place = {key: k for k, key in enumerate(keys)}
    own = spelling_keys(list(wanted))
    if len(set(own)) < len(own) or not set(own) <= place.keys():
        return None
    return np.array([place[key] for key in own])
