"""Whether rows of a cohort that equal training rows are there by chance, beside a plain rule."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest
from scipy.stats import poisson

from tamis.model.cohort import _copy_verdict


def plain(counts, ties, same, m):
    """Rows that are expected to be equal by chance, and a chance of one in a thousand."""
    n = sum(counts)
    twins = sum(c for c in counts if c > 1)
    coarse = min(ties) > 10 / n
    columns = m * n * np.prod(ties)
    rows = 2 * m * (twins + 3) / (n + 3) if coarse else m * twins / n
    if poisson.sf(same - 1, columns) > 0.001:
        return None
    if poisson.sf(same - 1, max(columns, rows)) <= 0.001:
        return True
    return False if twins <= 0.05 * n and not coarse else None


@pytest.mark.parametrize("counts", [[1] * 30, [2, 2, *[1] * 26], [5, *[1] * 95], [1] * 12])
@pytest.mark.parametrize("ties", [[0.01] * 6, [0.9] * 8, [0.4] * 20, [0.05, 0.9, 0.2]])
def test_equal_rows_are_copies_where_chance_gives_fewer(counts, ties):
    training = SimpleNamespace(
        rows=np.repeat(np.arange(len(counts)), counts).astype(np.uint64), ties=np.array(ties)
    )
    for m in (5, 40):
        found = [_copy_verdict(training, same, m) for same in range(m + 1)]
        assert found == [plain(counts, ties, same, m) for same in range(m + 1)]
