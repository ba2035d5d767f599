"""Which samples and classes commands on genotypes take, and what is said of the others."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from genome.sets import random_codes, write_bed
from tamis._core.errors import DataError, PlanError
from tamis.cli import _genome_options as options
from tamis.cli import _genome_relatives as relatives
from tamis.cli._genome_options import Cohort, GenomeOptions, open_cohort


@pytest.fixture
def given(tmp_path, monkeypatch):
    """Options that name a cohort of six people on two chromosomes."""
    lines = []
    for place in (options, relatives):
        monkeypatch.setattr(place, "say_to_user", lambda text, quiet=False: lines.append(text))

    def make(phenotypes=(1, 2, 1, 2, 1, 2), table=None, **more):
        families = ["f0", "f0", "f1", "f1", "f2", "f2"]
        codes, chromosomes = random_codes(0, 4, 6), [1, 1, 2, 2]
        path = write_bed(tmp_path / "made", codes, list(phenotypes), chromosomes, families)
        pheno = None
        if table is not None:
            pheno = tmp_path / "people.csv"
            pheno.write_text(table)
        usual = {"chromosome": None, "region": None, "n_jobs": 1, "out": None, "as_json": False}
        usual |= {"quiet": False, "force": None, "pheno": pheno}
        return GenomeOptions(files=(path,), **(usual | more))

    make.lines = lines
    return make


TABLE = "IID,status,place\ns0,ill,north\ns1,well,south\ns2,ill,\ns3,,south\nx,well,north\n"


def test_classes_of_the_fam_are_taken(given):
    found = open_cohort(given())
    assert found.name == "made"
    assert found.labels.tolist() == ["1", "2", "1", "2", "1", "2"]
    assert (found.strata, found.column) == (None, None)
    assert given.lines == []
    some = open_cohort(given(phenotypes=(1, 2, -9, 2, 1, 0)))
    assert some.labels.tolist() == ["1", "2", "2", "1"]
    assert some.genotypes.samples.id.tolist() == ["s0", "s1", "s3", "s4"]
    assert "2 samples have none and are left out" in given.lines[-1]


def test_a_chromosome_is_a_part(given):
    assert open_cohort(given(chromosome="2")).genotypes.shape[1] == 2
    with pytest.raises(DataError, match=r"^no variant on '7': nothing is left to look at"):
        open_cohort(given(chromosome="7"))


def test_classes_and_strata_of_a_table(given):
    found = open_cohort(given(table=TABLE, pheno_name="status"), strata="place")
    assert found.labels.tolist() == ["ill", "well"]  # s2 has no place, s3 no class
    assert found.strata.tolist() == ["north", "south"]
    assert found.column == "status"
    assert given.lines == [
        "people.csv: 1 row of people who have no genotypes",
        "people.csv, status: 4 samples have none and are left out",
    ]
    families = open_cohort(given(table=TABLE, pheno_name="status"), strata="FID")
    assert families.strata.tolist() == ["f0", "f0", "f1"]


def test_the_column_that_is_taken_is_told(given):
    table = "IID,status\n" + "".join(f"s{k},{k % 2}\n" for k in range(6))
    found = open_cohort(given(table=table.replace(",1", ",2").replace(",0", ",1")))
    assert found.labels.tolist() == ["1", "2"] * 3
    assert given.lines[0] == "people.csv: classes are those of its column 'status'"


@pytest.mark.parametrize(
    ("more", "says"),
    [
        ({"pheno_name": "status"}, "--pheno-name names a column of --pheno FILE: give that too"),
        ({"strata": "place"}, "--strata names a column of --pheno FILE: give that too"),
        ({"phenotypes": (-9,) * 6}, "says no class of any sample: give --pheno FILE"),
        (
            {"table": "IID,status\ns0,\ns1,\n", "pheno_name": "status"},
            "people.csv, status says no class of any sample: name another column, --pheno-name COL",
        ),
    ],
)
def test_what_says_no_class_is_refused(given, more, says):
    strata = more.pop("strata", None)
    with pytest.raises((PlanError, DataError)) as error:
        open_cohort(given(**more), strata)
    assert str(error.value).endswith(says)


def test_commands_without_classes_take_all(given):
    nobody = given(phenotypes=(-9,) * 6)
    found = open_cohort(nobody, classless=True)
    assert (found.labels, found.strata, found.genotypes.shape[0]) == (None, None, 6)
    one = open_cohort(given(phenotypes=(1, 1, -9, 1, 1, 1)), classless=True)
    assert (one.labels, one.genotypes.shape[0]) == (None, 6)
    assert given.lines[-1].endswith("; there are no classes then")
    with pytest.raises(DataError):
        open_cohort(given(phenotypes=(1, 1, -9, 1, 1, 1)))
    every = open_cohort(given(phenotypes=(1, 2, -9, 1, 2, 1)), classless=True, everyone=True)
    assert every.labels.tolist() == ["1", "2", None, "1", "2", "1"]
    assert every.genotypes.shape[0] == 6


def test_what_quality_control_keeps(given, monkeypatch):
    cohort = replace(open_cohort(given()), strata=np.array(list("aabbcc")), column="status")
    kept = np.array([True, True, False, False, True, False])
    found = SimpleNamespace(
        kept_samples=kept,
        apply=lambda: "what is kept",
        summary=lambda: "summary",
        to_dict=lambda: {"numbers": 1},
    )
    after = cohort.after(found)
    assert (after.name, after.genotypes, after.column) == ("made", "what is kept", "status")
    assert (after.labels.tolist(), after.strata.tolist()) == (["1", "2", "1"], ["a", "a", "c"])
    assert Cohort("x", None, None, None).after(found).labels is None
    calls = []

    def quality_control(genotypes, y, **more):
        calls.append((y is None, more))
        return found

    monkeypatch.setattr("tamis.genome.quality_control", quality_control)
    assert options.after_quality(cohort, given()) == (cohort, None)
    assert not calls
    checked, numbers = options.after_quality(cohort, given(qc=True))
    assert (checked.labels.tolist(), numbers) == (["1", "2", "1"], {"numbers": 1})
    assert given.lines == ["summary"]
    options.after_quality(cohort, given(qc=True), by_class=False)
    assert calls == [
        (False, {"n_jobs": 1, "quiet": False}),
        (True, {"hardy": None, "n_jobs": 1, "quiet": False}),
    ]
    kept[1] = False
    with pytest.raises(DataError, match=r"--qc leaves 2 samples of fewer than two classes: look"):
        options.after_quality(cohort, given(qc=True))


def test_settings_name_the_column_that_was_taken(given):
    found = options.settings_of(Cohort("x", None, None, None, "status"), given(), seed=3)
    assert found["files"] == [str(given().files[0])]
    assert {key: found[key] for key in ("pheno", "pheno_name", "class_column", "seed")} == {
        "pheno": None,
        "pheno_name": None,
        "class_column": "status",
        "seed": 3,
    }
    names = ("a.bed", "b.vcf.gz", "c.pgen", "d.vcf.zst")
    assert [options.cohort_name((Path(one),)) for one in names] == ["a", "b", "c", "d"]


@pytest.fixture
def related(monkeypatch):
    """Relatives that are looked for and found, of whom some are left out."""

    def find(kept, smallest=0.01):
        found = SimpleNamespace(
            unrelated=lambda degree: np.array(kept),
            smallest=smallest,
            among=lambda rows: found,
            to_dict=lambda n: {},
            n_variants=1234,
        )
        monkeypatch.setattr(
            "tamis.genome.structure.relatives.look_for_relatives",
            lambda *_: None if kept is None else found,
        )
        monkeypatch.setattr(
            "tamis.genome.structure.relatives_words.remarks_on_relatives",
            lambda numbers, *given: [f"of {given}"],
        )

    return find


def test_relatives_are_left_out_where_that_is_wished(given, related):
    cohort = replace(open_cohort(given()), strata=np.array(list("aabbcc")))
    related([True, True, False, True, False, True])
    same, remarks = relatives.look_at_relatives(cohort, given(), "r", "a", "d")
    assert (same, remarks) == (cohort, ["of ('r', 'a', 'd')"])
    fewer, remarks = relatives.look_at_relatives(cohort, given(unrelated=2), None, None)
    assert fewer.genotypes.samples.id.tolist() == ["s0", "s1", "s3", "s5"]
    assert (fewer.labels.tolist(), fewer.strata.tolist()) == (["1", "2", "2", "2"], list("aabc"))
    assert remarks == ["2 of 6 samples are left out (--unrelated 2).", "of (None, None, None)"]
    assert given.lines[-2:] == remarks


def test_degrees_that_these_variants_do_not_tell_are_remarked_on(given, related):
    from tamis.genome.structure.degrees import DEGREE_BORDERS

    cohort, border = open_cohort(given()), DEGREE_BORDERS[2]
    for smallest, remarked in [(1.005 * border, False), (1.02 * border, True)]:
        related([True] * 6, smallest)
        same, remarks = relatives.look_at_relatives(cohort, given(unrelated=2), None, None)
        assert same is cohort
        assert remarks[0] == "0 of 6 samples are left out (--unrelated 2)."
        assert any("degree 2 begins at" in one for one in remarks) is remarked


def test_of_one_class_alone_nothing_can_be_scanned(given, related):
    cohort = open_cohort(given())
    related([True, False, True, False, False, False])
    with pytest.raises(
        DataError, match=r"^--unrelated 1 leaves 2 samples of one class: give a low"
    ):
        relatives.look_at_relatives(cohort, given(unrelated=1), None, None)
    fewer, _ = relatives.look_at_relatives(cohort, given(unrelated=1), None, None, classless=True)
    assert fewer.labels.tolist() == ["1", "1"]


def test_where_relatives_cannot_be_looked_for_nobody_is_left_out(given, related):
    cohort = open_cohort(given())
    related(None)
    assert relatives.look_at_relatives(cohort, given(), "r", None) == (cohort, [])
    same, remarks = relatives.look_at_relatives(cohort, given(unrelated=0), "r", None)
    assert same is cohort
    assert remarks == [relatives.NOBODY_LEFT_OUT_MESSAGE.format(0)] == given.lines
