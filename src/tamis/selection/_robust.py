"""Robust Feature Selection (RFS): stability selection along the path of the huberised SVM."""

from __future__ import annotations

from typing import Any

from ._huberized_selector import HuberizedSVMSelector
from ._stability import StabilitySelector


class RobustFeatureSelector(StabilitySelector):
    """Rank features by how often the hybrid huberised SVM selects them on halves of the data.

    `StabilitySelector` with `HuberizedSVMSelector` inside. Features are ranked by the largest
    selection probability along the path; ties, of which many have probability 1, go by the
    area under the probability over the grid, then by the first lambda at which any half
    selects the feature, then by column.

    **Ranking by the largest probability and taking the best** `size` **gives up control of
    the number of false selections.** With ``size=None`` the features of a probability of at
    least `threshold` are kept, and the expected number of false ones among them is under
    `pfer_`. No more features than that bound, rounded up, are inconclusive: one feature under a
    bound of 1 may be the false one (`result_.summary()` says so).

    Parameters
    ----------
    lambda2 : float, default=0.1
        Of the ridge penalty, at least 0.
    delta : float, default=2.0
        Width of the quadratic part of the loss, in units of the margin.
    n_lambdas : int, default=30
        Length of the grid, from lambda_max of all samples down to 0.01 of it (1e-4 if there
        are more samples than features).
    standardize : bool, default=True
        Divide each feature by its standard deviation over all samples.
    n_pairs : int, default=50
        Complementary pairs of halves, B.
    q : int, default=None
        Features that may ever be active on a half.
    threshold : float, default=None
        Least selection probability of a stable feature, above 0.5; rounded up to k/(2B).
    pfer : float, default=None
        Bound on the expected number of false selections. With fewer than two of the three
        given, threshold is 0.75, then pfer is 1.
    bound : {"meinshausen_buhlmann", "unimodal", "r_concave"}, default="unimodal"
    stratified : bool, default=True
        Halves have equal numbers of each class, but for odd ones.
    size : int or None, default=20
        Features to keep; None keeps by `threshold`.
    random_state : int, default=None
    n_jobs : int, default=None
        Threads, one half each. Results do not depend on it.

    Attributes
    ----------
    scores_, ranking_, support_ : ndarray of shape (n_features,)
    probabilities_, simultaneous_ : ndarray of shape (n_features,)
    probability_path_, path_features_, lambdas_ : ndarray
    q_, threshold_, pfer_ : int, float, float
        The last two are None if `size` is given.
    result_ : StabilityRanking
        All as in `StabilitySelector`.

    Raises
    ------
    PlanError
        A parameter out of range.
    DataError
        A class with fewer than two samples.

    References
    ----------
    Meinshausen & Buhlmann (2010), J. R. Stat. Soc. B 72, 417-473; Shah & Samworth (2013),
    J. R. Stat. Soc. B 75, 55-80; Wang, Zhu & Zou (2008), Bioinformatics 24, 412-419.

    Examples
    --------
    >>> from tamis.data import load_golub
    >>> from tamis.selection import RobustFeatureSelector
    >>> golub = load_golub()
    >>> selector = RobustFeatureSelector(n_pairs=20, random_state=0).fit(golub.X, golub.y)
    >>> int(selector.get_support().sum()), len(selector.lambdas_)
    (20, 30)
    """

    def __init__(
        self,
        lambda2: float = 0.1,
        delta: float = 2.0,
        n_lambdas: int = 30,
        standardize: bool = True,
        n_pairs: int = 50,
        q: int | None = None,
        threshold: float | None = None,
        pfer: float | None = None,
        bound: str = "unimodal",
        stratified: bool = True,
        size: int | None = 20,
        random_state: int | None = None,
        n_jobs: int | None = None,
    ):
        self.lambda2 = lambda2
        self.delta = delta
        self.n_lambdas = n_lambdas
        self.standardize = standardize
        self.n_pairs = n_pairs
        self.q = q
        self.threshold = threshold
        self.pfer = pfer
        self.bound = bound
        self.stratified = stratified
        self.size = size
        self.random_state = random_state
        self.n_jobs = n_jobs

    def _ranker(self) -> Any:
        return HuberizedSVMSelector(
            self.lambda2, self.delta, self.n_lambdas, standardize=self.standardize
        )
