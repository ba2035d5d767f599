"""All detectors over one table."""

from __future__ import annotations

from collections.abc import Sequence

from ..dataset import Dataset
from .alone import find_alone
from .circumstance import find_circumstances
from .confined import find_confined
from .follow_up import find_follow_up
from .interface import Suspect
from .pairs import find_pairs
from .separation import separations, watched


def find_suspects(data: Dataset, allow: Sequence[str] = ()) -> list[Suspect]:
    """Columns that may tell the class because they come of it, or of how samples were handled.

    Of a table that is no matrix the covariates alone are looked at.

    Parameters
    ----------
    data : Dataset
        With a class column.
    allow : sequence of str
        Columns that are meant: nothing is told of them.

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
    column 'dx' alone tells the classes apart: AUC 1.000, the next column AUC 0.627
    """
    if len(data.classes) < 2:
        return []
    names = [data.feature_names[j] for j in watched(data).tolist()]
    if not names:
        return []
    each = separations(data)
    suspects = [
        *find_follow_up(data, names, each),
        *find_alone(names, each),
        *find_confined(data, names),
        *find_pairs(data, names, each),
        *find_circumstances(data, names),
    ]
    allowed, told = set(allow), set[str]()
    kept = []
    for one in sorted(suspects, key=lambda one: not one.grave):
        if not allowed.issuperset(one.columns) and not told.issuperset(one.columns):
            kept.append(one)
            told.update(one.columns)
    return kept
