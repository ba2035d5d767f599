"""The elastic net's objective and conditions by their formulas, and a plain slow solver."""

from __future__ import annotations

import numpy as np
from scipy.optimize import minimize


def standardised(X):
    """Centred columns of unit population variance; constant ones are 0."""
    moved = X - X.mean(axis=0)
    moved[:, (X[:1] == X).all(axis=0)] = 0.0
    scale = moved.std(axis=0)
    return moved / np.where(scale > 0, scale, 1), np.where(scale > 0, scale, 1)


def log_shares(eta):
    """Logarithms of the class probabilities; one column of eta is the second class's log-odds."""
    if eta.shape[1] == 1:
        eta = np.hstack([np.zeros_like(eta), eta])
    eta = eta - eta.max(axis=1, keepdims=True)
    return eta - np.log(np.exp(eta).sum(axis=1, keepdims=True))


def written_out(path, p):
    """Coefficients (L, K, p) of a path's sparse rows."""
    out = np.zeros((len(path.lambdas), path.intercepts.shape[1], p))
    for b, (columns, values) in zip(out, path.coefs, strict=True):
        b[:, columns] = values
    return out


def objective(X, codes, lam, alpha, factors, intercept, b, weights=None):
    """F of intercepts (K,) and coefficients (K, p) for standardised X."""
    weights = np.ones(len(X)) if weights is None else weights
    loss = -weights @ log_shares(X @ b.T + intercept)[np.arange(len(X)), codes] / len(X)
    return loss + lam * (factors * (alpha * np.abs(b) + (1 - alpha) / 2 * b**2)).sum()


def objectives(X, codes, path, alpha, factors):
    """F at each lambda of a path on X as it is."""
    Z, scale = standardised(X)
    found = []
    rows = zip(path.lambdas, path.intercepts, written_out(path, X.shape[1]), strict=True)
    for lam, intercept, b in rows:
        moved = intercept + b @ X.mean(axis=0)
        found.append(objective(Z, codes, lam, alpha, factors, moved, b * scale))
    return np.array(found)


def slopes(X, codes, intercept, b, weights=None):
    """-dloss/db (K, p) and -dloss/dintercept (K,)."""
    weights = np.ones(len(X)) if weights is None else weights
    own = (codes[:, None] == np.arange(max(2, len(b)))).astype(float)
    short = (own - np.exp(log_shares(X @ b.T + intercept))) * weights[:, None] / len(X)
    short = short[:, 1:] if len(b) == 1 else short
    return short.T @ X, short.sum(axis=0)


def violation(X, codes, lam, alpha, factors, intercept, b, weights=None):
    """Largest violation of the optimality conditions / lambda, a column's by its factor."""
    z, z0 = slopes(X, codes, intercept, b, weights)
    unit = np.where(factors > 0, factors, 1)
    bent = z - lam * factors * (1 - alpha) * b
    l1 = lam * alpha * factors
    wrong = np.where(b == 0, np.abs(bent) - l1, np.abs(bent - l1 * np.sign(b))) / unit
    return max(wrong.max(initial=0), np.abs(z0).max(), 0) / lam


def plain_solution(X, codes, n_classes, lam, alpha, factors):
    """Objective of L-BFGS-B on b = plus - minus, and how far its slopes allow it to be off."""
    p, K = X.shape[1], 1 if n_classes == 2 else n_classes

    def split(u):
        u = u.reshape(K, 1 + 2 * p)
        plus, minus = u[:, 1 : p + 1], u[:, p + 1 :]
        b = plus - minus
        z, z0 = slopes(X, codes, u[:, 0], b)
        g = lam * factors * (1 - alpha) * b - z
        l1 = lam * alpha * factors
        value = objective(X, codes, lam, 0.0, factors * (1 - alpha), u[:, 0], b)
        value += (l1 * (plus + minus)).sum()
        return value, np.hstack([-z0[:, None], g + l1, l1 - g]).ravel()

    bounds = ([(None, None)] + [(0, None)] * (2 * p)) * K
    options = {"maxiter": 3000, "maxfun": 6000, "ftol": 1e-15, "gtol": 1e-10}
    start = np.zeros(K * (1 + 2 * p))
    return minimize(split, start, jac=True, bounds=bounds, method="L-BFGS-B", options=options).fun
