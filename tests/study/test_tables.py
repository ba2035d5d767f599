"""Studies of a table that is no matrix: the same as those of the matrix, one block at a time."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from common.compressed import Compressed
from common.null_methods import PRICED, every_method
from common.studies import make_data, run_in_memory
from tamis._core.errors import DataError, PlanError
from tamis._core.registry import rows_of, selecting_row
from tamis._core.rows import PlanRow, RankerRow
from tamis.data import Dataset, unlogged, walks
from tamis.data.walks import MAX_BLOCK_COLUMNS, SomeColumns
from tamis.model.evaluate import evaluate
from tamis.model.file import load_model
from tamis.study import run_study
from tamis.study.protocol.candidates import ranker_key
from tamis.study.protocol.cellfile import decode_cell
from tamis.study.protocol.design import build_design
from tamis.study.protocol.nested_cv import Task, run_nested_fold, splits_of
from tamis.study.results.features import near_duplicates
from tamis.study.results.filter_scores import filter_scores
from tamis.study.run import begin_study, prepare_study

P = MAX_BLOCK_COLUMNS + 50  # two blocks
PLAN = {**PRICED, "outer": {"folds": 3}, "inner": {"folds": 2, "repeats": 1}, "permutations": 0}
FEW = {"name": "variance", "share": 0.005}


@cache
def pair(kind="plain"):
    """The same data as a matrix and compressed; "gaps" has missing values and a covariate."""
    made = make_data(seed=5, n=30, p=P, informative=4)
    X = np.round(2 * made.X) / 2
    if kind == "gaps":
        rng = np.random.default_rng(0)
        X[rng.random(X.shape) < 0.01] = np.nan
        X[:, 20] = 1.0
        X[:, 4100] = np.where(np.isnan(X[:, 4100]), np.nan, 0.5)
        made = replace(made, covariates=(7,))
    dense = replace(made, X=X)
    return dense, replace(dense, X=Compressed.of(X))


def study(select, **more):
    row = selecting_row(select)
    sizes = {"sizes": [2, 5]} if isinstance(row, RankerRow) and row.sized else {}
    return {**PLAN, "method": [{"select": select, **sizes, **more}]}


def cells(data, plan):
    return run_in_memory(data, plan)[3]


SELECTING = [method for method in every_method() if method["name"] == method["select"]]
BY_BLOCK = [
    row.name
    for row in rows_of(PlanRow)
    if isinstance(row, RankerRow) and row.target and getattr(row.build({}), "walks", False)
]


def test_every_filter_goes_by_blocks():
    assert len(BY_BLOCK) == 17


@pytest.mark.parametrize("kind", ["plain", "gaps"])
@pytest.mark.parametrize("select", BY_BLOCK)
def test_filters_give_the_same_cells_to_the_bit(select, kind):
    dense, packed = pair(kind)
    assert cells(packed, study(select)) == cells(dense, study(select))


@pytest.mark.parametrize("parameters", [{"max_fdr": 0.2}, {"max_p": 0.002, "threshold": 1.0}])
@pytest.mark.parametrize("select", ["moderated_t", "trend", "wilcoxon"])
def test_cut_offs_by_p_values_look_at_all_columns(select, parameters):
    dense, packed = pair("gaps")
    plan = {**PLAN, "method": [{"select": select, "sizes": ["own"], "parameters": parameters}]}
    assert cells(packed, plan) == cells(dense, plan)


@pytest.mark.parametrize("magnitude", [1e-200, 1e120])
def test_far_off_magnitudes(magnitude):
    dense, _ = pair()
    X = dense.X * magnitude
    dense, packed = replace(dense, X=X), replace(dense, X=Compressed.of(X))
    for plan in (study("moderated_t"), study("moderated_t", prepare=[FEW])):
        found, expected = cells(packed, plan), cells(dense, plan)
        assert found.keys() == expected.keys()
        for path in found:  # inner parts of a matrix have units of their own: last bits, and ties
            one, two = decode_cell(found[path]), decode_cell(expected[path])
            assert list(one.columns["method"]) == list(two.columns["method"])
            for row in range(len(one.columns["method"])):
                assert sorted(one.features(row)) == sorted(two.features(row))
                if len(one.test):
                    proba = one.beliefs(row).proba, two.beliefs(row).proba
                    np.testing.assert_allclose(*proba, rtol=1e-9)


@pytest.mark.quick
@pytest.mark.parametrize("whose", ["outer", "inner"])
@pytest.mark.parametrize(("tiny", "far"), [(1e-170, 1e170), (1.0, 1e70)])
def test_units_are_those_of_the_training_part(whose, tiny, far):
    """Held-out values so far off that a table with them has other units: the same to the bit."""
    made = make_data(seed=3, n=36, p=12)
    X = np.round(2 * made.X) / 2 * np.where(np.arange(12) < 3, tiny, 1.0)
    ranked = ("welch_t", "mtd", "pearson", "fold_change", "moderated_t")
    methods = [{"select": s, "sizes": [3], "classify": "naive_bayes"} for s in ranked]
    behind = [FEW | {"share": 0.6}]
    methods += [{**m, "name": f"{m['select']} of few", "prepare": behind} for m in methods]
    resolved, design, _ = prepare_study(made, {**PLAN, "method": methods})
    outer, inner = splits_of(design, resolved, 0, 0)[1]
    rows = outer if whose == "outer" else inner[0][::2]
    wild = X.copy()
    wild[np.ix_(rows, np.arange(3))] *= far
    task = Task(0, 0, 1, tuple(dict.fromkeys(map(ranker_key, resolved.method))))
    ours, theirs = (
        run_nested_fold(build_design(replace(made, X=Compressed.of(one))), resolved, task)
        for one in (X, wild)
    )
    for key in ours:
        a, b = decode_cell(ours[key]), decode_cell(theirs[key])
        for row in range(len(a.columns["method"])):
            one, two = a.inner(row), b.inner(row)
            there = np.ones(len(one.samples), dtype=bool)
            if whose == "inner":
                there = (np.arange(len(there)) < len(inner[0])) & ~np.isin(one.samples, rows)
            else:
                np.testing.assert_array_equal(a.features(row), b.features(row), key)
            np.testing.assert_array_equal(one.proba[there], two.proba[there], err_msg=key)


@pytest.mark.parametrize("method", SELECTING, ids=lambda method: method["select"])
def test_every_method_behind_a_filter_of_columns(method):
    dense, packed = pair("gaps")
    plan = {**PLAN, "method": [{**method, "prepare": [FEW]}]}
    assert cells(packed, plan) == cells(dense, plan)


@pytest.mark.longer
@pytest.mark.parametrize(
    "steps",
    [
        ["log2"],
        [{"name": "presence", "above": 1.0, "share": 0.4}, FEW],
        ["log2", "impute_median", FEW, "standardize"],
        ["standardize", {"name": "presence", "above": 0.0, "share": 0.5}],
        [{"name": "equal_width", "n_bins": 3}, {"name": "variance", "above": 0.4}, "quantile"],
        ["mdl", FEW, "impute_knn"],
        ["impute_mode", {"name": "variance", "share": 0.1}, {"name": "presence", "share": 0.5}],
    ],
    ids=repr,
)
def test_steps_by_blocks(steps):
    dense, packed = pair("gaps")
    plan = study("moderated_t", prepare=steps)
    assert cells(packed, plan) == cells(dense, plan)


def results(folder):
    found = json.loads((folder / "results.json").read_text())
    del found["data"]["digest"], found["data"]["values"]
    return found, {f.name: f.read_bytes() for f in (folder / "tables").iterdir()}


@pytest.mark.parametrize("kind", ["plain", "gaps"])
def test_a_whole_study_predicts_and_evaluates_the_same(tmp_path, kind):
    plan = {
        **PLAN,
        "method": [
            {"select": "moderated_t", "sizes": [2, 5]},
            {"select": "wilcoxon", "sizes": [5], "prepare": ["log2", FEW]},
        ],
    }
    models = []
    for data, name in zip(pair(kind), ("dense", "packed"), strict=True):
        run_study(data, plan, tmp_path / name)
        models.append(load_model(tmp_path / name / "model.npz"))
    assert results(tmp_path / "packed") == results(tmp_path / "dense")
    dense, packed = pair(kind)
    expected = models[0].predict_proba(dense)
    for model in models:
        np.testing.assert_array_equal(model.predict_proba(packed), expected)
    found = [json.dumps(evaluate(models[0], data)) for data in (dense, packed)]
    assert found[0] == found[1]


@pytest.mark.longer
def test_workers_give_the_same_bytes(tmp_path):
    _, packed = pair()
    plan = study("welch_t")
    for n_jobs in (1, 2):
        run_study(packed, plan, tmp_path / str(n_jobs), n_jobs=n_jobs)
    files = sorted(f.relative_to(tmp_path / "1") for f in (tmp_path / "1").rglob("*.*"))
    kept = [f for f in files if f.name != "journal.jsonl"]
    assert len(kept) > 8
    for f in kept:
        assert (tmp_path / "1" / f).read_bytes() == (tmp_path / "2" / f).read_bytes(), f


def test_blocks_of_a_table():
    dense, packed = pair("gaps")
    blocks = {"left": np.arange(8, 3000), "right": np.arange(3000, P)}
    dense, packed = replace(dense, blocks=blocks), replace(packed, blocks=blocks)
    for more in ({"blocks": ["right"]}, {"prepare": [FEW, {"name": "quantile", "block": "left"}]}):
        plan = study("moderated_t", **more)
        assert cells(packed, plan) == cells(dense, plan)


def test_no_column_is_created_beside_a_table():
    _, packed = pair()
    plan = study("moderated_t", prepare=[FEW, {"name": "pca", "n_components": 2}])
    with pytest.raises(PlanError, match="no column can be created"):
        cells(packed, plan)


def test_one_walk_serves_all_parts_of_a_fold():
    _, packed = pair()
    before = packed.X.walks
    cells(packed, study("moderated_t"))
    assert packed.X.walks - before == 1 + 3 + 1  # what is missing; outer folds; all rows


def test_narrower_blocks_change_nothing(monkeypatch):
    monkeypatch.setattr(walks, "MAX_BLOCK_VALUES", 30 * 512)
    dense, packed = pair("gaps")
    some = np.array([0, 3, 600, 4099, 4100, P - 1])
    assert filter_scores(packed, some) == filter_scores(dense, some)
    assert near_duplicates(packed, some) == near_duplicates(dense, some)
    for select in ("mutual_information", "moderated_t", "mtd"):
        assert cells(packed, study(select)) == cells(dense, study(select))


def test_raw_intensities_are_told(monkeypatch):
    monkeypatch.setattr(unlogged, "QUANTILE_SAMPLE", 30 * 1000)
    rng = np.random.default_rng(2)
    X = np.round(2 ** rng.normal(9, 3, (30, 4 * MAX_BLOCK_COLUMNS // 3)), -1)
    names = tuple(map(str, range(X.shape[1])))
    dense = Dataset(X, np.array(["a", "b"] * 15), names)
    packed = replace(dense, X=SomeColumns(X, np.arange(X.shape[1])))
    told = list(unlogged.scale_cautions(dense))
    assert [code for code, _ in told] == ["unlogged"]
    assert list(unlogged.scale_cautions(packed)) == told


def test_the_table_of_the_tests_raises():
    _, packed = pair()
    with pytest.raises(AssertionError, match="held"):
        list(packed.X.walk(MAX_BLOCK_COLUMNS))
    with pytest.raises(AssertionError, match="more than a block"):
        packed.X.take(None, None)


@pytest.mark.parametrize(
    "method", [m for m in SELECTING if m["name"] not in BY_BLOCK], ids=lambda m: m["name"]
)
def test_what_needs_a_matrix_is_refused_in_one_line(tmp_path, method):
    _, packed = pair()
    with pytest.raises(PlanError) as caught:
        begin_study(packed, {**PLAN, "method": [method]}, tmp_path / "s")
    text = str(caught.value)
    assert repr(method["select"]) in text
    assert "30 x 4,146 numbers, 1 MB" in text
    assert "\n" not in text
    assert not (tmp_path / "s").exists()


@pytest.mark.parametrize("steps", [["quantile"], ["standardize"], ["log2", "impute_knn", FEW]])
def test_steps_that_need_a_matrix_are_refused(tmp_path, steps):
    _, packed = pair()
    with pytest.raises(PlanError, match="needs the full table"):
        begin_study(packed, study("moderated_t", prepare=steps), tmp_path / "s")
    assert not (tmp_path / "s").exists()


def test_levels_are_for_covariates_only():
    dense, _ = pair()
    X = dense.X.copy()
    X[:, 3] = np.arange(30) % 3
    levels = {3: ("u", "v", "w")}
    with pytest.raises(DataError, match="'g3'"):
        replace(dense, X=Compressed.of(X), levels=levels)
    dense = replace(dense, X=X, levels=levels, covariates=(3,))
    packed = replace(dense, X=Compressed.of(X))
    assert cells(packed, study("pearson")) == cells(dense, study("pearson"))


def test_the_example_of_the_page(tmp_path):
    page = (Path(__file__).parents[2] / "docs" / "tables.md").read_text(encoding="utf-8")
    found: dict = {}
    exec(re.search(r"```python\n(.*?)```", page, re.DOTALL)[1], found)
    codes = np.random.default_rng(1).integers(-1, 3, (P, 30), dtype=np.int8)
    np.save(tmp_path / "chip.npy", codes)
    X = np.where(codes.T < 0, np.nan, codes.T)
    dense = replace(pair()[0], X=X)
    files = replace(dense, X=found["Genotypes"](tmp_path / "chip.npy"))
    assert files.shape == dense.shape
    assert cells(files, study("welch_t")) == cells(dense, study("welch_t"))
    assert files.digest() != dense.digest()


def test_digests_tell_tables_apart():
    dense, packed = pair()
    again = replace(dense, X=Compressed.of(dense.X))
    other = replace(dense, X=Compressed.of(-dense.X))
    assert packed.digest() == again.digest() != other.digest()
