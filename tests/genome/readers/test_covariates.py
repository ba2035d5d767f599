"""Covariates of samples from a table."""

from __future__ import annotations

import numpy as np
import pytest

from tamis._core.errors import DataError
from tamis.genome.readers.covariates import read_covariates
from tamis.genome.readers.samples import Samples

SAMPLES = Samples.of_ids(list("abcdef"))


def write(folder, *rows):
    path = folder / "c.txt"
    path.write_text("\n".join(rows) + "\n")
    return path


def test_words_are_those_of_samples_with_all_covariates(tmp_path):
    path = write(
        tmp_path, "IID age centre", "a NA Bonn", "b 1 Rome", "c 2 Oslo", "e 4 Rome", "f 5 NA"
    )
    values, columns, joined = read_covariates(path, SAMPLES)
    assert columns == ["age", "centre=Rome"]
    assert joined == ""
    np.testing.assert_array_equal(values[[1, 2, 4]], [[1, 1], [2, 0], [4, 1]])
    assert np.isnan(values[[0, 3, 5]]).all()
    assert read_covariates(path, SAMPLES, ("age",))[1] == ["age"]


def test_a_plate_is_no_number(tmp_path):
    """Python reads 1_2 as 12."""
    path = write(tmp_path, "IID plate", "a 1_1", "b 1_2", "c 2_1", "d 1_1")
    assert read_covariates(path, SAMPLES)[1] == ["plate=1_2", "plate=2_1"]


@pytest.mark.parametrize(
    ("rows", "words"),
    [
        (("IID centre", "a Rome", "b Rome"), r"centre: all samples have 'Rome': leave it out"),
        (("IID x y", "a 1 NA", "b NA 2"), "no sample has a value of every covariate"),
        (("IID", "a", "b"), "no header that names covariates"),
    ],
)
def test_what_is_no_covariate(tmp_path, rows, words):
    path = write(tmp_path, *rows)
    with pytest.raises(DataError, match=words):
        read_covariates(path, SAMPLES)
