"""Exact search among all pairs of features, and what chance would have found."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypedDict

import numpy as np

from ..._core.errors import DataError, PlanError, counted_noun, nearest_hint, shorten_text
from ..._core.first_screen import FirstScreen
from ..._core.progress import Progress
from ..._core.settings import checked_count
from ...data.class_codes import class_codes
from ...metrics.permuted_maxima import family_p_values, family_threshold, number_of_permutations
from .levels import read_levels
from .pair_mtd import coded_distance
from .pair_runs import PairRuns

if TYPE_CHECKING:
    import pandas as pd

    from ...plotting.picture import Picture

ORDERS = ("interaction", "score")


class FoundPair(TypedDict):
    """A pair of features."""

    features: list[str]
    score: float
    interaction: float
    singles: list[float]
    n: int
    classes: list[str]
    family_p: float | None


class PairSearchContent(TypedDict):
    """A `PairSearch` as JSON."""

    pairs: list[FoundPair]
    by: str
    level: float
    threshold: float | None
    maxima: list[float]
    n_significant: int
    n_features: int
    n_pairs: int
    bins: int


@dataclass(frozen=True, eq=False)
class PairSearch(FirstScreen):
    """The best of all pairs of features, best first.

    Attributes
    ----------
    terms : tuple of (feature, feature)
        Names of a data frame's columns, otherwise column numbers.
    score : ndarray of shape (k,)
        2 W1 between the classes, 0 to 4, as `pair_mtd` has it.
    interaction : ndarray of shape (k,)
        `score` less `singles`, at least 0.
    singles : ndarray of shape (k, 2)
        The features' own scores, on the samples complete in both.
    n : ndarray of shape (k,)
        Samples complete in both.
    classes : tuple of (label, label)
        The two classes that each pair's numbers compare.
    family_p : ndarray of shape (k,) or None
        (1 + runs with permuted classes whose best pair is at least as good) / (1 + runs).
    maxima : ndarray of shape (runs,)
        What the best pair of each permuted run reached.
    by : {"interaction", "score"}
        What pairs are ordered by, and permuted runs compared in.
    level : float
    n_features : int
        That were paired with each other.
    n_pairs : int
        That were looked at, in each run.
    bins : int
        Intervals of a numeric feature.
    """

    terms: tuple[tuple[Any, Any], ...]
    score: np.ndarray
    interaction: np.ndarray
    singles: np.ndarray
    n: np.ndarray
    classes: tuple[tuple[Any, Any], ...]
    family_p: np.ndarray | None
    maxima: np.ndarray
    by: str
    level: float
    n_features: int
    n_pairs: int
    bins: int

    def __repr__(self) -> str:
        best = f"; best {self._named(0)}, {self.by} {self.value[0]:.3f}" if self.terms else ""
        return (
            f"PairSearch({self.n_pairs:,} pairs of "
            f"{counted_noun(self.n_features, 'feature')}{best})"
        )

    @property
    def value(self) -> np.ndarray:
        """What the pairs are ordered by: `interaction` or `score`."""
        return self.interaction if self.by == "interaction" else self.score

    @cached_property
    def threshold(self) -> float | None:
        """What `value` must exceed to be significant at `level`; None without permuted runs."""
        return family_threshold(self.maxima.tolist(), self.level) if len(self.maxima) else None

    @property
    def significant(self) -> np.ndarray:
        """Which pairs exceed the threshold (k,); none without permuted runs."""
        return self.value > (np.inf if self.threshold is None else self.threshold)

    def frame(self) -> pd.DataFrame:
        """One row a pair, best first."""
        import pandas as pd

        features = np.empty(len(self.terms), dtype=object)
        features[:] = self.terms
        table = pd.DataFrame(
            {
                "features": features,
                "score": self.score,
                "interaction": self.interaction,
                "single_1": self.singles[:, 0],
                "single_2": self.singles[:, 1],
                "n": self.n,
                "classes": [" / ".join(map(str, pair)) for pair in self.classes],
            }
        )
        return table if self.family_p is None else table.assign(family_p=self.family_p)

    def to_dict(self, most: int = 100) -> PairSearchContent:
        """Plain numbers, for JSON: the best `most` pairs, and what they are compared with."""
        family = [None] * len(self.terms) if self.family_p is None else self.family_p.tolist()
        return {
            "pairs": [
                {
                    "features": [str(name) for name in self.terms[k]],
                    "score": float(self.score[k]),
                    "interaction": float(self.interaction[k]),
                    "singles": self.singles[k].tolist(),
                    "n": int(self.n[k]),
                    "classes": [str(label) for label in self.classes[k]],
                    "family_p": family[k],
                }
                for k in range(min(most, len(self.terms)))
            ],
            "by": self.by,
            "level": float(self.level),
            "threshold": self.threshold,
            "maxima": self.maxima.tolist(),
            "n_significant": int(self.significant.sum()),
            "n_features": self.n_features,
            "n_pairs": self.n_pairs,
            "bins": self.bins,
        }

    def plot(self, most: int = 20) -> Picture:
        """The best pairs, and the best of each permuted run (`tamis.plotting.pair_scores`)."""
        from ...plotting.pair_scores import pair_scores
        from ...plotting.picture import Picture

        pairs, runs = self.to_dict(most)["pairs"], self.maxima.tolist()
        chart = pair_scores(pairs, self.by, runs, self.threshold, self.level)
        return Picture("pairs", (chart,))

    def summary(self) -> str:
        """One line."""
        line = f"{self.n_pairs:,} pairs of {counted_noun(self.n_features, 'feature')}"
        if not self.terms:
            return line
        alone = " and ".join(f"{s:.3f}" for s in self.singles[0])
        line += (
            f"; the best by {self.by} is {self._named(0)}: score {self.score[0]:.3f}, alone "
            f"{alone}, interaction {self.interaction[0]:.3f}"
        )
        if self.family_p is None:
            return line
        found, kept = int(self.significant.sum()), len(self.terms)
        among = " or more" if found == kept < self.n_pairs else ""
        return f"{line}, family p {self.family_p[0]:.3g}; {found}{among} at level {self.level:g}"

    def _named(self, k: int) -> str:
        return " x ".join(shorten_text(name, 40) for name in self.terms[k])


def search_pairs(
    X,
    y,
    *,
    bins: int = 3,
    best: int | None = None,
    n_permutations: int | None = None,
    level: float = 0.05,
    keep: int = 1000,
    by: str = "interaction",
    categorical_features: Any = None,
    random_state: int | None = 0,
    n_jobs: int | None = None,
    progress: bool = False,
) -> PairSearch:
    """The pairs of features that say most together, of all there are.

    Every pair has the exact score of `pair_mtd`: twice the 1-Wasserstein distance between the
    classes on the grid of both features' levels, under the Hamming distance; and the interaction,
    that score less those of the two features alone. Numbers are cut into intervals that do not
    look at the classes. The full search is repeated with permuted classes: a pair is significant
    if it is better than the best of every permuted run.

    Parameters
    ----------
    X : array-like of shape (n_samples, n_features)
        NaN is missing; each pair goes by the samples complete in both.
    y : array-like of shape (n_samples,)
        Class labels, two or more classes. With more than two, the pair of classes that is
        farthest apart counts, pair by pair of features.
    bins : int, default=3
        Intervals of a numeric feature, with about equally many samples. Features of at most so
        many values are not cut.
    best : int, optional
        Search only among so many features of largest single score, chosen anew in each permuted
        run. Pairs whose features say nothing alone are lost.
    n_permutations : int, optional
        Runs with permuted classes; by default the fewest that allow `level`: 19 for .05. 0 tests
        nothing.
    level : float, default=0.05
        Probability that a pair is reported where the features say nothing of the classes.
    keep : int, default=1000
        Pairs in the result. Of equals the one with the lower columns comes first.
    by : {"interaction", "score"}, default="interaction"
        What pairs are ordered by and tested in.
    categorical_features : None, "from_dtype", mask, column numbers or names, default=None
        Columns that are not cut, of at most 20 levels. "from_dtype": those of a data frame that
        are not numbers, and pandas categoricals.
    random_state : int or None, default=0
        Draws the permutations.
    n_jobs : int, optional
        Threads. The result has the same bytes with any number of them.
    progress : bool, default=False
        Say how far it is, on stderr, if it takes longer than two seconds.

    Returns
    -------
    PairSearch
        With ``terms``, ``score``, ``interaction``, ``singles``, ``family_p``, ``frame()``.

    Raises
    ------
    PlanError
        A parameter is out of range.
    DataError
        Only one class, fewer than two features, or a category of more than 20 levels.

    Notes
    -----
    The interaction is 0 in the population if the features are independent within the classes, or
    the class and one feature given the other. It is also 0 for many joint effects, such as "ill if
    both are high", and may be above 0 where of two correlated features one is shifted. Permuting
    the classes tests that no feature says anything of the class, alone or with others; what that
    means where some do is in docs/methods/pair_search.md.

    Examples
    --------
    >>> import numpy as np
    >>> from tamis.interactions import search_pairs
    >>> X = np.random.default_rng(0).integers(0, 2, (80, 30))
    >>> y = X[:, 4] ^ X[:, 17]
    >>> found = search_pairs(X, y)
    >>> found.terms[0], float(found.score[0]), float(found.family_p[0])
    ((4, 17), 2.0, 0.05)
    """
    from ...kernels.pair_transport import MOST_LEVELS

    if by not in ORDERS:
        raise PlanError(f"by={by!r}: {nearest_hint(by, ORDERS)}")
    keep = checked_count(keep, "keep", 1)
    best = None if best is None else checked_count(best, "best", 2)
    number_of_permutations(level, None)  # refuses a wrong level in any case
    none = not isinstance(n_permutations, bool) and n_permutations == 0
    runs = 0 if none else number_of_permutations(level, n_permutations)
    table = read_levels(X, categorical_features, bins, MOST_LEVELS)
    p, n = table.codes.shape
    if p < 2:
        raise DataError(f"X has {counted_noun(p, 'feature')}: a pair takes two")
    classes, codes = class_codes(y, "search_pairs")
    if len(codes) != n:
        raise DataError(
            f"X has {counted_noun(n, 'sample')} and y {counted_noun(len(codes), 'label')}"
        )
    chosen = p if best is None else min(best, p)
    scan = PairRuns(table, codes, len(classes), chosen, by == "interaction", random_state)
    with Progress(scan.n_pairs * (1 + runs), "pairs", quiet=not progress) as bar:
        found = scan.search(runs, keep, n_jobs, bar)
    labels = classes.tolist()
    distances = [
        coded_distance(table.codes[a], table.codes[b], codes, labels) for a, b in found.pairs
    ]
    return PairSearch(
        terms=tuple((table.names[a], table.names[b]) for a, b in found.pairs),
        score=np.array([one.score for one in distances]),
        interaction=np.array([one.interaction for one in distances]),
        singles=np.array([one.singles for one in distances]).reshape(-1, 2),
        n=np.array([one.n for one in distances], dtype=np.int64),
        classes=tuple(one.classes for one in distances if one.classes is not None),
        family_p=family_p_values(found.values, found.maxima) if runs else None,
        maxima=np.array(found.maxima),
        by=by,
        level=float(level),
        n_features=scan.n_features,
        n_pairs=scan.n_pairs,
        bins=int(bins),
    )
