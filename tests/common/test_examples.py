"""The examples run as their pages say, on a table made up here and a smaller grid."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from tamis.study import Plan

EXAMPLES = Path(__file__).parents[2] / "examples"
SMALL = """
parsimony = 0
permutations = 0
describe = false
final = false
allow = ["g0", "g1", "g2"]
outer = { folds = 3 }
inner = { folds = 2, repeats = 1 }

[[method]]
select = "discrit"
parameters = { n_trees = 10, screened = [3], discretizers = ["ameva"] }

[[method]]
select = "covrit"
parameters = { n_trees = 10, screened = [3], epsilons = [0.3] }

[[method]]
select = "relrit"
parameters = { n_trees = 10, screened = [3], epsilons = [1.0] }
"""


@pytest.fixture
def example():
    spec = importlib.util.spec_from_file_location("rit_protocol", EXAMPLES / "rit_protocol.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_protocol_of_trees_on_a_table_of_ones_own(example, tmp_path, capsys):
    y = np.repeat(["case", "control"], 18)
    X = np.random.default_rng(0).normal(size=(36, 8))
    X[:, :3] += 20 * (y == "case")[:, None]
    table, plan = tmp_path / "mine.csv", tmp_path / "small.toml"
    pd.DataFrame(X).add_prefix("g").assign(diagnosis=y).to_csv(table, index=False)
    plan.write_text(SMALL, encoding="utf-8")
    example.main([str(table), "--target", "diagnosis", "--plan", str(plan), "--n-jobs", "1"])
    lines = [line.strip("| ").split(" | ") for line in capsys.readouterr().out.splitlines()]
    assert lines[0] == list(example.HEADER)
    assert [line[:2] for line in lines[2:]] == [
        ["mine", m] for m in ("discrit", "covrit", "relrit")
    ]
    for line in lines[2:]:
        assert float(line[2]) > 0.7  # covRIT: intervals of few rows leave some of a class out
        assert line[4:] == ["0.62", "0", "3.0"]  # the three each time: 1 - 3/8


def test_protocol_says_what_it_needs(example, monkeypatch, capsys):
    monkeypatch.delenv("TAMIS_DATA", raising=False)
    with pytest.raises(SystemExit) as left:
        example.main([])
    assert left.value.code == 2
    assert "TAMIS_DATA" in capsys.readouterr().err


def test_plans_of_examples_are_valid():
    plans = [Plan.read(path) for path in sorted(EXAMPLES.glob("*.toml"))]
    assert {"discrit", "covrit", "relrit"} <= {m.select for plan in plans for m in plan.method}
