"""Genotypes as the table of a study: the same numbers as the calls, counted and taken."""

from __future__ import annotations

import pickle
from dataclasses import replace

import numpy as np
import pytest

from genome.sets import random_codes, write_bed
from tamis._core.errors import DataError
from tamis.data.walks import ExtendedTable, missing_values, narrowed_columns, table_without
from tamis.genome import GenotypeTable, genotype_dataset, open_genotypes
from tamis.genome.readers import genotypes as genotypes_module
from tamis.genome.readers.decoded_source import DecodedSource, decoded_genotypes
from tamis.genome.readers.samples import Samples
from tamis.genome.study.cohort import sample_names, variant_names

COPIES = np.array([2.0, np.nan, 1.0, 0.0])  # of codes


@pytest.fixture
def made(tmp_path):
    """A table, and its matrix by the codes it was written from."""
    codes = random_codes(1, 200, 37)
    path = write_bed(tmp_path / "made", codes, chromosomes=[1] * 120 + [2] * 80)
    return GenotypeTable(open_genotypes(path)), COPIES[codes].T


def test_what_is_taken_is_the_matrix(made):
    table, X = made
    rows, columns = np.array([5, 0, 30]), np.array([150, 3, 4])
    np.testing.assert_array_equal(table.take(None, None), X)
    np.testing.assert_array_equal(table.take(rows, columns), X[np.ix_(rows, columns)])
    blocks = list(table.walk(64))
    np.testing.assert_array_equal(np.hstack([block for _, block in blocks]), X)
    assert [at.start for at, _ in blocks] == [0, 64, 128, 192]
    assert table.take(rows, columns).flags.c_contiguous


def test_counts_are_those_of_the_matrix(made, monkeypatch):
    monkeypatch.setattr(genotypes_module, "BLOCK_BYTES", 10 * 50)
    table, X = made
    groups = np.random.default_rng(0).integers(-1, 3, len(X))
    seen = 0
    for at, counts in table.counts(groups, 3):
        assert at.start == seen
        seen = at.stop
        for g in range(3):
            own = X[groups == g][:, at]
            expected = [(own == v).sum(axis=0) for v in range(3)] + [np.isnan(own).sum(axis=0)]
            np.testing.assert_array_equal(counts[:, g], np.array(expected).T)
    assert seen == table.shape[1]


def test_some_columns_are_a_table_again(made):
    table, X = made
    some = table.only(np.array([2, 70, 199])).only(np.array([0, 2]))
    np.testing.assert_array_equal(some.take(None, None), X[:, [2, 199]])
    assert isinstance(narrowed_columns(table, np.array([1, 5])), GenotypeTable)
    assert some.digest() != table.digest()


def test_variants_far_apart_are_read_one_by_one(made, monkeypatch):
    table, X = made
    asked = []
    source = table.genotypes.sources[0]
    read = source.packed
    monkeypatch.setattr(source, "packed", lambda a, b: asked.append(b - a) or read(a, b))
    np.testing.assert_array_equal(table.take(None, np.array([0, 1, 190])), X[:, [0, 1, 190]])
    assert asked == [2, 1]


def test_pages_that_are_let_go_come_back(made):
    table, X = made
    calls = table.genotypes.sources[0].packed(0, 200)
    before = calls.copy()
    table.genotypes.sources[0].let_go()
    np.testing.assert_array_equal(calls, before)
    np.testing.assert_array_equal(table.take(None, None), X)


def test_near_variants_are_on_the_chromosome(made):
    table, _ = made
    assert table.near(125).min() == 120
    assert 125 in table.near(125)


def test_what_stands_beside_is_taken_with_it(made):
    table, X = made
    extra = np.random.default_rng(0).normal(size=(len(X), 2))
    both = ExtendedTable(table, extra)
    whole = np.hstack([X, extra])
    columns = np.array([201, 4, 200])
    np.testing.assert_array_equal(both.take(None, columns), whole[:, columns])
    np.testing.assert_array_equal(np.hstack([b for _, b in both.walk(90)]), whole)
    assert table_without(both, (200, 201)) is table
    assert missing_values(both) == np.isnan(X).sum()
    assert replace(both, values=extra + 1).digest() != both.digest()


def test_a_worker_has_the_same_table(made):
    table, _ = made
    again = pickle.loads(pickle.dumps(table))
    np.testing.assert_array_equal(again.take(None, None), table.take(None, None))
    assert again.digest() == table.digest()


class Slow:
    """A source that counts what it is asked for."""

    def __init__(self, source):
        self.source, self.asked = source, []
        self.path, self.samples, self.n_variants = source.path, source.samples, source.n_variants

    def packed(self, first, last):
        self.asked.append((first, last))
        return self.source.packed(first, last)


def test_what_takes_time_to_decode_is_decoded_once(made, monkeypatch):
    monkeypatch.setattr("tamis.genome.readers.decoded_source.BLOCK_VARIANTS", 64)
    table, X = made
    slow = Slow(table.genotypes.sources[0])
    again = GenotypeTable(replace(table.genotypes, sources=(DecodedSource(slow),)))
    for _ in range(2):
        np.testing.assert_array_equal(again.take(None, None), X)
        np.testing.assert_array_equal(again.take(None, np.array([130])), X[:, [130]])
    assert sorted(slow.asked) == [(0, 64), (64, 128), (128, 192), (192, 200)]
    assert decoded_genotypes(table.genotypes) == table.genotypes  # a .bed is mapped


STATE = {"samples": True, "target": "state"}


def sheet(tmp_path, text):
    path = tmp_path / "sheet.tsv"
    path.write_text(text)
    return path


def people(last="{0}", n=6):
    """Family, id, state, age and what `last` makes of a site."""
    return "".join(
        f"f{i}\ts{i}\t{'ill' if i % 2 else 'well'}\t{20 + i}\t{last.format('ab'[i // 3])}\n"
        for i in range(n)
    )


def test_a_data_set_has_classes_covariates_groups_and_folds(tmp_path):
    path = write_bed(tmp_path / "made", random_codes(1, 20, 7))
    head = "FID\tIID\tstate\tage\tsite\thome\tfold\tplate\n"
    table = sheet(tmp_path, head + people("{0}\t{0}\t{0}\t{0}"))
    data = genotype_dataset(
        open_genotypes(path),
        "state",
        samples=table,
        covariates=("age", "site", "sex"),
        group="home",
        split="fold",
        batch="plate",
        positive="well",
    )
    assert data.shape == (6, 23)  # the seventh has no class
    assert data.classes == ("ill", "well")
    assert data.covariates == (20, 21, 22)
    assert data.levels == {21: ("a", "b"), 22: ("female", "male")}
    np.testing.assert_array_equal(data.column(20), 20.0 + np.arange(6))
    assert list(data.groups) == list(data.split) == list(data.batches) == list("aaabbb")
    assert any("1 sample without a class" in note for note in data.notes)
    assert data.target == "state"


def test_the_files_themselves_say_classes_sex_and_families(tmp_path):
    path = write_bed(tmp_path / "made", random_codes(1, 20, 6), families=list("aabbcc"))
    data = genotype_dataset(open_genotypes(path), covariates=("sex",), group="FID")
    assert (data.target, data.classes) == ("phenotype", ("1", "2"))
    assert list(data.groups) == list("aabbcc")
    assert data.levels == {20: ("female", "male")}
    lines = [f"{f}\ts{i}\t{i % 2}\t{'mf'[i % 2]}\n" for i, f in enumerate("aabbcc")]
    table = sheet(tmp_path, "FID\tIID\tstate\tsex\n" + "".join(lines))
    again = genotype_dataset(
        open_genotypes(path), "state", samples=table, covariates=("sex", "sex"), group="FID"
    )
    assert again.levels == {20: ("f", "m")}  # that of the table comes first
    assert again.feature_names[20:] == ("sex",)


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        ({"target": "state"}, "is a column of a table of samples"),
        ({"covariates": ("age",)}, "'age' is a column of a table of samples"),
        ({"samples": True, "target": "nothing"}, "has no column 'nothing'"),
        ({"samples": True, "target": "state", "covariates": ("hight",)}, "no column 'hight'"),
        ({"samples": True, "target": "state", "positive": "dead"}, "'dead' is not in column"),
        ({**STATE, "covariates": ("state",)}, "'state' is named both as class and as covariates"),
        ({**STATE, "group": "state"}, "'state' is named both as class and as group"),
        ({**STATE, "group": "site", "covariates": ("site",)}, "both as group and as covariates"),
        ({**STATE, "group": "none"}, "6 samples without a group: 's0'"),
        ({**STATE, "covariates": ("none",)}, "'none' has no value of any sample: leave it out"),
        ({**STATE, "covariates": ("IID",)}, "'IID' has 6 different texts .*fewer categories"),
        ({**STATE, "covariates": ("far",)}, "infinite value in column 'far', sample 's0'"),
        ({**STATE, "covariates": ("v3",)}, "'v3' is a covariate and a variant"),
    ],
)
def test_what_cannot_be_is_told(tmp_path, asked, message):
    path = write_bed(tmp_path / "made", random_codes(1, 20, 6))
    if asked.pop("samples", False):
        head = "FID\tIID\tstate\tage\tsite\tnone\tfar\tv3\n"
        asked["samples"] = sheet(tmp_path, head + people("{0}\tNA\tinf\t1"))
    with pytest.raises(DataError, match=message):
        genotype_dataset(open_genotypes(path), **asked)


def test_names_are_unique(tmp_path):
    path = write_bed(tmp_path / "made", random_codes(1, 6, 6))
    bim = (
        "1 rs1 0 5 A G\n1 . 0 9 A G\n1 . 0 9 A G\n2 rs2 0 5 A G\n2 rs2 0 7 A C\n2 1:9:A:G 0 9 T C\n"
    )
    path.with_suffix(".bim").write_text(bim)
    found = variant_names(open_genotypes(path).variants)
    assert found == ("rs1", "1:9:A:G#2", "1:9:A:G#3", "2:5:A:G", "2:7:A:C", "1:9:A:G")
    assert sample_names(Samples.of_ids(["a", "b"])) == ("a", "b")
    twins = replace(Samples.of_ids(["a", "a"]), family=np.array(["f", "g"], dtype=object))
    assert sample_names(twins) == ("f:a", "g:a")


def test_broken_lines_are_left_out(tmp_path):
    path = write_bed(tmp_path / "made", random_codes(1, 6, 6))
    lines = path.with_suffix(".bim").read_text().splitlines()
    lines[2] = "nonsense"
    path.with_suffix(".bim").write_text("\n".join(lines) + "\n")
    data = genotype_dataset(open_genotypes(path))
    assert data.shape == (6, 5)
    assert "v2" not in data.feature_names
    assert "left out (broken line): 1 variant" in data.notes


def test_negative_positions_are_left_out(tmp_path):
    path = write_bed(tmp_path / "made", random_codes(1, 6, 6))
    lines = path.with_suffix(".bim").read_text().splitlines()
    lines[2] = "1\tv2\t0\t-201\tA\tG"
    path.with_suffix(".bim").write_text("\n".join(lines) + "\n")
    data = genotype_dataset(open_genotypes(path))
    assert data.feature_names == ("v0", "v1", "v3", "v4", "v5")
    assert "left out (negative position): 1 variant" in data.notes


@pytest.mark.parametrize("calls", [[3] * 6, [1] * 6, [1, 0, 1, 0, 0, 1]])
def test_variants_of_which_none_differs_are_refused(tmp_path, calls):
    codes = np.tile(np.array(calls), (130, 1))
    with pytest.raises(DataError, match="none of 130 variants differs between samples"):
        genotype_dataset(open_genotypes(write_bed(tmp_path / "same", codes)))
    codes[129, :2] = 0, 2  # one is enough, were it the last
    assert genotype_dataset(open_genotypes(write_bed(tmp_path / "made", codes))).shape == (6, 130)


def test_samples_without_a_family_stand_alone(tmp_path):
    path = write_bed(tmp_path / "made", random_codes(1, 20, 6), families=list("aa0000"))
    data = genotype_dataset(open_genotypes(path), group="FID")
    assert list(data.groups) == ["a", "a", "0 s2", "0 s3", "0 s4", "0 s5"]
    assert any("4 samples stand alone" in note for note in data.notes)
    table = sheet(tmp_path, "FID\tIID\tstate\n" + "".join(f"0\ts{i}\t{i % 2}\n" for i in range(6)))
    data = genotype_dataset(open_genotypes(path), "state", samples=table, group="FID")
    assert len(set(data.groups)) == 6


COVARIATES = "IID\tstate\tnone\tlarge\tname\tage\n" + "".join(
    f"s{i}\t{'ab'[i % 2]}\tNA\t{'inf' if i == 3 else i}\tn{i}\t{i}\n" for i in range(6)
)


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        ({"covariates": ("state",)}, "'state' is named both as class and as covariates"),
        ({"group": "state"}, "'state' is named both as class and as group"),
        ({"group": "none"}, "6 samples without a group: 's0'"),
        ({"covariates": ("none",)}, "'none' has no value of any sample"),
        ({"covariates": ("large",)}, "infinite value in column 'large', sample 's3'"),
        ({"covariates": ("name",)}, "'name' has 6 different texts"),
    ],
)
def test_columns_that_cannot_be_what_they_are_to_be(tmp_path, asked, message):
    path = write_bed(tmp_path / "made", random_codes(1, 20, 6))
    with pytest.raises(DataError, match=message):
        genotype_dataset(
            open_genotypes(path), "state", samples=sheet(tmp_path, COVARIATES), **asked
        )


def test_a_covariate_named_twice_is_one(tmp_path):
    path = write_bed(tmp_path / "made", random_codes(1, 20, 6))
    table = sheet(tmp_path, COVARIATES)
    data = genotype_dataset(open_genotypes(path), "state", samples=table, covariates=("age", "age"))
    assert data.feature_names[20:] == ("age",)
