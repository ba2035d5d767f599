"""Squared correlation of the alleles of two variants, from genotypes without phase; clumps by it.

Of a sample that is heterozygous at both nobody sees which alleles lie on one chromosome; the
frequencies of the four haplotypes are those of maximum likelihood. With c such samples, x of them
with the alleles 1 on one chromosome and n_kl haplotypes known from all other samples, the
likelihood is stationary where

    x (n12 + c - x)(n21 + c - x) = (c - x)(n11 + x)(n22 + x)

which is a cubic (Hill 1974, Heredity 33:229-239; Gaunt, Rodriguez and Day 2007, BMC Bioinformatics
8:428). It is solved instead of approached by EM iterations.

Samples are counted by both calls in three walks over a row: each counts ones under the masks of
two groups of samples, which the call of the other variant makes.
"""

from __future__ import annotations

import numpy as np

from .._bits import count_ones
from .._jit import jit
from .counts import NO_COPY, TWO_COPIES, VECTOR_BYTES, VECTOR_WORDS, count_pair
from .words import LOW_BITS, load_word

NO_CORRELATION = 2.0**-44  # smaller differences of frequencies are rounding, as in PLINK
MAX_ROOT_STEPS = 64  # to a root, at most
# diploid with two copies, one, none; haploid with the allele, without it; nobody
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
    """With which index variant each variant goes, and the squared correlation of both.

    Each of `tops` that goes with none yet is an index variant: variants near it that go with none
    and have a larger squared correlation than `r2` go with it.

    Parameters
    ----------
    packed : ndarray of shape (m, n_bytes) of uint8
    diploid, haploid : ndarray of shape (words,) of uint64
        Masks of the samples that count, by `masks_of`; a haploid one that is heterozygous is not
        called.
    tops, low, high : ndarray of int64
        Variants in their order, and the variants near each, from low to high - 1.
    r2 : float

    Returns
    -------
    leader : ndarray of shape (m,) of int64
        -1: none; an index variant goes with itself.
    correlation : ndarray of shape (m,)
        1 of an index variant, NaN of those that go with none.
    """
    m, n_bytes = packed.shape
    vectors = -(-n_bytes // VECTOR_BYTES)
    flat = np.zeros(m * n_bytes + vectors * VECTOR_BYTES, dtype=np.uint8)  # with room behind
    flat[: m * n_bytes] = packed.reshape(-1)
    people = np.zeros((2, VECTOR_WORDS * vectors), dtype=np.uint64)
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
        np.zeros(N_PLOIDY_GROUPS * VECTOR_WORDS * vectors, dtype=np.uint64),
        np.zeros(N_PLOIDY_GROUPS),
        np.zeros(N_PLOIDY_GROUPS, dtype=np.uint64),
        np.zeros((N_PLOIDY_GROUPS, 3)),
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
    groups = 6 if any_haploid else 4  # of which the last is nobody
    for k in range(len(tops)):
        i = tops[k]
        if leader[i] >= 0:
            continue
        leader[i], correlation[i] = i, 1.0
        _mask_by_call(flat, i * n_bytes, people, masks, sizes)
        for j in range(low[k], high[k]):
            if leader[j] >= 0:
                continue
            _count_calls(flat, j * n_bytes, masks, vectors, groups, sizes, found, table)
            strength = _squared_correlation(table, any_haploid)
            if strength > r2:  # NaN is not
                leader[j], correlation[j] = i, strength


@jit
def _mask_by_call(flat, at, people, masks, sizes):
    """Masks of the groups of samples, and how many there are of each."""
    words = people.shape[1]
    sizes[:] = 0.0
    for w in range(words):
        word = load_word(flat, at + 8 * w)  # what is of other variants nobody counts
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
    """Samples (groups, 3) by the call of another variant: two copies, one, none."""
    for g in range(0, groups, 2):
        count_pair(flat, at, masks, g * vectors * VECTOR_WORDS, vectors, found)
        for h in range(2):
            lower, upper, both = found[3 * h], found[3 * h + 1], found[3 * h + 2]
            table[g + h, 0] = sizes[g + h] - np.float64(lower + upper - both)
            table[g + h, 1] = upper - both
            table[g + h, 2] = both


@jit
def _squared_correlation(t, any_haploid):
    """Of samples by both calls; NaN where one does not vary."""
    n11 = 2 * t[0, 0] + t[0, 1] + t[1, 0]
    n12 = 2 * t[0, 2] + t[0, 1] + t[1, 2]
    n21 = 2 * t[2, 0] + t[2, 1] + t[1, 0]
    n22 = 2 * t[2, 2] + t[2, 1] + t[1, 2]
    c = t[1, 1]
    if any_haploid:
        n11, n12 = n11 + t[4, TWO_COPIES], n12 + t[4, NO_COPY]
        n21, n22 = n21 + t[5, TWO_COPIES], n22 + t[5, NO_COPY]
    total = n11 + n12 + n21 + n22 + 2 * c
    one, other = n11 + n12 + c, n11 + n21 + c
    if one == 0 or one == total or other == 0 or other == total:
        return np.nan
    x = double_heterozygotes(n11, n12, n21, n22, c) if c > 0 else 0.0
    f, g = one / total, other / total
    apart = (n11 + x) / total - f * g
    if abs(apart) < NO_CORRELATION:
        return 0.0
    return apart * apart / (f * g * ((total - one) / total) * ((total - other) / total))


@jit
def double_heterozygotes(n11, n12, n21, n22, c):
    """How many of c samples that are heterozygous at both have the alleles 1 on one chromosome, by
    maximum likelihood, where the other samples have n_kl haplotypes."""
    best, highest = 0.0, _log_likelihood(n11, n12, n21, n22, c, 0.0)
    # -(c - x)(n11 + x)(n22 + x) + x (n12 + c - x)(n21 + c - x) as 2 x^3 + a x^2 + b x + d
    m12, m21 = n12 + c, n21 + c
    a = n11 + n22 - c - m12 - m21
    b = n11 * n22 - c * (n11 + n22) + m12 * m21
    d = -c * n11 * n22
    # between its turning points the cubic rises or falls, so that each part has one root at most
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
    """A root of 2 x^3 + a x^2 + b x + d that is monotone here; -1 without a change of sign."""
    at_low = ((2.0 * low + a) * low + b) * low + d
    at_high = ((2.0 * high + a) * high + b) * high + d
    if at_low == 0 or at_high == 0:  # of a triple root nothing else comes near
        return low if at_low == 0 else high
    if (at_low > 0) == (at_high > 0):
        return -1.0
    rising = at_high > 0
    x = 0.5 * (low + high)
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
    """Of haplotypes n11 + x, n12 + c - x, n21 + c - x and n22 + x, up to a constant."""
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
