"""Charts for people: shown by a notebook, saved as files."""

from __future__ import annotations

import pytest

from tamis._core.errors import PlanError
from tamis._core.figures import empty_figure
from tamis.plotting import confusion_matrix
from tamis.plotting.picture import picture_of

CHARTS = {
    "one": "<svg><title>a &lt;</title></svg>",
    "two": ["<svg>1</svg>", "<svg>2</svg>"],
    "none": "",
    "empty": [],
}


def test_charts_of_a_kind():
    assert repr(picture_of("two", CHARTS)) == "Picture('two': 2 charts)"
    assert "<div>a &lt;</div><svg>" in picture_of("one", CHARTS)._repr_html_()
    for kind in ("none", "empty", "tow"):
        with pytest.raises(PlanError, match="this result has 'one', 'two'"):
            picture_of(kind, CHARTS)
    with pytest.raises(PlanError, match="did you mean 'two'"):
        picture_of("twoo", CHARTS)


def test_files(tmp_path):
    assert picture_of("one", CHARTS).save(tmp_path / "a.svg") == [tmp_path / "a.svg"]
    assert (tmp_path / "a.svg").read_text() == CHARTS["one"] + "\n"
    names = [path.name for path in picture_of("two", CHARTS).save(tmp_path / "b.svg")]
    assert names == ["b-1.svg", "b-2.svg"]
    with pytest.raises(PlanError, match=r"name it \.svg"):
        picture_of("one", CHARTS).save(tmp_path / "a.png")


def test_a_table_of_errors_escapes_names():
    cells = [{"text": "9", "share": "90 %", "shade": 90}, {"text": "1", "share": "5 %", "shade": 5}]
    rows = [{"label": name, "cells": cells} for name in ("<b>", "x" * 90)]
    chart = confusion_matrix({"classes": ["<b>", "x" * 90], "rows": rows})
    assert "<b>" not in chart
    assert "&lt;b&gt;" in chart
    assert 'fill-opacity="0.50"' in chart


def test_a_figure_without_pyplot_draws_itself():
    pytest.importorskip("matplotlib")
    assert empty_figure((2, 2), "this")._repr_png_().startswith(b"\x89PNG")
