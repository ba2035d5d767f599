"""What principal components leave in a folder, and that PLINK takes it."""

from __future__ import annotations

import json

import numpy as np
import pandas as pd
import pytest

from common.bed_files import codes_of, write_cohort
from genome.plink import run_plink
from tamis._core.errors import DataError
from tamis.genome import open_genotypes, principal_components, simulate_cohort
from tamis.genome.readers.phenotypes import read_phenotypes
from tamis.genome.structure import component_points as points_module
from tamis.genome.structure.component_points import component_points
from tamis.genome.structure.components_files import write_components
from tamis.genome.structure.components_schema import ComponentsContent
from tamis.report import write_components_page

HOSTILE = '<script>window.__pwned=1</script>"'


@pytest.fixture
def found(tmp_path):
    simulate_cohort(tmp_path / "two", [40, 20], [20, 40], 300, divergence=0.1, seed=4)
    genotypes = open_genotypes(tmp_path / "two")
    return principal_components(genotypes, k=4), genotypes


def test_files_hold_what_was_found(found, tmp_path):
    components, genotypes = found
    labels = ["ill", "well", None] * 40
    content, unlisted = write_components(components, genotypes, tmp_path, {"seed": 0}, labels)
    table = pd.read_csv(tmp_path / "pca.eigenvec", sep="\t", float_precision="round_trip")
    assert list(table.columns) == ["FID", "IID", "PC1", "PC2", "PC3", "PC4"]
    np.testing.assert_array_equal(table.iloc[:, 2:], components.scores)
    values = (tmp_path / "pca.eigenval").read_text().split()
    np.testing.assert_array_equal(np.array(values, dtype=float), components.eigenvalues)
    ids = (tmp_path / "pca.prune.in").read_text().split()
    assert ids == genotypes.variants.take(components.columns).id.to_pylist()
    assert unlisted == 0
    written = json.loads((tmp_path / "results.json").read_text(encoding="utf-8"))
    assert written == content
    assert set(content) == ComponentsContent.__required_keys__
    assert content["classes"] == [{"name": "ill", "size": 40}, {"name": "well", "size": 40}]
    assert [row[1] for row in content["picture"]["samples"][:3]] == [0, 1, None]


def test_the_picture_is_that_of_the_page(found, tmp_path):
    components, genotypes = found
    labels = ["ill", "well", None] * 40
    content, _ = write_components(components, genotypes, tmp_path, {}, labels)
    page = write_components_page(content, "two", tmp_path / "page.html").read_text("utf-8")
    charts = components.plot(labels).charts
    assert len(charts) == 3
    assert all(chart in page for chart in charts)
    assert "ill: " not in "".join(components.plot().charts)
    with pytest.raises(DataError, match="2 labels, where there are 120 samples"):
        components.plot(["ill", "well"])


def test_a_column_is_a_phenotype_table(found, tmp_path):
    components, genotypes = found
    write_components(components, genotypes, tmp_path, {})
    read = read_phenotypes(tmp_path / "pca.eigenvec", genotypes.samples, "PC2")
    np.testing.assert_array_equal(read.labels.astype(float), components.scores[:, 1])


def test_plink_takes_all_three(found, tmp_path):
    components, genotypes = found
    write_components(components, genotypes, tmp_path, {})
    given = ("--bfile", "two", "--covar", "pca.eigenvec", "--extract", "pca.prune.in")
    stem = run_plink("plink1.9", tmp_path, *given, "--logistic", "--covar-name", "PC1-PC4")
    tests = pd.read_csv(f"{stem}.assoc.logistic", sep=r"\s+")
    assert set(tests["TEST"]) == {"ADD", "PC1", "PC2", "PC3", "PC4"}
    assert tests["NMISS"].max() == 120
    stem = run_plink("plink2", tmp_path, *given, "--glm", "--covar-variance-standardize")
    tests = pd.read_csv(next(tmp_path.glob("out.*.glm.logistic*")), sep="\t")
    assert {"ADD", "PC1", "PC4"} <= set(tests["TEST"])
    assert tests["OBS_CT"].max() == 120


def test_variants_are_those_of_plink(tmp_path):
    rng = np.random.default_rng(1)
    copies = rng.binomial(2, rng.uniform(0.02, 0.5, (200, 1)), (200, 80))
    copies[1::2] = np.where(rng.random((100, 80)) < 0.9, copies[::2], copies[1::2])
    genotypes = open_genotypes(write_cohort(tmp_path / "made", codes_of(copies, 0.02)))
    write_components(principal_components(genotypes, k=3), genotypes, tmp_path, {})
    run_plink("plink1.9", tmp_path, "--bfile", "made", "--maf", "0.05", "--make-bed")
    kept = run_plink("plink1.9", tmp_path, "--bfile", "out", "--indep-pairwise", "50", "5", "0.2")
    listed = (tmp_path / "pca.prune.in").read_text().split()
    assert 0 < len(listed) < 150
    assert listed == kept.with_suffix(".prune.in").read_text().split()


def test_ids_of_two_variants_are_not_listed(tmp_path):
    codes = codes_of(np.random.default_rng(0).binomial(2, 0.4, (6, 50)))
    codes[1] = codes[0]
    path = write_cohort(tmp_path / "made", codes)
    bim = (tmp_path / "made.bim").read_text()
    (tmp_path / "made.bim").write_text(bim.replace(" v1 ", " v0 ").replace(" v4 ", " . "))
    genotypes = open_genotypes(path)
    _, unlisted = write_components(principal_components(genotypes, k=2), genotypes, tmp_path, {})
    assert unlisted == 2
    assert (tmp_path / "pca.prune.in").read_text().split() == ["v2", "v3", "v5"]


def test_many_samples_are_thinned_but_for_the_outermost(found, monkeypatch):
    components, _ = found
    monkeypatch.setattr(points_module, "MAX_DRAWN_SAMPLES", 30)
    monkeypatch.setattr(points_module, "N_OUTER_SAMPLES", 10)
    picture = component_points(components.scores, components.samples.id, [None] * 120, [])
    assert len(picture["samples"]) == 30
    assert picture["of"] == 120
    far = np.abs(components.scores / components.scores.std(axis=0)).max(axis=1)
    drawn = {row[0] for row in picture["samples"]}
    assert {str(name) for name in components.samples.id[np.argsort(-far)[:10]]} <= drawn


def test_names_are_escaped_on_the_page(found, tmp_path):
    components, genotypes = found
    components.samples.id[0] = HOSTILE
    content, _ = write_components(components, genotypes, tmp_path, {}, [HOSTILE, "b"] * 60)
    page = write_components_page(content, HOSTILE, tmp_path / "report.html")
    text = page.read_text(encoding="utf-8")
    assert "<script>window" not in text
    assert "&lt;script&gt;window.__pwned" in text
    assert text.count("<svg") == 3


def test_one_component_has_no_scatter(found, tmp_path):
    one = principal_components(found[1], k=1)
    content, _ = write_components(one, found[1], tmp_path, {})
    text = write_components_page(content, "two", tmp_path / "x.html").read_text(encoding="utf-8")
    assert text.count("<svg") == 1
    assert "Nobody has a class" in text
