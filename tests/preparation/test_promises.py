"""What a step promises of its columns is looked at when it is fitted."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest

from checks.faulty import Clip, Clipped
from tamis._core.errors import MethodError
from tamis._core.interfaces import FittedStep
from tamis._core.registry import with_rows
from tamis._core.rows import StepRow
from tamis.data.dataset import Dataset
from tamis.preparation.chain import NamedStep, fit_chain
from tamis.preparation.step import StepTransformer
from tamis.study import run_study


@dataclass(frozen=True)
class Fixed(FittedStep):
    """It gives what it was made with, whatever it says."""

    columns: np.ndarray
    given: np.ndarray

    def transform(self, X):
        return self.given


class Says(StepTransformer):
    """A step of these columns."""

    created = ("sum",)
    columns, given = np.arange(2), np.zeros((4, 2))

    def learn(self, X, y):
        return Fixed(np.array(self.columns), self.given)


SAYS = StepRow("says", f"{__name__}:Says", "what it says")
CLIP = StepRow("clip_all", "checks.faulty:Clip", "clipped, missing values too")
NAN = np.nan


def fitted(X, name="says"):
    with with_rows([SAYS, CLIP]):
        every = np.ones(X.shape[1], dtype=bool)
        return fit_chain([NamedStep(name)], X, np.array([0, 1, 0, 1]), every, created=["sum"])


def test_missing_values_made_of_numbers_are_refused_in_one_line():
    """`np.quantile` of a column with a missing value is none."""
    X = np.random.default_rng(0).normal(size=(4, 5))
    fitted(X, "clip_all")
    X[1, [0, 3]] = NAN
    with pytest.raises(MethodError, match="'clip_all' makes missing values in 2 of 5 columns") as e:
        fitted(X, "clip_all")
    assert e.value.check == "missing-made"
    assert "nanquantile" in str(e.value)
    assert "\n" not in str(e.value)


def test_a_study_stops_before_a_column_is_lost(tmp_path):
    X = np.random.default_rng(0).normal(size=(40, 8))
    X[3, 2] = NAN
    data = Dataset(X, np.array(["a", "b"] * 20), tuple("abcdefgh"))
    plan = {"prepare": ["clip_all"], "method": [{"select": "pearson", "sizes": [2]}]}
    with with_rows([CLIP]), pytest.raises(MethodError, match="makes missing values in 1 of 8"):
        run_study(data, plan, tmp_path / "s")


def test_missing_values_may_stay_and_may_be_filled(monkeypatch):
    X = np.array([[NAN, 1.0], [2.0, 3.0], [4.0, NAN], [1.0, 2.0]])
    for given in (X, np.zeros((4, 2))):
        monkeypatch.setattr(Says, "given", given)
        np.testing.assert_array_equal(fitted(X).X, given)


@pytest.mark.parametrize("value", [NAN, np.inf])
def test_a_column_created_has_a_number_where_all_inputs_have(monkeypatch, value):
    X = np.array([[NAN, 1.0], [2.0, 3.0], [4.0, NAN], [1.0, 2.0]])
    monkeypatch.setattr(Says, "columns", [2])
    monkeypatch.setattr(Says, "given", np.array([[value], [1.0], [value], [1.0]]))
    assert fitted(X).columns.tolist() == [2]
    monkeypatch.setattr(Says, "given", np.array([[1.0], [value], [1.0], [1.0]]))
    with pytest.raises(MethodError, match="makes missing values in 1 of 1 column"):
        fitted(X)


@pytest.mark.parametrize("columns", [[1, 0], [0, 0], [0, 3], [-1, 0]])
def test_columns_that_are_no_inputs_are_refused(monkeypatch, columns):
    monkeypatch.setattr(Says, "columns", columns)
    with pytest.raises(MethodError, match="must be rising numbers below 3"):
        fitted(np.zeros((4, 2)))


@pytest.mark.parametrize("column", [2, 4])
def test_a_step_may_give_some_of_the_columns_that_it_may_create(monkeypatch, column):
    monkeypatch.setattr(Says, "created", ("a", "b", "sum"))
    monkeypatch.setattr(Says, "columns", [column])
    monkeypatch.setattr(Says, "given", np.zeros((4, 1)))
    with with_rows([SAYS]):
        found = fit_chain(
            [NamedStep("says")],
            np.zeros((4, 2)),
            np.array([0, 1, 0, 1]),
            np.ones(2, dtype=bool),
            created=["a", "b", "sum"],
        )
    assert found.columns.tolist() == [column]
    assert not found.same.any()


def test_columns_dropped_without_a_word_are_refused(monkeypatch):
    monkeypatch.setattr(Says, "given", np.zeros((4, 1)))
    with pytest.raises(MethodError, match="gives 1 column and says that they are 2"):
        fitted(np.zeros((4, 2)))


def test_the_faulty_step_keeps_numbers_where_nothing_is_missing():
    X = np.random.default_rng(0).normal(size=(20, 3))
    assert isinstance(Clip().learn(X, np.zeros(20)), Clipped)


class Bare:
    """It has the methods, and inherits no interface."""

    columns = np.arange(4)

    def transform(self, X):
        return X


class GivesBare(StepTransformer):
    """A step whose fitted form lacks what `FittedStep` has."""

    def learn(self, X, y):
        return Bare()


def test_what_a_step_learns_inherits_its_interface():
    row = StepRow("gives_bare", f"{__name__}:GivesBare", "nothing", "nothing")
    X = np.zeros((6, 4))
    with with_rows([row]), pytest.raises(MethodError, match=r"subclass of .*\.FittedStep"):
        fit_chain([NamedStep("gives_bare")], X, np.zeros(6, dtype=int), np.ones(4, dtype=bool))
