"""relRIT: random intersection trees on nearness to a row."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ..._core.parameters import StepSettings
from ..._core.settings import checked_positive
from .estimator import EstimatorParameters, IntersectionTreesClassifier
from .paths import SCREENED_SIZES, SetsClassifier, screened_steps
from .rules import SetRules
from .search import (
    Sample,
    SearchSettings,
    best_epsilon,
    relaxed_rules,
)

EPSILONS = (0.1, 0.3, 1.0, 3.0)


@dataclass(eq=False)
class Nearness:
    """What stands before the parameters of all three: fields of the last base come first."""

    epsilon: float | None = None
    radius: float = 1.0


@dataclass(eq=False)
class RelRITParameters(EstimatorParameters, Nearness):
    """Parameters of `RelRITClassifier`, described there."""


class RelRITClassifier(IntersectionTreesClassifier, RelRITParameters):
    """Classify by nearness to values that samples of a class have in common (relRIT).

    Features are scaled to 0..1. An item of a tree is a feature with the value v of the root's
    row; it is lost when the squared deviations of the rows met add up to more than `epsilon`
    times the mean of ``(x - v)^2`` over the class (of a category: mismatches, and their rate). A
    sample holds a set by ``exp(-sum_j (x_j - v_j)^2 / radius)``.

    Parameters
    ----------
    epsilon : float, optional
        Greatest sum of squared deviations, over their mean in the class. If left out, the best of
        .1, .3, 1 and 3 by five-fold cross-validation.
    radius : float, default=1.0
        How far is near.
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
    >>> from tamis.classifiers import RelRITClassifier
    >>> rng = np.random.default_rng(0)
    >>> y = np.repeat(["a", "b"], 40)
    >>> X = rng.normal(size=(80, 50))
    >>> X[:, :3] += 4 * (y == "b")[:, None]
    >>> model = RelRITClassifier(random_state=0, epsilon=1.0).fit(X, y)
    >>> sorted(model.selected_.tolist())[:3], bool(model.score(X, y) > 0.9)
    ([0, 1, 2], True)
    """

    def _rules(self, sample: Sample, settings: SearchSettings) -> SetRules:
        radius = checked_positive(self.radius, "radius")

        def fit_relaxed_rules(part: Sample, epsilon: float, chosen: SearchSettings) -> SetRules:
            return relaxed_rules(part, epsilon, radius, chosen)

        self.epsilon_ = best_epsilon(self.epsilon, sample, EPSILONS, fit_relaxed_rules, settings)
        return fit_relaxed_rules(sample, self.epsilon_, settings)


@dataclass(eq=False)
class RelRIT(RelRITParameters, SetsClassifier):
    """relRIT in plans: on how many features, and how near.

    Parameters
    ----------
    epsilons : sequence of float
        Greatest sum of squared deviations, over their mean in the class.
    screened : sequence of int
        Of how many features, those that differ most between the classes.
    """

    epsilons: Sequence[float] = (0.3, 1.0, 3.0)
    screened: Sequence[int] = SCREENED_SIZES

    def steps(self) -> list[StepSettings]:
        """Few features first."""
        return screened_steps(self.screened, "epsilon", sorted(self.epsilons))

    def sets(self, sample: Sample, step: StepSettings, settings: SearchSettings) -> SetRules:
        """By the step's epsilon."""
        return relaxed_rules(sample, float(step["epsilon"]), self.radius, settings)
