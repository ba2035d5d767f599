"""Two-sided exact p of tables of four cells: a walk over all tables with the same margins.

A step up takes one from b and c and gives it to a and d; the probability is multiplied by
b c / ((a + 1)(d + 1)). Fisher's test walks so over counts, and the exact Hardy-Weinberg test over
homozygotes a and d and halves of the heterozygotes, b = h/2 and c = (h - 1)/2. All is relative to
the table observed, so that small p lose nothing; steps that no longer change a sum are not taken.
"""

from __future__ import annotations

from .._jit import jit

TIE_RATIO = 2.0**-44  # probabilities that differ by less, relatively, are one
NEGLIGIBLE_RATIO = 2.0**-60  # of a sum: less does not change it
RESCALE_ABOVE, RESCALE_BELOW = 2.0**600, 2.0**-600


@jit
def two_sided(a, b, c, d, mid):
    """Share of the tables as probable as [[a, b], [c, d]] or less; `mid` halves the equals."""
    up, down = b * c / ((a + 1) * (d + 1)), a * d / ((b + 1) * (c + 1))
    if down > up:
        a, b, c, d = b, a, d, c
    tied, tail, centre = 1.0, 0.0, 0.0
    # away from the most probable table: every term is less than the one before
    i, j, k, m = a, b, c, d
    term = i * m / ((j + 1) * (k + 1))
    while term > tail * NEGLIGIBLE_RATIO:
        if term >= 1 - TIE_RATIO:
            tied += term
        else:
            tail += term
        i, j, k, m = i - 1, j + 1, k + 1, m - 1
        term *= i * m / ((j + 1) * (k + 1))
    # over the most probable one to the other tail; far above, in units of RESCALE_ABOVE
    units, highest = 0, 0
    i, j, k, m = a, b, c, d
    term = j * k / ((i + 1) * (m + 1))
    while units > 0 or term > (tail + tied) * NEGLIGIBLE_RATIO:
        if units > 0 or term > 1 + TIE_RATIO:
            if units == highest:
                centre += term
        elif term >= 1 - TIE_RATIO:
            tied += term
        else:
            tail += term
        i, j, k, m = i + 1, j - 1, k - 1, m + 1
        term *= j * k / ((i + 1) * (m + 1))
        if term > RESCALE_ABOVE:
            term *= RESCALE_BELOW
            units += 1
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
    if highest == 0:
        everything += found
    if mid:
        found -= tied / 2
    found /= everything
    for _ in range(highest):
        found *= RESCALE_BELOW
    return min(found, 1.0)
