"""Parts of cohorts: samples, chromosomes, regions, several files."""

from __future__ import annotations

import numpy as np
import pytest

from genome.sets import random_codes, write_bed
from tamis._core.errors import DataError
from tamis.genome import mtd_scan, open_genotypes
from tamis.genome.readers.variants import plain_chromosome

CHROMOSOMES = ["chr1"] * 5 + ["X"] * 4 + ["23"] * 3 + ["odd"]


@pytest.fixture
def genotypes(tmp_path):
    return open_genotypes(
        write_bed(tmp_path / "a", random_codes(2, 13, 30), chromosomes=CHROMOSOMES)
    )


def test_parts_are_those_of_all_calls(genotypes):
    everything = genotypes.calls()
    rows = np.array([7, 3, 29])
    part = genotypes.subset(samples=rows, chromosome=1)
    np.testing.assert_array_equal(part.calls(), everything[rows][:, :5])
    again = part.subset(samples=[True, False, True], variants=[4, 1])
    np.testing.assert_array_equal(again.calls(), everything[[7, 29]][:, [1, 4]])
    assert again.samples.id.tolist() == ["s7", "s29"]
    assert again.variants.id.to_pylist() == ["v1", "v4"]
    assert genotypes.subset(chromosome="chrX").shape == (30, 7)
    assert genotypes.subset(region="1:101-301").variants.id.to_pylist() == ["v1", "v2", "v3"]
    assert genotypes.subset(variants=["v9", "v2"]).variants.id.to_pylist() == ["v2", "v9"]
    assert genotypes.subset(samples=["s5"]).shape == (1, 13)
    assert genotypes.subset(samples=["s9", "s2"]).samples.id.tolist() == ["s9", "s2"]
    assert genotypes.subset(variants=np.array(["v3"])).shape == (30, 1)


@pytest.mark.parametrize(
    ("asked", "says"),
    [
        ({"chromosome": 7}, "on 7"),
        ({"region": "1:5"}, "chromosome:first-last"),
        ({"region": "1:9-5"}, "ends before"),
        ({"samples": ["s1", "s1"]}, "twice"),
        ({"region": "1:1000000-2000000"}, "on '1:1000000-2000000'"),
        ({"samples": ["nobody"]}, "no sample has the id 'nobody'"),
        ({"samples": [1, 1]}, "twice"),
        ({"samples": [30]}, "from 0 to 29"),
        ({"samples": [True]}, "mask of 1 sample"),
        ({"samples": []}, "one at least"),
        ({"variants": np.zeros(13, bool)}, "no variant is left"),
    ],
)
def test_parts_that_are_none(genotypes, asked, says):
    with pytest.raises(DataError, match=says):
        genotypes.subset(**asked)


def test_files_of_one_cohort_are_one(tmp_path, genotypes):
    more = write_bed(tmp_path / "b", random_codes(3, 4, 30), chromosomes=[2] * 4)
    both = open_genotypes([tmp_path / "a.bed", more])
    assert both.shape == (30, 17)
    expected = np.hstack([genotypes.calls(), open_genotypes(more).calls()])
    np.testing.assert_array_equal(both.calls(), expected)
    part = both.subset(variants=np.array([0, 12, 13, 16]), samples=np.arange(5, 25))
    np.testing.assert_array_equal(part.calls(), expected[5:25][:, [0, 12, 13, 16]])
    for width in (1, 2, 5, None):
        pieces = part.pieces(width)
        assert sum(len(piece.packed()) for piece in pieces) == sum(map(len, pieces)) == 4
        np.testing.assert_array_equal(mtd_scan(part, width=width).scores, mtd_scan(part).scores)


def test_files_of_other_samples_are_no_cohort(tmp_path, genotypes):
    other = write_bed(tmp_path / "b", random_codes(3, 4, 29))
    with pytest.raises(DataError, match=r"samples of 'a\.bed'"):
        open_genotypes([tmp_path / "a.bed", other])


def test_the_digest_is_of_files_and_parts(tmp_path, genotypes):
    same = write_bed(tmp_path / "c", random_codes(2, 13, 30), chromosomes=CHROMOSOMES)
    assert open_genotypes(same).digest() == genotypes.digest()
    assert genotypes.subset(samples=[1, 2]).digest() != genotypes.digest()
    same.with_suffix(".fam").write_text(same.with_suffix(".fam").read_text().replace("s3", "x3"))
    assert open_genotypes(same).digest() != genotypes.digest()


def test_names_of_chromosomes():
    assert plain_chromosome("chr") == "CHR"
    assert plain_chromosome("chrM") == plain_chromosome("MT") == plain_chromosome(26)


@pytest.mark.parametrize("folder", [".", "/", ".."])
def test_a_folder_is_no_file_of_genotypes(folder):
    with pytest.raises(DataError, match="is a folder; genotypes are read from"):
        open_genotypes(folder)
