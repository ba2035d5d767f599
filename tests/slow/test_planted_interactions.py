"""How often random intersection trees find a set of features that is there, among 10,000."""

from __future__ import annotations

import pytest

from tamis.data import make_planted_interaction
from tamis.interactions import PackedRows, random_intersection_trees

pytestmark = pytest.mark.slow

RUNS, N, P = 100, 500, 10_000


@pytest.mark.parametrize("density", [0.05, 0.2])
@pytest.mark.parametrize("order", [2, 3, 4])
def test_the_planted_set_is_among_the_first_five(order, density):
    """In half of the cases; no feature tells the classes apart by itself."""
    found = first = others = 0
    planted = tuple(range(P - order, P))
    for seed in range(RUNS):
        data = make_planted_interaction(N, P, order, density=density, random_state=seed)
        sets = random_intersection_trees(
            PackedRows.of(data.X),
            data.y,
            n_permutations=0,
            n_bootstraps=0,
            random_state=seed,
            n_jobs=2,
        )
        keys = list(zip(sets.columns, (sets.classes[c] for c in sets.origin), strict=True))
        found += (planted, "case") in keys[:5]
        first += (planted, "case") in keys[:1]
        others += len(keys) - ((planted, "case") in keys)
    print(
        f"order {order}, density {density}: in the first five {found}, first {first} of {RUNS}; "
        f"{others / RUNS} other sets a run"
    )
    assert found >= (0.95 if density == 0.05 else 0.8) * RUNS
