"""What comes of calling the positive class from a probability on, by that probability."""

from __future__ import annotations

import numpy as np

from .curves import spread_along


def threshold_points(
    codes_true: np.ndarray,
    proba: np.ndarray,
    costs: np.ndarray | None = None,
    most: int = 200,
) -> list[dict[str, float | None]]:
    """Sensitivity, specificity, share called, precision and mean cost at every threshold.

    A sample is called positive where its probability is at least the threshold. What comes of that
    changes at the probabilities that were given and nowhere else: each of them is a point, whose
    numbers hold down to the point before. The first point is the threshold 0, which calls
    everybody, and the last 1, which calls those that the model is sure of.

    Parameters
    ----------
    codes_true : ndarray of shape (m,) of int
        Of two classes.
    proba : ndarray of shape (m, 2)
        Probabilities. Those of repeats stand one after the other; rates are then their means.
    costs : ndarray of shape (2, 2) or (m, 2, 2), optional
        Rows predicted, columns true; of all, or of each sample its own.
    most : int, default=200
        At most so many points, evenly spread along the curves.

    Returns
    -------
    list of dict
        ``threshold``, ``sensitivity`` and ``specificity`` (shares of the positives called and of
        the negatives not), ``predicted`` (share called), ``precision`` (share of positives among
        those called; None where nobody is) and ``loss`` (mean cost; None without `costs`). Empty
        where a class has no sample.

    Examples
    --------
    >>> up = np.array([0.1, 0.4, 0.3, 0.8])
    >>> points = threshold_points(np.array([0, 0, 1, 1]), np.column_stack([1 - up, up]),
    ...                           np.array([[0, 10], [1, 0]]))
    >>> [(p["threshold"], p["sensitivity"], p["specificity"], p["loss"]) for p in points[1:]]
    [(0.1, 1.0, 0.0, 0.5), (0.3, 1.0, 0.5, 0.25), (0.4, 0.5, 0.5, 2.75), (0.8, 0.5, 1.0, 2.5), \
(1.0, 0.0, 1.0, 5.0)]
    """
    positive, scores = np.asarray(codes_true) == 1, proba[:, 1]
    n, n_positive = len(scores), int(positive.sum())
    if n_positive in (0, n):
        return []
    thresholds = np.unique(np.concatenate([[0.0, 1.0], scores]))
    order = np.argsort(scores, kind="stable")
    passed = np.searchsorted(scores[order], thresholds, side="left")  # samples not called
    missed = np.append(0, np.cumsum(positive[order]))[passed]
    called, caught = n - passed, n_positive - missed
    sensitivity = caught / n_positive
    specificity = (passed - missed) / (n - n_positive)
    loss = None
    if costs is not None:
        own = np.broadcast_to(costs, (n, 2, 2))[np.arange(n), :, np.asarray(codes_true)]
        more = np.cumsum((own[:, 0] - own[:, 1])[order])  # than calling everybody
        loss = (own[:, 1].sum() + np.append(0.0, more)[passed]) / n
    path = [thresholds, sensitivity, specificity]
    return [
        {
            "threshold": float(thresholds[k]),
            "sensitivity": float(sensitivity[k]),
            "specificity": float(specificity[k]),
            "predicted": float(called[k] / n),
            "precision": float(caught[k] / called[k]) if called[k] else None,
            "loss": None if loss is None else float(loss[k]),
        }
        for k in spread_along(path, most)
    ]
