"""`find_interactions` on frames, in a folder that may be there."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from common.studies import make_data
from tamis._core.errors import PlanError, StoreError
from tamis.discovery import find_interactions

FEW = {"s": 30, "t": 1, "n_permutations": 19}


def test_a_frame_is_searched_as_its_data_set(tmp_path):
    data = make_data(p=12)
    frame = pd.DataFrame(data.X, columns=data.feature_names)
    labels = pd.Series(data.y, name=data.target)
    first = find_interactions(data, tmp_path / "a", **FEW).to_dict()
    found = find_interactions(
        frame.assign(more=1.0), tmp_path / "b", target=labels, drop="more", name=data.name, **FEW
    )
    assert found.to_dict() == first
    with pytest.raises(PlanError, match="unknown setting 'dropp' of mcfs"):
        find_interactions(frame, tmp_path / "c", target=labels, dropp="more")


@pytest.mark.parametrize("part", ["groups", "batches", "split"])
def test_what_no_search_looks_at_is_refused(tmp_path, part):
    data = make_data(p=12)
    told = replace(data, **{part: np.arange(len(data.X)) // 4})
    with pytest.raises(PlanError, match="without covariates, groups, batches and splits"):
        find_interactions(told, tmp_path / "a", method="pairs")


def test_recalls_are_those_of_the_classes_beside_them(tmp_path):
    """As numbers 2 comes before 10, as text behind it; and the positive class comes last."""
    data = make_data(p=12, n=60)
    y = np.where(np.arange(60) < 45, "10", "2")
    for given in (replace(data, y=y, classes=("2", "10")), replace(data, y=y, classes=("10", "2"))):
        found = find_interactions(given, tmp_path / given.classes[0], **FEW).to_dict()
        classes = found["data"]["classes"]
        counts = [one["size"] for one in classes]
        assert [one["name"] for one in classes] == list(given.classes)
        assert np.argmax(found["ranking"]["settings"]["train"]) == np.argmax(counts)


def test_a_search_may_be_overwritten_by_another(tmp_path):
    data, out = make_data(p=12), tmp_path / "o"
    find_interactions(data, out, **FEW)
    (out / "report.html").write_text("old")
    (out / "mine.csv").write_text("mine")
    with pytest.raises(StoreError, match="if_exists='resume', or 'overwrite'"):
        find_interactions(data, out, method="pairs", n_permutations=19)
    find_interactions(data, out, method="pairs", n_permutations=19, if_exists="overwrite")
    find_interactions(data, tmp_path / "new", method="pairs", n_permutations=19)
    names = {path.name for path in out.iterdir()}
    assert names == {"mine.csv"} | {path.name for path in (tmp_path / "new").iterdir()}


@pytest.mark.parametrize(
    ("method", "more", "kinds"),
    [("mcfs", FEW, ["graph", "cutoff"]), ("pairs", {"n_permutations": 19}, ["graph"])],
)
def test_pictures_and_page(tmp_path, method, more, kinds):
    found = find_interactions(make_data(p=12), tmp_path / "o", method=method, **more)
    text = found.write_report().read_text(encoding="utf-8")
    assert (tmp_path / "o" / "report.html").exists()
    for kind in kinds:
        assert all(chart in text for chart in found.plot(kind).charts)
    with pytest.raises(PlanError, match="no picture 'roc': this result has 'graph'"):
        found.plot("roc")
    assert "40 samples" in found._repr_html_()
    (tmp_path / "o" / "features.csv").write_text("other\n1\n")
    with pytest.raises(StoreError, match="do not fit together"):
        found.frame()
