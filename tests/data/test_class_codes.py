"""The one check of class labels."""

from __future__ import annotations

import numpy as np
import pytest

from tamis._core.errors import DataError
from tamis.data.class_codes import class_codes


@pytest.mark.parametrize(
    "labels", [["b", "a", "b", "c"], [3, -1, 3, 7], np.array(["x", "w", "x", "y"], dtype=object)]
)
def test_classes_are_sorted_and_codes_are_their_places(labels):
    classes, codes = class_codes(labels, "a test")
    assert codes.dtype == np.int64
    assert codes.tolist() == [1, 0, 1, 2]
    assert classes[codes].tolist() == list(labels)


def test_one_class_is_refused_unless_it_will_do():
    with pytest.raises(DataError, match=r"a test needs at least two classes; y has only .* True"):
        class_codes([True, True], "a test")
    with pytest.raises(DataError, match="y is empty"):
        class_codes(np.array([], dtype=int), "a test")
    assert class_codes(["a", "a"], "a test", least=1)[1].tolist() == [0, 0]


def test_what_is_no_class_is_refused():
    with pytest.raises(DataError, match=r"missing class labels \(None\)"):
        class_codes(["a", None], "a test")
    with pytest.raises(ValueError, match="continuous"):
        class_codes([0.1, 0.7, 1.3], "a test")
