"""What a careful reader should know of new samples before believing what a model says of them.

Rules compare a table with what the model keeps of its training rows (`training.py`); how often
they speak without reason was simulated (docs/evaluate.md).
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from .._core.errors import counted_noun, listed_names, shorten_text
from ..data.dataset import Dataset
from .fitted_procedure import RAW_VIEW, FittedProcedure
from .training import (
    MAX_UNSEEN_EVENTS,
    MAX_VALUES,
    Training,
    leading_columns,
    quantile_spread,
    row_digests,
)

MIN_COHORT_SAMPLES = 5  # below which medians and spreads of a table say little
MAX_OUTSIDE_SHARE = 0.1  # share of the values far outside; of fewer samples OUTSIDE_FEW
OUTSIDE_FEW = 0.5
MAX_ODD_COLUMNS = 0.5  # of the columns
MIN_SPREAD_RATIO = 0.1  # of the least spread that a class had in training
# of the largest spread of a class; of the log range too where values are above 0
MAX_SPREAD_EXCESS = 0.5
BY_CHANCE = 1e-3  # probability of so many equal rows
FEW_TWINS = 0.05  # share of training rows with an equal among them: copies, not chance
SCALE_QUESTION = "was it log-transformed, scaled and normalised as the training table was?"

Remarks = Iterator[tuple[str, str]]


def value_misfits(model: FittedProcedure, data: Dataset) -> list[tuple[str, str]]:
    """Remarks (code, text) on values: another scale, far outside, missing."""
    k = leading_columns(max(data.shape[0], 1), len(model.training.low))
    X, known = model.raw(data, slice(k)), model.training.leading(k)
    if not X.size:
        return []
    numbers = np.array([name not in model.levels for name in model.columns[:k]])
    return [
        *_unseen_batches(model, data),
        *_scale_misfits(known, X, numbers),
        *_outside_misfits(model, known, X, numbers),
        *_imputed_misfits(model, X),
    ]


def _unseen_batches(model: FittedProcedure, data: Dataset) -> Remarks:
    """Samples of batches that a step leaves as they are, not having seen any of them."""
    codes = model.batch_codes(data)
    if codes is None or model.steps is None:
        return
    lost = model.steps.unseen(codes, refused=False)
    if lost.any():
        yield (
            "unseen-batch",
            f"{int(lost.sum())} of {counted_noun(len(lost), 'sample')} are of batches "
            "that had no training row, and were not adjusted.",
        )


def training_rows(model: FittedProcedure, data: Dataset) -> Remarks:
    """Whether rows are rows the model was trained on, where that cannot be chance."""
    digests, filled = _row_digests(model, data)
    same = np.flatnonzero(filled & np.isin(digests, model.training.rows))
    if not len(same):
        return
    k, n = len(same), counted_noun(len(digests), "row")
    example = f"(such as {shorten_text(data.sample_names[same[0]])!r})"
    values = "all the values that the model uses"
    certain = _copy_verdict(model.training, len(same), int(filled.sum()))
    if certain:
        are = "is a row" if k == 1 else "are rows"
        yield (
            "training-rows",
            f"{k} of {n} {are} the model was trained on {example}, equal in "
            f"{values}: results look too good.",
        )
    elif certain is False:
        equal = "equals" if k == 1 else "equal"
        yield (
            "training-rows",
            f"{k} of {n} {equal} a row the model was trained on {example} in "
            f"{values}: where they are the same samples, results look too good.",
        )


def _row_digests(model: FittedProcedure, data: Dataset) -> tuple[np.ndarray, np.ndarray]:
    """Of the rows of a table, some at a time, in the columns that training rows were looked at in;
    and which hold any value: of the others nothing can be said."""
    k, found, filled = len(model.training.low), [], []
    width = max(MAX_VALUES // max(k, 1), 1)
    for low in range(0, data.shape[0] if k else 0, width):
        X = model.raw(data, slice(k), np.arange(low, min(low + width, data.shape[0])))
        found.append(row_digests(X))
        filled.append(~np.isnan(X).all(axis=1))
    empty = np.zeros(0, dtype=np.uint64)
    return np.concatenate([empty, *found]), np.concatenate([empty.astype(bool), *filled])


def _copy_verdict(training: Training, same: int, m: int) -> bool | None:
    """Whether `same` of m rows equal to training rows are no chance; False if likely not.

    Chance is what independent columns would give, and what the training rows do among
    themselves: the share of them that has an equal. Where all columns are coarse, twice as many
    are reckoned with, and three more. A few equal training rows may be copies themselves.
    """
    from scipy.stats import poisson

    n = len(training.rows)
    _, counts = np.unique(training.rows, return_counts=True)
    twins = int(counts[counts > 1].sum())
    coarse = training.ties.min() > 10 / n
    columns = m * n * float(np.exp(np.log(training.ties).sum()))
    rows = m * twins / n
    if coarse:
        rows = 2 * m * (twins + MAX_UNSEEN_EVENTS) / (n + MAX_UNSEEN_EVENTS)
    if poisson.sf(same - 1, columns) > BY_CHANCE:
        return None
    if poisson.sf(same - 1, max(columns, rows)) <= BY_CHANCE:
        return True
    return False if twins <= FEW_TWINS * n and not coarse else None


def one_prediction(predicted: np.ndarray, codes: np.ndarray, names: list[str]) -> Remarks:
    """Whether a cohort of several classes is all predicted as one."""
    if len(np.unique(predicted)) == 1 and len(np.unique(codes)) > 1:
        yield (
            "one-prediction",
            f"all {counted_noun(len(codes), 'sample')} are predicted as "
            f"{names[predicted[0]]}, though they are of {len(np.unique(codes))} classes.",
        )


def absent_classes(model: FittedProcedure, codes: np.ndarray) -> Remarks:
    """Whether a cohort of several classes lacks some that the model knows."""
    absent = [name for k, name in enumerate(model.classes) if not (codes == k).any()]
    if absent and len(absent) < len(model.classes) - 1:
        yield (
            "absent-class",
            f"no sample of {listed_names(absent)}: the balanced accuracy is of the classes "
            "that are there; the F-measure gives 0 for an absent class that is predicted.",
        )


def _scale_misfits(t: Training, X: np.ndarray, numbers: np.ndarray) -> Remarks:
    """Whether most columns are spread, or lie, unlike any class of the training table."""
    seen = ~np.isnan(X)
    usable = numbers & (t.high > t.low) & (seen.sum(axis=0) >= MIN_COHORT_SAMPLES)
    columns = np.flatnonzero(usable)
    if len(columns) <= MAX_ODD_COLUMNS * numbers.sum():
        return
    spreads = np.array([quantile_spread(X[:, j]) for j in columns])
    medians = np.array([np.median(X[seen[:, j], j]) for j in columns])
    low, high, by_class = t.low[columns], t.high[columns], t.spreads[:, columns]
    with np.errstate(over="ignore"):  # beyond an infinite bound is nothing
        margin = MAX_SPREAD_EXCESS * by_class.max(axis=0)
        rules = {
            "are spread over less than a tenth of what it was within a class in training": (
                spreads < MIN_SPREAD_RATIO * by_class.min(axis=0)
            ),
            "are centred below all training values": medians < low - margin,
            "are centred above all training values": (
                (medians > high + margin)
                & (medians > _stretched_columns(low, high, MAX_SPREAD_EXCESS))
            ),
        }
    odd = {what: int(found.sum()) for what, found in rules.items() if found.any()}
    either = np.any(list(rules.values()), axis=0).sum()
    if either > MAX_ODD_COLUMNS * numbers.sum():
        parts = [f"{count} {what}" for what, count in odd.items()]
        yield (
            "other-scale",
            f"of {counted_noun(int(numbers.sum()), 'numeric column')} "
            f"{', '.join(parts)}: this table seems to be on another scale; {SCALE_QUESTION}",
        )


def _stretched_columns(low: np.ndarray, high: np.ndarray, by: float) -> np.ndarray:
    """The highest value and `by` of the range on top in logarithms; no bound unless all above 0.

    Values with a long tail to the right, as intensities and counts, exceed a small table's
    largest by much, and by no such factor.
    """
    ratio = np.divide(high, low, out=np.ones_like(high), where=low > 0)
    return np.where(low > 0, high * ratio**by, -np.inf)


def _outside_misfits(
    model: FittedProcedure, t: Training, X: np.ndarray, numbers: np.ndarray
) -> Remarks:
    """Whether a considerable share of the values is further out than the range is wide."""
    usable = np.flatnonzero(numbers & (t.high > t.low))
    values, low, high = X[:, usable], t.low[usable], t.high[usable]
    known = ~np.isnan(values)
    if not known.any():
        return
    with np.errstate(over="ignore"):  # beyond an infinite bound is nothing
        ranges = high - low
        above = (values > high + ranges) & (values > _stretched_columns(low, high, 1.0))
        far = (values < low - ranges) | above
    shares = far.sum(axis=0) / np.maximum(known.sum(axis=0), 1)
    share = far.sum() / known.sum()
    enough = len(X) >= MIN_COHORT_SAMPLES
    if share > (MAX_OUTSIDE_SHARE if enough else OUTSIDE_FEW) or (
        enough and (shares > MAX_ODD_COLUMNS).any()
    ):
        worst = [usable[j] for j in np.argsort(-shares, kind="stable") if shares[j] > 0]
        yield (
            "outside-range",
            f"{percent_text(share)} of the values lie outside the training range "
            "by more than its full width, most in "
            f"{listed_names([model.columns[j] for j in worst], 3)}; {SCALE_QUESTION}",
        )


def _imputed_misfits(model: FittedProcedure, X: np.ndarray) -> Remarks:
    missing = np.isnan(X)
    if missing.any():
        empty = [model.columns[j] for j in np.flatnonzero(missing.all(axis=0))]
        empty_part = f", among them all of {listed_names(empty)}," if empty else ""
        k, all_columns = X.shape[1], len(model.columns)
        used = "the model uses"
        if k < all_columns:
            used = f"in the first {k:,} of {all_columns:,} columns the model uses"
        what = "were filled from the training rows"
        if model.view == RAW_VIEW:
            what = "are taken as missing" + (" where no step fills them" if model.steps else "")
        yield (
            "imputed",
            f"{percent_text(missing.mean())} of the values {used} are missing{empty_part} and "
            f"{what}.",
        )


def percent_text(share: float) -> str:
    """``12 %``; never 0 % for a share above 0, nor 100 % for one below 1."""
    if 0 < share < 0.01:
        return "under 1 %"
    if 0.99 < share < 1:
        return "over 99 %"
    return f"{100 * share:.0f} %"
