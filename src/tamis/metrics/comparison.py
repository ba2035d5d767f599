"""Comparing methods over many data sets: average ranks, Friedman, Nemenyi, pairs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING, Any

import numpy as np

from .._core.errors import DataError, counted_noun
from .._core.first_screen import FirstScreen
from ._score_table import score_table, source_of_each
from .rank_tests import (
    FriedmanTest,
    friedman_tests,
    nemenyi_quantile,
    rank_cliques,
    row_midranks,
    signed_rank,
)
from .schema import RankDiagram, RankedPair, RankTests

if TYPE_CHECKING:
    import pandas as pd

    from ..plotting.critical_difference import RankDiagram
    from ..plotting.picture import Picture


@dataclass(frozen=True)
class MethodComparison(FirstScreen):
    """k methods compared by their ranks on N data sets; see `compare_methods`.

    Attributes
    ----------
    names : tuple of str, length k
    datasets : tuple of str, length N
    scores, ranks : ndarray of shape (N, k)
        Rank 1 is the best method on a data set; equal scores share the mean of their ranks.
    average_ranks : ndarray of shape (k,)
    friedman, friedman_corrected : FriedmanTest
        Without and with the correction for ties; each has chi-squared and Iman-Davenport's F.
    critical_differences : dict of float to float
        Nemenyi's at 0.05, at 0.10 and at `alpha`.
    groups : tuple of tuples of str
        Largest groups whose average ranks are closer than the critical difference at `alpha`.
    above : ndarray of shape (k, k) of int
        Data sets on which the method of the row scores better than that of the column.
    wilcoxon : tuple of two floats, or None
        Statistic and p-value of the signed-rank test, for two methods only.
    by_source : MethodComparison or None
        The same with each source counted once; None if no two data sets share one.
    """

    names: tuple[str, ...]
    datasets: tuple[str, ...]
    scores: np.ndarray
    ranks: np.ndarray
    average_ranks: np.ndarray
    friedman: FriedmanTest
    friedman_corrected: FriedmanTest
    alpha: float
    quantiles: dict[float, float]
    critical_differences: dict[float, float]
    groups: tuple[tuple[str, ...], ...]
    above: np.ndarray
    wilcoxon: tuple[float, float] | None
    higher_is_better: bool
    by_source: MethodComparison | None = None

    def __repr__(self) -> str:
        best = self.names[self.order[0]]
        size = f"{len(self.names)} methods on {counted_noun(len(self.datasets), 'data set')}"
        return f"MethodComparison({size}; best on average {best!r})"

    @property
    def order(self) -> list[int]:
        """Columns from the best average rank to the worst."""
        return [int(j) for j in np.argsort(self.average_ranks, kind="stable")]

    def pairs(self) -> list[RankedPair]:
        """Every pair, the better ranked first: counts of sets and whether they differ."""
        cd, N = self.critical_differences[self.alpha], len(self.datasets)
        found: list[RankedPair] = []
        for i, j in combinations(self.order, 2):
            above, below = int(self.above[i, j]), int(self.above[j, i])
            gap = float(self.average_ranks[j] - self.average_ranks[i])
            found.append(
                {
                    "first": self.names[i],
                    "second": self.names[j],
                    "above": above,
                    "on": N - above - below,
                    "below": below,
                    "rank_difference": gap,
                    "different": gap >= cd,
                }
            )
        return found

    def frame(self) -> pd.DataFrame:
        """Ranks of each data set and their mean, one column a method (pandas)."""
        import pandas as pd

        ranks = pd.DataFrame(self.ranks, index=list(self.datasets), columns=list(self.names))
        average = pd.DataFrame([self.average_ranks], index=["average"], columns=ranks.columns)
        return pd.concat([ranks, average]).rename_axis("dataset")

    def plot(self) -> Picture:
        """The critical-difference diagram (`tamis.plotting.critical_difference`)."""
        from ..plotting.critical_difference import critical_difference
        from ..plotting.picture import Picture

        return Picture("diagram", (critical_difference(self.diagram()),))

    def diagram(self) -> RankDiagram:
        """What `tamis.plotting.critical_difference` draws."""
        return {
            "methods": [
                {"name": self.names[j], "rank": float(self.average_ranks[j])} for j in self.order
            ],
            "groups": [list(group) for group in self.groups],
            "critical_difference": self.critical_differences[self.alpha],
            "alpha": self.alpha,
            "n_sets": len(self.datasets),
        }

    def to_dict(self) -> RankTests:
        """Plain numbers, text, lists and dictionaries; undefined numbers are None."""
        return {
            "methods": list(self.names),
            "datasets": list(self.datasets),
            "higher_is_better": self.higher_is_better,
            "scores": self.scores.tolist(),
            "ranks": self.ranks.tolist(),
            "average_ranks": self.average_ranks.tolist(),
            "friedman": self.friedman.to_dict(),
            "friedman_corrected": self.friedman_corrected.to_dict(),
            "alpha": self.alpha,
            "critical_differences": [
                {"alpha": level, "q": self.quantiles[level], "value": value}
                for level, value in self.critical_differences.items()
            ],
            "groups": [list(group) for group in self.groups],
            "pairs": self.pairs(),
            "wilcoxon": None
            if self.wilcoxon is None
            else {
                "statistic": self.wilcoxon[0],
                "p_value": self.wilcoxon[1],
            },
            "by_source": None if self.by_source is None else self.by_source.to_dict(),
        }

    def summary(self) -> str:
        """Ranks, tests and groups in a few lines."""
        N, width = len(self.datasets), max(map(len, self.names))
        lines = [f"{len(self.names)} methods on {N} data sets, average ranks (1 is best):"]
        lines += [f"  {self.names[j]:<{width}}  {self.average_ranks[j]:.3f}" for j in self.order]
        for test in (self.friedman, self.friedman_corrected):
            how = "corrected for ties" if test.ties == "corrected" else "no tie correction"
            F = "infinite" if np.isinf(test.F) else f"{test.F:.3f}"
            lines.append(
                f"  Friedman, {how}: chi2 {test.chi2:.3f} (p = {test.p_value:.3g}); "
                f"Iman-Davenport F {F} on {test.df1} and {test.df2} df (p = {test.F_p_value:.3g})"
            )
        if self.wilcoxon is not None:
            lines.append(f"  Wilcoxon signed-rank: p = {self.wilcoxon[1]:.3g}")
        cd = self.critical_differences[self.alpha]
        lines.append(f"  Nemenyi critical difference at {self.alpha:g}: {cd:.3f}")
        lines += [f"    not significantly different: {', '.join(group)}" for group in self.groups]
        if self.by_source is not None:
            inner = self.by_source.summary().splitlines()
            lines += ["each source counted once: " + inner[0], *inner[1:]]
        return "\n".join(lines)


def compare_methods(
    scores: Any,
    names: Sequence[str] | None = None,
    datasets: Sequence[str] | None = None,
    sources: Mapping[str, str | None] | Sequence[str | None] | None = None,
    alpha: float = 0.05,
    higher_is_better: bool = True,
) -> MethodComparison:
    """Compare methods by their ranks on many data sets.

    Parameters
    ----------
    scores : array-like of shape (n_sets, n_methods), pandas.DataFrame or dict of dicts
        One score a data set and method. A frame's columns and index are the names; a
        dictionary is ``{data set: {method: score}}``.
    names, datasets : sequence of str, optional
    sources : sequence of length n_sets, or mapping of data set to source, optional
        Data sets derived from one source (the same samples with another label, another
        preprocessing) are not independent. With sources, `by_source` holds the comparison in
        which they count once, their scores averaged before ranking; the rest of the result
        still counts all data sets. None is a set that is its own source.
    alpha : float, default=0.05
        Of the Nemenyi test that makes the groups.
    higher_is_better : bool, default=True

    Returns
    -------
    MethodComparison

    Raises
    ------
    DataError
        A score is missing (named), one method, one data set, or names that do not fit.

    Notes
    -----
    The tests take the data sets as independent draws, and the scores as given: how far a
    score is known on its own data set plays no part. With fewer than about ten data sets, or
    five methods, the chi-squared is rough; Iman-Davenport's F is closer.

    References
    ----------
    Demsar (2006), Statistical comparisons of classifiers over multiple data sets. Journal of
    Machine Learning Research 7, 1-30.

    Examples
    --------
    >>> found = compare_methods([[.8, .7, .6], [.9, .6, .6], [.7, .8, .5]], names=["a", "b", "c"])
    >>> found.average_ranks.round(2)
    array([1.33, 1.83, 2.83])
    >>> round(found.friedman.chi2, 3), round(found.friedman_corrected.chi2, 3)
    (3.5, 3.818)
    """
    if not 1e-12 <= alpha < 1:
        raise DataError(f"alpha is {alpha}: choose a level from 1e-12 to 1, such as 0.05")
    table, methods, sets = score_table(scores, names, datasets)
    origin = source_of_each(sources, sets)
    by_source = None
    if origin is not None:
        once = list(dict.fromkeys(origin))
        if len(once) < 2:
            raise DataError(
                f"all data sets come from the source {once[0]!r}: a comparison needs two or more"
            )
        member = np.array([once.index(s) for s in origin])
        means = np.stack([table[member == i].mean(axis=0) for i in range(len(once))])
        by_source = _compare_table(means, methods, tuple(once), alpha, higher_is_better, None)
    return _compare_table(table, methods, sets, alpha, higher_is_better, by_source)


def _compare_table(
    table: np.ndarray,
    names: tuple[str, ...],
    datasets: tuple[str, ...],
    alpha: float,
    higher: bool,
    by_source: MethodComparison | None,
) -> MethodComparison:
    N, k = table.shape
    ranks = row_midranks(table if higher else -table)
    plain, corrected = friedman_tests(ranks)
    average = ranks.mean(axis=0)
    quantiles = {level: nemenyi_quantile(k, level) for level in sorted({0.05, 0.10, alpha})}
    reach = (k * (k + 1) / (6 * N)) ** 0.5
    differences = {level: q * reach for level, q in quantiles.items()}
    wilcoxon = None
    if k == 2:
        gap = np.where(ranks[:, 0] == ranks[:, 1], 0.0, table[:, 0] - table[:, 1])
        wilcoxon = signed_rank(gap)
    return MethodComparison(
        names=names,
        datasets=datasets,
        scores=table,
        ranks=ranks,
        average_ranks=average,
        friedman=plain,
        friedman_corrected=corrected,
        alpha=alpha,
        quantiles=quantiles,
        critical_differences=differences,
        groups=tuple(
            tuple(names[j] for j in group) for group in rank_cliques(average, differences[alpha])
        ),
        above=(ranks[:, :, None] < ranks[:, None, :]).sum(axis=0),
        wilcoxon=wilcoxon,
        higher_is_better=higher,
        by_source=by_source,
    )
