"""Tables of several kinds, and an outer fold of one for tests that hold for every method."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np

from common.null_methods import PRICED, every_method
from common.steps import matrix_steps
from common.studies import offered
from tamis._core.registry import selecting_row
from tamis._core.rows import PathRow
from tamis.checks.tables import made_up_table
from tamis.kernels.medians import impute_medians
from tamis.preparation.chain import NamedStep, created_by
from tamis.study.plan import MethodPlan
from tamis.study.protocol.methods import method_of
from tamis.study.protocol.nested_cv import Task, fold_of
from tamis.study.protocol.prepared import prepared_fold
from tamis.study.run import prepare_study

PLAN = {
    **PRICED,
    "outer": {"folds": 3},
    "inner": {"folds": 2, "repeats": 1},
    "permutations": 0,
    "final": False,
}
KINDS = ("plain", "mixed")


@cache
def fold(kind):
    """The second outer fold of a table."""
    _, design, _ = prepare_study(made_up_table(kind), {**PLAN, "method": every_method()})
    plan, _, _ = prepare_study(
        made_up_table(kind), {**PLAN, "method": [{"select": "pearson", "sizes": [1]}]}
    )
    created = tuple(name for step in matrix_steps() for name in created_by(NamedStep(step)))
    design = replace(design, names=(*design.names, *created), created=created)
    return fold_of(design, plan, Task(0, 0, 1, ()))


@cache
def methods():
    """Plans of every method, and of those on a path cut at sizes, by name; decisions apart, which
    all have the beliefs of one."""
    found = [method for method in every_method() if "decide" not in method]
    for method in every_method():
        row = selecting_row(method["select"])
        if isinstance(row, PathRow):
            found.append({**method, "name": f"{row.name} at sizes", "sizes": [1, 3]})
    plans = [MethodPlan.model_validate(method) for method in found]
    return {plan.name: plan for plan in plans}


@cache
def results(kind, name):
    """(candidates, outcomes [part][candidate]) of a method on `fold`."""
    return offered(fold(kind), methods()[name])


def same_beliefs(a, b, tolerance=0.0, message=""):
    """Asserts that two beliefs are equal, margins too where there are any."""
    for one, two in ((a.proba, b.proba), (a.margin, b.margin)):
        assert (one is None) == (two is None), message
        if one is not None:
            np.testing.assert_allclose(one, two, rtol=0, atol=tolerance, err_msg=message)


def columns_before(design, features, feature):
    """Spread columns that stand before a feature's in the table of some."""
    return sum((design.owner == f).sum() for f in features[: features.tolist().index(feature)])


def check_refitted(kind, steps, plan):
    """Asserts that, refitted behind steps, the first and the last candidate of a method believe of
    the outer test rows what they were judged by."""
    raw = fold(kind)
    one = prepared_fold(raw, steps)
    view, design, test = one.views[0], raw.design, raw.tests[0]
    candidates, outcomes = offered(one, plan)
    for at in {0, len(candidates) - 1}:
        candidate, outcome = candidates[at], outcomes[0][at]
        found = method_of(plan).refit(one, candidate, outcome.features)
        chain, inputs = view.chain.only(view.design.columns_of(found.features))
        codes = design.labels.batch_codes
        batch = None if codes is None else codes[test]
        prepared = chain.transform(design.X[np.ix_(test, inputs)], batch)
        if found.raw:
            X = design.covariates[test]
            for feature in found.features:
                column = prepared[:, columns_before(view.design, found.features, feature)]
                if not view.design.numeric[view.design.owner == feature].all():
                    column = design.raw[test, design.features == feature]
                X = np.column_stack([X, column])
        else:
            Z = design.Z if found.covariates else design.Z[:, :0]
            X = np.hstack([Z[test], prepared])
            impute_medians(X, np.arange(X.shape[1]), found.medians)
        expected, got = outcome.beliefs, found.predictor.beliefs(X)
        if len(outcome.features) == 0:  # the class shares, as margins or not
            expected, got = replace(expected, margin=None), replace(got, margin=None)
        same_beliefs(got, expected, 1e-8, f"{[step.name for step in steps]} {plan.name}")
