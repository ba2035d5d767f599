"""Squared correlation of the alleles of two variants, from genotypes without phase; clumps by it.

If a sample is heterozygous at both variants, its genotypes do not say which alleles lie on the same
chromosome; the frequencies of the four haplotypes are estimated by maximum likelihood. With c such
samples, x of them with the alleles 1 on one chromosome, and n_kl haplotypes known from all other
samples, the likelihood is stationary where

    x (n12 + c - x)(n21 + c - x) = (c - x)(n11 + x)(n22 + x)

which is a cubic (Hill 1974, Heredity 33:229-239; Gaunt, Rodriguez and Day 2007, BMC Bioinformatics
8:428). It is solved directly; EM iterations would only approach its roots.

Samples are counted by both calls in two passes over a row, three if some are haploid: each pass
counts ones under the masks of two groups of samples, those with one call at the other variant.
"""

from __future__ import annotations

import numpy as np

from .._bits import count_ones
from .._jit import jit
from .counts import NO_COPY, TWO_COPIES, VECTOR_BYTES, VECTOR_WORDS, count_pair
from .words import LOW_BITS, load_word

NO_CORRELATION = 2.0**-44  # smaller differences of frequencies are rounding, as in PLINK
MAX_ROOT_STEPS = 64  # iterations at most
# groups of samples by the call of the index variant, the rows of tables: 0, 1, 2 diploid with two
# copies, one, none; 3 nobody, since groups are counted in pairs; 4, 5 haploid with the allele,
# without it
N_PLOIDY_GROUPS = 6


def clump_rows(
    packed: np.ndarray,
    diploid: np.ndarray,
    haploid: np.ndarray,
    tops: np.ndarray,
    low: np.ndarray,
    high: np.ndarray,
    r2: float,
) -> tuple[np.ndarray, np.ndarray]:
    """The index variant that each variant goes with, and the squared correlation with it.

    Each of `tops` that is in no clump yet becomes an index variant; the variants near it that are
    in no clump and have a squared correlation above `r2` with it go with it.

    Parameters
    ----------
    packed : ndarray of shape (m, n_bytes) of uint8
    diploid, haploid : ndarray of shape (words,) of uint64
        Masks of the samples that count, by `masks_of`; a heterozygous call of a haploid sample is
        taken as missing.
    tops, low, high : ndarray of int64
        Candidates for index variants in their order, and the variants near each, from low to
        high - 1.
    r2 : float

    Returns
    -------
    leader : ndarray of shape (m,) of int64
        -1 for none; an index variant goes with itself.
    correlation : ndarray of shape (m,)
        1 for an index variant, NaN for those that go with none.
    """
    m, n_bytes = packed.shape
    vectors = -(-n_bytes // VECTOR_BYTES)
    # rows are read in whole vectors, so the last one needs room after it
    flat = np.zeros(m * n_bytes + vectors * VECTOR_BYTES, dtype=np.uint8)
    flat[: m * n_bytes] = packed.reshape(-1)
    people = np.zeros((2, VECTOR_WORDS * vectors), dtype=np.uint64)
    # zeros up to the end of the last vector: what it holds of the next row counts nowhere
    people[0, : len(diploid)], people[1, : len(haploid)] = diploid, haploid
    leader, correlation = np.full(m, -1, dtype=np.int64), np.full(m, np.nan)
    _clump_by_index(
        flat,
        n_bytes,
        people,
        int(vectors),
        bool(haploid.any()),
        tops,
        low,
        high,
        r2,
        leader,
        correlation,
        np.zeros(N_PLOIDY_GROUPS * VECTOR_WORDS * vectors, dtype=np.uint64),  # masks of the groups
        np.zeros(N_PLOIDY_GROUPS),  # their sizes
        np.zeros(N_PLOIDY_GROUPS, dtype=np.uint64),  # three counts of each of two groups
        np.zeros((N_PLOIDY_GROUPS, 3)),  # samples by group and call of the other variant
    )
    return leader, correlation


@jit
def _clump_by_index(
    flat,
    n_bytes,
    people,
    vectors,
    any_haploid,
    tops,
    low,
    high,
    r2,
    leader,
    correlation,
    masks,
    sizes,
    found,
    table,
):
    groups = 6 if any_haploid else 4  # counted in pairs; group 3 is empty
    for k in range(len(tops)):
        i = tops[k]
        if leader[i] >= 0:  # in the clump of a variant before it
            continue
        leader[i], correlation[i] = i, 1.0
        _mask_by_call(flat, i * n_bytes, people, masks, sizes)
        for j in range(low[k], high[k]):
            if leader[j] >= 0:
                continue
            _count_calls(flat, j * n_bytes, masks, vectors, groups, sizes, found, table)
            strength = _squared_correlation(table, any_haploid)
            if strength > r2:  # false for NaN
                leader[j], correlation[j] = i, strength


@jit
def _mask_by_call(flat, at, people, masks, sizes):
    """Fill `masks` and `sizes` with the groups of samples by the call of the variant at byte `at`.

    A haploid sample with a heterozygous call is in no group.
    """
    words = people.shape[1]
    sizes[:] = 0.0
    for w in range(words):
        word = load_word(flat, at + 8 * w)  # bits of the next variant are masked by `people`
        # a call is two bits, upper and lower: 00 two copies, 10 one, 11 none, 01 missing
        lower, upper = word & LOW_BITS, (word >> np.uint64(1)) & LOW_BITS
        two, one, none = LOW_BITS & ~(lower | upper), upper & ~lower, lower & upper
        masks[w] = two & people[0, w]
        masks[words + w] = one & people[0, w]
        masks[2 * words + w] = none & people[0, w]
        masks[4 * words + w] = two & people[1, w]
        masks[5 * words + w] = none & people[1, w]
        for g in range(6):
            sizes[g] += count_ones(masks[g * words + w])


@jit
def _count_calls(flat, at, masks, vectors, groups, sizes, found, table):
    """Fill `table` (groups, 3) with the samples by group and call of the variant at byte `at`.

    The columns are two copies, one, none.
    """
    # ones of the lower bits: missing or none; of the upper ones: one or none; of both: none. Those
    # left of a group have two copies
    for g in range(0, groups, 2):
        count_pair(flat, at, masks, g * vectors * VECTOR_WORDS, vectors, found)
        for h in range(2):
            lower, upper, both = found[3 * h], found[3 * h + 1], found[3 * h + 2]
            table[g + h, 0] = sizes[g + h] - np.float64(lower + upper - both)
            table[g + h, 1] = upper - both
            table[g + h, 2] = both


@jit
def _squared_correlation(t, any_haploid):
    """Squared correlation from samples t (6, 3) by both calls; NaN if a variant does not vary."""
    # n_kl: haplotypes with allele k of the index variant and l of the other. A homozygous sample
    # gives two of one kind, one that is heterozygous at a single variant gives one of each of two
    n11 = 2 * t[0, 0] + t[0, 1] + t[1, 0]
    n12 = 2 * t[0, 2] + t[0, 1] + t[1, 2]
    n21 = 2 * t[2, 0] + t[2, 1] + t[1, 0]
    n22 = 2 * t[2, 2] + t[2, 1] + t[1, 2]
    c = t[1, 1]
    if any_haploid:  # one haplotype a sample, never in doubt
        n11, n12 = n11 + t[4, TWO_COPIES], n12 + t[4, NO_COPY]
        n21, n22 = n21 + t[5, TWO_COPIES], n22 + t[5, NO_COPY]
    total = n11 + n12 + n21 + n22 + 2 * c
    # alleles 1 of each variant; a double heterozygote has one of both, whichever way they lie
    one, other = n11 + n12 + c, n11 + n21 + c
    if one == 0 or one == total or other == 0 or other == total:
        return np.nan
    x = double_heterozygotes(n11, n12, n21, n22, c) if c > 0 else 0.0
    # D = h11 - f g, r^2 = D^2 / (f (1 - f) g (1 - g))
    f, g = one / total, other / total
    apart = (n11 + x) / total - f * g
    if abs(apart) < NO_CORRELATION:
        return 0.0
    return apart * apart / (f * g * ((total - one) / total) * ((total - other) / total))


@jit
def double_heterozygotes(n11, n12, n21, n22, c):
    """The number x, 0 to c, of samples with the alleles 1 on one chromosome among the c that are
    heterozygous at both variants, by maximum likelihood; the others have n_kl haplotypes."""
    # the maximum is at an end or where the cubic is 0; of equal ones the smallest x is taken
    best, highest = 0.0, _log_likelihood(n11, n12, n21, n22, c, 0.0)
    # -(c - x)(n11 + x)(n22 + x) + x (n12 + c - x)(n21 + c - x) as 2 x^3 + a x^2 + b x + d
    m12, m21 = n12 + c, n21 + c
    a = n11 + n22 - c - m12 - m21
    b = n11 * n22 - c * (n11 + n22) + m12 * m21
    d = -c * n11 * n22
    # the cubic turns where 6 x^2 + 2 a x + b = 0; between these points it rises or falls, so that
    # each of the three parts of [0, c] has one root at most
    middle, spread = -a / 6.0, np.sqrt(max(a * a - 6.0 * b, 0.0)) / 6.0
    low = 0.0
    for part in range(3):
        high = c if part == 2 else min(max(middle + (2 * part - 1) * spread, 0.0), c)
        if high > low:
            x = _root_between(a, b, d, low, high)
            if x >= 0:
                found = _log_likelihood(n11, n12, n21, n22, c, x)
                if found > highest:
                    best, highest = x, found
            low = high
    if _log_likelihood(n11, n12, n21, n22, c, c) > highest:
        best = c
    return best


@jit
def _root_between(a, b, d, low, high):
    """The root of 2 x^3 + a x^2 + b x + d in [low, high], where it is monotone; -1 without a root.

    Newton's method, with bisection where a step would leave the interval.
    """
    at_low = ((2.0 * low + a) * low + b) * low + d
    at_high = ((2.0 * high + a) * high + b) * high + d
    # an end may be a triple root, which iterations from inside do not come near
    if at_low == 0 or at_high == 0:
        return low if at_low == 0 else high
    if (at_low > 0) == (at_high > 0):
        return -1.0
    rising = at_high > 0
    x = 0.5 * (low + high)
    # invariant: x lies between low and high, where the cubic has different signs
    for _ in range(MAX_ROOT_STEPS):
        value = ((2.0 * x + a) * x + b) * x + d
        if value == 0:
            return x
        if (value > 0) == rising:
            high = x
        else:
            low = x
        slope = (6.0 * x + 2.0 * a) * x + b
        following = x - value / slope if slope != 0 else low
        if not (low < following < high):
            following = 0.5 * (low + high)
        if abs(following - x) <= 2.0**-52 * x:
            return following
        x = following
    return x


@jit
def _log_likelihood(n11, n12, n21, n22, c, x):
    """Log-likelihood of n11 + x, n12 + c - x, n21 + c - x and n22 + x haplotypes, up to a constant.

    sum_kl n_kl log h_kl + c log(h11 h22 + h12 h21), with 0 log 0 = 0: a double heterozygote has one
    pair of haplotypes or the other. Counts stand for frequencies: their sum does not depend on x.
    """
    h11, h12, h21, h22 = n11 + x, n12 + c - x, n21 + c - x, n22 + x
    total = 0.0
    if c > 0:
        total += c * np.log(h11 * h22 + h12 * h21)
    if n11 > 0:
        total += n11 * np.log(h11)
    if n12 > 0:
        total += n12 * np.log(h12)
    if n21 > 0:
        total += n21 * np.log(h21)
    if n22 > 0:
        total += n22 * np.log(h22)
    return total
