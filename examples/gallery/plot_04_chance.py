"""
What does chance give?
======================

Forty samples with 2,000 features and labels that mean nothing. The complete procedure, with its
choice of features, is repeated on permuted labels.
"""

from tempfile import mkdtemp

import numpy as np

from tamis.study import run_study

rng = np.random.default_rng(0)
noise = rng.normal(size=(40, 2000))
state = np.repeat(["ill", "well"], 20)
plan = {
    "outer": {"folds": 5},
    "inner": {"folds": 5, "repeats": 1},
    "permutations": 49,
    "method": [{"select": "moderated_t", "sizes": [5, 20], "classify": "logistic"}],
}
result = run_study(noise, plan, mkdtemp(), target=state, name="noise")
result.plot("permutations")

# %%
# With so few samples, balanced accuracies of 0.3 and of 0.7 are nothing unusual. The permutation
# p-value says how often permuted labels did as well, and the warnings stand above everything else.
print(result.summary())
