"""RandomSignProjection: genotypes and tables alike, distances kept, and what is refused."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
import textwrap
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import HealthCheck, given
from hypothesis import strategies as st
from scipy.spatial.distance import pdist
from sklearn.base import clone
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.random_projection import johnson_lindenstrauss_min_dim

from common.examples import settings
from genome.sets import random_codes, write_bed
from tamis._core.errors import DataError, PlanError
from tamis.genome import RandomSignProjection, open_genotypes, simulate_cohort
from tamis.genome.study.projection import project_genotypes

CODINGS = ("copies", "indicators")


def filled(genotypes, fill, coding):
    """The table that is projected."""
    copies = genotypes.calls().astype(float)
    copies = np.where(copies < 0, fill, copies)
    if coding == "copies":
        return copies
    return np.stack([copies == 2, copies == 1, copies == 0], axis=2).reshape(len(copies), -1) * 1.0


@pytest.fixture(scope="module")
def cohort(tmp_path_factory):
    folder = tmp_path_factory.mktemp("cohort")
    write_bed(folder / "a", random_codes(3, 150, 61))
    write_bed(folder / "b", random_codes(4, 77, 61))
    return open_genotypes([folder / "a.bed", folder / "b.bed"])


@pytest.mark.longer
@pytest.mark.parametrize("coding", CODINGS)
@pytest.mark.parametrize("scale", [True, False])
def test_genotypes_and_tables_have_the_same_bytes(cohort, coding, scale):
    one = RandomSignProjection(45, coding=coding, scale=scale, random_state=5)
    found = one.fit_transform(cohort)
    table = filled(cohort, one.fill_, coding)
    assert found.dtype == (np.float64 if scale else np.int32)
    np.testing.assert_array_equal(found, clone(one).fit(table).transform(table))


@pytest.mark.longer
@settings(max_examples=30, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.integers(0, 2**32),
    st.integers(1, 100),
    st.integers(1, 250),
    st.integers(1, 3),
    st.sampled_from(CODINGS),
)
def test_threads_widths_and_files_do_not_matter(tmp_path, seed, n_outputs, width, jobs, coding):
    rng = np.random.default_rng(seed)
    n, m = int(rng.integers(1, 600)), int(rng.integers(2, 200))
    codes, cut = random_codes(seed, m, n), int(rng.integers(1, m))
    whole = open_genotypes(write_bed(tmp_path / "whole", codes))
    parts = open_genotypes(
        [write_bed(tmp_path / "a", codes[:cut]), write_bed(tmp_path / "b", codes[cut:])]
    )
    key, fill = np.uint64(seed), rng.integers(0, 3, m).astype(np.int8)
    expected = project_genotypes(whole, fill, n_outputs, key, coding)
    for genotypes in (whole, parts):
        found = project_genotypes(genotypes, fill, n_outputs, key, coding, n_jobs=jobs, width=width)
        assert found.tobytes() == expected.tobytes()


def test_tables_do_not_depend_on_threads():
    X = np.random.default_rng(0).normal(size=(2500, 700))
    one = RandomSignProjection(33).fit(X)
    expected = one.transform(X)
    assert one.set_params(n_jobs=3).transform(X).tobytes() == expected.tobytes()


def test_first_outputs_are_those_of_fewer(cohort):
    few, many = (RandomSignProjection(k, scale=False).fit_transform(cohort) for k in (10, 200))
    np.testing.assert_array_equal(few, many[:, :10])


def test_samples_and_variants_taken(cohort):
    some = cohort.subset(samples=[5, 60, 2], variants=np.arange(0, 227, 3))
    one = RandomSignProjection(20, scale=False).fit(some)
    table = filled(some, one.fill_, "copies")
    assert one.n_features_in_ == 76
    np.testing.assert_array_equal(
        one.transform(some), RandomSignProjection(20, scale=False).fit_transform(table)
    )


def test_missing_calls_take_the_mode_of_the_samples_fitted(tmp_path):
    codes = np.array(
        [  # two copies are 0, none called 1, one copy 2, no copy 3
            [0, 0, 0, 2, 1, 3],
            [2, 2, 3, 3, 1, 0],
            [1, 1, 1, 1, 1, 0],
            [3, 3, 2, 1, 0, 0],
        ]
    )
    genotypes = open_genotypes(write_bed(tmp_path / "made", codes))
    train = genotypes.subset(samples=np.arange(5))
    one = RandomSignProjection(9, scale=False).fit(train)
    assert one.fill_.tolist() == [2, 0, 0, 0]  # of equals the fewest, and 0 where none is called
    copies = filled(genotypes, one.fill_, "copies")
    assert copies[4].tolist() == [2, 0, 0, 2]
    plain = RandomSignProjection(9, scale=False).fit(copies)
    np.testing.assert_array_equal(one.transform(genotypes), plain.transform(copies))


@pytest.mark.parametrize("coding", CODINGS)
def test_distances_are_kept_as_the_lemma_says(tmp_path, coding):
    simulate_cohort(tmp_path / "made", 30, 30, 3000)
    genotypes = open_genotypes(tmp_path / "made.bed")
    one = RandomSignProjection(eps=0.2, coding=coding).fit(genotypes)
    assert one.n_components_ == johnson_lindenstrauss_min_dim(60, eps=0.2)
    ratio = pdist(one.transform(genotypes)) / pdist(filled(genotypes, one.fill_, coding))
    assert np.mean(np.abs(ratio**2 - 1) <= 0.2) > 0.999


def test_distances_of_real_genotypes(shared_data):
    genotypes = open_genotypes(shared_data / "genotypes" / "hapmap3_957.bed")
    genotypes = genotypes.subset(samples=np.arange(0, 957, 8))
    one = RandomSignProjection(eps=0.15).fit(genotypes)
    ratio = pdist(one.transform(genotypes)) / pdist(filled(genotypes, one.fill_, "copies"))
    assert np.mean(np.abs(ratio**2 - 1) <= 0.15) > 0.99


def test_squared_norms_are_unbiased_with_the_variance_of_signs():
    x = np.random.default_rng(1).exponential(size=(1, 40))
    norms = []
    for seed in range(400):
        few = RandomSignProjection(25, random_state=seed).fit_transform(x)
        norms.append((few**2).sum())
    true, fourth = (x**2).sum(), (x**4).sum()
    variance = 2 * (true**2 - fourth) / 25
    assert np.mean(norms) == pytest.approx(true, abs=4 * np.sqrt(variance / 400))
    assert np.var(norms) == pytest.approx(variance, rel=0.4)


def test_other_variants_are_refused(tmp_path, cohort):
    codes = random_codes(0, 12, 23)
    fitted = write_bed(tmp_path / "fitted", codes)
    one = RandomSignProjection(4).fit(open_genotypes(fitted))
    same = open_genotypes(write_bed(tmp_path / "same", codes[:, :9]))  # of other people
    assert one.transform(same).shape == (9, 4)
    with pytest.raises(DataError, match=r"227 variants, where .* 12"):
        one.transform(cohort)
    bim = tmp_path / "same.bim"
    bim.write_text(bim.read_text().replace("v7\t0\t701\tA\tG", "v7\t0\t701\tG\tA"))
    with pytest.raises(DataError, match=r"1 variant of 12 .* 'v7' \(1:701 G/A\), where") as caught:
        one.transform(open_genotypes(tmp_path / "same.bed"))
    assert "\n" not in str(caught.value)


def test_tables_and_genotypes_are_not_taken_for_each_other(cohort):
    X = np.ones((3, 227))
    with pytest.raises(DataError, match="fitted to a table"):
        RandomSignProjection(4).fit(X).transform(cohort)
    with pytest.raises(DataError, match="fitted to genotypes"):
        RandomSignProjection(4).fit(cohort).transform(X)


@pytest.mark.parametrize(
    ("settings", "error", "says"),
    [
        ({}, DataError, "takes .* outputs for 61 samples, more than the 227 columns"),
        ({"coding": "three"}, PlanError, "'copies' or 'indicators'"),
        ({"n_components": 0}, PlanError, "at least 1"),
        ({"n_components": "all"}, PlanError, "'auto'"),
        ({"n_components": 2.5}, PlanError, "whole number"),
        ({"eps": 0.0}, PlanError, "between 0 and 1"),
        ({"eps": 1.5}, PlanError, "eps=1.5"),
    ],
)
def test_settings_that_cannot_be(cohort, settings, error, says):
    with pytest.raises(error, match=says) as caught:
        RandomSignProjection(**settings).fit(cohort)
    assert "\n" not in str(caught.value)


def test_three_indicators_are_three_columns(cohort):
    assert RandomSignProjection(eps=0.3, coding="indicators").fit(cohort).n_components_ == 456


def test_manners_of_a_transformer(cohort):
    one = RandomSignProjection(6).set_output(transform="pandas").fit(cohort)
    found = one.transform(cohort)
    assert isinstance(found, pd.DataFrame)
    assert list(found.columns) == [f"randomsignprojection{k}" for k in range(6)]
    again = pickle.loads(pickle.dumps(one))
    pd.testing.assert_frame_equal(again.transform(cohort), found)
    frame = pd.DataFrame(np.eye(4), columns=list("abcd"))
    assert one.fit(frame).feature_names_in_.tolist() == list("abcd")
    assert one.variants_ is None
    assert not hasattr(one.fit(cohort), "feature_names_in_")
    drawn = {RandomSignProjection(6, random_state=None).fit(cohort).seed_ for _ in range(3)}
    assert len(drawn) == 3


def test_neighbours_after_a_projection_find_what_is_planted(tmp_path):
    simulate_cohort(tmp_path / "made", [60, 0], [0, 60], 4000, divergence=0.1)
    genotypes = open_genotypes(tmp_path / "made.bed")
    y = genotypes.samples.phenotype
    odd = np.arange(120) % 2 == 1
    model = make_pipeline(RandomSignProjection(1500), KNeighborsClassifier(5))
    model.fit(genotypes.subset(samples=odd), y[odd])
    assert model.score(genotypes.subset(samples=~odd), y[~odd]) > 0.9


@pytest.mark.slow
def test_memory_is_that_of_a_block_and_the_result(tmp_path):
    # unpacked to int8 the calls would take 240 MB, the signs as bytes 120
    codes = random_codes(0, 500, 2000)
    stem = tmp_path / "wide"
    write_bed(stem, np.tile(codes, (240, 1)))
    script = """
        import resource, sys
        import numpy as np
        from tamis.genome import RandomSignProjection, open_genotypes
        def peak():
            return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        genotypes = open_genotypes(sys.argv[1])
        genotypes.variants
        one = RandomSignProjection(1000)
        one.fit_transform(genotypes.subset(variants=np.arange(100)))
        before = peak()
        one.fit_transform(genotypes)
        print(peak() - before)
    """
    pytest.importorskip("resource")
    root = Path(sys.modules["tamis"].__file__).parents[1]
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(script), f"{stem}.bed"],
        env={**os.environ, "PYTHONPATH": str(root)},
        capture_output=True,
        text=True,
        check=True,
    )
    # the mapped file (60 MB) counts as memory while it is there
    assert float(done.stdout) < 60 + 40


def test_progress_goes_by_variants_and_only_if_asked_for(cohort, monkeypatch):
    from tamis.genome.study import projection

    bars = []

    class Bar(projection.Progress):
        def __exit__(self, *error):
            bars.append((self.total, self.done, self.label, self.quiet))
            super().__exit__(*error)

    monkeypatch.setattr(projection, "Progress", Bar)
    p = cohort.shape[1]
    loud, silent = (
        RandomSignProjection(5, quiet=quiet).fit_transform(cohort) for quiet in (False, True)
    )
    assert bars == [(p, p, "variants", False), (p, p, "variants", True)]
    np.testing.assert_array_equal(loud, silent)
