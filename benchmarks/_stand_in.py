"""A quick stand-in for a study: ten features by a moderated F, discriminant analysis, folds.

Thousands of studies a minute, so that coverage can be told to a percent. It chooses nothing by
inner folds; `coverage.py --parts studies` checks it against whole studies.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numba as nb
import numpy as np

SIZE = 10  # features kept
INFORMATIVE = 12
FEATURES = 1000
FRESH = 600  # at least so many new rows judge each study's model


@nb.njit(cache=True)
def fit(X, y, train, S, Q, n_c, k):
    """The k columns of the largest moderated F, and their linear discriminants (weights, offsets).

    S (C, p) and Q (p) are the training part's sums by class and of squares.
    """
    C, p = S.shape
    n = n_c.sum()
    best, cols = np.full(k, -np.inf), np.zeros(k, np.int64)
    for j in range(p):
        total, between = 0.0, 0.0
        for c in range(C):
            total += S[c, j]
            between += S[c, j] ** 2 / n_c[c]
        variance = (4.0 + Q[j] - between) / (4.0 + n - C)  # d0 = 4, s0 = 1
        F = (between - total**2 / n) / variance
        if best[k - 1] < F:
            i = k - 1
            while i > 0 and best[i - 1] < F:
                best[i], cols[i] = best[i - 1], cols[i - 1]
                i -= 1
            best[i], cols[i] = F, j
    means = np.empty((C, k))
    for c in range(C):
        for a in range(k):
            means[c, a] = S[c, cols[a]] / n_c[c]
    V, d = np.zeros((k, k)), np.empty(k)
    for i in range(len(y)):
        if train[i]:
            for a in range(k):
                d[a] = X[i, cols[a]] - means[y[i], a]
            for a in range(k):
                for b in range(k):
                    V[a, b] += d[a] * d[b] / n
    for a in range(k):
        V[a, a] += 1e-9
    weights = np.ascontiguousarray(np.linalg.solve(V, means.T).T)
    offsets = np.log(n_c / n) - 0.5 * (weights * means).sum(axis=1)
    return cols, weights, offsets


@nb.njit(cache=True)
def beliefs(x, weights, offsets):
    """Class probabilities of one row."""
    scores = weights @ x + offsets
    scores = np.exp(scores - scores.max())
    return scores / scores.sum()


@nb.njit(cache=True)
def run(seed, sizes, means, folds, groups, between, judges, fresh):
    """Beliefs of the held-out rows (R, n, C), sets chosen (R, k, SIZE), and the truth's sample.

    folds (R, n) is the fold that holds each row out, -1 none. judges (C) is the fold, of the
    first repeat, whose model judges the new rows of each class, fresh (C) of them.
    """
    np.random.seed(seed)  # noqa: NPY002  (compiled code has a stream of its own)
    C, p = means.shape
    R, n = folds.shape
    n_folds = folds.max() + 1
    y = np.repeat(np.arange(C), sizes)
    X = np.random.normal(0.0, np.sqrt(1.0 - between), (n, p))  # noqa: NPY002
    if between > 0:
        X += np.random.normal(0.0, np.sqrt(between), (groups.max() + 1, p))[groups]  # noqa: NPY002
    for i in range(n):
        X[i] += means[y[i]]
    S0, Q0 = np.zeros((C, p)), np.zeros(p)
    for i in range(n):
        S0[y[i]] += X[i]
        Q0 += X[i] ** 2
    proba = np.full((R, n, C), np.nan)
    chosen = np.zeros((R, n_folds, SIZE), np.int64)
    truth = np.empty((fresh.sum(), C))
    starts = np.concatenate((np.zeros(1, np.int64), np.cumsum(fresh)))
    for r in range(R):
        for f in range(n_folds):
            S, Q, n_c = S0.copy(), Q0.copy(), sizes.copy()
            train = folds[r] != f
            for i in range(n):
                if not train[i]:
                    S[y[i]] -= X[i]
                    Q -= X[i] ** 2
                    n_c[y[i]] -= 1
            cols, weights, offsets = fit(X, y, train, S, Q, n_c, SIZE)
            chosen[r, f] = cols
            x = np.empty(SIZE)
            for i in range(n):
                if not train[i]:
                    for a in range(SIZE):
                        x[a] = X[i, cols[a]]
                    proba[r, i] = beliefs(x, weights, offsets)
            for c in range(C):
                if r == 0 and judges[c] == f:
                    for t in range(starts[c], starts[c + 1]):
                        for a in range(SIZE):
                            x[a] = means[c, cols[a]] + np.random.normal()  # noqa: NPY002
                        truth[t] = beliefs(x, weights, offsets)
    return proba, chosen, truth


@nb.njit(cache=True)
def choose(X, y, n_classes, folds):
    """Columns chosen on the training part of each fold, (n_folds, SIZE)."""
    n_folds, p = folds.max() + 1, X.shape[1]
    chosen = np.zeros((n_folds, SIZE), np.int64)
    for f in range(n_folds):
        S, Q, n_c = np.zeros((n_classes, p)), np.zeros(p), np.zeros(n_classes, np.int64)
        train = folds != f
        for i in range(len(y)):
            if train[i]:
                S[y[i]] += X[i]
                Q += X[i] ** 2
                n_c[y[i]] += 1
        chosen[f] = fit(X, y, train, S, Q, n_c, SIZE)[0]
    return chosen


@dataclass(frozen=True)
class Design:
    """A kind of split of so many samples.

    Attributes
    ----------
    n, classes : int
    balanced : bool
        Classes of one size; else the largest has four times the others' samples.
    kind : str
        ``10-fold``, ``5 x 10-fold``, ``5-fold``, ``leave-one-out``, ``holdout``, ``20 groups``
        (ten folds of whole groups of one class, half of the variance between groups), ...
    """

    n: int
    classes: int
    balanced: bool
    kind: str

    @property
    def sizes(self) -> np.ndarray:
        """Samples of each class."""
        if self.balanced:
            return np.array([len(a) for a in np.array_split(np.arange(self.n), self.classes)])
        small = round(self.n / (self.classes + 3))
        return np.array([self.n - small * (self.classes - 1), *[small] * (self.classes - 1)])

    @property
    def repeats(self) -> int:
        return int(self.kind.split(" x ")[0]) if " x " in self.kind else 1

    def means(self, shift: float) -> np.ndarray:
        """Class means: twelve features shifted, shared out where there are several classes."""
        means = np.zeros((self.classes, FEATURES))
        if self.classes == 2:
            means[1, :INFORMATIVE] = shift
            return means
        for c, columns in enumerate(np.array_split(np.arange(INFORMATIVE), self.classes)):
            means[c, columns] = shift
        return means

    def groups(self) -> np.ndarray:
        """The group of each row: twenty of one class each, or a group a row."""
        if self.kind != "20 groups":
            return np.arange(self.n)
        shares = np.maximum(3, np.round(20 * self.sizes / self.n)).astype(int)
        while shares.sum() != 20:
            shares[shares.argmax()] += 1 if shares.sum() < 20 else -1
        first = np.cumsum(shares) - shares
        return np.concatenate(
            [f + np.arange(n) % g for f, n, g in zip(first, self.sizes, shares, strict=True)]
        )

    def folds(self, rng: np.random.Generator) -> np.ndarray:
        """The fold that holds each row out, (repeats, n); -1 where none does."""
        y = np.repeat(np.arange(self.classes), self.sizes)
        if self.kind == "leave-one-out":
            return np.arange(self.n)[None]
        if self.kind.endswith("holdout"):
            return np.stack([self._holdout(y, rng) for _ in range(self.repeats)])
        groups = self.groups()
        _, first = np.unique(groups, return_index=True)
        members = np.bincount(y[first])
        wanted = 10 if self.kind == "20 groups" else int(self.kind.split()[-1].split("-")[0])
        k = min(wanted, members.min())
        out = []
        for _ in range(self.repeats):
            fold, offset = np.empty(len(first), int), 0
            for c, n_c in enumerate(members):
                fold[rng.permutation(np.flatnonzero(y[first] == c))] = (offset + np.arange(n_c)) % k
                offset += n_c
            out.append(fold[groups])
        return np.stack(out)

    def _holdout(self, y: np.ndarray, rng: np.random.Generator) -> np.ndarray:
        fold = np.full(self.n, -1)
        for c, n_c in enumerate(self.sizes):
            held = rng.permutation(np.flatnonzero(y == c))[: max(1, round(0.3 * n_c))]
            fold[held] = 0
        return fold


@dataclass(frozen=True)
class StandIn:
    """One simulated study: folds of held-out beliefs, and beliefs of new rows of its models."""

    y: np.ndarray
    groups: np.ndarray
    folds: np.ndarray
    proba: np.ndarray
    chosen: np.ndarray
    truth_y: np.ndarray
    truth: np.ndarray

    def repeats(self) -> list[list[tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]]]:
        """As `HeldOut.of` takes them."""
        out = []
        for fold, proba in zip(self.folds, self.proba, strict=True):
            parts = []
            for f in range(fold.max() + 1):
                rows = np.flatnonzero(fold == f)
                p = proba[rows]
                parts.append((rows, self.y[rows], p.argmax(axis=1), p))
            out.append(parts)
        return out


def simulate(design: Design, shift: float, studies: int, seed: int) -> Iterator[StandIn]:
    """Independent stand-ins for a study."""
    rng = np.random.default_rng(seed)
    sizes, means, groups = design.sizes, design.means(shift), design.groups()
    y = np.repeat(np.arange(design.classes), sizes)
    fresh = sizes * int(np.ceil(FRESH / design.n))
    between = 0.5 if design.kind == "20 groups" else 0.0
    for _ in range(studies):
        folds = design.folds(rng)
        if design.kind == "leave-one-out":  # a held-out row is missed by its own class
            judges = np.array([rng.choice(np.flatnonzero(y == c)) for c in range(design.classes)])
        else:
            judges = np.full(design.classes, rng.integers(folds[0].max() + 1))
        proba, chosen, truth = run(
            int(rng.integers(2**31)), sizes, means, folds, groups, between, judges, fresh
        )
        yield StandIn(
            y, groups, folds, proba, chosen, np.repeat(np.arange(design.classes), fresh), truth
        )


def called_stable(
    design: Design, shift: float, studies: int, seed: int
) -> Iterator[tuple[bool, float, float]]:
    """(more stable than 19 permuted runs, Nogueira's measure, their median) of studies."""
    from tamis.metrics import nogueira_stability

    rng = np.random.default_rng(seed)
    y = np.repeat(np.arange(design.classes), design.sizes)
    for _ in range(studies):
        X = rng.standard_normal((design.n, FEATURES)) + design.means(shift)[y]
        values = []
        for run in range(20):
            order = np.arange(design.n) if run == 0 else rng.permutation(design.n)
            sets = choose(X[order], y, design.classes, design.folds(rng)[0])
            values.append(nogueira_stability(sets, FEATURES).value)
        yield values[0] > max(values[1:]), values[0], float(np.median(values[1:]))
