"""Steps fitted to every part of a table whose columns differ far in their units."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from common.folds import fold
from tamis.study.plan import StepPlan
from tamis.study.protocol.fold import parts_of
from tamis.study.protocol.prepared import OwnViews, prepared_fold


def test_parts_have_tables_of_their_own_and_a_single_one_is_prepared_at_once():
    plain = fold("plain")
    X = plain.design.matrix.copy()
    X[:, 0] *= 1e250
    design = replace(plain.design, X=X, by_size=None)
    assert design.steady_rows is None
    far = replace(plain, design=design, parts=parts_of(design, plain.y, plain.parts.rows))
    several = prepared_fold(far, [StepPlan(name="standardize")])
    assert isinstance(several.prepared, OwnViews)
    for rows, test, view in zip(far.parts.rows, far.tests, several.views, strict=True):
        one = replace(far, parts=parts_of(design, far.y, [rows]), tests=[test])
        single = prepared_fold(one, [StepPlan(name="standardize")])
        assert not isinstance(single.prepared, OwnViews)
        own = X[rows, 1:]
        expected = (X[np.concatenate([rows, test]), 1:] - own.mean(axis=0)) / own.std(axis=0)
        for found in (view, single.views[0]):
            both = np.concatenate([found.train, found.test])
            np.testing.assert_allclose(found.design.matrix[both, 1:], expected, atol=1e-9)
