"""Tables of zeros and ones as packed rows, however they come, and what is refused."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp

from tamis._core.errors import DataError
from tamis.interactions.sets.flat_sets import FlatSets
from tamis.interactions.sets.packed_rows import PackedRows, read_items

X = np.zeros((3, 70), dtype=np.uint8)
X[0, [0, 3, 64]] = 1
X[2, [69]] = 1
WORDS = [[9, 1], [0, 0], [0, 32]]


def twice(table):
    """The same ones, each from two entries of a sparse matrix, and a zero that is stored."""
    rows, columns = np.nonzero(table)
    found = sp.coo_matrix((np.full(2 * len(rows), 0.5), (np.tile(rows, 2), np.tile(columns, 2))))
    found.resize(table.shape)
    return found


def with_a_zero(table):
    found = sp.lil_matrix(table.astype(float))
    found[1, 5] = 3.0
    stored = found.tocsr()
    stored.data[stored.data == 3] = 0.0
    return stored


@pytest.mark.every
@pytest.mark.parametrize(
    "table",
    [
        X,
        X.astype(bool),
        X.astype(float),
        X.astype(object),
        PackedRows.of(X),
        sp.csr_matrix(X),
        twice(X),
        with_a_zero(X),
        pd.DataFrame(X),
    ],
    ids=lambda one: type(one).__name__,
)
def test_every_kind_of_table_gives_the_same_words(table):
    found = read_items(table)
    assert found.rows.tolist() == WORDS
    assert (found.n_features, found.n_items, found.signed) == (70, 128, False)
    assert found.names[:2] == (("0", "1") if isinstance(table, pd.DataFrame) else ("x0", "x1"))
    assert len(found.names) == 70


def test_zeros_are_items_behind_the_words_of_ones():
    found = read_items(X, signed=True)
    full = 2**64 - 1
    assert found.rows.tolist() == [
        [9, 1, full - 9, 63 - 1],
        [0, 0, full, 63],
        [0, 32, full, 63 - 32],
    ]
    assert found.n_items == 256
    sets = FlatSets(np.array([128 + 3, 0, 5, 128 + 1]), np.array([0, 3, 4]))
    features, signs = found.by_feature(sets)
    assert features.items.tolist() == [0, 3, 5, 1]
    assert signs.items.tolist() == [1, -1, 1, -1]
    assert features.starts.tolist() == signs.starts.tolist() == [0, 3, 4]
    same, none = read_items(X).by_feature(sets)
    assert same is sets
    assert (len(none.items), none.starts.tolist()) == (0, [0, 0, 0])


@pytest.mark.every
@pytest.mark.parametrize(
    ("table", "says"),
    [
        ([[0, 1], [2, 0]], "and 'column 0' holds 2: name a discretizer"),
        ([[0.0, 1.0], [0.5, -1.0]], "and 'column 0' holds 0.5: name"),
        ([[0.0, np.nan]], "and 'column 1' holds a missing value: name"),
        (np.array([[0, 3]], dtype=np.uint8), "and 'column 1' holds 3: name"),
        (pd.DataFrame({"a": [0, 1], "b": [1, 7]}), "and 'b' holds 7: name"),
        (sp.csr_matrix([[0, 1], [0, -2]]), "and 'column 1' holds -2: name"),
        ([["a", "1"]], "'column 0' holds 'a': give zeros and ones, such as pd.get_dummies makes"),
        (pd.DataFrame({"a": [1], "b": ["x"]}), "'b' holds 'x': give zeros and ones"),
        (pd.DataFrame({"a": [1, pd.NA]}, dtype=object), "and 'a' holds a missing value: name"),
        (np.zeros((0, 2)), r"X has shape (0, 2): give a table of rows and columns"),
        (np.zeros(3), r"X has shape (3,): give a table of rows and columns"),
        (sp.csr_matrix((2, 0)), r"X has shape (2, 0): give a table of rows and columns"),
    ],
)
def test_other_tables_are_refused(table, says):
    with pytest.raises(DataError) as error:
        read_items(table)
    assert says in str(error.value)


@pytest.mark.parametrize(
    ("bits", "p", "says"),
    [
        (np.zeros((2, 1)), 8, "bits must be a matrix of uint8"),
        (np.zeros(2, dtype=np.uint8), 8, "bits must be a matrix of uint8"),
        (np.zeros((2, 1), dtype=np.uint8), 9, "bits has 1 bytes a row; 9 features take 2"),
        (np.zeros((2, 2), dtype=np.uint8), 8, "bits has 2 bytes a row; 8 features take 1"),
        (np.full((2, 1), 8, dtype=np.uint8), 3, "bits has ones behind feature 3: pack with bitor"),
    ],
)
def test_bits_of_another_table_are_refused(bits, p, says):
    with pytest.raises(DataError, match=says):
        PackedRows(bits, p)


def test_bits_up_to_the_last_feature_are_fine():
    assert len(PackedRows(np.full((2, 1), 7, dtype=np.uint8), 3)) == 2
    assert PackedRows.of(X).bits[0].tolist() == [9, 0, 0, 0, 0, 0, 0, 0, 1]
