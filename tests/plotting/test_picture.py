"""Charts for people: shown by a notebook, saved as files."""

from __future__ import annotations

import sys

import pytest

from tamis._core.errors import MissingExtraError, PlanError
from tamis.plotting import calibration_curve, confusion_matrix
from tamis.plotting.picture import Picture, picture_of

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
    with pytest.raises(PlanError, match=r"a.jpg': charts are written as \.svg, \.png or \.pdf"):
        picture_of("one", CHARTS).save(tmp_path / "a.jpg")


def test_png_and_pdf(tmp_path):
    pytest.importorskip("cairosvg", exc_type=(ImportError, OSError))
    chart = calibration_curve([])
    two = Picture("two", (chart, chart))
    assert [path.name for path in two.save(tmp_path / "b.PNG")] == ["b-1.PNG", "b-2.PNG"]
    content = (tmp_path / "b-1.PNG").read_bytes()
    assert content.startswith(b"\x89PNG")
    assert int.from_bytes(content[16:20], "big") == 1440
    Picture("one", (chart,)).save(tmp_path / "c.pdf")
    assert (tmp_path / "c.pdf").read_bytes().startswith(b"%PDF")


def test_without_what_makes_them(tmp_path, monkeypatch):
    one = picture_of("one", CHARTS)
    monkeypatch.setitem(sys.modules, "cairosvg", None)
    with pytest.raises(MissingExtraError, match=r"writing a \.png .* '.\[plot\]'"):
        one.save(tmp_path / "a.png")

    def without_cairo(*_):
        raise OSError('no library called "cairo-2" was found')

    monkeypatch.setattr("tamis.plotting.picture.require_library", without_cairo)
    with pytest.raises(MissingExtraError, match=r"writing a \.pdf .* the library Cairo"):
        one.save(tmp_path / "a.pdf")
    assert not list(tmp_path.iterdir())


def test_a_table_of_errors_escapes_names():
    cells = [{"text": "9", "share": "90 %", "shade": 90}, {"text": "1", "share": "5 %", "shade": 5}]
    rows = [{"label": name, "cells": cells} for name in ("<b>", "x" * 90)]
    chart = confusion_matrix({"classes": ["<b>", "x" * 90], "rows": rows})
    assert "<b>" not in chart
    assert "&lt;b&gt;" in chart
    assert 'fill-opacity="0.50"' in chart
