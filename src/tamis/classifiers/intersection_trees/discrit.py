"""discRIT: random intersection trees on features cut into intervals."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ..._core.parameters import StepSettings
from .estimator import EstimatorParameters, IntersectionTreesClassifier
from .paths import SCREENED_SIZES, SetsClassifier, screened_steps
from .rules import SetRules
from .search import Sample, SearchSettings, discrete_rules


@dataclass(eq=False)
class Cut:
    """What stands before the parameters of all three: fields of the last base come first."""

    discretizer: str = "ameva"


@dataclass(eq=False)
class DiscRITParameters(EstimatorParameters, Cut):
    """Parameters of `DiscRITClassifier`, described there."""

    branch: float = 3


class DiscRITClassifier(IntersectionTreesClassifier, DiscRITParameters):
    """Classify by sets of intervals that samples of a class share and others do not (discRIT).

    Features are cut into intervals, each interval becomes a 0/1 column, and random intersection
    trees are grown on these. Every training sample of a class then adds to how often the class
    holds each set; see `tamis.classifiers.intersection_trees.rules` for what decides.

    Parameters
    ----------
    discretizer : {"ameva", "caim", "chimerge", "equal_frequency", "equal_width", "mdl"}, \
default="ameva"
        What cuts features; "equal_width" and "equal_frequency" into as many intervals as the cube
        root of the samples. A feature that it does not cut plays no part.
    n_trees : int, default=100
        Of each class.
    depth : int, default=10
        Rows that a leaf has met beside that of the root.
    branch : float, default=3
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

    References
    ----------
    Shah & Meinshausen (2014), Random intersection trees, Journal of Machine Learning Research
    15, 629-654.

    Examples
    --------
    >>> import numpy as np
    >>> from tamis.classifiers import DiscRITClassifier
    >>> rng = np.random.default_rng(0)
    >>> y = np.repeat(["a", "b"], 40)
    >>> X = rng.normal(size=(80, 50))
    >>> X[:, :3] += 4 * (y == "b")[:, None]
    >>> model = DiscRITClassifier(random_state=0).fit(X, y)
    >>> sorted(model.selected_.tolist())[:3], bool(model.score(X, y) > 0.9)
    ([0, 1, 2], True)
    """

    def _rules(self, sample: Sample, settings: SearchSettings) -> SetRules:
        return discrete_rules(sample, self.discretizer, settings)


@dataclass(eq=False)
class DiscRIT(DiscRITParameters, SetsClassifier):
    """discRIT in plans: on how many features, and cut how.

    Parameters
    ----------
    discretizers : sequence of str
    screened : sequence of int
        Of how many features, those that differ most between the classes.
    """

    discretizers: Sequence[str] = ("ameva", "equal_frequency")
    screened: Sequence[int] = SCREENED_SIZES

    def steps(self) -> list[StepSettings]:
        """Few features first."""
        return screened_steps(self.screened, "discretizer", self.discretizers)

    def sets(self, sample: Sample, step: StepSettings, settings: SearchSettings) -> SetRules:
        """By the step's cuts."""
        return discrete_rules(sample, str(step["discretizer"]), settings)
