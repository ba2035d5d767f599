"""`as_dataset`: what Python already holds to a `Dataset`, by the rules of `read_table`."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from dataclasses import fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypedDict

import numpy as np

from .._core.errors import DataError, PlanError, counted_noun, listed_names, nearest_hint
from .dataset import Dataset
from .memory import check_room
from .raw import Raw, Wanted
from .reading import Names, Reading, name_list
from .table import dataset_of, read_table

if TYPE_CHECKING:
    import pandas as pd
    from numpy.typing import ArrayLike

# names of them
ROLE_LABELS = {"target": "class", "group": "group", "split": "split", "batch": "batch"}


class ReadingArguments(TypedDict, total=False):
    """Arguments of `as_dataset` that functions which study a table take, too."""

    name: str | None
    positive: object
    id: object
    group: object
    split: object
    batch: object
    covariates: Names
    categorical: Names
    drop: Names
    transpose: bool
    missing: Names
    decimal: str | None
    thousands: str | None
    limits: str | None
    units: str | None
    duplicates: str
    long: Names
    unify: Names
    drop_unlabelled: bool
    regression: bool
    log_target: bool
    layer: str | None


READING_PARAMETERS = (*ReadingArguments.__annotations__, "allow")


def refuse_unknown(function: str, given: Iterable[str], others: Iterable[str]) -> None:
    """Refuse arguments that neither a function nor `as_dataset` has.

    Raises
    ------
    PlanError
        One line, with the nearest.
    """
    for name in given:
        if name not in READING_PARAMETERS:
            raise PlanError(
                f"{function} has no argument {name!r}: "
                f"{nearest_hint(name, [*others, *READING_PARAMETERS])}"
            )


def as_dataset(
    data: Any,
    target: Any = None,
    *,
    name: str | None = None,
    positive: object = None,
    id: object = None,
    group: Any = None,
    split: Any = None,
    batch: Any = None,
    covariates: Names = (),
    categorical: Names = (),
    drop: Names = (),
    transpose: bool = False,
    missing: Names = (),
    decimal: str | None = None,
    thousands: str | None = None,
    limits: str | None = None,
    units: str | None = None,
    duplicates: str = "refuse",
    long: Names = (),
    unify: Names = (),
    allow: Names = (),
    drop_unlabelled: bool = False,
    regression: bool = False,
    log_target: bool = False,
    layer: str | None = None,
    target_optional: bool = False,
    only: Iterable[str] | None = None,
) -> Dataset:
    """A data frame, an AnnData object or arrays as a `Dataset`.

    The result is what `read_table` gives of the file that `data` could be written to, with the
    same digest, and the same errors: the arguments that are not described here are those of
    `read_table`.

    Parameters
    ----------
    data : DataFrame, AnnData, array of shape (n_samples, n_features), Dataset or path
        Samples in rows. The index of a frame names them, unless it is only 0, 1, 2 ...; then
        they are found as in a file. Of an AnnData object ``obs`` is the sample sheet and ``X``, or
        `layer`, has the features. Columns of an array are called ``x0``, ``x1`` ... Frames of
        other libraries that have ``to_pandas`` are taken too.
    target : str or array of shape (n_samples,), optional
        The column of the class, or the labels.
    name : str, default="table"
        What the data are called, in messages and on the page; of a file by default its name.
    group, split, batch : str or array of shape (n_samples,), optional
        Columns, or their values.

    Returns
    -------
    Dataset

    Raises
    ------
    DataError
        As of `read_table`; also names of several levels, types that are neither number nor text,
        such as dates, and labels that are not of these samples.

    Notes
    -----
    Text is what a frame says it is: a column of type ``category``, and one whose cells are all
    text, is categorical even if they are digits. Cells of both kinds are read as in a file.

    Examples
    --------
    >>> import pandas as pd
    >>> frame = pd.DataFrame(
    ...     {"class": ["ill", "well"], "g1": [1.5, None], "g2": [2, 3]}, index=["s1", "s2"]
    ... )
    >>> data = as_dataset(frame, target="class", positive="ill")
    >>> data
    Dataset('table': 2 x 2; well 1, ill 1)
    >>> data.sample_names
    ('s1', 's2')

    Arrays:

    >>> as_dataset([[1.5, 2], [0.5, 3]], ["ill", "well"]).feature_names
    ('x0', 'x1')
    """
    roles = {"target": target, "group": group, "split": split, "batch": batch}
    said_of = {role: value for role, value in roles.items() if value is not None}
    given = {role: value for role, value in said_of.items() if np.ndim(value)}
    names = {role: str(value) for role, value in said_of.items() if role not in given}
    how = Reading(
        positive=positive,
        id=None if id is None else str(id),
        covariates=name_list(covariates),
        categorical=name_list(categorical),
        drop=name_list(drop),
        transpose=transpose,
        missing=name_list(missing),
        decimal=decimal,
        thousands=thousands,
        limits=limits,
        units=units,
        duplicates=duplicates,
        long=name_list(long),
        unify=name_list(unify),
        allow=name_list(allow),
        drop_unlabelled=drop_unlabelled,
        regression=regression,
        log_target=log_target,
        layer=layer,
        target_optional=target_optional,
        only=None if only is None else frozenset(only),
    )
    how = _with_roles(how, names)
    said = {f.name: getattr(how, f.name) for f in fields(how) if getattr(how, f.name) != f.default}
    if isinstance(data, Dataset):
        if also := [*given, *(name for name in said if name != "target_optional")]:
            raise DataError(
                f"{also[0]}= says how a table is read, and {data.name!r} is a Dataset, which was: "
                "say it where that was made"
            )
        return data
    if isinstance(data, str | os.PathLike):
        if given:
            raise DataError(f"{next(iter(given))}= names a column where the table is a file")
        found = read_table(data, **said)
        return found if name is None else replace(found, name=name)
    name = name or "table"
    if hasattr(data, "obs_names"):
        from .anndata_object import read_anndata, samples_of

        if transpose:
            raise DataError("an AnnData object has samples in rows: give data.T if it has not")
        obs, names_given = _with_labels(samples_of(data, name), given, name)

        def read_in_memory(wanted: Wanted, how: Reading) -> Raw:
            return read_anndata(data, obs, wanted, how, name)
    else:
        from .frame import read_frame, transposed_frame

        if layer is not None:
            raise DataError(f"layer={layer!r} is of AnnData objects and files, not of a frame")
        frame, notes = _as_frame(data), list[str]()
        if transpose:
            frame, notes = transposed_frame(frame, hasattr(data, "columns"))
        frame, names_given = _with_labels(frame, given, name)

        def read_in_memory(wanted: Wanted, how: Reading) -> Raw:
            raw = read_frame(frame, wanted, how, name)
            raw.notes[:0] = notes
            return raw

    found = dataset_of(Path(name), _with_roles(how, {**names, **names_given}), read_in_memory)
    return replace(found, name=name)


def _with_roles(how: Reading, names: Mapping[str, str]) -> Reading:
    """The same with the columns of roles, by these names."""
    return replace(
        how,
        target=names.get("target"),
        group=names.get("group"),
        split=names.get("split"),
        batch=names.get("batch"),
    )


def _as_frame(data: Any) -> pd.DataFrame:
    """A frame of what is one, or of a matrix."""
    import pandas as pd

    if hasattr(data, "to_pandas"):  # polars, Arrow
        data = data.to_pandas()
    if isinstance(data, pd.DataFrame):
        return data
    if hasattr(data, "collect"):
        raise DataError("data is a query that has not run: give data.collect()")
    if isinstance(data, np.ma.MaskedArray):
        data = np.ma.filled(data.astype(np.float64), np.nan)
    if hasattr(data, "toarray"):
        check_room(16.0 * np.prod(data.shape), "data", "as a matrix that is not sparse")
        _check_sparse(data)
    try:
        X = np.asarray(data.toarray() if hasattr(data, "toarray") else data)
    except ValueError as error:
        raise DataError(f"data is no matrix: {error}") from error
    if X.ndim != 2:
        raise DataError(
            f"data is {type(data).__name__} of {X.ndim} dimensions: give a DataFrame, an AnnData "
            "object, or an array of samples in rows and features in columns"
        )
    return pd.DataFrame(X, columns=[f"x{j}" for j in range(X.shape[1])])


def _check_sparse(matrix: Any) -> None:
    """Refuse places that lie outside, where SciPy would write: it looks at none of them."""
    try:
        if hasattr(matrix, "check_format"):
            matrix.check_format(full_check=True)
        elif hasattr(matrix, "coords"):
            for places, size in zip(matrix.coords, matrix.shape, strict=True):
                if len(places) and not 0 <= places.min() <= places.max() < size:
                    raise ValueError("indices lie outside of it")
    except ValueError as error:
        raise DataError(f"data is no sparse matrix: {error}") from error


def _with_labels(
    frame: pd.DataFrame, given: Mapping[str, ArrayLike], where: str
) -> tuple[pd.DataFrame, dict[str, str]]:
    """A frame with columns for roles whose values were given, and what these are called.

    Raises
    ------
    DataError
        There is not one for each row, or they are of other rows; or other values have that name.
    """
    import pandas as pd

    names: dict[str, str] = {}
    for role, values in given.items():
        if np.shape(values) != (len(frame),):
            raise DataError(
                f"{role}= has the shape {np.shape(values)}, and {where!r} has "
                f"{counted_noun(len(frame), 'row')}: give one value for each, or the name of a "
                "column"
            )
        column = values if isinstance(values, pd.Series) else pd.Series(values)
        _refuse_other_rows(column.index, frame.index, role)
        names[role] = found = ROLE_LABELS[role] if column.name is None else str(column.name)
        column = column.set_axis(frame.index)
        if found not in map(str, frame.columns):
            frame = _with_column(frame, found, column)
        elif (
            not frame[[c for c in frame.columns if str(c) == found]]
            .astype(str)
            .eq(column.astype(str), axis=0)
            .all(axis=None)
        ):
            raise DataError(
                f"{where!r} has a column {found!r} with other values than {role}=: leave it out of "
                "the table, or give the values another name, as with pd.Series(values, name=...)"
            )
    return frame, names


def _with_column(frame: pd.DataFrame, name: str, column: pd.Series) -> pd.DataFrame:
    """Joined, not inserted: of that pandas warns where a frame was made column by column."""
    import pandas as pd

    if frame.columns.nlevels > 1:  # which is refused by its own name
        return frame.assign(**{name: column})
    return pd.concat([frame, column.rename(name)], axis=1)


def _refuse_other_rows(own: pd.Index, index: pd.Index, role: str) -> None:
    """Values whose index names other rows than the table's, or these in another order. Rows that
    are counted have no names, unless the others are counted in another order."""
    import pandas as pd

    if own.equals(index):
        return
    rows, lost = pd.RangeIndex(len(index)), own[~own.isin(index)]
    mixed = not len(lost) and index.isin(own).all()
    if not mixed and (own.equals(rows) or index.equals(rows)):
        return
    what = (
        "the rows of the table in another order"
        if mixed
        else f"other rows than the table, such as {listed_names(lost, 1)}"
    )
    raise DataError(
        f"{role}= has {what}: give {role}=values.loc[table.index], or values.to_numpy() if the "
        "order is right"
    )
