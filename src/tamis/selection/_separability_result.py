"""The distance between classes, beside what the same selection gives on permuted labels."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from typing_extensions import TypedDict

from .._core.errors import PlanError, counted_noun
from .._core.first_screen import FirstScreen
from ._soft_margins import guaranteed_margin_error, largest_margin_bound, margin_error_bound

if TYPE_CHECKING:
    import pandas as pd

    from ..plotting.picture import Picture

SUMMARY_QUANTILES = (0.05, 0.5, 0.95)
SUMMARY_ERROR_SHARE = 0.05  # of margin errors that the summary speaks of
DISTANCE_TOLERANCE = 1e-9  # distances nearer than this are one


class MarginContent(TypedDict):
    """A margin between two classes; quantiles are None without permuted labels."""

    margin: float
    capped_distance: float
    margin_error: float
    quantiles: list[float | None]
    bound: float
    guaranteed_at_third: float


class PairContent(TypedDict):
    """Two classes; what needs permuted labels is None without."""

    first: str
    second: str
    n_first: int
    n_second: int
    distance: float
    permuted: list[float]
    quantiles: list[float | None]
    p_value: float | None
    margins: list[MarginContent]


class SeparabilityContent(TypedDict):
    """A `Separability` as JSON."""

    classes: list[str]
    counts: list[int]
    columns: list[int]
    n_features: int
    metric: str
    selected: bool
    n_permutations: int
    least: float
    least_p_value: float | None
    pairs: list[PairContent]


@dataclass(frozen=True, eq=False)
class Separability(FirstScreen):
    """How far classes lie apart on some columns; see `separability`.

    Attributes
    ----------
    classes : tuple, length C
        Labels, sorted.
    counts : tuple of int, length C
        Samples of each class.
    pairs : tuple of two codes each, length C (C - 1) / 2
        Places in `classes`, in the order of every array below.
    columns : ndarray of int
        Columns that the distance is of, rising.
    n_features : int
        Columns of X.
    metric : str
        In words.
    selected : bool
        Whether a selector chose the columns, here and on permuted labels.
    distances : ndarray of shape (n_pairs,)
        1-Wasserstein distance between the two classes of each pair, from 0 to 1.
    permuted : ndarray of shape (n_permutations, n_pairs)
        The same for permuted labels; no rows without a selector.
    margins : ndarray of shape (n_margins,)
    capped : ndarray of shape (n_pairs, n_margins)
        1-Wasserstein distance under min(d, margin).
    margin_errors : ndarray of shape (n_pairs, n_margins)
        Least share of margin errors of any 1-Lipschitz classifier on these samples, both classes
        weighing the same; 0.5 is no better than a constant.
    permuted_errors : ndarray of shape (n_permutations, n_pairs, n_margins)
        The same for permuted labels.
    """

    classes: tuple[Any, ...]
    counts: tuple[int, ...]
    pairs: tuple[tuple[int, int], ...]
    columns: np.ndarray
    n_features: int
    metric: str
    selected: bool
    distances: np.ndarray
    permuted: np.ndarray
    margins: np.ndarray
    capped: np.ndarray
    margin_errors: np.ndarray
    permuted_errors: np.ndarray

    def __float__(self) -> float:
        return self.least

    def __repr__(self) -> str:
        p = "" if self.least_p_value is None else f", p = {self.least_p_value:.2g}"
        return f"Separability({' / '.join(self._name(self.nearest))}: W1 {self.least:.3f}{p})"

    @property
    def nearest(self) -> int:
        """The pair whose classes are nearest to each other, the first of equals."""
        return int(np.argmin(self.distances))

    @property
    def least(self) -> float:
        """The distance of that pair."""
        return float(self.distances.min())

    @property
    def p_values(self) -> np.ndarray | None:
        """(1 + #{permuted >= observed}) / (1 + permutations) of each pair; None without a selector.

        The hypothesis is that no class differs from any other, for every pair.
        """
        return _p_value(self.permuted, self.distances) if len(self.permuted) else None

    @property
    def least_p_value(self) -> float | None:
        """The same for the least distance of all pairs."""
        if not len(self.permuted):
            return None
        return float(_p_value(self.permuted.min(axis=1), np.array(self.least)))

    @property
    def error_bounds(self) -> np.ndarray:
        """Below which no share of margin errors can lie, by `capped` (n_pairs, n_margins)."""
        return margin_error_bound(self.capped, self.margins)

    @property
    def guaranteed_errors(self) -> np.ndarray:
        """Above which the share need not lie with a third of the margin (n_pairs, n_margins)."""
        return guaranteed_margin_error(self.capped, self.margins)

    def largest_margins(self, error: float = SUMMARY_ERROR_SHARE) -> np.ndarray:
        """No 1-Lipschitz classifier with at most this share of margin errors has a larger margin.

        W1 / (1 - 2 error) of each pair, at most 1, shape (n_pairs,). `error` lies from 0 to below
        0.5.
        """
        if not 0 <= error < 0.5:
            raise PlanError(f"error={error!r}: give a number from 0 to below 0.5")
        return largest_margin_bound(self.distances, error)

    def frame(self) -> pd.DataFrame:
        """One row a pair, as a pandas DataFrame; without a selector the last columns are NaN."""
        import pandas as pd

        rows = [
            {
                "first": one["first"],
                "second": one["second"],
                "n_first": one["n_first"],
                "n_second": one["n_second"],
                "distance": one["distance"],
                **_named_quantiles(one["quantiles"]),
                "p_value": np.nan if one["p_value"] is None else one["p_value"],
            }
            for one in self.to_dict()["pairs"]
        ]
        return pd.DataFrame(rows)

    def margin_frame(self) -> Any:
        """One row a pair and margin, as a pandas DataFrame.

        ``margin_error`` is the least share there is, beside quantiles of those of permuted labels.
        ``bound`` lies below it and follows from ``capped_distance`` alone; ``guaranteed_at_third``
        lies above the least share at a third of the margin. All describe these samples.
        """
        import pandas as pd

        rows = [
            {
                "first": one["first"],
                "second": one["second"],
                "margin": margin["margin"],
                "margin_error": margin["margin_error"],
                **_named_quantiles(margin["quantiles"]),
                "bound": margin["bound"],
                "guaranteed_at_third": margin["guaranteed_at_third"],
                "capped_distance": margin["capped_distance"],
            }
            for one in self.to_dict()["pairs"]
            for margin in one["margins"]
        ]
        return pd.DataFrame(rows)

    def plot(self) -> Picture:
        """Distances beside those of permuted labels, a chart a pair of classes, the nearest
        first (`tamis.plotting.permutation_histogram`).

        Raises
        ------
        PlanError
            There are none: the columns were not chosen by a selector.
        """
        from ..plotting.permutations import permutation_histogram
        from ..plotting.picture import Picture

        if not len(self.permuted):
            raise PlanError(
                "plot() shows the distance beside permuted labels, and none were made: give "
                "separability a selector (select=)"
            )
        pairs = sorted(self.to_dict()["pairs"], key=lambda one: one["distance"])
        every = [v for one in pairs for v in (*one["permuted"], one["distance"])]
        domain = min(every), max(every)
        charts = [
            permutation_histogram(
                {
                    "metric": f"W₁ between {one['first']} and {one['second']}",
                    "values": one["permuted"],
                    "observed": one["distance"],
                    "p_value": one["p_value"],
                    "domain": domain,
                }
            )
            for one in pairs
        ]
        return Picture("distances", tuple(charts))

    def to_dict(self) -> SeparabilityContent:
        """Plain numbers, text, lists and dictionaries; what was not computed is None."""
        return {
            "classes": [str(one) for one in self.classes],
            "counts": list(self.counts),
            "columns": self.columns.tolist(),
            "n_features": self.n_features,
            "metric": self.metric,
            "selected": self.selected,
            "n_permutations": len(self.permuted),
            "least": self.least,
            "least_p_value": self.least_p_value,
            "pairs": [self._pair(k) for k in range(len(self.pairs))],
        }

    def summary(self) -> str:
        """Distances, what they are compared with, and soft margins, in a few lines."""
        lines = [
            f"W1 between classes on {len(self.columns):,} of "
            f"{counted_noun(self.n_features, 'column')} ({self.metric}):"
        ]
        for k in np.argsort(self.distances, kind="stable"):
            lines += self._pair_lines(int(k))
        if len(self.pairs) > 1 and self.least_p_value is not None:
            lines.append(
                f"  least of all pairs: {self.least:.3f}, p = {self.least_p_value:.2g}\n"
                "  Every p is of the hypothesis that no class differs from any other: a small one "
                "does not say that these two differ."
            )
        if not self.selected:
            lines.append(
                "  Not compared with permuted labels: W1 is above 0 by chance, and optimistic if "
                "the columns were chosen on these samples. Give the selector (select=)."
            )
        if len(self.margins):
            lines.append("  Margins describe these samples, not new ones.")
        return "\n".join(lines)

    def _pair_lines(self, k: int) -> list[str]:
        one = self._pair(k)
        head = (
            f"  {one['first']} / {one['second']} ({one['n_first']} and {one['n_second']} samples)"
        )
        line = f"{head}: {one['distance']:.3f}"
        if one["p_value"] is not None:
            low, middle, high = one["quantiles"]
            line += (
                f"; same selection on {len(self.permuted)} permuted labels: median {middle:.3f}, "
                f"5% to 95% {low:.3f} to {high:.3f}; p = {one['p_value']:.2g}"
            )
        lines = [line]
        if len(self.margins):
            few = np.flatnonzero(self.margin_errors[k] <= SUMMARY_ERROR_SHARE)
            at = few[-1] if len(few) else 0
            least = f"{self.margin_errors[k, at]:.1%} margin errors"
            how = f"is possible with {least}" if len(few) else f"has at least {least}"
            if self.selected:
                how += f" (permuted: median {np.median(self.permuted_errors[:, k, at]):.1%})"
            limit = float(self.largest_margins()[k])
            lines.append(
                f"    margin {self.margins[at]:g} {how}; with {SUMMARY_ERROR_SHARE:.0%} none is "
                f"above {limit:.3f}"
            )
        return lines

    def _name(self, k: int) -> tuple[str, str]:
        first, second = self.pairs[k]
        return str(self.classes[first]), str(self.classes[second])

    def _pair(self, k: int) -> PairContent:
        first, second = self.pairs[k]
        permuted, p_values = self.permuted[:, k], self.p_values
        bounds, guaranteed = self.error_bounds[k], self.guaranteed_errors[k]
        return {
            "first": str(self.classes[first]),
            "second": str(self.classes[second]),
            "n_first": self.counts[first],
            "n_second": self.counts[second],
            "distance": float(self.distances[k]),
            "permuted": permuted.tolist(),
            "quantiles": _permuted_quantiles(permuted),
            "p_value": None if p_values is None else float(p_values[k]),
            "margins": [
                {
                    "margin": float(margin),
                    "capped_distance": float(self.capped[k, m]),
                    "margin_error": float(self.margin_errors[k, m]),
                    "quantiles": _permuted_quantiles(self.permuted_errors[:, k, m]),
                    "bound": float(bounds[m]),
                    "guaranteed_at_third": float(guaranteed[m]),
                }
                for m, margin in enumerate(self.margins)
            ],
        }


def _permuted_quantiles(permuted: np.ndarray) -> list[float | None]:
    """Those of `SUMMARY_QUANTILES`; None without permuted labels."""
    return (
        np.quantile(permuted, SUMMARY_QUANTILES).tolist()
        if len(permuted)
        else [None] * len(SUMMARY_QUANTILES)
    )


def _named_quantiles(values: list[float | None]) -> dict[str, float]:
    """The same as columns of a frame."""
    named = zip(SUMMARY_QUANTILES, values, strict=True)
    return {f"permuted_{q:g}": np.nan if value is None else value for q, value in named}


def _p_value(permuted: np.ndarray, observed: np.ndarray) -> np.ndarray:
    return (1 + (permuted >= observed - DISTANCE_TOLERANCE).sum(axis=0)) / (1 + len(permuted))
