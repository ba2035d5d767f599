"""What the page says of clusters of features, and at which size."""

from __future__ import annotations

import pytest

from common.typed import faults
from tamis.report._clusters import KIND
from tamis.report._render import render_study
from tamis.report._view import page_tables, study_page
from tamis.study.results.evidence_schema import FeatureClusters

from .test_browser import show


def clusters(size, n, dropped=0):
    return {
        "size": size,
        "n_clusters": size + dropped,
        "clusters": [
            {
                "name": f"g{c}",
                "chosen": c < size,
                "score": 9.0 - c,
                "n": n,
                "mean_correlation": 0.6,
                "place": [float(c), 0.0],
                "members": [
                    {
                        "name": f"g{c}.{i}",
                        "correlation": 0.9 - i / 10 if c else i / 10 - 0.9,
                        "score": 1.0 / (1 + i) if i else None,
                    }
                    for i in range(min(n - 1, 8))
                ],
            }
            for c in range(size + dropped)
        ],
    }


CONTENT = {
    "algorithm": "som",
    "representative": "best",
    "filter": "moderated t",
    "absolute": True,
    "n_clustered": 2000,
    "sizes": [clusters(4, 9, dropped=2), clusters(10, 3)],
}


@pytest.fixture
def result(made):
    given = made.make_result(methods=3)
    given["methods"][1]["evidence"] = {KIND: CONTENT}
    return given


def block_of(result):
    sections = study_page(result)["evidence"]
    return next(one["blocks"] for one in sections if one["kind"] == KIND)[0]


def test_the_content_is_of_its_type():
    assert list(faults(CONTENT, FeatureClusters)) == []


@pytest.mark.parametrize(("size", "shown"), [(3, 4), (6, 4), (8, 10), (200, 10)])
def test_the_size_is_that_nearest_to_the_final_models(result, size, shown):
    name = result["methods"][1]["name"]
    result["final"] |= {"method": name, "size": size}
    assert block_of(result)["chart"]["size"] == shown
    result["final"]["method"] = result["methods"][0]["name"]
    result["methods"][1]["sizes"] = [size] * 5
    assert block_of(result)["chart"]["size"] == shown
    result["final"] = None
    assert block_of(result)["chart"]["size"] == shown


def test_what_is_said(result):
    result["final"] |= {"method": result["methods"][1]["name"], "size": 4}
    block = block_of(result)
    said = " ".join(block["said"]).replace("\u00a0", " ")
    assert said.startswith("A self-organising map gave 6 clusters of the 2,000 features that are ")
    assert "The classes play no part in the clusters." in said
    assert "The sign of a correlation plays no part." in said
    assert "its feature with the best score (moderated t)" in said
    assert "The 4 best representatives are kept." in said
    assert "Each number of features has clusters of its own" in said
    html = render_study(study_page(result))
    assert 'id="clusters"' in html
    assert "chart clusters" in html
    assert "g5: 9 features, mean correlation 0.60, score 4, not kept" in html


def test_other_settings_are_told(result):
    other = {**CONTENT, "algorithm": "kmeans", "representative": "medoid", "absolute": False}
    result["methods"][1]["evidence"] = {KIND: {**other, "sizes": [clusters(4, 2)]}}
    block = block_of(result)
    said = " ".join(block["said"])
    assert said.startswith("k-means gave")
    assert "its medoid" in said
    assert "sign" not in said
    assert "Each number" not in said
    assert block["rest"] == "Of each cluster its representative (bold) and all other features."


def test_the_table_has_the_nearest_features_of_each_cluster(result):
    result["final"] |= {"method": result["methods"][1]["name"], "size": 4}
    table = block_of(result)["tables"][0]
    rows = [dict(zip(table["data"]["columns"], row, strict=True)) for row in table["data"]["rows"]]
    assert len(rows) == 6 * (1 + 5)
    assert [r["feature"] for r in rows[:3]] == ["g0", "g0.0", "g0.1"]
    assert {r["representative"] for r in rows if r["cluster"] == 2} == {"g1"}
    assert [row["strong"] for row in table["body"]] == [r["correlation"] == 1 for r in rows]
    assert table["body"][1]["cells"][2].text == "−0.90"
    assert table["body"][1]["cells"][3].text == "—"
    names = [one["name"] for one in page_tables(study_page(result))]
    assert len(set(names)) == len(names)


def test_a_page_without_clusters_has_no_such_section(made):
    html = render_study(study_page(made.make_result(methods=2)))
    assert "Clusters of features" not in html


@pytest.mark.slow
@pytest.mark.browser
@pytest.mark.parametrize("variant", ["plain", "hostile"])
def test_the_section_fits_a_phone(driver, report, variant):
    show(driver, report(variant), 380)
    ask = driver.execute_script
    assert ask("return document.querySelectorAll('#clusters svg.clusters polygon').length") == 24
    assert ask("return document.documentElement.scrollWidth") <= 380
