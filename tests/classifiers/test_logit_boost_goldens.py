"""LogitBoost against Weka's, probability by probability (tests/goldens/README.md says how made)."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from classifiers.c45.test_goldens import made_tables, shared_table
from tamis.classifiers import LogitBoostClassifier

GOLDENS = Path(__file__).resolve().parents[1] / "goldens"
SHARED = ["pima", "ionosphere", "newthyroid", "german", "hepatitis"]
MADE = ["made", "made_holes"]


def check(table, golden):
    """Probabilities of the first rows, to 1e-9, after each number of rounds."""
    assert golden["rows"] == len(table)
    X, y = table.drop(columns="class"), table["class"].astype(str)
    for rounds in (1, 5, 10, 50):
        model = LogitBoostClassifier(rounds=rounds, categorical_features="from_dtype").fit(X, y)
        expected = np.array(golden[str(rounds)])
        found = model.predict_proba(X[: len(expected)])
        np.testing.assert_allclose(found, expected, rtol=0, atol=1e-9, err_msg=str(rounds))


@pytest.mark.parametrize("name", MADE)
def test_made_tables(name):
    """Three classes, categories of which one never occurs, and missing values in the latter."""
    golden = json.loads((GOLDENS / f"weka_logitboost_{name}.json").read_text())
    check(made_tables()[name][0], golden)


@pytest.mark.shared
@pytest.mark.parametrize("name", SHARED)
def test_shared_sets(shared_data, name):
    golden = json.loads((GOLDENS / f"weka_logitboost_{name}.json").read_text())
    check(shared_table(name, shared_data), golden)
