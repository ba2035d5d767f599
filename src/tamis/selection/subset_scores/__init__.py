"""How well subsets of columns classify, by cross-validation inside a training part.

A learner on the training rows of one inner fold is a `FoldModel`: it is asked for the held-out
rows with any subset, and with each subset one column away from a chosen one. The discriminants,
ridge least squares, naive Bayes and nearest neighbours answer the latter by updating what they
know of the chosen subset; everything else is fitted anew. A search asks `SubsetScores`, which
puts the folds together under one criterion and counts what it did.
"""

from .learners import LEARNERS, Learner, find_learner
from .scores import SubsetScores, refuse_undefined

__all__ = ["LEARNERS", "Learner", "SubsetScores", "find_learner", "refuse_undefined"]
