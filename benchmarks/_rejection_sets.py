"""Tables of the comparison of rejection, and what came of the rows that were held out."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from _harness import shared_folder

ZEROS_ARE_MISSING = ["plas", "pres", "skin", "insu", "mass"]  # of pima
EXPRESSION = ("golub", "alon", "chowdary", "armstrong2194")


@dataclass(frozen=True)
class Tally:
    """Counts of rows, of which some were declined; tallies of folds are added up.

    Attributes
    ----------
    rows, errors : int
        All rows, and those predicted wrong.
    declined, caught : int
        Rows declined, and those of them predicted wrong.
    """

    rows: int = 0
    errors: int = 0
    declined: int = 0
    caught: int = 0

    @classmethod
    def of(cls, wrong: np.ndarray, declined: np.ndarray) -> Tally:
        """From flags of the same rows."""
        return cls(len(wrong), int(wrong.sum()), int(declined.sum()), int((wrong & declined).sum()))

    def __add__(self, other: Tally) -> Tally:
        return Tally(
            self.rows + other.rows,
            self.errors + other.errors,
            self.declined + other.declined,
            self.caught + other.caught,
        )

    @property
    def error(self) -> float:
        """Share of errors where every row is given a class."""
        return share(self.errors, self.rows)

    @property
    def accepted_error(self) -> float:
        """Share of errors among the rows accepted."""
        return share(self.errors - self.caught, self.rows - self.declined)

    @property
    def rejected(self) -> float:
        """Share of the rows that is declined."""
        return share(self.declined, self.rows)

    @property
    def zone_error(self) -> float:
        """Share of errors among the rows declined."""
        return share(self.caught, self.declined)

    @property
    def accepted_and_wrong(self) -> float:
        """Share of all rows that are accepted and predicted wrong."""
        return share(self.errors - self.caught, self.rows)

    def percents(self) -> list[str]:
        """Error, error of the accepted, share declined, error of the declined."""
        return [
            percent(v) for v in (self.error, self.accepted_error, self.rejected, self.zone_error)
        ]


def share(part: int, whole: int) -> float:
    """NaN of none."""
    return part / whole if whole else math.nan


def percent(value: float) -> str:
    """Two digits after the point; a dash where there is nothing to tell."""
    return "-" if math.isnan(value) else f"{100 * value:.2f}"


def tally(model: Any, X: np.ndarray, y: np.ndarray) -> Tally:
    """Of rows that a RejectingClassifier was not fitted to."""
    return Tally.of(model.predict_all(X) != y, model.predict_mask(X))


def read_set(name: str, zeros: bool = False) -> tuple[np.ndarray, np.ndarray]:
    """Rows of numbers, and their class names.

    Of pima the zeros that stand for missing values are NaN, unless `zeros` leaves them; categories
    of german are 0/1 columns; expression is log2(max(x, 20)).
    """
    import pandas as pd

    room = "expression" if name in EXPRESSION else "uci"
    table = pd.read_parquet(shared_folder() / room / f"{name}.parquet")
    y = table.pop("class").to_numpy(dtype=str)
    if name == "pima" and not zeros:
        table[ZEROS_ARE_MISSING] = table[ZEROS_ARE_MISSING].replace(0, np.nan)
    if name == "german":
        table = pd.get_dummies(table)
    X = table.to_numpy(dtype=np.float64)
    return (np.log2(np.maximum(X, 20.0)) if room == "expression" else X), y


def filled_and_scaled(*last: Any) -> Any:
    """A pipeline: medians of the training set for missing values, unit variance, the steps."""
    from sklearn.impute import SimpleImputer
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    return make_pipeline(SimpleImputer(strategy="median"), StandardScaler(), *last)
