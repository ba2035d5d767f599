"""What the page says of stability selection, and what it must not promise."""

from __future__ import annotations

import re

import pytest

from tamis.report._evidence import number_words
from tamis.report._render import render_study
from tamis.report._stability_selection import KIND, _error_bound_words, _rounded_up_text
from tamis.report._view import page_tables, study_page

from .test_browser import show

NUMBER = "selection probability"


@pytest.fixture
def result(made):
    return made.make_result(methods=12)


def blocks_of(page):
    """Of the section about stability selection."""
    return next(one["blocks"] for one in page["evidence"] if one["kind"] == KIND)


def test_there_is_a_block_for_each_method_that_has_it(result, made):
    blocks = blocks_of(study_page(result))
    assert [b["name"] for b in blocks] == [result["methods"][k]["name"] for k in (1, 7)]
    names = [table["name"] for table in page_tables(study_page(result))]
    assert len(set(names)) == len(names)
    assert "for as long as at most 54 features had entered" in blocks[0]["said"][0]
    assert "the best 54 features were selected" in blocks[1]["said"][0]
    assert "100 halves" in blocks[0]["said"][0]


def test_without_it_the_page_has_no_such_section(made):
    for given in (made.make_result(bare=True), made.make_result()):
        for method in given["methods"]:
            method.get("evidence", {}).pop(KIND, None)
        for feature in given["features"]:
            feature.pop("numbers", None)
        html = render_study(study_page(given))
        assert "tability-selection" not in html.partition("<body>")[2]
        assert "Selection probability" not in html


@pytest.mark.parametrize(
    ("bound", "says"),
    [
        ("meinshausen_buhlmann", "whatever the data"),
        ("unimodal", "one peak"),
        ("r_concave", "r-concave distributions"),
    ],
)
def test_the_bound_is_told_with_its_condition(result, bound, says):
    given = {**result["methods"][1]["evidence"][KIND], "bound": bound}
    said = _error_bound_words(given).replace("\u00a0", " ")
    assert said.startswith(f"{given['n_stable']} features reached the threshold of 75 %.")
    assert "The number of false selections among those that reach it" in said
    assert "at most 0.98 on average, " in said
    assert "(54 of 3,051, 1.8 %)" in said
    assert says in said
    assert _error_bound_words({**given, "n_stable": 0}).startswith("No feature reached")
    assert _error_bound_words({**given, "n_stable": 1}).startswith("1 feature reached")


@pytest.mark.parametrize(
    ("stable", "pfer", "says"),
    [
        (0, 0.98, "Inconclusive: that none is stable does not show that none has an effect."),
        (1, 0.98, "Inconclusive: the bound allows for 1 false feature, which may be this one."),
        (1, 1.0, "Inconclusive: the bound allows for 1 false feature, which may be this one."),
        (2, 1.4, "Inconclusive: the bound allows for 2 false features, which may be these 2."),
        (2, 1.0, ""),
        (3, 1.4, ""),
        (1, 0.05, ""),
        (1, 0.06, "Inconclusive: the bound"),
    ],
)
def test_a_stable_set_as_small_as_the_bound_is_inconclusive(result, stable, pfer, says):
    given = result["methods"][1]["evidence"][KIND]
    probabilities = [0.9] * stable + [0.5] * (len(given["features"]) - stable)
    given |= {"n_stable": stable, "pfer": pfer}
    del result["methods"][7]["evidence"][KIND]
    for feature, probability in zip(given["features"], probabilities, strict=True):
        feature["probability"] = probability
    html = render_study(study_page(result))
    assert blocks_of(study_page(result))[0]["verdict"].startswith(says)
    assert ("<b>Inconclusive: " in html) == bool(says)
    one = {"numbers": {NUMBER: {result["methods"][1]["name"]: 0.9}}}
    assert ("inconclusive: see Stability" in number_words(one, result)[0]) == bool(says)


@pytest.mark.parametrize("value", [0.0237, 0.9753, 0.98, 1.0, 0.57 + 1e-17, 12.001])
def test_a_bound_is_never_rounded_down(value):
    assert value - 1e-9 <= float(_rounded_up_text(value)) < value + 0.01


def test_the_page_says_that_the_best_k_are_not_under_the_bound(result):
    html = " ".join(re.sub(r"<[^>]+>", "", render_study(study_page(result))).split())
    name = result["methods"][1]["name"]
    assert f"The best k features, which {name} hands to its classifier" in html
    assert "they are not under the bound" in html


def test_the_table_tells_above_from_below(result):
    given = result["methods"][1]["evidence"][KIND]
    table = blocks_of(study_page(result))[0]["tables"][0]
    assert [row["strong"] for row in table["body"]].count(True) == given["n_stable"] > 0
    assert [row[2] for row in table["data"]["rows"]] == [
        f["probability"] for f in given["features"]
    ]
    for row in table["body"]:
        bar = row["cells"][2]
        assert bar.mark == given["threshold"]
        assert row["strong"] == (bar.bar >= bar.mark) == (row["cells"][3].text == "✓")


def test_a_features_own_page_has_its_probability(result):
    name = result["methods"][1]["name"]
    for feature, side in (
        (result["features"][20], "at or above"),
        (result["features"][26], "below"),
    ):
        first, _ = number_words(feature, result)
        assert first.replace("\u00a0", " ") == (
            f"Selection probability {100 * feature['numbers'][NUMBER][name]:.0f} % ({name}): "
            f"{side} the threshold of 75 %."
        )
    data = study_page(result)["features"]["table"]["data"]
    at = data["columns"].index(f"selection probability ({name})")
    assert [row[at] for row in data["rows"]] == [
        f["numbers"][NUMBER][name] for f in result["features"]
    ]


@pytest.mark.browser
@pytest.mark.parametrize("variant", ["plain", "hostile"])
def test_the_section_fits_a_phone(driver, report, variant):
    show(driver, report(variant), 380)
    ask = driver.execute_script
    assert ask("return document.querySelectorAll('#stability-selection svg.paths').length") >= 1
    assert ask("return document.documentElement.scrollWidth") <= 380
    if variant == "plain":  # the whole table, with no sideways scrolling
        assert ask(
            "const e = document.querySelector('#table-stability_selection').closest('.scroll');"
            "return e.scrollWidth <= e.clientWidth + 1"
        )
