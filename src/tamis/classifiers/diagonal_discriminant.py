"""Diagonal linear discriminant analysis as a classifier."""

from __future__ import annotations

import numpy as np

from ..kernels.diagonal_discriminant import diagonal_discriminant
from ..kernels.shrinkage_discriminant import INTENSITIES, shrunken_frequencies
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
