"""What the page of a study of genotypes shows more."""

from __future__ import annotations

import copy

import pytest

from common.genotype_study import studied
from tamis.report import write_report
from tamis.report._places import places_view
from tamis.report._view import study_page

from .test_browser import show


@pytest.fixture(scope="module")
def content(tmp_path_factory):
    return studied(tmp_path_factory.mktemp("genotypes"))[1].to_dict()


def column(table, title):
    place = [h["title"] for h in table["head"]].index(title)
    return [row["cells"][place] for row in table["body"]]


def test_features_are_told_as_variants(content):
    table = study_page(content)["features"]["table"]
    place = content["features"][0]["place"]
    assert column(table, "CHR")[0].text == place["chromosome"]
    assert column(table, "BP")[0].text == f"{place['position']:,}"
    assert column(table, "Alleles")[0].text == "A/G"
    names = [f["name"] for f in content["features"]]
    linked = column(table, "In linkage")[names.index("v0")]
    assert linked.text == "2"
    r = content["features"][names.index("v0")]["group"][0]["r"]
    assert linked.more[0][1] == f"{r:.2f} ({r * r:.2f})"
    share = content["features"][names.index("v0")]["group_frequency"]
    assert linked.more[-1] == ("selected, any of the group", f"{100 * share:.0f}\xa0%")
    alone = [f["group_size"] == 0 for f in content["features"]]
    assert [cell.text == "" for cell in column(table, "In linkage")] == alone
    assert "Near-duplicates" not in [h["title"] for h in table["head"]]


def test_the_axis_goes_through_what_was_studied(content):
    view = places_view(content)
    chart = view["chart"]
    names = [name for name, _ in chart["chromosomes"]]
    starts = [start for _, start in chart["chromosomes"]]
    assert names[:3] == ["1", "chr2", "X"]
    assert starts == sorted(starts)
    assert chart["origin"] is None
    assert all(0 <= place <= chart["n"] for place, *_ in chart["dots"])
    assert len(view["methods"]) == 3
    alone = copy.deepcopy(content)
    alone["places"]["chromosomes"] = alone["places"]["chromosomes"][:1]
    of = alone["places"]["features"]
    of["chromosome"] = [0] * len(of["name"])
    assert places_view(alone)["chart"]["origin"] == 4001
    of["chromosome"][0] = -1
    unknown = places_view(alone)
    assert unknown["chart"]["chromosomes"][-1][0] == "?"
    assert "1 variant whose place is not known" in unknown["note"]
    alone["places"]["chromosomes"], of["chromosome"] = [], [-1] * len(of["name"])
    chart = places_view(alone)["chart"]
    assert all(0 <= place <= chart["n"] for place, *_ in chart["dots"])


def test_the_pair_stands_side_by_side(content):
    (view,) = study_page(content)["filtered"]
    pair = content["filtered"][0]
    assert f"{pair['kept']['least']} to {pair['kept']['most']}" in view["said"][0]
    told = content["missing_by_class"]["methods"][pair["without"]]
    assert f"{told['unlike']} of {told['chosen']} features chosen without" in view["said"][1]
    assert len(column(view["scores"], "Difference")) == 2
    assert column(view["left_out"], "Left out for")[0].text == "differential missingness"


def test_sections_that_have_nothing_to_say_are_not_there(content, tmp_path):
    page = write_report(content, tmp_path, tmp_path / "with.html").read_text(encoding="utf-8")
    assert all(f'<section class="part" id="{one}"' in page for one in ("places", "filtered"))
    less = {k: v for k, v in content.items() if k not in ("places", "filtered")}
    page = write_report(less, tmp_path, tmp_path / "without.html").read_text(encoding="utf-8")
    assert not any(f'id="{one}"' in page for one in ("places", "filtered"))
    assert "With and without quality control" not in page


@pytest.mark.browser
@pytest.mark.parametrize("width", [1280, 390])
def test_it_opens_at_a_desk_and_on_a_phone(driver, content, tmp_path, width):
    page = write_report(content, tmp_path)
    driver.get_log("browser")
    show(driver, page, width=width, dark=width < 500)
    driver.execute_script("document.querySelectorAll('details').forEach((d) => { d.open = true })")
    assert driver.get_log("browser") == []
    assert driver.execute_script("return document.documentElement.scrollWidth") <= width
    assert driver.execute_script("return document.querySelectorAll('#places svg').length") == 4
