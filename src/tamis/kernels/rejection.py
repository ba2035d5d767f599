"""How much chance alone gathers errors among the samples that are declined first.

Samples in order of certainty, some of them predicted wrong: of n, w. Declining the first s, a of
them wrong, has the tail P(X >= a), X hypergeometric: that of Fisher's exact test. The least tail
over many s is no p-value. Where errors have no place of their own every order of them is as likely
as any other, and the path of a over s is a walk whose next step is an error with probability
(w - a)/(n - s): how often it meets a tail as small is summed up exactly.
"""

from __future__ import annotations

import numpy as np

from . import hypergeometric
from ._jit import jit

TAIL_TOLERANCE = 1e-9  # tails that differ by less, relatively, are equal


log_tail = jit(hypergeometric.log_tail)


@jit
def log_tails(n, w, declined, wrong):
    """`log_tail` of declining so many samples, so many of them wrong, (k,)."""
    found = np.empty(len(declined))
    for i in range(len(declined)):
        found[i] = log_tail(n, w, declined[i], wrong[i])
    return found


@jit
def chance_of_tail(n, w, declined, limit):
    """P(some of the tails is at most exp(limit)) where errors have no place of their own.

    Parameters
    ----------
    n, w : int
        Samples, and how many of them are wrong.
    declined : (k,) int64
        Rising; how many samples each candidate declines.
    limit : float
        The logarithm of a tail.

    Returns
    -------
    float
    """
    here = np.zeros(w + 1)  # of having met a errors, and no such tail
    here[0] = 1.0
    met, s, bound = 0.0, 0, 0
    for place in range(len(declined)):
        while s < declined[place]:
            for a in range(min(s, w), max(0, s + w - n) - 1, -1):
                moved = here[a] * ((w - a) / (n - s))
                here[a] -= moved
                if moved > 0:
                    here[a + 1] += moved
            s += 1
        while log_tail(n, w, s, bound) > limit + TAIL_TOLERANCE:
            bound += 1  # rises with s
        for a in range(bound, min(s, w) + 1):
            met += here[a]
            here[a] = 0.0
    return min(met, 1.0)
