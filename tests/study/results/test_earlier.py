"""Other studies of the same table beside a new one."""

from __future__ import annotations

import json
import os
import shutil

import pytest

from common.studies import make_data
from tamis.study import run_study
from tamis.study.results.earlier import with_earlier_studies

QUICK = {
    "outer": {"folds": 3},
    "inner": {"folds": 2, "repeats": 1},
    "permutations": 0,
    "method": [{"select": "welch_t", "sizes": [2]}],
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    data = make_data(1, n=24, p=20)
    around = tmp_path_factory.mktemp("studies")
    for name, one in (("first", data), ("other", make_data(2, n=24, p=20))):
        run_study(one, QUICK, around / name)
    run_study(data, {**QUICK, "seed": 1}, around / "second")
    return around


def warned(folder, name):
    from tamis.study import open_study

    result = with_earlier_studies(open_study(folder / name))
    return [text for text in result.warnings if text.startswith("studied-before: ")]


def test_finished_studies_of_the_same_values_are_counted(folder):
    assert warned(folder, "other") == []
    [text] = warned(folder, "second")
    assert "1 other study of the same values and labels beside this one ('first')" in text
    assert text.endswith("that none has seen.")


def test_results_do_not_depend_on_what_lies_around(folder):
    assert "studied-before" not in (folder / "second/results.json").read_text()


def test_the_same_study_again_is_no_other(folder, tmp_path):
    """As where parts are joined twice."""
    for name in ("first", "again"):
        shutil.copytree(folder / "first", tmp_path / name)
    assert warned(tmp_path, "first") == []
    shutil.copytree(folder / "second", tmp_path / "second")
    [text] = warned(tmp_path, "first")
    assert "1 other study " in text


def test_links_unfinished_and_broken_folders_are_no_studies(folder, tmp_path):
    shutil.copytree(folder / "second", tmp_path / "second")
    os.symlink(folder / "first", tmp_path / "link")
    shutil.copytree(folder / "first", tmp_path / "unfinished")
    (tmp_path / "unfinished/results.json").unlink()
    shutil.copytree(folder / "first", tmp_path / "broken")
    (tmp_path / "broken/data.json").write_text("{")
    (tmp_path / "a file").write_text("x")
    assert warned(tmp_path, "second") == []
    shutil.copytree(folder / "first", tmp_path / "third")
    assert json.loads((tmp_path / "third/data.json").read_text())["values"]
    assert len(warned(tmp_path, "second")) == 1
