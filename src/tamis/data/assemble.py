"""Classes, groups, covariates and levels around the matrix as read; then the checks."""

from __future__ import annotations

import os
import re
from itertools import chain, islice
from pathlib import Path

import numpy as np

from .._core.errors import counted_noun, listed_names, nearest_hint
from . import checks, repeats
from .coding import Kind, code_columns
from .dataset import Dataset
from .event_names import is_event, note_on_times
from .faults import Fault, FaultList
from .names import names_samples
from .near_rows import near_identical_rows
from .number_target import number_target
from .ranks import notes_on_stacked
from .raw import Raw, Text, plain_integers
from .reading import EMPTY_COLUMNS, Reading
from .spellings import note_on_unified, notes_on_names, refuse_spellings, unified


def assemble_dataset(
    raw: Raw,
    sheet: dict[str, Text],
    ids: tuple[str, ...],
    path: Path,
    how: Reading,
    faults: FaultList,
) -> Dataset:
    """Classes, groups, covariates and levels around the matrix; then the checks.

    Raises
    ------
    Fault, Faults
        What keeps it from being used, all that is found.
    """
    notes, unknown = list(raw.notes), FaultList()
    labels, classes, numbers = None, tuple[str, ...](), None
    with unknown.collecting():
        labels = _role_column(how.target, "target", raw, sheet, ids, how, notes)
    if labels is not None:
        if how.drop_unlabelled and (labels.codes < 0).any():
            what = "value" if how.of_number else "class label"
            kept = _labelled_rows(labels, str(how.target), what, ids, notes)
            labels, raw, ids = labels.take(kept), raw.take(kept), tuple(ids[i] for i in kept)
            sheet = {name: text.take(kept) for name, text in sheet.items()}
        if how.of_number:
            with faults.collecting():
                numbers = _number_target(labels, raw, sheet, ids, how, notes)
            labels = None
        else:
            labels = _spelled(labels, str(how.target), "class", how, faults, notes)
            classes = _checked_classes(labels, raw, sheet, ids, how, faults, notes)
    found = {}
    for column, what in ((how.group, "group"), (how.split, "split"), (how.batch, "batch")):
        values = None
        with unknown.collecting():
            values = _role_column(column, what, raw, sheet, ids, how, notes)
        with faults.collecting():
            if values is not None:
                values = _spelled(values, str(column), what, how, faults, notes)
                checks.refuse_gaps(values, str(column), what, ids)
                found[what] = np.array(values.labels, dtype=str)

    X, columns = raw.X, raw.columns
    place = {c: k for k, c in enumerate(columns)}
    features = {c: t for c, t in raw.text.items() if c in place}
    for covariate in how.covariates:
        if covariate in sheet:
            features[covariate] = sheet[covariate]
        elif covariate not in raw.header:
            valid = [*sheet, *raw.header]
            unknown.found.append(
                Fault(
                    f"covariates names the column {covariate!r}, which neither table nor sample "
                    f"sheet has: {nearest_hint(covariate, valid)}"
                )
            )
    for column in how.unify:
        if column in features:
            features[column], changed = unified(features[column])
            notes += [note_on_unified(column, changed)] * bool(changed)
    unknown.raise_any(path.name)  # what else is found may come from these
    declared = {*how.categorical, *raw.levels, *raw.typed}.intersection(features)
    kinds = {
        c: Kind(c in how.categorical or c in raw.levels, c in raw.typed, raw.levels.get(c))
        for c in declared
    }
    levels = code_columns(X, place, features, kinds, faults)
    insisted = {*how.categorical, *raw.levels}
    guessed = [c for c in levels if c not in insisted and (how.only is None or c in how.only)]
    notes += _notes_on_guessed({c: levels[c] for c in guessed})

    if not columns and not (how.only is not None or how.part):
        faults.found.append(Fault(f"{path.name!r} has no feature columns left"))
    summary = checks.summarize_columns(X)
    with faults.collecting():
        checks.refuse_infinite(X, summary, columns, ids)
    if EMPTY_COLUMNS in how.drop and np.isnan(summary.low).any():
        keep = ~np.isnan(summary.low)
        notes.append(f"{int((~keep).sum()):,} columns without any value are left out")
        X = np.compress(keep, X, axis=1)  # in C order, which X[:, keep] is not
        columns = [c for c, k in zip(columns, keep, strict=True) if k]
        place = {c: k for k, c in enumerate(columns)}
        summary = checks.Summary(summary.low[keep], summary.high[keep], summary.missing[keep])
    if how.only is None:
        with faults.collecting():
            checks.refuse_empty(summary, columns)
    faults.raise_any(path.name)
    if "" in columns:  # Parquet has such
        notes.append(f"feature {columns.index('') + 1:,} has no name: it is called ''")
    notes += checks.notes_on_dates(columns) + checks.notes_on_tallies(columns)
    notes += notes_on_stacked(columns) if how.only is None else []
    if columns and not how.part:
        notes += checks.notes_on(X, summary, all_columns=how.only is None)
        notes += checks.notes_on_counters(X, columns)
        notes += checks.notes_on_stand_ins(X, summary, columns)
    if how.only is None:
        notes += notes_on_names(columns, "feature")
        notes += [] if how.part else notes_on_names(ids, "sample")
    levels_at = {place[c]: v for c, v in sorted(levels.items()) if c in place}
    y = None if labels is None else np.array(labels.labels, dtype=str)
    doubts: list[str] = []
    if how.target is not None and how.only is None:
        seen = _maybe_patients(X, place, features, levels, raw, sheet, how)
        together = [found[what] for what in ("group", "split") if what in found]
        doubts += repeats.notes_on_repeats(seen, together)
        if classes and is_event(how.target, classes):
            unused = {name: text for name, text in sheet.items() if name not in place}
            doubts += note_on_times(how.target, unused, set(raw.header).difference(columns))
        if not how.part:  # else of all blocks, once joined
            near = near_identical_rows(X, levels_at, y)
            doubts += repeats.note_on_near(near, ids, found.get("group"))
    return Dataset(
        X=X,
        y=y,
        feature_names=tuple(columns),
        sample_names=ids,
        classes=classes,
        levels=levels_at,
        groups=found.get("group"),
        split=found.get("split"),
        batches=found.get("batch"),
        covariates=tuple(place[c] for c in how.covariates if c in place),
        target=how.target or "class",
        name=_table_name(path),
        notes=tuple(dict.fromkeys([*notes, *doubts])),
        doubts=tuple(doubts),
        labels={n: raw.labels[n] for n in columns if n in raw.labels} if raw.labels else {},
        numbers=numbers,
        log_target=how.log_target and numbers is not None,
    )


def _number_target(
    labels: Text,
    raw: Raw,
    sheet: dict[str, Text],
    ids: tuple[str, ...],
    how: Reading,
    notes: list[str],
) -> np.ndarray:
    """The values of a target that is a number."""
    target, decimal = str(how.target), how.given_decimal or ("," if raw.comma else None)
    if target in how.categorical:
        raise Fault(
            f"categorical names {target!r}, the target, which regression=True reads as a number: "
            "leave out one of them"
        )
    if how.positive is not None:
        raise Fault(f"positive={how.positive!r} is a class, and regression=True predicts a number")
    others = [*raw.header, *sheet]
    return number_target(
        labels,
        target,
        ids,
        others,
        notes,
        decimal=decimal,
        thousands=how.thousands,
        log=how.log_target,
        meant=target in how.allow,
    )


def _role_column(
    column: str | None,
    what: str,
    raw: Raw,
    sheet: dict[str, Text],
    ids: tuple[str, ...],
    how: Reading,
    notes: list[str],
) -> Text | None:
    """The column of a role, where there is to be one.

    Raises
    ------
    Fault
        There is no such column.
    """
    if column is None:
        return None
    if column in sheet and column in raw.text and column not in raw.columns:
        notes.append(f"{column!r} is in the table and in the sample sheet: the sheet's")
    found = sheet.get(column, raw.text.get(column))
    if found is not None:
        return found if column in raw.typed else plain_integers(found)
    if what == "target" and how.target_optional:
        return None
    if column in ids:
        doubt = "are features in rows? then say transpose=True"
        if how.transpose:
            doubt = "are samples in rows? then leave out transpose=True"
        raise Fault(
            f"there is no {what} column {column!r}, but a row of that name: {doubt}",
            remedy={} if how.transpose else {"transpose": True},
        )
    if raw.sheet is not None:  # a feature has no role there
        where = "obs, nor in the sample sheet" if how.samples else "obs"
        has = nearest_hint(column, sheet) if sheet else "name a table of samples with samples="
        raise Fault(f"there is no {what} column {column!r} in {where}: {has}")
    raise Fault(
        f"there is no {what} column {column!r}: {nearest_hint(column, [*sheet, *raw.header])}"
    )


def _spelled(
    column: Text, name: str, what: str, how: Reading, faults: FaultList, notes: list[str]
) -> Text:
    """The column of a role with one spelling for each value, or as it is where that is meant."""
    if name in how.unify:
        column, changed = unified(column)
        notes += [note_on_unified(name, changed)] * bool(changed)
    elif name not in how.allow:
        with faults.collecting():
            refuse_spellings(column, name, what)
    return column


def _labelled_rows(
    labels: Text, target: str, what: str, ids: tuple[str, ...], notes: list[str]
) -> np.ndarray:
    """Rows with a class label, or a value."""
    kept = np.flatnonzero(labels.codes >= 0)
    lost = [ids[i] for i in np.flatnonzero(labels.codes < 0)]
    if not len(kept):
        raise Fault(f"column {target!r} has no {what} for any sample")
    notes.append(
        f"{counted_noun(len(lost), 'sample')} without a {what} left out: {listed_names(lost, 3)}"
    )
    return kept


def _checked_classes(
    labels: Text,
    raw: Raw,
    sheet: dict[str, Text],
    ids: tuple[str, ...],
    how: Reading,
    faults: FaultList,
    notes: list[str],
) -> tuple[str, ...]:
    """The classes, and what is wrong with them."""
    target = str(how.target)
    with faults.collecting():
        checks.refuse_gaps(labels, target, "class label", ids)
    classes = tuple(labels.distinct())
    with faults.collecting():
        if target not in how.categorical and target not in raw.typed:
            checks.refuse_regression(labels, target, chain(raw.header, sheet))
        if not how.target_optional:
            checks.refuse_one_class(classes, target)
    notes += checks.notes_on_labels(target, classes)
    return classes


def _notes_on_guessed(levels: dict[str, tuple[str, ...]]) -> list[str]:
    """Of columns of text that nobody has called categorical."""
    if not levels:
        return []
    are = "text column is" if len(levels) == 1 else "text columns are"
    firsts = {own: c for c, own in reversed(levels.items())}  # many columns have the same
    alike = (note for own, c in firsts.items() for note in checks.notes_on_labels(c, own))
    return [
        f"{len(levels):,} {are} categorical: {listed_names(levels)}",
        *islice(alike, checks.MOST_REMARKS),
    ]


def _maybe_patients(
    X: np.ndarray,
    place: dict[str, int],
    features: dict[str, Text],
    levels: dict[str, tuple[str, ...]],
    raw: Raw,
    sheet: dict[str, Text],
    how: Reading,
) -> dict[str, tuple[Text, str]]:
    """Columns that may tell patients apart, and what becomes of each."""
    seen = {c: (t, "of the sample sheet is not used") for c, t in sheet.items()}
    seen |= {c: (t, "is dropped") for c, t in raw.aside.items()}
    for column, at in place.items():
        what = "is a covariate" if column in how.covariates else "is a feature"
        by_name = names_samples(column)
        if column in features:
            if by_name or len(levels.get(column, ())) >= repeats.FEWEST_CODES:
                seen[column] = (features[column], what)
        elif by_name:
            seen[column] = (repeats.number_texts(X[:, at]), what)
    for given in (how.target, how.group, how.split, how.batch):
        seen.pop(given or "", None)
    return seen


def _table_name(path: Path) -> str:
    """The file's name without its ending, as text that can be written."""
    name = re.sub(r"(\.(csv|tsv|tab|txt|arff))?(\.gz)?$|\.[^.]+$", "", path.name, count=1)
    return os.fsencode(name).decode("utf-8", "replace")
