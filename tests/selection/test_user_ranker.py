"""Rankings by a selector of the user's own."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
from sklearn.base import BaseEstimator

from tamis._core.own_code import own_given
from tamis.selection._user_ranker import UserRanker


class Second(BaseEstimator):
    """Keeps the second and the last column, and has no order of them."""

    def fit(self, X, y):
        self.kept_ = np.isin(np.arange(X.shape[1]), [1, X.shape[1] - 1])
        return self

    def get_support(self):
        return self.kept_


def test_without_an_order_what_is_kept_scores_1_and_the_rest_0():
    part = SimpleNamespace(X=np.zeros((6, 4)), y=np.arange(6) % 2, n_classes=2)
    found = UserRanker(own_given(Second())).rank(part, [4], None)
    assert found.scores.tolist() == [0.0, 1.0, 0.0, 1.0]
    assert found.path[2].tolist() == [1, 3]
