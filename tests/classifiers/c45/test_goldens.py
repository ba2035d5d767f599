"""Trees against Weka's J48, node by node (tests/goldens/README.md says how they were made)."""

from __future__ import annotations

import json
import os
import random
import re
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from tamis.classifiers import C45Classifier
from tamis.data import read_table

pytestmark = pytest.mark.longer

GOLDENS = Path(__file__).resolve().parents[2] / "goldens"
EXAMPLES = Path(os.environ.get("WEKA_EXAMPLES", "/usr/share/doc/weka/examples"))
SHARED = ["german", "pima", "ionosphere", "hepatitis", "mushroom", "newthyroid"]
WEKA = {"vote": "Class", "breast-cancer": "Class", "labor": "class", "soybean": "class"}
OPTIONS = {
    "J48 ": {},
    "J48 -S": {"subtree_raising": False},
    "J48 -U": {"prune": False},  # Weka 3.6 collapses the tree all the same
}


def draw_rows(n: int, seed: int, holes: float):
    """Two nominal, four numeric columns and a class that they tell a little of.

    Only `Random.random` is used, whose sequence Python guarantees.
    """
    draw = random.Random(seed).random
    classes = [int(3 * draw() * draw() ** 0.2) for _ in range(n)]

    def hole(value):
        return None if draw() < holes else value

    colours = ["red", "green", "blue", "white", "none"]
    columns = {
        "shifted": [hole(c + 2.5 * draw()) for c in classes],
        "colour": [hole(colours[int(1.5 * c + 1.9 * draw() * draw())]) for c in classes],
        "coarse": [hole(round(c + 4 * draw())) for c in classes],
        "shape": [hole("round" if draw() < 0.3 + 0.3 * (c == 1) else "flat") for c in classes],
        "tenths": [hole(round(abs(c - 1) + 2 * draw(), 1)) for c in classes],
        "noise": [hole(draw()) for c in classes],
    }
    table = pd.DataFrame(columns)
    table["colour"] = pd.Categorical(table["colour"], categories=colours)
    table["shape"] = pd.Categorical(table["shape"], categories=["flat", "round", "unseen"])
    for name in ("shifted", "coarse", "tenths", "noise"):
        table[name] = table[name].astype(np.float64)
    table["class"] = [f"c{c if draw() > 0.2 else int(3 * draw())}" for c in classes]
    weights = np.array([(1 + int(4 * draw())) / 4 for _ in classes])
    return table, weights


def made_tables() -> dict[str, tuple[pd.DataFrame, np.ndarray | None]]:
    """The tables that need no download: whole, with holes, with weights of at most 1."""
    whole, _ = draw_rows(400, 4, 0.0)
    holes, _ = draw_rows(500, 1, 0.12)
    weighted, weights = draw_rows(500, 6, 0.08)
    return {
        "made": (whole, None),
        "made_holes": (holes, None),
        "made_weights": (weighted, weights),
    }


def shared_table(name: str, folder: Path) -> pd.DataFrame:
    """A shared set, the class last; text becomes categories in sorted order."""
    table = pd.read_parquet(folder / "uci" / f"{name}.parquet")
    label = table.pop("class").astype(str)
    for column in table:
        if not pd.api.types.is_numeric_dtype(table[column]):
            levels = sorted(set(table[column].dropna().astype(str)))
            table[column] = pd.Categorical(table[column].astype(object), categories=levels)
        else:
            table[column] = table[column].astype(np.float64)
    return table.assign(**{"class": label})


def write_arff(table: pd.DataFrame, weights, name: str, path: Path) -> None:
    """Every double in full, the class last; for the golden script."""
    if weights is not None:
        table = table.copy()
        table.insert(0, "row weight", weights)
    lines = [f"@relation {name}"]
    for column in table:
        if column == "class":
            kind = "{" + ",".join(sorted(set(table[column]))) + "}"
        elif isinstance(table[column].dtype, pd.CategoricalDtype):
            kind = "{" + ",".join(f"'{level}'" for level in table[column].cat.categories) + "}"
        else:
            kind = "numeric"
        lines.append(f"@attribute '{column}' {kind}")
    lines.append("@data")
    for row in table.itertuples(index=False, name=None):
        cells = []
        for column, value in zip(table.columns, row, strict=True):
            if pd.isna(value):
                cells.append("?")
            elif column == "class":
                cells.append(str(value))
            else:
                cells.append(repr(value) if isinstance(value, float) else f"'{value}'")
        lines.append(",".join(cells))
    path.write_text("\n".join(lines) + "\n")


def printed_order(model):
    """Nodes in the order of the printed tree."""
    order, pending = [], [0]
    while pending:
        v = pending.pop()
        order.append(v)
        first = model.first_child_[v]
        pending += range(first + model.n_children_[v] - 1, first - 1, -1)
    return order


def check(table, golden, weights=None):
    """Same nodes, features and order; thresholds, class weights, distributions to 1e-9."""
    assert golden["rows"] == len(table)
    X = table.drop(columns="class")
    for options, parameters in OPTIONS.items():
        model = C45Classifier(categorical_features="from_dtype", **parameters)
        model.fit(X, table["class"].astype(str), weights)
        expected = golden[options]
        order = printed_order(model)
        assert len(order) == len(expected["nodes"]), options
        places = [golden["classes"].index(label) for label in model.classes_]
        for v, (feature, threshold, seen) in zip(order, expected["nodes"], strict=True):
            j = model.feature_[v]
            assert feature == (None if j < 0 else X.columns[j]), options
            limit = np.nan if threshold is None else threshold
            np.testing.assert_allclose(model.threshold_[v], limit, rtol=1e-9, atol=1e-9)
            assert len(seen) == len(golden["classes"])
            np.testing.assert_allclose(
                model.counts_[v], np.array(seen)[places], rtol=1e-9, atol=1e-9
            )
        first = np.array(expected["first rows"])
        np.testing.assert_allclose(
            model.predict_proba(X[: len(first)]), first[:, places], rtol=1e-9, atol=1e-9
        )


@pytest.mark.parametrize("name", list(made_tables()))
def test_made_tables(name):
    table, weights = made_tables()[name]
    golden = json.loads((GOLDENS / f"weka_j48_{name}.json").read_text())
    check(table, golden, weights)
    trees = [golden[options]["nodes"] for options in OPTIONS]
    assert len(trees[0]) > 10
    assert len(trees[0]) < len(trees[2])  # pruning has something to do
    assert trees[0] != trees[1]  # and so has subtree raising


@pytest.mark.parametrize("name", list(made_tables()))
def test_text_is_wekas(name):
    table, weights = made_tables()[name]
    golden = json.loads((GOLDENS / f"weka_j48_{name}.json").read_text())
    model = C45Classifier(categorical_features="from_dtype")
    model.fit(table.drop(columns="class"), table["class"], weights)
    text = golden["J48 "]["text"].split("------------------\n\n")[1].split("\n\nNumber of")[0]
    assert model.tree_text() == text
    sizes = r"Number of Leaves  : \t(\d+)\n\nSize of the tree : \t(\d+)"
    found = re.search(sizes, golden["J48 "]["text"])
    assert (model.n_leaves_, model.n_nodes_) == (int(found[1]), int(found[2]))


@pytest.mark.shared
@pytest.mark.parametrize("name", SHARED)
def test_shared_sets(shared_data, name):
    golden = json.loads((GOLDENS / f"weka_j48_{name}.json").read_text())
    check(shared_table(name, shared_data), golden)
    assert len(golden["J48 "]["nodes"]) > 3


@pytest.mark.parametrize("name", WEKA)
def test_sets_that_come_with_weka(name, tmp_path):
    """vote and breast-cancer have missing categories, labor and soybean are hard on them."""
    source = EXAMPLES / f"{name}.arff"
    if not source.exists():
        pytest.skip(f"needs {name}.arff of Weka: set WEKA_EXAMPLES to its folder of examples")
    data = [line for line in source.read_text().splitlines() if not line.startswith("%")]
    plain = tmp_path / f"{name}.arff"
    plain.write_text("\n".join(data) + "\n")
    found = read_table(plain, target=WEKA[name])
    table = pd.DataFrame(found.X, columns=found.feature_names)
    for j, levels in found.levels.items():
        codes = np.where(np.isnan(found.X[:, j]), -1, found.X[:, j]).astype(int)
        table[found.feature_names[j]] = pd.Categorical.from_codes(codes, levels)
    golden = json.loads((GOLDENS / f"weka_j48_{name.replace('-', '_')}.json").read_text())
    check(table.assign(**{"class": found.y}), golden)
