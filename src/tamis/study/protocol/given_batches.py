"""Labels of groups drawn given their batches: the conditional permutation test.

Groups that lie in several batches could be exchanged with groups of the same batches alone, which
hardly any are. Berrett, Wang, Barber and Samworth (2020), The conditional permutation test for
independence while controlling for confounders, JRSS B 82, 175-197: labels are exchanged with the
odds that a model of the class by the batches gives. It is as good as that model.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..._core.streams import generator

C_GRID = (0.0, 0.03, 0.3, 3.0, 30.0)  # C of a ridge logistic regression; 0: the class shares
N_FOLDS = 10  # of groups
AS_GOOD = 1.0  # log likelihood within which the smallest penalty is taken
MAX_SWEEPS = 50  # of exchanges
MIN_PROBABILITY = 1e-6  # least probability of a class


@dataclass(frozen=True)
class GivenBatches:
    """Groups of one label, their labels, and what their batches say of these.

    Attributes
    ----------
    labels : ndarray of shape (G,)
        The class of each group; -1 where labels vary.
    group : ndarray of shape (n,)
    log_p : ndarray of shape (G, C)
        Logarithms of the probabilities of the classes given the batches.
    """

    labels: np.ndarray
    group: np.ndarray
    log_p: np.ndarray

    @property
    def pure_rows(self) -> np.ndarray:
        """Whether a row's group has one label (n,)."""
        return np.asarray(self.labels[self.group] >= 0)

    def drawn(
        self, among: np.ndarray, draw: np.random.Generator, start: np.ndarray | None = None
    ) -> np.ndarray:
        """Labels of the groups (G,) after sweeps of exchanges from `start`, inside each value of
        `among` (n,).

        Draws from one start are exchangeable with it, so that all runs of a study share one.
        """
        labels = (self.labels if start is None else start).copy()
        stratum = np.zeros(len(labels), dtype=np.int64)
        stratum[self.group] = among
        for value in np.unique(stratum[labels >= 0]):
            groups = np.flatnonzero((stratum == value) & (labels >= 0))
            half = len(groups) // 2
            for _ in range(MAX_SWEEPS):
                order = draw.permutation(groups)
                i, j = order[:half], order[half : 2 * half]
                gain = self.log_p[i, labels[j]] + self.log_p[j, labels[i]]
                gain -= self.log_p[i, labels[i]] + self.log_p[j, labels[j]]
                taken = draw.random(half) < 1 / (1 + np.exp(-gain))
                a, b = i[taken], j[taken]
                labels[a], labels[b] = labels[b], labels[a]
        return labels


def given_batches(y: np.ndarray, group: np.ndarray, batch: np.ndarray) -> GivenBatches | None:
    """None unless some group of one label lies in several batches.

    Parameters
    ----------
    y, group, batch : ndarray of shape (n,)
        Codes.
    """
    G, B = int(group.max()) + 1, int(batch.max()) + 1
    counts = np.zeros((G, B))
    np.add.at(counts, (group, batch), 1)
    of_class = np.zeros((G, int(y.max()) + 1))
    np.add.at(of_class, (group, y), 1)
    pure = (of_class > 0).sum(axis=1) == 1
    if not (pure & ((counts > 0).sum(axis=1) > 1)).any():
        return None
    labels = np.where(pure, of_class.argmax(axis=1), -1)
    log_p = np.zeros(of_class.shape)
    shares = counts / counts.sum(axis=1, keepdims=True)
    log_p[pure] = np.log(
        np.maximum(_class_probabilities(shares[pure], labels[pure]), MIN_PROBABILITY)
    )
    return GivenBatches(labels, group, log_p)


def _class_probabilities(shares: np.ndarray, labels: np.ndarray) -> np.ndarray:
    """Probabilities of the classes (G, C) by a ridge logistic regression on shares of batches.

    Its penalty is the smallest whose log likelihood over folds of groups is within `AS_GOOD` of the
    best: one that shrinks too far makes chance look like less than the batches predict.
    """
    n = np.bincount(labels)
    x = shares - shares.mean(axis=0)
    size = np.sqrt((x**2).sum(axis=1).mean())
    folds = min(N_FOLDS, int(n[n > 0].min()))
    if folds < 2 or np.count_nonzero(n) < 2 or size == 0:
        return _fitted(x, labels, 0.0, x, len(n))
    x /= size
    fold, draw = np.empty(len(labels), dtype=np.int64), generator(0, "folds of groups")
    for c in range(len(n)):
        own = draw.permutation(np.flatnonzero(labels == c))
        fold[own] = np.arange(len(own)) % folds
    found = {}
    for C in C_GRID:
        points = [
            np.log(_fitted(x[fold != k], labels[fold != k], C, x[fold == k], len(n)))[
                np.arange((fold == k).sum()), labels[fold == k]
            ]
            for k in range(folds)
        ]
        found[C] = float(np.concatenate(points).sum())
    best = max(C for C, value in found.items() if value >= max(found.values()) - AS_GOOD)
    return _fitted(x, labels, best, x, len(n))


def _fitted(
    x: np.ndarray, labels: np.ndarray, C: float, new: np.ndarray, n_classes: int
) -> np.ndarray:
    """Probabilities (m, n_classes) for new rows."""
    if C == 0:
        n = np.bincount(labels, minlength=n_classes)
        return np.tile(np.maximum(n / n.sum(), MIN_PROBABILITY), (len(new), 1))
    from sklearn.linear_model import LogisticRegression

    model = LogisticRegression(C=C, max_iter=1000).fit(x, labels)
    found = np.full((len(new), n_classes), MIN_PROBABILITY)
    found[:, model.classes_] = model.predict_proba(new)
    return found
