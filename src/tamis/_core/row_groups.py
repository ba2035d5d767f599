"""Fields of rows that most methods leave as they are, in groups: what a method takes, what it
promises, how it is shown, and what a plan has that names it and says nothing else.
"""

from __future__ import annotations

from dataclasses import dataclass

from .method_data import Kind
from .response import CLASSES, ResponseKind


@dataclass(frozen=True)
class Display:
    """How a method is shown, beside the words of its row.

    Attributes
    ----------
    text_parameters : tuple of str
        Parameters that a methods paragraph names, chosen or not.
    fits : str
        Models that it fits to one training set, in words; empty: none.
    title_of_many : str
        What people call a filter with more than two classes, where that is another statistic.
    measure : str
        The unit of a filter's score, or what it is a score of, for the page.
    show_in_report : bool
        Pages give a filter's score for the features they show; others say nothing of their own
        about a column.
    """

    text_parameters: tuple[str, ...] = ()
    fits: str = ""
    title_of_many: str = ""
    measure: str = ""
    show_in_report: bool = False


@dataclass(frozen=True)
class PlanDefaults:
    """What a plan has that selects by a method and says nothing else.

    Attributes
    ----------
    sizes : tuple of int or str
    tune : str
        The criterion.
    size_rule : str
        What that chooses the size by, in words.
    classify : tuple of str
        Classifiers, of a ranker; none: those of the kind of outcome.
    """

    sizes: tuple[int | str, ...] = ()
    tune: str = ""
    size_rule: str = ""
    classify: tuple[str, ...] = ()


@dataclass(frozen=True)
class SelectorTakes:
    """What a method takes that selects.

    Attributes
    ----------
    raw : bool
        It takes a table as it is: categories as codes in one column, and missing values as NaN.
    codes : bool
        It takes categories as codes in one column, not spread over 0/1 columns, and leaves out
        missing values in a table that has some.
    members : int
        Samples of each class that it needs in every training set.
    covariates : bool
        It has models that carry covariates.
    prepared : bool
        Steps before ranking are for it; the covariates by themselves are only imputed.
    outcomes : tuple of {"class", "number"}
        What it can learn from.
    """

    raw: bool = False
    codes: bool = False
    members: int = 1
    covariates: bool = True
    prepared: bool = True
    outcomes: tuple[ResponseKind, ...] = CLASSES


@dataclass(frozen=True)
class SelectorPromises:
    """What a method promises that selects.

    Attributes
    ----------
    own_size : bool
        It has a size of its own, ``sizes = ["own"]``.
    poorly_calibrated : bool
        As of a classifier, of a path.
    """

    own_size: bool = False
    poorly_calibrated: bool = False


@dataclass(frozen=True)
class ClassifierTakes:
    """What a classifier takes.

    Attributes
    ----------
    raw : bool
        It takes a table as it is: categories as codes in one column, and missing values as NaN
        (`RawClassifier`). One around another has what it is around.
    accepts_sample_weight : bool
        It takes a weight for each row: ``fit(..., weights=)``; one around another hands them on.
    is_meta_estimator : bool
        It is one around another, ``classify = {name = ..., of = ...}``.
    sets_sample_weight : bool
        It gives the classifier that it is around weights.
    needs : {"labels", "order", "proba"}
        The least that the classifier that it is around must say of samples.
    costs : bool
        It is given what errors cost, ``costs``, an array (C, C), rows predicted, and charges them
        in what it fits, so that its own labels are those of least cost. Its probabilities are on
        the natural scale all the same, its margins on that of the costs; one that cannot say the
        former promises the beliefs "order" or "labels".
    """

    raw: bool = False
    accepts_sample_weight: bool = False
    is_meta_estimator: bool = False
    sets_sample_weight: bool = False
    needs: Kind = "labels"
    costs: bool = False
    outcomes: tuple[ResponseKind, ...] = CLASSES


@dataclass(frozen=True)
class ClassifierPromises:
    """What a classifier promises.

    Attributes
    ----------
    beliefs : {"proba", "order", "labels"}
        What it says of samples: probabilities; what orders them (margins); or its labels alone.
    natural : bool
        Its probabilities stand for the training set's class shares (once what its `prior` says is
        taken out). Not of one that decides by its margins.
    poorly_calibrated : bool
        Its probabilities are far too certain, or take few values: a logarithmic score of them says
        little of how well it does, and candidates are compared by the metric itself.
    max_features_per_sample : float or None
        Features per training sample from which it is not to be trusted.
    """

    beliefs: Kind = "proba"
    natural: bool = True
    poorly_calibrated: bool = False
    max_features_per_sample: float | None = None
