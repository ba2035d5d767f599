"""Classes and strata of samples."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from tamis._core.errors import DataError
from tamis.genome.readers.classes import groups_of

GENOTYPES = SimpleNamespace(shape=(4, 10), samples=None)
LABELS = ["a", "b", "a", "b"]


@pytest.mark.parametrize("strata", [["x", "y", None, "x"], [None] * 4, ["x", "y", "x"]])
def test_every_sample_needs_a_stratum(strata):
    with pytest.raises(DataError, match="strata: one is needed for each of 4 samples"):
        groups_of(GENOTYPES, LABELS, strata=strata)


def test_strata_are_numbered_by_their_names():
    found = groups_of(GENOTYPES, LABELS, strata=["y", "y", "x", "x"])
    assert found.strata.tolist() == [1, 1, 0, 0]
    assert found.codes.tolist() == [0, 1, 0, 1]
