"""Plans: resolved in full, and refused in one line that names the nearest valid thing."""

from __future__ import annotations

import pytest

from tamis._core.citations import CITATIONS
from tamis._core.errors import PlanError
from tamis._core.registry import ANY_OUTCOME, find_row, rows_of
from tamis._core.rows import ClassifierRow, PlanRow, RankerRow
from tamis.classifiers.classifier_labels import build_classifier
from tamis.study import Plan
from tamis.study.plan.toml import plan_toml


@pytest.mark.parametrize(
    ("raw", "says"),
    [
        ({"sed": 1}, "unknown key 'sed' in the plan: did you mean 'seed'?"),
        ({"seed": "x"}, "seed = 'x'"),
        ({"seed": -1}, "greater than or equal to 0"),
        ({"metric": "brc"}, "unknown metric 'brc': did you mean 'bcr'?"),
        ({"metric": "BCR"}, "did you mean 'bcr'?"),
        ({"outer": {"kind": "kfold"}}, "outer.kind = 'kfold': did you mean 'k-fold'?"),
        ({"outer": {"fold": 3}}, "unknown key 'outer.fold' in the plan: did you mean 'folds'?"),
        ({"inner": {"folds": 1, "repeats": 1}}, "inner.folds = 1"),
        ({"method": [{"select": "moderatd_t"}]}, "did you mean 'moderated_t'?"),
        ({"method": [{"select": "pearson", "classify": "ldaa"}]}, "did you mean 'lda'?"),
        ({"method": [{"select": "pearson", "size": [3]}]}, "did you mean 'sizes'?"),
        ({"method": [{"select": "pearson", "sizes": [0]}]}, "whole numbers from 1 up"),
        ({"method": [{"select": "pearson", "sizes": "five"}]}, "give a list"),
        ({"method": [{"select": "pearson", "tune": "auc_rate"}]}, "did you mean 'auc_ratio'?"),
        ({"method": [{"select": "pam", "sizes": ["own"]}]}, "has no size of its own"),
        ({"method": [{"select": "covariates", "sizes": [5]}]}, "has no sizes to choose"),
        (
            {"method": [{"select": "pearson", "sizes": ["own", 2]}]},
            "no size of its own unless it is cut off",
        ),
        ({"decide": "yuden"}, "unknown name decide = 'yuden': did you mean 'youden'?"),
        ({"decide": "platt"}, "decide = 'platt' is a recalibration: write recalibrate = 'platt'"),
        ({"recalibrate": "plat"}, "unknown name recalibrate = 'plat': did you mean 'platt'?"),
        ({"recalibrate": {"name": "platt", "folds": 3}}, "'platt' has no parameter 'folds'"),
        ({"recalibrate": True}, "recalibrate = True: give one name"),
        ({"method": [{"select": "pam", "classify": "lda"}]}, "does not go with select = 'pam'"),
        (
            {"method": [{"select": "pearson", "classify": "pam"}]},
            "selects and classifies",
        ),
        ({"method": [{"select": "pearson", "classify": []}]}, "empty `classify`"),
        (
            {"method": [{"select": "pearson", "classify": "knn", "grid": {"n_neighbors": []}}]},
            "no value to try",
        ),
        ({"method": [{"select": "all", "sizes": [5]}]}, "has no sizes to choose"),
        ({"method": [{"select": "pam", "parameters": {"n_thresholds": 1}}]}, "n_thresholds = 1"),
        ({"method": [{"select": "pearson", "name": "headline"}]}, "choose another"),
        (
            {
                "method": [
                    {"select": "pearson", "classify": "logistic", "grid": {"C": [float("inf")]}}
                ]
            },
            "C = inf",
        ),
        ({"outer": {"kind": "leave-one-out", "repeats": 2}}, "count the same split"),
        ({"inner": {"kind": "predefined", "repeats": 3}}, "count the same split"),
        (
            {"method": [{"select": "svm_rfe", "parameters": {"step": float("inf")}}]},
            "step = inf",
        ),
        (
            {
                "method": [
                    {"name": "x\ty", "select": "pearson"},
                    {"name": "x y", "select": "welch_t"},
                ]
            },
            "two methods are named",
        ),
        (
            {"tune": "bcm_ccem"},
            "unknown criterion tune = 'bcm_ccem': did you mean 'bcm_ccem_auprc'",
        ),
        *(
            ({"method": [{"select": "rfs", "parameters": {key: value}}]}, f"{key} = {value!r}")
            for key, value in (
                ("lambda2", -0.1),
                ("delta", 0),
                ("n_lambdas", 1),
                ("n_pairs", 0),
                ("q", 0),
                ("threshold", 0.5),
                ("pfer", 0),
                ("bound", "none"),
                ("standardize", "maybe"),
            )
        ),
        ({"method": [{"select": "hhsvm", "parameters": {"q": 5}}]}, "'hhsvm' has no parameter 'q'"),
        ({"method": [{"select": "hhsvm", "parameters": {"min_ratio": 1}}]}, "min_ratio = 1"),
        ({"permutations": True}, "permutations = True"),
        ({"permutations": 10**6}, "permutations = 1000000"),
        ({"method": [{"select": "mtfc", "parameters": {"gat": 0.1}}]}, "did you mean 'gate'?"),
        ({"method": [{"select": "mtfc", "parameters": {"gate": 7}}]}, "gate = 7"),
        (
            {"method": [{"select": "pearson", "classify": "knn", "grid": {"neighbors": [1]}}]},
            "did you mean 'n_neighbors'?",
        ),
        (
            {"method": [{"select": "pearson", "classify": ["knn", "lda"], "grid": {"svm": {}}}]},
            "not a classifier here",
        ),
        ({"method": [{"sizes": [3]}]}, "lacks 'method.0.select'"),
        ({"method": [{"select": "pearson"}, {"select": "pearson"}]}, "two methods are named"),
        ({"bootstrap": 50}, "give a table, [bootstrap] with repeats"),
        ({"outer": 10}, "give a table, [outer]"),
    ],
)
def test_a_fault_is_one_line_with_the_way_out(raw, says):
    with pytest.raises(PlanError) as error:
        Plan.resolve(raw)
    assert says in str(error.value)
    assert "\n" not in str(error.value)


def test_the_resolved_plan_leaves_nothing_implicit_and_reads_back(tmp_path):
    plan = Plan.resolve(
        {"method": [{"select": "pearson", "classify": "knn", "grid": {"n_neighbors": [1, 3]}}]}
    )
    path = tmp_path / "plan.toml"
    path.write_text(plan_toml(plan.model_dump(mode="json")), encoding="utf-8")
    assert Plan.read(path) == plan
    assert plan.method[0].grid == {"knn": {"n_neighbors": [1, 3]}}


def test_one_size_is_a_list_of_one_and_a_path_may_be_cut_at_sizes():
    plan = Plan.resolve(
        {"method": [{"select": "pearson", "sizes": 5}, {"select": "pam", "sizes": [3, 1]}]}
    )
    assert [method.sizes for method in plan.method] == [[5], [1, 3]]


def test_a_decision_is_the_methods_own_or_the_plans_and_reads_back(tmp_path):
    methods = [{"select": "pearson"}, {"select": "pam", "decide": {"name": "youden"}}]
    plan = Plan.resolve({"decide": "best_f", "method": methods})
    assert [plan.decision_of(method).name for method in plan.method] == ["best_f", "youden"]
    path = tmp_path / "plan.toml"
    path.write_text(plan_toml(plan.model_dump(mode="json")), encoding="utf-8")
    assert Plan.read(path) == plan


def test_what_is_recalibrated_where_a_plan_says_nothing_of_it():
    """Probabilities of what is chosen from; margins become none, and references have no inner
    folds."""
    linear = "sklearn.svm:LinearSVC"
    svm = {"select": "pearson", "sizes": [3], "classify": linear, "name": "margins"}
    both = {**svm, "classify": ["logistic", linear], "name": "both"}
    beside = {"select": "all", "classify": "logistic", "reference": True, "name": "beside"}
    off = {"select": "pam", "recalibrate": False}
    methods = [{"select": "pearson"}, svm, both, beside, {**off, "name": "off"}]

    def found(**more):
        plan = Plan.resolve({"method": methods, **more})
        again = Plan.resolve(plan.model_dump(mode="json"))  # nothing is left implicit
        assert again.model_dump() == plan.model_dump()
        named = [plan.recalibration_of(method) for method in plan.method]
        return [None if one is None else one.name for one in named], plan

    names, plan = found()
    assert names == ["slope", None, None, None, None]
    assert plan.known(plan.method[1]) == {linear: "order"}
    names, plan = found(recalibrate="platt")
    assert names == ["platt", "platt", "platt", None, None]
    assert plan.known(plan.method[1]) == {linear: "proba"}
    assert found(recalibrate=False)[0] == [None] * 5


def test_the_default_plan_reads_back(tmp_path):
    path = tmp_path / "plan.toml"
    path.write_text(plan_toml(Plan().model_dump(mode="json")), encoding="utf-8")
    assert Plan.read(path) == Plan()


def test_overrides_win_over_the_file(tmp_path):
    path = tmp_path / "plan.toml"
    path.write_text("seed = 3\npermutations = 7\n", encoding="utf-8")
    plan = Plan.read(path, seed=9)
    assert (plan.seed, plan.permutations) == (9, 7)


@pytest.mark.parametrize(("text", "says"), [("seed = ", "is not TOML"), (None, "cannot read")])
def test_unreadable_plans(tmp_path, text, says):
    path = tmp_path / "plan.toml"
    if text is not None:
        path.write_text(text, encoding="utf-8")
    with pytest.raises(PlanError, match=says):
        Plan.read(path)


@pytest.mark.parametrize(
    "row", rows_of(PlanRow, ANY_OUTCOME), ids=lambda row: f"{row.role}-{row.name}"
)
def test_every_row_of_the_registry_loads_and_is_cited(row):
    if row.target:
        assert callable(row.load())
    else:
        assert row.name in ("all", "covariates")  # these rank nothing
    assert set(row.cite) <= set(CITATIONS)
    for name in row.plan_defaults.classify if isinstance(row, RankerRow) else ():
        assert find_row(name, ClassifierRow).name == name


@pytest.mark.parametrize(
    ("method", "says"),
    [
        ({"classify": "bagging(lda"}, "write a name, or a table"),
        ({"classify": "lda)"}, "write a name, or a table"),
        ({"classify": {"name": "bagging", "of": {"name": "knn", "grid": {}}}}, "grid inside `of`"),
        ({"classify": {"name": "bagging", "of": ["lda"]}}, "of = "),
        ({"classify": [{"name": "knn"}, {"name": "knn"}]}, "twice"),
        (
            {"classify": {"name": "knn", "grid": {}}, "grid": {"knn": {"n_neighbors": [3]}}},
            "two grids",
        ),
        ({"sizes": 0}, "whole numbers from 1 up"),
        ({"sizes": False}, "whole numbers from 1 up"),
        ({"decide": {"name": "youden", "parameters": 3}}, "must be a table"),
    ],
)
def test_what_would_be_lost_or_misread_is_refused_in_one_line(method, says):
    with pytest.raises(PlanError, match=says) as caught:
        Plan.resolve({"method": [{"select": "pearson", **method}]})
    assert "\n" not in str(caught.value)


def test_classifiers_around_classifiers_are_not_endless():
    table = "lda"
    for _ in range(2000):
        table = {"name": "bagging", "of": table}
    with pytest.raises(PlanError, match="around more than"):
        Plan.resolve({"method": [{"select": "pearson", "classify": table}]})


def test_a_grid_reaches_the_classifier_inside():
    inside = {"name": "bagging", "of": "forest"}
    grid = {"n_estimators": [2, 3], "forest.n_estimators": [5]}
    method = {"select": "pearson", "classify": inside, "grid": grid}
    plan = Plan.resolve({"method": [method]})
    assert plan.method[0].grid == {"bagging(forest)": grid}
    built = build_classifier("bagging(forest)", {"n_estimators": 3, "forest.n_estimators": 5})
    assert (built.n_estimators, built.of.n_estimators) == (3, 5)


@pytest.mark.parametrize(
    ("raw", "says"),
    [
        ({"method": {"select": "pam"}}, r"write \[\[method\]\]"),
        ({"decide": True}, "give one name"),
        ({"decide": ["youden", "best_f"]}, "give one name"),
        ({"outer": {"decide": "youden"}}, "above its first table"),
        ({"inner": {"recalibrate": "platt"}}, "above its first table"),
        ({"decide": {"nam": "youden"}}, "decide.name"),
    ],
)
def test_slips_of_toml_are_told_what_to_do(raw, says):
    with pytest.raises(PlanError, match=says):
        Plan.resolve(raw)
