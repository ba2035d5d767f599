"""Classifiers of a plan that need no introduction: most fitted by scikit-learn, kept as arrays.

One file each: a class with ``fit`` and ``from_arrays`` (`_core.interfaces.Classifier`, or
`RawClassifier` for tables as they are), and the predictor it gives. A plug-in of this kind looks
the same; `scaling.fit_in_units` runs it.
"""
