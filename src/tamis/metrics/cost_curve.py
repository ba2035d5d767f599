"""Cost curves: what deciding by the probabilities costs, whatever the errors cost.

Drummond & Holte (2006), Cost curves: an improved method for visualizing classifier performance.
Machine Learning 65, 95-130.
"""

from __future__ import annotations

import numpy as np


def cost_curve_points(
    codes_true: np.ndarray, proba: np.ndarray, n_points: int = 101
) -> list[dict[str, float]]:
    """Normalised expected cost of deciding by risk, by what the errors cost.

    One number says what errors cost, and how common the classes are: with shares p(+) and p(-),
    C(-|+) the cost of a miss and C(+|-) that of a false alarm,

        x = PC(+) = p(+) C(-|+) / (p(+) C(-|+) + p(-) C(+|-))

    from 0, where misses cost nothing, to 1, where false alarms do not. The cost is
    FNR x + FPR (1 - x), in parts of what it costs to be wrong about every sample. Whoever takes the
    probabilities at their word calls a sample positive from p* = C(+|-) / (C(+|-) + C(-|+)) on,
    which is p(+) (1 - x) / (p(+) (1 - x) + p(-) x). Calling everybody negative costs x, everybody
    positive 1 - x.

    Parameters
    ----------
    codes_true : ndarray of shape (m,) of int
        Of two classes; their shares are p(+) and p(-).
    proba : ndarray of shape (m, 2)
        Probabilities. Those of repeats stand one after the other; the cost is then their mean.
    n_points : int, default=101
        Values of x, evenly from 0 to 1.

    Returns
    -------
    list of dict
        ``x``, ``threshold`` (p*), ``loss`` (of calling a sample positive where its probability is
        at least p*) and ``envelope``: the cost of the threshold that is best there, found on the
        samples that judge it and so optimistic. Empty where a class has no sample.

    References
    ----------
    Drummond & Holte (2006), Cost curves: an improved method for visualizing classifier performance.
    Machine Learning 65, 95-130.

    Examples
    --------
    >>> up = np.array([0.1, 0.4, 0.3, 0.8])
    >>> points = cost_curve_points(np.array([0, 0, 1, 1]), np.column_stack([1 - up, up]), 5)
    >>> [(p["x"], p["threshold"], p["loss"], p["envelope"]) for p in points]
    [(0.0, 1.0, 0.0, 0.0), (0.25, 0.75, 0.125, 0.125), (0.5, 0.5, 0.25, 0.25), \
(0.75, 0.25, 0.125, 0.125), (1.0, 0.0, 0.0, 0.0)]
    """
    positive, scores = np.asarray(codes_true) == 1, proba[:, 1]
    n, n_positive = len(scores), int(positive.sum())
    if n_positive in (0, n):
        return []
    x = np.arange(n_points) / (n_points - 1)
    share = n_positive / n
    thresholds = share * (1 - x) / (share * (1 - x) + (1 - share) * x)
    order = np.argsort(scores, kind="stable")
    missed = np.append(0, np.cumsum(positive[order]))  # of leaving out the k least probable
    miss = missed / n_positive
    alarm = 1 - (np.arange(n + 1) - missed) / (n - n_positive)
    at = np.searchsorted(scores[order], thresholds, side="left")
    loss = miss[at] * x + alarm[at] * (1 - x)
    real = np.append(True, np.diff(scores[order]) > 0)  # equal probabilities are called together
    real = np.append(real, True)
    miss, alarm = miss[real], alarm[real]
    envelope = [(miss * k + alarm * (1 - k)).min() for k in x]
    return [
        {"x": float(a), "threshold": float(t), "loss": float(b), "envelope": float(e)}
        for a, t, b, e in zip(x, thresholds, loss, envelope, strict=True)
    ]
