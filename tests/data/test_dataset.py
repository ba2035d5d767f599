"""Dataset: what its digest covers, class codes, the positive class, rows and columns."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import FrozenInstanceError, replace

import numpy as np
import pytest

from tamis._core.errors import DataError
from tamis.data.dataset import Dataset, check_unique


def made(**changes):
    X = np.array([[1.0, 0.0, 2.5], [2.0, 1.0, np.nan], [3.0, 0.0, -1.0], [4.0, 2.0, 0.0]])
    given = {
        "X": X,
        "y": np.array(["a", "b", "b", "a"]),
        "feature_names": ("g1", "g2", "g3"),
        "sample_names": ("s1", "s2", "s3", "s4"),
        "levels": {1: ("low", "mid", "high")},
        "groups": np.array(["p", "p", "q", "r"]),
        "split": np.array(["1", "1", "2", "2"]),
        "covariates": (2,),
    }
    return Dataset(**{**given, **changes})


def changed_x(i, j, value):
    X = made().X.copy()
    X[i, j] = value
    return X


@pytest.mark.parametrize(
    "changes",
    [
        {"X": changed_x(0, 0, np.nextafter(1.0, 2))},
        {"X": changed_x(1, 2, 0.0)},
        {"X": changed_x(0, 0, np.nan)},
        {"y": np.array(["a", "b", "b", "b"])},
        {"y": np.array(["a", "c", "c", "a"])},
        {"y": None},
        {"feature_names": ("g1", "g2", "g4")},
        {"feature_names": ("g2", "g1", "g3")},
        {"feature_names": ("g1,g2", "", "g3")},
        {"sample_names": ("s1", "s2", "s4", "s3")},
        {"classes": ("b", "a")},
        {"levels": {}},
        {"levels": {1: ("mid", "low", "high")}},
        {"levels": {1: ("low", "mid", "high"), 2: ("x",)}},
        {"groups": None},
        {"groups": np.array(["p", "q", "q", "r"])},
        {"split": np.array(["1", "2", "2", "2"])},
        {"covariates": ()},
        {"covariates": (0,)},
        {"target": "outcome"},
    ],
)
def test_the_digest_changes_with_anything_that_matters(changes):
    assert made(**changes).digest() != made().digest()


@pytest.mark.parametrize("part", ["groups", "split", "batches"])
def test_each_sample_has_a_name_of_its_group_split_and_batch(part):
    noun = {"groups": "group", "split": "split", "batches": "batch"}[part]
    for given in ([1, 1, 2, None], np.array([1.0, 1.0, 2.0, np.nan])):
        with pytest.raises(DataError, match=f"^'table' has no {noun} for 1 sample: '4'$"):
            made(**{part: given})
    says = f"^'table' has 4 samples and 3 values of its {noun}: give one for each$"
    with pytest.raises(DataError, match=says):
        made(**{part: ["a", "a", "b"]})
    told = getattr(made(**{part: np.array(["p", "p", 2, 3], dtype=object)}), part)
    assert told.tolist() == ["p", "p", "2", "3"]
    assert told.dtype.kind == "U"


def test_groups_and_split_are_not_taken_for_each_other():
    labels = np.array(["1", "1", "2", "2"])
    a, b = made(groups=labels, split=None), made(groups=None, split=labels)
    assert a.digest() != b.digest()


def test_rows_and_columns_that_trade_places():
    X = np.arange(6.0)
    a = Dataset(X.reshape(2, 3), None, ("1", "2", "3"))
    b = Dataset(X.reshape(3, 2), None, ("1", "2"))
    assert a.digest() != b.digest()


@pytest.mark.parametrize(
    "changes",
    [
        {},
        {"name": "other"},
        {"notes": ("dropped nothing",)},
        {"X": np.asfortranarray(made().X)},
        {"X": np.repeat(made().X, 2, axis=1)[:, ::2]},
        {"X": made().X.astype(">f8")},
        {"X": changed_x(0, 1, -0.0)},
        {"X": changed_x(1, 2, -np.nan)},
        {"X": changed_x(1, 2, np.frombuffer(b"\x01\0\0\0\0\0\xf8\x7f", "<f8")[0])},
        {"classes": ("a", "b")},
        {"y": np.array(["a", "b", "b", "a"], dtype=object)},
        {"y": np.array([*np.array(["a", "b", "b", "a"])], dtype=object)},
        {"feature_names": tuple(np.array(["g1", "g2", "g3"]))},
        {"feature_names": ["g1", "g2", "g3"]},
        {"levels": {np.int64(1): np.array(["low", "mid", "high"]).tolist()}},
        {"covariates": (np.int64(2),)},
    ],
)
def test_the_digest_does_not_change_with_what_does_not_matter(changes):
    assert made(**changes).digest() == made().digest()


def test_the_order_of_declaring_levels_does_not_matter():
    a = made(levels={0: ("x", "y"), 1: ("u",)})
    b = made(levels={1: ("u",), 0: ("x", "y")})
    assert a.digest() == b.digest()


def test_the_digest_of_many_rows_reads_all_of_them():
    X = np.random.default_rng(0).normal(size=(700, 3))
    names = ("a", "b", "c")
    before = Dataset(X, None, names).digest()
    for row in (0, 255, 256, 699):
        changed = X.copy()
        changed[row, 1] += 1e-9
        assert Dataset(changed, None, names).digest() != before


def test_the_digest_leaves_the_table_alone():
    data = made(X=changed_x(0, 1, -0.0))
    data.digest()
    assert np.signbit(data.X[0, 1])


def test_the_digest_is_the_same_in_another_process():
    code = (
        "import numpy as np; from tamis.data.dataset import Dataset;"
        "print(Dataset(np.eye(3), np.array(['a', 'b', 'a']), ('x', 'y', 'z')).digest())"
    )
    found = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "PYTHONHASHSEED": "7"},
        capture_output=True,
        text=True,
        check=True,
    )
    mine = Dataset(np.eye(3), np.array(["a", "b", "a"]), ("x", "y", "z")).digest()
    assert found.stdout.strip() == mine
    assert len(mine) == 64


def test_with_positive():
    three = made(y=np.array(["c", "b", "a", "b"]))
    assert three.classes == ("a", "b", "c")
    moved = three.with_positive("a")
    assert moved.classes == ("b", "c", "a")
    assert moved.codes.tolist() == [1, 0, 2, 0]
    assert three.codes.tolist() == [2, 1, 0, 1]
    assert moved.X is three.X
    assert (three.positive_named, moved.positive_named) == (False, True)
    assert moved.with_positive("c").with_positive("b").classes == ("a", "c", "b")
    assert three.with_positive("c").digest() == three.digest()
    with pytest.raises(DataError, match="positive class 'B' is not in column 'class': did you"):
        three.with_positive("B")
    with pytest.raises(DataError, match="choose from 'a', 'b', 'c'"):
        three.with_positive("tumour")


def test_codes():
    data = made()
    assert data.classes == ("a", "b")
    assert data.codes.tolist() == [0, 1, 1, 0]
    assert data.codes.dtype == np.int64
    assert [data.classes[c] for c in data.codes] == data.y.tolist()
    with pytest.raises(DataError, match="'table' has no class column; name it with target="):
        made(y=None).codes  # noqa: B018


def test_sample_names_are_counted_from_one_if_none_are_given():
    assert made(sample_names=()).sample_names == ("1", "2", "3", "4")


def test_shape_and_ranked_columns():
    assert made().shape == (4, 3)
    assert made().ranked.tolist() == [0, 1]
    assert made(covariates=(1, 0)).ranked.tolist() == [2]
    assert made(covariates=()).ranked.tolist() == [0, 1, 2]


@pytest.mark.parametrize(
    ("rows", "kept"),
    [
        (None, [0, 1, 2, 3]),
        ([2, 0], [2, 0]),
        (np.array([True, False, True, True]), [0, 2, 3]),
        ([], []),
    ],
)
@pytest.mark.parametrize("columns", [None, [2, 0], [1], []])
def test_take_is_a_copy_of_rows_and_columns(rows, kept, columns):
    data = made()
    before = data.X.copy()
    block = data.take(rows, columns)
    expected = data.X[kept]
    expected = expected if columns is None else expected[:, columns]
    assert np.array_equal(block, expected, equal_nan=True)
    block[...] = 7
    assert np.array_equal(data.X, before, equal_nan=True)


@pytest.mark.parametrize("width", [1, 2, 3, 100])
@pytest.mark.parametrize("rows", [None, np.array([3, 1])])
def test_blocks_make_up_the_table(width, rows):
    data = made()
    parts = list(data.walk(rows, width))
    assert [start for start, _ in parts] == list(range(0, 3, width))
    assert all(block.shape[1] <= width for _, block in parts)
    whole = np.hstack([block for _, block in parts])
    assert np.array_equal(whole, data.take(rows), equal_nan=True)


def test_a_dataset_is_frozen_and_says_what_it_is():
    data = made(name="toy")
    with pytest.raises(FrozenInstanceError):
        data.name = "other"
    assert repr(data) == "Dataset('toy': 4 x 3; a 2, b 2)"
    assert repr(replace(data, y=None, classes=())) == "Dataset('toy': 4 x 3; )"


def test_check_unique():
    check_unique(["a", "b", "A"], "feature names")
    check_unique([], "feature names")
    with pytest.raises(DataError) as caught:
        check_unique(["x", "a", "b", "a", "x", "a"], "feature names")
    assert str(caught.value) == "duplicate feature names: 'a', 'x'; make them unique"
    with pytest.raises(DataError, match=r"'g4' and 45 more; make them unique"):
        check_unique([f"g{j}" for j in range(50)] * 2, "sample names")


def test_keys_of_rows_are_equal_where_all_of_two_rows_is():
    from tamis.data.walks import DISTINCT_ROW_COLUMNS, row_keys

    X = np.zeros((4, DISTINCT_ROW_COLUMNS + 2))
    X[1, -1] = 1.0  # begins as the others do
    X[3, 0] = 2.0
    keys = row_keys(X)
    assert [keys.index(key) for key in keys] == [0, 1, 0, 3]


def test_rows_without_a_value_repeat_nothing():
    from tamis.data.walks import row_keys

    X = np.array([[1.0, 2], [np.nan, np.nan], [1, 2], [np.nan, np.nan], [np.nan, 2]])
    keys = row_keys(X)
    assert keys[0] == keys[2]
    assert len(set(keys)) == 4
