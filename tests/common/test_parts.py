"""Parts are their own rows, and paths are followed on them; what else holds for every method is in
`tamis.checks`."""

from __future__ import annotations

import numpy as np
import pytest

from common.folds import KINDS, fold, methods, results, same_beliefs
from tamis._core.registry import selecting_row
from tamis._core.rows import PathRow
from tamis.checks.changed_rows import changed_rows
from tamis.study.protocol.candidates import ranker_key

kinds = pytest.mark.parametrize("kind", KINDS)


def on_path(plan):
    """Whether a method classifies along a path of its own."""
    return isinstance(selecting_row(plan.select), PathRow)


@kinds
@pytest.mark.parametrize("name", [n for n, m in methods().items() if on_path(m)])
def test_a_path_is_followed_on_the_rows_of_each_part(kind, name):
    """Its settings are those of the outer training set, and nothing else is; with sizes each
    part has settings of its own."""
    plan, one = methods()[name], fold(kind)
    _, outcomes = results(kind, name)
    follower, design = selecting_row(plan.select).build(plan.parameters), one.design
    settings = None
    for k, part in enumerate(outcomes):
        stream = one.streams("path", ranker_key(plan), "[]")[k]
        path = follower.follow(one.part(k), settings, stream)
        if settings is None and not plan.sizes:
            settings = path.settings
        sets = [list(dict.fromkeys(design.owner[columns].tolist())) for columns in path.columns]
        steps = list(range(len(sets)))
        if plan.sizes:  # the last before any step with more
            over = [[len(s) > most for s in sets] for most in plan.sizes]
            steps = [max(o.index(True) - 1, 0) if any(o) else len(o) - 1 for o in over]
        beliefs = path.beliefs(*one.others(k))
        assert [o.features.tolist() for o in part] == [sets[step] for step in steps]
        for outcome, step in zip(part, steps, strict=True):
            same_beliefs(outcome.beliefs, beliefs[step], 0.0, name)


@kinds
def test_a_part_is_its_own_rows(kind):
    one = fold(kind)
    for k, rows in enumerate(one.parts.rows):
        assert not set(rows) & {*one.tests[k], *one.tests[0]}
        assert set(rows) | set(one.tests[k]) == set(one.parts.rows[0]) | set(one.tests[k])
        for part in (
            (one.part(k), one.code_part(k)) if one.design.raw is not None else (one.part(k),)
        ):
            assert part.y.tolist() == one.y[rows].tolist()
            assert len(part.X) == len(part.covariates) == len(rows)
        X = one.design.X[rows]
        filled = np.where(np.isnan(X), np.nanmedian(X, axis=0), X)
        np.testing.assert_allclose(one.part(k).X, filled)
        test = one.design.X[one.tests[k]]
        expected = np.where(np.isnan(test), np.nanmedian(X, axis=0), test)
        np.testing.assert_allclose(one.others(k)[0], expected)


@kinds
def test_units_are_those_of_the_training_rows(kind):
    one = fold(kind)
    wild = changed_rows(one, one.tests[0])
    np.testing.assert_array_equal(wild.parts.units, one.parts.units)
