"""The scan of all pairs against `pair_mtd`, pair by pair, and its parts against plain ones."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from common.examples import settings
from tamis.interactions.pairs.pair_mtd import coded_distance
from tamis.kernels._bits import words_for
from tamis.kernels.pair_bits import make_planes, order_features
from tamis.kernels.pair_lanes import INTERACTION_ROW, LANE_PAIRS, SCORE_ROW, score_lanes
from tamis.kernels.pair_scan import scan_block
from tamis.kernels.pair_transport import grid_transport


def random_table(seed, n, p, n_classes, missing, most_levels=6):
    """Level codes (p, n) of features with 0 to `most_levels` levels, and class codes.

    Some features depend on the class; each occurring level is a code, as in a table read.
    """
    rng = np.random.default_rng(seed)
    y = rng.integers(0, n_classes, n)
    codes = np.full((p, n), -1, dtype=np.int16)
    levels = np.zeros(p, dtype=np.int64)
    for j in range(p):
        column = rng.integers(0, rng.integers(1, most_levels + 1), n)
        if rng.random() < 0.3:
            column = np.minimum(column + y, most_levels - 1)
        gone = rng.random(n) < rng.choice([0.0, missing])
        known, codes[j, ~gone] = np.unique(column[~gone], return_inverse=True)
        levels[j] = len(known)
    return codes, levels, y


def slow_best(codes, y, n_classes, columns, by_interaction, keep):
    """All pairs by `pair_mtd`, sorted."""
    told = []
    for a, b in combinations(sorted(columns), 2):
        found = coded_distance(codes[a], codes[b], y, range(n_classes))
        if found.classes is not None:
            told.append((-(found.interaction if by_interaction else found.score), a, b))
    told.sort()
    return [-value for value, _, _ in told[:keep]], [list(pair) for _, *pair in told[:keep]]


def scanned(codes, levels, y, n_classes, columns, by_interaction, keep):
    columns = np.asarray(columns)
    features = order_features(codes[columns], levels[columns], columns)
    planes = make_planes(features, y, n_classes)
    blocks = [
        scan_block(features, planes, block, by_interaction, keep)
        for block in range(features.blocks)
    ]
    for values, _ in blocks:
        assert len(values) <= keep
    values, pairs = (np.concatenate(part) for part in zip(*blocks, strict=True))
    order = np.lexsort((pairs[:, 1], pairs[:, 0], -values))[:keep]
    return values[order].tolist(), pairs[order].tolist()


@settings(max_examples=40, deadline=None)
@given(
    seed=st.integers(0, 10**6),
    n=st.integers(2, 150),
    p=st.sampled_from([2, 9, 30]),
    n_classes=st.integers(2, 4),
    missing=st.sampled_from([0.0, 0.2, 0.95]),
    by_interaction=st.booleans(),
    keep=st.sampled_from([1, 7, 1000]),
)
def test_equals_pair_mtd_to_the_last_bit(seed, n, p, n_classes, missing, by_interaction, keep):
    codes, levels, y = random_table(seed, n, p, n_classes, missing)
    case = codes, levels, y, n_classes, range(p), by_interaction, keep
    assert scanned(*case) == slow_best(codes, y, n_classes, range(p), by_interaction, keep)


@pytest.mark.parametrize("by_interaction", [True, False])
@pytest.mark.parametrize("missing", [0.0, 0.1])
def test_many_words_and_several_blocks(by_interaction, missing):
    """Words by fours and the rest one by one, in blocks that are full and one that is not."""
    p = 2 * LANE_PAIRS + 5
    codes, levels, y = random_table(3, 750, p, 2, missing, most_levels=4)
    case = codes, levels, y, 2, range(p), by_interaction, 300
    assert scanned(*case) == slow_best(codes, y, 2, range(p), by_interaction, 300)


@pytest.mark.parametrize("gaps", [(True, False), (False, True)])
def test_gaps_in_one_of_two_blocks(gaps):
    """A block of two levels each and one of three: margins are known in one of them."""
    rng = np.random.default_rng(7)
    y = rng.permutation(np.arange(90) % 2)
    codes = np.concatenate(
        [rng.integers(0, 2, (LANE_PAIRS, 90)), rng.integers(0, 3, (LANE_PAIRS, 90))]
    )
    codes[np.repeat(gaps, LANE_PAIRS)[:, None] & (rng.random(codes.shape) < 0.1)] = -1
    codes, levels = codes.astype(np.int16), np.repeat([2, 3], LANE_PAIRS)
    case = codes, levels, y, 2, range(2 * LANE_PAIRS), True, 500
    assert scanned(*case) == slow_best(codes, y, 2, range(2 * LANE_PAIRS), True, 500)


def test_some_columns_of_a_table_keep_their_numbers():
    codes, levels, y = random_table(4, 60, 90, 2, 0.1)
    columns = np.flatnonzero(np.random.default_rng(5).random(90) < 0.3)
    case = codes, levels, y, 2, columns, True, 50
    assert scanned(*case) == slow_best(codes, y, 2, columns, True, 50)


def test_of_equals_the_lower_columns_are_kept():
    """Copies of two features, in an order that has nothing to do with that of the scan."""
    rng = np.random.default_rng(6)
    y = np.repeat([0, 1], 20)
    two, three = y ^ (rng.random(40) < 0.2), rng.integers(0, 3, 40)
    kinds = rng.permutation(np.repeat([2, 3], 50))
    codes = np.array([two if kind == 2 else three for kind in kinds], dtype=np.int16)
    for keep in (1, 40, 1300):
        case = codes, kinds, y, 2, range(100), False, keep
        assert scanned(*case) == slow_best(codes, y, 2, range(100), False, keep)


@pytest.mark.parametrize("rows", [1, 2, 3, 4, 5, 8])
def test_lanes_equal_the_plain_transport(rows):
    rng = np.random.default_rng(rows)
    columns = rows + int(rng.integers(0, 4))
    cells = rng.poisson(rng.uniform(0.2, 5, (2, 1, 1, LANE_PAIRS)), (2, rows, columns, LANE_PAIRS))
    cells[:, 0, 0] += 1
    cells[0, :, :, 0] = 0  # a pair without samples of a class
    gap, found = np.empty((max(rows, 3), columns, LANE_PAIRS)), np.empty((5, LANE_PAIRS))
    sums = np.empty((max(6, 2 * columns + 1), LANE_PAIRS))
    score_lanes(cells.astype(np.int32), rows, columns, gap, sums, found)
    assert found[SCORE_ROW, 0] == -1
    for j in range(1, LANE_PAIRS):
        zero, one = cells[0, :, :, j], cells[1, :, :, j]
        difference = zero * one.sum() - one * zero.sum()
        unit = int(zero.sum()) * int(one.sum())
        _, transport = grid_transport(difference)
        alone = sum(int(np.abs(difference.sum(axis=axis)).sum()) for axis in (0, 1))
        assert found[SCORE_ROW, j] == transport / unit
        assert found[INTERACTION_ROW, j] == (transport - alone) / unit


def test_planes_hold_the_table():
    """Every bit of every level, rows by class, zeros where a class ends."""
    codes, levels, y = random_table(8, 150, 70, 3, 0.3)
    features = order_features(codes, levels, np.arange(70))
    planes = make_planes(features, y, 3)
    assert (
        planes.starts.tolist()
        == np.cumsum([0] + [words_for(int((y == c).sum())) for c in range(3)]).tolist()
    )
    for f, column in enumerate(features.columns):
        block, lane = divmod(f, LANE_PAIRS)
        first, last = features.first[block], features.first[block + 1] - 1
        for c in range(3):
            words = planes.words[:, planes.starts[c] : planes.starts[c + 1], lane]
            own = codes[column, y == c]
            for plane in range(first, last + 1):
                expected = own >= 0 if plane == last else own == plane - first
                bits = np.unpackbits(words[plane].astype("<u8").view(np.uint8), bitorder="little")
                assert np.array_equal(bits[: len(own)], expected)
                assert not bits[len(own) :].any()
                assert planes.counts[plane, c, lane] == expected.sum()
