"""Numbers in columns that a file declares as text: what is said of cells holds there, too."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from tamis._core.errors import DataError
from tamis.data import as_dataset, read_table

N = 12
TABLE = pd.DataFrame(
    {
        "id": [f"s{k}" for k in range(N)],
        "class": ["ill", "well"] * (N // 2),
        "mass": [f"{k + 0.5} mg" for k in range(N)],
        "crp": ["<0.5"] * 4 + [f"{k / 4}" for k in range(4, N)],
        "count": [f"{k},250" for k in range(1, N + 1)],
        "code": [f"{k % 3}" for k in range(N)],
        "kind": ["red", "blue"] * (N // 2),
    }
)


@pytest.fixture(params=["parquet", "arff", "frame"])
def read(request, tmp_path):
    def reading(columns, **how):
        frame = TABLE[["id", "class", *columns]]
        if request.param == "frame":
            return as_dataset(frame, "class", **how)
        path = tmp_path / f"t.{request.param}"
        if request.param == "parquet":
            frame.to_parquet(path, index=False)
        else:
            head = [f"@attribute {name} string" for name in frame]
            rows = [",".join(f"'{cell}'" for cell in row) for row in frame.to_numpy()]
            path.write_text("\n".join(["@relation r", *head, "@data", *rows, ""]))
        return read_table(path, target="class", **how)

    return reading


def test_units_as_they_are_printed(read):
    with pytest.raises(DataError, match="read them with units='remove'"):
        read(["mass", "kind"])
    data = read(["mass", "kind"], units="remove")
    assert data.X[:, 0].tolist() == [k + 0.5 for k in range(N)]
    assert data.levels == {1: ("blue", "red")}


def test_decimal_commas_and_thousands_as_they_are_printed(read):
    with pytest.raises(DataError, match="say decimal=',' or thousands= what stands"):
        read(["count"])
    fractions, thousands = read(["count"], decimal=","), read(["count"], thousands=",")
    assert fractions.X[:, 0].tolist() == [k + 0.25 for k in range(1, N + 1)]
    assert thousands.X[:, 0].tolist() == [1000.0 * k + 250 for k in range(1, N + 1)]


@pytest.mark.parametrize(("way", "low"), [("value", 0.5), ("half", 0.25), ("missing", np.nan)])
def test_limits(read, way, low):
    data = read(["crp", "code"], limits=way)
    np.testing.assert_array_equal(data.X[:, 0], [low] * 4 + [k / 4 for k in range(4, N)])
    assert data.levels == {1: ("0", "1", "2")}  # digits that are declared to be text


def test_categories_that_are_declared_stay(read):
    data = read(["crp"], limits="half", categorical="crp")
    assert data.levels[0][:2] == ("1.0", "1.25")


def test_what_is_left_among_numbers_is_said(read):
    with pytest.raises(DataError, match="limits of detection stand among numbers: 4 cells"):
        read(["crp", "mass"], units="remove")
