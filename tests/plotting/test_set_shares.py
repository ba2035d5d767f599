from __future__ import annotations

from xml.etree import ElementTree

import numpy as np

from tamis.interactions import Intersections

NS = "{http://www.w3.org/2000/svg}"


def found(names=("a$b$", "b", "c"), signs=((), (1, -1))):
    return Intersections(
        columns=((0, 1), (1, 2)),
        signs=signs,
        origin=np.array([0, 1]),
        counts=np.array([[8, 1], [2, 5]]),
        sizes=np.array([10, 10]),
        trees=np.ones(2),
        classes=("well", "ill"),
        names=names,
    )


def drawn(sets):
    (chart,) = sets.plot().charts
    return ElementTree.fromstring(chart)


def rows(root):
    """Groups of a set: what is told of it, its name and its dots."""
    groups = [g for g in root.iter(f"{NS}g") if g.find(f"{NS}circle") is not None]
    return [
        (g.find(f"{NS}title").text, g.find(f"{NS}text").text, g.findall(f"{NS}circle"))
        for g in groups
    ]


def test_a_row_a_set_and_a_dot_a_class():
    first, second = rows(drawn(found()))
    assert first[:2] == ("a$b$ + b: 0.80 of well, 0.10 of ill", "a$b$ + b")
    assert second[1] == "b + not c"
    x = [[float(dot.get("cx")) for dot in dots] for *_, dots in (first, second)]
    left, step = 14, 360 - 28
    expected = [[left + step * share for share in shares] for shares in ((0.8, 0.1), (0.2, 0.5))]
    np.testing.assert_allclose(x, expected, atol=0.06)


def test_the_class_a_set_speaks_for_has_a_full_dot():
    empty = [[dot.get("fill") == "none" for dot in dots] for *_, dots in rows(drawn(found()))]
    assert empty == [[False, True], [True, False]]


def test_long_names_and_no_set():
    long = rows(drawn(found(names=("x" * 200, "y" * 200, "z" * 200))))
    assert all(len(name) < 60 for _, name, _ in long)
    none = np.zeros(0, dtype=np.int64)
    empty = Intersections((), (), none, np.zeros((0, 2)), np.ones(2), none, ("a", "b"), ("x",))
    root = drawn(empty)
    assert not rows(root)
    assert "no set" in "".join(root.itertext())
