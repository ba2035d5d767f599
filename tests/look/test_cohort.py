"""What a look at genotypes finds."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest

from common.typed import faults
from genome.sets import random_codes, write_bed
from tamis._core.errors import DataError
from tamis.genome import open_genotypes, quality_control, simulate_cohort
from tamis.genome.structure.relatives_words import remarks_on_relatives
from tamis.genome.study.cohort import read_people
from tamis.look import look_at_cohort
from tamis.look.schema import CohortContent


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """Two populations, the classes unlike in them, a person twice, some missing calls."""
    path = tmp_path_factory.mktemp("cohort") / "made"
    simulate_cohort(path, [60, 20], [20, 60], 3000, divergence=0.1, missing=0.02, seed=1)
    return open_genotypes(path)


def content_of(look):
    found = json.loads(json.dumps(look.to_dict(), allow_nan=False))
    assert not list(faults(found, CohortContent))
    return found


def test_a_cohort_is_told(made):
    genotypes, people = read_people(made, batch="FID")
    look = look_at_cohort(genotypes, people)
    found = content_of(look)
    assert (found["samples"], found["variants"], found["name"]) == (160, 3000, "made")
    assert found["classes"] == [{"name": "1", "n": 80}, {"name": "2", "n": 80}]
    assert sum(one["n"] for one in found["chromosomes"]) == 3000
    assert found["called"] == pytest.approx(0.98, abs=0.005)
    assert found["quality"] == quality_control(made, people.y).to_dict()
    assert "different populations" in found["remarks"][-1]
    first = found["components"]["components"][0]
    assert first["by_batch"] > 0.95  # populations
    assert 0.1 < first["by_class"] < 0.5
    assert [one["code"] for one in found["cautions"]] == ["batch-confounded"]
    assert look.summary().startswith("made: 160 samples (80 phenotype = 1, 80 phenotype = 2)")
    assert (
        repr(look)
        == "CohortLook(made: 160 samples (80 phenotype = 1, 80 phenotype = 2), 3,000 variants)"
    )


def test_frames(made):
    look = look_at_cohort(*read_people(made))
    assert len(look.frame()) == 3000
    samples = look.samples_frame()
    assert samples["class"].tolist() == look.people.y.tolist()
    np.testing.assert_array_equal(samples["PC1"], look.components.scores[:, 0])


def test_a_person_twice_is_told(tmp_path):
    codes = random_codes(3, 2000, 40)
    codes[:, 7] = codes[:, 3]
    genotypes = open_genotypes(write_bed(tmp_path / "twice", codes))
    found = content_of(look_at_cohort(genotypes))
    assert found["relatives"]["relations"]["duplicate or twin"] == 1
    assert "one person twice" in found["remarks"][0]


def test_pairs_that_make_up_the_relatives_are_all_told():
    relations = {"duplicate or twin": 7, "second degree": 2, "third degree": 1}
    numbers = {"relations": relations, "relatives": 19, "samples": 427, "apart": 0.0}
    twice, related = remarks_on_relatives(numbers, "group them", None, "drop one")
    assert twice.startswith("7 pairs of samples are one person twice")
    assert "(7 pairs of duplicates or twins, 2 pairs of the second degree and 1 pair" in related
    only = {**numbers, "relations": {"duplicate or twin": 7}}
    assert len(remarks_on_relatives(only, "group them", None, "drop one")) == 1


def test_a_cohort_that_quality_control_would_leave_nobody_of_is_looked_at(tmp_path):
    """Cases and controls of two arrays, the controls without some of the variants."""
    codes = random_codes(5, 1000, 40)
    codes[::4, 20:] = 1  # no call
    path = write_bed(tmp_path / "arrays", codes)
    fam = path.with_suffix(".fam")
    lines = [line.split()[:5] for line in fam.read_text().splitlines()]
    fam.write_text("".join(" ".join([*line, "12"[k < 20]]) + "\n" for k, line in enumerate(lines)))
    look = look_at_cohort(*read_people(open_genotypes(path)))
    found = content_of(look)
    assert found["remarks"][0].startswith(
        "quality control with its default limits stops: no sample"
    )
    assert found["called"] == pytest.approx((codes != 1).mean())
    assert "quality control with its default limits stops" in look.summary()
    assert "default limits stops" in look.write_report(tmp_path / "look.html").read_text()


def test_without_classes(tmp_path):
    path = write_bed(tmp_path / "none", random_codes(1, 300, 30))
    fam = path.with_suffix(".fam")
    lines = [line.split()[:5] for line in fam.read_text().splitlines()]
    for phenotype, why in (("-9", "says no class"), ("2", "has one class only")):
        fam.write_text("".join(" ".join([*line, phenotype]) + "\n" for line in lines))
        genotypes, people = read_people(open_genotypes(path), classless=True)
        assert people.y is None
        assert why in people.notes[0]
        assert content_of(look_at_cohort(genotypes, people))["classes"] == []
        with pytest.raises(DataError, match="class"):
            read_people(open_genotypes(path))


@pytest.mark.parametrize(("variants", "samples"), [(1, 30), (300, 2), (1, 2)])
def test_small_cohorts(tmp_path, variants, samples):
    path = write_bed(tmp_path / "small", random_codes(1, variants, samples))
    found = look_at_cohort(open_genotypes(path))
    assert content_of(found)["variants"] == variants


def test_threads_do_not_matter(made):
    genotypes, people = read_people(made)
    one, two = (content_of(look_at_cohort(genotypes, people, n_jobs=n)) for n in (1, 2))
    assert one == two


def test_people_of_other_samples_are_refused(made):
    genotypes, people = read_people(made)
    few = replace(people, X=people.X[:5], y=people.y[:5], sample_names=people.sample_names[:5])
    with pytest.raises(DataError, match="people are 5, where there are 160 samples"):
        look_at_cohort(genotypes, few)


def test_covariates_are_told(tmp_path, made):
    sheet = tmp_path / "people.tsv"
    ids = made.samples.id
    rows = [f"{name}\t{k % 2}\t{'ab'[k % 2]}\t{k}" for k, name in enumerate(ids)]
    sheet.write_text("\n".join(["IID\tstatus\tsite\tage", *rows]) + "\n")
    genotypes, people = read_people(
        made, "status", samples=sheet, covariates=["age", "site"], batch=None
    )
    assert people.feature_names == ("age", "site")
    assert people.levels == {1: ("a", "b")}
    found = content_of(look_at_cohort(genotypes, people))
    assert found["covariates"] == ["age", "site"]
    assert found["target"] == "status"
