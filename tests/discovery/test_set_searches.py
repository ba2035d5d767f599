"""Searches for sets: what they find is what the search itself finds, with names, in files."""

from __future__ import annotations

import csv
import json
import re
from dataclasses import replace
from xml.etree import ElementTree

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from common.examples import settings
from common.studies import make_data
from common.typed import faults
from tamis._core.errors import DataError, PlanError
from tamis._core.streams import generator
from tamis.data import Dataset, EqualFrequencyDiscretizer, make_planted_interaction
from tamis.discovery import find_interactions, open_interactions
from tamis.discovery.folder import InteractionFolder
from tamis.discovery.random_intersection_trees import interval_words, items_of
from tamis.discovery.schema import SetsResult
from tamis.interactions import IterativeForest, random_intersection_trees, search_pairs

FEW = {"n_estimators": 20, "n_bootstraps": 5, "n_trees": 50, "n_permutations": 3, "level": 0.25}


@pytest.fixture(scope="module")
def planted():
    return make_planted_interaction(n_per_class=60, n_features=30, order=2)


@pytest.fixture(scope="module")
def mixed():
    """Zeros and ones, a category of three, a number, all with gaps."""
    rng = np.random.default_rng(0)
    y = np.array(["a", "b"])[np.arange(120) % 2]
    X = np.column_stack(
        [(rng.random((120, 4)) < 0.5), rng.integers(0, 3, 120), rng.normal(size=120)]
    ).astype(float)
    X[y == "a", 4], X[y == "a", 5] = 2, X[y == "a", 5] + 3
    X[::10, 4], X[1::10, 5], X[2::10, 0] = np.nan, np.nan, np.nan
    names = ("w", "x", "y", "z", "colour", "height")
    return Dataset(X, y, names, levels={4: ("red", "green", "blue")}, name="mixed", target="class")


@pytest.fixture(scope="module")
def noise():
    rng = np.random.default_rng(4)
    X = (rng.random((60, 40)) < 0.3).astype(float)
    return Dataset(X, np.array(["a", "b"] * 30), tuple(f"x{j}" for j in range(40)), name="noise")


def rows_of(folder, name):
    with open(folder / name, encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


METHODS = {"rit": {}, "irf": FEW, "pairs": {}}


@pytest.fixture(scope="module", params=METHODS)
def found(request, planted, tmp_path_factory):
    """(method, result, folder)."""
    folder = tmp_path_factory.mktemp(request.param) / "o"
    made = find_interactions(planted, folder, method=request.param, **METHODS[request.param])
    return request.param, made.to_dict(), folder


def test_a_result_is_of_its_types_and_as_written(found):
    method, content, folder = found
    assert list(faults(content, SetsResult)) == []
    assert json.loads((folder / "interactions.json").read_text()) == content
    assert open_interactions(folder).to_dict() == content
    assert content["method"] == method
    assert content["sets"]["sets"]


def test_the_planted_pair_is_first_and_passes(found):
    method, content, _ = found
    sets = [{part["feature"] for part in one["parts"]} for one in content["sets"]["sets"]]
    if method == "irf":  # a small forest: among the first, perhaps with a third
        assert any({"S1_1", "S1_2"} <= one for one in sets[:5])
    else:
        assert sets[0] == {"S1_1", "S1_2"}
        assert content["sets"]["sets"][0]["passes"]
        assert content["permutation"] == {"p_value": 0.05, "n": 19, "least": 0.05}


def test_files_agree_with_the_result(found):
    _, content, folder = found
    ranking = content["sets"]
    rows = rows_of(folder, "sets.csv")
    assert len(rows) == ranking["n_written"] <= ranking["n_sets"]
    assert len(ranking["sets"]) == min(len(rows), 300)
    for row, one in zip(rows, ranking["sets"], strict=False):
        assert row["set"].count(" + ") == len(one["parts"]) - 1 == int(row["order"]) - 1
        assert {k: float(row[k]) for k in one["numbers"]} == one["numbers"]
        assert row["passes"] == ("yes" if one["passes"] else "no")
    features = rows_of(folder, "features.csv")
    assert len(features) == 30
    inside = [part.split(" ")[0] for row in rows for part in row["set"].split(" + ")]
    assert {row["name"]: int(row["sets"]) for row in features} == {
        row["name"]: inside.count(row["name"]) for row in features
    }
    kept = {part["feature"] for one in ranking["sets"] if one["passes"] for part in one["parts"]}
    assert {row["name"] for row in features if row["kept"] == "yes"} == kept
    assert {f["name"] for f in content["graph"]["features"] if f["selected"]} == kept
    edges = rows_of(folder, "edges.csv")
    assert [(e["source"], e["target"]) for e in edges] == [
        (e["source"], e["target"]) for e in content["graph"]["edges"]
    ]
    graph = ElementTree.parse(folder / "graph.graphml")
    assert graph.find(".//{*}graph").get("edgedefault") == "undirected"
    assert len(graph.findall(".//{*}edge")) == len(edges)


def test_rit_is_the_search_itself(planted, tmp_path):
    ours = find_interactions(planted, tmp_path / "o", method="rit", seed=3).to_dict()["sets"]
    its = random_intersection_trees(planted.X, planted.y, random_state=3)
    assert len(its) == len(ours["sets"])
    for s, one in enumerate(ours["sets"]):
        names = [planted.feature_names[j] for j in its.columns[s]]
        assert [part["feature"] for part in one["parts"]] == names
        assert one["label"] == its.classes[its.origin[s]]
        assert one["numbers"]["difference"] == its.difference[s]
        assert (one["numbers"]["p"], one["numbers"]["q"]) == (its.p_value[s], its.q_value[s])
        assert one["numbers"]["stability"] == its.stability[s]
        assert one["passes"] is bool(its.p_value[s] <= 0.05)
    np.testing.assert_array_equal(np.array(ours["maxima"], dtype=float), its.maxima)


def test_pairs_is_the_search_itself(mixed, tmp_path):
    ours = find_interactions(mixed, tmp_path / "o", method="pairs", seed=3, by="score").to_dict()
    its = search_pairs(mixed.X, mixed.y, categorical_features=[4], random_state=3, by="score")
    names = [tuple(mixed.feature_names[j] for j in pair) for pair in its.terms]
    assert [tuple(p["feature"] for p in s["parts"]) for s in ours["sets"]["sets"]] == names
    assert [s["numbers"]["score"] for s in ours["sets"]["sets"]] == its.score.tolist()
    assert [s["numbers"]["p"] for s in ours["sets"]["sets"]] == its.family_p.tolist()
    assert ours["sets"]["n_sets"] == 15
    assert ours["sets"]["threshold"] == its.threshold


def test_irf_is_the_forest_itself_and_permuted_runs_are_whole_forests(planted, tmp_path):
    ours = find_interactions(planted, tmp_path / "o", method="irf", seed=3, **FEW).to_dict()
    few = {k: v for k, v in FEW.items() if k not in ("n_permutations", "level")}
    seed = int(generator(3, "iterative forest", "observed").integers(2**31))
    its = IterativeForest(**few, random_state=seed).fit(planted.X, planted.codes).interactions_
    assert [s["numbers"]["difference"] for s in ours["sets"]["sets"]] == its.difference.tolist()
    rng = generator(3, "iterative forest", "permuted", 1)
    y = rng.permutation(planted.codes)
    other = IterativeForest(**few, random_state=int(rng.integers(2**31))).fit(planted.X, y)
    largest = other.interactions_.difference.max() if len(other.interactions_) else None
    assert ours["sets"]["maxima"][1] == largest
    reached = [-1 if v is None else v for v in ours["sets"]["maxima"]]
    for one in ours["sets"]["sets"]:
        beyond = sum(v >= one["numbers"]["difference"] - 1e-12 for v in reached)
        assert one["numbers"]["p"] == pytest.approx((1 + beyond) / 4)


def test_irf_goes_on_after_the_last_run(planted, tmp_path, monkeypatch):
    folder = tmp_path / "o"
    with monkeypatch.context() as kept:
        kept.setattr(InteractionFolder, "drop_runs", lambda self: None)
        content = find_interactions(planted, folder, method="irf", **FEW).to_dict()
    (folder / "interactions.json").unlink()
    runs = [folder / "runs" / f"{k}.json" for k in range(3)]
    made = json.loads(runs[0].read_text())
    runs[0].write_text(json.dumps({**made, "largest": 0.875}))
    runs[1].write_text('{"made_of": "something else", "largest": 0.5}')
    runs[2].write_text('{"made_of":')
    again = find_interactions(planted, folder, method="irf", if_exists="resume", **FEW).to_dict()
    assert again["sets"]["maxima"] == [0.875, *content["sets"]["maxima"][1:]]
    assert not (folder / "runs").exists()


@pytest.mark.longer
@pytest.mark.parametrize("method", METHODS)
def test_the_same_bytes_for_any_number_of_threads(planted, tmp_path, method):
    folders = []
    for n_jobs in (1, 2):
        folders.append(tmp_path / str(n_jobs))
        find_interactions(planted, folders[-1], method=method, n_jobs=n_jobs, **METHODS[method])
    for file in sorted(folders[0].iterdir()):
        assert file.read_bytes() == (folders[1] / file.name).read_bytes(), file.name


def test_items_are_what_rows_hold(mixed):
    items = items_of(mixed, "equal_frequency", 3, signed=False)
    said = [f"{mixed.feature_names[j]} {v}" for j, v in items.said]
    assert said[:7] == ["w ", "x ", "y ", "z ", "colour = red", "colour = green", "colour = blue"]
    assert [s.split()[0] for s in said[7:]] == ["height"] * 3
    X = mixed.X
    np.testing.assert_array_equal(items.X[:, 0], X[:, 0] == 1)
    np.testing.assert_array_equal(items.X[:, 6], X[:, 4] == 2)
    assert not items.X[np.isnan(X[:, 4])][:, 4:7].any()
    assert not items.X[np.isnan(X[:, 5])][:, 7:].any()
    assert (items.X[~np.isnan(X[:, 5])][:, 7:].sum(axis=1) == 1).all()
    limits = [float(v) for v in items.said[8][1].split(" to ")]
    held = X[items.X[:, 8], 5]
    assert limits[0] * 0.999 <= held.min() <= held.max() <= limits[1] * 1.001
    assert items.cut
    low = items_of(mixed, "equal_width", 3, signed=True)
    np.testing.assert_array_equal(low.X[:, 0], X[:, 0] == 0)
    assert [v for _, v in low.said[:2]] == ["= 0", "= 1"]


@given(st.lists(st.floats(-1e6, 1e6), min_size=2, max_size=30), st.integers(2, 5))
@settings(max_examples=100, deadline=None)
def test_words_of_intervals_put_every_value_where_the_cuts_do(values, bins):
    x = np.array(values)
    cuts = EqualFrequencyDiscretizer(bins).fit(x[:, None]).cuts_[0]
    if not len(cuts):
        return
    words = interval_words(cuts, x)
    limits = [(-np.inf, float(words[0][3:]))]
    limits += [tuple(map(float, one.split(" to "))) for one in words[1:-1]]
    limits += [(float(words[-1][2:]), np.inf)]
    for value, place in zip(x, np.searchsorted(cuts, x, side="left"), strict=True):
        assert [low < value <= high for low, high in limits].index(True) == place
        assert sum(low < value <= high for low, high in limits) == 1


def test_what_all_rows_share_is_no_item(mixed):
    X = mixed.X.copy()
    X[:, 1], X[:, 2] = 1, 0
    items = items_of(replace(mixed, X=X), "equal_frequency", 3, signed=True)
    assert not {j for j, _ in items.said} & {1, 2}
    flat = Dataset(np.ones((4, 2)), np.array(list("abab")), ("u", "v"), name="flat")
    with pytest.raises(DataError, match="nothing that some rows share and others do not"):
        items_of(flat, None, 3, signed=False)


def test_a_set_names_levels_and_intervals(mixed, tmp_path):
    found = find_interactions(
        mixed, tmp_path / "o", method="rit", discretizer="equal_frequency", theta=0.4, theta_out=0.3
    )
    best = found.to_dict()["sets"]["sets"][0]
    assert {part["feature"] for part in best["parts"]} == {"colour", "height"}
    assert {p["feature"]: p["value"] for p in best["parts"]}["colour"] == "= blue"
    rows = (mixed.X[:, 4] == 2) & items_of(mixed, "equal_frequency", 3, False).X[:, -1]
    assert best["numbers"]["samples"] == (rows & (mixed.y == "a")).sum()


@pytest.mark.parametrize("signed", [True, False])
def test_sets_of_forests_are_of_distinct_features_and_say_levels(mixed, tmp_path, signed):
    """A category of three levels is three columns of the forest, and one feature."""
    X = mixed.X.copy()
    X[:, 3] = mixed.codes ^ (np.arange(120) % 7 == 0)
    data = replace(mixed, X=X, levels={3: ("no", "yes"), 4: mixed.levels[4]})
    more = {**FEW, "signed": signed, "n_estimators": 40}
    content = find_interactions(data, tmp_path / "o", method="irf", **more).to_dict()
    sets = content["sets"]["sets"]
    assert sets
    for one in sets:
        assert len({part["feature"] for part in one["parts"]}) >= 2
    values = {(p["feature"], p["value"]) for one in sets for p in one["parts"]}
    levels = ("red", "green", "blue")
    colours = {f"{word} {c}" for word in ("=", "not") for c in levels}
    allowed = {"z": {"= no", "= yes"}, "colour": colours, "": {"high", "low"}}
    if not signed:
        allowed = {"z": {""}, "colour": {f"({c} or not)" for c in levels}, "": {""}}
    for feature, value in values:
        assert value in allowed.get(feature, allowed[""])
    assert "colour" in {feature for feature, _ in values}
    words = "a signed iterative" if signed else "an iterative"
    assert words in content["text"]


def test_a_single_feature_of_many_levels_is_no_set(tmp_path):
    """The forest asks for two levels of it one below the other, which it takes for two features."""
    rng = np.random.default_rng(1)
    colour = np.arange(120) % 4
    y = np.array(["a", "b"])[colour // 2]
    data = Dataset(
        np.column_stack([colour, rng.random(120)]),
        y,
        ("colour", "x"),
        levels={0: tuple("rgby")},
        name="one",
    )
    few = {k: v for k, v in FEW.items() if k not in ("n_permutations", "level")}
    seed = int(generator(0, "iterative forest", "observed").integers(2**31))
    spread = np.column_stack([*(colour == k for k in range(4)), data.X[:, 1]]).astype(float)
    plain = IterativeForest(**few, random_state=seed).fit(spread, data.codes).interactions_
    assert any(max(columns) < 4 for columns in plain.columns)
    content = find_interactions(data, tmp_path / "o", method="irf", **FEW).to_dict()
    sets = content["sets"]["sets"]
    assert len(sets) == sum(max(columns) == 4 for columns in plain.columns)
    assert all({p["feature"] for p in one["parts"]} == {"colour", "x"} for one in sets)


@pytest.mark.parametrize("method", METHODS)
def test_three_classes(mixed, tmp_path, method):
    y = np.array(["a", "b", "c"])[np.arange(120) % 3]
    X = np.where(np.isnan(mixed.X), 0.0, mixed.X)
    X[y == "b", 0] = X[y == "b", 1] = 1
    data = replace(mixed, X=X, y=y, classes=("a", "b", "c"))
    more = {
        "rit": {"discretizer": "equal_width", "theta": 0.5, "theta_out": 0.6},
        "pairs": {"by": "score"},
    }
    content = find_interactions(
        data, tmp_path / "o", method=method, **{**METHODS[method], **more.get(method, {})}
    ).to_dict()
    labels = {one["label"] for one in content["sets"]["sets"]}
    if method == "pairs":
        assert labels <= {"a / b", "a / c", "b / c"}
    else:
        assert labels <= {"a", "b", "c"}
    best = content["sets"]["sets"][0]
    assert {"w", "x"} <= {part["feature"] for part in best["parts"]}
    if method == "rit":
        assert best["label"] == "b"
        rows = X[:, 0] * X[:, 1] == 1
        shares = [rows[y == c].mean() for c in "ac"]
        assert best["numbers"]["others"] <= max(shares) + 1e-12


def test_passing_is_exceeding_the_threshold(planted, tmp_path):
    """Also where permuted runs find no set, and where sets are rarer in their own class."""
    for k, more in enumerate(({}, {"theta": 0.2, "theta_out": 0.9}, {"theta": 0.3})):
        ranking = find_interactions(
            planted, tmp_path / str(k), method="rit", n_permutations=9, level=0.1, **more
        ).to_dict()["sets"]
        limit = -np.inf if ranking["threshold"] is None else ranking["threshold"]
        for one in ranking["sets"]:
            assert one["passes"] == (one["numbers"]["difference"] > limit + 1e-12)


def test_more_than_are_kept_may_pass(planted, tmp_path):
    found = find_interactions(planted, tmp_path / "o", method="pairs", by="score", keep=1)
    ranking = found.to_dict()["sets"]
    assert (ranking["n_sets"], ranking["n_written"], ranking["n_passing"]) == (435, 1, 1)
    assert found.to_dict()["headline"][0].startswith("1 or more of 435 pairs")
    assert "found    1 or more of 435 pairs" in found.summary()


def test_the_headline_says_the_rate_that_is_attained(planted, tmp_path):
    more = {"level": 0.05, "n_permutations": 38, "n_bootstraps": 0, "n_trees": 20}
    found = find_interactions(planted, tmp_path / "o", method="rit", **more)
    assert "at most 2.56% of analyses" in found.to_dict()["headline"][0]


def test_the_fewest_runs_for_a_level_and_large_seeds(planted, tmp_path):
    more = {"n_trees": 10, "n_bootstraps": 0, "theta": 0.3, "theta_out": (0.3, 0.3)}
    call = {"method": "rit", "level": 0.02, "seed": 2**32, **more}
    first = find_interactions(planted, tmp_path / "o", **call).to_dict()
    assert len(first["sets"]["maxima"]) == 49
    assert find_interactions(planted, tmp_path / "o", if_exists="resume", **call).to_dict() == first
    find_interactions(planted, tmp_path / "f", method="irf", seed=2**32, **FEW)


def test_nearest_settings_name_features_and_not_items(mixed, tmp_path):
    found = find_interactions(
        mixed,
        tmp_path / "o",
        method="rit",
        discretizer="equal_width",
        theta=1,
        theta_out=0,
        min_size=3,
    )
    said = found.to_dict()["headline"][0]
    assert "'colour = blue'" in said or "'height" in said
    assert not re.search(r"'x\d+'", said)


@pytest.mark.parametrize(
    ("method", "more", "says"),
    [
        ("rit", {}, "discretizer='equal_frequency', which cuts"),
        ("rit", {"discretizer": "mdl"}, "discretizer='mdl': choose from 'equal_frequency'"),
        ("rit", {"theta": 2}, "theta=2"),
        ("rit", {"m": 3}, "unknown setting 'm' of rit"),
        ("rit", {"level": 0.01, "n_permutations": 19}, "=19: level=0.01 needs .* at least 99"),
        ("irf", {"stability": 0}, "stability=0"),
        ("irf", {"max_features": 61}, "max_features=61"),
        ("pairs", {"by": "best"}, "by='best'"),
        ("pairs", {"bins": 50}, "bins=50: give at most 20"),
        ("pairs", {"best": 1}, "best=1"),
        ("trees", {}, "method='trees'"),
    ],
)
def test_what_it_refuses_in_one_line_before_it_makes_a_folder(tmp_path, method, more, says):
    with pytest.raises((PlanError, DataError), match=says) as caught:
        find_interactions(make_data(), tmp_path / "o", method=method, **more)
    assert "\n" not in str(caught.value)
    assert not (tmp_path / "o").exists()


def test_categories_of_many_levels_are_no_pairs(tmp_path):
    levels = tuple(f"l{k}" for k in range(25))
    X = np.column_stack([np.arange(50) % 25, np.arange(50) % 3])
    data = Dataset(X.astype(float), np.array(["a", "b"] * 25), ("many", "few"), levels={0: levels})
    with pytest.raises(DataError, match="'many' has 25 levels"):
        find_interactions(data, tmp_path / "o", method="pairs")


def test_an_empty_answer_says_why_and_what_would_not_be(noise, tmp_path):
    found = find_interactions(noise, tmp_path / "o", method="rit", theta=1.0, theta_out=0.0)
    content = found.to_dict()
    assert content["sets"]["sets"] == content["graph"]["features"] == []
    assert re.match(r"No set was found: no set is in theta=1 .* theta=0\.", content["headline"][0])
    assert content["headline"][0] in found.summary()
    assert rows_of(tmp_path / "o", "sets.csv") == []
    again = re.findall(r"theta(?:_out)?=([\d.]+)", content["headline"][0])[-2:]
    theta, theta_out = (float(value.rstrip(".")) for value in again)
    more = {"theta": theta - 1e-3, "theta_out": theta_out + 1e-3}
    other = find_interactions(noise, tmp_path / "k", method="rit", **more).to_dict()
    assert other["sets"]["n_sets"] > 0


def test_noise_comes_with_a_warning(noise, tmp_path):
    content = find_interactions(noise, tmp_path / "o", method="pairs").to_dict()
    assert content["sets"]["n_passing"] == 0
    assert any("treat the list as noise" in remark for remark in content["remarks"])


def test_gaps_that_tell_the_classes_are_remarked_on(planted, tmp_path):
    X = planted.X.copy()
    X[planted.y == "control", -1] = np.nan  # one of the planted
    content = find_interactions(
        replace(planted, X=X), tmp_path / "o", method="rit", theta=0.3, theta_out=0.2
    ).to_dict()
    assert any("more often in one class than in another: 'S1_2'" in r for r in content["remarks"])
    plain = find_interactions(planted, tmp_path / "k", method="rit").to_dict()
    assert not any("Missing much more often" in remark for remark in plain["remarks"])


def test_numbers_that_forests_cannot_hold_are_refused(planted, tmp_path):
    X = planted.X.copy()
    X[0, 4] = 1e40
    with pytest.raises(DataError, match=f"'{planted.feature_names[4]}' holds 1e.40: forests take"):
        find_interactions(replace(planted, X=X), tmp_path / "o", method="irf")
    assert not (tmp_path / "o").exists()


def test_the_parts_of_a_set_are_there_whatever_its_names(mixed, tmp_path):
    odd = replace(mixed, levels={4: ("red", "x + b = y", "blue")})
    more = {"discretizer": "equal_width", "theta": 0.3, "theta_out": 0.9}
    content = find_interactions(odd, tmp_path / "o", method="rit", **more).to_dict()
    rows = rows_of(tmp_path / "o", "sets.csv")
    for row, one in zip(rows, content["sets"]["sets"], strict=False):
        assert json.loads(row["parts"]) == [[p["feature"], p["value"]] for p in one["parts"]]


def test_sets_that_do_not_come_again_are_remarked_on(planted, tmp_path):
    rng = np.random.default_rng(0)
    X = np.column_stack(
        [rng.random((120, 4)) < 0.5, rng.integers(0, 3, 120), rng.normal(size=120)]
    ).astype(float)
    data = Dataset(X, np.array(["a", "b"] * 60), tuple("vwxych"), levels={4: tuple("rgb")})
    more = {"theta": 0.1, "theta_out": 0.9, "min_size": 3, "discretizer": "equal_width"}
    content = find_interactions(data, tmp_path / "o", method="rit", **more).to_dict()
    best = max(one["numbers"]["stability"] for one in content["sets"]["sets"][:10])
    assert best < 0.5
    assert any(f"more than {best:.0%} of bootstrap" in remark for remark in content["remarks"])
    stable = find_interactions(planted, tmp_path / "k", method="rit").to_dict()
    assert stable["sets"]["sets"][0]["numbers"]["stability"] >= 0.5
    assert not any("came again" in remark for remark in stable["remarks"])
