"""The winning procedure refitted on all rows: a model that can be handed on."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from .. import __version__
from .._core.errors import ModelError, listing
from .._core.streams import random_state
from ..data.dataset import Dataset
from ..selection._parts import impute
from . import classify, registry
from .candidates import ranker_key
from .cells import FINAL
from .collect import Choice
from .design import Design, spread
from .plan import MethodPlan, Plan
from .training import Training


@dataclass(frozen=True)
class Model:
    """A fitted procedure and what it needs to know about its input.

    Attributes
    ----------
    estimator : scikit-learn classifier
        Fitted on codes, with columns in the order covariates, features.
    covariates, features : tuple of str
        Columns a table to predict must have.
    levels : mapping of name to tuple of str
        Declared levels of the categorical ones.
    medians : ndarray
        What fills a missing value, one a column of the estimator's matrix.
    classes : tuple of str
        The positive one last.
    training : Training
        What is known of the rows it was fitted on.
    about : dict
        Where it comes from: data, target, method, settings, versions.
    """

    estimator: Any
    covariates: tuple[str, ...]
    features: tuple[str, ...]
    levels: dict[str, tuple[str, ...]]
    medians: np.ndarray
    classes: tuple[str, ...]
    training: Training
    about: dict[str, Any]

    def predict_proba(self, data: Dataset) -> np.ndarray:
        """Class probabilities, (n_samples, n_classes), of a table with the same columns.

        Raises
        ------
        ModelError
            A column is missing, or a category is not one the model knows.
        """
        return self.estimator.predict_proba(self.matrix(data))

    def predict(self, data: Dataset) -> np.ndarray:
        """Class labels of a table with the same columns."""
        codes = np.asarray(self.estimator.predict(self.matrix(data)), dtype=np.int64)
        return np.array(self.classes, dtype=object)[codes]

    @property
    def columns(self) -> tuple[str, ...]:
        """Columns a table must have, in the model's order."""
        return (*self.covariates, *self.features)

    def raw(self, data: Dataset) -> np.ndarray:
        """The model's columns of a table as they are, categories as codes into its levels."""
        wanted = self.columns
        place = {name: j for j, name in enumerate(data.feature_names)}
        missing = [name for name in wanted if name not in place]
        if missing:
            raise ModelError(
                f"{data.name!r} lacks {len(missing)} of the {len(wanted)} columns the model "
                f"needs: {listing(missing)}"
            )
        columns = [place[name] for name in wanted]
        X = data.X[:, columns].copy()
        for k, (name, j) in enumerate(zip(wanted, columns, strict=True)):
            here = data.levels.get(j)
            if name in self.levels:
                X[:, k] = _recode(X[:, k], here, self.levels[name], name)
            elif here is not None:
                raise ModelError(
                    f"column {name!r} must be numeric for this model; here it holds text such as "
                    f"{here[0]!r}"
                )
        return X

    def matrix(self, data: Dataset) -> np.ndarray:
        """The estimator's columns of a table, in its order, missing values filled."""
        names = self.columns
        levels = {k: self.levels[name] for k, name in enumerate(names) if name in self.levels}
        part = Dataset(self.raw(data), None, names, data.sample_names, levels=levels)
        matrix, _ = spread(part, np.arange(len(names)))
        holes = np.flatnonzero(np.isnan(matrix).any(axis=0))
        if len(holes):
            matrix = matrix.copy()
            impute(matrix, holes, self.medians[holes])
        return matrix


def _recode(
    values: np.ndarray, here: tuple[str, ...] | None, known: tuple[str, ...], name: str
) -> np.ndarray:
    """Codes of a column in the model's levels."""
    seen = ~np.isnan(values)
    if here is None:  # the reader took a column of number-like levels for numbers
        text = np.array([_number(v) for v in values], dtype=object)
    else:
        text = np.array([here[int(v)] if ok else "" for v, ok in zip(values, seen, strict=True)])
    unknown = sorted(set(text[seen]) - set(known))
    if unknown:
        raise ModelError(
            f"column {name!r} has {listing(unknown)}; the model knows {listing(known)}"
        )
    code = {level: float(k) for k, level in enumerate(known)}
    return np.array([code[t] if ok else np.nan for t, ok in zip(text, seen, strict=True)])


def _number(value: float) -> str:
    """A number as the reader spells the level it stands for: whole numbers without a point."""
    return str(int(value)) if value == np.floor(value) else repr(float(value))


def refit(design: Design, data: Dataset, plan: Plan, method: MethodPlan, final: Choice) -> Model:
    """Fit the final choice on every row."""
    labels = design.labels
    n_classes = len(labels.classes)
    if method.select == "pam":
        estimator, features, medians = _refit_pam(design, final)
        covariates: tuple[int, ...] = ()
    else:
        features = final.features
        covariates = data.covariates
        X = np.hstack([design.Z, design.X[:, design.columns_of(features)]])
        medians = impute(X, np.arange(X.shape[1]))
        settings = json.loads(final.settings)
        key = ("classify", ranker_key(method), final.classify, final.settings, 0, 0, FINAL, 0)
        estimator = classify.fit(
            final.classify, settings, X, labels.y, n_classes, random_state(plan.seed, *key)
        )
    names = data.feature_names
    used = [*map(int, covariates), *map(int, features)]
    categories = np.array([j in data.levels for j in used], dtype=bool)
    return Model(
        estimator,
        tuple(names[j] for j in covariates),
        tuple(names[j] for j in features),
        {names[j]: tuple(data.levels[j]) for j in used if j in data.levels},
        medians,
        labels.classes,
        Training.of(data.X[:, used], labels.y, n_classes, categories),
        {
            "tamis": __version__, "data": data.name, "digest": data.digest(),
            "target": data.target, "method": method.name, "classify": final.classify,
            "settings": json.loads(final.settings), "n_samples": data.shape[0],
        },
    )  # fmt: skip


def _refit_pam(design: Design, final: Choice) -> tuple[Any, np.ndarray, np.ndarray]:
    """Shrunken centroids on all rows, cut down to the features that survive.

    Features that do not survive add the same to every class, so the smaller model gives the
    same answers. With no survivor the first feature stays, shrunk to nothing.
    """
    from ..classifiers import ShrunkenCentroidClassifier

    X = design.X
    if len(design.incomplete):
        X = X.copy()
        impute(X, design.incomplete)
    threshold = json.loads(final.settings)["threshold"]
    whole = ShrunkenCentroidClassifier(threshold=threshold).fit(X, design.labels.y)
    features = final.features if len(final.features) else design.owner[:1]
    columns = design.columns_of(features)
    for name in ("centroids_", "shrunken_centroids_", "scores_"):
        setattr(whole, name, np.ascontiguousarray(getattr(whole, name)[:, columns]))
    for name in ("overall_centroid_", "scale_"):
        setattr(whole, name, getattr(whole, name)[columns])
    whole.selected_ = np.arange(len(columns))
    whole.n_features_in_ = len(columns)
    medians = impute(design.X[:, columns], np.arange(len(columns)))
    return whole, features, medians


def summary(final: Choice | None, plan: Plan, data: Dataset) -> dict[str, Any] | None:
    """The `final` entry of docs/json.md."""
    if final is None:
        return None
    names: Sequence[str] = data.feature_names
    method = next(m for m in plan.method if m.name == final.method)
    ranks = registry.row(method.select, role="select")
    decides = registry.row(final.classify, role="classify")
    return {
        "method": final.method,
        "title": ranks.title if ranks.embedded else f"{ranks.title}, {decides.title}",
        "classify": final.classify,
        "params": json.loads(final.settings),
        "size": len(final.features),
        "features": [names[j] for j in final.features],
        "path": "model.skops",
    }
