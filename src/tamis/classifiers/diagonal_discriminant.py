"""Diagonal linear discriminant analysis as a classifier."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from .._core.interfaces import Arrays, Beliefs
from ..kernels.diagonal_discriminant import diagonal_discriminant, diagonal_discriminants
from ..kernels.shrinkage_discriminant import INTENSITIES, shrunken_frequencies
from ..kernels.units import column_units, in_units
from ..kernels.within_classes import log_odds
from .base.linear_predictor import LinearPredictor
from .base.scaling import StandardClassifier, as_standardised, standardised
from .base.temperature_scaling import softmax
from .linear_discriminants import LinearDiscriminantClassifier


class DiagonalDiscriminantClassifier(LinearDiscriminantClassifier):
    """Linear discriminant analysis that takes features for uncorrelated within classes (DLDA).

    A sample goes to the class with the nearest mean, where each feature's distance is in units of
    its standard deviation within the classes, plus the logarithm of the class's prior. Nothing is
    tuned or searched. There may be more features than samples.

    Parameters
    ----------
    priors : {"empirical", "equal"}, default="empirical"
        Class probabilities: the class shares, or equal ones (the rule of the paper).

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
    coef_ : ndarray of shape (1, n_features) or (n_classes, n_features)
        One row for two classes: log-odds of the second.
    intercept_ : ndarray of shape (1,) or (n_classes,)
    class_prior_ : ndarray of shape (n_classes,)
    mean_, scale_ : ndarray of shape (n_features,)
        What the features were standardised by, which changes nothing but rounding.

    Raises
    ------
    PlanError
        `priors` is not one of these.
    DataError
        y has only one class.

    Notes
    -----
    A variance is pooled over classes and divided by n - C. It counts as at least a millionth of
    the feature's variance over all samples, so a feature that separates the classes perfectly
    can be used.

    References
    ----------
    Dudoit, Fridlyand & Speed (2002), Comparison of discrimination methods for the classification
    of tumors using gene expression data, Journal of the American Statistical Association 97,
    77-87.

    Examples
    --------
    >>> from tamis.classifiers import DiagonalDiscriminantClassifier
    >>> from tamis.data import load_golub
    >>> golub = load_golub()
    >>> model = DiagonalDiscriminantClassifier().fit(golub.X[::2], golub.y[::2])
    >>> round(model.score(golub.X[1::2], golub.y[1::2]), 3)
    0.947
    """

    PRIORS = ("empirical", "equal")

    def __init__(self, priors: str = "empirical"):
        self.priors = priors

    def fit(self, X, y) -> DiagonalDiscriminantClassifier:
        """Fit on the rows of X.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features), finite
        y : array-like of shape (n_samples,)
            Class labels, two or more classes.

        Returns
        -------
        self
        """
        columns, codes = self._standardised(X, y)
        self.class_prior_, _ = shrunken_frequencies(np.bincount(codes), INTENSITIES[self.priors])
        self._keep(*diagonal_discriminant(columns, codes, len(self.classes_), self.class_prior_))
        return self


@dataclass(frozen=True)
class DiagonalDiscriminant(StandardClassifier):
    """Class means and pooled variances, with class shares, or equal numbers, as priors.

    Columns are standardised for the sake of far-off values only: the rule has no units.
    """

    priors: str = "empirical"
    scaled = True

    def fit(self, X: np.ndarray, y: np.ndarray, n_classes: int, seed: int) -> LinearPredictor:
        """Dudoit, Fridlyand & Speed (2002)."""
        priors = self._frequencies(np.bincount(y, minlength=n_classes))
        return LinearPredictor(*log_odds(*diagonal_discriminant(X, y, n_classes, priors)))

    def beliefs_by_size(
        self, X: np.ndarray, y: np.ndarray, n_classes: int, test: np.ndarray, sizes: Sequence[int],
        seed: int,
    ) -> list[Beliefs]:  # fmt: skip
        """For the leading columns of every size; none where the first size has nothing to say."""
        if not sizes or not (X[:1, : sizes[0]] != X[:, : sizes[0]]).any():
            return []
        X, test = X[:, : sizes[-1]], test[:, : sizes[-1]]
        units = column_units(X)
        columns, center, scale = standardised(in_units(X, units))
        near = as_standardised(test, units, center, scale)
        priors = self._frequencies(np.bincount(y, minlength=n_classes))
        scores = diagonal_discriminants(columns, y, near, sizes, priors)
        return [Beliefs(softmax(of_size)) for of_size in scores]

    def with_shares(self) -> DiagonalDiscriminant:
        """With class shares as priors."""
        return replace(self, priors="empirical")

    def from_arrays(self, arrays: Arrays, n_columns: int, n_classes: int) -> LinearPredictor:
        """As of the predictor."""
        return LinearPredictor.from_arrays(arrays, n_columns, n_classes)

    def prior(self, counts: np.ndarray) -> np.ndarray | None:
        """Class prior (C,) that its probabilities stand for, of so many training samples of each
        class; None: their shares."""
        return None if self.priors == "empirical" else self._frequencies(counts)

    def _frequencies(self, counts: np.ndarray) -> np.ndarray:
        return shrunken_frequencies(counts, INTENSITIES[self.priors])[0]
