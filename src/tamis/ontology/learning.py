"""From labelled pairs to a model: similarities, learner, and a threshold from held-out folds."""

from __future__ import annotations

from collections.abc import Mapping as Dict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.special import logit

from .assignment import Assignment, assign_pairs
from .evidence import Evidence
from .examples import Examples, Similarity, folds_of
from .out_of_fold import OutOfFold

THRESHOLD_GRID = np.linspace(0.025, 0.975, 39)  # thresholds that are tried
SMOOTHED_THRESHOLDS = 5  # neighbouring thresholds whose F1 is averaged: few matches make it jump


@dataclass(frozen=True, eq=False)
class Model:
    """What was learned.

    Attributes
    ----------
    plain, learned : mapping of str to function of Pairs
        Similarities; those of `learned` were fitted to all labelled pairs.
    names : tuple of str
        Columns, in order.
    classifier : classifier
        Fitted to all labelled pairs.
    threshold : float
        Probability from which a pair is a match.
    held_out : ndarray of shape (n,)
        Probability of each labelled pair by a model of the other folds.
    truth : ndarray of bool, shape (n,)
    evidence : Evidence
    """

    plain: Dict[str, Similarity]
    learned: Dict[str, Similarity]
    names: tuple[str, ...]
    classifier: Any
    threshold: float
    held_out: np.ndarray
    truth: np.ndarray
    evidence: Evidence

    def table(self, one: Examples) -> np.ndarray:
        """Similarities of all pairs, (n, p)."""
        columns = {name: one.pairs.once(function) for name, function in self.plain.items()}
        columns |= {name: function(one.pairs) for name, function in self.learned.items()}
        return np.column_stack([columns[name] for name in self.names])

    def probability(self, X: np.ndarray) -> np.ndarray:
        """That each row is a match."""
        return match_probability(self.classifier, X)


def learn_model(
    examples: Sequence[Examples],
    plain: Dict[str, Similarity],
    learning: Dict[str, type],
    names: Sequence[str],
    classifier: Any,
    assignment: Assignment,
    threshold: float | None,
) -> Model:
    """Fit everything.

    The threshold is that of the greatest F1 over held-out pairs, assigned as they will be, unless
    one is given. What predicts a fold has not seen its labels, not by a similarity that learns
    either (`OutOfFold`).
    """
    from sklearn.base import clone

    labelled = [one.label >= 0 for one in examples]
    truth = np.concatenate([one.label[k] == 1 for one, k in zip(examples, labelled, strict=True)])
    folds = folds_of(examples)
    flat = np.concatenate(folds)
    columns = {
        name: np.concatenate(
            [one.pairs.once(function)[k] for one, k in zip(examples, labelled, strict=True)]
        )
        for name, function in plain.items()
    }
    learned = {name: OutOfFold(kind, examples, folds) for name, kind in learning.items()}

    def table_of_fold(fold: int | None) -> np.ndarray:
        """What predicts a fold learns from, and the fold itself; None: of all folds."""
        available = columns | {name: one.column(fold) for name, one in learned.items()}
        return np.column_stack([available[name] for name in names])

    held = np.zeros(len(flat))
    for fold in np.unique(flat).tolist():
        test = flat == fold
        if truth[~test].any() and not truth[~test].all():
            X = table_of_fold(fold)
            model = clone(classifier).fit(X[~test], truth[~test])
            held[test] = match_probability(model, X[test])
    X = table_of_fold(None)
    fitted = clone(classifier).fit(X, truth)
    if threshold is None:
        threshold = best_threshold(examples, labelled, held, truth, assignment)
    evidence = Evidence.of(X, truth, names)
    of_all = {name: one.fitted(frozenset()) for name, one in learned.items()}
    return Model(plain, of_all, tuple(names), fitted, threshold, held, truth, evidence)


def match_probability(model: Any, X: np.ndarray) -> np.ndarray:
    """Of the class True."""
    if not len(X):
        return np.zeros(0)
    return np.asarray(model.predict_proba(X)[:, list(model.classes_).index(True)])


def best_threshold(
    examples: Sequence[Examples],
    labelled: Sequence[np.ndarray],
    held: np.ndarray,
    truth: np.ndarray,
    assignment: Assignment,
) -> float:
    """Probability of the greatest F1 over held-out pairs, averaged over five neighbours.

    Of thresholds that are as good, the nearest to .5: all are, without a right pair held out.
    Unless all labels are of complete references, it is at least .5: all classes that are labelled
    have a match, others may have none, so that matches are rarer than the labels say.
    """
    complete = all(one.known.complete for one, k in zip(examples, labelled, strict=True) if k.any())
    grid = THRESHOLD_GRID if complete else THRESHOLD_GRID[THRESHOLD_GRID >= 0.5]
    sizes = [int(k.sum()) for k in labelled]
    ends = np.cumsum([0, *sizes])
    scores = []
    for at in grid:
        hits = chosen = 0
        for k, one in enumerate(examples):
            rows = one.pairs.rows[labelled[k]]
            p, true = held[ends[k] : ends[k + 1]], truth[ends[k] : ends[k + 1]]
            stands = assign_pairs(rows, log_odds_margin(p, at), assignment)
            hits += int(np.count_nonzero(stands & true))
            chosen += int(np.count_nonzero(stands))
        scores.append(2 * hits / max(chosen + int(truth.sum()), 1))
    half = SMOOTHED_THRESHOLDS // 2
    smooth = np.convolve(
        np.pad(scores, half, mode="edge"),
        np.ones(SMOOTHED_THRESHOLDS) / SMOOTHED_THRESHOLDS,
        "valid",
    )
    best = grid[smooth >= smooth.max() - 1e-9]
    return float(best[int(np.argmin(np.abs(best - 0.5)))])


def log_odds_margin(probability: np.ndarray, threshold: float) -> np.ndarray:
    """Log odds of a pair, less those of the threshold; above 0 from the threshold on."""
    found = log_odds(probability) - log_odds(np.array(threshold))
    return np.where(probability >= threshold, np.maximum(found, 1e-12), 0.0)


def log_odds(p: np.ndarray) -> np.ndarray:
    """log(p / (1 - p)) of probabilities, which are held 1e-9 off 0 and 1."""
    return logit(np.clip(p.astype(np.float64), 1e-9, 1 - 1e-9))
