"""`find_interactions`: what it refuses, what it remarks, and that its parts agree."""

from __future__ import annotations

from dataclasses import replace
from inspect import Parameter

import numpy as np
import pandas as pd
import pytest

from common.studies import make_data
from tamis._core.errors import DataError, PlanError, StoreError
from tamis._core.registry import find_row
from tamis._core.rows import SearchRow
from tamis.data import make_mcfs_toy
from tamis.discovery import find_interactions, open_interactions, search
from tamis.selection import MonteCarloSelector

QUICK = {"s": 60, "t": 2, "second_stage": 8, "meetings": 20}


@pytest.fixture(scope="module")
def toy():
    return make_mcfs_toy(n_noise=14)


def test_it_is_the_selector_with_names(toy, tmp_path):
    found = find_interactions(toy, tmp_path / "o", seed=4, **QUICK).to_dict()
    selector = MonteCarloSelector(
        **QUICK, categorical_features=sorted(toy.levels), random_state=4
    ).fit(toy.X, toy.y)
    names = toy.feature_names
    assert [f["name"] for f in found["ranking"]["features"]] == [
        names[j] for j in np.argsort(selector.ranking_)
    ]
    for mine, its in zip(
        found["ranking"]["features"], selector.result_.to_dict()["features"], strict=True
    ):
        assert {**mine, "name": ""} == {**its, "name": ""}
    edges = [(e["source"], e["target"], e["weight"]) for e in found["graph"]["edges"]]
    its_edges = [
        (names[int(e["source"][1:])], names[int(e["target"][1:])], e["weight"])
        for e in selector.graph_.to_dict()["edges"]
    ]
    assert edges == its_edges
    assert found["rules"]["n_rules"] == len(selector.rules_.rules)
    family = selector.family_p_values_.min()
    assert found["permutation"] == {"p_value": family, "n": 19, "least": 1 / 20}
    first = list(found["ranking"]["features"][0])
    assert first.index("family_p_value") < first.index("p_value")


@pytest.mark.parametrize(("seed", "n"), [(0, 19), (1, 39)])
def test_the_summary_leads_with_the_family_p(tmp_path, seed, n):
    """Also where nothing is kept; without permuted runs there is none."""
    noise = make_data(seed=seed, p=30, informative=0)
    found = find_interactions(noise, tmp_path / "o", n_permutations=n, **QUICK)
    test = found.to_dict()["permutation"]
    assert (test["n"], test["least"]) == (n, 1 / (n + 1))
    least = ": the least possible" if test["p_value"] <= test["least"] else ""
    said = f"  p        {test['p_value']:.2g}, {n} permuted runs{least} (family p"
    assert found.summary().splitlines()[1].startswith(said)
    bare = find_interactions(noise, tmp_path / "k", cutoff="kmeans", **QUICK)
    assert bare.to_dict()["permutation"] is None
    assert bare.summary().splitlines()[1].startswith("  kept ")


def test_the_frame_has_every_feature_whatever_its_name(toy, tmp_path):
    odd = ("NA", "null", "", *toy.feature_names[3:])
    found = find_interactions(replace(toy, feature_names=odd), tmp_path / "o", **QUICK)
    frame = found.frame()
    assert len(frame) == 20
    best = [f["name"] for f in found.to_dict()["ranking"]["features"]]
    assert frame["name"].fillna("").tolist() == best
    assert set(odd) == set(best)
    assert found.summary().count("\n") > 8


@pytest.mark.parametrize(
    ("more", "says"),
    [
        ({"m": 21}, "there are 20 features"),
        ({"m": 1}, "give at least 2"),
        ({"tops": 3}, "unknown setting 'tops'"),
        ({"cutoff": "meen"}, "did you mean 'mean'?"),
        ({"max_ancestors": 0}, "max_ancestors=0"),
        ({"u": -1}, "u=-1"),
        ({"n_permutations": 3}, "at least 19"),
        ({"seed": -1}, "seed=-1"),
    ],
)
def test_settings_are_refused_before_a_folder_is_made(toy, tmp_path, more, says):
    with pytest.raises(PlanError) as error:
        find_interactions(toy, tmp_path / "o", **{**QUICK, **more})
    assert says in str(error.value)
    assert not (tmp_path / "o").exists()


@pytest.mark.parametrize(
    ("method", "says"),
    [
        ("mcsf", "method='mcsf': did you mean 'mcfs'?"),
        (3, "method=3: choose from"),
        ("own:SEARCH", "method='own:SEARCH': choose from"),
        (["pairs"], "method=['pairs']: "),
    ],
)
def test_an_unknown_method_is_told_as_it_was_given(toy, tmp_path, method, says):
    with pytest.raises(PlanError) as error:
        find_interactions(toy, tmp_path / "o", method=method)
    assert str(error.value).startswith(says)


def test_a_search_without_a_default_is_refused():
    row = find_row("pairs", SearchRow).load()
    settings = (replace(row.settings[0], default=Parameter.empty), *row.settings[1:])
    with pytest.raises(PlanError, match=f"setting '{settings[0].name}' of a search has no default"):
        replace(row, given=settings)


def test_data_are_refused_before_a_folder_is_made(toy, tmp_path):
    made = make_data(n=20, p=4)
    alone = replace(made, y=np.array([*made.y[:-1], "c"]), classes=("a", "b", "c"))
    for data, kind, says in (
        (replace(made, covariates=(0,)), PlanError, "without covariates"),
        (replace(made, groups=made.y), PlanError, "groups"),
        (replace(made, y=None), DataError, "no class column"),
        (alone, DataError, "one sample only of 'c'"),
        (replace(made, X=np.ones((20, 4))), DataError, "constant"),
    ):
        with pytest.raises(kind, match=says):
            find_interactions(data, tmp_path / "o", **QUICK)
    assert not (tmp_path / "o").exists()


def test_other_versions_are_refused_under_resume(toy, tmp_path, monkeypatch):
    find_interactions(toy, tmp_path / "o", **QUICK)
    found = search.library_versions()
    monkeypatch.setattr(search, "library_versions", lambda: {**found, "numpy": "0.1"})
    with pytest.raises(StoreError, match="another version of numpy"):
        find_interactions(toy, tmp_path / "o", if_exists="resume", **QUICK)


def test_a_failed_write_loses_no_run(toy, tmp_path, monkeypatch):
    """The disk is full after ten runs; then it goes on after the ninth."""
    import os

    whole = find_interactions(toy, tmp_path / "whole", **QUICK)
    real, calls = os.fsync, []

    def full(handle):
        calls.append(handle)
        if len(calls) == 11:
            raise OSError(28, "No space left on device")
        return real(handle)

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(StoreError, match="No space left on device"):
        find_interactions(toy, tmp_path / "o", **QUICK)
    assert len(list((tmp_path / "o" / "runs").iterdir())) == 9
    again = find_interactions(toy, tmp_path / "o", if_exists="resume", **QUICK)
    assert again.to_dict() == whole.to_dict()
    for path in (tmp_path / "whole").iterdir():
        assert path.read_bytes() == (tmp_path / "o" / path.name).read_bytes()
    assert not (tmp_path / "o" / "runs").exists()


def test_files_of_others_in_the_runs_folder_stay(toy, tmp_path):
    find_interactions(toy, tmp_path / "o", **QUICK)
    (tmp_path / "o" / "runs").mkdir()
    (tmp_path / "o" / "runs" / "thesis.txt").write_text("kept")
    find_interactions(toy, tmp_path / "o", if_exists="resume", **QUICK)
    assert (tmp_path / "o" / "runs" / "thesis.txt").read_text() == "kept"


def test_a_finished_folder_is_opened_as_it_was_found(toy, tmp_path):
    found = find_interactions(toy, tmp_path / "o", **QUICK)
    opened = open_interactions(tmp_path / "o")
    assert opened.to_dict() == found.to_dict()
    assert opened.summary() == found.summary()
    pd.testing.assert_frame_equal(opened.frame(), found.frame())


@pytest.mark.parametrize(
    ("file", "text", "message"),
    [
        ("interactions.json", None, "no finished search in .*: run .* with --resume"),
        ("rules.csv", None, "no finished search in .*: run .* with --resume"),
        ("interactions.json", '{"schema": 2}', "names no search"),
        ("interactions.json", '{"schema": 1}', "schema 1; this one reads 2.*`tamis interact`"),
        ("interactions.json", '{"schema": ', "is not readable JSON"),
        ("interactions.json", "[]", "is not of `tamis interact`"),
    ],
)
def test_what_cannot_be_opened_is_said_in_one_line(toy, tmp_path, file, text, message):
    find_interactions(toy, tmp_path / "o", **QUICK)
    (tmp_path / "o" / file).unlink() if text is None else (tmp_path / "o" / file).write_text(text)
    with pytest.raises(StoreError, match=message) as error:
        open_interactions(tmp_path / "o")
    assert "\n" not in str(error.value)


def test_other_folders_are_no_search(tmp_path):
    for folder in (tmp_path, tmp_path / "none"):
        with pytest.raises(StoreError, match="not the folder of `tamis interact`"):
            open_interactions(folder)


def remarks(data, folder, **more):
    return " ".join(find_interactions(data, folder, **{**QUICK, **more}).to_dict()["remarks"])


def test_remarks_say_what_is_so_and_nothing_else(tmp_path):
    rng = np.random.default_rng(0)
    data = make_data(n=60, p=10, shift=3.0)
    data.X[:, 0] += rng.normal(size=60) * 2  # or one split would do, and the graph have no edge
    data.X[:, 1] += rng.normal(size=60) * 2
    plain = remarks(data, tmp_path / "plain", s=400)
    assert plain == ""
    assert "'kmeans' is no test" in remarks(data, tmp_path / "a", s=400, cutoff="kmeans")
    assert "no second stage" in remarks(data, tmp_path / "b", s=400, second_stage=0)
    assert "approximate" in remarks(data, tmp_path / "c", s=400, projections="auto")
    assert "importance is rough" in remarks(data, tmp_path / "d", s=40)
    X = data.X.copy()
    X[rng.random(60) < 0.3, 0] = np.nan
    X[:, 9] = 1
    X[:, 1] = np.where(data.y == "a", 0, 6) + rng.integers(0, 6, 60)
    odd = replace(data, X=X, levels={1: tuple("abcdefghijkl")})
    found = remarks(odd, tmp_path / "e", s=400)
    assert "20% missing in 'g0'" in found
    assert "10 levels in 'g1'" in found
    assert "1 feature with one value only" in found
    assert "of few values stand beside numbers of many" in found
    y = np.where(np.arange(60) < 6, "a", "b")
    found = remarks(replace(data, X=rng.normal(size=(60, 10)), y=y), tmp_path / "f", s=400)
    assert "Fewer than 10 samples in 'a' (6)." in found
    assert "more than 2 times as many samples" in found
