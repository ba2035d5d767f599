"""Two penalties chosen by held-out scores: the scores, their standard errors, the choice."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from ..._core.errors import PlanError, nearest_hint, value_text
from ..._core.first_screen import FirstScreen
from ..base.folds import is_finite_number

if TYPE_CHECKING:
    import pandas as pd

CRITERIA, RULES = ("loss", "error"), ("min", "1se")
SCORE_TABLES = ("loss", "loss_se", "error", "error_se", "n_active")  # of `LambdaScores`
TIE_TOLERANCE = 1e-9  # scores nearer than this are the same: they differ by rounding only


def check_choice(settings: Any, penalty: str) -> None:
    """Refuse what a classifier's path does not see: `criterion`, `rule`, `min_ratio`, a `penalty`.

    Raises
    ------
    PlanError
        One of them is out of range.
    """
    for name, allowed in (("criterion", CRITERIA), ("rule", RULES)):
        value = getattr(settings, name)
        if value not in allowed:
            raise PlanError(f"{name}={value_text(value)}: {nearest_hint(value, allowed)}")
    ratio, value = settings.min_ratio, getattr(settings, penalty)
    if ratio is not None and not (is_finite_number(ratio) and 0 < ratio < 1):
        raise PlanError(f"min_ratio={value_text(ratio)}: give a number between 0 and 1, or None")
    chosen = isinstance(value, str) and value == "cv"
    if not chosen and not (is_finite_number(value) and value > 0):
        raise PlanError(f"{penalty}={value_text(value)}: give a number above 0, or 'cv'")


def mean_and_error(scores: np.ndarray, weights: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Mean over folds of scores (folds, lambda2s, lambdas), and its standard error.

    The error is that of R's glmnet, sqrt(weighted variance of the folds / (folds - 1)).
    Both are NaN where too few folds say nothing.
    """
    nothing = np.full(scores.shape[1:], np.nan)
    if not len(scores):
        return nothing, nothing
    mean = np.average(scores, axis=0, weights=weights)
    if len(scores) == 1:
        return mean, nothing
    spread = np.average((scores - mean) ** 2, axis=0, weights=weights)
    return mean, np.sqrt(spread / (len(scores) - 1))


def choose_penalties(scores: np.ndarray, weights: np.ndarray, rule: str) -> tuple[int, int]:
    """Indices of lambda2 (rising) and lambda1 (falling) by scores (folds, lambda2s, lambdas).

    Equal scores go to the larger lambda1, then the larger lambda2. "1se" then goes on to the
    largest lambda1 within one standard error, at the same lambda2.
    """
    if scores.shape[1:] == (1, 1):
        return 0, 0
    mean, error = mean_and_error(scores, weights)
    tied = mean <= mean.min() + TIE_TOLERANCE
    k = int(np.flatnonzero(tied.any(axis=0))[0])
    row = int(np.flatnonzero(tied[:, k])[-1])
    if rule == "1se":
        if len(scores) < 2:
            raise PlanError("rule='1se' with one fold: give cv at least two folds, or rule='min'")
        k = int(np.flatnonzero(mean[row] <= mean[row, k] + error[row, k] + TIE_TOLERANCE)[0])
    return row, k


@dataclass(frozen=True, repr=False)
class LambdaScores(FirstScreen):
    """Held-out scores of every pair of penalties, and the pair chosen.

    Attributes
    ----------
    lambdas : ndarray of shape (n_lambdas,)
        Values of lambda1, falling.
    lambda2s : ndarray of shape (n_lambda2s,)
        Values of lambda2, rising.
    loss, error : ndarray of shape (n_lambda2s, n_lambdas)
        Weighted mean over all held-out rows: of the huberised loss (with more than two
        classes averaged over the one-vs-rest machines), and of wrong predictions.
    loss_se, error_se : ndarray of shape (n_lambda2s, n_lambdas)
        Standard error of that mean from the spread between folds; NaN with fewer than two.
    n_active : ndarray of shape (n_lambda2s, n_lambdas)
        Columns in use, fitted on all rows.
    criterion : str
    lambda1, lambda2 : float
        The pair chosen.
    n_folds : int
    """

    lambdas: np.ndarray
    lambda2s: np.ndarray
    loss: np.ndarray
    error: np.ndarray
    loss_se: np.ndarray
    error_se: np.ndarray
    n_active: np.ndarray
    criterion: str
    lambda1: float
    lambda2: float
    n_folds: int

    def frame(self) -> pd.DataFrame:
        """One row a pair of penalties, as a pandas DataFrame."""
        import pandas as pd

        grids = np.meshgrid(self.lambda2s, self.lambdas, indexing="ij")
        columns = dict(zip(("lambda2", "lambda1"), grids, strict=True))
        columns |= {name: getattr(self, name) for name in SCORE_TABLES}
        return pd.DataFrame({name: values.ravel() for name, values in columns.items()})

    def to_dict(self) -> dict[str, object]:
        """Plain lists and numbers; what is undefined is None."""
        tables = {name: getattr(self, name) for name in SCORE_TABLES}
        return {
            "criterion": self.criterion,
            "lambda1": self.lambda1,
            "lambda2": self.lambda2,
            "n_folds": self.n_folds,
            "lambdas": self.lambdas.tolist(),
            "lambda2s": self.lambda2s.tolist(),
            **{
                name: [[None if np.isnan(v) else v for v in row] for row in table.tolist()]
                for name, table in tables.items()
            },
        }

    def summary(self) -> str:
        """The pair chosen and what it scored."""
        row = int(np.argmin(np.abs(self.lambda2s - self.lambda2)))
        k = int(np.argmin(np.abs(self.lambdas - self.lambda1)))
        return (
            f"lambda1 {self.lambda1:.4g} and lambda2 {self.lambda2:g} of {len(self.lambdas)} x "
            f"{len(self.lambda2s)} by the held-out {self.criterion} of {self.n_folds} folds: loss "
            f"{self.loss[row, k]:.4f}, error {self.error[row, k]:.2%}, {self.n_active[row, k]} "
            "columns"
        )
