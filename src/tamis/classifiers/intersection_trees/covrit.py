"""covRIT: random intersection trees on intervals that cover rows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ..._core.parameters import StepSettings
from .estimator import EstimatorParameters, IntersectionTreesClassifier
from .paths import SCREENED_SIZES, SetsClassifier, screened_steps
from .rules import SetRules
from .search import (
    Sample,
    SearchSettings,
    best_epsilon,
    covering_rules,
)

EPSILONS = (0.05, 0.1, 0.2, 0.3, 0.4)


@dataclass(eq=False)
class Span:
    """What stands before the parameters of all three: fields of the last base come first."""

    epsilon: float | None = None


@dataclass(eq=False)
class CovRITParameters(EstimatorParameters, Span):
    """Parameters of `CovRITClassifier`, described there."""


class CovRITClassifier(IntersectionTreesClassifier, CovRITParameters):
    """Classify by sets of intervals that cover samples of a class and few others (covRIT).

    Nothing is cut beforehand. An item of a tree's root is a feature with the row's value, and
    each further row stretches the interval to its own; an interval that spans more than
    `epsilon` of the feature's range is lost (of a category: more than
    ``epsilon * (levels - 1) + 1`` values). Of sets of the same features the one that stands out
    most is kept.

    Parameters
    ----------
    epsilon : float, optional
        Greatest span of an interval, as a share of the feature's range. If left out, the best of
        .05, .1, .2, .3 and .4 by five-fold cross-validation.
    n_trees : int, default=100
        Of each class.
    depth : int, default=10
        Rows that a leaf has met beside that of the root.
    branch : float, default=5
        Children of a node; the root has one.
    min_size : int, default=2
        Features that a set has at least.
    theta : float, sequence of float or "auto", default="auto"
        Least prevalence of a set in its class, one a class if several; "auto": what the leaves of
        trees reach in 5 % of cases where labels are permuted.
    theta_out : float or sequence of float, optional
        Greatest prevalence in any other class. As `theta` if left out.
    max_sets : int, default=100
        Of each class, those that stand out most.
    rule : {"matched", "bernoulli"}, default="bernoulli"
        Whether sets that a sample does not hold count too (`rules`).
    categorical_features : None, "from_dtype", mask, column numbers or names, default=None
        Columns of categories, 64 at most in each.
    random_state : int, RandomState or None, default=None
    n_jobs : int, optional
        Threads. The result does not depend on it.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
    rules_ : SetRules
        The sets, and how many samples of each class hold them.
    selected_ : ndarray of int
        Features that stand in sets, the one in most of them first.
    epsilon_ : float

    References
    ----------
    Shah & Meinshausen (2014), Random intersection trees, Journal of Machine Learning Research
    15, 629-654.

    Examples
    --------
    >>> import numpy as np
    >>> from tamis.classifiers import CovRITClassifier
    >>> rng = np.random.default_rng(0)
    >>> y = np.repeat(["a", "b"], 40)
    >>> X = rng.normal(size=(80, 50))
    >>> X[:, :3] += 4 * (y == "b")[:, None]
    >>> model = CovRITClassifier(random_state=0, epsilon=0.2).fit(X, y)
    >>> sorted(model.selected_.tolist())[:3], bool(model.score(X, y) > 0.9)
    ([0, 1, 2], True)
    """

    def _rules(self, sample: Sample, settings: SearchSettings) -> SetRules:
        self.epsilon_ = best_epsilon(self.epsilon, sample, EPSILONS, covering_rules, settings)
        return covering_rules(sample, self.epsilon_, settings)


@dataclass(eq=False)
class CovRIT(SetsClassifier):
    """covRIT in plans: on how many features, and how wide.

    Parameters
    ----------
    epsilons : sequence of float
        Greatest span of an interval, as a share of the feature's range.
    screened : sequence of int
        Of how many features, those that differ most between the classes.
    """

    epsilons: Sequence[float] = (0.2, 0.3, 0.5)
    screened: Sequence[int] = SCREENED_SIZES

    def steps(self) -> list[StepSettings]:
        """Few features first."""
        return screened_steps(self.screened, "epsilon", sorted(self.epsilons))

    def sets(self, sample: Sample, step: StepSettings, settings: SearchSettings) -> SetRules:
        """By the step's epsilon."""
        return covering_rules(sample, float(step["epsilon"]), settings)
