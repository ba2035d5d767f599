"""Columns that say when or where a sample was handled, and go with the class: runs, plates, dates,
the order of rows."""

from __future__ import annotations

import re

import numpy as np

from ..._core.errors import listed_names
from ..event_names import as_words
from .interface import Suspect
from .separation import by_values, value_codes
from .watched import Watched

_BEHIND = r"(?: ?(?:no|nr|id|number|name|code|day|date))?"
CIRCUMSTANCE_PATTERN = re.compile(  # read as words
    r"(?:.* )?(?:plate|batch|run|lane|slide|flow ?cell|array|scan(?:ner)?|machine|instrument|"
    r"operator|injection|acquisition|date|datetime|timestamp|barcode|serial|lot)s?"
    rf"{_BEHIND}"
    r"|(?:well|chip|order|row|index|position|site|centre|center|hospital|lab|laboratory|sample|"
    rf"patient|subject|participant|id){_BEHIND}"
)
MAX_CHANCE_P = 1e-3  # by chance, in any such column
MIN_SEPARATION = 0.3  # a separation by the other samples of a value: with two classes a rate of .65
NEAR_P, N_DRAWS = 0.01, 19_999  # the normal distribution is rough where one class is rare
MOST_DRAWN, AT_ONCE = 40_000_000, 1 << 20  # samples in all orders, and in those drawn together
FEWEST_RUNS = 12  # samples, from which an order of rows is one


def find_circumstances(table: Watched) -> list[Suspect]:
    """Columns that are called so, and numbers that only rise or fall down the rows, if classes are
    not spread over them as chance would."""
    rising = _in_order_of_rows(table.X)
    tested = [
        j
        for j, name in enumerate(table.names)
        if rising[j] or CIRCUMSTANCE_PATTERN.fullmatch(as_words(name))
    ]
    found = []
    for j in tested:
        p = uneven_spread_p(table.X[:, j], table.y, not table.coded[j])
        if len(tested) * p < MAX_CHANCE_P:
            what = "follows the order of rows" if rising[j] else "shows how samples were handled"
            name = listed_names([table.names[j]])
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


def uneven_spread_p(values: np.ndarray, y: np.ndarray, ordered: bool) -> float:
    """P-value of classes that are spread evenly over the values of a column.

    Of numbers of which most are different: by how often neighbours in their order are of unlike
    classes. Of others by the chi-squared test; 1 where the other samples of a value do not give
    the class.
    """
    from scipy.stats import chi2_contingency

    n, sizes = len(y), np.bincount(y).astype(float)
    codes = value_codes(values[:, None])[:, 0]
    if ordered and codes.max() >= n / 3:
        rows = np.flatnonzero(~np.isnan(values))
        rows = np.random.default_rng(0).permutation(rows)  # equal values are in no order
        return few_changes(y[rows[np.argsort(values[rows], kind="stable")]])
    if by_values(values[:, None], y, len(sizes))[0] < MIN_SEPARATION:
        return 1.0
    table = np.zeros((codes.max() + 1, len(sizes)))
    np.add.at(table, (codes, y), 1)
    return float(chi2_contingency(table, correction=False).pvalue)


def few_changes(y: np.ndarray) -> float:
    """P-value of so few neighbours of unlike class in a random order: by the normal distribution
    (Mood 1940, of several kinds of elements), and where that is small by `N_DRAWS` random orders,
    or fewer of very many samples."""
    from scipy.special import ndtr

    n, sizes = float(len(y)), np.bincount(y).astype(float)
    if n < 3 or (sizes > 0).sum() < 2:
        return 1.0
    two, three = (sizes**2).sum(), (sizes**3).sum()
    mean = (n**2 - two) / n
    variance = (two * (two + n * (n + 1)) - 2 * n * three - n**3) / (n**2 * (n - 1))
    changes = np.count_nonzero(np.diff(y))
    p = float(ndtr((changes - mean) / np.sqrt(max(variance, 1e-12))))
    if p > NEAR_P:
        return p
    rng, as_few, draws = np.random.default_rng(0), 0, min(N_DRAWS, MOST_DRAWN // len(y))
    step = max(1, AT_ONCE // len(y))
    for start in range(0, draws, step):
        drawn = rng.permuted(np.tile(y, (min(step, draws - start), 1)), axis=1)
        as_few += int(((np.diff(drawn, axis=1) != 0).sum(axis=1) <= changes).sum())
    return max(p, (1 + as_few) / (1 + draws))
