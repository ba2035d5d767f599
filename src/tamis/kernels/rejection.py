"""How strongly errors gather by chance alone among the samples that are declined first.

Of n samples in order of certainty w are predicted wrong. Declining the first s, a of them wrong,
has the tail P(X >= a), X hypergeometric: that of Fisher's exact test. The least tail over many s is
not a p-value. If errors are placed at random, every order of them is equally likely, and the path
of a over s is a walk whose next step is an error with probability (w - a)/(n - s): the probability
that it ever meets a tail as small is summed up exactly.
"""

from __future__ import annotations

import numpy as np

from . import hypergeometric
from ._jit import jit

# tails that differ by less, relatively, are equal: logarithms are compared, and a tail as small as
# the least one must not be missed by rounding
TAIL_TOLERANCE = 1e-9


log_tail = jit(hypergeometric.log_tail)


@jit
def log_tails(n, w, declined, wrong):
    """`log_tail` (k,) for pairs of the number of samples declined and of those among them wrong."""
    found = np.empty(len(declined))
    for i in range(len(declined)):
        found[i] = log_tail(n, w, declined[i], wrong[i])
    return found


@jit
def chance_of_tail(n, w, declined, limit):
    """P(some of the tails is at most exp(limit)) if the errors are in random order.

    Parameters
    ----------
    n, w : int
        Samples, and the number of them that are wrong.
    declined : (k,) int64
        Rising; the number of samples that each candidate declines.
    limit : float
        The logarithm of a tail.

    Returns
    -------
    float
    """
    # P(a errors among the first s, and no such tail so far), by a
    here = np.zeros(w + 1)
    here[0] = 1.0
    met, s, bound = 0.0, 0, 0
    for place in range(len(declined)):
        while s < declined[place]:
            # one more sample, in place: falling, so that here[a + 1] has already moved on; the
            # bounds are the least and the most errors that s samples can have
            for a in range(min(s, w), max(0, s + w - n) - 1, -1):
                moved = here[a] * ((w - a) / (n - s))
                here[a] -= moved
                if moved > 0:  # 0 at a = w, beyond which there is no place
                    here[a + 1] += moved
            s += 1
        # the least a with such a tail; it rises with s, so the search goes on from the last one
        while log_tail(n, w, s, bound) > limit + TAIL_TOLERANCE:
            bound += 1
        # walks that meet the tail end here, so that each counts once
        for a in range(bound, min(s, w) + 1):
            met += here[a]
            here[a] = 0.0
    return min(met, 1.0)  # the sum may be above 1 by rounding
