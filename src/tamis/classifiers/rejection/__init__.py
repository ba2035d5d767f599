"""Knowing when not to decide: rules by which samples are declined, and a classifier that does so.

A rule is fitted to what was believed of samples held out, and whether that was right. `Rejecting`
is the `Decision` of studies, `RejectingClassifier` the classifier in scikit-learn's manners.
"""
