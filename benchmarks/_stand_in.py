"""Quick stand-ins for a study: features by a moderated F, a linear classifier, folds.

Thousands of studies a minute, so that coverage can be told to a percent. They choose nothing by
inner folds; `interval_coverage.py --parts studies` checks them against whole studies.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numba as nb
import numpy as np

KEPT = {"lda": 10, "ridge": 20}  # features that a learner keeps
INFORMATIVE = 12
FEATURES = 1000
FRESH = 600  # at least so many new rows judge each study's model
PENALTY = 10.0  # of ridge logistic regression: 1 / C at C = .1
NEWTON = 5  # its steps: the last changes no probability by .0001


@nb.njit(cache=True)
def rank(S, Q, n_c, k):
    """The k columns of the largest moderated F (d0 = 4, s0 = 1).

    S (C, p) and Q (p) are the training set's sums by class and of squares.
    """
    C, p = S.shape
    n = n_c.sum()
    best, cols = np.full(k, -np.inf), np.zeros(k, np.int64)
    for j in range(p):
        total, between = 0.0, 0.0
        for c in range(C):
            total += S[c, j]
            between += S[c, j] ** 2 / n_c[c]
        variance = (4.0 + Q[j] - between) / (4.0 + n - C)
        F = (between - total**2 / n) / variance
        if best[k - 1] < F:
            i = k - 1
            while i > 0 and best[i - 1] < F:
                best[i], cols[i] = best[i - 1], cols[i - 1]
                i -= 1
            best[i], cols[i] = F, j
    return cols


@nb.njit(cache=True)
def lda(Z, y, n_c):
    """Linear discriminants (weights, offsets) of rows Z (n, k)."""
    n, k = Z.shape
    means = np.zeros((len(n_c), k))
    for i in range(n):
        means[y[i]] += Z[i] / n_c[y[i]]
    D = Z - means[y]
    V = D.T @ D / n + 1e-9 * np.eye(k)
    weights = np.ascontiguousarray(np.linalg.solve(V, means.T).T)
    return weights, np.log(n_c / n) - 0.5 * (weights * means).sum(axis=1)


@nb.njit(cache=True)
def ridge(Z, y, n_c):
    """Ridge logistic regressions (weights, offsets), each class against the rest, by Newton steps.

    Columns are standardised, class and rest weigh the same, the intercept is free. Of several
    classes the chances are normalised afterwards, which is near enough to one softmax.
    """
    n, k = Z.shape
    C = len(n_c)
    centre = np.empty(k)
    spread = np.empty(k)
    A = np.ones((n, k + 1))
    for a in range(k):
        centre[a], spread[a] = Z[:, a].mean(), Z[:, a].std()
        A[:, a] = (Z[:, a] - centre[a]) / spread[a]
    P = PENALTY * np.eye(k + 1)
    P[k, k] = 1e-9
    weights, offsets = np.empty((C, k)), np.empty(C)
    for c in range(C):
        if C == 2 and c == 1:
            weights[1], offsets[1] = -weights[0], -offsets[0]
            break
        t = (y == c).astype(np.float64)
        s = np.where(y == c, n / (2.0 * n_c[c]), n / (2.0 * (n - n_c[c])))
        w = np.zeros(k + 1)
        for _ in range(NEWTON):
            q = 1.0 / (1.0 + np.exp(-(A @ w)))
            h = s * q * (1.0 - q)
            B = A * h.reshape(-1, 1)
            w += np.linalg.solve(A.T @ B + P, A.T @ (s * (t - q)) - P @ w)
        weights[c] = w[:k] / spread
        offsets[c] = w[k] - (weights[c] * centre).sum()
    return weights, offsets


@nb.njit(cache=True)
def learn(Z, y, n_c, apart):
    """(weights, offsets) of ridge logistic regressions (`apart`), or of discriminants."""
    return ridge(Z, y, n_c) if apart else lda(Z, y, n_c)


@nb.njit(cache=True)
def beliefs(x, weights, offsets, apart):
    """Class probabilities of one row: softmax, or (`apart`) normalised chances against the rest."""
    scores = weights @ x + offsets
    scores = 1.0 / (1.0 + np.exp(-scores)) if apart else np.exp(scores - scores.max())
    return scores / scores.sum()


@nb.njit(cache=True)
def run(seed, sizes, means, folds, groups, between, judges, fresh, k, apart):
    """Beliefs of the held-out rows (R, n, C), sets chosen (R, folds, k), and the truth's sample.

    folds (R, n) is the fold that holds each row out, -1 none. judges (C) is the fold, of the
    first repeat, whose model judges the new rows of each class, fresh (C) of them. `apart`: ridge
    logistic regressions instead of discriminants.
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
    chosen = np.zeros((R, n_folds, k), np.int64)
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
            cols = rank(S, Q, n_c, k)
            chosen[r, f] = cols
            Z = np.empty((n, k))
            for i in range(n):
                for a in range(k):
                    Z[i, a] = X[i, cols[a]]
            weights, offsets = learn(Z[train], y[train], n_c, apart)
            x = np.empty(k)
            for i in range(n):
                if not train[i]:
                    proba[r, i] = beliefs(Z[i], weights, offsets, apart)
            for c in range(C):
                if r == 0 and judges[c] == f:
                    for t in range(starts[c], starts[c + 1]):
                        for a in range(k):
                            x[a] = means[c, cols[a]] + np.random.normal()  # noqa: NPY002
                        truth[t] = beliefs(x, weights, offsets, apart)
    return proba, chosen, truth


@nb.njit(cache=True)
def choose(X, y, n_classes, folds, k):
    """Columns chosen on the training set of each fold, (n_folds, k)."""
    n_folds, p = folds.max() + 1, X.shape[1]
    chosen = np.zeros((n_folds, k), np.int64)
    for f in range(n_folds):
        S, Q, n_c = np.zeros((n_classes, p)), np.zeros(p), np.zeros(n_classes, np.int64)
        train = folds != f
        for i in range(len(y)):
            if train[i]:
                S[y[i]] += X[i]
                Q += X[i] ** 2
                n_c[y[i]] += 1
        chosen[f] = rank(S, Q, n_c, k)
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
    learner : str, default="lda"
        ``lda``: ten features, linear discriminants. ``ridge``: twenty, ridge logistic regression
        with balanced class weights and C = .1; the label is the class of the largest balanced
        probability.
    """

    n: int
    classes: int
    balanced: bool
    kind: str
    learner: str = "lda"

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
            int(rng.integers(2**31)),
            sizes,
            means,
            folds,
            groups,
            between,
            judges,
            fresh,
            KEPT[design.learner],
            design.learner == "ridge",
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
            sets = choose(X[order], y, design.classes, design.folds(rng)[0], KEPT[design.learner])
            values.append(nogueira_stability(sets, FEATURES).value)
        yield values[0] > max(values[1:]), values[0], float(np.median(values[1:]))
