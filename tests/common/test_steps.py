"""Steps before ranking: no method passes them by, and nothing is learnt from rows held out."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import pytest

from common.folds import KINDS, PLAN, check_refitted, fold, made_up_table, methods, same_beliefs
from common.null_methods import every_method
from common.steps import matrix_steps
from common.studies import offered
from tamis._core.interfaces import FittedStep
from tamis._core.registry import find_row, selecting_row, with_rows
from tamis._core.rows import StepRow
from tamis.kernels.medians import impute_medians
from tamis.model.file import load_model
from tamis.preparation.step import StepTransformer
from tamis.selection._parts import TrainingParts
from tamis.study import run_study
from tamis.study.plan import MethodPlan, Plan, StepPlan
from tamis.study.protocol.candidates import ranker_key
from tamis.study.protocol.nested_cv import Task, all_rows_fold, fold_of
from tamis.study.protocol.prepared import prepared_fold
from tamis.study.run import prepare_study

STEPS = matrix_steps()
CHAIN = ["impute_median", {"name": "variance", "share": 0.7}, "quantile", "standardize"]
every_kind = pytest.mark.parametrize("kind", KINDS)
prepared_methods = [n for n, m in methods().items() if selecting_row(m.select).takes.prepared]


def steps_of(step):
    """The plan's steps by a name, or the chain of several."""
    return [StepPlan.model_validate(one) for one in (CHAIN if step == "chain" else [step])]


def batches_of(one, rows):
    """Codes of the batches of some rows of a fold's table, if it has any."""
    codes = one.design.labels.batch_codes
    return None if codes is None else codes[rows]


def mirrored(X):
    """Every column with the values of its mirror image, where both have one."""
    image = X[:, ::-1]
    return np.where(np.isnan(X) | np.isnan(image), X, image)


@dataclass(frozen=True)
class Mirrored(FittedStep):
    """Every numeric column holds the values of its mirror image."""

    outputs: np.ndarray
    p: int

    @property
    def columns(self):
        return self.outputs

    def transform(self, X):
        return mirrored(X)[:, self.outputs]

    def only(self, outputs):
        return Mirrored(self.outputs[outputs], self.p), np.arange(self.p)

    def to_arrays(self):
        return {"outputs": self.outputs.astype(float)}


class Mirror(StepTransformer):
    """A step that no method can pass by unnoticed."""

    def learn(self, X, y):
        return Mirrored(np.arange(X.shape[1]), X.shape[1])

    def from_arrays(self, arrays, n_columns):
        return Mirrored(arrays["outputs"].astype(int), n_columns)


MIRROR = StepRow("mirror", f"{__name__}:Mirror", "columns in mirror image")


def mirrored_table(kind):
    """The table whose numeric features are what the step makes of them."""
    data = made_up_table(kind)
    numbers = [int(j) for j in data.ranked if int(j) not in data.levels]
    X = data.X.copy()
    X[:, numbers] = mirrored(data.X[:, numbers])
    return replace(data, X=X)


@every_kind
@pytest.mark.parametrize("name", prepared_methods)
@pytest.mark.full
def test_no_method_passes_a_step_by(kind, name, monkeypatch):
    """It chooses and believes what it does on a table prepared beforehand, bit for bit."""
    for module in ("ranked", "paths"):  # random streams are keyed by the steps too
        monkeypatch.setattr(
            f"tamis.study.protocol.{module}.ranker_key",
            lambda plan: ranker_key(plan.model_copy(update={"prepare": []})),
        )
    plan = methods()[name]
    _, design, _ = prepare_study(mirrored_table(kind), {**PLAN, "method": every_method()})
    study, _, _ = prepare_study(
        mirrored_table(kind), {**PLAN, "method": [{"select": "pearson", "sizes": [1]}]}
    )
    beforehand = fold_of(design, study, Task(0, 0, 1, ()))
    with with_rows([MIRROR]):
        inside = prepared_fold(fold(kind), [StepPlan(name="mirror")])
        ours, theirs = offered(inside, plan), offered(beforehand, plan)
    assert ours[0] == theirs[0]
    for part, twin in zip(ours[1], theirs[1], strict=True):
        for a, b in zip(part, twin, strict=True):
            assert a.features.tolist() == b.features.tolist()
            same_beliefs(a.beliefs, b.beliefs, 1e-9, name)


@every_kind
@pytest.mark.parametrize("name", prepared_methods)
@pytest.mark.full
def test_refitted_behind_steps_a_candidate_believes_what_it_was_judged_by(kind, name):
    check_refitted(kind, steps_of("chain"), methods()[name])


def test_a_feature_that_a_filter_drops_is_never_chosen():
    """Whatever the size asked for; sizes count the same in every part."""
    steps = [StepPlan.model_validate({"name": "variance", "share": 0.3})]
    one = prepared_fold(fold("plain"), steps)
    plan = MethodPlan.model_validate({"select": "moderated_t", "sizes": [2, 50]})
    candidates, outcomes = offered(one, plan)
    assert [c.size for c in candidates] == [2, 12]
    for view, part in zip(one.views, outcomes, strict=True):
        kept = set(view.design.owner.tolist())
        assert len(kept) == 4
        assert set(part[1].features.tolist()) == kept
        assert set(part[0].features.tolist()) < kept


@every_kind
@pytest.mark.parametrize("rest", [[], ["standardize"], [{"name": "variance", "share": 0.5}]])
def test_what_sees_one_sample_at_a_time_is_done_once(kind, rest):
    """As if the table had come so; its parts go on sharing, and a model does it anew."""
    one = fold(kind)
    X = one.design.X.copy()
    numeric = one.design.numeric
    X[:, numeric] = np.log2(np.maximum(X[:, numeric], 0.5))
    steps = [StepPlan.model_validate(r) for r in rest]
    logged = StepPlan.model_validate({"name": "log2", "least": 0.5})
    ours = prepared_fold(one, [logged, *steps])
    parts = TrainingParts(X, one.y, one.parts.rows)
    theirs = prepared_fold(replace(one, design=replace(one.design, X=X), parts=parts), steps)
    assert bool(ours.prepared) == bool(rest)
    assert len({id(view.parts) for view in ours.views}) == (len(one) if rest else 1)
    for a, b in zip(ours.views, theirs.views, strict=True):
        np.testing.assert_array_equal(a.design.X, b.design.X)
        assert a.design.owner.tolist() == b.design.owner.tolist()
        assert a.train.tolist() == b.train.tolist()
        rows = np.concatenate([one.parts.rows[a.at], one.tests[a.at]]) if not rest else None
        if rows is not None:
            np.testing.assert_array_equal(a.chain.transform(one.design.X[rows]), a.design.X[rows])
    chain, inputs = ours.views[0].chain.only(np.array([1, 0]))
    expected = ours.views[0].design.X[ours.views[0].test][:, [1, 0]]
    got = chain.transform(one.design.X[np.ix_(one.tests[0], inputs)])
    np.testing.assert_array_equal(got, expected)
    assert chain.links[0].named.name == "log2"


class Sneaky(Mirror):
    """Says that it sees one sample at a time, and looks at all of them."""

    scope = "row"

    def learn(self, X, y):
        assert len(X) == len(y) == 0
        return super().learn(X, y)


def test_a_step_by_row_is_shown_no_row():
    row = StepRow("sneaky", f"{__name__}:Sneaky", "one sample at a time")
    with with_rows([row]):
        one = prepared_fold(fold("plain"), [StepPlan(name="sneaky")])
    np.testing.assert_array_equal(one.design.X, mirrored(fold("plain").design.X))


def test_a_step_alone_is_a_fit_to_the_training_rows():
    """By scikit-learn's own manners, on the rows of each part."""
    one = fold("plain")
    for name in STEPS:
        row = find_row(name, StepRow)
        made = row.build({})
        if made.scope == "row" or row.enter == "categories":  # the table has none
            continue
        views = prepared_fold(one, [StepPlan(name=name)]).views
        for k, view in enumerate(views):
            rows = one.parts.rows[k]
            made.fit(one.design.X[rows], one.y[rows])
            expected = made.transform(one.design.X[one.tests[k]])
            np.testing.assert_allclose(view.design.X[view.test], expected, rtol=1e-14)


@pytest.mark.parametrize("kind", KINDS)
def test_steps_travel_in_the_saved_model(kind, tmp_path):
    """What is predicted of a table is what the steps and the predictor make of it."""
    data = made_up_table(kind)
    plan = {
        "outer": {"folds": 2},
        "inner": {"folds": 2, "repeats": 1},
        "permutations": 0,
        "describe": False,
        "prepare": CHAIN,
        "method": [{"select": "moderated_t", "sizes": [3]}],
    }
    run_study(data, plan, tmp_path / "s")
    model = load_model(tmp_path / "s" / "model.npz")
    assert [link.named.name for link in model.steps.links] == [
        "impute_median",
        "variance",
        "quantile",
        "standardize",
    ]
    assert set(model.features) < set(model.inputs)
    assert len(model.inputs) < len(data.ranked)  # a filter has dropped some for good
    run_study(data, plan, tmp_path / "t", n_jobs=2)
    assert (tmp_path / "t" / "model.npz").read_bytes() == (
        tmp_path / "s" / "model.npz"
    ).read_bytes()
    shuffled = data.X[:, ::-1]
    names = data.feature_names[::-1]
    levels = {data.shape[1] - 1 - j: v for j, v in data.levels.items()}
    other = replace(data, X=shuffled, feature_names=names, levels=levels, covariates=())
    np.testing.assert_array_equal(model.predict_proba(other), model.predict_proba(data))


def test_a_table_without_what_the_steps_need_is_refused_by_name(tmp_path):
    from tamis._core.errors import ModelError

    data = made_up_table("plain")
    plan = {
        "outer": {"folds": 2},
        "inner": {"folds": 2, "repeats": 1},
        "permutations": 0,
        "describe": False,
        "prepare": ["quantile"],
        "method": [{"select": "pearson", "sizes": [1]}],
    }
    run_study(data, plan, tmp_path / "s")
    model = load_model(tmp_path / "s" / "model.npz")
    lost = next(j for j, name in enumerate(data.feature_names) if name not in model.features)
    keep = np.delete(np.arange(data.shape[1]), lost)
    less = replace(
        data, X=data.X[:, keep], feature_names=tuple(data.feature_names[j] for j in keep)
    )
    with pytest.raises(
        ModelError, match=f"lacks 1 of the 12 columns .* {data.feature_names[lost]!r}"
    ):
        model.predict(less)


def test_methods_with_other_steps_share_nothing(tmp_path):
    """Beside others a method chooses what it does alone."""

    def method(name, prepare):
        return {"name": name, "select": "moderated_t", "sizes": [3], "prepare": prepare}

    base = {
        "outer": {"folds": 3},
        "inner": {"folds": 2, "repeats": 1},
        "permutations": 0,
        "final": False,
        "describe": False,
    }
    plans = {"raw": [], "ranks": ["equal_frequency"], "few": [{"name": "variance", "share": 0.2}]}
    every = [method(n, p) for n, p in plans.items()]
    together = run_study(
        made_up_table("plain"), {**base, "method": every}, tmp_path / "all"
    ).to_dict()
    for at, one in enumerate(every):
        alone = run_study(made_up_table("plain"), {**base, "method": [one]}, tmp_path / one["name"])
        got = alone.to_dict()["methods"][0]
        assert got["metrics"]["auc"] == together["methods"][at]["metrics"]["auc"]
        assert got["sizes"] == together["methods"][at]["sizes"]
    scores = {m["metrics"]["auc"]["mean"] for m in together["methods"]}
    assert len(scores) > 1


def test_the_plans_steps_are_those_of_methods_that_name_none():
    plan = Plan.resolve(
        {
            "prepare": ["log2"],
            "method": [
                {"select": "pearson"},
                {"select": "welch_t", "prepare": ["mdl"]},
                {"select": "mtd", "prepare": []},
                {"select": "covariates"},
            ],
        }
    )
    assert [[s.name for s in m.prepare] for m in plan.method] == [["log2"], ["mdl"], [], []]
    stored = plan.model_dump(mode="json")
    assert Plan.resolve(stored).model_dump(mode="json") == stored
    made = Plan(prepare=[StepPlan(name="log2")], method=[MethodPlan(select="pearson")])
    assert [s.name for s in made.method[0].prepare] == ["log2"]
    default = Plan.resolve({"prepare": ["log2"]})
    assert all([s.name for s in m.prepare] == ["log2"] for m in default.method)


@pytest.mark.parametrize(
    ("prepare", "message"),
    [
        (["quantil"], "did you mean 'quantile'"),
        ([{"name": "variance", "share": 2}], "share = 2"),
        ([{"name": "variance", "shar": 0.5}], "no parameter 'shar'"),
        ("quantile", "prepare"),
    ],
)
def test_faults_of_steps_are_one_line(prepare, message):
    from tamis._core.errors import PlanError

    with pytest.raises(PlanError, match=message) as error:
        Plan.resolve({"prepare": prepare, "method": [{"select": "pearson"}]})
    assert "\n" not in str(error.value)


def test_filters_that_leave_nothing_are_told():
    from tamis._core.errors import PlanError

    steps = [StepPlan.model_validate({"name": "presence", "above": 1e9})]
    with pytest.raises(PlanError, match="no column is left in a training set"):
        prepared_fold(fold("plain"), steps)


def test_filters_and_imputers_share_what_they_leave():
    """Nothing is summed anew behind them, in columns without gaps."""
    one = fold("mixed")
    whole = np.setdiff1d(np.arange(one.design.X.shape[1]), one.design.incomplete)
    for step in ("impute_median", "impute_mode", "impute_knn", "presence", "variance"):
        for view in prepared_fold(one, steps_of(step)).views:
            columns = np.flatnonzero(np.isin(one.design.owner, view.design.owner))
            expected = np.isin(columns, whole).sum()
            assert (view.parts.same >= 0).sum() == expected, step
    for step in ("standardize", "mdl"):
        view = prepared_fold(fold("plain"), steps_of(step)).views[0]
        assert (view.parts.same < 0).all()


@pytest.mark.parametrize("more", [[], ["standardize", "impute_median"]])
@pytest.mark.parametrize("classify", ["lda", "tree", "c45"])
def test_a_model_of_some_levels_of_a_category_sees_what_was_fitted(classify, more, tmp_path):
    """Behind a step that drops rare levels, for classifiers of 0/1 columns and of codes."""
    data = made_up_table("mixed")
    X, rare = data.X.copy(), np.arange(48) < 2
    X[:, 5] = np.where(rare, 3, (np.arange(48) + (data.codes > 0)) % 3)
    data = replace(data, X=X)
    plan = {
        "outer": {"folds": 2},
        "inner": {"folds": 2, "repeats": 1},
        "permutations": 0,
        "describe": False,
        "prepare": [{"name": "level_presence", "share": 0.1}, *more],
        "method": [{"select": "pearson", "sizes": [8], "classify": [classify]}],
    }
    run_study(data, plan, tmp_path / "s")
    model = load_model(tmp_path / "s" / "model.npz")
    assert data.feature_names[5] in model.features
    assert 1 <= model.widths[model.features.index(data.feature_names[5])] < 4
    prepared, design, _ = prepare_study(data, plan)
    view = all_rows_fold(design, prepared, prepared.method[0]).views[0]
    features = np.array([data.feature_names.index(name) for name in model.features])
    matrix = model.matrix(data)[:, -len(features) if model.view == "raw" else -sum(model.widths) :]
    if model.view == "raw":
        expected = view.design.as_it_is(view.train, features)
    else:
        expected = view.design.X[:, view.design.columns_of(features)].copy()
        impute_medians(expected, np.arange(expected.shape[1]), model.medians[-expected.shape[1] :])
    np.testing.assert_array_equal(matrix, expected)
