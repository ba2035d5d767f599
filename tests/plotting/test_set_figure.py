from __future__ import annotations

import numpy as np
import pytest

from tamis.interactions import Intersections

pytest.importorskip("matplotlib")


def found(names=("a$b$", "b", "c"), signs=((), (1, -1))):
    return Intersections(
        columns=((0, 1), (1, 2)), signs=signs, origin=np.array([0, 1]),
        counts=np.array([[8, 1], [2, 5]]), sizes=np.array([10, 10]), trees=np.ones(2),
        classes=("well", "ill"), names=names,
    )  # fmt: skip


def test_a_row_a_set_and_a_dot_a_class():
    axes = found().plot().axes[0]
    assert [t.get_text() for t in axes.get_yticklabels()] == [r"a\$b\$ + b", "b + not c"]
    dots = [c.get_offsets().tolist() for c in axes.collections if len(c.get_offsets())]
    assert dots == [[[0.8, 0.0], [0.2, 1.0]], [[0.1, 0.0], [0.5, 1.0]]]


def test_the_class_a_set_speaks_for_has_a_full_dot():
    axes = found().plot().axes[0]
    faces = [c.get_facecolors() for c in axes.collections if len(c.get_offsets())]
    white = [[face.tolist() == [1, 1, 1, 1] for face in of] for of in faces]
    assert white == [[False, True], [True, False]]


def test_long_names_and_no_set():
    axes = found(names=("x" * 200, "y" * 200, "z" * 200)).plot().axes[0]
    assert all(len(t.get_text()) <= 80 for t in axes.get_yticklabels())
    none = np.zeros(0, dtype=np.int64)
    empty = Intersections((), (), none, np.zeros((0, 2)), np.ones(2), none, ("a", "b"), ("x",))
    assert not [c for c in empty.plot().axes[0].collections if len(c.get_offsets())]
