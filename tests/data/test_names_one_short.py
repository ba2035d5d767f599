"""Headers one name short over rows that end with a delimiter; features that have no name."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from tamis._core.errors import DataError
from tamis.data import as_dataset, read_table

VALUES = {"dose": [0, 2, 1, 3], "cls": [0, 1, 0, 1], "g1": [0.569, 0.255, 1.5, 0.75],
          "g2": [0.802, 1.495, 0.25, 3.5]}  # fmt: skip


@pytest.mark.every
@pytest.mark.parametrize("separator", [";", ",", "\t"])
@pytest.mark.parametrize("behind", ["both", "rows", "neither", "named ids"])
def test_values_stand_under_their_names(behind, separator, tmp_path):
    """R's names of rows have no header, and other programs end each line with a delimiter."""
    rows = [[f"p{k}", *(str(VALUES[name][k]) for name in VALUES)] for k in range(4)]
    header = [*(["id"] if behind == "named ids" else []), *VALUES]
    lines = [[*header, *([""] if behind in ("both", "named ids") else [])]]
    lines += [[*row, *([""] if behind != "neither" else [])] for row in rows]
    if behind == "rows":
        lines[0] = ["id", *VALUES]
    text = "".join(separator.join(line) + "\n" for line in lines)
    (tmp_path / "t.csv").write_text(text)
    data = read_table(tmp_path / "t.csv", target="cls", separator=separator)
    assert data.sample_names == ("p0", "p1", "p2", "p3")
    assert data.feature_names == ("dose", "g1", "g2")
    assert data.y.tolist() == ["0", "1", "0", "1"]
    np.testing.assert_array_equal(data.X, np.array([VALUES[n] for n in data.feature_names]).T)


@pytest.mark.parametrize("way", ["mean", "first"])
@pytest.mark.parametrize("nameless", ["---", "NA", "#N/A", "nan", "None", "unknown"])
def test_features_without_a_name_are_no_feature(way, nameless):
    X = np.arange(30.0).reshape(6, 5)
    frame = pd.DataFrame(X, columns=["G1", nameless, "G2", nameless, "G2"])
    y = list("xyxyxy")
    with pytest.raises(DataError, match="duplicate names"):
        as_dataset(frame, y)
    data = as_dataset(frame, y, duplicates=way)
    assert data.feature_names == ("G1", "G2")
    second = X[:, 2] if way == "first" else (X[:, 2] + X[:, 4]) / 2
    np.testing.assert_array_equal(data.X, np.column_stack([X[:, 0], second]))
    assert f"2 features without a name ({nameless!r}) left out" in data.notes
    apart = as_dataset(frame, y, duplicates="suffix")
    assert apart.feature_names == ("G1", nameless, "G2", f"{nameless}.2", "G2.2")
