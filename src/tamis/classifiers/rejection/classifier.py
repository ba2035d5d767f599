"""A classifier that says when it does not know, in scikit-learn's manners."""

from __future__ import annotations

from typing import Any

import numpy as np
from joblib import delayed
from sklearn.base import clone
from sklearn.pipeline import Pipeline
from sklearn.utils import check_consistent_length
from sklearn.utils.metaestimators import available_if

from ..._core.errors import DataError, PlanError, listed_names, value_text
from ..._core.interfaces import Beliefs, Rule, RuleInput
from ..._core.workers import joblib_parallel
from ...metrics.rejection import Rejections, gathering_p_value
from ...metrics.risk_coverage import risk_coverage_of
from ..base.folds import is_finite_number, splits_of
from ..costs._wrapper import CostWrapper, fit_weighted, has_proba, rows_of, seeded_clone
from ..recalibrations.platt import Platt
from .certainty import SCORES, gap_to_runner_up
from .conformal import Conformal, class_conformity
from .cost import Cost
from .coverage import Coverage
from .f_beta import FBeta
from .fisher import Fisher
from .margins import EstimatorOutput, binary_norm, estimator_output
from .novelty import Distance, highest_usual
from .risk import Risk


class RejectingClassifier(CostWrapper):
    """A classifier that declines the samples it is uncertain of, by a threshold from the data.

    The training rows are predicted in folds; a criterion looks at how certain those predictions
    were, and which were wrong, and sets a threshold. Then the estimator is fitted to all rows: the
    training cost is that of one cross-validation more.

    Parameters
    ----------
    estimator : classifier
        Cloned. It has ``decision_function`` or ``predict_proba``.
    score : {"auto", "margin", "posterior"}, default="auto"
        What certainty is: "margin", the distance to the nearest border (geometric, |f|/||w||, for
        linear models and for support vector machines of two classes, in the kernel's space; else
        the decision value against the runner-up's); "posterior", the probability of the predicted
        class (Platt's sigmoid of held-out margins where there are none); "auto", the margin
        where there are decision values.
    criterion : {"f_beta", "fisher", "coverage", "cost", "risk", "conformal"}, default="f_beta"
        "f_beta" and "fisher": the threshold below which errors gather, by the F of catching errors
        or by Fisher's exact test. "coverage": a share `at` of the training rows is accepted.
        "cost": declined where deciding is expected to cost more than `at` (Chow). "risk": with
        `confidence`, at most `at` of further samples accepted are predicted wrong. "conformal":
        accepted where one class alone conforms at level `at`, by its probability or, where there
        are decision values alone, by the distance to the border.
    at : float or None, default=None
        The criterion's number; None: 0.8 of "coverage", else 0.1. No criterion looks at it but
        those named.
    beta : float, default=1
        Of "f_beta": how many times as much recall weighs as precision.
    significance : float or None, default=0.03
        Of "f_beta" and "fisher": no sample is declined unless errors gather among uncertain samples
        beyond what chance does at this level, over all thresholds; None: not tested.
    most : float or None, default=None
        Of those two: the largest share of the training rows to be declined.
    confidence : float, default=0.9
        Of "risk".
    costs : as `CostMatrix.of` takes them, or None, default=None
        Of "cost": what errors cost; None: 1 each.
    novelty : float or None, default=None
        Decline samples too that are further from the nearest class mean (Mahalanobis) than this
        share of the training rows is when held out: samples of a class never seen. Of a pipeline,
        among the columns that go into its last step.
    uncertain_label : object, default=None
        What `predict` says of uncertain samples; None: their likeliest class.
    cv : int, splitter or list of (train, test), default=5
    random_state : int, RandomState or None, default=None
        Of the folds, and of whatever in the estimator has none.
    n_jobs : int or None, default=None

    Attributes
    ----------
    classes_ : ndarray of shape (C,)
    class_counts_ : ndarray of shape (C,)
    estimator_ : classifier
        Fitted to all rows.
    rule_ : Rule
        Of what was held out; ``rule_.report_text()`` says it in words, ``rule_.doubt()`` why it
        declines none.
    threshold_ : float
        Certainty below which a sample is uncertain (minus infinity: none is); NaN of "cost" and
        "conformal", which look at probabilities.
    p_value_ : float
        Of errors that gather among uncertain samples, over all thresholds, each predicted class by
        itself.
    novelty_threshold_ : float
        Infinite without `novelty`, or with too few rows for it.
    rejections_ : Rejections
        What every threshold came to on the rows held out.
    risk_coverage_ : RiskCoverage
        Of the rows held out.

    Raises
    ------
    PlanError
        A parameter cannot be used.

    References
    ----------
    Chow (1970), On optimum recognition error and reject tradeoff, IEEE Trans. Inf. Theory 16.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from sklearn.linear_model import LogisticRegression
    >>> from sklearn.pipeline import make_pipeline
    >>> from sklearn.preprocessing import StandardScaler
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> plain = make_pipeline(StandardScaler(), LogisticRegression())
    >>> model = RejectingClassifier(plain, random_state=0).fit(X[::2], y[::2])
    >>> uncertain = model.predict_mask(X[1::2])
    >>> int(uncertain.sum()), model.p_value_ < 0.03
    (27, True)
    """

    _charges = False

    def __init__(
        self,
        estimator,
        score="auto",
        criterion="f_beta",
        at=None,
        beta=FBeta.beta,
        significance=FBeta.significance,
        most=FBeta.most,
        confidence=Risk.confidence,
        costs=None,
        novelty=None,
        uncertain_label=None,
        cv=5,
        random_state=None,
        n_jobs=None,
    ):
        self.estimator = estimator
        self.score = score
        self.criterion = criterion
        self.at = at
        self.beta = beta
        self.significance = significance
        self.most = most
        self.confidence = confidence
        self.costs = costs
        self.novelty = novelty
        self.uncertain_label = uncertain_label
        self.cv = cv
        self.random_state = random_state
        self.n_jobs = n_jobs

    # scikit-learn scores a model by its method `score`, and the parameter has that name too: what
    # is set is the parameter, what is read (but by `get_params`) the method.
    @property
    def score(self):
        """Accuracy on the rows of X that are accepted, ``score(X, y)``; NaN where none is."""
        return self._accepted_accuracy

    @score.setter
    def score(self, name):
        self.__dict__["score"] = name

    def get_params(self, deep=True):
        """As every estimator has it."""
        return {**super().get_params(deep), "score": self.__dict__["score"]}

    def _accepted_accuracy(self, X, y, sample_weight=None) -> float:
        check_consistent_length(X, y, sample_weight)
        right, kept = self.predict_all(X) == np.asarray(y), ~self.predict_mask(X)
        given = kept if sample_weight is None else kept * np.asarray(sample_weight)
        return float(np.average(right, weights=given)) if given.any() else float("nan")

    def fit(self, X, y, sample_weight=None):
        """Predict every row by a model of the others, set the threshold, and fit to all.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
        y : array-like of shape (n_samples,)
        sample_weight : array-like of shape (n_samples,) or None, default=None
            For the estimator; the criterion counts every row once.

        Returns
        -------
        self
        """
        rule = self._rule()
        X, codes, given = self._start(X, y, sample_weight)
        if len(self.classes_) < 2:
            only = value_text(self.classes_.tolist()[0])
            raise DataError(f"a rule needs at least two classes; y has only one class: {only}")
        label = self.uncertain_label
        if label is not None and (np.ndim(label) or label in self.classes_.tolist()):
            raise PlanError(
                f"uncertain_label = {value_text(label)}: give one label that is no class"
            )
        rng = np.random.default_rng(_seed_of(self.random_state))
        seeds = rng.integers(0, 2**31 - 1, 2)
        splits = splits_of(
            self.cv, self.classes_[codes], codes, np.arange(len(codes)), int(seeds[0])
        )
        if not splits:
            raise DataError("every class has a single row: there is nothing to predict them by")
        rows = np.concatenate([test for _, test in splits])
        if len(np.unique(rows)) < len(rows):
            raise PlanError(
                f"cv={value_text(self.cv)} holds rows out more than once, and they would be "
                "counted so often: give folds that hold each out once"
            )
        one = seeded_clone(self.estimator, int(seeds[1]))
        held = joblib_parallel(n_jobs=self.n_jobs)(
            delayed(_held_out)(one, X, codes, given, train, test, self.classes_, self.novelty)
            for train, test in splits
        )
        said, strange = _joined_outputs([s for s, _ in held]), np.concatenate([d for _, d in held])
        self.platt_ = self._platt(said, codes[rows])
        inputs = self._rule_input(said)
        self.rule_ = rule.fit(inputs, codes[rows])
        wrong = inputs.codes != codes[rows]
        self.rejections_ = Rejections.of(inputs.certainty, wrong)
        self.risk_coverage_ = risk_coverage_of(wrong, inputs.certainty)
        at = self.rule_.threshold
        self.threshold_ = float("nan") if at is None else at
        self.p_value_ = gathering_p_value(inputs.certainty, wrong, inputs.codes)
        self.estimator_ = fit_weighted(one, X, self.classes_[codes], given)
        self.norm_ = binary_norm(self.estimator_)
        self.distance_, self.novelty_threshold_ = None, float("inf")
        if self.novelty is not None:
            self.distance_ = Distance.of(_seen_by_last(self.estimator_, X), codes)
            self.novelty_threshold_ = highest_usual(strange, self.novelty)
        return self

    def _rule(self) -> Rule:
        """The rule of the parameters, not yet fitted."""
        if self.__dict__["score"] not in SCORES:
            raise PlanError(
                f"score = {value_text(self.__dict__['score'])}: give one of {listed_names(SCORES)}"
            )
        for name, least, most in (
            ("at", 0, None if self.criterion == "cost" else 1),
            ("significance", 0, 1),
            ("most", 0, 1),
            ("novelty", 0, 1),
            ("confidence", 0, 1),
            ("beta", 0, None),
        ):
            value = getattr(self, name)
            if name == "significance" and value is False:
                continue
            if value is None and name not in ("confidence", "beta"):
                continue
            if not is_finite_number(value) or value <= least or (most and value >= most):
                span = f"between {least} and {most}" if most else f"above {least}"
                raise PlanError(f"{name} = {value_text(value)}: give a number {span}")
        at: dict[str, object] = {} if self.at is None else {"at": float(self.at)}
        test: dict[str, object] = {"significance": self.significance, "most": self.most}
        rules: dict[str, tuple[Any, dict[str, object]]] = {
            "f_beta": (FBeta, {**test, "beta": self.beta}),
            "fisher": (Fisher, test),
            "coverage": (Coverage, at),
            "cost": (Cost, at),
            "risk": (Risk, {**at, "confidence": self.confidence}),
            "conformal": (Conformal, at),
        }
        if not isinstance(self.criterion, str) or self.criterion not in rules:
            known = listed_names(rules, len(rules))
            raise PlanError(f"criterion = {value_text(self.criterion)}: give one of {known}")
        rule, settings = rules[self.criterion]
        return rule(**settings)

    def _platt(self, said: EstimatorOutput, y: np.ndarray) -> Platt | None:
        """What makes probabilities of margins, where they are needed and there are none."""
        if said.margin is None and said.proba is None:
            raise PlanError(
                f"{type(self.estimator).__name__} has neither decision_function nor predict_proba: "
                "nothing is known of how certain it is"
            )
        needed = self.__dict__["score"] == "posterior" or self.criterion == "cost"
        if said.proba is not None or said.margin is None or not needed:
            return None
        return Platt().fit(_margin_beliefs(said), y)

    def _rule_input(self, said: EstimatorOutput) -> RuleInput:
        proba = said.proba
        if self.platt_ is not None:
            proba = self.platt_.recalibrated(_margin_beliefs(said))
        score, ahead = self.__dict__["score"], said.distance
        if ahead is None and said.margin is not None:
            ahead = gap_to_runner_up(said.margin, said.codes)
        if score == "posterior" or (score == "auto" and said.margin is None):
            assert proba is not None  # else there were margins, and a sigmoid of them
            sure = proba[np.arange(len(said.codes)), said.codes]
        elif ahead is not None:
            sure = ahead
        else:
            raise PlanError(
                f"{type(self.estimator).__name__} has no decision_function: give score='posterior'"
            )
        if said.proba is None and ahead is not None and self.criterion == "conformal":
            proba = class_conformity(ahead, said.codes, len(self.classes_))
        elif proba is None:
            proba = np.eye(len(self.classes_))[said.codes]
        costs = None if self.costs is None else self._matrix.values
        return RuleInput(sure, said.codes, proba, costs)

    def predict_all(self, X) -> np.ndarray:
        """Labels of all rows (n_samples,), certain or not."""
        X = self._seen(X)
        return np.asarray(self.estimator_.predict(X))

    def predict(self, X) -> np.ndarray:
        """Labels (n_samples,), and `uncertain_label`, if there is one, where it is uncertain."""
        labels = self.predict_all(X)
        if self.uncertain_label is None:
            return labels
        mask = self.predict_mask(X)
        uncertain = np.asarray(self.uncertain_label)
        same = uncertain.dtype.kind == labels.dtype.kind
        kind = np.result_type(labels, uncertain) if same else np.dtype(object)
        found = labels.astype(kind)
        found[mask] = self.uncertain_label
        return found

    def predict_mask(self, X) -> np.ndarray:
        """True where the model is uncertain of its label, or the row is novel (n_samples,)."""
        X = self._seen(X)
        mask = ~self.rule_.accepts(self._rule_input(self._said(X)))
        if self.distance_ is not None:
            mask |= self.novelty_scores(X) > self.novelty_threshold_
        return mask

    def certainty(self, X) -> np.ndarray:
        """What `threshold_` is held against (n_samples,); higher is surer."""
        X = self._seen(X)
        return self._rule_input(self._said(X)).certainty

    def novelty_scores(self, X) -> np.ndarray:
        """Mahalanobis distance to the nearest class mean (n_samples,); needs `novelty`."""
        X = self._seen(X)
        if self.distance_ is None:
            raise PlanError("novelty is not looked at: give novelty=, such as 0.05")
        return self.distance_.scores(_seen_by_last(self.estimator_, X))

    def _said(self, X: Any) -> EstimatorOutput:
        return estimator_output(self.estimator_, X, self.classes_, self.norm_)

    @available_if(has_proba)
    def predict_proba(self, X) -> np.ndarray:
        """The estimator's own (n_samples, n_classes)."""
        X = self._seen(X)
        return self.estimator_.predict_proba(X)

    @available_if(lambda self: hasattr(self.estimator, "decision_function"))
    def decision_function(self, X) -> np.ndarray:
        """The estimator's own."""
        X = self._seen(X)
        return self.estimator_.decision_function(X)


def _held_out(
    one: Any,
    X: Any,
    codes: np.ndarray,
    weights: np.ndarray | None,
    train: np.ndarray,
    test: np.ndarray,
    classes: np.ndarray,
    novelty: float | None,
) -> tuple[EstimatorOutput, np.ndarray]:
    """What a model of some rows says of others, and how novel these are to it."""
    own = None if weights is None else weights[train]
    fitted = fit_weighted(clone(one), rows_of(X, train), classes[codes[train]], own)
    rows = rows_of(X, test)
    strange = np.zeros(len(test))
    if novelty is not None:
        seen = Distance.of(_seen_by_last(fitted, rows_of(X, train)), codes[train])
        strange = seen.scores(_seen_by_last(fitted, rows))
    return estimator_output(fitted, rows, classes), strange


def _joined_outputs(parts: list[EstimatorOutput]) -> EstimatorOutput:
    """Of the rows of all folds; what is not known of some is known of none."""

    def stack_if_known(arrays: list[Any]) -> Any:
        return None if any(a is None for a in arrays) else np.concatenate(arrays)

    fields = ("codes", "margin", "proba", "distance")
    return EstimatorOutput(
        *(stack_if_known([getattr(part, name) for part in parts]) for name in fields)
    )


def _margin_beliefs(said: EstimatorOutput) -> Beliefs:
    """Margins alone."""
    assert said.margin is not None
    return Beliefs(np.full_like(said.margin, 1 / said.margin.shape[1]), said.margin)


def _seen_by_last(fitted: Any, X: Any) -> np.ndarray:
    """The numbers that go into the last step of a pipeline; of others X itself."""
    seen = fitted[:-1].transform(X) if isinstance(fitted, Pipeline) and len(fitted) > 1 else X
    found = np.asarray(seen.toarray() if hasattr(seen, "toarray") else seen)
    if not np.issubdtype(found.dtype, np.number) and not np.issubdtype(found.dtype, np.bool_):
        found = found.astype(np.float64)
    if not np.isfinite(found).all():
        raise DataError("novelty is measured among numbers: fill missing values before it")
    return found.astype(np.float64, copy=False)


def _seed_of(random_state: Any) -> int | None:
    """A number of any way to write one."""
    if random_state is None or isinstance(random_state, int | np.integer):
        return None if random_state is None else int(random_state)
    from sklearn.utils import check_random_state

    return int(check_random_state(random_state).randint(2**31 - 1))
