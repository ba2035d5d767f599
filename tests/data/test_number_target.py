"""A target that is a number: read, refused with a remedy that works, or noted."""

from __future__ import annotations

import numpy as np
import pytest

from tamis._core.errors import DataError
from tamis.data import as_dataset, read_table
from tamis.data.dataset import Dataset


def written(tmp_path, values, name="bmi", header="g1,g2"):
    path = tmp_path / "table.csv"
    lines = [f"id,{name},{header}"]
    lines += [f"s{i},{v},{i % 3},{i * 0.5}" for i, v in enumerate(values)]
    path.write_text("\n".join(lines) + "\n")
    return path


def test_values_are_read_as_numbers(tmp_path):
    data = read_table(written(tmp_path, [21.5, "3e1", -2]), target="bmi", regression=True)
    assert data.numbers.tolist() == [21.5, 30.0, -2.0]
    assert data.y is None
    assert data.classes == ()
    assert data.response.kind == "number"
    assert data.response.learnt(data.codes).tolist() == data.numbers.tolist()
    assert "bmi from -2 to 30" in repr(data)


def test_the_logarithm_is_kept_and_marked(tmp_path):
    data = read_table(written(tmp_path, [1, 10, 100]), target="bmi", log_target=True)
    np.testing.assert_allclose(data.numbers, np.log([1, 10, 100]))
    assert data.log_target


@pytest.mark.parametrize(
    ("values", "arguments", "words"),
    [
        ([1.5, 2.5, "high"], {}, "has text in 1 of 3 samples ('high')"),
        ([1.5, 2.5, "inf"], {}, "has the value inf in sample 's2'"),
        ([2, 2, 2], {}, "has the value 2 in all samples"),
        ([0, 1, 1, 0], {}, "two different values, 0 and 1: these are classes"),
        ([1, 0, 5], {"log_target": True}, "1 value of 0 or below, such as 0 in sample 's1'"),
        ([1.5, "", 2.5], {}, "has no value for 1 of 3 samples"),
        ([1.5, 2.5, 3.5], {"positive": "3.5"}, "is a class, and regression=True"),
        ([1.5, 2.5, 3.5], {"categorical": "bmi"}, "leave out one of them"),
    ],
)
def test_what_is_no_number_is_refused_in_one_line(tmp_path, values, arguments, words):
    with pytest.raises(DataError) as caught:
        read_table(written(tmp_path, values), target="bmi", **{"regression": True, **arguments})
    assert words in str(caught.value)
    assert "\n" not in str(caught.value)


def test_the_remedies_of_gaps_and_of_text_work(tmp_path):
    path = written(tmp_path, [1.5, "", 2.5, "high", 4.5])
    data = read_table(path, target="bmi", regression=True, missing="bmi=high", drop_unlabelled=True)
    assert data.numbers.tolist() == [1.5, 2.5, 4.5]
    assert any("2 samples without a value left out" in note for note in data.notes)


def test_decimal_commas_are_read_and_said(tmp_path):
    path = tmp_path / "table.csv"
    path.write_text("id;bmi;g\ns1;21,5;1\ns2;30,25;2\ns3;19,0;4\n")
    data = read_table(path, target="bmi", regression=True)
    assert data.numbers.tolist() == [21.5, 30.25, 19.0]


def test_codes_are_noted(tmp_path):
    data = read_table(written(tmp_path, [1, 2, 3, 1, 2, 3]), target="bmi", regression=True)
    assert any("3 different values (1, 2, 3), read as a number" in note for note in data.notes)


def test_a_time_to_an_event_is_refused_unless_meant(tmp_path):
    path = written(tmp_path, [5, 8, 13, 2], name="os_months", header="os_status,g")
    with pytest.raises(DataError, match="a censored time is no value"):
        read_table(path, target="os_months", regression=True)
    data = read_table(path, target="os_months", regression=True, allow="os_months")
    assert data.numbers.tolist() == [5, 8, 13, 2]


def test_many_numbers_without_saying_so_name_the_argument(tmp_path):
    path = written(tmp_path, np.linspace(0, 1, 30))
    with pytest.raises(DataError, match="say regression=True to predict a number"):
        read_table(path, target="bmi")
    assert read_table(path, target="bmi", regression=True).numbers.shape == (30,)


def test_arrays_are_taken_too():
    X = np.arange(8.0).reshape(4, 2)
    data = as_dataset(X, [1.0, 2.5, 3.0, 9.0], regression=True)
    assert data.numbers.tolist() == [1.0, 2.5, 3.0, 9.0]


def test_digests_tell_numbers_apart():
    X, names = np.eye(3), ("a", "b", "c")
    one = Dataset(X, None, names, numbers=np.array([1.0, 2, 3]))
    same = Dataset(X, None, names, numbers=np.array([1, 2, 3]))
    other = Dataset(X, None, names, numbers=np.array([1.0, 2, 4]))
    logged = Dataset(X, None, names, numbers=np.array([1.0, 2, 3]), log_target=True)
    assert one.digest() == same.digest()
    assert len({one.digest(), other.digest(), logged.digest()}) == 3


@pytest.mark.parametrize("numbers", [[1.0, 2.0], [1.0, 2.0, np.nan]])
def test_a_dataset_refuses_numbers_that_are_not_its_samples(numbers):
    with pytest.raises(DataError):
        Dataset(np.eye(3), None, ("a", "b", "c"), numbers=np.array(numbers))
