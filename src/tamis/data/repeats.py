"""Columns that tell patients apart although rows repeat them: is a group column missing?"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from .._core.errors import shorten_text
from .circumstances import names_nobody
from .names import SAMPLE_ID_PATTERN, names_samples
from .raw import MOST_EXACT, Text, parse_number, sort_levels

CODE_PATTERN = re.compile(r"(?=.*\d)[A-Za-z_.\- ]*\d[\w.\-/: ]*")
FEWEST_CODES = 10
MIN_UNIQUE_SHARE = 0.9  # of the rows have a value of their own: samples, a few of them twice


def count_repeats(column: Text, name: str) -> tuple[int, int] | None:
    """Number of different values and of rows with a value, if the column is like patients' ids
    and its values repeat.

    By name (`names_samples`): more than one value for twenty rows, text or whole numbers; two
    values alone may be yes and no, unless they are codes with digits. By content: ten codes or more
    with digits in them (``P07``), more than one for ten rows, and no dates, wells or the like
    (`names_nobody`).

    Examples
    --------
    >>> visits = Text.of([f"P{k // 3}" for k in range(60)])
    >>> count_repeats(visits, "patient"), count_repeats(visits, "who")
    ((20, 60), (20, 60))
    >>> count_repeats(Text.of(["m", "f"] * 30), "sex") is None
    True
    """
    codes = column.codes[column.codes >= 0]
    used = np.unique(codes)
    n, different = len(codes), len(used)
    if different == n:
        return None
    values = [column.values[c] for c in used]
    if names_samples(name):
        several = different > 2 or (different == 2 and _look_like_codes(values))
        fits = several and different > n / 20 and _integers_or_text(values)
    else:
        fits = different >= FEWEST_CODES and different > n / 10 and _look_like_codes(values)
        fits = fits and not names_nobody(name, values)
    return (different, n) if fits else None


def number_texts(values: np.ndarray) -> Text:
    """A column of numbers as text; those of too many digits to be distinguished are missing."""
    return Text.of_numbers(np.where(np.abs(values) > MOST_EXACT, np.nan, values))


def _integers_or_text(values: Sequence[str]) -> bool:
    numbers = [parse_number(v) for v in values]
    return not any(x is not None and x % 1 for x in numbers)


def _look_like_codes(values: Sequence[str]) -> bool:
    alike = sum(1 for v in values if parse_number(v) is None and CODE_PATTERN.fullmatch(v))
    return alike > 0.9 * len(values)


def notes_on_repeats(
    columns: Mapping[str, tuple[Text, str]], together: Iterable[np.ndarray]
) -> list[str]:
    """What to ask about columns of patients whose values repeat.

    Parameters
    ----------
    columns : mapping of name to (column, what it is)
        ``"is dropped"``, ``"is a feature"``.
    together : iterable of ndarray
        Groups and folds: a column whose every value lies in one of them is no matter.
    """
    notes, together = [], list(together)
    for name, (column, what) in columns.items():
        found = count_repeats(column, name)
        if found is None or any(_one_label_each(column, labels) for labels in together):
            continue
        some = sort_levels({column.values[c] for c in column.codes if c >= 0})[0]
        different, n = found
        if SAMPLE_ID_PATTERN.fullmatch(name.strip()) and different > MIN_UNIQUE_SHARE * n:
            used = np.bincount(column.codes[column.codes >= 0], minlength=len(column.values))
            again = shorten_text(column.values[int(used.argmax())])
            notes.append(
                f"column {name!r} {what}, and few of its values repeat ({different:,} in {n:,} "
                f"rows): {again!r} stands in {used.max()}; if that is one sample, keep one row"
            )
            continue
        notes.append(
            f"column {name!r} {what}, but its values repeat ({different:,}, such as {some!r}, in "
            f"{n:,} rows): if they are patients, study them with group={name!r}"
            f"{' in place of drop' * (what == 'is dropped')}; otherwise results look too good"
        )
    return notes


def _one_label_each(column: Text, labels: np.ndarray) -> bool:
    """Whether all rows of each value have one label."""
    known = column.codes >= 0
    pairs = set(zip(column.codes[known].tolist(), labels[known].tolist(), strict=True))
    return len(pairs) == len({code for code, _ in pairs})


def note_on_near(
    groups: Sequence[Sequence[int]], ids: Sequence[str], known: np.ndarray | None = None
) -> list[str]:
    """What to ask about rows that are nearly the same (`near_identical_rows`), where groups are
    `known` about those of several groups.

    Examples
    --------
    >>> note_on_near([(0, 2), (1, 3)], "abcd")[0].split(":")[0]
    "4 samples form 2 sets of near-duplicates, such as 'a' and 'c'"
    """
    if known is not None:
        groups = [own for own in groups if len({known[i] for i in own}) > 1]
    if not groups:
        return []
    *some, last = [repr(shorten_text(ids[i])) for i in groups[0]]
    first, n = f"{', '.join(some)} and {last}", sum(map(len, groups))
    if known is not None:
        sets = f"{n:,} samples form {len(groups):,} sets of near-duplicates that are"
        text = f"rows {first} are nearly the same and" if len(groups) == 1 else f"{sets}"
        such = "" if len(groups) == 1 else f", such as {first}"
        return [
            f"{text} of different groups{such}: if they are one patient, give them one group; "
            "otherwise results look too good"
        ]
    text = f"rows {first} are nearly the same: if they are one patient"
    if len(groups) > 1:
        text = (
            f"{n:,} samples form {len(groups):,} sets of near-duplicates, such as {first}: "
            "if a set is one patient"
        )
    return [
        f"{text}, study them with the column of patients as group=...; "
        "otherwise results look too good"
    ]
