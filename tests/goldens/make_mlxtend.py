"""Subsets of mlxtend's SequentialFeatureSelector, for tests/selection/test_sequential.py.

pip install mlxtend==0.25.0
python tests/goldens/make_mlxtend.py > tests/goldens/mlxtend_sequential.json
"""

import json
import sys
import warnings
from pathlib import Path

from mlxtend import __version__
from mlxtend.feature_selection import SequentialFeatureSelector
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from common.sequential import SETS, made_set  # the same tables and folds

warnings.filterwarnings("ignore")
found = {"mlxtend": __version__, "subsets": {}}
for name in SETS:
    X, y, folds = made_set(name)
    for forward in (True, False):
        for floating in (True, False):
            one = SequentialFeatureSelector(
                LinearDiscriminantAnalysis(),
                k_features=8 if forward else 1,
                forward=forward,
                floating=floating,
                scoring="neg_log_loss",
                cv=folds,
            ).fit(X, y)
            found["subsets"][f"{name}, {forward}, {floating}"] = {
                k: {"columns": list(map(int, s["feature_idx"])), "score": float(s["avg_score"])}
                for k, s in sorted(one.subsets_.items())
            }
json.dump(found, sys.stdout, indent=1)
