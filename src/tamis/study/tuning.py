"""Inner scores of candidates, and which one a method takes."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..metrics import METRICS
from ..metrics.confusion_matrix import confusion
from ..metrics.ranks import areas_of
from .candidates import Outcome

THREE = ("auprc", "bcm", "ccem")  # of the criterion bcm_ccem_auprc
DIGITS = 12  # scores that agree to this many digits are ties: the earlier candidate wins


def inner_scores(
    criterion: str,
    truth: Sequence[np.ndarray],
    outcomes: Sequence[Sequence[Outcome]],
    n_classes: int,
) -> np.ndarray:
    """Score of each candidate over the inner folds, higher is better, (n_candidates,).

    Metrics of labels are averaged over folds where every fold has every class; else, and
    for metrics of probabilities, the inner predictions are pooled, because small folds leave
    them undefined. The AUC is that of the pairs within folds, all folds together, as outside.
    ``auc_ratio`` is mean(AUC) / (sd(AUC) + 0.01) over the folds with both classes (mtfc's
    rule), or the AUC where there are fewer than two of those.
    ``bcm_ccem_auprc`` is the mean of these three, each of the pooled predictions (the rule
    of robust feature selection).

    Parameters
    ----------
    criterion : str
    truth : one array of codes a fold
    outcomes : [fold][candidate]
    """
    n_candidates = len(outcomes[0])
    if criterion == "bcm_ccem_auprc":
        scores = [inner_scores(name, truth, outcomes, n_classes) for name in THREE]
        return np.mean(scores, axis=0)
    if criterion == "auc_ratio":
        areas = per_fold("auc", truth, outcomes, n_classes)
        defined = ~np.isnan(areas).any(axis=1)
        if defined.sum() < 2:  # folds too small for an AUC of their own
            return inner_scores("auc", truth, outcomes, n_classes)
        areas = areas[defined]
        return areas.mean(axis=0) / (areas.std(axis=0, ddof=1) + 0.01)
    metric = METRICS[criterion]
    if metric.of_pairs is not None:
        pairs = sum(
            np.stack([metric.of_pairs(y, o.proba) for o in fold], axis=1)
            for y, fold in zip(truth, outcomes, strict=True)
        )
        return areas_of(np.asarray(pairs)).mean(axis=1)
    complete = all(len(np.unique(y)) == n_classes for y in truth)
    if metric.needs == "labels" and complete:
        return metric.direction * per_fold(criterion, truth, outcomes, n_classes).mean(axis=0)
    pooled = np.concatenate(truth)
    values = np.empty(n_candidates)
    for c in range(n_candidates):
        predicted = np.concatenate([fold[c].predicted for fold in outcomes])
        proba = np.concatenate([fold[c].proba for fold in outcomes])
        values[c] = metric(pooled, predicted, proba)
    return metric.direction * values


def defined_scores(
    criterion: str,
    truth: Sequence[np.ndarray],
    outcomes: Sequence[Sequence[Outcome]],
    n_classes: int,
) -> tuple[np.ndarray, bool]:
    """Scores by the criterion, and True; by the balanced rate, and False, where no candidate
    has it (the AUC of single rows, say), for else the first would win unseen."""
    scores = inner_scores(criterion, truth, outcomes, n_classes)
    if np.isnan(scores).all():
        return inner_scores("bcr", truth, outcomes, n_classes), False
    return scores, True


def per_fold(
    name: str,
    truth: Sequence[np.ndarray],
    outcomes: Sequence[Sequence[Outcome]],
    n_classes: int,
) -> np.ndarray:
    """A metric fold by fold, (n_folds, n_candidates); NaN where undefined."""
    metric = METRICS[name]
    values = np.empty((len(truth), len(outcomes[0])))
    for f, (y, fold) in enumerate(zip(truth, outcomes, strict=True)):
        if metric.of_confusion is not None:
            counts = np.stack([confusion(y, o.predicted, n_classes) for o in fold])
            values[f] = metric.of_confusion(counts)
        else:
            values[f] = [metric(y, o.predicted, o.proba) for o in fold]
    return values


def best(scores: Sequence[float] | np.ndarray) -> int:
    """Index of the best score; ties to the first, NaN last.

    Examples
    --------
    >>> best([0.5, 0.9, 0.9 + 1e-15])
    1
    """
    values = np.round(np.asarray(scores, dtype=float), DIGITS)
    return int(np.where(np.isnan(values), -np.inf, values).argmax())
