"""The result of stability selection: probabilities along the path, and what they promise."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, cast

import numpy as np

from .._core.errors import counted_noun
from .._core.first_screen import FirstScreen
from .._core.interfaces import Evidence, Ranking
from ._error_bounds import ErrorControl, is_inconclusive, verdict_words
from ._orders import order_of

if TYPE_CHECKING:
    import pandas as pd

    from ..plotting.picture import Picture


KIND = "stability_selection"  # of evidence
MAX_SHOWN_PATHS = 30  # features whose paths the evidence holds
MAX_PATH_STEPS = 100  # of a path


@dataclass(frozen=True, repr=False)
class StabilityRanking(Ranking, FirstScreen):
    """A ranking by selection probability, and where it comes from.

    Attributes
    ----------
    probabilities : ndarray of shape (p,)
        Share of the 2B halves that select each feature: the largest along the path.
    simultaneous : ndarray of shape (p,)
        Share of the B pairs of which both halves select it at one and the same step of the
        path, the largest along it.
    features : ndarray of shape (m,)
        Columns that any half selected, rising.
    probability_path : ndarray of shape (n_steps, m)
        The probabilities of `features` at each step: at each of `lambdas`, or, for rankers
        without a path, had only the best k been selected, k = 1..q.
    control : ErrorControl
    lambdas : ndarray of shape (n_steps,)
        Falling from lambda_max of all samples; empty for rankers without a path.
    names : tuple of str
        Of all p features; empty if they have none.
    """

    probabilities: np.ndarray = field(default_factory=lambda: np.zeros(0))
    simultaneous: np.ndarray = field(default_factory=lambda: np.zeros(0))
    features: np.ndarray = field(default_factory=lambda: np.zeros(0, dtype=np.int64))
    probability_path: np.ndarray = field(default_factory=lambda: np.zeros((0, 0)))
    control: ErrorControl | None = None
    lambdas: np.ndarray = field(default_factory=lambda: np.zeros(0))
    names: tuple[str, ...] = ()

    def frame(self) -> pd.DataFrame:
        """The features that any half selected, best first, as a pandas DataFrame.

        ``entry`` is the first lambda (or k) at which a half selects the feature, ``area``
        the mean of its probabilities along the path, ``stable`` whether the largest is at
        least the threshold.
        """
        import pandas as pd

        order = self._order()
        columns = self.features[order]
        steps = self.lambdas if len(self.lambdas) else np.arange(1, len(self.probability_path) + 1)
        path = self.probability_path[:, order]
        return pd.DataFrame(
            {
                "column": columns,
                "name": self._names(columns),
                "probability": self.probabilities[columns],
                "simultaneous": self.simultaneous[columns],
                "area": path.mean(axis=0),
                "entry": steps[(path > 0).argmax(axis=0)] if len(columns) else [],
                "stable": self.probabilities[columns] >= self._control.threshold,
            }
        )

    def to_dict(self, most: int = 100) -> dict[str, object]:
        """What `tamis.plotting.stability_paths` draws: plain numbers, the best `most` features."""
        order = self._order()[:most]
        columns = self.features[order]
        path = self.probability_path
        penalised = len(self.lambdas) > 0
        return {
            **self._control.to_dict(),
            "lambdas": self.lambdas.tolist() if penalised else None,
            "sizes": None if penalised else list(range(1, len(path) + 1)),
            "n_stable": self._n_stable,
            "inconclusive": is_inconclusive(self._n_stable, self._control.pfer),
            "n_selected": len(self.features),
            "features": [
                {
                    "column": int(j),
                    "name": name,
                    "probability": float(self.probabilities[j]),
                    "simultaneous": float(self.simultaneous[j]),
                    "path": path[:, at].tolist(),
                }
                for j, name, at in zip(columns, self._names(columns), order, strict=True)
            ],
        }

    def summary(self) -> str:
        """How many features are stable, what that promises, and whether it decides anything."""
        from ..plotting.stability_paths import rounded_up

        control = self._control
        few = verdict_words(self._n_stable, control.pfer)
        along = f"along {len(self.lambdas)} lambdas, " if len(self.lambdas) else ""
        return (
            f"{counted_noun(control.n_pairs, 'pair')} of halves, {along}at most "
            f"{counted_noun(control.q, 'feature')} on each: {self._n_stable} of {control.p} "
            f"features have a selection probability of at least {control.threshold:g}, of which "
            f"at most {rounded_up(control.pfer)} are expected to be false ({control.bound} bound); "
            f"{len(self.features)} were selected by any half" + (f"; {few}" if few else "")
        )

    def plot(self) -> Picture:
        """The stability paths (`tamis.plotting.stability_paths`)."""
        from ..plotting.picture import Picture
        from ..plotting.stability_paths import PathsPicture, stability_paths

        return Picture("stability_paths", (stability_paths(cast(PathsPicture, self.to_dict())),))

    @property
    def _control(self) -> ErrorControl:
        assert self.control is not None
        return self.control

    @property
    def _n_stable(self) -> int:
        return int((self.probabilities >= self._control.threshold).sum())

    def evidence(self, owner: np.ndarray, names: Sequence[str]) -> Sequence[Evidence]:
        """Probabilities, and the paths of the best features; a feature of several columns counts
        by its best."""
        order = self._order()
        _, first = np.unique(owner[self.features[order]], return_index=True)
        order = order[np.sort(first)]  # positions in `features`, one a feature, best first
        columns, path = self.features[order], self.probability_path
        owners, likely = owner[columns].tolist(), self.probabilities[columns].tolist()
        steps = np.unique(
            np.linspace(0, len(path) - 1, min(len(path), MAX_PATH_STEPS)).round().astype(int)
        )
        penalised = len(self.lambdas) > 0  # else the steps are the sizes 1 to q
        n_stable = sum(p >= self._control.threshold for p in likely)
        content = {
            **self._control.to_dict(),
            "lambdas": self.lambdas[steps].tolist() if penalised else None,
            "sizes": None if penalised else (steps + 1).tolist(),
            "n_stable": n_stable,
            "inconclusive": is_inconclusive(n_stable, self._control.pfer),
            "n_selected": len(owners),
            "features": [
                {"name": names[j], "probability": p, "path": path[steps, at].tolist()}
                for j, p, at in zip(owners[:MAX_SHOWN_PATHS], likely, order, strict=False)
            ],
        }
        numbers = dict(zip(owners, likely, strict=True))
        return (Evidence(KIND, content, (), "selection probability", numbers),)

    def _order(self) -> np.ndarray:
        """Positions in `features`, best first."""
        return order_of(self.scores[self.features])

    def _names(self, columns: np.ndarray) -> list[str]:
        return [self.names[j] if self.names else f"column {j}" for j in columns]
