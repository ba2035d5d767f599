"""Finished studies -> a comparison of their methods."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest

from common.comparisons import METHODS, write_studies, write_study
from common.studies import QUICK, make_data
from tamis._core.errors import DataError, PlanError, StoreError
from tamis.metrics import METRICS, compare_methods, nadeau_bengio
from tamis.report import write_comparison
from tamis.study import open_study, run_study
from tamis.study.results.compare import compare_studies, fold_scores
from tamis.study.results.comparison_schema import ReadStudy
from tamis.study.results.sources import read_sources

NAMES = ["headline", *METHODS]


@pytest.fixture(scope="module")
def folders(tmp_path_factory):
    return write_studies(tmp_path_factory.mktemp("studies"))


def test_scores_and_ranks_are_those_of_the_studies(folders):
    found = compare_studies(folders, "auc")
    table = []
    for folder in folders:
        result = json.loads((folder / "results.json").read_text())
        methods = {m["name"]: m["metrics"]["auc"]["mean"] for m in result["methods"]}
        table.append([result["metrics"]["auc"]["mean"], *(methods[m] for m in METHODS)])
    np.testing.assert_array_equal(found.ranks.scores, table)
    expected = compare_methods(table, NAMES, [f"d{i}" for i in range(6)])
    assert found.content["ranks"] == expected.to_dict()
    assert found.frame().shape == (6, 4)
    assert list(found.frame().columns) == NAMES
    assert len(found.content["scores"]) == 24
    assert json.loads(json.dumps(found.to_dict(), allow_nan=False)) == found.to_dict()


def test_fold_scores_are_those_of_a_real_study(tmp_path):
    result = run_study(make_data(classes=("a", "b", "c d")), QUICK, tmp_path / "s", n_jobs=1)
    methods = [m["name"] for m in result.content["methods"]]
    for metric in METRICS:
        scores, held = fold_scores(result, ["headline", *methods], metric)
        assert held == 10
        of_headline = [fold[metric] for fold in result.content["headline"]["folds"]]
        np.testing.assert_allclose(scores["headline"], np.array(of_headline, dtype=float))
        for m in result.content["methods"]:
            known = scores[m["name"]][np.isfinite(scores[m["name"]])]
            if len(known):
                assert known.mean() == pytest.approx(m["per_fold"][metric]["mean"])


def test_a_method_differs_as_its_own_study_says(tmp_path):
    result = run_study(make_data(shift=0.8), QUICK, tmp_path / "a", n_jobs=1)
    run_study(replace(make_data(seed=1), name="other"), QUICK, tmp_path / "b", n_jobs=1)
    found = compare_studies([tmp_path / "a", tmp_path / "b"])
    checked = 0
    for method in result.content["methods"]:
        told = method["difference"]
        if told is None:
            continue
        pair = {method["name"], told["against"]}
        (entry,) = [
            d
            for d in found.content["differences"]
            if d["dataset"] == "made" and {d["first"], d["second"]} == pair
        ]
        sign = 1 if entry["first"] == method["name"] else -1
        assert entry["mean"] == pytest.approx(sign * told["mean"])
        assert entry["p_value"] == pytest.approx(told["p_value"])
        checked += 1
    assert checked == 2


def test_differences_have_the_metrics_own_sign(folders):
    found = compare_studies(folders, "loss")
    assert not found.ranks.higher_is_better
    study = open_study(folders[0], ReadStudy)
    scores, held = fold_scores(study, NAMES, "loss")
    expected = nadeau_bengio(scores["headline"] - scores["mtd"], 40 - held, held).to_dict()
    (entry,) = [
        d
        for d in found.content["differences"]
        if (d["dataset"], d["first"], d["second"]) == ("d0", "headline", "mtd")
    ]
    assert {k: entry[k] for k in expected} == pytest.approx(expected)
    best = found.ranks.names[found.ranks.order[0]]
    assert found.frame()[best].mean() < found.frame()["mtd"].mean()
    worst = found.content["win_loss"]["wins"][NAMES.index("mtd")]
    assert sum(worst) == 0


def test_both_win_loss_tables(folders):
    found = compare_studies(folders)
    assert not found.win_loss.corrected
    assert found.win_loss_corrected.corrected
    assert (found.win_loss_corrected.wins <= found.win_loss.wins).all()
    assert found.win_loss.wins.sum() > 0


def test_methods_in_some_studies_only_are_named_and_left_out(tmp_path):
    one, two = write_studies(tmp_path, 2)
    third = write_study(tmp_path / "z", "z", {"pam": 1.0, "rfs": 1.0}, seed=9)
    found = compare_studies([one, two, third])
    assert list(found.ranks.names) == ["headline", "pam"]
    assert found.ranks.wilcoxon is not None
    assert found.content["left_out"] == [
        {"name": "welch_t", "missing_in": ["z"]},
        {"name": "mtd", "missing_in": ["z"]},
        {"name": "rfs", "missing_in": ["d0", "d1"]},
    ]
    assert "left out: rfs (not in 'd0', 'd1')" in found.summary()
    assert any("other methods in some" in remark for remark in found.content["remarks"])
    alone = write_study(tmp_path / "y", "y", {"genetic": 1.0}, seed=8)
    with pytest.raises(PlanError, match="no method is in all 2 studies"):
        compare_studies([one, alone])


def test_of_one_method_the_headline_is_not_ranked_against_it(tmp_path):
    folders = write_studies(tmp_path, 2, methods={"pam": 1.0, "all": 0.5})
    for folder in folders:
        result = json.loads((folder / "results.json").read_text())
        result["methods"][1]["reference"] = True
        (folder / "results.json").write_text(json.dumps(result))
    found = compare_studies(folders)
    assert list(found.ranks.names) == ["pam", "all"]
    assert [m["name"] for m in found.content["methods"]] == ["pam", "all"]
    assert (
        "headline procedure"
        not in write_comparison(found.to_dict(), tmp_path / "c.html").read_text()
    )


def test_one_method_alone_is_not_ranked_against_itself(tmp_path):
    plan = {**QUICK, "method": QUICK["method"][:1]}
    for seed in (1, 2):
        run_study(replace(make_data(seed), name=f"d{seed}"), plan, tmp_path / str(seed))
    with pytest.raises(PlanError, match=r"one method, \w+, which has nothing .* --plan thorough"):
        compare_studies([tmp_path / "1", tmp_path / "2"])


def test_folds_of_one_sample_have_no_balanced_rate_to_test(tmp_path):
    found = compare_studies(write_studies(tmp_path, 2, n=20, folds=20))
    assert found.win_loss_corrected.undefined
    assert not found.win_loss_corrected.wins.any()
    assert {one["p_value"] for one in found.content["differences"]} == {None}


def test_scores_of_all_samples_are_told_where_some_are_declined(tmp_path):
    one, two = write_studies(tmp_path, 2)
    result = json.loads((two / "results.json").read_text())
    result["headline"]["rejection"] = {"full": {}}
    (two / "results.json").write_text(json.dumps(result))
    said = "\n".join(compare_studies([one, two]).content["remarks"])
    assert "Samples may be declined in 'd1': scores here are of the labels of all samples" in said


def test_sources_by_name_folder_and_path(folders, tmp_path):
    by_name = compare_studies(folders, sources={"d0": "s", "d1": "s"})
    by_path = compare_studies(folders, sources={str(folders[0]): "s", str(folders[1]): "s"})
    assert by_name.to_dict() == by_path.to_dict()
    assert by_name.content["ranks"]["by_source"]["datasets"] == ["s", "d2", "d3", "d4", "d5"]
    with pytest.raises(PlanError, match="'nix', which is none of the studies"):
        compare_studies(folders, sources={"nix": "s"})


def test_sources_as_the_command_has_them(tmp_path):
    path = tmp_path / "sources.tsv"
    path.write_text("dataset\tsource\na\tx\nb\tx\n", encoding="utf-8")
    assert read_sources(["x=a, b"]) == read_sources([str(path)]) == {"a": "x", "b": "x"}
    assert read_sources(["x=a", "y=b"]) == {"a": "x", "b": "y"}
    path.write_text("a\tx\tmore\n", encoding="utf-8")
    for value, says in (
        (str(path), "3 columns"),
        ("x=", "not understood"),
        ("=a", "not under"),
        ("nix.tsv", "cannot read the sources"),
    ):
        with pytest.raises(PlanError, match=says):
            read_sources([value])
    with pytest.raises(PlanError, match="'a' has two sources"):
        read_sources(["x=a", "y=a"])


def test_what_makes_a_comparison_doubtful_is_said(tmp_path):
    one, two = write_studies(tmp_path, 2)
    again = write_study(tmp_path / "again", "again", seed=0, folds=4)  # the digest of d0
    found = compare_studies([one, again, two])
    said = "\n".join(found.content["remarks"])
    assert "'d0', 'again' hold the same data" in said
    assert "differ in the outer split: 5-fold; 4-fold" in said
    assert "With 3 data sets" in said
    path = again / "results.json"
    result = json.loads(path.read_text())
    result["plan"]["method"][1]["sizes"] = [9]
    path.write_text(json.dumps(result))
    said = compare_studies([one, again, two], sources={"d0": "s"}).content["remarks"]
    assert "'pam' is not the same in all studies: sizes differs" in said
    assert compare_studies(write_studies(tmp_path / "ten", 10)).content["remarks"] == []


def test_the_same_name_twice_takes_the_folders(tmp_path):
    a = write_study(tmp_path / "a", "one", seed=0)
    b = write_study(tmp_path / "b", "one", seed=1)
    assert compare_studies([a, b]).ranks.datasets == ("a", "b")


def test_folds_without_a_score_do_not_stop_it(tmp_path):
    """With one positive in each second fold the others have no AUC; all folds together have."""
    folders = write_studies(tmp_path, 3, n=12, folds=8)
    found = compare_studies(folders, "auc")
    scores, _ = fold_scores(open_study(folders[0], ReadStudy), NAMES, "auc")
    assert np.isnan(scores["headline"]).any()
    assert np.isfinite(found.ranks.scores).all()


def test_a_set_without_pairs_in_any_fold_has_no_auc_to_compare(tmp_path):
    folders = write_studies(tmp_path, 3, n=12, folds=12)
    with pytest.raises(DataError, match="'d0' is nan"):
        compare_studies(folders, "auc")


def test_repeats_and_odd_class_names(tmp_path):
    folders = write_studies(tmp_path, 2, repeats=3, classes=("x  y", '"q', "z"))
    scores, held = fold_scores(open_study(folders[0], ReadStudy), NAMES, "bcr")
    assert held == 8
    assert {len(s) for s in scores.values()} == {15}


def test_what_cannot_be_compared(folders, tmp_path):
    with pytest.raises(PlanError, match="1 result folder"):
        compare_studies(folders[:1])
    with pytest.raises(PlanError, match="given twice"):
        compare_studies([folders[0], folders[1], folders[0]])
    with pytest.raises(PlanError, match="did you mean 'auc'"):
        compare_studies(folders, "auk")
    with pytest.raises(StoreError, match="not the folder of a study"):
        compare_studies([folders[0], tmp_path])
    bad = write_study(tmp_path / "bad", "bad", seed=5)
    path = bad / "results.json"
    result = json.loads(path.read_text())
    result["methods"][2]["metrics"]["auc"]["mean"] = None
    path.write_text(json.dumps(result))
    with pytest.raises(DataError, match="method 'mtd' on data set 'bad'"):
        compare_studies([folders[0], bad], "auc")
    predictions = bad / "tables" / "predictions.tsv"
    for damage in ("", "procedure\nx\n", predictions.read_text().replace("\ta\t", "\tq\t")):
        predictions.write_text(damage)
        with pytest.raises(StoreError, match="not a table of predictions"):
            compare_studies([folders[0], bad])
    predictions.unlink()
    with pytest.raises(StoreError, match="scores of single folds"):
        compare_studies([folders[0], bad])
