"""Shrinkage discriminants against R's corpcor, which estimates what is shrunk and by how much."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from tamis.data import load_golub
from tamis.kernels.shrinkage_discriminant import INTENSITIES, shrinkage_discriminant

GOLDENS = Path(__file__).parents[1] / "goldens"
NAMES = ("golub_bundled", "made_copies", "made_three")


def made_table(name):
    """Columns and codes: the first columns of golub, more columns than samples, fewer."""
    if name == "golub_bundled":
        golub = load_golub()
        return golub.X[:, :100], np.unique(golub.y, return_inverse=True)[1]
    n, k, n_classes = (24, 50, 2) if name == "made_copies" else (60, 8, 3)
    rng = np.random.default_rng(7)
    y = np.minimum(np.arange(n) % (n_classes + 1), n_classes - 1)
    X = rng.normal(size=(n, k)) + rng.normal(size=(n, 1)) + 0.5 * y[:, None]
    X *= np.exp(0.5 * rng.normal(size=k))
    X[:, -1] = X[:, 0] if name == "made_copies" else X[:, -1]
    return X, y


def write_tables(folder):
    """For the script that makes the goldens."""
    folder.mkdir(parents=True, exist_ok=True)
    for name in NAMES:
        X, y = made_table(name)
        lines = (
            "\t".join([str(c), *(float(v).hex() for v in row)]) for c, row in zip(y, X, strict=True)
        )
        (folder / f"{name}.tsv").write_text("\n".join(lines) + "\n", encoding="utf-8")


@pytest.mark.parametrize("name", NAMES)
def test_equals_corpcor(name):
    golden = json.loads((GOLDENS / f"corpcor_{name}.json").read_text(encoding="utf-8"))
    X, y = made_table(name)
    assert list(X.shape) == golden["shape"]
    found = shrinkage_discriminant(X, y, y.max() + 1, INTENSITIES["empirical"])
    assert found.intensity == pytest.approx(golden["intensity"], rel=1e-12)
    assert found.variance_intensity == pytest.approx(golden["variance_intensity"], rel=1e-12)
    expected = np.array(golden["coefficients"])
    size = np.abs(expected).max()
    np.testing.assert_allclose(found.coefficients, expected, rtol=0, atol=1e-12 * size)
