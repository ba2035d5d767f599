"""MDL cuts against Weka's (tests/goldens/README.md says how they were made)."""

from __future__ import annotations

import json
import random
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from tamis.data import MDLDiscretizer

GOLDENS = Path(__file__).resolve().parents[1] / "goldens"


def made_table() -> pd.DataFrame:
    """240 rows, three classes; ties, missing values, a constant, full doubles.

    Only `Random.random` is used, whose sequence Python guarantees.
    """
    draw = random.Random(20240229).random
    y = [int(3 * draw() * draw() ** 0.3) for _ in range(240)]
    columns = {
        "shifted": [c + 3 * draw() for c in y],
        "coarse": [round(2 * c + 4 * draw()) / 2 for c in y],
        "middle": [(c == 1) + 1.5 * draw() for c in y],
        "edges": [(draw() - 0.5) * (1 + 3 * (c == 2)) for c in y],
        "holes": [float("nan") if draw() < 0.3 else c * 1e6 + 2e6 * draw() for c in y],
        "noise": [draw() for _ in y],
        "constant": [4.25] * len(y),
        "rounded": [round(0.1 * (c + 2 * draw()), 4) for c in y],
        "separate": [c - draw() for c in y],
    }
    return pd.DataFrame({**columns, "class": [f"c{c}" for c in y]})


def iris_table() -> pd.DataFrame:
    """scikit-learn's copy of the iris data."""
    from sklearn.datasets import load_iris

    return load_iris(as_frame=True).frame.rename(columns={"target": "class"})


def write_arff(table: pd.DataFrame, name: str, path: Path) -> None:
    """The numeric columns and the class, every double in full; for the golden script."""
    numeric = list(table.drop(columns="class").select_dtypes("number").columns)
    levels = ",".join(map(str, sorted(set(table["class"]))))
    lines = [f"@relation {name}", *(f"@attribute '{c}' numeric" for c in numeric)]
    lines += [f"@attribute class {{{levels}}}", "@data"]
    for *row, label in table[[*numeric, "class"]].itertuples(index=False, name=None):
        cells = ["?" if np.isnan(v) else repr(float(v)) for v in row]
        lines.append(",".join([*cells, str(label)]))
    path.write_text("\n".join(lines) + "\n")


def check(table, golden):
    """The same features, and for each the same number of cuts, to 1e-9."""
    assert golden["rows"] == len(table)
    numeric = table.drop(columns="class").select_dtypes("number").astype(np.float64)
    assert list(golden["cuts"]) == list(numeric.columns)
    fitted = MDLDiscretizer().fit(numeric, table["class"].astype(str))
    for name, cuts in zip(numeric.columns, fitted.cuts_, strict=True):
        expected = np.array(golden["cuts"][name], dtype=np.float64)
        assert cuts.shape == expected.shape, name
        np.testing.assert_allclose(cuts, expected, rtol=1e-9, atol=1e-9, err_msg=name)


def test_made_table():
    golden = json.loads((GOLDENS / "weka_mdl_made.json").read_text())
    check(made_table(), golden)
    sizes = {name: len(cuts) for name, cuts in golden["cuts"].items()}
    assert sizes["constant"] == sizes["noise"] == 0
    assert sizes["holes"] > 0
    assert max(sizes.values()) > 2


def test_iris():
    golden = json.loads((GOLDENS / "weka_mdl_iris.json").read_text())
    check(iris_table(), golden)
    assert [len(cuts) for cuts in golden["cuts"].values()] == [2, 2, 2, 2]


@pytest.mark.shared
@pytest.mark.parametrize("name", ["pima", "ionosphere", "german"])
def test_shared_sets(shared_data, name):
    golden = json.loads((GOLDENS / f"weka_mdl_{name}.json").read_text())
    check(pd.read_parquet(shared_data / "uci" / f"{name}.parquet"), golden)
    assert sum(map(len, golden["cuts"].values())) > 1
