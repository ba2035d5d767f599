"""Features that stand in sets of random intersection trees."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from .._core.interfaces import Part, Ranking, Seeds
from .._core.settings import checked_count
from ._base import RankerSelector
from ._orders import cut_order, order_of


class IntersectionSelector(RankerSelector):
    """Keep features that more than `more_than` sets of random intersection trees hold.

    A set is one that a class shares and others do not (`random_intersection_trees`). With
    ``size`` the features of the most sets are kept instead.

    Parameters
    ----------
    more_than : int, default=0
        C: a feature is kept if it is in strictly more sets.
    discretizer : None, "ameva", "caim", "chimerge", "equal_frequency", "equal_width" or "mdl", \
default=None
        What cuts features into intervals. None: X holds zeros and ones.
    signed : bool, default=False
        Whether zeros are something to share too; only without a discretiser.
    n_trees, depth, branch, min_size, theta, theta_out
        As of `tamis.interactions.random_intersection_trees`.
    max_sets : int, default=500
        Of each class, those that stand out most.
    size : int or None, default=None
    random_state : int, default=None

    Attributes
    ----------
    scores_ : ndarray of shape (n_features,)
        How many sets hold the feature.
    ranking_ : ndarray of shape (n_features,)
        1 is best; ties go to the lower column.
    support_ : ndarray of shape (n_features,)

    References
    ----------
    Shah & Meinshausen (2014), Random intersection trees, Journal of Machine Learning Research
    15, 629-654.

    Examples
    --------
    >>> from tamis.data import make_planted_interaction
    >>> from tamis.selection import IntersectionSelector
    >>> data = make_planted_interaction(n_per_class=200, n_features=1000)
    >>> kept = IntersectionSelector(theta=0.4, random_state=0).fit(data.X, data.y)
    >>> kept.get_support(indices=True)
    array([997, 998, 999])
    """

    def __init__(
        self,
        more_than: int = 0,
        discretizer: str | None = None,
        signed: bool = False,
        n_trees: int = 100,
        depth: int = 10,
        branch: float = 5,
        min_size: int = 2,
        theta: Any = "auto",
        theta_out: Any = None,
        max_sets: int = 500,
        size: int | None = None,
        random_state: int | None = None,
    ):
        self.more_than = more_than
        self.discretizer = discretizer
        self.signed = signed
        self.n_trees = n_trees
        self.depth = depth
        self.branch = branch
        self.min_size = min_size
        self.theta = theta
        self.theta_out = theta_out
        self.max_sets = max_sets
        self.size = size
        self.random_state = random_state

    def rank(self, part: Part, sizes: Sequence[int], stream: Seeds) -> Ranking:
        """By the number of sets that hold each column."""
        from ..classifiers.intersection_trees.search import Sample, item_rules, settings_of

        least = checked_count(self.more_than, "more_than", 0)
        seed = int(stream.generate_state(1)[0])
        settings = settings_of(self, part.n_classes, "matched", seed)
        p = part.X.shape[1]
        sample = Sample(part.X, part.y, part.n_classes, np.zeros(p, dtype=bool))
        rules = item_rules(sample, self.discretizer, self.signed, settings)
        counts = rules.occurrences().astype(np.float64)
        chosen = int((counts > least).sum())
        order = order_of(counts, max([*sizes, chosen]))
        return Ranking(counts, cut_order(order, [*sizes, chosen]), chosen)
