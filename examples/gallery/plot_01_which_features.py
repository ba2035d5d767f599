"""
Which few features tell the classes apart?
==========================================

A study of the bundled leukaemia data: 38 samples, 3,051 genes, two classes.
"""

from tempfile import mkdtemp

from tamis.data import load_golub
from tamis.plotting.picture import Picture
from tamis.study import run_study

plan = {
    "outer": {"folds": 5},
    "inner": {"folds": 5, "repeats": 1},
    "permutations": 19,
    "method": [{"select": "moderated_t", "sizes": [2, 5, 10], "classify": "logistic"}],
}
result = run_study(load_golub(), plan, mkdtemp(), name="golub")
print(result.summary())

# %%
# The six features that training sets selected most often, by class. The charts describe the
# samples that the features were chosen in. Whether they predict new samples is what the line
# "how well" estimates, on held-out samples.
Picture("distributions", result.plot("distributions").charts[:6])
