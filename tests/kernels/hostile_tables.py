"""Tables that are hard to sort by keys."""

from __future__ import annotations

import numpy as np
from hypothesis import strategies as st


@st.composite
def hostile_tables(draw):
    """X with ties, neighbours in the last bit, zeros of both signs, NaN and magnitudes that leave
    no room for codes; class codes, their number, and masks of parts."""
    n, p, n_classes = draw(st.integers(2, 25)), draw(st.integers(1, 70)), draw(st.integers(2, 20))
    rng = np.random.default_rng(draw(st.integers(0, 10**6)))
    X = rng.normal(size=(n, p)) * draw(st.sampled_from([1.0, 1e-18, 1e25, 1e-300, 1e300]))
    if draw(st.booleans()):
        X = np.round(X, 1)
    for j in range(0, p, 3):
        X[:, j] = np.nextafter(X[rng.integers(0, n, n), j], rng.choice([-9.0, 9.0], n))
    X[rng.random((n, p)) < 0.1] = -0.0
    X[rng.random((n, p)) < draw(st.sampled_from([0.0, 0.2, 0.9]))] = np.nan
    y = rng.integers(0, n_classes, n)
    return X, y, n_classes, rng.random((draw(st.integers(1, 12)), n)) < 0.7
