"""Rules about whom no decision is made for, inside a study: on what, and at the cost of what."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from common.studies import make_data, run_in_memory
from tamis._core.errors import PlanError
from tamis._core.interfaces import Beliefs, RuleInput
from tamis._core.registry import row_names
from tamis._core.rows import RuleRow
from tamis.classifiers.decisions.arg_max import ArgMax
from tamis.classifiers.decisions.target_rate import TargetSensitivity
from tamis.classifiers.recalibrations.layer import Recalibrated
from tamis.classifiers.recalibrations.platt import Platt
from tamis.classifiers.recalibrations.slope import Slope
from tamis.classifiers.rejection.accept_all import AcceptAll
from tamis.classifiers.rejection.certainty import decision_certainty, gap_to_runner_up
from tamis.classifiers.rejection.conformal import Conformal
from tamis.classifiers.rejection.cost import Cost
from tamis.classifiers.rejection.coverage import Coverage
from tamis.classifiers.rejection.decision import Rejecting
from tamis.classifiers.rejection.f_beta import FBeta
from tamis.classifiers.rejection.fisher import Fisher
from tamis.classifiers.rejection.novelty import highest_usual
from tamis.classifiers.rejection.risk import Risk
from tamis.model.file import load_model
from tamis.study import run_study
from tamis.study.plan import Plan, RejectPlan
from tamis.study.plan.rejection import refuse_unsure
from tamis.study.protocol import nested_cv
from tamis.study.protocol.cellfile import decode_cell
from tamis.study.protocol.tuning import Inner
from tamis.study.results import collect

SVM = {"select": "moderated_t", "sizes": [2, 5], "classify": "svm_linear"}
BAYES = {"select": "moderated_t", "sizes": [3], "classify": "naive_bayes", "name": "bayes"}
NOVEL = {**BAYES, "classify": {"name": "with_novelty", "of": "naive_bayes"}, "name": "novel"}
SHORT = {"outer": {"folds": 3}, "inner": {"folds": 3, "repeats": 2}, "permutations": 0}
ONE = {**SHORT, "final": False, "method": [SVM, BAYES]}
COVERAGE = {"name": "coverage", "at": 0.7}
LEARNING = [FBeta(), Fisher(), Coverage(at=0.7), Risk(at=0.3), Conformal(at=0.2)]


def beliefs(n=80, seed=0, C=2):
    """Margins that are wrong where they are small, probabilities, and novelty of samples."""
    rng = np.random.default_rng(seed)
    y = np.arange(n) % C
    margin = 1.2 * rng.normal(size=(n, C)) + 2 * np.eye(C)[y]
    proba = np.exp(margin) / np.exp(margin).sum(axis=1, keepdims=True)
    return Beliefs(proba, margin, rng.gamma(2.0, size=n), np.arange(n)), y


@pytest.mark.parametrize("rule", LEARNING, ids=lambda r: type(r).__name__)
def test_the_repeats_of_a_sample_are_one_sample(rule):
    given, y = beliefs()
    once = Rejecting(ArgMax(), rule, novelty=0.1).fit(given, y)
    order = np.random.default_rng(1).permutation(np.tile(np.arange(80), 5))
    five = Rejecting(ArgMax(), rule, novelty=0.1).fit(given.take(order), y[order])
    assert once.strange == pytest.approx(five.strange)
    for name in ("threshold", "least", "p_value", "errors", "n"):
        found = getattr(once.rule, name, None)
        assert found is None or getattr(five.rule, name) == pytest.approx(found)
    new, _ = beliefs(seed=3)
    assert once.decide(new).accepted.tolist() == five.decide(new).accepted.tolist()
    assert 0 < once.decide(new).accepted.sum() < 80


@pytest.mark.parametrize("rule", [*LEARNING, AcceptAll()], ids=lambda r: type(r).__name__)
@pytest.mark.parametrize(
    "whole", [Recalibrated(Platt(), ArgMax()), TargetSensitivity(at=0.9)], ids=["mean", "pool"]
)
def test_of_repeats_that_differ_each_part_takes_what_it_wants(whole, rule):
    """As the protocol fits it: the decision as ever, promises and novelty to the first repeat."""
    sets = [beliefs(seed=seed)[0] for seed in (0, 5, 9)]
    y = beliefs()[1]
    every = Beliefs(
        *(
            np.concatenate([getattr(one, k) for one in sets])
            for k in ("proba", "margin", "novelty")
        ),
        np.tile(np.arange(80), 3),
    )
    inner = Inner(
        np.tile(y, 3),
        [slice(0, 80), slice(80, 160), slice(160, 240)],
        every.samples,
        [every],
        np.full((240, 2), 0.5),
    )
    found = inner.fitted(Rejecting(whole, rule, novelty=0.1), every)
    alone = inner.fitted(whole, every)
    single, mean = sets[0], every.averaged()
    for name, array in alone.to_arrays().items():
        np.testing.assert_array_equal(found.decision.to_arrays()[name], array)
    assert found.strange == highest_usual(single.novelty, 0.1)
    seen = single if rule.promises else mean
    decided = alone.decide(seen)
    told = RuleInput(
        decision_certainty(alone, seen, decided, "auto"), decided.codes, decided.beliefs.proba
    )
    assert found.rule == rule.fit(told, y)
    np.testing.assert_array_equal(found.inside, np.sort(told.certainty))


def test_it_keeps_the_labels_and_takes_some_back():
    given, y = beliefs()
    whole = ArgMax().decide(given)
    found = Rejecting(ArgMax(), Coverage(at=0.7), novelty=0.1).fit(given, y).decide(given)
    assert found.codes.tolist() == whole.codes.tolist()
    np.testing.assert_array_equal(found.beliefs.proba, whole.beliefs.proba)
    fitted = Rejecting(ArgMax(), Coverage(at=0.7), novelty=0.1).fit(given, y)
    unsure = found.certainty < fitted.rule.threshold
    strange = given.novelty > fitted.strange
    assert unsure.any()
    assert strange.any()
    assert found.accepted.tolist() == (~unsure & ~strange).tolist()
    assert set(found.labels[~found.accepted]) == {-1}


def test_what_certainty_is():
    given, y = beliefs(C=3)
    told = ArgMax().decide(given)
    top = np.sort(given.margin, axis=1)
    np.testing.assert_allclose(
        decision_certainty(ArgMax(), given, told, "auto"), top[:, 2] - top[:, 1]
    )
    np.testing.assert_allclose(
        decision_certainty(ArgMax(), given, told, "posterior"), given.proba.max(axis=1)
    )
    alone = replace(given, margin=None)
    np.testing.assert_allclose(
        decision_certainty(ArgMax(), alone, ArgMax().decide(alone), "auto"), given.proba.max(axis=1)
    )
    logs = np.sort(np.log(given.proba), axis=1)
    np.testing.assert_allclose(
        decision_certainty(ArgMax(), alone, ArgMax().decide(alone), "margin"),
        logs[:, 2] - logs[:, 1],
    )
    platt = Recalibrated(Platt(), ArgMax()).fit(given, y)
    again = platt.decide(given)
    np.testing.assert_allclose(
        decision_certainty(platt, given, again, "posterior"),
        again.beliefs.proba[np.arange(80), again.codes],
    )
    wrong = gap_to_runner_up(given.margin, given.margin.argmin(axis=1))
    np.testing.assert_allclose(wrong, top[:, 0] - top[:, 2])


def test_with_a_threshold_certainty_is_the_distance_from_it():
    given, y = beliefs()
    whole = TargetSensitivity(at=0.9)
    fitted = Rejecting(whole, Coverage(at=0.7)).fit(given, y)
    scores = given.margin[:, 1] - given.margin[:, 0]
    found = fitted.decide(given)
    threshold = fitted.decision.threshold
    assert threshold != 0
    np.testing.assert_allclose(found.certainty, abs(scores - threshold))
    assert found.codes.tolist() == (scores >= threshold).astype(int).tolist()
    assert 0.6 < found.accepted.mean() < 0.8


@pytest.fixture(scope="module")
def study():
    """The tasks, design and decoded cells of a study without a rule; `of_plan` reads them."""
    data = make_data(seed=5, n=60, p=15, informative=2, shift=0.7)
    return decoded(data, {**ONE, "method": [SVM, NOVEL]})


def decoded(data, plan):
    _, tasks, design, files, _ = run_in_memory(data, plan)
    return design, [
        (task, {key: decode_cell(files[task.path(key)]) for key in task.rankers}) for task in tasks
    ]


def of_plan(study, turned=False, **other):
    """Choices of each method in every fold, by name; with `turned`, where the labels of the rows
    held out are the reverse."""
    design, tasks = study
    plan = Plan.resolve({**ONE, "method": [SVM, NOVEL], **other})
    choices = {method.name: [] for method in plan.method}
    for task, read in tasks:
        y = nested_cv.labels_of(design, plan, task.permutation, task.draw).y.copy()
        test = next(iter(read.values())).test
        if turned:
            y[test] = 1 - y[test]
        for choice in collect.found_in(plan, task, read, y, design.costs).choices:
            choices[choice.method].append(choice)
    return choices


def declined(choices):
    return np.concatenate([choice.predicted < 0 for choice in choices])


@pytest.mark.parametrize(
    "reject",
    [
        COVERAGE,
        {**COVERAGE, "score": "posterior"},
        {"name": "f_beta", "significance": 0.9},
        {"name": "risk", "at": 0.1},
        {"name": "conformal", "at": 0.3},
        {"name": "cost", "at": 0.3},
        "fisher",
    ],
    ids=str,
)
def test_candidates_are_tuned_at_full_coverage(study, reject):
    """With a rule and without the same ones are taken, and say the same of all rows."""
    plain, ruled = of_plan(study), of_plan(study, reject=reject)
    for name, choices in plain.items():
        for a, b in zip(choices, ruled[name], strict=True):
            assert (a.size, a.settings, a.inner) == (b.size, b.settings, b.inner)
            assert a.features.tolist() == b.features.tolist()
            assert a.codes.tolist() == b.codes.tolist()
            np.testing.assert_array_equal(a.proba, b.proba)
            assert a.predicted.tolist() == a.codes.tolist()
            kept = b.predicted >= 0
            assert b.predicted[kept].tolist() == b.codes[kept].tolist()
        if reject != "fisher":
            assert declined(ruled[name]).any()


@pytest.mark.parametrize("rule", row_names(RuleRow))
def test_labels_of_rows_held_out_have_no_say(study, rule):
    given = {"coverage": 0.7, "cost": 0.2, "conformal": 0.3, "risk": 0.2}
    reject = {"name": rule, **({"at": given[rule]} if rule in given else {})}
    if rule in ("f_beta", "fisher"):
        reject["significance"] = 0.9
    found, again = (of_plan(study, turned=turned, reject=reject) for turned in (False, True))
    for name, choices in found.items():
        for a, b in zip(choices, again[name], strict=True):
            assert a.predicted.tolist() == b.predicted.tolist()


def test_a_methods_own_rule_comes_before_the_plans(study):
    methods = [{**SVM, "reject": "nobody"}, NOVEL]
    found = of_plan(study, reject=COVERAGE, method=methods)
    plain = of_plan(study, reject=COVERAGE)
    svm, novel = found
    assert not declined(found[svm]).any()
    assert declined(plain[svm]).any()
    assert declined(found[novel]).tolist() == declined(plain[novel]).tolist()
    other = of_plan(study, method=[{**SVM, "reject": COVERAGE}, NOVEL])
    assert declined(other[svm]).tolist() == declined(plain[svm]).tolist()
    assert not declined(other[novel]).any()


def test_novelty_alone_may_be_the_reason(study):
    methods = [{**SVM, "reject": "nobody"}, NOVEL]
    (_, found) = of_plan(study, reject={"name": "nobody", "novelty": 0.2}, method=methods).values()
    assert 0 < declined(found).mean() < 0.5
    for choice in found:
        assert np.isfinite(choice.decision.strange)
        assert "novelty above" in choice.decision.report_text(["a", "b"])


def test_the_rule_is_fitted_to_one_row_a_sample(study):
    """Twenty samples of each class are held out inside, each of them twice."""
    for choices in of_plan(study, reject={"name": "risk", "at": 0.4}).values():
        assert [choice.decision.rule.n for choice in choices] == [40, 40, 40]


def test_a_rule_that_declines_everybody_says_why(study):
    for choices in of_plan(study, reject={"name": "risk", "at": 0.001}).values():
        assert declined(choices).all()
        for choice in choices:
            assert "all samples are declined" in choice.decision.rule.doubt()


COSTS = {"a": {"b": 6}, "b": {"a": 1}}


@pytest.mark.parametrize("decide", ["minimum_risk", "arg_max"])
@pytest.mark.parametrize("columns", [False, True])
def test_chows_rule_by_class_and_by_columns(decide, columns):
    data = make_data(seed=3, n=48, p=12, informative=2, shift=0.8)
    amounts = np.random.default_rng(3).uniform(1, 9, 48)
    data = replace(
        data, X=np.column_stack([data.X, amounts]), feature_names=(*data.feature_names, "amount")
    )
    costs = {"a": {"b": "amount"}, "b": {"a": 3}} if columns else COSTS
    plan = {
        **ONE,
        "method": [BAYES],
        "costs": costs,
        "decide": decide,
        "reject": {"name": "cost", "at": 0.5},
    }
    found = run_in_memory(data, plan)[4]
    count = 0
    for choice in found.headline:
        for row, proba, code, told in zip(
            choice.test, choice.proba, choice.codes, choice.predicted, strict=True
        ):
            missed, alarm = (amounts[row], 3) if columns else (6, 1)
            cost = proba[0] * alarm if code else proba[1] * missed
            if decide == "minimum_risk":
                assert cost <= min(proba[0] * alarm, proba[1] * missed) * (1 + 1e-12)
            assert told == (code if cost <= 0.5 else -1)
            count += told < 0
    assert 0 < count < 48


@pytest.mark.parametrize("columns", [False, True])
def test_a_saved_model_declines_by_its_costs(tmp_path, columns):
    data = make_data(seed=3, n=48, p=12, informative=2, shift=0.8)
    amounts = np.random.default_rng(3).uniform(1, 9, 48)
    data = replace(
        data, X=np.column_stack([data.X, amounts]), feature_names=(*data.feature_names, "amount")
    )
    plan = {
        **SHORT,
        "method": [BAYES],
        "decide": "arg_max",
        "metric": "bcr",
        "costs": {"a": {"b": "amount"}, "b": {"a": 3}} if columns else COSTS,
        "reject": {"name": "cost", "at": 0.5},
    }
    run_study(data, plan, tmp_path / "s", n_jobs=1)
    model = load_model(tmp_path / "s" / "model.npz")
    proba = model.predict_proba(data)
    missed, alarm = (amounts, 3) if columns else (6, 1)
    cost = np.where(proba[:, 1] > proba[:, 0], proba[:, 0] * alarm, proba[:, 1] * missed)
    expected = [
        None if c > 0.5 else "ab"[int(p > 0.5)] for c, p in zip(cost, proba[:, 1], strict=True)
    ]
    assert model.predict(data).tolist() == expected
    assert None in expected
    assert {"a", "b"} <= set(expected)


METACOST = {**BAYES, "classify": {"name": "metacost", "of": "naive_bayes"}}


@pytest.mark.parametrize(
    ("plan", "words"),
    [
        ({"reject": "f_bta"}, "f_beta"),
        ({"reject": {"name": "coverage", "at": 1.5}}, "at"),
        ({"reject": {"name": "coverage", "at": 0.5, "beta": 2}}, "beta"),
        ({"reject": {"name": "f_beta", "beta": -1}}, "beta"),
        ({"reject": {"name": "f_beta", "score": "entropy"}}, "score"),
        ({"reject": {"name": "f_beta", "novelty": 1.0}}, "novelty"),
        ({"reject": 3}, "reject"),
        ({"reject": "platt"}, "platt"),
        ({"decide": "platt"}, "write recalibrate = 'platt'"),
        ({"decide": "coverage"}, "coverage"),
        ({"inner": {"folds": 3, "reject": COVERAGE}}, "`reject` is a key of the plan"),
        ({"outer": {"folds": 3, "reject": COVERAGE}}, "`reject` is a key of the plan"),
        ({"reject": {**COVERAGE, "novelty": 0.1}}, 'classify = { name = "with_novelty", of ='),
        (
            {"method": [{"select": "pam"}], "reject": {"name": "nobody", "novelty": 0.1}},
            "with_novelty",
        ),
    ],
    ids=str,
)
def test_plans_that_cannot_be_are_refused_in_one_line(plan, words):
    with pytest.raises(PlanError) as error:
        Plan.resolve({**ONE, **plan})
    assert words in str(error.value)
    assert "\n" not in str(error.value)


def test_what_gives_no_probabilities_cannot_be_asked_for_them():
    """Classifiers that costs are charged to order samples, no more; and labels say nothing."""
    plan = {**ONE, "costs": COSTS, "decide": "arg_max", "metric": "bcr", "method": [METACOST]}
    for reject in ({**COVERAGE, "score": "posterior"}, {"name": "conformal", "at": 0.1}):
        with pytest.raises(PlanError, match='margins alone: write reject = "nobody"'):
            Plan.resolve({**plan, "reject": reject})
    Plan.resolve({**plan, "reject": COVERAGE})
    for rule in (COVERAGE, "f_beta", {"name": "cost", "at": 1}):
        with pytest.raises(PlanError, match='labels alone: write reject = "nobody"') as error:
            refuse_unsure(RejectPlan.model_validate(rule), "metacost(tree)", "labels")
        assert "recalibrate" not in str(error.value)


def test_nobody_asks_for_nothing():
    plan = {"costs": COSTS, "decide": "arg_max", "metric": "bcr"}
    Plan.resolve({**ONE, **plan, "method": [METACOST], "reject": "nobody"})
    method = {**METACOST, "reject": "nobody"}
    found = Plan.resolve({**ONE, **plan, "method": [method, SVM], "reject": COVERAGE})
    assert found.rejection_of(found.method[0]) is None
    assert found.rejection_of(found.method[1]).name == "coverage"
    assert Plan.resolve(found.model_dump()) == found


def test_a_rule_with_nobody_and_no_novelty_is_as_none():
    given, y = beliefs()
    found = Rejecting(ArgMax(), AcceptAll()).fit(given, y).decide(given)
    assert found.accepted.all()
    with_costs = Rejecting(ArgMax(), Cost(at=0.2), costs=np.array([[0, 2.0], [1.0, 0]]))
    assert with_costs.by_sample
    assert not Rejecting(ArgMax(), Coverage()).by_sample


def test_a_rule_leaves_what_candidates_are_compared_by():
    """Not by recalibrated probabilities, unless the decision needs them without a rule too."""
    outside, inside = (Recalibrated(Platt(), ArgMax(), inside) for inside in (False, True))
    assert Rejecting(outside, Coverage(at=0.7)).full == outside.full == ArgMax()
    assert Rejecting(inside, Coverage(at=0.7)).full == inside.full == inside
    words = Rejecting(Recalibrated(Slope(2.0), ArgMax()), FBeta()).recalibrated()
    assert words == "log odds recalibrated by a slope of 2"
