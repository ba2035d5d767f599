"""Stability selection by complementary pairs of halves, for any ranker."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from sklearn.base import clone

from .._core.errors import DataError, PlanError
from ._base import RankerSelector, Ranking, cut_order, order_of
from ._error_bounds import ErrorControl, solve
from ._filter_selector import FilterSelector
from ._parts import TrainingParts

DEFAULT_THRESHOLD, DEFAULT_PFER = 0.75, 1.0
DRAWS = 1000  # of halves that are not stratified, until every class is in both
AT_ONCE = 2**24  # scores held at a time: halves are ranked in batches of so many columns in all


@dataclass(frozen=True)
class StabilityRanking(Ranking):
    """A ranking by selection probability, and where it comes from.

    Attributes
    ----------
    probabilities, simultaneous : ndarray of shape (p,)
        Share of the 2B halves that select each feature, and of the B pairs of which both
        halves do.
    features : ndarray of shape (m,)
        Columns that any half selected, rising.
    probability_path : ndarray of shape (q, m)
        Row k - 1: the probabilities of `features` had only the best k been selected.
    control : ErrorControl
    """

    probabilities: np.ndarray = field(default_factory=lambda: np.zeros(0))
    simultaneous: np.ndarray = field(default_factory=lambda: np.zeros(0))
    features: np.ndarray = field(default_factory=lambda: np.zeros(0, dtype=np.int64))
    probability_path: np.ndarray = field(default_factory=lambda: np.zeros((0, 0)))
    control: ErrorControl | None = None


class StabilitySelector(RankerSelector):
    """Keep the features that a ranker selects again and again on halves of the data.

    The samples are split `n_pairs` times into two disjoint halves; on each half the ranker
    selects its best `q` features. A feature's selection probability is the share of the
    halves that select it, and features are kept from `threshold` up. The expected number of
    false selections, of features whose chance of being selected on a random half is at most
    q/p, is then under a bound (PFER). Give two of `q`, `threshold` and `pfer`.

    The bound holds for keeping by `threshold` only. **Ranking by the selection probability
    and taking the best k** (`size`, or a study that tunes the number of features) **gives
    up control of the PFER.**

    Parameters
    ----------
    ranker : object with ``rank(X, y, sizes, stream)``, default=None
        Any selector of this package; None is ``FilterSelector("moderated_t")``. Its own
        size plays no part; other conditions (`max_p`, ...) may leave fewer than `q`.
    q : int, default=None
        Features selected on each half.
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

    Attributes
    ----------
    probabilities_ : ndarray of shape (n_features,)
        On the grid k/(2B).
    simultaneous_ : ndarray of shape (n_features,)
        Share of the pairs of which both halves select the feature.
    scores_ : ndarray of shape (n_features,)
        The probability, plus less than half a step of its grid for ties: the mean over
        k = 1..q of the probability at k (the area under the feature's path), over 4B.
    ranking_ : ndarray of shape (n_features,)
        1 is best, by `scores_`; what ties even so goes to the lower column.
    support_ : ndarray of shape (n_features,)
        Probability of at least `threshold_`; the `size` best if that is given.
    q_, threshold_, pfer_ : int, float, float
        As used; `pfer_` is the bound at them. None if `size` is given.
    probability_path_ : ndarray of shape (q_, n_selected)
        Probability of `path_features_` had the best k been selected, for k = 1..q.
    path_features_ : ndarray of shape (n_selected,)
        Columns that at least one half selected.

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
    feature that cannot be scored is never selected.

    References
    ----------
    Meinshausen & Buhlmann (2010), J. R. Stat. Soc. B 72, 417-473; Shah & Samworth (2013),
    J. R. Stat. Soc. B 75, 55-80.

    Examples
    --------
    >>> from tamis.data import load_golub
    >>> from tamis.selection._stability import StabilitySelector
    >>> golub = load_golub()
    >>> selector = StabilitySelector(q=30, threshold=0.9, random_state=0).fit(golub.X, golub.y)
    >>> round(selector.pfer_, 3), bool(selector.probabilities_.max() == 1)
    (0.127, True)
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

    def rank(
        self, X: np.ndarray, y: np.ndarray, sizes: Sequence[int], stream: np.random.SeedSequence
    ) -> StabilityRanking:
        """Rank the columns of one training part by selection probability.

        ``chosen`` is the number of features at or above the threshold; the path goes on
        past it.
        """
        p = X.shape[1]
        control = self._control(p)
        q = control.q
        rows = [
            half
            for b in range(control.n_pairs)
            for half in complementary_halves(y, _child(stream, 0, b), self.stratified)
        ]
        counts, both = np.zeros(p, dtype=np.int64), np.zeros(p, dtype=np.int64)
        area = np.zeros(p, dtype=np.int64)
        selected: list[np.ndarray] = []
        for chosen in self._selections(X, y, rows, q, stream):
            counts[chosen] += 1
            area[chosen] += q - np.arange(len(chosen))  # the k from its place up to q
            if len(selected) % 2:
                both[np.intersect1d(chosen, selected[-1])] += 1
            selected.append(chosen)
        # Whole numbers up to here, so that equal features tie exactly.
        scores = (counts + area / (2 * q * len(rows))) / len(rows)
        probabilities = counts / len(rows)
        features = np.flatnonzero(counts)
        entries = np.zeros((q, len(features)), dtype=np.int64)
        for chosen in selected:
            entries[np.arange(len(chosen)), np.searchsorted(features, chosen)] += 1
        return StabilityRanking(
            scores,
            cut_order(order_of(scores, max(sizes, default=0)), sizes),
            int((probabilities >= control.threshold).sum()),
            None,
            probabilities,
            both / control.n_pairs,
            features,
            entries.cumsum(axis=0) / len(rows),
            control,
        )

    def _control(self, p: int) -> ErrorControl:
        """Two of the three as given, or as the defaults have it, and the third."""
        threshold, pfer = self.threshold, self.pfer
        known = sum(v is not None for v in (self.q, threshold, pfer))
        if known < 2 and threshold is None:
            threshold, known = DEFAULT_THRESHOLD, known + 1
        if known < 2:
            pfer = DEFAULT_PFER
        return solve(self.q, threshold, pfer, p=p, n_pairs=self.n_pairs, bound=self.bound)

    def _selections(
        self,
        X: np.ndarray,
        y: np.ndarray,
        rows: list[np.ndarray],
        q: int,
        stream: np.random.SeedSequence,
    ) -> Iterator[np.ndarray]:
        """The features selected on each half, best first."""
        if self.ranker is None:
            ranker = FilterSelector("moderated_t")
        elif callable(getattr(self.ranker, "rank", None)):
            ranker = clone(self.ranker, safe=False)
        else:
            raise PlanError(
                f"ranker={self.ranker!r} has no method rank(X, y, sizes, stream): give a "
                "selector such as FilterSelector"
            )
        batch = max(1, AT_ONCE // X.shape[1])
        for start in range(0, len(rows), batch):
            some = rows[start : start + batch]
            parts = TrainingParts(X, y, some)
            streams = [_child(stream, 1, start + i) for i in range(len(some))]
            if hasattr(ranker, "rank_parts"):
                rankings = iter(ranker.rank_parts(parts, [q], streams))
            else:
                rankings = (
                    ranker.rank(parts.matrix(i), parts.labels(i), [q], streams[i])
                    for i in range(len(some))
                )
            for i, ranking in enumerate(rankings):
                rng = np.random.default_rng(_child(stream, 2, start + i))
                yield top(ranking, q, rng)

    def _keep(self, ranking: Ranking) -> None:
        assert isinstance(ranking, StabilityRanking)
        control = ranking.control
        assert control is not None
        self.probabilities_ = ranking.probabilities
        self.simultaneous_ = ranking.simultaneous
        self.probability_path_ = ranking.probability_path
        self.path_features_ = ranking.features
        self.q_ = control.q
        self.threshold_ = control.threshold if self.size is None else None
        self.pfer_ = control.pfer if self.size is None else None


def complementary_halves(
    y: np.ndarray, stream: np.random.SeedSequence, stratified: bool = True
) -> tuple[np.ndarray, np.ndarray]:
    """Two disjoint halves of floor(n/2) rows, rising, each with every class.

    Stratified: each class gives both halves equally many; the odd rows left over, one of
    each class with an odd number, go to the halves in turn in random order.
    """
    sizes = np.bincount(y)
    if sizes.min() < 2:
        raise DataError(
            f"class number {int(sizes.argmin())} (in sorted order) has {int(sizes.min())} "
            "sample(s): each half needs one of every class, so give classes of at least 2"
        )
    rng = np.random.default_rng(stream)
    half = len(y) // 2
    if stratified:
        shuffled = [rng.permutation(np.flatnonzero(y == c)) for c in range(len(sizes))]
        over = rng.permutation([r[-1] for r in shuffled if len(r) % 2]).astype(np.int64)
        over = over[: len(over) // 2 * 2]
        first = np.concatenate([*[r[: len(r) // 2] for r in shuffled], over[0::2]])
        second = np.concatenate([*[r[len(r) // 2 : len(r) // 2 * 2] for r in shuffled], over[1::2]])
        return np.sort(first), np.sort(second)
    for _ in range(DRAWS):
        order = rng.permutation(len(y))
        first, second = np.sort(order[:half]), np.sort(order[half : 2 * half])
        if all((np.bincount(y[rows], minlength=len(sizes)) > 0).all() for rows in (first, second)):
            return first, second
    raise DataError(
        f"no halves with all {len(sizes)} classes in {DRAWS:,} draws: use stratified=True, or give "
        "larger classes"
    )


def top(ranking: Ranking, q: int, rng: np.random.Generator) -> np.ndarray:
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


def _child(stream: np.random.SeedSequence, *key: int) -> np.random.SeedSequence:
    """A stream below `stream`, by its key alone; `stream` itself is left as it was."""
    return np.random.SeedSequence(stream.entropy, spawn_key=(*stream.spawn_key, *key))
