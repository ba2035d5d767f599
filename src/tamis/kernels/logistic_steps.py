"""Slopes of the logistic loss of two classes, without a call for each row; how far a step may go.

A kernel's `exp` is a call of the C library, which takes longer than all else on 60 rows. Here it is
arithmetic on all rows alike, which compilers turn into vectors: exp(x) = 2^n exp(r) with n the
integer nearest to x / ln 2 and |r| <= ln(2) / 2, where Taylor's series of 13 terms is exact to the
last bit but one.
"""

from __future__ import annotations

import numpy as np

from ._jit import jit

LOG2_E = 1.4426950408889634
LN2_HIGH, LN2_LOW = 6.93147180369123816490e-01, 1.90821492927058770002e-10  # of few bits, and rest
TO_INTEGER = 6755399441055744.0  # 1.5 2^52: a sum with it holds the integer in its low bits
MIN_EXPONENT = -708.0  # exp of less is no ordinary number


@jit
def negative_exponentials(x, found):
    """exp of each x (n,), which are 0 or less; below -708 that of -708. `x` is overwritten."""
    for i in range(len(x)):
        below = max(x[i], MIN_EXPONENT)
        x[i] = below * LOG2_E + TO_INTEGER
        n = x[i] - TO_INTEGER
        r = (below - n * LN2_HIGH) - n * LN2_LOW
        tail = 1.0 / 39916800 + r * (1.0 / 479001600 + r * (1.0 / 6227020800))
        tail = 1.0 / 362880 + r * (1.0 / 3628800 + r * tail)
        tail = 1.0 / 5040 + r * (1.0 / 40320 + r * tail)
        tail = 1.0 / 120 + r * (1.0 / 720 + r * tail)
        tail = 1.0 / 6 + r * (1.0 / 24 + r * tail)
        found[i] = 1.0 + (r + r * r * (0.5 + r * tail))
    bits = x.view(np.int64)
    for i in range(len(x)):
        bits[i] = (bits[i] + 1023) << 52
    for i in range(len(x)):
        found[i] *= x[i]


@jit
def logistic_slopes(eta, codes, weights, pulls, bends, scratch):
    """-dF/deta and d2F/deta2 of F = sum_i w_i loss_i at log odds eta, all (n,).

    1 - p is never formed by a subtraction that cancels: where a class is all but certain both keep
    their digits.
    """
    for i in range(len(eta)):
        scratch[i] = -abs(eta[i])
    negative_exponentials(scratch, bends)
    for i in range(len(eta)):
        rare, likely = bends[i] / (1.0 + bends[i]), 1.0 / (1.0 + bends[i])
        first, second = (rare, likely) if eta[i] > 0 else (likely, rare)  # of codes 0 and 1
        pulls[i] = weights[i] * (first if codes[i] == 1 else -second)
        bends[i] = weights[i] * rare * likely


@jit
def logistic_loss(eta, codes, weights):
    """sum_i w_i loss_i at log odds eta (n,)."""
    total = 0.0
    for i in range(len(codes)):
        m = eta[i] if codes[i] == 1 else -eta[i]
        total += weights[i] * (np.log1p(np.exp(-m)) if m > 0 else np.log1p(np.exp(m)) - m)
    return total


@jit
def is_below(gain, bend, t, left):
    """Whether F is certainly no higher after t times a step than before.

    F is convex along the step, its slope is -gain before and -left after, and its second derivative
    at most `bend`. So it falls as far as gain / bend, by gain^2 / (2 bend) or more, and from there
    it rises by no more than -left (t - gain / bend).
    """
    falls = gain / bend
    return left >= 0 or -left * (t - falls) <= gain * falls / 2
