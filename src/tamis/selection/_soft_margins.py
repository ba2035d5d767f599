"""Soft margins of 1-Lipschitz classifiers, and what the distance between two classes says of them.

Duan (2013), section 4.3.1. A function f with |f(x) - f(x')| <= d(x, x') has a soft
(epsilon, delta) margin if f >= epsilon/2 in class 1 and f <= -epsilon/2 in class 0, but for a share
delta of the samples, both classes weighing the same: the margin errors. With W(epsilon) the
1-Wasserstein distance between the classes under min(d, epsilon):

1.  delta >= (1 - W(epsilon)/epsilon) / 2 for every such f. Cut off at -epsilon/2 and epsilon/2, f
    is 1-Lipschitz under min(d, epsilon), and each margin error takes at most epsilon from the
    difference of its means. As W(epsilon) <= W1, also epsilon (1 - 2 delta) <= W1. The source
    prints 1 - delta.
2.  There is an f with margin epsilon/3 and delta <= 3/2 (1 - W(epsilon)/epsilon): the function
    that attains W(epsilon) lies, moved, between -epsilon/2 and epsilon/2, and each of its errors at
    margin epsilon/3 takes at least epsilon/3.
3.  The least delta is known: f exists if and only if no two samples of different classes that have
    the margin are nearer than epsilon (McShane 1934), so that the errors must cover all nearer
    pairs. By duality the least such cover is the most weight that can be moved over distances
    below epsilon, and delta is half of it.
"""

from __future__ import annotations

import numpy as np

from ..kernels.transport import movable_share, transport_cost


def capped_distance(apart: np.ndarray, margin: float) -> float:
    """W1 between two classes under min(d, margin); `apart` is (n0, n1)."""
    return transport_cost(np.minimum(apart, margin))


def least_margin_error(apart: np.ndarray, margin: float) -> float:
    """The least share of margin errors of any 1-Lipschitz classifier on these samples.

    Examples
    --------
    >>> least_margin_error(np.array([[0.5, 0.5], [0.5, 0.0]]), 0.5)
    0.25
    """
    return movable_share(apart < margin) / 2


def margin_error_bound(distance: np.ndarray | float, margin: np.ndarray | float) -> np.ndarray:
    """No 1-Lipschitz classifier with this margin has a smaller share of margin errors.

    `distance` is W1 under min(d, margin), or W1 itself, which gives a weaker bound.

    Examples
    --------
    >>> float(margin_error_bound(0.3, 0.5))
    0.2
    """
    return np.maximum(0.0, (1 - np.asarray(distance) / margin) / 2)


def guaranteed_margin_error(capped: np.ndarray | float, margin: np.ndarray | float) -> np.ndarray:
    """Some 1-Lipschitz classifier with margin/3 has no larger share of margin errors.

    `capped` is W1 under min(d, margin). A share of 1/2 is reached by a constant, so that is the
    most.

    Examples
    --------
    >>> guaranteed_margin_error(np.array([0.5, 0.4, 0.1]), 0.5).round(9)
    array([0. , 0.3, 0.5])
    """
    return np.clip(1.5 * (1 - np.asarray(capped) / margin), 0.0, 0.5)


def largest_margin_bound(distance: np.ndarray, error: float) -> np.ndarray:
    """No 1-Lipschitz classifier with this share of margin errors has a larger margin: W1/(1 - 2
    delta), or the largest distance there may be, 1.

    Examples
    --------
    >>> largest_margin_bound(np.array([0.36, 0.95]), 0.05)
    array([0.4, 1. ])
    """
    return np.minimum(1.0, distance / (1 - 2 * error))
