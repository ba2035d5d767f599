"""Two blocks of a real set: 200 messenger and 184 micro RNAs, as files a user would have."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from tamis.data import read_table
from tamis.model.file import load_model
from tamis.study import run_study


@pytest.fixture
def paths(shared_data, tmp_path):
    """A sheet, a table with features in rows, and one that lacks five samples."""
    table = pd.read_parquet(shared_data / "expression" / "breast_tcga.parquet")
    table.index = [f"P{k:03d}" for k in range(len(table))]
    micro = [c for c in table.columns if c.startswith("hsa-")]
    found = {name: tmp_path / name for name in ("sheet.csv", "rna.tsv", "mirna.csv")}
    table["class"].rename("subtype").to_csv(found["sheet.csv"], index_label="id")
    table.drop(columns=["class", *micro]).T.to_csv(found["rna.tsv"], sep="\t")
    table[micro].iloc[:4:-1].to_csv(found["mirna.csv"])
    return found


def test_blocks_of_a_real_set(paths, tmp_path):
    """Joined they are the table they come from; a block alone is that block's study."""
    blocks = {"rna": paths["rna.tsv"], "mirna": paths["mirna.csv"]}
    data = read_table(paths["sheet.csv"], target="subtype", blocks=blocks, incomplete="drop")
    assert data.shape == (145, 384)
    assert {name: len(columns) for name, columns in data.blocks.items()} == {
        "rna": 200,
        "mirna": 184,
    }
    methods = [
        {"name": "each", "select": "moderated_t", "sizes": [{"rna": 5, "mirna": 5}]},
        {"name": "mirna", "select": "moderated_t", "sizes": [10], "blocks": ["mirna"]},
    ]
    plan = {
        "permutations": 0,
        "outer": {"folds": 3},
        "inner": {"folds": 2, "repeats": 1},
        "describe": False,
    }
    found = run_study(data, {**plan, "method": methods}, tmp_path / "s").to_dict()
    rates = {m["name"]: m["metrics"]["bcr"]["mean"] for m in found["methods"]}
    assert rates["each"] > 0.7  # chance is a third
    one = read_table(paths["mirna.csv"], samples=paths["sheet.csv"], target="subtype")
    order = [one.sample_names.index(name) for name in data.sample_names]
    np.testing.assert_array_equal(one.X[order], data.X[:, data.blocks["mirna"]])
    model = load_model(tmp_path / "s" / "model.npz")
    assert model.predict_proba(data).shape == (145, 3)
