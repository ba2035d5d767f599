"""Stability selection by complementary pairs of halves, for any ranker."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from sklearn.base import clone

from .._core.errors import PlanError
from .._core.interfaces import Part, Ranker, Ranking, Seeds
from ._base import RankerSelector
from ._error_bounds import ErrorControl, solve_control
from ._filter_selector import FilterSelector
from ._halves import child_seed, complementary_halves
from ._importances import ImportanceRanker
from ._orders import cut_order, order_of
from ._parts import TrainingParts
from ._stability_counts import PathRanker, path_counts, path_scores, ranked_counts
from ._stability_ranking import StabilityRanking

DEFAULT_THRESHOLD, DEFAULT_PFER = 0.75, 1.0
AT_ONCE = 2**24  # scores held at a time: halves are ranked in batches of so many columns in all


class StabilitySelector(RankerSelector):
    """Keep the features that a ranker selects again and again on halves of the data.

    The samples are split `n_pairs` times into two disjoint halves; on each half the ranker
    selects at most `q` features. A feature's selection probability is the share of the
    halves that select it, and features are kept from `threshold` up. The expected number of
    false selections, of features whose chance of being selected on a random half is at most
    q/p, is then under a bound (PFER). Give two of `q`, `threshold` and `pfer`.

    A ranker with a sparse path (`HuberizedSVMSelector`) is followed along it, on one grid of
    lambdas for all halves: a half's path ends before more than `q` features have ever been
    active and keeps its last active set for the rest of the grid. The probability is the
    largest along the grid, and ties go by the area under it and by the first lambda at which
    any half selects the feature. Other rankers select their best `q`.

    The bound holds for keeping by `threshold` only. **Ranking by the selection probability
    and taking the best k** (`size`, or a study that tunes the number of features) **gives
    up control of the PFER.**

    Parameters
    ----------
    ranker : object, default=None
        Any selector of this package; None is ``FilterSelector("moderated_t")``. Its own
        size plays no part; other conditions (`max_p`, ...) may leave fewer than `q`. Or any
        estimator with ``coef_`` or ``feature_importances_``, fitted to each half with its columns
        standardised; columns of weight 0 are not selected.
    q : int, default=None
        Features selected on each half, at most.
    threshold : float, default=None
        Least selection probability of a kept feature, above 0.5; rounded up to k/(2B).
    pfer : float, default=None
        Bound on the expected number of false selections. With fewer than two of the three
        given, threshold is 0.75, then pfer is 1.
    bound : {"meinshausen_buhlmann", "unimodal", "r_concave"}, default="unimodal"
        Under which assumption: none, that the shares of features selected by chance have
        a unimodal distribution, or an r-concave one (stronger, and a smaller bound).
    n_pairs : int, default=50
        Complementary pairs, B.
    stratified : bool, default=True
        Halves have equal numbers of each class, but for odd ones. If not, halves that lack
        a class are drawn again.
    random_state : int, default=None
    size : int, default=None
        Keep so many of the best instead, without error control.
    n_jobs : int, default=None
        Threads that follow paths; other rankers run on one. Results do not depend on it.

    Attributes
    ----------
    probabilities_ : ndarray of shape (n_features,)
        On the grid k/(2B); along a path the largest.
    simultaneous_ : ndarray of shape (n_features,)
        Share of the pairs of which both halves select the feature; along a path the largest
        share at one lambda.
    scores_ : ndarray of shape (n_features,)
        The probability, plus less than half a step of its grid for ties: the mean of the
        probabilities over k = 1..q (the area under the feature's path), over 4B; along a
        path by the area over the lambdas, then by entry.
    ranking_ : ndarray of shape (n_features,)
        1 is best, by `scores_`; what ties even so goes to the lower column.
    support_ : ndarray of shape (n_features,)
        Probability of at least `threshold_`; the `size` best if that is given.
    q_, threshold_, pfer_ : int, float, float
        As used; `pfer_` is the bound at them. The last two are None if `size` is given.
    probability_path_ : ndarray of shape (n_steps, n_selected)
        Probability of `path_features_` at each of `lambdas_`; without a path, had the best k
        been selected, for k = 1..q.
    path_features_ : ndarray of shape (n_selected,)
        Columns that at least one half selected.
    lambdas_ : ndarray of shape (n_steps,)
        Empty for rankers without a path.
    result_ : StabilityRanking
        All of this, with ``frame()``, ``plot()``, ``to_dict()`` and ``summary()``, which says
        "inconclusive" if no more features are stable than `pfer_`, rounded up.

    Raises
    ------
    PlanError
        What cannot be met, or a ranker that cannot rank.
    DataError
        A class with fewer than two samples.

    Notes
    -----
    Where the cut at q falls among equal scores, those of them that count are drawn by lot
    on each half: else the first columns of a constant block would be selected always. A
    feature that cannot be scored is never selected. A path that would pass q at its first
    lambda selects nothing on that half, so a small q on weak data finds little.

    The bound is that of selecting, on each half, the union of the active sets, which holds
    at most q features; the largest probability along the path is never above that of the
    union, so keeping by it keeps no more.

    References
    ----------
    Meinshausen & Buhlmann (2010), J. R. Stat. Soc. B 72, 417-473; Shah & Samworth (2013),
    J. R. Stat. Soc. B 75, 55-80.

    Examples
    --------
    >>> from tamis.data import load_golub
    >>> from tamis.selection import HuberizedSVMSelector, StabilitySelector
    >>> golub = load_golub()
    >>> selector = StabilitySelector(q=30, threshold=0.9, random_state=0).fit(golub.X, golub.y)
    >>> round(selector.pfer_, 3), bool(selector.probabilities_.max() == 1)
    (0.127, True)
    >>> selector = StabilitySelector(HuberizedSVMSelector(), n_pairs=20, random_state=0)
    >>> selector.fit(golub.X, golub.y).probability_path_.shape[0]
    30
    """

    def __init__(
        self,
        ranker: Any = None,
        q: int | None = None,
        threshold: float | None = None,
        pfer: float | None = None,
        bound: str = "unimodal",
        n_pairs: int = 50,
        stratified: bool = True,
        random_state: int | None = None,
        size: int | None = None,
        n_jobs: int | None = None,
    ):
        self.ranker = ranker
        self.q = q
        self.threshold = threshold
        self.pfer = pfer
        self.bound = bound
        self.n_pairs = n_pairs
        self.stratified = stratified
        self.random_state = random_state
        self.size = size
        self.n_jobs = n_jobs

    def rank(self, part: Part, sizes: Sequence[int], stream: Seeds) -> StabilityRanking:
        """Rank the columns of one training set by selection probability.

        ``chosen`` is the number of features at or above the threshold; the path goes on
        past it.
        """
        X, y = part.X, part.y
        p = X.shape[1]
        # halves of a number are any
        strata = y if part.n_classes > 1 else np.zeros(len(y), dtype=np.int64)
        control = self.error_control(p)
        ranker = self._ranker()
        rows = [
            half
            for b in range(control.n_pairs)
            for half in complementary_halves(strata, child_seed(stream, 0, b), self.stratified)
        ]
        lambdas = np.zeros(0)
        if isinstance(ranker, PathRanker):
            shared = ranker.shared_path(X, y)
            lambdas = shared.lambdas
            found = path_counts(shared, rows, control.q, self.n_jobs)
            values = path_scores(found)
        else:
            selections = half_selections(ranker, X, y, rows, control.q, stream)
            found, values = ranked_counts(selections, control.q, p)
        scores, probabilities, simultaneous = np.zeros((3, p))
        scores[found.features] = values
        probabilities[found.features] = found.counts.max(axis=0, initial=0) / len(rows)
        simultaneous[found.features] = found.both / control.n_pairs
        return StabilityRanking(
            scores,
            cut_order(order_of(scores, max(sizes, default=0)), sizes),
            int((probabilities >= control.threshold).sum()),
            None,
            probabilities,
            simultaneous,
            found.features,
            found.counts / len(rows),
            control,
            lambdas,
        )

    def _ranker(self) -> Any:
        """What runs on the halves; the parameter itself is left as it is."""
        if self.ranker is None:
            return FilterSelector("moderated_t")
        ranks = callable(getattr(self.ranker, "rank", None))  # or one of the user's own
        if not isinstance(self.ranker, type):
            if ranks:
                return clone(self.ranker, safe=False)
            if callable(getattr(self.ranker, "fit", None)):
                return ImportanceRanker(self.ranker)
        raise PlanError(
            f"ranker={self.ranker!r} is no object with a method rank(part, sizes, stream), and no "
            "estimator: give a selector such as FilterSelector()"
        )

    def check_columns(self, p: int) -> None:
        """Refuse an error control that so many columns cannot have (`error_control`)."""
        self.error_control(p)

    def error_control(self, p: int) -> ErrorControl:
        """What selection among p columns runs with: q, threshold and PFER.

        Two of the three as given, or as the defaults have it, and the third by the bound.

        Raises
        ------
        PlanError
            A value out of range, or what so many columns cannot have.
        """
        threshold, pfer = self.threshold, self.pfer
        known = sum(v is not None for v in (self.q, threshold, pfer))
        if known < 2 and threshold is None:
            threshold, known = DEFAULT_THRESHOLD, known + 1
        if known < 2:
            pfer = DEFAULT_PFER
        return solve_control(self.q, threshold, pfer, p=p, n_pairs=self.n_pairs, bound=self.bound)

    def _keep(self, ranking: Ranking) -> None:
        assert isinstance(ranking, StabilityRanking)
        control = ranking.control
        assert control is not None
        names = tuple(getattr(self, "feature_names_in_", ()))
        self.result_ = replace(ranking, names=names)
        self.probabilities_ = ranking.probabilities
        self.simultaneous_ = ranking.simultaneous
        self.probability_path_ = ranking.probability_path
        self.path_features_ = ranking.features
        self.lambdas_ = ranking.lambdas
        self.q_ = control.q
        self.threshold_ = control.threshold if self.size is None else None
        self.pfer_ = control.pfer if self.size is None else None


def half_selections(
    ranker: Any,
    X: np.ndarray,
    y: np.ndarray,
    rows: list[np.ndarray],
    q: int,
    stream: np.random.SeedSequence,
) -> Iterator[np.ndarray]:
    """The features selected on each half, best first."""
    batch = max(1, AT_ONCE // X.shape[1])
    for start in range(0, len(rows), batch):
        some = rows[start : start + batch]
        parts = TrainingParts(X, y, some)
        streams = [child_seed(stream, 1, start + i) for i in range(len(some))]
        if isinstance(ranker, Ranker) and ranker.by_parts:
            rankings = iter(ranker.rank_parts(parts, [q], streams))
        else:
            rankings = (ranker.rank(parts.part(i), [q], streams[i]) for i in range(len(some)))
        for i, ranking in enumerate(rankings):
            rng = np.random.default_rng(child_seed(stream, 2, start + i))
            yield top_features(ranking, q, rng)


def top_features(ranking: Ranking, q: int, rng: np.random.Generator) -> np.ndarray:
    """The best q of a ranking that have a score, best first; a tie at the cut goes by lot."""
    scores = ranking.scores
    chosen = ranking.path[q] if q in ranking.path else order_of(scores, q)
    chosen = chosen[~np.isneginf(scores[chosen])]
    if len(chosen) < q:
        return chosen
    last = scores[chosen].min()
    sure = chosen[scores[chosen] > last]
    level = np.flatnonzero(scores == last)
    # only where the path is a cut of the scores; a method's own sets stay as they are
    if len(sure) + len(level) > q and len(sure) == (scores > last).sum():
        level = rng.choice(level, q - len(sure), replace=False)
        return np.concatenate([sure, level])
    return chosen
