"""All detectors over one table."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..dataset import Dataset
from .alone import find_alone
from .circumstance import find_circumstances
from .confined import find_confined
from .follow_up import find_follow_up
from .interface import Suspect
from .pairs import find_pairs
from .separation import separations
from .watched import Watched


def find_suspects(data: Dataset, without: Sequence[str] = ()) -> list[Suspect]:
    """Columns that may tell the class because they come of it, or of how samples were handled.

    Of a table that is no matrix the covariates alone are looked at; of a group (a patient, a
    family) one sample of each class.

    Parameters
    ----------
    data : Dataset
        With a class column.
    without : sequence of str
        Columns, or patterns, that are not looked at.

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
    column 'dx' alone tells the classes apart: AUC 1.000, the next column AUC 0.602
    """
    table = Watched.of(data, without)
    if not table.names or (table.sizes > 0).sum() < 2:
        return []
    with np.errstate(over="ignore", invalid="ignore"):  # of values beyond 1e150
        each = separations(table)
        suspects = [
            *find_follow_up(table),
            *find_alone(table, each),
            *find_confined(table),
            *find_pairs(table, each),
            *find_circumstances(table),
        ]
    told, kept = set[str](), []
    for one in sorted(suspects, key=lambda one: not one.grave):
        if not told.issuperset(one.columns):
            kept.append(one)
            told.update(one.columns)
    return kept
