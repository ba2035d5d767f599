"""Values that are missing: in which columns and samples, and more in one class than in another."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..data.dataset import Dataset
from .columns import Walked
from .histograms import share_histogram
from .schema import MissingSeen, ShareSeen, UnlikeSeen

MAX_LISTED = 20  # columns and samples
SIGNIFICANCE_LEVEL = 0.05


def missing_seen(data: Dataset, walked: Walked) -> MissingSeen:
    """What is missing; classes are compared by Fisher's exact test, column by column."""
    (n, p), facts = data.shape, walked.facts
    total = int(facts.missing.sum())
    p_values = _unlike_p_values(data, walked)
    tested = int(np.isfinite(p_values).sum())
    bound = SIGNIFICANCE_LEVEL / max(tested, 1)
    n_unlike = int((p_values <= bound).sum())
    order = np.argsort(p_values, kind="stable")[: min(MAX_LISTED, n_unlike)]
    sizes = _class_sizes(data)
    of_classes = facts.missing_by_class.sum(axis=0)
    unlike: list[UnlikeSeen] = [
        {
            "name": data.feature_names[j],
            "p": float(p_values[j]),
            "shares": (facts.missing_by_class[j] / sizes).tolist(),
        }
        for j in order
    ]
    return {
        "values": total,
        "share": total / max(n * p, 1),
        "columns": int((facts.missing > 0).sum()),
        "samples": int((walked.sample_missing > 0).sum()),
        "by_class": [
            {"name": name, "n": int(k), "share": float(k / max(size * p, 1))}
            for name, k, size in zip(data.classes, of_classes, sizes, strict=True)
        ]
        if total and data.y is not None
        else [],
        "worst_columns": _most_missing(facts.missing, n, data.feature_names),
        "worst_samples": _most_missing(walked.sample_missing, p, data.sample_names),
        "tested": tested,
        "unlike": n_unlike,
        "most_unlike": unlike,
        "column_histogram": share_histogram(facts.missing / max(n, 1)) if total else None,
        "sample_histogram": share_histogram(walked.sample_missing / max(p, 1)) if total else None,
    }


def _class_sizes(data: Dataset) -> np.ndarray:
    if data.y is None:
        return np.zeros(0, np.int64)
    return np.bincount(data.codes, minlength=len(data.classes))


def _unlike_p_values(data: Dataset, walked: Walked) -> np.ndarray:
    """p of equal shares of missing values in all classes (p,), NaN where nothing is missing."""
    found, missing = np.full(data.shape[1], np.nan), walked.facts.missing
    some = np.flatnonzero((missing > 0) & (missing < data.shape[0]))
    if data.y is None or len(data.classes) < 2 or not len(some):
        return found
    from ..kernels.genotypes.fisher import differential_missingness

    gone = walked.facts.missing_by_class[some]
    found[some] = differential_missingness(_class_sizes(data) - gone, gone)
    return found


def _most_missing(missing: np.ndarray, of: int, names: Sequence[str]) -> list[ShareSeen]:
    """The columns or samples with most missing values."""
    order = np.argsort(-missing, kind="stable")[:MAX_LISTED]
    return [
        {"name": names[j], "n": int(missing[j]), "share": float(missing[j] / max(of, 1))}
        for j in order
        if missing[j]
    ]
