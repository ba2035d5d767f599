"""Moderated statistics against limma (tests/goldens/README.md says how they were made)."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import numpy as np
import pytest

GOLDENS = Path(__file__).resolve().parents[1] / "goldens"
SETS = ("alon", "golub", "pomeroy", "hnsc_hpv", "glioma")


def check(X, labels, golden):
    """Prior, statistics and p-values of limma, to a relative 1e-10; returns all statistics."""
    from tamis.kernels.ebayes import fit_prior
    from tamis.selection import moderated_t

    assert list(X.shape) == golden["shape"]
    classes, codes = np.unique(labels, return_inverse=True)
    assert classes.tolist() == golden["classes"]
    columns = np.array(golden["columns"])

    statistics, p_values = moderated_t(X, codes)
    # a difference of means that cancels keeps an absolute error, hence the tiny atol
    np.testing.assert_allclose(statistics[columns], golden["statistic"], rtol=1e-10, atol=1e-12)
    np.testing.assert_allclose(p_values[columns], golden["p_value"], rtol=1e-10, atol=0)

    df = len(X) - len(classes)
    means = np.array([X[codes == k].mean(axis=0) for k in range(len(classes))])
    variances = ((X - means[codes]) ** 2).sum(axis=0) / df
    d0, s02 = fit_prior(variances, df)
    np.testing.assert_allclose(d0, golden["df_prior"], rtol=1e-10)
    np.testing.assert_allclose(s02, golden["s2_prior"], rtol=1e-10)
    posterior = (d0 * s02 + df * variances) / (d0 + df)
    np.testing.assert_allclose(posterior[columns], golden["s2_post"], rtol=1e-10)
    return statistics


def test_bundled_golub_all_features():
    from tamis.data import load_golub

    with gzip.open(GOLDENS / "limma_golub_bundled.json.gz", "rt") as file:
        golden = json.load(file)
    golub = load_golub()
    statistics = check(golub.X, golub.y, golden)
    assert len(golden["all_statistics"]) == 3051
    np.testing.assert_allclose(statistics, golden["all_statistics"], rtol=1e-10, atol=1e-12)


@pytest.mark.shared
@pytest.mark.parametrize("name", SETS)
def test_shared_sets(shared_data, name):
    import pandas as pd

    golden = json.loads((GOLDENS / f"limma_{name}.json").read_text())
    assert len(golden["columns"]) == 160
    table = pd.read_parquet(shared_data / "expression" / f"{name}.parquet")
    X = table.drop(columns="class").to_numpy(dtype=np.float64)
    check(X, table["class"].astype(str).to_numpy(), golden)
