"""Many simulated tables of a number at once: a procedure over folds, its scores on new samples, and
the scores without each unit. Arrays are (tables, repeats, folds, samples of a fold)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

TRUE, CHOSEN, N_NEW = 5, 10, 1000
PENALTIES = 10.0 ** np.arange(-4, 4.1, 0.5)  # of the mean eigenvalue
TAILS = {
    "normal": lambda e, rng: e,
    "lognormal": lambda e, rng: np.exp(e) - np.exp(0.5),
    "t3": lambda e, rng: e * np.sqrt(3 / rng.chisquare(3, e.shape)),
}


@dataclass(frozen=True)
class Tables:
    """Held-out values of many tables, and the scores of the same models on new samples."""

    y: np.ndarray
    predicted: np.ndarray
    mean: np.ndarray
    unit: np.ndarray
    truth: dict[str, np.ndarray]
    size: int


def simulate(seed, tables, n, signal, P=200, size=1, folds=10, repeats=1, tails="normal"):
    """Tables of one design; groups have `size` samples, who share half of the variance."""
    rng, parts, truths = np.random.default_rng(seed), [], []
    chunk = max(1, min(tables, int(4e6 / (n * P)), int(2e6 / (folds * n * CHOSEN))))
    for first in range(0, tables, chunk):
        c = min(chunk, tables - first)
        X, y = _draw(rng, c, n, P, signal, tails, size)
        held = []
        for repeat in range(repeats):
            fold = _folds(rng, y, folds, size)
            value, coef, chosen, start, mean = _fit(
                X, y, fold[:, None] != np.arange(folds)[:, None]
            )
            order = np.argsort(fold * n + np.arange(n), axis=1)
            own = np.take_along_axis(value, fold[:, None], 1)[:, 0]
            columns = y, own, np.take_along_axis(mean, fold, 1), np.arange(n)[None] // size
            held.append(
                [
                    np.take_along_axis(np.broadcast_to(a, (c, n)), order, 1).reshape(c, folds, -1)
                    for a in columns
                ]
            )
            if repeat == 0:
                models = (a[:, :2] for a in (coef, chosen, start, mean))
                truths.append(_on_new_samples(rng, *models, signal, tails))
        parts.append([np.stack(a, axis=1) for a in zip(*held, strict=True)])
    y, own, mean, unit = (np.concatenate(a) for a in zip(*parts, strict=True))
    truth = {key: np.concatenate([one[key] for one in truths]) for key in truths[0]}
    return Tables(y, own, mean, unit, truth, size)


def _draw(rng, c, n, P, signal, tails, size):
    X, noise = rng.normal(size=(c, n, P)), rng.normal(size=(c, n))
    if size > 1:
        X = np.sqrt(0.5) * (X + np.repeat(rng.normal(size=(c, n // size, P)), size, axis=1))
        noise = np.sqrt(0.5) * (noise + np.repeat(rng.normal(size=(c, n // size)), size, axis=1))
    return X, signal * X[:, :, :TRUE].sum(axis=-1) + TAILS[tails](noise, rng)


def _folds(rng, y, folds, size):
    """Shared out over five parts by value; whole groups at random."""
    c, n = y.shape
    if size > 1 or folds == n:
        units = np.argsort(rng.random((c, n // size)), axis=1) % folds
        return np.repeat(units, size, axis=1)
    part = np.argsort(np.argsort(y, axis=1), axis=1) * 5 // n
    order, fold = np.argsort(part + rng.random((c, n)), axis=1), np.empty((c, n), dtype=int)
    np.put_along_axis(fold, order, np.broadcast_to(np.arange(n) % folds, (c, n)), 1)
    return fold


def _fit(X, y, train):
    """The features of the largest correlation and ridge regression, its penalty by leave-one-out,
    on each training set (c, folds, n)."""
    t = train.astype(float)
    m = t.sum(axis=-1)[..., None]
    mean, y_mean = t @ X / m, (t * y[:, None]).sum(axis=-1)[..., None] / m
    var = (t @ X**2 - m * mean**2) / m
    r = np.abs((t * y[:, None]) @ X - m * mean * y_mean) / np.sqrt(var)
    chosen = np.argpartition(-r, CHOSEN - 1, axis=-1)[..., :CHOSEN]
    mean, sd = (np.take_along_axis(a, chosen, -1) for a in (mean, np.sqrt(var)))
    Z = X[np.arange(len(X))[:, None, None], :, chosen].swapaxes(-1, -2)
    Z, off = (Z - mean[:, :, None]) / sd[:, :, None], y[:, None] - y_mean
    W = (Z * t[..., None]).swapaxes(-1, -2)
    values, vectors = np.linalg.eigh(W @ Z)
    to = (vectors.swapaxes(-1, -2) @ (W @ off[..., None]))[..., 0]
    U = Z @ vectors
    least, coef, value = np.inf, 0.0, 0.0
    for penalty in PENALTIES:
        shrink = 1 / (values + penalty * values.mean(axis=-1, keepdims=True))
        own = (U @ (shrink * to)[..., None])[..., 0]
        leverage = 1 / m + (U * U @ shrink[..., None])[..., 0]
        left = (((off - own) / (1 - leverage)) ** 2 * t).sum(axis=-1)
        better = left < least
        least = np.where(better, left, least)
        coef = np.where(better[..., None], shrink * to, coef)
        value = np.where(better[..., None], own, value)
    beta = (vectors @ coef[..., None])[..., 0] / sd
    start = y_mean[..., 0] - (beta * mean).sum(axis=-1)
    return value + y_mean, beta, chosen, start, y_mean[..., 0]


def _on_new_samples(rng, coef, chosen, start, mean, signal, tails):
    """Scores: features without signal enter by their sum alone."""
    shape = (*start.shape, N_NEW)
    Z = rng.normal(size=(*shape, TRUE))
    z = signal * Z.sum(axis=-1) + TAILS[tails](rng.normal(size=shape), rng)
    known = np.stack([((chosen == j) * coef).sum(axis=-1) for j in range(TRUE)], axis=-1)
    rest = np.sqrt(((chosen >= TRUE) * coef**2).sum(axis=-1))
    p = (Z * known[:, :, None]).sum(axis=-1) + rest[..., None] * rng.normal(size=shape)
    p += start[..., None]
    e, half = p - z, N_NEW // 2  # pairs that share no sample: unbiased
    a, b = (v - v.mean(axis=-1, keepdims=True) for v in (z, p))
    ranks = [np.argsort(np.argsort(v, axis=-1), axis=-1) - (N_NEW - 1) / 2 for v in (z, p)]
    pairs = (z[..., :half] - z[..., half:]) * (p[..., :half] - p[..., half:]) > 0
    ab, aa, bb = (a * b).mean(axis=-1), (a * a).mean(axis=-1), (b * b).mean(axis=-1)
    found = {
        "q2": 1 - (e**2).sum(axis=-1) / ((z - mean[..., None]) ** 2).sum(axis=-1),
        "rmse": np.sqrt((e**2).mean(axis=-1)),
        "mae": np.abs(e).mean(axis=-1),
        "median_error": np.median(np.abs(e), axis=-1),
        "concordance": pairs.mean(axis=-1),
        "spearman": (ranks[0] * ranks[1]).sum(axis=-1) / (ranks[0] ** 2).sum(axis=-1),
        "pearson": ab / np.sqrt(aa * bb),
        "ccc": 2 * ab / (aa + bb + e.mean(axis=-1) ** 2),
        "slope": ab / bb,
    }
    return {key: score.mean(axis=-1) for key, score in found.items()}


def scores(t: Tables):
    """The scores (tables,), and those without each unit (tables, units), by metric; of the median
    error, the second is the share of errors below it, less one half, that each unit adds."""
    T, R, F, s = t.y.shape
    g, n, y, p = t.size, F * s, t.y, t.predicted
    e, units = p - y, s // t.size
    key = t.unit.reshape(T, R, F, units, g)[..., 0].reshape(T, R, -1)

    def by_unit(a):
        found = np.empty(key.shape)
        np.put_along_axis(found, key, a.reshape(T, R, -1), 2)
        return found.mean(axis=1)

    def of_units(a):
        return a.reshape(T, R, F, units, g).sum(axis=-1)

    def pooled(of, *columns):
        sums = [a.sum(axis=(2, 3)) for a in columns]
        less = [a[:, :, None, None] - of_units(b) for a, b in zip(sums, columns, strict=True)]
        return of(n, *sums).mean(axis=1), by_unit(of(n - g, *less))

    def ccc(k, a, b, aa, bb, ab):
        return 2 * (ab - a * b / k) / (aa - a**2 / k + bb - b**2 / k + (a - b) ** 2 / k)

    middle = y.mean(axis=(1, 2, 3), keepdims=True)
    a, b = y - middle, p - middle
    found = {
        "q2": pooled(lambda k, rss, tss: 1 - rss / tss, e * e, (y - t.mean) ** 2),
        "rmse": pooled(lambda k, rss: np.sqrt(rss / k), e * e),
        "mae": pooled(lambda k, total: total / k, np.abs(e)),
        "ccc": pooled(ccc, a, b, a * a, b * b, a * b),
    }
    size = np.abs(e)
    medians = np.median(size.reshape(T, R, n), axis=-1)
    below = (size <= medians[:, :, None, None]) - 0.5
    found["median_error"] = medians.mean(axis=1), by_unit(of_units(below) / n)
    if s == g:
        return found

    a, b = y - y.mean(axis=-1, keepdims=True), p - p.mean(axis=-1, keepdims=True)
    columns = a, b, a * a, b * b, a * b
    sums = [v.sum(axis=-1) for v in columns]
    less = [v[..., None] - of_units(w) for v, w in zip(sums, columns, strict=True)]

    def correlation(k, a, b, aa, bb, ab):
        va, vb = aa - a * a / k, bb - b * b / k
        there = (va > 1e-12) & (vb > 1e-12)
        return np.where(there, (ab - a * b / k) / np.sqrt(np.where(there, va * vb, 1.0)), 0.0)

    k = s - g
    pairs, kept = s * (s - 1) / 2, k * (k - 1) / 2

    def weighted(every, without):
        total = every.sum(axis=2)[:, :, None, None]
        left = pairs * (total - every[..., None]) + kept * without
        return every.mean(axis=(1, 2)), by_unit(left / (pairs * (F - 1) + kept))

    found["pearson"] = weighted(correlation(s, *sums), correlation(k, *less))

    def slope(a, b, aa, bb, ab, k):
        return ab - a * b / k, bb - b * b / k

    top, bottom = slope(*sums, s)
    left = [
        v.sum(axis=2)[:, :, None, None] - v[..., None] + w
        for v, w in zip((top, bottom), slope(*less, k), strict=True)
    ]
    whole = (top.sum(axis=2) / bottom.sum(axis=2)).mean(axis=1)
    found["slope"] = whole, by_unit(left[0] / left[1])

    # ranks without a unit are ranks less the number of its samples that are smaller
    above = [(v[..., :, None] > v[..., None, :]).astype(np.float32) for v in (y, p)]
    ranks = [v.sum(axis=-1) for v in above]
    smaller = [v.reshape(T, R, F, s, units, g).sum(axis=-1) for v in above]
    every = _rank_correlation(*ranks, np.ones(s, dtype=np.float32))
    without = np.empty((T, R, F, units))
    for u in range(units):
        there = np.ones(s, dtype=np.float32)
        there[u * g : (u + 1) * g] = 0
        rest = [v - w[..., u] for v, w in zip(ranks, smaller, strict=True)]
        without[..., u] = _rank_correlation(*rest, there)
    found["spearman"] = weighted(every, without)

    right = above[0] * above[1] + above[0].swapaxes(-1, -2) * above[1].swapaxes(-1, -2)
    inside = np.einsum("trfagah->trfa", right.reshape(T, R, F, units, g, units, g)) / 2
    lost = of_units(right.sum(axis=-1)) - inside
    total = right.sum(axis=(2, 3, 4)) / 2
    left = (total[:, :, None, None] - lost) / (pairs * (F - 1) + kept)
    found["concordance"] = (total / (pairs * F)).mean(axis=1), by_unit(left)
    return found


def _rank_correlation(a, b, there):
    k = there.sum()
    a, b = ((v - (there * v).sum(axis=-1, keepdims=True) / k) * there for v in (a, b))
    with np.errstate(all="ignore"):
        r = (a * b).sum(axis=-1) / np.sqrt((a * a).sum(axis=-1) * (b * b).sum(axis=-1))
    return np.nan_to_num(r)
