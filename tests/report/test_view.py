"""What the report says, before it is HTML."""

from __future__ import annotations

import math
import re

import numpy as np
import pytest

from common.studies import make_data
from tamis._core.errors import StoreError
from tamis.report._headline import headline_sentences
from tamis.report._methods import methods_view
from tamis.report._numbers import count_text, decimal_text, p_text, percent_text, plain_json
from tamis.report._render import render_study
from tamis.report._sections import data_view
from tamis.report._view import page_tables, study_page
from tamis.study import run_study


def test_plain_leaves_only_json():
    given = {"a": np.float64("nan"), "b": np.arange(2), "c": math.inf, 1: ("x\x00", True, None)}
    assert plain_json(given) == {"a": None, "b": [0, 1], "c": None, "1": ["x\ufffd", True, None]}


@pytest.mark.parametrize(
    ("value", "text"), [(-0.0004, "0.000"), (-1.5, "−1.500"), (0.25, "0.250"), (None, "—")]
)
def test_decimals(value, text):
    assert decimal_text(value) == text


def test_counts_and_shares():
    assert count_text(1234567) == "1,234,567"
    assert (count_text(10.0), count_text(12.5)) == ("10", "12.5")
    assert percent_text(0.825) == "82\u00a0%"  # Python rounds halves to even: 82.5
    assert p_text(0.0499) == "0.05" or p_text(0.0499) == "0.050"


def test_the_sentence_says_the_number_its_interval_and_chance(made):
    result = made.make_result()
    result["metrics"]["bcr"] = {"mean": 0.83, "low": 0.71, "high": 0.92}
    result["chance"]["bcr"]["theory"] = 0.5
    said = headline_sentences(plain_json(result))[0].replace("\u00a0", " ")
    assert "correct class for 83 % of new samples" in said
    assert "95 % interval 71 % to 92 %" in said
    assert said.endswith("chance is 50 %.")


def test_features_that_reappear_follow_from_the_stability_shown(made):
    """Two sets of k of p features that share s have Nogueira's (s / k - k / p) / (1 - k / p)."""
    result = made.make_result()
    result["headline"]["stability"]["mean_size"] = 20.0
    chance = 20 / result["data"]["n_features"]
    value = (12 / 20 - chance) / (1 - chance)
    result["permutation"]["stability"]["observed"] = value
    assert "About 12 of 20 features reappear" in headline_sentences(result)[-1]


def test_sizes_that_vary_are_told_as_a_range(made):
    result = made.make_result()
    for fold, size in zip(result["headline"]["folds"], [3051, 4] + [10] * 48, strict=True):
        fold["size"] = size
    result["headline"]["stability"]["common"] = 1
    assert headline_sentences(result)[-1] == (
        "Training sets selected from 4 to 3,051 features (median 10); "
        "1 feature was selected in at least half of them."
    )


def lines(result):
    return dict(study_page(result)["headline"]["lines"])


def test_too_few_permutations_are_no_verdict(made):
    result = made.make_result(permutations=5)
    result["permutation"] |= {"p_value": None}
    result["permutation"]["stability"]["above"] = None
    assert "permutation p" not in lines(result)["Chance"]
    assert "no verdict" in lines(result)["Stability"]
    html = render_study(study_page(result))
    assert "cannot reach p" in html
    assert "The smallest p" not in html


@pytest.mark.parametrize(("as_good", "said"), [(0, "(0 of 99"), (3, "(3 of 99"), (40, "(40 of 99")])
def test_the_permutation_test_is_counted(made, as_good, said):
    result = made.make_result()
    result["permutation"] |= {"p_value": (1 + as_good) / 100, "n": 99}
    assert said in lines(result)["Chance"]
    assert ("minimum possible" in lines(result)["Chance"]) == (as_good == 0)


def test_without_permutations_chance_is_theory(made):
    page = study_page(made.make_result(bare=True))
    assert dict(page["headline"]["lines"])["Chance"] == "balanced accuracy 0.50 in theory"
    assert page["permutation"] is None


def test_the_first_sentence_never_contradicts_a_warning(made):
    result = made.make_result()
    said = headline_sentences(result)[0]
    assert said.startswith("Expect the correct class")
    result["warnings"].append({"code": "not-above-chance", "text": "x"})
    said = headline_sentences(result)[0]
    assert said.startswith("These data do not show that the class can be predicted")
    assert "Expect" not in said


def test_a_selection_no_more_stable_than_chance_is_not_praised(made):
    result = made.make_result()
    assert "reappear" in headline_sentences(result)[1]
    result["permutation"]["stability"]["above"] = False
    assert len(headline_sentences(result)) == 1
    assert study_page(result)["stability"]["verdict"].startswith("Not shown to be more stable")


def test_one_number_leads_and_two_stand_below(made):
    for classes, third in ((2, "sensitivity for AML"), (4, "accuracy")):
        head = study_page(made.make_result(classes=classes))["headline"]
        assert head["card"]["name"] == "Balanced accuracy"
        beside = [one.split(" 0.")[0] for one in dict(head["lines"])["Also"].split("; ")]
        assert beside == ["AUC", third]


def test_people_of_each_class_are_counted_as_they_were(made):
    result = made.make_result()
    result["headline"] |= {"confusion": [[26.0, 1.2], [1.0, 9.8]], "declined": [0.0, 2.0]}
    result["recalls"] = {
        "ALL-B": {"mean": 0.96, "low": None, "high": None},
        "AML": {"mean": 0.89, "low": 0.679, "high": 1.0},
    }
    assert study_page(result)["headline"]["found"] == [
        {"label": "ALL-B", "count": "26 of 27", "least": ""},
        {
            "label": "AML",
            "count": "10 of 11",
            "least": "2 without a class; expect at least 67 of 100",
        },
    ]


def test_the_first_features_have_a_direction_and_a_difference(made):
    result = made.make_result()
    first, second, third = result["features"][:3]
    first["class_means"], second["class_means"] = {"ALL": -1.0, "AML": 0.5}, None
    third |= {
        "class_means": None,
        "class_shares": {"ALL": {"a": 0.25, "b": 0.75}, "AML": {"a": 0.75, "b": 0.25}},
    }
    result["final"]["features"] = [one["name"] for one in (third, first, second)]
    top = study_page(result)["headline"]["top"]
    assert [(row[1].text, row[2].text.replace("\u00a0", " ")) for row in top["rows"]] == [
        ("AML: a", "+50 %"),
        ("AML", "+1.50"),
        ("", ""),
    ]
    assert top["more"] == ""
    many = made.make_result()
    assert len(study_page(many)["headline"]["top"]["rows"]) == min(10, len(many["features"]))


def test_of_several_classes_the_highest_stands_beside_the_mean_of_the_others(made):
    result = made.make_result(classes=4)
    means = dict(zip(result["data"]["classes"], [1.0, 5.0, 2.0, 3.0], strict=True))
    one = result["features"][0]
    one["class_means"], result["final"]["features"] = means, [one["name"]]
    top = study_page(result)["headline"]["top"]
    assert top["several"]
    assert (top["rows"][0][1].text, top["rows"][0][2].text) == (list(means)[1], "+3.00")


def test_the_winners_curse_is_told_when_a_row_beats_the_headline(made):
    result = plain_json(made.make_result())
    result["metrics"]["bcr"]["mean"] = 0.7
    result["methods"][2]["metrics"]["bcr"]["mean"] = 0.99
    told = methods_view(result)["explanation"]
    assert result["methods"][2]["label"] in told
    assert "0.990 against 0.700" in told
    result["metrics"]["bcr"]["mean"] = 0.995
    assert "against" not in methods_view(result)["explanation"]


DIFFERENCE = {"against": "mtd", "mean": 0.1, "low": -0.1, "high": 0.3}


@pytest.mark.parametrize(
    ("differences", "shown"),
    [
        ([None, {**DIFFERENCE, "p_value": None}], False),  # too few runs for a p-value
        ([None, {**DIFFERENCE, "p_value": 0.9}], True),
        ([None, None], False),
    ],
)
def test_differences_are_shown_where_there_is_a_p_value(made, differences, shown):
    result = plain_json(made.make_result())
    for k, method in enumerate(result["methods"]):
        method["difference"] = differences[min(k, 1)]
    assert methods_view(result)["differences"] is shown


@pytest.mark.parametrize(("optimistic", "shown"), [(None, False), (0.5, True)])
def test_best_sizes_are_shown_where_one_is_known(made, optimistic, shown):
    result = plain_json(made.make_result())
    for method in result["methods"]:
        method["optimistic"] = None
    result["methods"][-1]["optimistic"] = optimistic
    assert methods_view(result)["optimistic"] is shown


def test_lower_is_better_for_a_loss(made):
    result = plain_json(made.make_result())
    result["protocol"]["metric"] = "loss"
    for part in (result, *result["methods"]):
        part["metrics"]["loss"] = {"mean": 0.3, "low": 0.2, "high": 0.4}
    result["methods"][1]["metrics"]["loss"]["mean"] = 0.1
    result["chance"]["loss"] = {"theory": None, "permuted": None}
    assert f"The best row, {result['methods'][1]['label']}" in methods_view(result)["explanation"]


@pytest.mark.parametrize("variant", [{}, {"classes": 4}, {"bare": True}, {"hostile": True}])
def test_tables_hold_a_value_for_every_cell(made, variant):
    for table in page_tables(study_page(made.make_result(**variant))):
        width = len(table["data"]["columns"])
        assert all(len(row) == width for row in table["data"]["rows"])
        assert len(table["body"]) == len(table["data"]["rows"])
        assert all(len(row["cells"]) == len(table["head"]) for row in table["body"])
        assert all(h["index"] < width for h in table["head"])


def _some_undefined(value, rng):
    """The same with three in ten decimal numbers undefined; counts and points stay."""
    if isinstance(value, dict):
        return {
            k: v if k == "stability_selection" else _some_undefined(v, rng)  # counts, all of it
            for k, v in value.items()
        }
    if isinstance(value, list):
        points = value and isinstance(value[0], list)
        return value if points else [_some_undefined(v, rng) for v in value]
    return None if isinstance(value, float) and rng.random() < 0.3 else value


@pytest.mark.parametrize("seed", range(8))
def test_any_number_may_be_undefined(made, seed):
    given = made.make_result(seed, folds=10, costs="matrix" if seed % 2 else "")
    result = _some_undefined(given, np.random.default_rng(seed))
    if seed % 2:
        result["costs"] = given["costs"]  # which are never undefined
    body = render_study(study_page(result)).partition("<body>")[2].replace(">None of 99", "")
    assert re.findall(r"\b(?:None|[Nn]a[Nn]|inf|undefined%)\b", body.partition("<script")[0]) == []


def test_links_lead_from_the_page_to_the_folder(made):
    files = study_page(made.make_result(), "../study 1")["files"]
    assert files[0]["href"] == "./../study%201/tables/methods.tsv"
    result = made.make_result()
    result["tables"] = [{"file": "javascript:alert(1)", "title": "x"}]
    assert study_page(result)["files"][0]["href"] == "./javascript%3Aalert%281%29"


def test_what_is_not_a_result_is_refused(made):
    with pytest.raises(StoreError, match="schema None"):
        study_page({})
    with pytest.raises(StoreError, match="lacks 'methods', 'warnings'"):
        study_page(
            {k: v for k, v in made.make_result().items() if k not in ("methods", "warnings")}
        )


def test_features_that_are_not_described_have_a_page(made):
    """As the plan's `describe = false` leaves them."""
    result = made.make_result()
    for feature in result["features"]:
        for key in ("kind", "distribution", "scores"):
            del feature[key]
    page = study_page(result)
    assert page["features"]["detailed"] is False
    html = render_study(page)
    assert 'class="feature"' not in html
    assert 'href="#feature-' not in html


def test_each_feature_has_its_chart_and_scores(made):
    result = made.make_result()
    page = study_page(result)["features"]
    assert len(page["each"]) == 100
    first, fourth = page["each"][0], page["each"][3]
    assert [one["n"] for one in first["chart"]["classes"]] == [500, 500]  # as the result says
    counts = result["data"]["counts"]
    for one in fourth["chart"]["classes"]:
        missing = result["features"][3]["missing_counts"][one["label"]]
        assert one["n"] + missing == counts[one["label"]]
        assert set(one["shares"]) == {"no", "yes"}
    assert [s["filter"] for s in first["scores"]][:2] == ["Moderated t", "Welch's t"]
    assert first["scores"][-1]["p"] == "—"
    four = study_page(made.make_result(classes=4))["features"]
    names = [[s["filter"] for s in one["each"][0]["scores"]] for one in (page, four)]
    assert names[1][names[0].index("Pearson correlation")] == "Correlation ratio"
    assert (page["positive"], four["positive"]) == ("AML", "")


@pytest.mark.parametrize(
    ("p", "text"), [(0.03, "0.03"), (2.04e-7, "2.0e−07"), (0.0, "< 1e−300"), (None, "—")]
)
def test_small_p_values_are_told(p, text):
    from tamis.report._numbers import small_p_text

    assert small_p_text(p).rstrip("0") == text.rstrip("0")


def test_magnitudes_have_two_decimals_from_a_hundredth_to_ten_million():
    from tamis.report._numbers import magnitude_text

    for value, text in (
        (9_999_999.99, "9999999.99"),
        (1e7, "1e+07"),
        (0.01, "0.01"),
        (0.009996, "0.009996"),
        (0.0, "0.00"),
        (None, "—"),
    ):
        assert magnitude_text(value) == text
        assert not value or magnitude_text(-value) == f"−{text}"


def test_the_scores_are_in_the_download(made):
    result = made.make_result()
    data = study_page(result)["features"]["table"]["data"]
    at = data["columns"].index("moderated_t_rank")
    assert [row[at] for row in data["rows"]] == [
        f["scores"]["moderated_t"]["rank"] for f in result["features"]
    ]


def test_a_size_of_its_own_is_told(tmp_path):
    """In the folds, in the numbers of the curve, and of the final model."""
    methods = [
        {"select": "rfs", "sizes": ["own"], "parameters": {"n_pairs": 10, "n_lambdas": 8}},
        {"select": "pearson", "sizes": [1]},
    ]
    plan = {
        "outer": {"folds": 3},
        "inner": {"folds": 2, "repeats": 1},
        "permutations": 0,
        "method": methods,
    }
    data = make_data(n=60, p=30, shift=2.0, informative=6)
    result = run_study(data, plan, tmp_path / "s").to_dict()
    page = study_page(result)
    table = page["folds"]["table"]
    at = table["data"]["columns"].index("own")
    size = [head["title"] for head in table["head"]].index("Size")
    own = [row[at] for row in table["data"]["rows"]]
    assert own == [fold["own"] for fold in result["headline"]["folds"]]
    assert True in own
    for row, mine in zip(table["body"], own, strict=True):
        assert (row["cells"][size].sub == "its own") == mine
    point = result["methods"][0]["size_curve"][0]
    assert (point["own"], point["size"]) == (True, np.mean(result["methods"][0]["sizes"]))
    assert page["sizes"]["table"]["body"][0]["cells"][1].sub == "its own, mean"
    assert "stands at its mean over the training sets" in page["sizes"]["note"]
    for mine in (True, False):
        result["final"]["own"] = mine
        size = study_page(result)["features"]["final"]["size"]
        assert ("as many as the method itself would choose" in size) == mine
    other = study_page(run_study(data, {**plan, "method": methods[1:]}, tmp_path / "t").to_dict())
    assert "own" not in other["folds"]["table"]["data"]["columns"]
    assert "<small><bdi>its own" not in render_study(other)


def test_every_metric_has_a_name_and_a_meaning():
    from tamis.metrics import METRICS
    from tamis.metrics.number_metrics import NUMBER_METRICS
    from tamis.report._words import METRIC_WORDS as NAMED
    from tamis.report._words import metric_short

    assert set(NAMED) == {*METRICS, *NUMBER_METRICS}
    assert all(title and meaning for title, meaning in NAMED.values())
    assert [metric_short(name) for name in ("bcr", "f", "loss")] == ["Bal. accuracy", "F", "Loss"]


def test_batches_stand_behind_the_groups(made):
    result = plain_json(made.make_result())
    names = [name for name, _ in data_view(result)["facts"]]
    result["data"]["n_batches"] = 2
    with_batches = [name for name, _ in data_view(result)["facts"]]
    assert with_batches == [*names[:6], "Batches", *names[6:]]
    assert names[5] == "Groups"
