"""Two-sided exact p of two by two tables: a walk over all tables with the same margins.

A step up takes one from b and c and gives it to a and d; the probability is multiplied by
b c / ((a + 1)(d + 1)). Fisher's test takes these steps over counts, and the exact Hardy-Weinberg
test over homozygotes a and d and halves of the heterozygotes, b = h/2 and c = (h - 1)/2. All
probabilities are relative to that of the table observed, so that small p lose no digits. The walk
ends where a further term would not change the sum.
"""

from __future__ import annotations

from .._jit import jit

TIE_RATIO = 2.0**-44  # probabilities that differ by less, relatively, are equal
NEGLIGIBLE_RATIO = 2.0**-60  # of a sum: a smaller term does not change it
# far from the ends of float64; powers of two, so that scaling is exact
RESCALE_ABOVE, RESCALE_BELOW = 2.0**600, 2.0**-600


@jit
def two_sided(a, b, c, d, mid):
    """Probability of the tables no more probable than [[a, b], [c, d]]; `mid` halves ties."""
    # renamed so that the most probable table is reached by steps up: they have one peak
    up, down = b * c / ((a + 1) * (d + 1)), a * d / ((b + 1) * (c + 1))
    if down > up:
        a, b, c, d = b, a, d, c
    tied, tail, centre = 1.0, 0.0, 0.0
    # away from the most probable table: no term exceeds the one before
    i, j, k, m = a, b, c, d
    term = i * m / ((j + 1) * (k + 1))
    while term > tail * NEGLIGIBLE_RATIO:
        if term >= 1 - TIE_RATIO:
            tied += term
        else:
            tail += term
        i, j, k, m = i - 1, j + 1, k + 1, m - 1
        term *= i * m / ((j + 1) * (k + 1))
    # over the most probable one to the other tail; a term stands for term RESCALE_ABOVE^units, so
    # that it cannot overflow where the table observed is very improbable
    units, highest = 0, 0
    i, j, k, m = a, b, c, d
    term = j * k / ((i + 1) * (m + 1))
    while units > 0 or term > (tail + tied) * NEGLIGIBLE_RATIO:
        if units > 0 or term > 1 + TIE_RATIO:
            # more probable than the table observed: added in the highest unit met so far; behind
            # the peak terms fall into the unit below, and further ones are rounding
            if units == highest:
                centre += term
            elif units == highest - 1:
                centre += term * RESCALE_BELOW
        elif term >= 1 - TIE_RATIO:
            tied += term
        else:
            tail += term
        i, j, k, m = i + 1, j - 1, k - 1, m + 1
        term *= j * k / ((i + 1) * (m + 1))
        if term > RESCALE_ABOVE:
            term *= RESCALE_BELOW
            units += 1
            # sums of the lower unit are expressed in the new one
            if units > highest:
                centre *= RESCALE_BELOW
                highest = units
        elif units > 0 and term < 1.0:
            if term <= 0.0:  # the last table there is
                break
            term *= RESCALE_ABOVE
            units -= 1
    found = tail + tied
    everything = centre
    if highest == 0:  # else both tails are below the rounding of `centre`
        everything += found
    if mid:
        found -= tied / 2
    found /= everything
    # tails are in units of 1, the total in RESCALE_ABOVE^highest; p may underflow to 0
    for _ in range(highest):
        found *= RESCALE_BELOW
    return min(found, 1.0)
