"""Inflation of test statistics: lambda GC, and p-values against uniform ones."""

from __future__ import annotations

import numpy as np
import pyarrow as pa

from .inflation_schema import Quantiles

LARGE_LAMBDA = 1.05  # lambda GC, above which something is to be done
CHI2_MEDIAN = 0.45493642311957283  # of chi-square with one degree of freedom
LAMBDA_ERROR = 2.33  # of lambda GC by chance, over the root of the number of unlinked variants
N_SMALLEST = 100  # p-values that are drawn each, and named
N_QUANTILES = 300  # drawn of the others
MIN_P = np.finfo(float).smallest_subnormal


def genomic_inflation(p_values: np.ndarray) -> float:
    """Lambda GC (Devlin and Roeder 1999): the median of chi-square statistics with one degree of
    freedom that have these p-values (m,), over that of the distribution. NaN are left out; NaN
    where there is no p-value.

    Examples
    --------
    >>> import numpy as np
    >>> round(genomic_inflation((np.arange(1000) + 0.5) / 1000), 3)
    1.0
    """
    from scipy.special import ndtri

    known = p_values[~np.isnan(p_values)]
    if not len(known):
        return float("nan")
    return float(ndtri(np.median(known) / 2) ** 2 / CHI2_MEDIAN)


def quantiles_of(p_values: np.ndarray, names: pa.ChunkedArray) -> Quantiles:
    """What a quantile plot draws of p-values (m,), NaN where there is none, of variants that are
    called so."""
    tested = np.flatnonzero(~np.isnan(p_values))
    n = len(tested)
    order = tested[np.argsort(p_values[tested], kind="stable")]
    some = np.geomspace(min(N_SMALLEST + 1, max(n, 1)), max(n, 1), N_QUANTILES).astype(np.int64)
    ranks = np.union1d(np.arange(1, min(n, N_SMALLEST) + 1), some if n else []).astype(np.int64)
    at = order[ranks - 1]
    expected = -np.log10((ranks - 0.5) / max(n, 1))
    observed = -np.log10(np.maximum(p_values[at], MIN_P)) + 0.0
    return {
        "tested": n,
        "points": [
            [
                round(float(x), 4),
                round(float(y), 4),
                names[int(j)].as_py() if k < N_SMALLEST else "",
            ]
            for k, (x, y, j) in enumerate(zip(expected, observed, at, strict=True))
        ],
    }


def inflation_text(value: float, tested: int, advice: str) -> str:
    """A sentence about lambda GC, and what to do where it is large beyond chance."""
    text, error = f"lambda GC {value:.3f}", LAMBDA_ERROR / np.sqrt(tested)
    if value > LARGE_LAMBDA and value > 1 + 2 * error:
        return f"{text}, above {LARGE_LAMBDA}: {advice}"
    if value > LARGE_LAMBDA:
        return f"{text}, within chance for so few variants (standard error {error:.2f})"
    return f"{text} (1 without inflation)"
