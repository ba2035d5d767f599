"""What a look at a table finds."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest

from common.compressed import Compressed
from common.typed import faults
from tamis._core.errors import DataError, PlanError, StoreError
from tamis.data.dataset import Dataset
from tamis.look import look_at
from tamis.look.files import COHORT_FOLDER, FOLDER
from tamis.look.schema import LookContent


def made(n=60, p=80, seed=0, **more):
    """Numbers like logarithms, of two classes."""
    X = np.random.default_rng(seed).normal(8, 1, (n, p))
    y = np.repeat(["ill", "well"], [n // 2, n - n // 2])
    return Dataset(X, y, tuple(f"g{j}" for j in range(p)), name="made", **more)


def content_of(data):
    """As JSON gives it, held against its type."""
    found = json.loads(json.dumps(look_at(data).to_dict(), allow_nan=False))
    assert not list(faults(found, LookContent))
    return found


def test_samples_are_counted():
    n = 60
    groups = np.array([f"p{k // 2}" for k in range(n)])
    groups[29] = "p15"  # of the other class
    batches = np.array(["one", "two", "two"] * 20)
    found = content_of(made(groups=groups, batches=batches, blocks={"a": range(30)}))
    assert found["classes"] == [{"name": "ill", "n": 30}, {"name": "well", "n": 30}]
    assert found["groups"] == {"n": 30, "largest": 3, "single": 1, "several_classes": 1}
    assert found["batches"][1] == {"name": "two", "n": 40, "classes": [20, 20]}
    assert found["blocks"] == [{"name": "a", "n": 30}]
    assert [one["block"] for one in found["values"]] == ["a"]


def test_missing_values_by_column_sample_and_class():
    data = made()
    data.X[:12, 5] = np.nan  # of the ill alone
    data.X[3, :20] = np.nan
    found = content_of(data)["missing"]
    assert found["values"] == 12 + 20 - 1
    assert found["share"] == found["values"] / data.X.size
    assert (found["columns"], found["samples"]) == (20, 12)
    assert found["worst_columns"][0] == {"name": "g5", "n": 12, "share": 0.2}
    assert found["worst_samples"][0] == {"name": "4", "n": 20, "share": 0.25}
    assert found["unlike"] == 1
    assert found["most_unlike"][0]["name"] == "g5"
    assert found["most_unlike"][0]["shares"] == [12 / 30, 0.0]
    assert found["by_class"][1]["n"] == 0
    frame = look_at(data).frame()
    assert frame.loc[5, ["missing", "missing in ill", "missing in well"]].tolist() == [12, 12, 0]


def test_kinds_of_columns():
    data = made()
    data.X[:, 0] = 3.0
    data.X[:, 1] = np.nan
    data.X[:, 2] = np.arange(60) % 2
    data.X[:, 3] = np.arange(60) % 7
    data.X[:, 4] = np.arange(60) % 3
    data = replace(data, levels={4: ("a", "b", "c")})
    found = content_of(data)["columns"]
    kinds = {one["kind"]: one["names"] for one in found["kinds"]}
    assert [kinds[k] for k in ("constant", "empty", "two values", "whole numbers")] == [
        ["g0"],
        ["g1"],
        ["g2"],
        ["g3"],
    ]
    assert kinds["categories"] == ["g4"]
    assert found["categories"][0]["levels"] == 3
    frame = look_at(data).frame()
    assert frame["kind"].tolist()[:5] == [
        "constant",
        "empty",
        "two values",
        "whole numbers",
        "categories",
    ]
    assert np.isnan(frame.loc[4, "mean"])  # codes have none


def test_means_and_deviations_leave_missing_values_out():
    data = made()
    data.X[::3, 7] = np.nan
    facts = look_at(data).facts
    np.testing.assert_allclose(facts.mean, np.nanmean(data.X, axis=0))
    np.testing.assert_allclose(facts.sd, np.nanstd(data.X, axis=0, ddof=1))
    np.testing.assert_array_equal(facts.low, np.nanmin(data.X, axis=0))


def test_samples_side_by_side():
    data = made(n=200)
    data.X[7] += 4
    data.X[9, :5] = np.nan
    look = look_at(data)
    np.testing.assert_allclose(
        look.quantiles, np.nanquantile(data.X, [0.05, 0.25, 0.5, 0.75, 0.95], axis=1).T
    )
    found = content_of(data)["by_sample"]
    assert [one["name"] for one in found["apart"]] == ["8"]
    assert len(found["boxes"]) == 60
    assert "8" in [one["name"] for one in found["boxes"]]
    labels = [one["label"] for one in found["boxes"]]
    assert labels == sorted(labels)


def test_components_are_those_of_the_standardised_table():
    batches = np.array(["one", "two", "three"] * 20)
    data = made(batches=batches)
    data.X[batches == "two", :40] += 3
    found = look_at(data)
    Z = (data.X - data.X.mean(axis=0)) / data.X.std(axis=0)
    values = np.linalg.svd(Z, compute_uv=False) ** 2
    scores, shares = found.components
    np.testing.assert_allclose(shares, values[:2] / values.sum())
    u = np.linalg.svd(Z)[0]
    assert abs(np.corrcoef(u[:, 0], scores[:, 0])[0, 1]) == pytest.approx(1)
    told = content_of(data)["components"]
    assert told["components"][0]["by_batch"] > 0.9
    assert told["components"][0]["by_class"] < 0.1
    assert [len(told[by]["samples"]) for by in ("by_class", "by_batch")] == [60, 60]
    assert told["by_batch"]["classes"] == ["one", "three", "two"]
    frame = found.samples_frame()
    np.testing.assert_array_equal(frame[["PC1", "PC2"]], scores)


def test_covariates_are_in_no_component_and_no_box():
    data = made()
    more = np.hstack([data.X, np.where(data.y == "ill", 1e4, 0.0)[:, None]])
    with_it = replace(data, X=more, feature_names=(*data.feature_names, "age"), covariates=(80,))
    found, plain = look_at(with_it), look_at(data)
    np.testing.assert_allclose(found.components[1], plain.components[1])
    np.testing.assert_array_equal(found.quantiles, plain.quantiles)
    assert found.to_dict()["covariates"] == ["age"]


def test_samples_that_repeat_others():
    data = made()
    data.X[5] = data.X[40]
    data.X[6] = data.X[41] + 1e-4
    found = content_of(data)
    assert found["rows"]["equal"] == [["6", "41"]]
    assert found["rows"]["near"] == [["7", "42"]]
    closest = found["rows"]["closest"][0]
    assert closest["samples"] in (["6", "41"], ["7", "42"])
    assert closest["cosine"] == pytest.approx(1)
    assert closest["classes"] == ["ill", "well"]
    assert "repeated-rows" in [one["code"] for one in found["cautions"]]
    groups = np.array([f"p{k % 35}" for k in range(60)])  # 5 and 40 are of one
    kept = content_of(replace(data, groups=groups))
    assert "repeated-rows" not in [one["code"] for one in kept["cautions"]]


def test_what_a_study_would_warn_of():
    data = made(batches=np.repeat(["one", "two"], 30))
    data.X[:] = 2**data.X
    data = replace(data, y=np.repeat(["ill", "well"], [4, 56]), doubts=("patients repeat",))
    codes = [one["code"] for one in content_of(data)["cautions"]]
    assert codes == ["repeated-measures", "small-class", "unlogged"]
    data = replace(data, y=np.repeat(["ill", "well"], 30))
    codes = [one["code"] for one in content_of(data)["cautions"]]
    assert "batch-confounded" in codes
    two = np.array([f"p{k % 30}" for k in range(60)])
    assert "paired-auc" in [o["code"] for o in content_of(replace(data, groups=two))["cautions"]]


def test_a_study_of_the_same_table_warns_of_the_same(tmp_path):
    from common.studies import QUICK
    from tamis.study import run_study

    data = made(batches=np.repeat(["one", "two"], [28, 32]))
    plan = {**QUICK, "permutations": 0, "final": False}
    study = run_study(data, plan, tmp_path / "study").to_dict()["warnings"]
    (text,) = (o["text"] for o in content_of(data)["cautions"] if o["code"] == "batch-confounded")
    (told,) = (o["text"] for o in study if o["code"] == "batch-confounded")
    assert text.partition(". ")[2] in told


def test_suspects_are_told(monkeypatch):
    from tamis.data import leak_detection

    one = leak_detection.Suspect("alone", ("g3",), "g3 tells the class by itself", True)
    monkeypatch.setattr(leak_detection, "find_suspects", lambda data: [one])
    found = content_of(made())
    assert found["suspects"][0] | {"advice": ""} == {
        "kind": "alone",
        "columns": ["g3"],
        "text": one.text,
        "advice": "",
        "grave": True,
    }
    assert found["suspects"][0]["advice"]
    assert "! alone: g3 tells" in look_at(made()).summary()
    assert content_of(replace(made(), y=None, classes=()))["suspects"] == []


@pytest.mark.parametrize(
    "case",
    [
        "one column",
        "two rows",
        "one row",
        "empty columns",
        "categories",
        "no target",
        "constant",
        "huge",
    ],
)
def test_odd_tables(case):
    data = made(20, 12)
    if case == "one column":
        data = replace(data, X=data.X[:, :1], feature_names=("g0",))
    elif case in ("two rows", "one row"):
        n = 2 if case == "two rows" else 1
        data = replace(data, X=data.X[:n], y=data.y[::-10][:n], sample_names=(), classes=())
    elif case == "empty columns":
        data.X[:, 3:] = np.nan
    elif case == "categories":
        data.X[:] = np.arange(20)[:, None] % (2 + np.arange(12))
        data = replace(data, levels={j: tuple("abcdefghijklmnop"[: j + 2]) for j in range(12)})
    elif case == "no target":
        data = replace(data, y=None, classes=())
    elif case == "constant":
        data.X[:] = 1.0
    else:
        data.X[:] *= 1e148  # as far as the reader lets
    found = look_at(data)
    content_of(data)
    assert len(found.frame()) == data.shape[1]
    assert len(found.samples_frame()) == data.shape[0]
    assert found.summary().startswith(f"made: {data.shape[0]} sample")


def test_a_table_that_is_no_matrix_gives_the_same():
    data = made(40, 60)
    data.X[:] = data.X.round(1)
    data.X[:, 9] = data.X[:, 3] * 2 + 1
    data.X[4, 3] = np.nan
    plain, packed = content_of(data), content_of(replace(data, X=Compressed.of(data.X)))
    for name in ("missing", "columns", "classes", "values"):
        assert plain[name] == packed[name]


def test_many_samples_are_thinned(monkeypatch):
    from tamis.look import columns

    monkeypatch.setattr(columns, "MOST_ROWS", 50)
    data = made(200)
    found = look_at(data)
    assert found.to_dict()["components"]["samples"] == 50
    assert np.isfinite(found.samples_frame()["PC1"]).sum() == 50


def test_nothing_depends_on_other_columns_order():
    data = made()
    turned = replace(
        data, X=np.ascontiguousarray(data.X[:, ::-1]), feature_names=data.feature_names[::-1]
    )
    one, two = look_at(data).frame(), look_at(turned).frame()
    again = two[::-1].reset_index(drop=True)
    np.testing.assert_allclose(one["sd"], again["sd"])
    assert one["column"].tolist() == again["column"].tolist()


def test_what_cannot_be_looked_at():
    with pytest.raises(DataError, match="no column"):
        look_at(Dataset(np.zeros((3, 0)), None, ()))
    with pytest.raises(PlanError, match="by='sex': give 'class' or 'batch'"):
        look_at(made()).plot("sex")
    with pytest.raises(DataError, match="no two components"):
        look_at(made(2)).plot()


def test_it_draws_and_is_short_at_the_prompt():
    found = look_at(made(batches=np.array(["one", "two", "two"] * 20)))
    for by, names in (("class", ("ill", "well")), ("batch", ("one", "two"))):
        (chart,) = found.plot(by).charts
        assert chart.count("<circle") == 60 + 2
        assert all(f">{name}</text>" in chart for name in names)
    (bare,) = look_at(made()).plot("batch").charts
    assert bare.count("<circle") == 60
    assert repr(found).startswith("TableLook(made: 60 samples (30 ")
    assert len(repr(found)) < 130


@pytest.mark.parametrize(
    ("folder", "kind", "tables"),
    [
        (FOLDER, "table-look", ["columns.tsv", "samples.tsv"]),
        (COHORT_FOLDER, "cohort-look", ["variants.tsv", "samples.tsv"]),
    ],
)
def test_a_look_goes_over_one_of_its_kind_alone(tmp_path, folder, kind, tables):
    assert folder.files == [*tables, "look.json", "report.html"]
    (tmp_path / "look.json").write_text(json.dumps({"kind": kind}))
    assert folder.require_free(tmp_path) == tmp_path
    for other in ("genotype-look", "look.json"):
        (tmp_path / "look.json").write_text(json.dumps({"kind": other}))
        with pytest.raises(StoreError):
            folder.require_free(tmp_path)
