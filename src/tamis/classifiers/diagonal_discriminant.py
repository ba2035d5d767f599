"""Diagonal linear discriminant analysis (DLDA)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from .._core.interfaces import Beliefs
from ..kernels.diagonal_discriminant import diagonal_discriminant, diagonal_discriminants
from ..kernels.recalibration_slopes import softmax_shares
from ..kernels.within_classes import log_odds
from .base.linear_predictor import LinearPredictor
from .linear_discriminants import LinearDiscriminant, LinearDiscriminantClassifier


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

    def _fit(self, columns: np.ndarray, codes: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        self.class_prior_ = DiagonalDiscriminant(self.priors).frequencies(np.bincount(codes))
        return diagonal_discriminant(columns, codes, len(self.classes_), self.class_prior_)


class DiagonalDiscriminant(LinearDiscriminant):
    """`DiagonalDiscriminantClassifier` in plans; all sizes of a ranking from sums over columns.

    Columns are standardised for the sake of far-off values only: the rule has no units.
    """

    def fit(self, X: np.ndarray, y: np.ndarray, n_classes: int, seed: int) -> LinearPredictor:
        """Dudoit, Fridlyand & Speed (2002)."""
        priors = self.frequencies(np.bincount(y, minlength=n_classes))
        return LinearPredictor(*log_odds(*diagonal_discriminant(X, y, n_classes, priors)))

    def beliefs_by_size(
        self,
        X: np.ndarray,
        y: np.ndarray,
        n_classes: int,
        test: np.ndarray,
        sizes: Sequence[int],
        seed: int,
    ) -> list[Beliefs]:
        """For the leading columns of every size."""
        priors = self.frequencies(np.bincount(y, minlength=n_classes))
        scores = diagonal_discriminants(X, y, test, sizes, priors)
        return [Beliefs(of_size) for of_size in softmax_shares(scores)]
