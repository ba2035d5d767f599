"""Names in `unify` and `allow` that no table has are refused; every other use is not."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from tamis._core.errors import DataError
from tamis.data import as_dataset, read_table

N = 12


def a_frame():
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({"id": [f"s{k}" for k in range(N)], "class": list("ab") * (N // 2)})
    frame = frame.assign(patient=[f"p{k // 2}" for k in range(N)], sex=list("fm") * (N // 2))
    return frame.assign(g=rng.normal(size=N), h=rng.normal(size=N))


@pytest.fixture
def tables(tmp_path):
    frame = a_frame()
    frame.to_csv(tmp_path / "t.csv", index=False)
    frame[["id", "class", "patient"]].rename(columns={"id": "who"}).to_csv(
        tmp_path / "s.csv", index=False
    )
    frame[["id", "g", "h"]].to_csv(tmp_path / "x.csv", index=False)
    frame[["id", "sex", "h"]].rename(columns={"h": "k"}).to_csv(tmp_path / "b.csv", index=False)
    return tmp_path


@pytest.mark.every
@pytest.mark.parametrize("argument", ["unify", "allow"])
@pytest.mark.parametrize("wrong", ["patiend", "Patient", "b", "rna:sex"])
def test_names_that_no_table_has_are_refused(argument, wrong, tables):
    says = rf"{argument} names the column '{wrong}', which '.*' does not have: "
    reading = {"target": "class", "group": "patient", argument: wrong}
    ways = [
        lambda: read_table(tables / "t.csv", **reading),
        lambda: as_dataset(a_frame(), **reading),
        lambda: read_table(tables / "x.csv", samples=tables / "s.csv", **reading),
        lambda: read_table(
            tables / "t.csv", target="class", blocks={"prot": tables / "b.csv"}, **{argument: wrong}
        ),
    ]
    for read in ways:
        with pytest.raises(DataError, match=says):
            read()


@pytest.mark.parametrize("argument", ["unify", "allow"])
def test_columns_of_a_block_are_looked_for_there(argument, tables):
    blocks = {"prot": tables / "b.csv"}
    read_table(tables / "t.csv", target="class", blocks=blocks, **{argument: "prot:sex"})
    with pytest.raises(DataError, match=f"{argument} names the column 'sax'"):
        read_table(tables / "t.csv", target="class", blocks=blocks, **{argument: "prot:sax"})


USES = [  # table, what is said of it
    ("t.csv", {"unify": ["class", "patient", "sex", "id", "g"], "group": "patient"}),
    ("t.csv", {"unify": "sex", "covariates": "sex"}),
    ("t.csv", {"unify": "patient", "drop": "patient"}),
    ("t.csv", {"allow": ["class", "g", "h*", "*", "sex"]}),
    ("x.csv", {"unify": ["who", "class", "patient", "id"], "samples": "s.csv"}),
    ("x.csv", {"allow": ["patient", "h"], "samples": "s.csv"}),
    ("t.csv", {"unify": ["prot", "class", "prot:sex"], "blocks": {"prot": "b.csv"}}),
    ("t.csv", {"allow": ["prot:*", "prot:k", "class", "*"], "blocks": {"prot": "b.csv"}}),
]


@pytest.mark.every
@pytest.mark.parametrize("use", range(len(USES)))
def test_no_other_use_is_refused(use, tables):
    table, reading = USES[use]
    reading = {k: tables / v if k == "samples" else v for k, v in reading.items()}
    if "blocks" in reading:
        reading["blocks"] = {k: tables / v for k, v in reading["blocks"].items()}
    data = read_table(tables / table, target="class", **reading)
    assert data.y.tolist() == a_frame()["class"].tolist()


def test_a_table_in_long_format_has_its_features_and_attributes(tables):
    long = a_frame()[["id", "class", "g", "h"]].melt(["id", "class"])
    long.to_csv(tables / "l.csv", index=False)
    reading = {"target": "class", "long": ("id", "variable", "value")}
    data = read_table(tables / "l.csv", **reading, unify=["id", "class"], allow=["g", "variable"])
    assert data.feature_names == ("g", "h")
    with pytest.raises(DataError, match="unify names the column 'k'"):
        read_table(tables / "l.csv", **reading, unify="k")


def test_features_in_rows(tables):
    a_frame().set_index("id")[["class", "g", "h"]].T.to_csv(tables / "r.csv")
    data = read_table(tables / "r.csv", target="class", transpose=True, unify="class", allow="g")
    assert data.shape == (N, 2)
    with pytest.raises(DataError, match=r"allow names the column 'G', which 'r\.csv' does"):
        read_table(tables / "r.csv", target="class", transpose=True, allow="G")
