"""`run_study` on what Python holds, in a folder that may be there; and what its result shows."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from common.studies import QUICK, make_data
from tamis._core.errors import DataError, ModelError, PlanError, StoreError
from tamis.report import write_report
from tamis.study import StudyResult, open_study, run_study

PLAN = {**QUICK, "permutations": 0}


@pytest.fixture(scope="module")
def data():
    return make_data(p=60)


@pytest.fixture(scope="module")
def first(data, tmp_path_factory):
    return run_study(data, PLAN, tmp_path_factory.mktemp("first") / "s").to_dict()


def same(found, first):
    """But for what the data are called, and what is told of them."""
    for key in ("metrics", "features", "final", "methods"):
        assert found.to_dict()[key] == first[key]
    assert found.to_dict()["data"]["digest"] == first["data"]["digest"]


def test_a_frame_and_arrays_are_studied_as_their_data_set(data, first, tmp_path):
    frame = pd.DataFrame(data.X, columns=data.feature_names).assign(kind=data.y)
    named = pd.Series(data.y, name=data.target)
    same(run_study(frame.drop(columns="kind"), PLAN, tmp_path / "a", target=named), first)
    more = {"name": "mine", "positive": data.classes[0]}
    found = run_study(frame, PLAN, tmp_path / "b", target="kind", **more)
    assert found.to_dict()["data"]["name"] == "mine"
    assert found.to_dict()["data"]["classes"][-1] == data.classes[0]
    assert run_study(data.X, PLAN, tmp_path / "c", target=data.y).features[0].startswith("x")


def test_what_cannot_be_said_is_refused_before_anything_is_written(data, tmp_path):
    with pytest.raises(PlanError, match="run_study has no argument 'n_job': did you mean 'n_jobs'"):
        run_study(data, PLAN, tmp_path / "s", n_job=2)
    with pytest.raises(DataError, match="group= says how a table is read"):
        run_study(data, PLAN, tmp_path / "s", group="x")
    with pytest.raises(PlanError, match="has no class column: name it with target="):
        run_study(pd.DataFrame(data.X), PLAN, tmp_path / "s")
    X = data.X.copy()
    X[3, 7] = np.inf
    with pytest.raises(DataError, match=f"infinite value in column {data.feature_names[7]!r}"):
        run_study(replace(data, X=X), PLAN, tmp_path / "s")
    assert not (tmp_path / "s").exists()


def files(folder):
    """All but the journal, which has clocks."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file() and path.name != "journal.jsonl"
    }


def test_a_cell_that_is_run_twice(data, first, tmp_path):
    out = tmp_path / "s"
    other = {**PLAN, "seed": 3}
    run_study(data, other, out)
    (out / "notes.txt").write_text("mine")
    (out / "report.html").write_text("old")
    with pytest.raises(StoreError, match="if_exists='resume', or 'overwrite'"):
        run_study(data, PLAN, out)
    with pytest.raises(StoreError, match="the plan differs"):
        run_study(data, PLAN, out, if_exists="resume")
    assert open_study(out).to_dict()["plan"]["seed"] == 3
    for way in ("overwrite", "resume", "overwrite"):
        same(run_study(data, PLAN, out, if_exists=way), first)
    run_study(data, PLAN, tmp_path / "new")
    assert files(out) == {**files(tmp_path / "new"), "notes.txt": b"mine"}


def test_another_folder_is_never_overwritten(data, tmp_path):
    out = tmp_path / "s"
    out.mkdir()
    (out / "results.json").write_text("{}")
    with pytest.raises(StoreError, match=r"is not empty .* and holds no study"):
        run_study(data, PLAN, out, if_exists="overwrite")
    for name in ("plan.json", "data.json"):
        (out / name).write_text('{"of": "somebody else"}')
    with pytest.raises(StoreError, match="is not of a study"):
        run_study(data, PLAN, out, if_exists="overwrite")
    assert (out / "results.json").read_text() == "{}"


def test_labels_that_are_numbers(tmp_path):
    rng = np.random.default_rng(0)
    y = np.repeat([0, 1], 20)
    X = rng.normal(size=(40, 30)) + y[:, None] * (np.arange(30) < 3)
    found = run_study(X, PLAN, tmp_path / "s", target=y)
    assert found.to_dict()["data"]["classes"] == ["0", "1"]
    assert {"x0", "x1", "x2"} & {*found.features}


KINDS = ["intervals", "sizes", "frequency", "distributions", "roc", "pr", "confusion"]


def test_pictures_are_those_of_the_page(data, tmp_path):
    found = run_study(data, PLAN, tmp_path / "s")
    page = found.write_report()
    assert page == tmp_path / "s" / "report.html"
    text = page.read_text(encoding="utf-8")
    assert write_report(found.to_dict(), found.folder, tmp_path / "o.html").exists()
    assert found.write_report(tmp_path / "mine.html") == tmp_path / "mine.html"
    for kind in KINDS:
        picture = found.plot(kind)
        shown = picture._repr_html_()
        assert shown.count("<svg") == len(picture.charts) > 0
        if kind != "confusion":  # a table there
            assert all(chart in text for chart in picture.charts)
    assert found.plot().name == "intervals"
    with pytest.raises(PlanError, match=r"no picture 'size': this result has 'intervals'.*'sizes'"):
        found.plot("size")


def test_the_first_screen_of_a_hostile_name(data, tmp_path):
    found = run_study(replace(data, name="<script>a&b"), PLAN, tmp_path / "s")
    shown = found._repr_html_()
    assert "<script" not in shown
    assert "&lt;script&gt;a&amp;b: 40 samples" in shown
    assert ">selected</div>" in shown
    assert "colour" not in shown
    assert "color" not in shown  # a notebook has its own


def test_what_has_no_model_says_so(data, tmp_path):
    found = run_study(data, {**PLAN, "final": False}, tmp_path / "s")
    assert isinstance(found, StudyResult)
    with pytest.raises(ModelError, match="its study has no final model"):
        _ = found.model
