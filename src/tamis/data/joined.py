"""Several tables of the same samples, side by side: blocks of one data set."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace

import numpy as np

from .._core.errors import DataError, counted_noun, listed_names, listed_parts, shorten_text
from . import checks, repeats
from .dataset import Dataset, check_unique
from .faults import Remedy, reworded_error
from .missing_marks import split_mark
from .near_rows import near_identical_rows
from .panel import Panel
from .reading import Reading
from .samples import spelled_otherwise
from .spellings import joined_spellings

INCOMPLETE_CHOICES = ("refuse", "drop")  # what happens where a sample is not in every block
Read = Callable[[str | os.PathLike[str], Reading], Dataset]


def block_name(block: str, column: str) -> str:
    """What a column of a block is called.

    Examples
    --------
    >>> block_name("rna", "TP53")
    'rna:TP53'
    """
    return f"{block}:{column}"


def named_within(block: str, names: Iterable[str]) -> list[str]:
    """Those of some names that are of a block, without it."""
    start = block_name(block, "")
    return [name.removeprefix(start) for name in names if name.startswith(start)]


def marks_within(block: str, marks: Iterable[str]) -> tuple[str, ...]:
    """Marks of missing values that are of a block: those of all columns, and those of its own.

    Examples
    --------
    >>> marks_within("rna", ["-9", "rna:TP53=0", "age=99"])
    ('-9', 'TP53=0')
    """
    marks = tuple(marks)
    anywhere = [mark for mark in marks if not split_mark(mark)[0]]
    return (*anywhere, *named_within(block, marks))


def layer_within(block: str, layer: str | None, blocks: Iterable[str]) -> str | None:
    """The layer that is requested of a block: ``name`` is of all of them, ``block:name`` of one.

    Examples
    --------
    >>> layer_within("rna", "counts", ["rna", "adt"]), layer_within("rna", "rna:raw", ["rna"])
    ('counts', 'raw')
    >>> layer_within("adt", "rna:raw", ["rna", "adt"])
    """
    of, colon, name = (layer or "").partition(":")
    if not colon or of not in blocks:
        return layer
    return name if of == block else None


def check_block_names(blocks: Iterable[str], incomplete: str) -> None:
    """Refuse names that could not stand before those of columns."""
    for name in blocks:
        if not name.isprintable() or set(name) & set(':=,"/\\') or name.strip() != name or not name:
            raise DataError(f'the block name {name!r} must have letters, and none of : = , / \\ "')
    if incomplete not in INCOMPLETE_CHOICES:
        raise DataError(f"incomplete={incomplete!r}: give 'refuse' or 'drop'")


def read_block(
    read: Read, name: str, path: str | os.PathLike[str], ids: tuple[str, ...], how: Reading
) -> Dataset:
    """A block's table; with features in rows where its columns are named like the samples.

    Raises
    ------
    DataError
        It cannot be read, or has none of the samples.
    """
    known, fault, own_ids = set(ids), None, tuple[str, ...]()
    of_block = Reading(
        categorical=tuple(named_within(name, how.categorical)),
        drop=tuple(named_within(name, how.drop)),
        unify=tuple(named_within(name, how.unify)),
        allow=tuple(named_within(name, how.allow)),
        target_optional=True,
        part=True,
        first_ids=True,
        only=None if how.only is None else frozenset(named_within(name, how.only)),
        encoding=how.encoding,
        decimal=how.decimal,
        thousands=how.thousands,
        limits=how.limits,
        missing=marks_within(name, how.missing),
        units=how.units,
        duplicates=how.duplicates,
        layer=how.layer,
        modality=how.modality,
        keep=None if how.keep is None else how.keep.only(named_within(name, how.keep.names)),
        annotate=how.annotate,
    )
    roles = {column for _, column in how.roles}
    for transpose in (False, True):
        try:
            found = read(path, replace(of_block, transpose=transpose))
        except DataError as error:
            fault = error if not transpose else fault
            continue
        own_ids = own_ids or found.sample_names
        if name in how.unify:
            found = _with_ids(found, ids)
        if known & set(found.sample_names):
            again = sorted(roles & set(found.feature_names))
            if again:
                raise DataError(
                    f"block {name!r} has the column {again[0]!r} too, which is no feature here: "
                    f"leave it out with drop=[{block_name(name, again[0])!r}]"
                )
            note = [f"block {name!r} has features in rows"] if transpose else []
            own = [f"block {name!r}: {_advice_within(name, text)}" for text in found.notes]
            return replace(found, notes=(*note, *own))
    if fault is not None:
        raise reworded_error(
            fault,
            lambda text: f"block {name!r}: {_advice_within(name, text)}",
            lambda remedy: _remedy_within(name, remedy),
        ) from fault
    spelled = joined_spellings(own_ids, ids)
    advice = f"join them by spelling with unify=[{name!r}]; " if spelled is not None else ""
    raise DataError(
        f"block {name!r} has none of the samples: its ids, such as {listed_names(own_ids, 2)}, "
        "are not those of the table, such as "
        f"{listed_names(ids, 2)}{spelled_otherwise(ids, own_ids)}; {advice}ids are in the first "
        "column, or in the header"
    )


def _with_ids(data: Dataset, ids: Sequence[str]) -> Dataset:
    """A block whose samples are called as they are in the first table, where that is by spelling
    one to one."""
    theirs = [one for one in data.sample_names if one not in set(ids)]
    open_ids = [one for one in ids if one not in set(data.sample_names)]
    place = joined_spellings(theirs, open_ids)
    if not theirs or place is None:
        return data
    called = {old: open_ids[k] for old, k in zip(theirs, place.tolist(), strict=True)}
    note = f"{counted_noun(len(theirs), 'sample')} joined by spelling"
    names = tuple(called.get(one, one) for one in data.sample_names)
    return replace(data, sample_names=names, notes=(*data.notes, note))


def _advice_within(name: str, text: str) -> str:
    """What an error of a block says to do, with columns named as they are named here."""
    own = block_name(name, "")
    text = re.sub(r"\b((?:drop|categorical)=\[|layer=)'", rf"\1'{own}", text)
    text = re.sub(r"\b(missing=\[')(?=[^']*=)", rf"\1{own}", text)
    return re.sub(r"(name it as|name the id column with) id=('[^']*')?", "put ids first", text)


def _remedy_within(name: str, remedy: Remedy) -> Remedy:
    """A remedy for a table by itself, for a block."""
    named = {
        key: tuple(
            block_name(name, one) if key != "missing" or "=" in one else one for one in value
        )
        for key, value in remedy.items()
        if key in ("drop", "categorical", "missing") and isinstance(value, tuple)
    }
    return {**remedy, **named}


def of_panel(
    data: Dataset, tables: Mapping[str, Dataset], panel: Panel
) -> tuple[Dataset, dict[str, Dataset]]:
    """The tables that have a feature of a panel, and a word on the others; `data` without any stays
    for its labels.

    Raises
    ------
    DataError
        None of them has one.
    """
    empty = [name for name, table in tables.items() if not table.shape[1]]
    if len(empty) == len(tables) and not len(data.ranked):
        raise DataError(
            f"none of {counted_noun(len(panel.names), 'name')} in {panel.file!r} is a feature, "
            f"such as {listed_names(panel.names, 2)}: of a block write "
            f"{block_name('NAME', 'FEATURE')!r}"
        )
    notes = [f"block {name!r} has no feature of {panel.file!r}: left out" for name in empty]
    left = {name: table for name, table in tables.items() if name not in empty}
    return replace(data, notes=(*data.notes, *notes)), left


def join_blocks(
    data: Dataset,
    tables: Mapping[str, Dataset],
    own: str,
    incomplete: str,
    all_columns: bool = True,
) -> Dataset:
    """The columns of several tables beside those of the first, joined by sample id.

    Parameters
    ----------
    data : Dataset
        With the classes and whatever else is known of the samples.
    tables : mapping of name to Dataset
        The further blocks.
    own : str
        Name of the block that the features of `data` are; empty: by its name, if it has any.
    incomplete : {"refuse", "drop"}
        What happens where a sample is not in every block.
    all_columns : bool
        Whether all columns were read, so that something can be said of the rows.

    Raises
    ------
    DataError
        A sample is missing from a block.
    """
    places = {k: {s: i for i, s in enumerate(t.sample_names)} for k, t in tables.items()}
    kept, notes = np.ones(len(data.sample_names), dtype=bool), []
    for name, place in places.items():
        lost = [s for s in data.sample_names if s not in place]
        if lost and incomplete == "refuse":
            raise DataError(
                f"{counted_noun(len(lost), 'sample')} of {data.name!r} not in block {name!r}: "
                f"{listed_names(lost)}{spelled_otherwise(lost, place)}; add them there, or say "
                "incomplete='drop' to leave them out"
            )
        if lost:
            kept &= np.array([s in place for s in data.sample_names])
            notes.append(
                f"{counted_noun(len(lost), 'sample')} not in block {name!r}, left out: "
                f"{listed_names(lost)}"
            )
        known = set(data.sample_names)
        more = [s for s in place if s not in known]
        if more:
            notes.append(
                f"{counted_noun(len(more), 'sample')} of block {name!r} not in {data.name!r}, not "
                f"used: {listed_names(more)}"
            )
    data = _of_rows(data, np.flatnonzero(kept))
    ranked = data.ranked
    blocks = {own or data.name: ranked} if len(ranked) or own else {}
    names = list(data.feature_names)
    if own:
        for j in ranked:
            names[j] = block_name(own, names[j])
    called = dict(zip(data.feature_names, names, strict=True))
    labels = {called[name]: label for name, label in data.labels.items()}
    levels, matrices = dict(data.levels), [data.take(None)]
    for name, table in tables.items():
        if name in blocks:
            raise DataError(f"two blocks are named {name!r}: choose another name")
        rows = np.array([places[name][s] for s in data.sample_names], dtype=np.intp)
        first = len(names)
        names += [block_name(name, c) for c in table.feature_names]
        levels |= {first + j: given for j, given in table.levels.items()}
        labels |= {block_name(name, c): label for c, label in table.labels.items()}
        blocks[name] = np.arange(first, len(names))
        matrices.append(table.take(rows))
        notes += table.notes
    check_unique(names, "columns of the joined tables", "choose another name for the block")
    X = np.ascontiguousarray(np.hstack(matrices))
    found = checks.summarize_columns(X)
    checks.refuse_empty(found, names)
    if X.shape[1]:
        notes += checks.notes_on(X, found, all_columns)
    counts = listed_parts(
        f"{shorten_text(name)} {len(columns):,}" for name, columns in blocks.items()
    )
    notes.append(f"blocks of features: {counts}")
    doubts = list(data.doubts)
    if data.y is not None:
        near = near_identical_rows(X, levels, data.y)
        doubts += repeats.note_on_near(near, data.sample_names, data.groups)
    return replace(
        data,
        X=X,
        feature_names=tuple(names),
        levels=levels,
        blocks=blocks,
        notes=tuple(dict.fromkeys([*data.notes, *notes, *doubts])),
        doubts=tuple(dict.fromkeys(doubts)),
        labels=labels,
    )


def _of_rows(data: Dataset, rows: np.ndarray) -> Dataset:
    """Some samples of a data set, and the classes that these have."""
    if len(rows) == len(data.sample_names):
        return data
    if not len(rows):
        raise DataError(f"no sample of {data.name!r} is in every block")
    columns = (data.y, data.groups, data.split, data.batches, data.numbers)
    labels, groups, split, batches, numbers = (None if a is None else a[rows] for a in columns)
    present = set() if labels is None else set(labels.tolist())
    classes = tuple(c for c in data.classes if c in present)
    if labels is not None and len(data.classes) > 1 == len(classes):
        raise DataError(
            f"the samples that are in every block are all of one class, {classes[0]!r} of "
            f"{data.target!r}; two or more are needed"
        )
    ids = tuple(data.sample_names[i] for i in rows)
    return replace(
        data,
        X=data.take(rows),
        y=labels,
        sample_names=ids,
        classes=classes,
        groups=groups,
        split=split,
        batches=batches,
        numbers=numbers,
    )
