"""Worked examples of discretisers, and labels that are missing."""

from __future__ import annotations

import numpy as np
import pytest

from tamis.data import ChiMergeDiscretizer, MDLDiscretizer


def test_chimerge_on_the_worked_example_of_textbooks():
    """Kantardzic, Data Mining, on ChiMerge: threshold 2.706 (alpha .1) leaves cuts 10 and 42."""
    x = np.array([1, 3, 7, 8, 9, 11, 23, 37, 39, 45, 46, 59.0])[:, None]
    y = np.array([1, 2, 1, 1, 1, 2, 2, 1, 2, 1, 1, 1])
    (cuts,) = ChiMergeDiscretizer(alpha=0.1).fit(x, y).cuts_
    assert cuts.tolist() == [10.0, 42.0]


def test_missing_labels_are_named():
    with pytest.raises(ValueError, match="missing class labels"):
        MDLDiscretizer().fit(np.arange(4.0)[:, None], np.array(["a", "b", None, "a"], dtype=object))
