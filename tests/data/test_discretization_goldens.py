"""CAIM and Ameva against the R package discretization (tests/goldens/README.md)."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_iris

from tamis.data import AmevaDiscretizer, CAIMDiscretizer

GOLDENS = Path(__file__).resolve().parents[1] / "goldens"
SETS = ("iris", "pima", "ionosphere", "newthyroid")


def load(name: str, folder: Path) -> pd.DataFrame:
    """The numeric columns of a set and its class; iris is scikit-learn's copy."""
    if name == "iris":
        return load_iris(as_frame=True).frame.rename(columns={"target": "class"})
    table = pd.read_parquet(folder / "uci" / f"{name}.parquet")
    return table.drop(columns="class").select_dtypes("number").assign(**{"class": table["class"]})


def write_tsv(table: pd.DataFrame, path: Path) -> None:
    """The class and then the columns, every double in full; for the golden script."""
    features = table.drop(columns="class")
    with path.open("w") as out:
        print("class", *features.columns, sep="\t", file=out)
        for label, values in zip(table["class"], features.to_numpy(dtype=float), strict=True):
            print(label, *(value.hex() for value in values.tolist()), sep="\t", file=out)


def fitted_cuts(discretizer, table: pd.DataFrame) -> dict[str, np.ndarray]:
    features = table.drop(columns="class").astype(np.float64)
    fitted = discretizer.fit(features, table["class"].astype(str))
    return dict(zip(features.columns, fitted.cuts_, strict=True))


def check(table: pd.DataFrame, name: str) -> int:
    """CAIM's cuts are the peer's; so are Ameva's, but for those a rule of CAIM adds there.

    Returns the number of features where the peer's Ameva goes on to as many intervals as
    there are classes, which CAIM asks for and Ameva does not.
    """
    golden = json.loads((GOLDENS / f"discretization_{name}.json").read_text())
    assert golden["rows"] == len(table)
    caim = fitted_cuts(CAIMDiscretizer(), table)
    assert list(caim) == list(golden["caim"])
    for feature, cuts in caim.items():
        np.testing.assert_allclose(cuts, golden["caim"][feature], rtol=1e-12, err_msg=feature)
    n_classes, forced = table["class"].nunique(), 0
    for feature, cuts in fitted_cuts(AmevaDiscretizer(), table).items():
        theirs = np.array(golden["ameva"][feature], dtype=np.float64)
        if len(cuts) < len(theirs) == n_classes - 1:
            forced += 1
            theirs = np.array([cut for cut in theirs if np.isclose(cut, cuts, rtol=1e-12).any()])
        np.testing.assert_allclose(cuts, theirs, rtol=1e-12, err_msg=feature)
    return forced


def test_iris():
    assert check(load("iris", GOLDENS), "iris") == 2


@pytest.mark.shared
@pytest.mark.parametrize(("name", "forced"), [("pima", 0), ("ionosphere", 0), ("newthyroid", 2)])
def test_shared_sets(shared_data, name, forced):
    assert check(load(name, shared_data), name) == forced


def test_the_criterion_on_the_peers_manual_page():
    """`ameva` of the table (2, 5, 1; 1, 3, 3), two intervals by three classes, as printed there.

    The package adds 1e-4 to every count; then its value is that of the formula. Eight rows at
    0 and seven at 1 give the table: one cut is possible, and it is accepted.
    """
    counts = np.array([[2, 5, 1], [1, 3, 3]])
    rows = counts.sum(axis=1)

    def ameva(table):
        n, sums = table.sum(), np.outer(table.sum(axis=1), table.sum(axis=0))
        return n * ((table**2 / sums).sum() - 1) / (2 * (3 - 1))

    assert ameva(counts + 1e-4) == pytest.approx(0.44361763001447557, rel=1e-12)
    assert ameva(counts) == pytest.approx(0.44361763001447557, rel=1e-4)
    x = np.repeat([0.0, 1.0], rows)[:, None]
    y = np.concatenate([np.repeat(np.arange(3), row) for row in counts])
    assert AmevaDiscretizer().fit(x, y).cuts_[0].tolist() == [0.5]
