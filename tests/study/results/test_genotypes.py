"""What a study of genotypes tells more than one of a matrix."""

from __future__ import annotations

import io
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from common.genotype_study import BAD, CHROMOSOMES, FILTER, LDA, PLAN, P, studied
from common.studies import make_data
from common.typed import faults
from tamis.metrics import nadeau_bengio
from tamis.preparation.genotype_quality import GenotypeQuality
from tamis.study import run_study
from tamis.study.results import places
from tamis.study.results.feature_table import FeatureTable
from tamis.study.results.schema import StudyContent


@pytest.fixture(scope="module")
def found(tmp_path_factory):
    folder = tmp_path_factory.mktemp("genotypes")
    data, result = studied(folder)
    tables = {
        path.stem: pd.read_csv(io.StringIO(path.read_text()), sep="\t", dtype={"chromosome": str})
        for path in (folder / "study" / "tables").glob("*.tsv")
    }
    return data, result.to_dict(), tables


def chosen_in(tables, who):
    """Names chosen in each outer fold."""
    rows = tables["folds"][tables["folds"]["procedure"] == who]
    return [set(names.split(";")) for names in rows["features"]]


def test_it_is_of_its_types(found):
    assert list(faults(found[1], StudyContent)) == []


def test_places_are_those_of_all_that_was_chosen(found):
    _, content, tables = found
    told = content["places"]
    of = told["features"]
    procedures = ["headline", *(m["name"] for m in content["methods"])]
    ever = set().union(*(fold for who in procedures for fold in chosen_in(tables, who)))
    assert set(of["name"]) == ever | set(content["final"]["features"])
    assert told["n_chosen"] == len(of["name"])
    assert of["frequency"] == sorted(of["frequency"], reverse=True)
    folds = chosen_in(tables, "filtered")
    assert of["by_method"]["filtered"] == [np.mean([n in f for f in folds]) for n in of["name"]]
    for name, chromosome, position in zip(
        of["name"], of["chromosome"], of["position"], strict=True
    ):
        j = int(name[1:])
        written = CHROMOSOMES[j]
        own = told["chromosomes"][chromosome]["name"] if chromosome >= 0 else "0"
        assert (own, position) == (written, 100 * j + 1)
    first = content["features"][0]["place"]
    assert (first["counted"], first["other"]) == ("A", "G")


def test_the_table_of_features_tells_places_too(found):
    rows = found[2]["features"].set_index("feature")
    assert rows.loc["v50", ["chromosome", "counted", "other"]].tolist() == ["1", "A", "G"]
    assert rows.loc["v50", "position"] == 5001
    assert rows.loc[["v118", "v119"], ["chromosome", "position"]].isna().all(axis=None)


def test_a_group_is_chosen_where_any_of_it_is(found):
    _, content, tables = found
    folds = chosen_in(tables, "headline")
    for feature in content["features"]:
        group = {feature["name"], *(one["name"] for one in feature["group"])}
        assert feature["group_frequency"] == np.mean([bool(group & fold) for fold in folds])
        assert feature["group_frequency"] >= feature["frequency"]
    linked = {f["name"]: {one["name"] for one in f["group"]} for f in content["features"]}
    assert linked["v0"] == {"v1", "v2"}


def test_what_is_missing_unlike_is_what_was_lost_in_cases(found):
    data, content, tables = found
    told = content["missing_by_class"]
    bad = {f"v{j}" for j in range(BAD.start, BAD.stop)}
    p_values = data.X.missing_p(data.codes)
    order = np.sort(p_values)
    below = np.flatnonzero(order <= 0.05 * np.arange(1, P + 1) / P)
    assert told["largest"] == order[below[-1]]
    unlike = {f"v{j}" for j in np.flatnonzero(p_values <= told["largest"])}
    assert bad <= unlike
    assert told["unlike"] == len(unlike)
    for name, share in told["methods"].items():
        ever = set().union(*chosen_in(tables, name))
        assert share == {"chosen": len(ever), "unlike": len(ever & unlike)}
    by_name = {f["name"]: f["missing_p"] for f in content["features"]}
    assert all(by_name[name] == p_values[int(name[1:])] for name in by_name)


def test_the_pair_is_that_with_the_filter(found):
    data, content, tables = found
    (pair,) = content["filtered"]  # pruning is no filter of quality
    assert (pair["without"], pair["filtered"]) == ("mtd+lda", "filtered")
    predictions = tables["predictions"]
    own = predictions[predictions["procedure"] == "filtered"]
    without = predictions[predictions["procedure"] == "mtd+lda"]
    step = GenotypeQuality(**{k: v for k, v in FILTER.items() if k != "name"})
    place = {name: i for i, name in enumerate(data.sample_names)}
    kept, gaps = [], []
    for fold, rows in own.groupby("fold"):
        train = np.setdiff1d(np.arange(len(data.codes)), [place[s] for s in rows["sample"]])
        kept.append(len(step.choose(data.X, train, data.codes[train])))
        accuracy = [
            np.mean(
                [
                    (part["predicted"] == part["true"])[part["true"] == label].mean()
                    for label in part["true"].unique()
                ]
            )
            for part in (
                rows,
                without[without["fold"] == fold],
            )
        ]
        gaps.append(accuracy[0] - accuracy[1])
    assert pair["kept"] == {
        "least": min(kept),
        "mean": np.mean(kept),
        "most": max(kept),
        "n_parts": 4,
    }
    expected = nadeau_bengio(gaps, 120, 40).to_dict()
    for key, value in pair["differences"]["bcr"].items():
        assert value == pytest.approx(expected[key])
    assert pair["n_kept"] == P - sum(one["n"] for one in pair["left_out"])
    assert [one["reason"] for one in pair["left_out"]] == ["differential missingness"]


def codes_of(content):
    return {one["code"] for one in content["warnings"]}


def test_a_caution_speaks_of_bad_calls_that_no_step_looks_for(found, tmp_path):
    told = found[1]["missing_by_class"]
    share = told["unguarded"]
    speaks = share["unlike"] > 0 and share["unlike"] >= 0.05 * share["chosen"]
    assert ("missing-unlike" in codes_of(found[1])) == speaks
    plain = {**PLAN, "method": [LDA]}
    _, result = studied(tmp_path, plain)
    assert "missing-unlike" in codes_of(result.to_dict())
    assert "filtered" not in result.to_dict()
    (tmp_path / "guarded").mkdir()
    guarded = {**PLAN, "method": [{**LDA, "prepare": [FILTER]}], "describe": False}
    content = studied(tmp_path / "guarded", guarded)[1].to_dict()
    assert content["missing_by_class"]["unguarded"] == {"chosen": 0, "unlike": 0}
    assert "missing-unlike" not in codes_of(content)


def test_a_matrix_tells_nothing_of_it(tmp_path):
    plan = {"method": [{"select": "pearson", "sizes": [2]}], "permutations": 0, "describe": False}
    content = run_study(make_data(), plan, tmp_path / "s").to_dict()
    assert not {"places", "missing_by_class", "filtered"} & set(content)
    assert "place" not in content["features"][0]


@pytest.mark.parametrize("most", [3, 5, 7, 40])
def test_of_too_many_those_that_tie_are_taken_from_end_to_end(monkeypatch, most):
    monkeypatch.setattr(places, "MAX_LISTED_FEATURES", most)
    head = np.repeat([1.0, 0.5, 0.25], [2, 10, 20])
    final = np.zeros(32, dtype=bool)
    table = FeatureTable(np.arange(32), head, {"m": head}, final, {}, head, [])
    kept = places._bounded_places(table.order, table)
    assert len(kept) == min(most, 32)
    assert kept[:2].tolist() == [0, 1]
    assert (np.diff(kept) > 0).all()
    if most == 7:
        assert kept[2:].tolist() == [2, 4, 6, 8, 10]
    again = replace(table, order=np.arange(32)[::-1])
    assert len(places._bounded_places(again.order, again)) == min(most, 32)
