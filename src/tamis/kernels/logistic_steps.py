"""Slopes of the logistic loss of two classes, without a call for each row; tests of a step.

A kernel's `exp` is a call of the C library, which takes longer than all else on 60 rows. Here it is
the same arithmetic for all rows, which compilers turn into vectors: exp(x) = 2^n exp(r) with n the
integer nearest to x / ln 2 and |r| <= ln(2) / 2, where Taylor's series of 13 terms is exact to the
last bit but one.
"""

from __future__ import annotations

import numpy as np

from ._jit import jit

LOG2_E = 1.4426950408889634
# ln 2 as a number of so few bits that its product with n is exact, and the rest (Cody and Waite)
LN2_HIGH, LN2_LOW = 6.93147180369123816490e-01, 1.90821492927058770002e-10
TO_INTEGER = 6755399441055744.0  # 1.5 2^52: a sum with it holds the nearest integer in its low bits
MIN_EXPONENT = -708.0  # exp of less than -708.4 is subnormal


@jit
def negative_exponentials(x, found):
    """exp(max(x, -708)) of each x <= 0 (n,) into `found`; `x` is overwritten."""
    for i in range(len(x)):
        below = max(x[i], MIN_EXPONENT)  # also -inf
        # rounds to the nearest integer n, and leaves it in the low bits of x[i] for the end
        x[i] = below * LOG2_E + TO_INTEGER
        n = x[i] - TO_INTEGER
        r = (below - n * LN2_HIGH) - n * LN2_LOW
        # exp(r) = sum_k r^k / k! up to k = 13; the next term is below 5e-18
        tail = 1.0 / 39916800 + r * (1.0 / 479001600 + r * (1.0 / 6227020800))
        tail = 1.0 / 362880 + r * (1.0 / 3628800 + r * tail)
        tail = 1.0 / 5040 + r * (1.0 / 40320 + r * tail)
        tail = 1.0 / 120 + r * (1.0 / 720 + r * tail)
        tail = 1.0 / 6 + r * (1.0 / 24 + r * tail)
        found[i] = 1.0 + (r + r * r * (0.5 + r * tail))  # the large terms last
    # 2^n: its biased exponent n + 1023, which is 2 to 1023, put in the place of the exponent; what
    # stood in the upper bits of x is shifted out
    bits = x.view(np.int64)
    for i in range(len(x)):
        bits[i] = (bits[i] + 1023) << 52
    for i in range(len(x)):
        found[i] *= x[i]


@jit
def logistic_slopes(eta, codes, weights, pulls, bends, scratch):
    """-dF/deta and d2F/deta2 of F = sum_i w_i loss_i at log odds eta, all (n,).

    They are w (y - p) and w p (1 - p), into `pulls` and `bends`. 1 - p is never formed by a
    subtraction: where a class is almost certain, p and 1 - p both keep their digits.
    """
    for i in range(len(eta)):
        scratch[i] = -abs(eta[i])
    negative_exponentials(scratch, bends)
    for i in range(len(eta)):
        # e = exp(-|eta|): the less probable class has e / (1 + e), the other 1 / (1 + e)
        rare, likely = bends[i] / (1.0 + bends[i]), 1.0 / (1.0 + bends[i])
        first, second = (rare, likely) if eta[i] > 0 else (likely, rare)  # of codes 0 and 1
        pulls[i] = weights[i] * (first if codes[i] == 1 else -second)
        bends[i] = weights[i] * rare * likely


@jit
def logistic_loss(eta, codes, weights):
    """sum_i w_i loss_i at log odds eta (n,)."""
    total = 0.0
    for i in range(len(codes)):
        # log(1 + exp(-m)) of the margin m, in a form whose exp cannot overflow
        m = eta[i] if codes[i] == 1 else -eta[i]
        total += weights[i] * (np.log1p(np.exp(-m)) if m > 0 else np.log1p(np.exp(m)) - m)
    return total


@jit
def is_below(gain, bend, t, left):
    """Whether F is certainly no higher after t times a step than before.

    F is convex along the step, its slope is -gain before and -left after, and its second derivative
    at most `bend`. So it falls up to gain / bend, by gain^2 / (2 bend) or more, and from there
    it rises by no more than -left (t - gain / bend). Where it holds, F need not be computed.
    """
    # 0 / 0 is nan at a step of length 0, whose `left` is 0
    falls = gain / bend
    return left >= 0 or -left * (t - falls) <= gain * falls / 2
