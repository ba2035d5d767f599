"""Columns that say when or where a sample was handled, and go with the class: runs, plates, dates,
the order of rows."""

from __future__ import annotations

import re

import numpy as np

from ..._core.errors import listing
from .interface import Suspect
from .separation import by_values, value_codes
from .watched import Watched

_WORDS = (
    r"plate|well|batch|run|lane|chip|slide|flowcell|array|scan(?:ner)?|machine|instrument|operator|"
    r"injection|acquisition|order|row|index|position|date|datetime|timestamp|barcode|"
    r"sample|serial|site|centre|center|hospital|lab(?:oratory)?|kit|lot"
)
_BEHIND = r"no|nr|id|number|name|code|day|date"
NAMED = re.compile(rf"(?i)(?:.*[ ._-])?(?:{_WORDS})s?(?:[ ._-]?(?:{_BEHIND}))?")
UNLIKELY = 1e-3  # by chance, in any such column
TELLS = 0.3  # a separation by the other samples of a value: with two classes a rate of .65
FEWEST_RUNS = 12  # samples, from which an order of rows is one


def find_circumstances(table: Watched) -> list[Suspect]:
    """Columns that are called so, and numbers that only rise or fall down the rows, if classes are
    not spread over them as chance would."""
    rising = _in_order_of_rows(table.X)
    asked = [j for j, name in enumerate(table.names) if rising[j] or NAMED.fullmatch(name)]
    found = []
    for j in asked:
        if len(asked) * uneven(table.X[:, j], table.y, not table.coded[j]) < UNLIKELY:
            what = "follows the order of rows" if rising[j] else "tells how samples were handled"
            name = listing([table.names[j]])
            text = f"column {name} {what}, and the classes are not spread evenly over it"
            found.append(Suspect("circumstance", (table.names[j],), text))
    return found


def _in_order_of_rows(X: np.ndarray) -> np.ndarray:
    """Columns of different numbers that rise, or fall, from row to row."""
    found = np.arange(X.shape[1] if len(X) >= FEWEST_RUNS else 0)
    for rows in (FEWEST_RUNS, len(X)):  # most columns turn within the first rows
        steps = np.diff(X[:rows, found], axis=0)
        found = found[(steps > 0).all(axis=0) | (steps < 0).all(axis=0)]
    return np.isin(np.arange(X.shape[1]), found)


def uneven(values: np.ndarray, y: np.ndarray, ordered: bool) -> float:
    """P-value of classes that are spread evenly over the values of a column.

    Of numbers of which most are different: by how often neighbours in their order are of unlike
    classes. Of others by the chi-squared test; 1 where the other samples of a value do not tell
    the class.
    """
    from scipy.special import ndtr
    from scipy.stats import chi2_contingency

    n, sizes = len(y), np.bincount(y).astype(float)
    codes = value_codes(values[:, None])[:, 0]
    if ordered and codes.max() >= n / 3:
        told = ~np.isnan(values)
        order = np.argsort(values[told], kind="stable")
        changes = np.count_nonzero(np.diff(y[told][order]))
        mean, spread = _changes_by_chance(np.bincount(y[told]).astype(float))
        return 2 * float(ndtr((changes - mean) / spread)) if spread > 0 else 1.0
    if by_values(values[:, None], y, len(sizes))[0] < TELLS:
        return 1.0
    table = np.zeros((codes.max() + 1, len(sizes)))
    np.add.at(table, (codes, y), 1)
    return float(chi2_contingency(table, correction=False).pvalue)


def _changes_by_chance(sizes: np.ndarray) -> tuple[float, float]:
    """Mean and standard deviation of the number of neighbours of unlike class in a random order
    (Mood 1940, equations for several kinds of elements)."""
    n = sizes.sum()
    if n < 3:
        return 0.0, 0.0
    two, three = (sizes**2).sum(), (sizes**3).sum()
    mean = (n**2 - two) / n
    variance = (two * (two + n * (n + 1)) - 2 * n * three - n**3) / (n**2 * (n - 1))
    return float(mean), float(np.sqrt(max(variance, 0.0)))
