"""Headers one name short over rows that end with a delimiter; features that have no name."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from tamis._core.errors import DataError
from tamis.data import as_dataset, read_table
from tamis.data.faults import Fault

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


def read_text(tmp_path, text, **options):
    (tmp_path / "t.csv").write_text(text)
    return read_table(tmp_path / "t.csv", **{"target": "cls", **options})


ROWS = ["p0,0,0.5,", "p1,1,1.5,", "p2,0,2.5,", "p3,1,3.5,", "p4,0,4.5,", "p5,1,5.5,"]


@pytest.mark.parametrize("last", ["", "7"])
def test_a_last_column_without_values_is_no_delimiter(tmp_path, last):
    """Of names one short: a class is no name of the row, and later rows may have the value."""
    text = "\n".join(["cls,g1,g2", *ROWS[:5], ROWS[5] + last, ""])
    data = read_text(tmp_path, text, drop=[] if last else ["<empty>"])
    assert data.sample_names == ("p0", "p1", "p2", "p3", "p4", "p5")
    assert data.y.tolist() == ["0", "1"] * 3
    assert data.feature_names == ("g1", "g2") if last else ("g1",)
    assert data.X[:, 0].tolist() == [0.5, 1.5, 2.5, 3.5, 4.5, 5.5]
    assert not last or data.X[5, 1] == 7


def test_names_that_may_have_moved_are_said(tmp_path):
    said = "every row ends with a delimiter: the first field is taken as 'g1'"
    data = read_text(tmp_path, "\n".join(["g1,cls,g2", *ROWS, ""]))
    assert sum(note.startswith(said) for note in data.notes) == 1
    for name in ("id", "Gene", "Cell line", "probe_id", "#OTU ID"):
        data = read_text(tmp_path, "\n".join([f"{name},cls,g2", *ROWS, ""]))
        assert not any("ends with a delimiter" in note for note in data.notes), name
        assert data.X.tolist() == [[0.5], [1.5], [2.5], [3.5], [4.5], [5.5]]


@pytest.mark.parametrize("transpose", [False, True])
def test_a_last_column_without_a_name_has_no_remedy_that_moves_the_others(tmp_path, transpose):
    rows = [row.removesuffix(",") for row in ROWS]
    target, text = None if transpose else "cls", "\n".join(["cls,g1,", *rows, ""])
    with pytest.raises(Fault, match="'column 3', the last, has no name in the header") as fault:
        read_text(tmp_path, text, transpose=transpose, target=target)
    assert fault.value.remedy == {}
    if not transpose:  # of one that is called so, names cannot have moved
        with pytest.raises(Fault, match=r"drop=\['column 4'\]") as fault:
            read_text(tmp_path, "\n".join(["id,cls,g1,", *(row + ",5" for row in rows), ""]))
        assert fault.value.remedy == {"drop": ("column 4",)}


@pytest.mark.parametrize("separator", [",", ";", "\t"])
def test_a_header_alone_that_ends_with_a_delimiter(tmp_path, separator):
    rows = [row.removesuffix(",") for row in ROWS]
    text = "\n".join(["id,cls,g1,", *rows, ""]).replace(",", separator)
    if separator == ";":
        text = text.replace(".", ",")
    data = read_text(tmp_path, text)
    assert (data.sample_names[5], data.feature_names) == ("p5", ("g1",))
    assert data.X[:, 0].tolist() == [0.5, 1.5, 2.5, 3.5, 4.5, 5.5]


def test_blanks_behind_a_last_delimiter_are_no_value(tmp_path):
    rows = [row + "  " for row in ROWS]
    data = read_text(tmp_path, "\n".join(["id,cls,g1", *rows, ""]))
    assert (data.sample_names[5], data.feature_names) == ("p5", ("g1",))
    assert data.y.tolist() == ["0", "1"] * 3
