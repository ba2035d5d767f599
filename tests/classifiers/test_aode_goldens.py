"""Probabilities against Weka's AODE and AODEsr (how they were made: tests/goldens/README.md)."""

from __future__ import annotations

import json
import os
from pathlib import Path

import numpy as np
import pytest

from tamis.classifiers import AODEClassifier
from tamis.data import read_table

GOLDENS = Path(__file__).resolve().parents[1] / "goldens"
EXAMPLES = Path(os.environ.get("WEKA_EXAMPLES", "/usr/share/doc/weka/examples"))
SETS = ["vote", "breast_cancer", "credit_g", "diabetes", "made"]
AODE, AODESR = {"min_support": 1}, {"min_support": 1, "subsumption": True}
AODESR |= {"subsumption_support": 50, "m_estimate": 1.0}
OPTIONS = {
    "AODE": AODE,
    "AODE -F 30": {},
    "AODE -F 100 -M": {"min_support": 100, "m_estimate": 1.0},
    "AODE -M -W 3": AODE | {"m_estimate": 3.0},
    "AODE -F 100000": {"min_support": 1e5},
    "AODE -F 100000 -M": {"min_support": 1e5, "m_estimate": 1.0},
    "AODEsr": AODESR,
    "AODEsr -L": AODESR | {"m_estimate": None},
    "AODEsr -L -F 30 -C 100": {"subsumption": True},
    "AODEsr -M 0.5 -C 10": AODESR | {"m_estimate": 0.5, "subsumption_support": 10},
    "AODEsr -L -F 100000 -C 10": {
        "min_support": 1e5,
        "subsumption": True,
        "subsumption_support": 10,
    },
    "AODEsr -F 100000": AODESR | {"min_support": 1e5},
}


def read_golden(name):
    """The golden, its codes with NaN for missing (n, p), and the class codes."""
    golden = json.loads((GOLDENS / f"weka_aode_{name}.json").read_text())
    codes = [[np.nan if c == "?" else int(c, 36) for c in row] for row in golden["table"]]
    table = np.array(codes)
    return golden, table[:, :-1], table[:, -1].astype(int)


@pytest.mark.parametrize("options", OPTIONS)
@pytest.mark.parametrize("name", SETS)
def test_probabilities_of_weka(name, options):
    golden, X, y = read_golden(name)
    declared = {j: np.arange(v) for j, v in enumerate(golden["levels"][:-1])}
    model = AODEClassifier(categories=declared, **OPTIONS[options])
    model.fit(X, y, golden.get("weights"))
    expected = np.array(golden[options])
    assert expected.shape == (len(X[:: golden["every"]]), golden["levels"][-1])
    np.testing.assert_allclose(
        model.predict_proba(X[:: golden["every"]]), expected, rtol=0, atol=1e-12
    )


def test_the_goldens_have_what_they_are_for():
    """Gaps, levels of no row, one-level columns, and rows that subsumption changes."""
    found = {name: read_golden(name) for name in SETS}
    assert {name for name in SETS if np.isnan(found[name][1]).any()} == {
        "vote",
        "breast_cancer",
        "made",
    }
    assert 1 in found["credit_g"][0]["levels"]
    golden, X, _ = found["breast_cancer"]
    assert golden["levels"][0] > len(np.unique(X[:, 0]))
    for name in ("credit_g", "made"):
        one, other = (np.array(found[name][0][key]) for key in ("AODE", "AODEsr -L"))
        assert np.abs(one - other).max() > 0.01


@pytest.mark.skipif(not EXAMPLES.is_dir(), reason=f"Weka's examples are not in {EXAMPLES}")
@pytest.mark.parametrize("name", ["credit_g", "diabetes", "breast_cancer"])
def test_its_own_cuts_are_those_that_weka_made_first(name):
    """From the table as it is."""
    golden, codes, y = read_golden(name)
    target = "Class" if name == "breast_cancer" else "class"
    data = read_table(EXAMPLES / f"{name.replace('_', '-')}.arff", target=target)
    assert data.X.shape == codes.shape
    categories = {int(j): np.arange(len(levels)) for j, levels in data.levels.items()}
    model = AODEClassifier(min_support=1, categories=categories).fit(data.X, y)
    assert model.n_levels_.tolist() == golden["levels"][:-1]
    np.testing.assert_allclose(
        model.predict_proba(data.X)[:: golden["every"]], golden["AODE"], rtol=0, atol=1e-12
    )
