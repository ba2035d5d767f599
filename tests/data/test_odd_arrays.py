"""Arrays and frames of types and contents that few have: read as they are meant, or refused."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from tamis._core.errors import DataError
from tamis.data import as_dataset


@pytest.mark.parametrize("type_", [">f8", ">f4", ">i4", ">u8"])
def test_numbers_of_another_byte_order_are_the_same(type_):
    X = np.random.default_rng(0).integers(0, 99, (12, 3)).astype(type_)
    y = list("xy") * 6
    plain = as_dataset(X.astype(np.float64), y)
    frame = pd.DataFrame(X, columns=["x0", "x1", "x2"])
    for given in (X, frame, frame.assign(x1=frame["x1"].to_numpy().astype("<f8"))):
        np.testing.assert_array_equal(as_dataset(given, y).X, plain.X)
    assert frame.dtypes.iloc[0] == np.dtype(type_)  # the user's is as it was


@pytest.mark.parametrize("kind", ["csr", "csc", "coo"])
def test_a_sparse_matrix_with_places_outside_is_refused(kind):
    sparse = pytest.importorskip("scipy.sparse")
    matrix = getattr(sparse, f"{kind}_array")(np.eye(12, 4))
    y = list("xy") * 6
    np.testing.assert_array_equal(as_dataset(matrix, y).X, np.eye(12, 4))
    places = matrix.indices if kind != "coo" else matrix.coords[1]
    size = matrix.shape[0 if kind == "csc" else 1]
    for at, wrong in ((0, size), (1, -1)):  # the neighbour's place in the filled matrix
        right, places[at] = places[at], wrong
        with pytest.raises(DataError, match="data is no sparse matrix: ") as error:
            as_dataset(matrix, y)
        assert "\n" not in str(error.value)
        places[at] = right


class Nameless:
    pass


@pytest.mark.parametrize("role", ["feature", "group"])
def test_objects_without_a_text_are_refused(role):
    """Their text is an address, another one in each run."""
    objects = [Nameless() for _ in range(4)] * 3
    frame = pd.DataFrame({"g": range(12), "o": objects})
    more = {} if role == "feature" else {"group": "o"}
    with pytest.raises(DataError, match="column 'o' holds objects of the type Nameless, which are"):
        as_dataset(frame, list("xy") * 6, **more)
    if role == "feature":
        assert as_dataset(frame, list("xy") * 6, drop="o").feature_names == ("g",)


@pytest.mark.parametrize("type_", ["int64", "uint64", "Int64"])
def test_whole_numbers_that_fall_together_are_refused(type_):
    """2^53 and 2^53 + 1 are one number with a point."""
    y, numbers = list("xy") * 6, np.arange(12)
    frame = pd.DataFrame({"n": pd.Series(2**53 + numbers, dtype=type_), "g": numbers})
    with pytest.raises(DataError, match=r"column 'n' has whole numbers beyond 2\^53"):
        as_dataset(frame, y)
    assert as_dataset(frame, y, drop="n").feature_names == ("g",)
    apart = frame.assign(n=pd.Series(2**53 + 2 * numbers, dtype=type_))
    assert len(np.unique(as_dataset(apart, y).X[:, 0])) == 12
    assert len(set(as_dataset(frame, y, group="n").groups)) == 12
