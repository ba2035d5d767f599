"""Blocks in a study: a method on one, steps for one, sizes of each, what is told of each."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from common.studies import make_data, run_in_memory
from tamis._core.errors import PlanError
from tamis.model.file import load_model
from tamis.study import run_study
from tamis.study.plan import Plan, StepPlan
from tamis.study.protocol.eligible_features import eligible_features
from tamis.study.protocol.nested_cv import Task, fold_of
from tamis.study.protocol.prepared import prepared_fold
from tamis.study.run import prepare_study

SPLITS = {"outer": {"folds": 3}, "inner": {"folds": 2, "repeats": 1}, "permutations": 0}
LEFT, RIGHT = np.arange(0, 20), np.arange(20, 32)


def two_blocks(**more):
    """Twenty columns and twelve, each block with a few that tell the classes; a category."""
    made = make_data(seed=3, n=48, p=32, informative=2, shift=1.0)
    X = made.X.copy()
    X[:, 21] += 1.5 * made.codes
    X[:, 25] = np.arange(48) % 3
    X[3, 4] = X[7, 22] = np.nan
    names = (*(f"left:{j}" for j in range(20)), *(f"right:{j}" for j in range(12)))
    return replace(
        made,
        X=X,
        feature_names=names,
        levels={25: ("x", "y", "z")},
        blocks={"left": LEFT, "right": RIGHT},
        **more,
    )


def alone(data, columns):
    """A block as a table of its own."""
    place = {int(j): k for k, j in enumerate(columns)}
    return replace(
        data,
        X=data.X[:, columns],
        feature_names=tuple(data.feature_names[j] for j in columns),
        levels={place[j]: v for j, v in data.levels.items() if j in place},
        blocks={},
    )


@pytest.mark.parametrize(("name", "columns"), [("left", LEFT), ("right", RIGHT)])
@pytest.mark.parametrize("select", ["moderated_t", "wilcoxon", "chi2", "pam"])
def test_a_method_on_a_block_sees_that_block_alone(name, columns, select):
    """Bit for bit what it does on a table of nothing else."""
    method = {"select": select, **({"sizes": [1, 3]} if select != "pam" else {})}
    data = two_blocks()
    inside = run_in_memory(data, {**SPLITS, "method": [{**method, "blocks": [name]}]})[-1]
    outside = run_in_memory(alone(data, columns), {**SPLITS, "method": [method]})[-1]
    for one, twin in zip(inside.headline, outside.headline, strict=True):
        assert one.features.tolist() == columns[twin.features].tolist()
        np.testing.assert_array_equal(one.proba, twin.proba)


def test_sizes_by_block_are_the_best_of_each():
    sizes = [2, {"left": 1, "right": 2}, {"right": 50}]
    plan = Plan.resolve({**SPLITS, "method": [{"select": "welch_t", "sizes": sizes}]})
    assert Plan.resolve(plan.model_dump(mode="json")) == plan
    _, _, design, _, found = run_in_memory(two_blocks(), plan)
    assert all(c.size in (2, 3, 12) and len(c.features) == c.size for c in found.methods["welch_t"])
    from common.studies import offered

    fold = fold_of(design, plan, Task(0, 0, 1, ()))
    candidates, outcomes = offered(fold, plan.method[0])
    assert [c.size for c in candidates] == [2, 3, 12]
    whole = Plan.resolve({"method": [{"select": "welch_t", "sizes": [32]}]}).method[0]
    _, every = offered(fold, whole)
    for part, ranked in zip(outcomes, every, strict=True):
        order = ranked[0].features
        left, right = (order[np.isin(order, block)] for block in (LEFT, RIGHT))
        expected = [j for j in order if j in [*left[:1], *right[:2]]]
        assert part[1].features.tolist() == expected
        assert part[2].features.tolist() == right.tolist()


def test_a_step_for_a_block_leaves_the_other_as_it_is():
    data = two_blocks()
    plan, design, _ = prepare_study(
        data, {**SPLITS, "method": [{"select": "pearson", "sizes": [1]}]}
    )
    fold = fold_of(design, plan, Task(0, 0, 0, ()))
    steps = [
        StepPlan.model_validate({"name": "variance", "share": 0.5, "block": "left"}),
        StepPlan.model_validate({"name": "standardize", "block": "right"}),
    ]
    view = prepared_fold(fold, steps).views[0]
    kept = view.design.features
    assert np.isin(kept, LEFT).sum() == 10
    assert set(RIGHT) <= set(kept.tolist())
    rows = fold.parts.rows[0]
    for at, j in enumerate(view.design.owner):
        got, before = view.design.X[view.train, at], design.X[rows][:, design.owner == j]
        if j in LEFT:
            np.testing.assert_array_equal(got, before[:, 0])
        elif j != 25:
            assert abs(np.nanmean(got)) < 1e-12
            assert np.nanstd(got) == pytest.approx(1)
        else:
            assert set(np.unique(got)) <= {0.0, 1.0}


def test_components_of_a_block_stand_in_its_place(tmp_path):
    data = two_blocks()
    steps = ["impute_median", {"name": "pca", "n_components": 3, "block": "left"}]
    methods = [
        {"name": "scores", "select": "moderated_t", "sizes": [1, 4, 40], "prepare": steps},
        {"name": "raw", "select": "moderated_t", "sizes": [1, 4]},
    ]
    result = run_study(data, {**SPLITS, "method": methods}, tmp_path / "s")
    found = result.to_dict()
    names = {f["name"] for f in found["features"]}
    scores = {"left:PC1", "left:PC2", "left:PC3"}
    assert names <= {*data.feature_names, *scores}
    plan, design, _ = prepare_study(data, {**SPLITS, "method": methods})
    possible = eligible_features(plan.method[0], design)
    assert possible.tolist() == [*range(20, 32), 32, 33, 34]
    assert eligible_features(plan.method[1], design).tolist() == [*range(32)]
    only = [{**methods[0], "blocks": ["left"]}]  # nothing but components to choose from
    one = run_study(data, {**SPLITS, "method": only}, tmp_path / "one").to_dict()
    by_name = {f["name"]: f for f in one["features"]}
    assert scores & set(by_name)
    assert all(by_name[n]["block"] == "left" for n in scores & set(by_name))
    assert all(
        set(f["distribution"]) == {"a", "b"} and f["scores"]["moderated_t"]["rank"] >= 1
        for f in by_name.values()
    )
    model = load_model(tmp_path / "one" / "model.npz")
    assert scores & set(model.features)
    assert set(data.feature_names[:20]) <= set(model.inputs)
    assert model.predict_proba(data).shape == (48, 2)
    order = np.random.default_rng(0).permutation(32)
    mixed = replace(
        data,
        X=data.X[:, order],
        feature_names=tuple(data.feature_names[j] for j in order),
        levels={int(np.flatnonzero(order == 25)[0]): data.levels[25]},
        blocks={},
    )
    np.testing.assert_array_equal(model.predict_proba(mixed), model.predict_proba(data))


def test_what_is_told_of_blocks(tmp_path):
    methods = [{"select": "moderated_t", "sizes": [{"left": 2, "right": 1}]}]
    found = run_study(two_blocks(), {**SPLITS, "method": methods}, tmp_path / "s")
    content = found.to_dict()
    assert content["data"]["blocks"] == {"left": 20, "right": 12}
    assert content["headline"]["blocks"] == {
        "left": {"mean": 2.0, "least": 2, "most": 2, "final": 2},
        "right": {"mean": 1.0, "least": 1, "most": 1, "final": 1},
    }
    for feature in content["features"]:
        assert feature["block"] == feature["name"].partition(":")[0]
    assert "3 features (left 2, right 1) by" in found.summary()
    assert "2.0 of 20 left, 1.0 of 12 right" in found.summary()
    assert "on 2 of left and 1 of right" in content["methods_text"]


def test_the_stability_of_a_method_on_a_block_counts_that_block():
    """Chance agreement is higher among twelve features than among thirty-two."""
    from tamis.metrics import nogueira_stability

    data = two_blocks()
    method = {"name": "r", "select": "pearson", "sizes": [3], "blocks": ["right"]}
    plan, _, design, _, found = run_in_memory(data, {**SPLITS, "method": [method]})
    from tamis.study.results.summary import Context

    y = {0: design.labels.y}
    possible = {"r": eligible_features(plan.method[0], design)}
    context = Context(plan, design.labels, y, found, possible)
    sets = [c.features - 20 for c in found.methods["r"]]
    expected = nogueira_stability(sets, 12).value
    assert context.stability(found.methods["r"])["nogueira"]["mean"] == pytest.approx(expected)


@pytest.mark.parametrize(
    ("method", "said"),
    [
        ({"blocks": ["lift"]}, "did you mean 'left'"),
        ({"prepare": [{"name": "log2", "block": "middle"}]}, "the block 'middle'"),
        ({"blocks": ["left"], "sizes": [{"right": 2}]}, "the block 'right'"),
        ({"blocks": ["left"], "prepare": [{"name": "log2", "block": "right"}]}, "'right'"),
        ({"sizes": [{"left": -1}]}, "whole numbers"),
        ({"sizes": [{"left": 0}]}, "at least one feature"),
    ],
)
def test_faults_are_one_line(method, said):
    with pytest.raises(PlanError) as error:
        prepare_study(two_blocks(), {"method": [{"select": "pearson", **method}]})
    assert said in str(error.value)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize("block", ["", "left"])
def test_features_that_a_step_creates_are_not_called_as_those_of_the_table(block, tmp_path):
    start = f"{block}:" if block else ""
    names = (*two_blocks().feature_names[:-2], f"{start}PC2", f"{start}pca:PC3")
    step = {"name": "pca", "block": block, "n_components": 3}
    more = {**step, "n_components": 4}
    plan = {
        **SPLITS,
        "method": [
            {"select": "welch_t", "sizes": [4], "blocks": ["left"], "prepare": [one], "name": name}
            for one, name in ((step, "few"), (more, "more"))
        ],
    }
    plain = run_study(two_blocks(), plan, tmp_path / "plain").to_dict()
    data = replace(two_blocks(), feature_names=names)
    found = run_study(data, plan, tmp_path / "collision").to_dict()

    def other(name):
        return f"{start}pca:pca:{name.removeprefix(start)}" if "PC" in name else name

    assert [other(f["name"]) for f in plain["features"]] == [f["name"] for f in found["features"]]
    assert any(f["name"].startswith(f"{start}pca:pca:PC") for f in found["features"])
    assert plain["metrics"] == found["metrics"]
    one, two = (load_model(tmp_path / f / "model.npz") for f in ("plain", "collision"))
    np.testing.assert_array_equal(one.predict_proba(two_blocks()), two.predict_proba(data))


def test_a_table_without_blocks_says_so():
    with pytest.raises(PlanError, match="there are none"):
        prepare_study(make_data(), {"method": [{"select": "pearson", "blocks": ["rna"]}]})


def test_blocks_of_like_names_share_nothing(tmp_path):
    """Not even a file: ':' and '/' are of no file name, and what stands for them may be alike."""
    data = replace(two_blocks(), blocks={"a/b": LEFT, "a_b": RIGHT})
    methods = [{"name": b, "select": "welch_t", "sizes": [3], "blocks": [b]} for b in data.blocks]
    both = run_study(data, {**SPLITS, "method": methods}, tmp_path / "both").to_dict()
    for at, method in enumerate(methods):
        alone = run_study(data, {**SPLITS, "method": [method]}, tmp_path / str(at)).to_dict()
        assert both["methods"][at]["metrics"] == alone["methods"][0]["metrics"]
    names = {p.name for p in (tmp_path / "both" / "cells").rglob("*.arrow")}
    assert len({name.partition("-")[2] for name in names}) == 2
    assert not any(set(name) & set(':/*?"<>|') for name in names)


def test_a_block_without_features_is_refused():
    data = replace(two_blocks(), blocks={"left": np.arange(32), "empty": []})
    for method in ({"blocks": ["empty"]}, {"sizes": [{"empty": 2}]}):
        with pytest.raises(PlanError, match="block 'empty' has no feature"):
            prepare_study(data, {"method": [{"select": "pearson", **method}]})


def test_blocks_made_by_hand_are_checked(tmp_path):
    from tamis._core.errors import DataError

    with pytest.raises(DataError, match="block 'x' has columns that are no features"):
        replace(make_data(p=5), blocks={"x": [4, 5]})
    data = replace(make_data(p=8), blocks={"x": [0, 1]})  # the others are of no block
    found = run_study(
        data, {**SPLITS, "method": [{"select": "pearson", "sizes": [6]}]}, tmp_path / "s"
    )
    assert found.to_dict()["headline"]["blocks"]["x"]["final"] <= 2


def test_components_of_all_blocks_are_of_none(tmp_path):
    plan = {
        **SPLITS,
        "prepare": ["impute_median", {"name": "pca", "n_components": 3}],
        "method": [{"select": "pearson", "sizes": [2]}],
    }
    data = two_blocks()
    found = run_study(replace(data, levels={}), plan, tmp_path / "s")
    shares = found.to_dict()["headline"]["blocks"]
    assert shares["several blocks"] == {"mean": 2.0, "least": 2, "most": 2, "final": 2}
    assert "2.0 of several blocks" in found.summary()


def test_sizes_by_block_are_the_same_in_every_part():
    """Though a filter leaves each part other columns, fewer of a block than are asked for."""
    steps = ["impute_median", {"name": "variance", "share": 0.3}]
    method = {
        "select": "welch_t",
        "sizes": [{"left": 4, "right": 3}, {"left": 9}],
        "prepare": steps,
    }
    data = two_blocks()
    found = run_in_memory(data, {**SPLITS, "method": [method]})[-1]
    assert len(found.methods["welch_t"]) == 3
    assert all(c.size == len(c.features) <= 9 for c in found.methods["welch_t"])
    assert any(np.isin(c.features, LEFT).sum() < 9 for c in found.methods["welch_t"])
    assert all(len(c.steps) == 2 for c in found.curves["welch_t"])
