"""Shrinkage discriminant analysis (SDA)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..kernels.shrinkage_discriminant import INTENSITIES, shrinkage_discriminant
from ..kernels.within_classes import log_odds
from .base.linear_predictor import LinearPredictor
from .linear_discriminants import (
    DiscriminantParameters,
    LinearDiscriminant,
    LinearDiscriminantClassifier,
)


@dataclass(eq=False)
class ShrinkageParameters(DiscriminantParameters):
    """Parameters of the classifier and of what plans run."""

    priors: str = "shrunken"


class ShrinkageDiscriminantClassifier(LinearDiscriminantClassifier, ShrinkageParameters):
    """Linear discriminant analysis that shrinks what few samples cannot tell (SDA).

    Within-class correlations are shrunk towards 0, within-class variances towards their median,
    and class frequencies towards equal ones. How much is computed from the data by a formula, so
    there is nothing to tune and nothing random. There may be more features than samples.

    Parameters
    ----------
    priors : {"shrunken", "empirical", "equal"}, default="shrunken"
        Class probabilities: shrunken class shares, the class shares, or equal ones.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
    coef_ : ndarray of shape (1, n_features) or (n_classes, n_features)
        One row for two classes: log-odds of the second.
    intercept_ : ndarray of shape (1,) or (n_classes,)
    lambda_ : float
        Intensity for the correlations: 0 leaves them as they are, 1 makes them 0.
    lambda_var_ : float
        Intensity for the variances of the standardised features.
    lambda_freqs_ : float
        Intensity for the class frequencies; 0 with "empirical", 1 with "equal" priors.
    class_prior_ : ndarray of shape (n_classes,)
    mean_, scale_ : ndarray of shape (n_features,)
        What the features were standardised by.

    Raises
    ------
    PlanError
        `priors` is not one of these.
    DataError
        y has only one class.

    Notes
    -----
    Features are standardised first, so that units do not matter. The function ``sda`` of the R
    package of that name does not do so: it gives the same discriminants on standardised columns.
    A variance counts as at least a millionth of the feature's variance over all samples.

    References
    ----------
    Ahdesmaeki & Strimmer (2010), Feature selection in omics prediction problems using cat scores
    and false nondiscovery rate control, Annals of Applied Statistics 4, 503-519. Schaefer &
    Strimmer (2005), Statistical Applications in Genetics and Molecular Biology 4, 32
    (correlations). Opgen-Rhein & Strimmer (2007), the same journal 6, 9 (variances). Hausser &
    Strimmer (2009), Journal of Machine Learning Research 10, 1469-1484 (frequencies).

    Examples
    --------
    >>> from tamis.classifiers import ShrinkageDiscriminantClassifier
    >>> from tamis.data import load_golub
    >>> golub = load_golub()
    >>> model = ShrinkageDiscriminantClassifier().fit(golub.X[::2], golub.y[::2])
    >>> round(model.lambda_, 3), model.score(golub.X[1::2], golub.y[1::2])
    (0.644, 1.0)
    """

    PRIORS = tuple(INTENSITIES)

    def _fit(self, columns: np.ndarray, codes: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        found = shrinkage_discriminant(columns, codes, len(self.classes_), INTENSITIES[self.priors])
        self.lambda_, self.lambda_var_ = found.intensity, found.variance_intensity
        self.lambda_freqs_, self.class_prior_ = found.frequency_intensity, found.priors
        return found.coefficients, found.intercepts


class ShrinkageDiscriminant(ShrinkageParameters, LinearDiscriminant):
    """`ShrinkageDiscriminantClassifier` in plans, on columns standardised before.

    Variances are shrunk towards one value, which means the same to every column once all have
    the same unit.
    """

    def fit(self, X: np.ndarray, y: np.ndarray, n_classes: int, seed: int) -> LinearPredictor:
        """Coefficients by the analytic intensities; nothing is searched."""
        found = shrinkage_discriminant(X, y, n_classes, INTENSITIES[self.priors])
        return LinearPredictor(*log_odds(found.coefficients, found.intercepts))
