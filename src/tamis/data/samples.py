"""Which sample is which: the id column of the table, and the sample sheet joined by it."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Iterable, Sequence
from pathlib import Path

import numpy as np

from .._core.errors import DataError, counted_noun, listed_names, shorten_text
from .checks import FEWEST_CATEGORY_ROWS
from .dataset import check_unique
from .faults import Fault
from .names import GROUPS_REASON, ID_NAME, NUMBER_ID, names_ids, names_rows, names_samples
from .raw import MOST_EXACT, ROW_NAMES, Raw, Text, integer_names, plain_integers
from .repeats import number_texts
from .spellings import difference_text, joined_spellings, spelling_keys

PLAIN_INTEGER_PATTERN = re.compile(r"-?(0|[1-9]\d*)")
FEWEST_LIKE_IDS = 5  # numbers: fewer may look like ids by chance


def sample_ids(
    raw: Raw,
    id: str | None,
    path: Path,
    required: bool = False,
    needed: frozenset[str] = frozenset(),
) -> tuple[tuple[str, ...], list[str]]:
    """Sample names, and what was decided about them; a text column that is none is returned
    to the features. What a column is depends on its name and what it holds, not on how many rows
    there are: a saved model meets one patient, too, and its `needed` columns hold no ids."""
    n = len(raw.X)
    if id is not None and id in raw.text:
        column, name = raw.text.pop(id), id
        note = []
    elif raw.index is not None:
        column, name = raw.text.pop(raw.index), raw.index
        note = [] if name == ROW_NAMES else [f"sample ids: column {name!r}"]
    elif raw.maybe_index is not None and (
        ID_NAME.fullmatch(raw.maybe_index) or _all_different(raw.text[raw.maybe_index])
    ):
        name = raw.maybe_index
        column = raw.text.pop(name)
        note = [f"sample ids: column {name!r} (the first, and text)"]
        like_ids = ID_NAME.fullmatch(name) or names_samples(name)
        if n < FEWEST_CATEGORY_ROWS and not needed and not like_ids:
            note[0] += (
                f": in {counted_noun(n, 'row')} ids cannot be distinguished from categories; if "
                f"it holds these, say categorical=[{name!r}]"
            )
    elif raw.columns and raw.columns[0] not in needed and _counts_rows(raw):
        name = raw.columns.pop(0)
        numbers, raw.X = raw.X[:, 0], np.ascontiguousarray(raw.X[:, 1:])
        note = [f"sample ids: column {name!r} (the first, and it counts the rows)"]
        return tuple(f"{k:.0f}" for k in numbers), note
    elif raw.columns and raw.columns[0] not in needed and (own := _numbers_as_ids(raw)):
        name = raw.columns.pop(0)
        raw.X = np.ascontiguousarray(raw.X[:, 1:])
        return own, [f"sample ids: column {name!r} (the first, and numbers that are all different)"]
    elif required:
        raise DataError(
            f"{path.name!r} has no column of sample ids to join other tables by; name it with id="
        )
    else:
        return tuple(map(raw.row, range(n))), _return_first(raw, needed)
    if raw.maybe_index is not None and raw.maybe_index != name:
        note += _return_first(raw, needed)
    labels = plain_integers(column).labels
    gaps = [raw.row(i) for i, v in enumerate(labels) if v is None]
    if gaps:
        raise Fault(
            f"id column {name!r} is empty in {row_numbers_text(gaps)}; fill it in, or remove the "
            "rows"
        )
    ids = [str(v) for v in labels]
    advice = "make them unique"
    if name != ROW_NAMES:
        advice = (
            f"if they are patients, study them with group={name!r} ({GROUPS_REASON}); else {advice}"
        )
    check_unique(ids, f"sample ids in column {name!r}", advice)
    return tuple(ids), note


def _counts_rows(raw: Raw) -> bool:
    """Whether the first column is named like ids, or like numbers of rows, and holds 0, 1, 2 ... or
    1, 2, 3 ...: in one or two rows a column called ``x`` may do so by chance."""
    name, first = raw.columns[0], raw.X[:, 0]
    like = ID_NAME.fullmatch(name) or (len(first) > 2 and names_rows(name))
    return bool(like) and any(np.array_equal(first, np.arange(len(first)) + k) for k in (0, 1))


def _numbers_as_ids(raw: Raw) -> tuple[str, ...]:
    """The ids in a first column of numbers, as they are written: all are different, and it is
    called like ids or they are like those of QIIME. Whole numbers are none."""
    name, first = raw.columns[0], raw.X[:, 0]
    by_name = names_ids(name)
    if name != raw.header[0] or np.isnan(first).any() or name in raw.text:
        return ()
    if not by_name and (len(first) < FEWEST_LIKE_IDS or (first % 1 >= 0.01).any()):
        return ()
    ids = [str(label) for label in (raw.written or number_texts(first)).labels]
    if len(set(ids)) < len(ids) or all(map(PLAIN_INTEGER_PATTERN.fullmatch, integer_names(ids))):
        return ()
    return tuple(ids) if by_name or all(map(NUMBER_ID.fullmatch, ids)) else ()


def _return_first(raw: Raw, needed: frozenset[str]) -> list[str]:
    """The first column is text but no id: put it among the features."""
    if raw.maybe_index is not None:
        raw.columns.insert(0, raw.maybe_index)
        raw.X = np.column_stack([np.full(len(raw.X), np.nan), raw.X])
    elif raw.columns and raw.columns[0] not in needed:
        name, first = raw.columns[0], raw.X[:, 0]
        all_integers = bool((first == np.floor(first)).all())
        large = all_integers and bool((np.abs(first) > MOST_EXACT).any())  # no more all different
        named = ID_NAME.fullmatch(name) or names_samples(name)
        if large or (all_integers and named and len(np.unique(first)) == len(first)):
            kind = "whole numbers of very many digits" if large else "different whole numbers"
            return [
                f"column {name!r} holds {kind} and is used as a feature; if it names the samples, "
                f"say id={name!r}"
            ]
    return []


def _all_different(column: Text) -> bool:
    codes = column.codes
    return bool((codes >= 0).all()) and len(np.unique(codes)) == len(codes)


def join_sheet(
    own: Raw,
    raw: Raw,
    ids: tuple[str, ...],
    id: str | None,
    called: str | None,
    sheet: str,
    table: str,
    unify: Collection[str] = (),
) -> tuple[str, dict[str, Text], list[str]]:
    """The sheet's columns with their rows in the order of `ids`, which the table, `raw`, has in a
    column `called` so. Ids that differ in spelling alone are joined if the
    sheet's column is one to `unify`."""
    known = set(ids)
    name = id if id is not None and id in own.text else _joining_column(own, known, called, sheet)
    labels, joined = plain_integers(own.text[name]).labels, f"its column {name!r}"
    both = _family_and_id(own)
    if both is not None and len(known.intersection(both[1])) > len(known.intersection(labels)):
        (name, labels), joined = both, "FID_IID (its FID and IID in one word)"
    if None in labels:
        raise DataError(
            f"sample sheet {sheet!r}: id column {name!r} is empty in row "
            f"{own.row(labels.index(None))}; fill it in"
        )
    names = [str(v) for v in labels]
    check_unique(names, f"sample ids in column {name!r} of {sheet!r}")
    place = {v: k for k, v in enumerate(names)}
    lost = [v for v in ids if v not in place]
    spelled = joined_spellings(ids, names) if lost else None
    if spelled is not None and name in unify:
        place |= dict(zip(ids, spelled.tolist(), strict=True))
        joined += f", {counted_noun(len(lost), 'id')} by spelling"
        known, lost = {names[k] for k in spelled.tolist()}, []
    if raw.corner in place and raw.corner not in known:
        raise DataError(
            f"{table!r}: {shorten_text(raw.corner)!r} stands above the names of the features, and "
            f"is a sample of {sheet!r}: if all names have moved by one, put a name for the "
            "features in front of the header; else call that column otherwise"
        )
    if len(lost) == len(ids) and len(set(raw.header).intersection(place)) > 1:
        raise DataError(
            f"{table!r} has the samples of the sheet {sheet!r} where features are named: say "
            "transpose=True if features are in rows, and leave it out if samples are"
        )
    if lost:
        advice = f"join them by spelling with unify=[{name!r}], " if spelled is not None else ""
        raise Fault(
            f"{len(lost):,} of {len(ids):,} samples of {table!r} have no row in the sample sheet "
            f"{sheet!r} (joined by {joined}, such as {shorten_text(names[0])!r}): "
            f"{listed_names(lost)}{spelled_otherwise(lost, names)}; {advice}add them, remove them "
            "from the table, or name the id column with id=",
            len(lost),
            {"unify": (name,)} if spelled is not None else None,
        )
    notes = [f"sample sheet joined by {joined}"]
    extra = [v for v in names if v not in known]
    if extra:
        have = counted_noun(
            len(extra), "row of the sample sheet has", "rows of the sample sheet have"
        )
        notes.append(f"{have} no data: {listed_names(extra)}")
    rows = np.array([place[v] for v in ids])
    return name, {c: t.take(rows) for c, t in own.text.items()}, notes


def _joining_column(own: Raw, known: set[str], called: str | None, sheet: str) -> str:
    """The column of a sheet that has most of the samples; of several the one of the same name, and
    none is taken where they would join other rows, as those of a pair's partners."""
    hits = {c: len(known.intersection(filter(None, t.labels))) for c, t in own.text.items()}
    most = max(hits.values())
    if not most:  # in no spelling
        keys = set(spelling_keys(list(known)))
        hits = {
            c: len(keys.intersection(spelling_keys([v for v in t.values if v])))
            for c, t in own.text.items()
        }
        most = max(hits.values())
    first, *others = [c for c, n in hits.items() if n == most]
    if called in (first, *others):
        return str(called)
    unlike = [c for c in others if own.text[c].labels != own.text[first].labels]
    if most and unlike:
        raise DataError(
            f"sample sheet {sheet!r}: {listed_names([first, *unlike])} all hold the ids of the "
            "table, for different rows: name the right one with id="
        )
    return first


def row_numbers_text(rows: Sequence[str]) -> str:
    """Rows by their numbers in the file.

    Examples
    --------
    >>> row_numbers_text(["3"]), row_numbers_text(["3", "7"])
    ('row 3', 'rows 3, 7')
    """
    more = f" and {len(rows) - 5:,} more" if len(rows) > 5 else ""
    return f"row{'s' * (len(rows) > 1)} {', '.join(rows[:5])}{more}"


def spelled_otherwise(lost: Sequence[str], known: Iterable[str]) -> str:
    """A word on ids that would be found if letters were small, and without what stands between.

    Examples
    --------
    >>> spelled_otherwise(["TCGA.01", "p 2"], ["TCGA-01", "P2", "P3"])
    " ('TCGA.01' may be 'TCGA-01' there: an id has to be the same in both)"
    """
    alike = {_bare_id(name): name for name in known}
    found = [(name, alike[_bare_id(name)]) for name in lost if _bare_id(name) in alike]
    if not found:
        return ""
    one, other = found[0]
    how = f" ({difference_text(one, other)})" * (spelling_keys([one]) == spelling_keys([other]))
    return f" ({one!r} may be {other!r}{how} there: an id has to be the same in both)"


def _bare_id(name: str) -> str:
    shown = re.sub(r"(\.\d*?)0+$", r"\1", name)  # which numbers lose
    plain = re.sub(r"[\W_]+", "-", unicodedata.normalize("NFC", shown)).strip("-")
    return spelling_keys([plain])[0]


def _family_and_id(own: Raw) -> tuple[str, list[str | None]] | None:
    """A sheet's column IID, and FID_IID of its rows, PLINK's name of a sample in one word; None of
    a sheet without these columns."""
    columns = {name.removeprefix("#").upper(): name for name in own.text}
    if not {"FID", "IID"} <= columns.keys():
        return None
    families, ids = (plain_integers(own.text[columns[name]]).labels for name in ("FID", "IID"))
    return columns["IID"], [f"{f}_{i}" for f, i in zip(families, ids, strict=True)]
