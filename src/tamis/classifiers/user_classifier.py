"""A classifier of the user's own, with scikit-learn's manners, as the study engine has it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from shlex import quote
from typing import Any

import numpy as np
from sklearn.utils.class_weight import compute_sample_weight

from .._core.arrays import unfit_part_error
from .._core.bounded_zip import Members
from .._core.errors import ModelError, counted_noun
from .._core.interfaces import Arrays, Beliefs, RawClassifier, Regressor, Seeds
from .._core.own_checks import known_of
from .._core.own_code import TRUSTED_TYPES, Own, OwnCodeError, running_own_code
from .._core.skops_bytes import SCHEMA_NAME, canonical_bytes, names_files_once, nodes_of
from .._core.trustable import refuse_dangerous, refuse_dangerous_objects
from ..metrics.registry import kind_suffices
from .base.constant_predictor import ONE_NUMBER

MAX_CHECKED_SAMPLES = 50  # training samples whose labels are held against beliefs
PROBABILITY_TOLERANCE = 1e-6  # of a sample's probabilities, alone and among others


@dataclass(frozen=True)
class UserPredictor:
    """A fitted estimator.

    Attributes
    ----------
    fitted : object
        With ``predict``, and ``predict_proba`` or ``decision_function`` if it has them.
    n_classes : int
    own : Own or None
        None of a saved model.
    """

    fitted: Any
    n_classes: int
    own: Own | None = None

    def beliefs(self, X: np.ndarray) -> Beliefs:
        """Of the rows of X (m, k): its probabilities, and its margins if it has some; without the
        former what orders samples as margins do; without both its labels."""
        found = self._beliefs(X)
        if len(X) > 1 and self.own is not None:
            alone = self._beliefs(X[-1:])
            if not _alike(alone, found.take(np.array([len(X) - 1]))):
                raise OwnCodeError(
                    f"{self.own.name!r} predicts a sample otherwise alone than among others: "
                    "predictions may not depend on the samples beside it",
                    check="one-at-a-time",
                )
        return found

    def check_labels(self, X: np.ndarray) -> None:
        """Refuse one whose `predict` is not the class that it believes in most."""
        beliefs = self._beliefs(X)
        scores = beliefs.scores
        codes = self._labels(X)
        own = np.take_along_axis(scores, codes[:, None], axis=1)[:, 0]
        if (
            own
            < scores.max(axis=1) - PROBABILITY_TOLERANCE * np.maximum(1, np.abs(scores).max(axis=1))
        ).any():
            raise OwnCodeError(
                f"{self._shown.name!r}: `predict` gives other classes than those it believes in "
                "most (a threshold of its own, or decision_function_shape='ovo'?): study what is "
                "inside it"
            )

    @property
    def _shown(self) -> Own:
        return self.own or Own(type(self.fitted).__name__, self.fitted)

    def _beliefs(self, X: np.ndarray) -> Beliefs:
        fitted, shown, C = self.fitted, self._shown, self.n_classes
        if C == ONE_NUMBER:
            return Beliefs.of_values(self._values(X))
        margin: Any = None
        if hasattr(fitted, "decision_function"):
            with running_own_code(shown, "predict margins"):
                margin = np.array(fitted.decision_function(X.copy()), dtype=np.float64)
            if C == 2 and margin.ndim == 1:
                margin = np.column_stack([-margin, margin])
        if hasattr(fitted, "predict_proba"):
            with running_own_code(shown, "predict probabilities"):
                proba = np.array(fitted.predict_proba(X.copy()), dtype=np.float64)
            self._check(shown, "predict_proba", proba, (len(X), C))
            total = proba.sum(axis=1, keepdims=True)
            if (proba < -PROBABILITY_TOLERANCE).any() or (np.abs(total - 1) > 1e-3).any():
                raise OwnCodeError(f"{shown.name!r}: predict_proba gives rows that do not add to 1")
            decides = margin is not None and margin.shape == proba.shape
            decides = decides and bool(np.isfinite(margin).all())
            return Beliefs(np.clip(proba, 0, None) / total, margin if decides else None)
        if margin is not None:
            self._check(shown, "decision_function", margin, (len(X), C))
            # rising with the margin and never equal where that is not, as softmax soon is
            return Beliefs((1 + margin / (1 + np.abs(margin))) / 2, margin)
        return Beliefs(np.eye(C)[self._labels(X)])

    def _values(self, X: np.ndarray) -> np.ndarray:
        with running_own_code(self._shown, "predict"):
            found = np.array(self.fitted.predict(X.copy()), dtype=np.float64)
        if found.shape == (len(X), 1):
            found = found[:, 0]
        if found.shape != (len(X),):
            raise OwnCodeError(
                f"{self._shown.name!r}: predict gives {found.shape} and not one number for each of "
                f"{counted_noun(len(X), 'sample')}"
            )
        if not np.isfinite(found).all():
            raise OwnCodeError(
                f"{self._shown.name!r}: predict gives numbers that are not finite",
                check="missing-made",
            )
        return found

    def _labels(self, X: np.ndarray) -> np.ndarray:
        with running_own_code(self._shown, "predict"):
            codes = np.asarray(self.fitted.predict(X.copy()))
        if codes.shape != (len(X),) or not np.isin(codes, np.arange(self.n_classes)).all():
            raise OwnCodeError(
                f"{self._shown.name!r}: predict gives something else than the classes' codes (0 to "
                f"{self.n_classes - 1}), which it was fitted to"
            )
        return codes.astype(np.int64)

    @staticmethod
    def _check(own: Own, method: str, found: np.ndarray, shape: tuple[int, int]) -> None:
        if found.shape != shape:
            raise OwnCodeError(
                f"{own.name!r}: {method} gives {found.shape} and not (samples, classes) = {shape}"
            )
        if not np.isfinite(found).all():
            raise OwnCodeError(
                f"{own.name!r}: {method} gives numbers that are not finite", check="missing-made"
            )

    def to_arrays(self) -> Arrays:
        """The bytes of a skops file.

        Raises
        ------
        OwnCodeError
            skops cannot write it.
        """
        import skops.io

        with running_own_code(self._shown, "be saved"):
            content = canonical_bytes(skops.io.dumps(self.fitted))
            foreign = skops.io.get_untrusted_types(data=content)
            refuse_dangerous_objects(foreign, "estimator")  # else nobody could load it
            skops.io.loads(content, trusted=foreign)
        return {"estimator": np.frombuffer(content, dtype=np.uint8)}


class UserClassifier(RawClassifier):
    """Fits copies of a user's estimator on codes 0 to C - 1.

    Parameters
    ----------
    own : Own or None
        None to read a saved model.
    **settings
        As its ``set_params`` takes them.
    """

    def __init__(self, own: Own | None = None, **settings: Any):
        self.own = own
        self.settings = settings

    def fit(
        self,
        X: np.ndarray,
        y: np.ndarray,
        n_classes: int,
        seed: int,
        levels: Mapping[int, int] | None = None,
        weights: np.ndarray | None = None,
    ) -> UserPredictor:
        """Fitted on X (n, k); where it takes categories (`categorical_features`), on codes as they
        are, with the columns that hold them. Weights are those given, else, where it asks for
        some, such that classes weigh the same."""
        assert self.own is not None
        one = self.own.made(self.settings, Seeds(seed))
        with running_own_code(self.own, "be fitted"):
            if levels is not None:
                one.set_params(categorical_features=sorted(levels) or None)
            if weights is None and _asks_for_weights(one):
                weights = compute_sample_weight("balanced", y)
            more = {} if weights is None else {"sample_weight": weights.copy()}
            fitted = one.fit(X.copy(), y.copy(), **more)
            fitted = one if fitted is None else fitted
            seen = getattr(fitted, "classes_", None)
        if seen is not None and not np.array_equal(seen, np.arange(n_classes)):
            raise OwnCodeError(f"{self.own.name!r}: classes_ are not those it was fitted to")
        found = UserPredictor(fitted, n_classes, self.own)
        promised = known_of(self.own.example)
        if not kind_suffices(known_of(fitted), promised):
            raise OwnCodeError(
                f"{self.own.name!r} with {self.settings} says less of samples (no "
                f"{'probabilities' if promised == 'proba' else 'margins'}) than without: give two"
            )
        found.check_labels(X[:MAX_CHECKED_SAMPLES])
        return found

    def from_arrays(self, arrays: Arrays, n_columns: int, n_classes: int) -> UserPredictor:
        """What was saved, if its types are trusted.

        Raises
        ------
        ModelError
            It holds types that are not.
        """
        import skops.io

        stored = arrays.get("estimator")
        if stored is None or stored.dtype != np.uint8 or stored.ndim != 1:
            raise unfit_part_error("estimator")
        members = Members(stored.tobytes(), "the estimator in the model")
        content = members.anew()
        nodes = list(nodes_of(members.read(SCHEMA_NAME)))
        if not nodes or not names_files_once(nodes):
            raise unfit_part_error("estimator")
        outermost = nodes[0]
        outermost_name = _node_name(outermost)
        # of any estimator: its arrays go to its own code, which believes them
        foreign = [outermost_name, *skops.io.get_untrusted_types(data=content)]
        functions = [_node_name(node) for node in nodes if node["__loader__"] == "FunctionNode"]
        refuse_dangerous(foreign, functions)
        new = [name for name in dict.fromkeys(foreign) if name not in TRUSTED_TYPES.get()]
        if new:
            options = " ".join(f"--trust {quote(name)}" for name in new)
            raise ModelError(
                "the model holds objects whose code would run "
                f"({counted_noun(len(new), 'type')}): if you trust where it comes from, add "
                f"{options} (and --code DIR if it lies there)"
            )
        try:
            refuse_dangerous_objects(foreign)
            return UserPredictor(skops.io.loads(content, trusted=foreign), n_classes)
        except ModuleNotFoundError as error:
            raise ModelError(
                f"the model needs the module {error.name!r}: install it, or add --code DIR"
            ) from error


class UserRegression(UserClassifier, Regressor):
    """Fits copies of a user's regressor to values."""

    draws = True

    def fit(
        self,
        X: np.ndarray,
        y: np.ndarray,
        n_classes: int,
        seed: int,
        levels: Mapping[int, int] | None = None,
        weights: np.ndarray | None = None,
    ) -> UserPredictor:
        """Fitted on X (n, k) and values y; categories are as of a classifier."""
        assert self.own is not None
        one = self.own.made(self.settings, Seeds(seed))
        with running_own_code(self.own, "be fitted"):
            if levels is not None:
                one.set_params(categorical_features=sorted(levels) or None)
            fitted = one.fit(X.copy(), y.copy())
        return UserPredictor(one if fitted is None else fitted, n_classes, self.own)


def _alike(one: Beliefs, other: Beliefs) -> bool:
    """Whether two say the same of a sample, but for rounding."""
    if one.value is not None and other.value is not None:
        return np.allclose(one.value, other.value, rtol=PROBABILITY_TOLERANCE, atol=0)
    return np.allclose(one.proba, other.proba, rtol=0, atol=PROBABILITY_TOLERANCE)


def _node_name(node: Mapping[str, object]) -> str:
    return f"{node['__module__']}.{node['__class__']}"


def _asks_for_weights(one: Any) -> bool:
    """Whether an estimator requests `sample_weight` by scikit-learn's metadata routing."""
    if not hasattr(one, "get_metadata_routing"):
        return False
    request = getattr(one.get_metadata_routing(), "fit", None)
    return getattr(request, "requests", {}).get("sample_weight") is True
