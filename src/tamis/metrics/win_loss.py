"""Wins, ties and losses between methods, from a paired t-test on every data set."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from .._core.errors import DataError, counted_noun, shorten_text
from .._core.first_screen import FirstScreen
from ._score_table import names_for, unfold_scores
from .differences import Difference, nadeau_bengio
from .schema import WinLoss

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True)
class WinLossTable(FirstScreen):
    """Significant wins and losses of every method against every other; see `win_loss_table`.

    Attributes
    ----------
    names : tuple of str, length k
    datasets : tuple of str, length N
    wins : ndarray of shape (k, k) of int
        Data sets on which the method of the row is significantly better than the column's.
    differences : list of dict
        Per data set, ``(i, j) -> Difference`` of method i and method j, i < j; its mean is
        above 0 where i is better.
    alpha : float
    corrected : bool
        Whether the tests are corrected for overlapping training sets.
    undefined : int
        Tests without a p-value (fewer than two common folds, or the same difference in all);
        they count as ties.
    """

    names: tuple[str, ...]
    datasets: tuple[str, ...]
    wins: np.ndarray
    differences: list[dict[tuple[int, int], Difference]]
    alpha: float
    corrected: bool
    undefined: int

    def __repr__(self) -> str:
        size = f"{len(self.names)} methods on {counted_noun(len(self.datasets), 'data set')}"
        return f"WinLossTable({size}; {self.wins.sum()} wins)"

    @property
    def ties(self) -> np.ndarray:
        """Data sets without a significant difference, of shape (k, k)."""
        return len(self.datasets) - self.wins - self.wins.T

    def frame(self) -> pd.DataFrame:
        """One row an ordered pair: wins, ties and losses of the first (pandas)."""
        import pandas as pd

        rows = [
            (a, b, int(self.wins[i, j]), int(self.ties[i, j]), int(self.wins[j, i]))
            for i, a in enumerate(self.names)
            for j, b in enumerate(self.names)
            if i != j
        ]
        return pd.DataFrame(rows, columns=["first", "second", "wins", "ties", "losses"])

    def to_dict(self) -> WinLoss:
        """Plain numbers, text, lists and dictionaries."""
        return {
            "methods": list(self.names),
            "datasets": list(self.datasets),
            "alpha": self.alpha,
            "corrected": self.corrected,
            "wins": self.wins.tolist(),
            "ties": self.ties.tolist(),
            "undefined": self.undefined,
        }

    def summary(self) -> str:
        """Wins, ties and losses of every method against all others, one line each."""
        kind = "corrected" if self.corrected else "paired"
        width, others = max(map(len, self.names)), len(self.names) - 1
        lines = [f"wins-ties-losses by {kind} t-tests at {self.alpha:g}:"]
        for i in np.argsort(self.wins.sum(axis=0) - self.wins.sum(axis=1), kind="stable"):
            won, lost = int(self.wins[i].sum()), int(self.wins[:, i].sum())
            tied = others * len(self.datasets) - won - lost
            lines.append(f"  {self.names[i]:<{width}}  {won}-{tied}-{lost}")
        if self.undefined:
            tests = others * len(self.names) // 2 * len(self.datasets)
            lines.append(f"  {self.undefined} of {tests} tests were undefined and count as ties")
        return "\n".join(lines)


def win_loss_table(
    scores: Any,
    names: Sequence[str] | None = None,
    datasets: Sequence[str] | None = None,
    alpha: float = 0.05,
    corrected: bool = False,
    n_train: ArrayLike | None = None,
    n_test: ArrayLike | None = None,
    higher_is_better: bool = True,
) -> WinLossTable:
    """Count significant wins, ties and losses of methods over data sets.

    Parameters
    ----------
    scores : array-like of shape (n_sets, n_methods, n_folds), or dict
        Scores of the same folds for all methods. A dictionary is
        ``{data set: {method: fold scores}}``; data sets may then differ in their folds. NaN is
        a fold where the score is undefined.
    names, datasets : sequence of str, optional
    alpha : float, default=0.05
        Of each test; there is no correction for the number of tests.
    corrected : bool, default=False
        The plain paired t-test is that of published win/loss tables, and finds too many
        differences: training sets overlap. True is the test of Nadeau and Bengio.
    n_train, n_test : float or array-like of shape (n_sets,)
        Samples in the training and the test set of a fold; needed if `corrected`.
    higher_is_better : bool, default=True

    Returns
    -------
    WinLossTable

    Raises
    ------
    DataError
        A method has no scores on a data set (named) or other folds than the others, or
        `corrected` without `n_train` and `n_test`.

    References
    ----------
    Nadeau and Bengio (2003), Inference for the generalization error. Machine Learning 52,
    239-281.

    Examples
    --------
    >>> a, b = [.90, .92, .88, .91, .93], [.70, .75, .69, .70, .77]
    >>> found = win_loss_table({"x": {"a": a, "b": b}, "y": {"a": b, "b": [.7, .7, .7, .8, .7]}})
    >>> found.wins
    array([[0, 1],
           [0, 0]])
    """
    if not 0 < alpha < 1:
        raise DataError(f"alpha is {alpha}: choose a level between 0 and 1, such as 0.05")
    blocks, methods, sets = _score_blocks(scores, names, datasets)
    N, k = len(sets), len(methods)
    train, test = np.ones(N), np.zeros(N)  # a plain paired test, in Nadeau and Bengio's terms
    if corrected:
        if n_train is None or n_test is None:
            raise DataError(
                "corrected=True needs n_train and n_test: give the samples in the training and "
                "the test set of a fold, or take corrected=False"
            )
        train = np.broadcast_to(np.asarray(n_train, dtype=np.float64), N)
        test = np.broadcast_to(np.asarray(n_test, dtype=np.float64), N)
    sign = 1 if higher_is_better else -1
    wins, undefined, found = np.zeros((k, k), dtype=np.int64), 0, []
    for block, held_in, held_out in zip(blocks, train, test, strict=True):
        here = {}
        for i in range(k):
            for j in range(i + 1, k):
                d = nadeau_bengio(sign * (block[i] - block[j]), held_in, held_out)
                here[i, j] = d
                if d.p_value != d.p_value:
                    undefined += 1
                elif d.p_value <= alpha:
                    wins[(i, j) if d.mean > 0 else (j, i)] += 1
        found.append(here)
    return WinLossTable(methods, sets, wins, found, alpha, corrected, undefined)


def _score_blocks(
    scores: Any, names: Sequence[str] | None, datasets: Sequence[str] | None
) -> tuple[list[np.ndarray], tuple[str, ...], tuple[str, ...]]:
    """One (k, folds) array a data set, checked."""
    rows: Any
    if isinstance(scores, Mapping):
        rows, methods, sets = unfold_scores(scores, names)
    else:
        rows = np.asarray(scores, dtype=np.float64)
        if rows.ndim != 3:
            raise DataError(
                f"scores has shape {rows.shape}: give (data sets, methods, folds), or a dictionary"
            )
        methods = names_for(names, rows.shape[1], "method", "names")
        sets = names_for(datasets, rows.shape[0], "data set", "datasets")
    if len(methods) < 2:
        raise DataError(f"{len(methods)} method: a comparison needs at least two")
    blocks = []
    for dataset, row in zip(sets, rows, strict=True):
        parts = [np.asarray(fold_scores, dtype=np.float64).ravel() for fold_scores in row]
        for method, part in zip(methods, parts, strict=True):
            if len(part) != len(parts[0]):
                raise DataError(
                    f"method {shorten_text(method)!r} has {len(part)} folds on data set "
                    f"{shorten_text(dataset)!r}, the first {len(parts[0])}: give the same folds"
                )
            if not len(part):
                raise DataError(
                    f"no score of method {shorten_text(method)!r} on data set "
                    f"{shorten_text(dataset)!r}: leave out the method or the data set"
                )
        blocks.append(np.stack(parts))
    return blocks, methods, sets
