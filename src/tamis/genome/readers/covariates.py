"""Covariates of samples from a table, as numbers."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np

from ..._core.errors import DataError, counted_noun, value_text
from ...data.raw import parse_number
from .classes import refuse_alike
from .phenotypes import FAMILY_HEADERS, ID_HEADERS, column_names, read_phenotypes
from .samples import Samples

MAX_LEVELS = 20  # of a column of words, at most


def read_covariates(
    path: str | os.PathLike[str], samples: Samples, names: tuple[str, ...] = ()
) -> tuple[np.ndarray, list[str], str]:
    """Columns of a table with a header and ids, such as PLINK's --covar takes.

    A column of words becomes one of 0 and 1 for each word but the first. Samples that miss one of
    the covariates count nowhere.

    Parameters
    ----------
    path : path
    samples : Samples
    names : tuple of str
        Empty: all columns but those of ids.

    Returns
    -------
    values : ndarray of shape (n, c)
        NaN of samples that miss one.
    columns : list of str
    joined : str
        How rows were joined to samples, where that is to be reported; else empty.

    Raises
    ------
    DataError
        There is no header, no such column, no sample that has all, or a column of more than 20
        words, of one, or of spellings of one.

    Examples
    --------
    >>> import tempfile
    >>> from tamis.genome.readers.samples import Samples
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     _ = Path(f"{folder}/c.txt").write_text("IID age centre\\na 41 Rome\\nb 52 Oslo\\n")
    ...     samples = Samples.of_ids(["b", "a", "c"])
    ...     values, columns, _ = read_covariates(f"{folder}/c.txt", samples)
    >>> columns, values.tolist()
    (['age', 'centre=Rome'], [[52.0, 0.0], [41.0, 1.0], [nan, nan]])
    """
    path = Path(path)
    there = [
        name for name in column_names(path) if name.lower() not in (*FAMILY_HEADERS, *ID_HEADERS)
    ]
    if not there:
        raise DataError(
            f"{path.name!r} has no header that names covariates: its first line is to be such as "
            "FID IID age"
        )
    read = {
        name: read_phenotypes(path, samples, name, coded=False)
        for name in dict.fromkeys(names) or there
    }
    given = {name: one.labels for name, one in read.items()}
    known = np.array([[label is not None for label in labels] for labels in given.values()])
    every = known.all(axis=0)
    if not every.any():
        raise DataError(
            f"{path.name!r}: no sample has a value of every covariate: name some, names="
        )
    values, columns = [], []
    for name, labels in given.items():
        found = np.full(len(labels), np.nan)
        numbers = [parse_number(label) for label in labels[every]]
        if None in numbers:
            words = sorted(set(labels[every]))
            refuse_alike(words, f"{path.name!r}, {name}", "word")
            if len(words) > MAX_LEVELS:
                odd = next(word for word in words if parse_number(word) is None)
                raise DataError(
                    f"{path.name!r}, {name}: {counted_noun(len(words), 'different value')}, of "
                    f"which {value_text(odd)} is no number: a covariate is a number, or one of "
                    f"{MAX_LEVELS} words; name others, names="
                )
            if len(words) == 1:
                raise DataError(
                    f"{path.name!r}, {name}: all samples have {value_text(words[0])}: leave it out "
                    "and name the others, names="
                )
            for word in words[1:]:
                values.append(np.where(every, labels == word, np.nan))
                columns.append(f"{name}={word}")
            continue
        found[every] = numbers
        values.append(found)
        columns.append(name)
    return np.column_stack(values), columns, next(iter(read.values())).joined
