"""The tail of the hypergeometric distribution: the p-value of Fisher's one-sided exact test.

Plain Python, which `rejection.py` compiles: SciPy's takes most of a second to import.
"""

from __future__ import annotations

from math import exp, inf, lgamma, log


def log_tail(n, w, s, a):
    """log P(X >= a), X of s drawn from n of which w are marked; a below everything: 0."""
    least, most = max(0, s + w - n), min(s, w)
    if a <= least:
        return 0.0
    if a > most:
        return -inf
    first = (
        lgamma(w + 1.0)
        - lgamma(a + 1.0)
        - lgamma(w - a + 1.0)
        + lgamma(n - w + 1.0)
        - lgamma(s - a + 1.0)
        - lgamma(n - w - s + a + 1.0)
        - lgamma(n + 1.0)
        + lgamma(s + 1.0)
        + lgamma(n - s + 1.0)
    )
    total = term = 1.0
    for k in range(a, most):
        term *= (s - k) * (w - k) / ((k + 1.0) * (n - w - s + k + 1.0))
        total += term
        if term < 1e-17 * total:
            break
    return min(first + log(total), 0.0)


def tail_probability(n: int, w: int, s: int, a: int) -> float:
    """P(X >= a), X of s drawn from n of which w are marked.

    Examples
    --------
    >>> round(tail_probability(10, 4, 5, 3), 4)
    0.2619
    """
    return exp(log_tail(n, w, s, a))
