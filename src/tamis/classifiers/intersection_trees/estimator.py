"""What the classifiers by intersection trees share: reading, checks, predictions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_is_fitted

from ..._core.errors import DataError
from ..base.raw_tables import RawTableClassifier
from ..c45.text import feature_names
from .rules import OPEN_END, SetRules
from .search import Sample, SearchSettings, SetParameters, settings_of

MOST_LEVELS = 64


@dataclass(eq=False)
class EstimatorParameters(SetParameters):
    """And what plans give in other ways."""

    categorical_features: Any = None
    random_state: Any = None
    n_jobs: int | None = None


class IntersectionTreesClassifier(RawTableClassifier, EstimatorParameters):
    """A classifier by sets; a subclass says what its sets are of."""

    _least = 2

    def _rules(self, sample: Sample, settings: SearchSettings) -> SetRules:
        """The sets of a training set."""
        raise NotImplementedError

    def fit(self, X, y):
        """Find the sets of every class.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            NaN is missing: rows share nothing of a feature that one of them does not have.
        y : array-like of shape (n_samples,)
            Class labels, two or more classes.

        Returns
        -------
        self

        Raises
        ------
        PlanError
            A parameter is out of range.
        DataError
            y has only one class, or a feature has more than 64 categories.
        """
        rows = self._learn_table(X, y)
        for j in np.flatnonzero(self.is_categorical_):
            if len(self.categories_[j]) > MOST_LEVELS:
                raise DataError(
                    f"column {j} has {len(self.categories_[j])} categories: merge some, to "
                    f"{MOST_LEVELS} at most, or leave it out"
                )
        seed = self.random_state
        if not isinstance(seed, int | np.integer):
            seed = check_random_state(seed).randint(2**31)
        n_classes = len(self.classes_)
        sample = Sample(rows.X, rows.codes, n_classes, self.is_categorical_)
        settings = settings_of(self, n_classes, self.rule, int(seed), self.n_jobs)
        self.rules_ = self._rules(sample, settings)
        return self

    def predict_proba(self, X) -> np.ndarray:
        """Class probabilities of the rows of X, (n_samples, n_classes).

        As sure as if sets were independent, which they are not: an order, hardly a probability.
        """
        X = self._read_table(X)
        return self.rules_.beliefs(X).proba

    def predict(self, X) -> np.ndarray:
        X = self._read_table(X)
        return self.classes_[self.rules_.beliefs(X).scores.argmax(axis=1)]

    def decision_function(self, X) -> np.ndarray:
        """The second class's score less the first's, (n_samples,), or one a class."""
        X = self._read_table(X)
        scores = self.rules_.beliefs(X).scores
        return scores[:, 1] - scores[:, 0] if scores.shape[1] == 2 else scores

    @property
    def selected_(self) -> np.ndarray:
        """Features that stand in sets, the one in most of them first."""
        check_is_fitted(self)
        return self.rules_.columns

    def frame(self):
        """One row a set: its features, conditions, class, and share in every class."""
        import pandas as pd

        check_is_fitted(self)
        names, rules, rows = feature_names(self), self.rules_, []
        assert rules.origin is not None
        for s in range(len(rules)):
            places = range(rules.starts[s], rules.starts[s + 1])
            shares = rules.counts[s] / rules.sizes
            rows.append(
                {
                    "features": tuple(str(names[rules.at[i]]) for i in places),
                    "condition": " and ".join(
                        self._condition(str(names[rules.at[i]]), i) for i in places
                    ),
                    "class": self.classes_[rules.origin[s]],
                    **{
                        f"prevalence {label}": share
                        for label, share in zip(self.classes_, shares, strict=True)
                    },
                }
            )
        return pd.DataFrame(rows, columns=None if rows else ["features", "condition", "class"])

    def _condition(self, name: str, i: int) -> str:
        """What item number i asks of its feature."""
        rules, j = self.rules_, int(self.rules_.at[i])
        if self.is_categorical_[j]:
            if rules.radius:
                return f"{name} is {self.categories_[j][int(rules.values[i, 0])]}"
            bits = int(rules.values[i, :1].copy().view(np.uint64)[0])
            known = [str(c) for k, c in enumerate(self.categories_[j]) if bits >> k & 1]
            return f"{name} in {{{', '.join(known)}}}"
        if rules.radius:
            return f"{name} near {rules.values[i, 0] * rules.span[j] + rules.low[j]:.4g}"
        low, high = rules.values[i]
        if low == -OPEN_END:
            return f"{name} <= {high:.4g}"
        return f"{name} >= {low:.4g}" if high == OPEN_END else f"{low:.4g} <= {name} <= {high:.4g}"
