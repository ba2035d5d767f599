"""The tail of the hypergeometric distribution: the p-value of Fisher's one-sided exact test.

Plain Python, which `rejection.py` compiles; importing SciPy's takes most of a second.
"""

from __future__ import annotations

from math import exp, inf, lgamma, log


def log_tail(n, w, s, a):
    """log P(X >= a), X the number marked among s drawn from n, of which w are marked.

    0 where a is at most the least that X can be, -inf where it is more than the most.
    """
    least, most = max(0, s + w - n), min(s, w)  # what X can be
    if a <= least:
        return 0.0
    if a > most:
        return -inf
    # log P(X = a), P(X = a) = C(w, a) C(n - w, s - a) / C(n, s)
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
    # The terms relative to the first, so that none underflows. Their sum overflows only where
    # P(X = a) is below 1e-308, far below the mode: the result is then 0, as the tail is 1.
    total = term = 1.0
    for k in range(a, most):
        # P(X = k + 1) / P(X = k)
        term *= (s - k) * (w - k) / ((k + 1.0) * (n - w - s + k + 1.0))
        total += term
        # the ratios fall with k, so that a term this small is past the mode: the rest is rounding
        if term < 1e-17 * total:
            break
    # rounding of the logarithms of factorials may take a tail of nearly 1 above 1
    return min(first + log(total), 0.0)


def tail_probability(n: int, w: int, s: int, a: int) -> float:
    """P(X >= a), X the number marked among s drawn from n, of which w are marked.

    Examples
    --------
    >>> round(tail_probability(10, 4, 5, 3), 4)
    0.2619
    """
    return exp(log_tail(n, w, s, a))
