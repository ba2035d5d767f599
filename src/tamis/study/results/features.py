"""What the features that a study chose look like."""

from __future__ import annotations

import math
from typing import cast

import numpy as np

from ..._core.tables import CountedTable
from ...data.counted import counted_table
from ...data.dataset import Dataset
from ...data.walks import block_width, table_behind
from ...kernels.unit_columns import unit_columns
from ...metrics.estimates import plain_number
from .collect import Collected
from .feature_table import FeatureTable
from .outcomes import OUTCOMES
from .places import places_of, tells_places
from .schema import BlockShare, Distribution, FeatureEntry, Shares

MAX_LISTED_FEATURES = 100
SEVERAL_BLOCKS = "several blocks"  # features that are of no block alone
MAX_CLASS_POINTS = 60  # of a class, shown of its distribution
ALL_POINTS = 240  # of all classes of a feature
MIN_DUPLICATE_CORRELATION = 0.9  # |r| from which two features are near-duplicates
# of |r|, more than rounding makes of it where the length is above `MIN_CENTRED_SHARE`
CORRELATION_SLACK = 1e-3
MIN_CENTRED_SHARE = 1e-9  # of a column's squares about 0
MIN_SQUARES = 1e-290  # below it squares have few digits
MAX_NEIGHBOURS = 20


def block_shares(data: Dataset, collected: Collected) -> dict[str, BlockShare]:
    """How many features of each block were chosen."""
    final = collected.final
    found: dict[str, BlockShare] = {}
    blocks = dict(data.blocks)
    rest = np.setdiff1d(np.arange(data.shape[1]), np.concatenate([*blocks.values()]))
    chosen = [c.features for c in collected.headline] + ([] if final is None else [final.features])
    if np.isin(np.concatenate(chosen), rest).any():  # components of all blocks, say
        blocks[SEVERAL_BLOCKS] = rest
    for name, columns in blocks.items():
        counts = [int(np.isin(c.features, columns).sum()) for c in collected.headline]
        found[name] = {
            "mean": float(np.mean(counts)),
            "least": min(counts),
            "most": max(counts),
            "final": None if final is None else int(np.isin(final.features, columns).sum()),
        }
    return found


def near_duplicates(data: Dataset, features: np.ndarray) -> list[list[tuple[float, int]]]:
    """For each feature the others with |correlation| r >= 0.9 over all samples, nearest first, as
    r and column.

    A description of the data, used by nothing that learns. Missing values count as the
    column's mean; categorical columns have no near-duplicates.
    """
    found: list[list[tuple[float, int]]] = [[] for _ in features]
    table = counted_table(table_behind(data.X))
    if table is not None and table.has_places:
        _near_by_table(data, table, features, found)
    else:
        _near_of_all(data, features, found)
    return [
        [
            (round(min(max(r, -1.0), 1.0), 4), j)
            for r, j in sorted(group, key=lambda pair: (-abs(round(pair[0], 10)), pair[1]))
        ]
        for group in found
    ]


def _near_by_table(
    data: Dataset, table: CountedTable, features: np.ndarray, found: list[list[tuple[float, int]]]
) -> None:
    """Among the columns where the table says that they may be, as in linkage."""
    for feature, group in zip(features, found, strict=True):
        if feature >= table.shape[1]:
            continue
        around = table.near(int(feature))
        Q = _standardised_columns(data, around)
        r = Q.T @ Q[:, np.searchsorted(around, feature)]
        near = np.flatnonzero((np.abs(r) >= MIN_DUPLICATE_CORRELATION) & (around != feature))
        group += [(float(r[k]), int(around[k])) for k in near]


def _near_of_all(data: Dataset, features: np.ndarray, found: list[list[tuple[float, int]]]) -> None:
    Q = _standardised_columns(data, features)
    # centred again, or what rounding left of a mean meets a column's mean; and that mean itself
    sums = np.hstack([Q - Q.mean(axis=0), np.full((len(Q), 1), 1 / np.sqrt(len(Q)))])
    for start, block in data.walk(width=block_width(len(Q))):
        some = start + np.flatnonzero(_may_be_near(sums, block))
        del block  # before the next is made
        r = Q.T @ _standardised_columns(data, some)
        for i, j in zip(*np.nonzero(np.abs(r) >= MIN_DUPLICATE_CORRELATION), strict=True):
            if some[j] != features[i]:
                found[i].append((float(r[i, j]), int(some[j])))


def _may_be_near(sums: np.ndarray, X: np.ndarray) -> np.ndarray:
    """Which columns of a block are not far from every column of `sums` but its last, which gives
    the mean times the root of n: few, in one product for all.

    The squared length of a column is what its squares are above n times the squared mean; where too
    few digits of that are left, or a value is missing, nothing is known.
    """
    with np.errstate(over="ignore", under="ignore", invalid="ignore"):
        product = sums.T @ X
        squares = np.einsum("ij,ij->j", X, X)
        length = squares - product[-1] ** 2
        far = np.abs(product[:-1]).max(axis=0, initial=0.0) < (
            MIN_DUPLICATE_CORRELATION - CORRELATION_SLACK
        ) * np.sqrt(length)
        return ~(far & (length > np.maximum(MIN_CENTRED_SHARE * squares, MIN_SQUARES)))


def _standardised_columns(data: Dataset, columns: np.ndarray) -> np.ndarray:
    """Columns with mean 0 and length 1; constant and categorical ones are 0."""
    X = data.take(None, columns)
    if data.levels:
        X[:, [int(j) in data.levels for j in columns]] = 0.0
    return unit_columns(X)


def level_shares(data: Dataset, codes: np.ndarray, feature: int) -> Shares:
    """Of a category, the share of each declared level among the values of each class, by class
    name (docs/json.md)."""
    column, found = data.column(feature), Shares()
    for code, name in enumerate(data.classes):
        values = column[codes == code]
        n = int((~np.isnan(values)).sum())
        found[name] = {
            level: float((values == k).sum() / n) if n else None
            for k, level in enumerate(data.levels[feature])
        }
    return found


def class_distribution(data: Dataset, codes: np.ndarray, feature: int) -> dict[str, Distribution]:
    """How a number is distributed in each class, by class name (docs/json.md): the count of values,
    five quartiles and at most 60 of the values, evenly by rank with both ends."""
    column = data.column(feature)
    most = max(2, min(MAX_CLASS_POINTS, ALL_POINTS // len(data.classes)))
    found: dict[str, Distribution] = {}
    for code, name in enumerate(data.classes):
        values = column[codes == code]
        values = np.sort(values[~np.isnan(values)])
        n = len(values)
        low, q1, median, q3, high = (
            np.quantile(values, np.arange(5) / 4).tolist() if n else [None] * 5
        )
        if n > most:
            values = values[np.arange(most) * (n - 1) // (most - 1)]
        found[name] = {
            "n": n,
            "min": low,
            "q1": q1,
            "median": median,
            "q3": q3,
            "max": high,
            "points": distinguishable_values(values.tolist()),
        }
    return found


def class_means(data: Dataset, codes: np.ndarray, feature: int) -> dict[str, float | None]:
    """Mean of a numeric feature in each class, by class name."""
    means, column = {}, data.column(feature)
    for code, name in enumerate(data.classes):
        values = column[codes == code]
        values = values[~np.isnan(values)]
        means[name] = float(values.mean()) if len(values) else None
    return means


def describe_features(
    data: Dataset, table: FeatureTable, detailed: bool = True, missing: np.ndarray | None = None
) -> list[FeatureEntry]:
    """The `features` entry of docs/json.md: at most a hundred that anything chose.

    `detailed` adds each one's distribution by class and its scores under every filter; `missing`
    are p of equally many missing values in all classes (p,), where the table has them.
    """
    chosen = (table.headline > 0) | table.final
    shown = table.order[chosen[table.order]][:MAX_LISTED_FEATURES]
    if not len(shown):
        return []
    groups = near_duplicates(data, shown)
    folds = [set(chosen.tolist()) for chosen in table.chosen]
    outcome = OUTCOMES[data.response.kind]
    scores = outcome.load("scores")(data, shown) if detailed else [{} for _ in shown]
    described = outcome.load("description")
    places = places_of(data, shown) if tells_places(data) else [None] * len(shown)
    entries: list[FeatureEntry] = []
    learnt = data.response.learnt(data.codes)
    for j, group, scored, place in zip(shown, groups, scores, places, strict=True):
        column = data.column(int(j))
        alike = {int(j), *(other for _, other in group)}
        entry: dict[str, object] = {
            "name": data.feature_names[j],
            "frequency": float(table.headline[j]),
            "by_method": {k: float(v[j]) for k, v in table.by_method.items()},
            "in_final": bool(table.final[j]),
            "group": [
                {"name": data.feature_names[other], "r": r} for r, other in group[:MAX_NEIGHBOURS]
            ],
            "group_size": len(group),
            "group_frequency": float(np.mean([not alike.isdisjoint(fold) for fold in folds])),
            "missing": float(np.isnan(column).mean()),
            **described(data, learnt, int(j), detailed),
        }
        entries.append(cast(FeatureEntry, entry))
        for name, columns in data.blocks.items():
            if j in columns:
                entries[-1]["block"] = name
        if place is not None:
            entries[-1]["place"] = place
        if missing is not None and j < len(missing):
            entries[-1]["missing_p"] = plain_number(missing[j])
        if table.numbers:
            entries[-1]["numbers"] = {
                title: {name: float(values[j]) for name, values in own.items()}
                for title, own in table.numbers.items()
            }
        if detailed:
            entries[-1]["scores"] = scored
    return entries


def class_description(
    data: Dataset, codes: np.ndarray, feature: int, detailed: bool
) -> dict[str, object]:
    """A feature beside the classes: means, or shares of levels, missing values, and, `detailed`,
    its distribution (docs/json.md)."""
    column, categorical = data.column(feature), bool(data.levels.get(feature))
    shares = level_shares(data, codes, feature) if categorical else None
    found: dict[str, object] = {
        "class_means": None if categorical else class_means(data, codes, feature),
        "class_shares": shares,
        "missing_counts": {
            name: int(np.isnan(column[codes == code]).sum())
            for code, name in enumerate(data.classes)
        },
    }
    if detailed:
        found["kind"] = "categorical" if categorical else "numeric"
        found["distribution"] = (
            class_distribution(data, codes, feature) if not categorical else shares
        )
    return found


def distinguishable_values(values: list[float]) -> list[float]:
    """Values to six digits, or to three behind those that all of them share.

    Examples
    --------
    >>> distinguishable_values([1.23456789, 2.0])
    [1.23457, 2.0]
    >>> distinguishable_values([1600000000.25, 1600000100.5])
    [1600000000.2, 1600000100.5]
    """
    size = max(map(abs, values), default=0.0)
    span = max(values, default=0.0) / 2 - min(values, default=0.0) / 2
    shared = math.floor(math.log10(size / 2) - math.log10(span)) if size / 2 and span else 0
    digits = min(17, 6 + max(0, shared - 2))
    return [float(f"{v:.{digits}g}") for v in values]
