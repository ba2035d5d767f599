"""Monte Carlo selection and C4.5 in studies of real tables with categories and missing values."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from tamis.classifiers import C45Classifier
from tamis.data import read_table
from tamis.model.file import load_model
from tamis.study import run_study

pytestmark = pytest.mark.longer

LEAST = {"mushroom": 0.95, "german": 0.6}  # AUC


def part_of_table(folder, name, n):
    """Some rows; german, which has no missing value, gets some."""
    data = read_table(folder / "uci" / f"{name}.parquet", target="class")
    rows = np.sort(np.random.default_rng(1).permutation(len(data.X))[:n])
    X = data.X[rows]
    if name == "german":
        X[np.random.default_rng(0).random(X.shape) < 0.1] = np.nan
    return replace(data, X=X, y=data.y[rows], sample_names=data.sample_names[:n])


def frame_of(data, columns):
    """Columns of a data set as people have them: text, and numbers."""
    found = {}
    for j in columns:
        values = data.X[:, j]
        if j in data.levels:
            words = [None if np.isnan(v) else data.levels[j][int(v)] for v in values]
            values = pd.Series(words, dtype=object)
        found[data.feature_names[j]] = values
    return pd.DataFrame(found)


@pytest.mark.parametrize(("name", "n"), [("mushroom", 400), ("german", 1000)])
def test_a_study_with_categories_and_missing_values(shared_data, tmp_path, name, n):
    """It finds what there is; its model is the classifier on the raw frame."""
    data = part_of_table(shared_data, name, n)
    assert np.isnan(data.X).any()
    assert len(data.levels) > 10
    method = {
        "select": "mcfs",
        "sizes": [5],
        "classify": "c45",
        "recalibrate": "none",  # the classifier's own probabilities are compared
        "parameters": {"s": 60, "t": 1, "interactions": False},
    }
    plan = {
        "outer": {"folds": 3},
        "inner": {"folds": 2, "repeats": 1},
        "permutations": 0,
        "describe": False,
        "method": [method],
    }
    result = run_study(data, plan, tmp_path / "s")
    assert result.metrics["auc"]["mean"] > LEAST[name]
    warned = {w["code"]: w["text"] for w in result.to_dict()["warnings"]}
    assert "but for mcfs, c45: as missing" in warned["imputed"]
    model = load_model(tmp_path / "s" / "model.npz")
    frame = frame_of(data, [data.feature_names.index(f) for f in model.features])
    peer = C45Classifier(categorical_features="from_dtype").fit(frame, data.codes)
    np.testing.assert_allclose(model.predict_proba(data), peer.predict_proba(frame), atol=1e-9)
