"""Natural cubic splines: linear beyond the outer knots."""

from __future__ import annotations

import numpy as np


def natural_spline_basis(x: np.ndarray, size: int) -> np.ndarray:
    """Functions of x (n, size) whose combinations are the natural cubic splines with inner knots
    at even quantiles of x, as ``ns(x, size, intercept = TRUE)`` of R; fewer where knots coincide.
    x has at least two different values.

    Examples
    --------
    >>> natural_spline_basis(np.array([1.0, 2.0, 5.0]), 2)
    array([[1.  , 0.  ],
           [1.  , 0.25],
           [1.  , 1.  ]])
    """
    low, high = x.min(), x.max()
    z = (x - low) / (high - low)  # cubes of numbers up to 1, whatever the unit
    # the outer knots are the ends of x, 0 and 1; as many functions as knots
    knots = np.unique(np.quantile(z, np.linspace(0, 1, size)))
    # Hastie, Tibshirani & Friedman (2009), The Elements of Statistical Learning, (5.4) and (5.5):
    # N_1 = 1, N_2 = z, N_{k+2} = d_k - d_{K-1}, d_k = ((z - t_k)+^3 - (z - t_K)+^3) / (t_K - t_k)
    basis = [np.ones(len(z)), z]
    last = knots[-1]

    def cubic_bend(knot: float) -> np.ndarray:
        cubes = np.maximum(z - knot, 0.0) ** 3 - np.maximum(z - last, 0.0) ** 3
        return cubes / (last - knot)

    basis += [cubic_bend(knot) - cubic_bend(knots[-2]) for knot in knots[:-2]]
    return np.column_stack(basis)
