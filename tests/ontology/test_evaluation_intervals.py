"""Intervals of precision, recall and F1 by the formulas of docs/ontology_mappings.md, written out
with the groups in plain sight."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats

from tamis.ontology.evaluation_counts import Counts

Z = 1.959963984540054


def clopper_pearson(share: float, m: float, level: float = 0.95) -> tuple[float, float]:
    x, tail = share * m, (1 - level) / 2
    low = stats.beta(x, m - x + 1).ppf(tail) if x > 0 else 0.0
    high = stats.beta(x + 1, m - x).ppf(1 - tail) if x < m else 1.0
    return float(low), float(high)


def pairs(stem: str, n: int) -> list[tuple[str, str]]:
    """So many pairs that share no class."""
    return [(f"{stem}{k}", f"{stem}{k}'") for k in range(n)]


def hub(stem: str, n: int) -> list[tuple[str, str]]:
    """So many pairs of one source."""
    return [(stem, f"{stem}-{k}") for k in range(n)]


# pairs found, of the reference, and by hand: the mean size t of a right pair's group (gamma), the
# number and the sum of squares of the errors by group, and the usual size of a group
MAPPINGS = {
    "single errors": (
        pairs("r", 30) + pairs("w", 6),
        pairs("r", 30) + pairs("m", 10),
        (30, 36, 40, 1.0, 16, 16, 1.0),
    ),
    "each wrong pair is a missed one": (
        pairs("r", 30) + [(f"m{k}", f"x{k}") for k in range(10)],
        pairs("r", 30) + pairs("m", 10),
        (30, 40, 40, 1.0, 20, 40, 1.0),
    ),
    "no error": (pairs("r", 12), pairs("r", 12), (12, 12, 12, 1.0, 0, 0, 1.0)),
    "nothing right": (pairs("w", 4), pairs("m", 5), (0, 4, 5, 1.0, 9, 9, 1.0)),
    "a right group of four": (  # 4 * 4 + 8 = 24 squares of 12 right pairs
        hub("h", 4) + pairs("r", 8) + pairs("w", 3),
        hub("h", 4) + pairs("r", 8) + pairs("m", 2),
        (12, 15, 14, 2.0, 5, 5, 2.0),
    ),
    "groups all missed": (  # the reference has a mean group of (9 + 9 + 6) / 12 = 2
        pairs("r", 6),
        pairs("r", 6) + hub("h", 3) + hub("k", 3),
        (6, 6, 12, 1.0, 6, 18, 2.0),
    ),
    "nothing right of groups": (  # no right pair: gamma is the usual size, 8 / 4
        pairs("w", 4),
        hub("h", 2) + hub("k", 2),
        (0, 4, 4, 2.0, 8, 12, 2.0),
    ),
    "groups of the mapping alone": (  # which the usual size of a group does not go by
        pairs("r", 6) + hub("h", 4),
        pairs("r", 6) + pairs("m", 2),
        (6, 10, 8, 1.0, 6, 18, 1.0),
    ),
}


@pytest.mark.every
@pytest.mark.parametrize("name", MAPPINGS)
@pytest.mark.parametrize("level", [0.95, 0.8])
def test_f1_intervals_are_those_of_the_linearised_variance(name, level):
    found, reference, by_hand = MAPPINGS[name]
    right, n_found, n_reference, gamma, errors, squares, usual = by_hand
    D = (n_found + n_reference) / 2
    f1 = right / D
    kappa = (squares + (2 * usual) ** 2) / (errors + 2 * usual)
    ends = clopper_pearson(f1, D / (gamma * (1 - f1) + kappa * f1 / 2), level)
    told = Counts.of(found, reference).f1(level)
    assert told.value == pytest.approx(f1)
    assert (told.low, told.high) == pytest.approx(ends, abs=1e-9)


@pytest.mark.every
@pytest.mark.parametrize(
    ("sizes", "hits", "effective"),
    [
        ([1] * 10, 8, 10),
        ([4, 1, 1], 4, 36 / 18),  # Kish: n^2 / sum n_g^2
        ([3, 2, 2, 1], 5, 64 / 18),
        ([5], 5, 1),
        ([2, 2, 2], 0, 3),
    ],
)
def test_precision_and_recall_count_pairs_of_a_class_by_kish(sizes, hits, effective):
    every = [pair for g, size in enumerate(sizes) for pair in hub(f"g{g}-", size)]
    share = hits / len(every)
    for told in (
        Counts.of(every, every[:hits]).precision(),
        Counts.of(every[:hits], every).recall(),
    ):
        assert told.value == pytest.approx(share)
        ends = clopper_pearson(share, effective)
        assert (told.low, told.high) == pytest.approx(ends, abs=1e-9)


def test_intervals_of_many_pairs_are_those_of_the_normal_distribution():
    """Var(F1) = F1 (1 - F1) (1 - F1 + kappa F1 / 2) / D by the delta method: of 30,000 pairs."""
    right, wrong, missed = 24_000, 4_000, 8_000
    for both, squares in ((0, 12_000), (4_000, 12_000 + 8_000)):  # 2 together: 4 squares for 2
        counts = Counts(right, wrong, missed, right + wrong, right + missed, right, squares)
        D = right + (wrong + missed) / 2
        f1, kappa = right / D, squares / (wrong + missed)
        spread = math.sqrt(f1 * (1 - f1) * (1 - f1 + kappa * f1 / 2) / D)
        told = counts.f1()
        assert (told.high - told.low) / 2 == pytest.approx(Z * spread, rel=5e-3), both


@pytest.mark.longer
@pytest.mark.parametrize("together", [0.0, 1.0])
def test_f1_intervals_hold_the_truth_as_often_as_they_say(together):
    """60 pairs; errors single, or a wrong and a missed pair at once. Too wide would be told, too:
    of 3000 mappings .94 to .985 of the intervals hold F1."""
    rng, n, precision, recall, runs = np.random.default_rng(5), 60, 0.8, 0.8, 3000
    truth, held = 2 * precision * recall / (precision + recall), 0
    for _ in range(runs):
        right = int(rng.binomial(n, recall))
        missed = n - right
        both = missed if together else 0
        alone = 0 if together else int(rng.poisson(n * recall * (1 - precision) / precision))
        wrong = both + alone
        squares = missed - both + alone + 4 * both
        counts = Counts(right, wrong, missed, right + wrong, n, right, squares)
        told = counts.f1()
        held += told.low <= truth <= told.high
    assert 0.94 <= held / runs <= 0.985
