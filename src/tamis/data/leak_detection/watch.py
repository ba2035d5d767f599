"""All detectors over one table."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ..in_memory import as_dataset
from .alone import find_alone
from .circumstance import find_circumstances
from .confined import find_confined
from .follow_up import find_follow_up, find_time_to_event
from .gaps import find_gaps
from .interface import Suspect
from .number_copies import number_copies
from .pairs import find_pairs
from .prepared import find_prepared
from .separation import class_separations
from .watched import Watched


def find_suspects(data: Any, target: Any = None, *, without: Sequence[str] = ()) -> list[Suspect]:
    """Columns that may predict the outcome because they come of it, or of how samples were handled.

    For a number to predict, columns that go with it at |r| >= 0.95 (`number_copies`).

    Of a table that is no matrix the covariates alone are looked at; of a group (a patient, a
    family) one sample of each class.

    Parameters
    ----------
    data : Dataset, DataFrame, AnnData, array of shape (n_samples, n_features) or path
        As `tamis.data.as_dataset` takes it.
    target : str or array of shape (n_samples,), optional
        The column of the class, or the labels, where `data` is no Dataset.
    without : sequence of str
        Columns, or patterns, that are not looked at; of `TABLE_KINDS`, what is not reported.

    Returns
    -------
    list of Suspect
        Those that a study refuses first.

    Raises
    ------
    DataError
        No class column.

    Examples
    --------
    >>> import numpy as np
    >>> from tamis.data import Dataset
    >>> rng = np.random.default_rng(0)
    >>> y = np.repeat(["well", "ill"], 40)
    >>> X = np.column_stack([rng.normal(size=(80, 9)), y == "ill"])
    >>> names = (*(f"gene_{j}" for j in range(9)), "dx")
    >>> for one in find_suspects(Dataset(X, y, names)):
    ...     print(one.text)
    column 'dx' has one value for each class
    """
    data = as_dataset(data, target)
    if data.numbers is not None:
        return number_copies(data, without)
    table = Watched.of(data, without)
    if not table.names or (table.sizes > 0).sum() < 2:
        return []
    with np.errstate(over="ignore", invalid="ignore"):  # of values beyond 1e150
        each = class_separations(table)
        suspects = [
            *find_time_to_event(table),
            *find_follow_up(table),
            *find_alone(table, each),
            *find_gaps(table),
            *find_confined(table),
            *find_pairs(table, each),
            *find_circumstances(table),
            *find_prepared(table),
        ]
    reported, kept = set[str](), []
    for one in sorted(suspects, key=lambda one: not one.grave):
        if one.kind in without:
            continue
        if not one.columns or not reported.issuperset(one.columns):
            kept.append(one)
            reported.update(one.columns)
    return kept
