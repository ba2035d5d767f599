"""Features that have the same name, and what becomes of them."""

from __future__ import annotations

from collections.abc import Collection, Sequence

import numpy as np

from .._core.errors import DataError, counted_noun, listed_names
from .faults import Fault
from .raw import MISSING_TEXTS, NO_LABEL, Raw
from .repeats import number_texts

REPEATED_NAME_CHOICES = ("refuse", "first", "mean", "suffix")
NUMBERED_MESSAGE = "features are named by the numbers of column {!r}"
FEWEST_SORTED = 8  # of so many a column is hardly sorted by chance


def distinct_names(names: Sequence[str]) -> tuple[list[str], dict[str, str]]:
    """Names made different by a number behind, and what those that were changed were called.

    Examples
    --------
    >>> distinct_names(["TP53", "EGFR", "TP53", "TP53"])
    (['TP53', 'EGFR', 'TP53.2', 'TP53.3'], {'TP53.2': 'TP53', 'TP53.3': 'TP53'})
    """
    if len(set(names)) == len(names):
        return list(names), {}
    known, found, changed = set(names), list[str](), dict[str, str]()
    seen: dict[str, int] = {}
    for name in names:
        count = seen[name] = seen.get(name, 0) + 1
        new = name
        while count > 1 and new in known:
            new = f"{name}.{count}"
            count += 1
        seen[name] = max(seen[name], count - 1)
        if new != name:
            known.add(new)
            changed[new] = name
        found.append(new)
    return found, changed


def numbers_as_names(values: np.ndarray) -> list[str] | None:
    """Features named by the numbers (p,) of a first column: integers, as Entrez ids, or
    increasing ones, as masses; None of others.

    Examples
    --------
    >>> numbers_as_names(np.array([1017.0, 7157.0, 672.0]))
    ['1017', '7157', '672']
    >>> numbers_as_names(np.array([0.3, 0.1])), numbers_as_names(np.array([2.0, 2.0]))
    (None, None)
    """
    all_integers = (values % 1 == 0).all()
    sorted_ = len(values) >= FEWEST_SORTED and (np.diff(values) > 0).all()
    names = [] if np.isnan(values).any() else [str(v) for v in number_texts(values).labels]
    return names if names and (all_integers or sorted_) and len({*names}) == len(names) else None


def resolve_duplicate_names(raw: Raw, way: str, table: str, roles: Collection[str]) -> None:
    """Do with the features of one name as the user has said.

    Raises
    ------
    Fault
        Nothing has been said; they have different names all the same.
    """
    if way not in REPEATED_NAME_CHOICES:
        raise DataError(f"duplicates={way!r}: give one of {', '.join(REPEATED_NAME_CHOICES)}")
    if not raw.repeated:
        return
    here = {*raw.columns, *raw.text}
    raw.repeated = {new: old for new, old in raw.repeated.items() if new in here}
    if not raw.repeated:
        return
    if twice := role_twice(raw, table, roles):
        raise twice[0]
    names = list(dict.fromkeys(raw.repeated.values()))
    if way == "refuse":
        raise Fault(
            f"duplicate names in {table!r}: {listed_names(names)}; make them unique, or say "
            "duplicates= which of them to take: 'first', 'mean' of their values, or 'suffix' for "
            "all, as NAME.2",
            len(raw.repeated),
            {"duplicates": "suffix"},
        )
    what = counted_noun(len(names), "name stands", "names stand") + " more than once"
    if way == "suffix":
        raw.notes.append(
            f"{what} ({listed_names(names, 3)}): the further ones are called NAME.2, ..."
        )
        return
    if nameless := [name for name in names if name in MISSING_TEXTS or NO_LABEL.fullmatch(name)]:
        _leave_out_nameless(raw, set(nameless))
        names = [name for name in names if name not in nameless]
        if not names:
            return
        what = counted_noun(len(names), "name stands", "names stand") + " more than once"
    place = {name: k for k, name in enumerate(raw.columns)}
    means = _put_means(raw, place) if way == "mean" else set()
    keep = [k for name, k in place.items() if name not in raw.repeated]
    raw.X = np.ascontiguousarray(raw.X[:, keep])
    raw.columns = [raw.columns[k] for k in keep]
    raw.text = {name: text for name, text in raw.text.items() if name not in raw.repeated}
    kept = "the mean of their values is taken" if means else "the first of them is taken"
    if texts := [name for name in names if means and name not in means]:
        kept += f", of text the first ({listed_names(texts, 3)})"
    raw.notes.append(f"{what} ({listed_names(names, 3)}): {kept}")


def role_twice(raw: Raw, table: str, roles: Collection[str]) -> list[Fault]:
    """What is wrong with columns of one name that is no feature's: any may be meant."""
    twice = [old for old in raw.repeated.values() if old in roles]
    return [
        Fault(
            f"the column {name!r} stands more than once in {table!r}, and it is no feature: "
            "leave one of them in the file",
            len(twice),
        )
        for name in twice[:1]
    ]


def _leave_out_nameless(raw: Raw, nameless: set[str]) -> None:
    """Features whose name says that they have none, such as `---`, are not one feature."""
    gone = nameless | {new for new, old in raw.repeated.items() if old in nameless}
    keep = [k for k, name in enumerate(raw.columns) if name not in gone]
    count = len(raw.columns) - len(keep)
    raw.X = np.ascontiguousarray(raw.X[:, keep])
    raw.columns = [raw.columns[k] for k in keep]
    raw.text = {name: text for name, text in raw.text.items() if name not in gone}
    raw.repeated = {new: old for new, old in raw.repeated.items() if new not in gone}
    raw.notes.append(
        f"{counted_noun(count, 'feature')} without a name ({listed_names(sorted(nameless), 3)}) "
        "left out"
    )


def _put_means(raw: Raw, place: dict[str, int]) -> set[str]:
    """The mean of those of one name, without missing values, in the place of the first; of which
    names. Text has none."""
    alike: dict[str, list[int]] = {}
    for new, name in raw.repeated.items():
        if new in place and name in place and not {new, name} & raw.text.keys():
            alike.setdefault(name, [place[name]]).append(place[new])
    for name, at in alike.items():
        values = raw.X[:, at]
        known = ~np.isnan(values)
        count = known.sum(axis=1)
        total = np.where(known, values, 0.0).sum(axis=1)
        raw.X[:, place[name]] = np.where(count > 0, total / np.maximum(count, 1), np.nan)
    return set(alike)
