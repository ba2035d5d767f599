"""Classifiers that learn from similarities, by name."""

from __future__ import annotations

from typing import Any

from .._core.errors import PlanError, nearest_hint, value_text

LEARNERS = {
    "aode": "averaged one-dependence estimators on similarities cut by MDL",
    "logistic": "logistic regression; a missing similarity is its median, and marked",
    "c45": "C4.5",
    "forest": "random forest of 500 trees",
}


def learner_of(learner: Any, random_state: int = 0) -> Any:
    """A classifier by its name; one that is given comes back as it is.

    Examples
    --------
    >>> type(learner_of("aode")).__name__
    'AODEClassifier'
    """
    if not isinstance(learner, str):
        if not hasattr(learner, "predict_proba"):
            raise PlanError(
                f"learner = {value_text(learner)}: give a classifier with predict_proba, or a name"
            )
        return learner
    if learner == "aode":
        from ..classifiers import AODEClassifier

        # Labelled matches are few: with 30, the default, their intervals would hardly be parents.
        return AODEClassifier(min_support=5)
    if learner == "logistic":
        from sklearn.impute import SimpleImputer
        from sklearn.linear_model import LogisticRegression
        from sklearn.pipeline import make_pipeline
        from sklearn.preprocessing import StandardScaler

        filled = SimpleImputer(strategy="median", add_indicator=True, keep_empty_features=True)
        return make_pipeline(filled, StandardScaler(), LogisticRegression(max_iter=5000))
    if learner == "c45":
        from ..classifiers import C45Classifier

        return C45Classifier()
    if learner == "forest":
        from sklearn.ensemble import RandomForestClassifier

        return RandomForestClassifier(500, min_samples_leaf=2, random_state=random_state)
    raise PlanError(f"learner = {value_text(learner)}: {nearest_hint(learner, list(LEARNERS))}")
