"""Detection calls against affy, and as a table of letters."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from expression.made_up import tables
from tamis._core.errors import DataError, PlanError
from tamis.expression import detection_calls

GOLDENS = Path(__file__).parents[1] / "goldens"
NAMES = ["few", "even"]


@pytest.mark.parametrize("name", NAMES)
def test_as_affy(name):
    pm, mm, sets = tables()[name]
    expected = np.array(json.loads((GOLDENS / f"rma_{name}.json").read_text())["detection"])
    found = detection_calls(pm, mm, sets)
    np.testing.assert_allclose(found.p_values, expected, rtol=0, atol=1e-14)
    calls = np.where(expected < 0.04, "P", np.where(expected < 0.06, "M", "A"))
    assert (found.calls == calls).all()
    assert set("PA") <= set(calls.ravel())
    assert found.frame().columns.tolist() == sorted(set(sets))


@pytest.mark.parametrize("exact", [False, True])
def test_each_array_by_itself_and_any_threads(exact):
    pm, mm, sets = tables()["even"]
    found = detection_calls(pm, mm, sets, exact=exact)
    other = detection_calls(pm[3:4], mm[3:4].astype(np.float32), sets, exact=exact, n_jobs=2)
    np.testing.assert_array_equal(other.p_values[0], found.p_values[3])


def test_only_the_exact_test_knows_how_few_pairs_there_are():
    """No p-value of k pairs is below 2 to the power of -k."""
    pm, mm, sets = tables()["even"]
    least = 0.5 ** np.unique(sets, return_counts=True)[1]
    assert (detection_calls(pm, mm, sets, exact=True).p_values >= least * (1 - 1e-12)).all()
    assert (detection_calls(pm, mm, sets).p_values < least).any()


def test_sets_present_in_a_share_of_the_arrays():
    pm, mm, sets = tables()["even"]
    found = detection_calls(pm, mm, sets)
    shares = (found.calls == "P").mean(axis=0)
    np.testing.assert_array_equal(found.present_in(0.5), shares >= 0.5)
    assert found.present_in(0.0).all()


@pytest.mark.parametrize(
    ("change", "error", "words"),
    [
        ({"MM": np.ones((1, 3))}, DataError, "give pairs"),
        ({"MM": np.array([[-1.0, 1.0]])}, DataError, "array 0 has intensities of PM and MM"),
        ({"PM": np.array([[0.0, 1.0]]), "MM": np.array([[0.0, 1.0]])}, DataError, "or both 0"),
        ({"alpha1": 0.5}, PlanError, "give 0 < alpha1 <= alpha2 < 1"),
        ({"tau": 2.0}, PlanError, "tau=2.0"),
        ({"probe_sets": ["s"]}, DataError, "1 name for 2 probes"),
    ],
)
def test_what_cannot_be_is_said_in_one_line(change, error, words):
    given = {"PM": np.ones((1, 2)), "MM": np.ones((1, 2)), "probe_sets": ["s", "s"], **change}
    with pytest.raises(error, match=words):
        detection_calls(**given)
