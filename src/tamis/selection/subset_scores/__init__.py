"""How well subsets of columns classify, by cross-validation inside a training set.

A learner on the training rows of one inner fold is a `FoldModel`: it scores the held-out
rows with any subset, and with each subset one column away from a chosen one. The discriminants,
ridge least squares, naive Bayes and nearest neighbours answer the latter by updating what they
know of the chosen subset; everything else is fitted anew. A search calls `SubsetScores`, which
puts the folds together under one criterion and counts what it did.
"""

from typing import TYPE_CHECKING

from ..._core.lazy_names import lazy_names

if TYPE_CHECKING:
    from .learners import LEARNERS as LEARNERS
    from .learners import Learner as Learner
    from .learners import find_learner as find_learner
    from .scores import SubsetScores as SubsetScores
    from .scores import refuse_undefined as refuse_undefined
else:
    __getattr__, __dir__, __all__ = lazy_names(__name__)
