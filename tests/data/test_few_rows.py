"""What a column is taken for is a matter of its name and content: in few rows as in many."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from tamis._core.errors import DataError
from tamis.data import read_table

ROWS = (3, 4, 6, 20, 60)


def column_of(kind, n):
    rows = range(n)
    return {
        "codes": [f"s{i}" for i in rows],
        "counted": [str(i + 1) for i in rows],
        "counted from 0": [str(i) for i in rows],
        "numbers": [str(1001 + 7 * i) for i in rows],
        "pairs": [f"P{i // 2:02d}" for i in rows],
        "two levels": ["mf"[i % 2] for i in rows],
    }[kind]


def what_became_of(path, name, values, first, **options):
    """A table with such a column: how it was taken, and whether it was asked about."""
    rng, n = np.random.default_rng(0), len(values)
    others = {"class": ["ill", "well"] * n, "g1": rng.normal(size=n), "g2": rng.normal(size=n)}
    frame = pd.DataFrame({key: list(cells)[:n] for key, cells in others.items()})
    frame.insert(0 if first else 3, name, values)
    frame.to_csv(path, index=False)
    try:
        data = read_table(path, target="class", **options)
    except DataError:
        return "refused"
    asked = any((name in note and "numbers" in note) or "repeat" in note for note in data.notes)
    taken = "feature" if name in data.feature_names else "ids"
    return taken, asked, data.sample_names[0] == values[0]


@pytest.mark.parametrize("first", [True, False])
@pytest.mark.parametrize("name", ["sample", "id", "patient", "index", "Unnamed: 0", "record"])
@pytest.mark.parametrize("kind", ["codes", "counted", "counted from 0", "numbers", "two levels"])
def test_few_rows_are_read_as_many(tmp_path, name, kind, first):
    """What a column is taken for depends on its name and content, not on the number of rows."""
    if name == "record" and kind.startswith("counted"):
        return  # fewer than five rows may be numbered by chance
    found = {what_became_of(tmp_path / "t.csv", name, column_of(kind, n), first) for n in ROWS}
    assert len(found) == 1


@pytest.mark.parametrize("name", ["sample", "patient"])
def test_two_rows_of_a_patient_are_asked_about_in_few_rows_too(tmp_path, name):
    found = {what_became_of(tmp_path / "t.csv", name, column_of("pairs", n), False) for n in ROWS}
    assert found == {("feature", True, False)}


def test_where_rows_are_too_few_the_line_says_so(tmp_path):
    def read(values, first, **options):
        frame = pd.DataFrame({"class": ["a", "b"] * 30, "g": np.arange(60) % 7})[: len(values)]
        frame.insert(0 if first else 2, "grade", values)
        frame.to_csv(tmp_path / "t.csv", index=False)
        return read_table(tmp_path / "t.csv", target="class", **options)

    grades = ["low", "mid", "high"]
    with pytest.raises(
        DataError, match="3 different values in 4 rows, too few to distinguish names"
    ):
        read([*grades, "low"], first=False)
    with pytest.raises(DataError, match="60 different values in 60 rows, for instance"):
        read([f"remark {k}" for k in range(60)], first=False)
    asked = (
        "ids cannot be distinguished from categories; if it holds these, say categorical=['grade']"
    )
    data = read(grades, first=True)
    assert data.sample_names == tuple(grades)
    assert asked in " ".join(data.notes)
    assert read(grades, first=True, categorical="grade").feature_names == ("grade", "g")
    assert asked not in " ".join(read([f"a{k}" for k in range(60)], first=True).notes)


@pytest.mark.parametrize("n", [1, 2, 3, 60])
def test_a_column_that_a_model_needs_holds_no_ids(tmp_path, n):
    frame = pd.DataFrame({"id": np.arange(n), "g": np.arange(n) / 3})
    frame.to_csv(tmp_path / "t.csv", index=False)
    assert read_table(tmp_path / "t.csv", only=["id", "g"]).feature_names == ("id", "g")
    assert read_table(tmp_path / "t.csv", only=["g"]).feature_names == ("g",)
    assert read_table(tmp_path / "t.csv", only=["g"]).sample_names == tuple(map(str, range(n)))


@pytest.mark.parametrize("n", [1, 2, 60])
def test_numbers_in_front_are_asked_about_however_few(tmp_path, n):
    frame = pd.DataFrame({"id": 100 + 3 * np.arange(n), "g": np.arange(n) / 3})
    frame.to_csv(tmp_path / "t.csv", index=False)
    assert "say id='id'" in " ".join(read_table(tmp_path / "t.csv", only=["g"]).notes)
    assert "say id='id'" not in " ".join(read_table(tmp_path / "t.csv", only=["g", "id"]).notes)
