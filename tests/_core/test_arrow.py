"""Arrow's arrays from and to NumPy's, without pandas."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from tamis._core.arrow import MAX_MATRIX_VALUES, arrow_numbers, arrow_texts, matrices_of, numbers_of

KINDS = [f"{sign}int{bits}" for sign in ("", "u") for bits in (8, 16, 32, 64)]
KINDS += ["float16", "float32", "float64", "bool"]
arrays = st.sampled_from(KINDS).flatmap(lambda kind: hnp.arrays(kind, st.integers(0, 70)))


def same(found: np.ndarray, right: np.ndarray) -> bool:
    return found.dtype == right.dtype and np.array_equal(
        found, right, equal_nan=found.dtype.kind == "f"
    )


@given(arrays, st.integers(0, 20), st.booleans())
def test_numbers_come_and_go_as_pyarrow_has_them(values, first, chunked):
    own = arrow_numbers(values)
    assert own.equals(pa.array(values)) or np.isnan(values.astype(float)).any()
    column = pa.chunked_array([own[first:], own, own[:0]]) if chunked else own[first:]
    right = column.to_numpy() if chunked else column.to_numpy(zero_copy_only=False)
    assert same(numbers_of(column), right)


@given(arrays, st.data(), st.integers(0, 20))
def test_what_is_missing_is_nan(values, data, first):
    missing = data.draw(hnp.arrays(bool, len(values)))
    array = pa.array(values, mask=missing)[first:]
    right = np.where(missing, np.nan, values.astype(float))[first:]
    found = numbers_of(array)
    assert np.array_equal(found, right, equal_nan=True)
    if array.null_count and values.dtype.kind != "b":
        assert same(found, array.to_numpy(zero_copy_only=False).astype(float))


@given(st.lists(st.sampled_from([*KINDS, "decimal"]), min_size=1, max_size=5), st.data())
def test_a_matrix_has_the_numbers_of_each_column(kinds, data):
    n, columns = data.draw(st.integers(0, 30)), []
    for kind in kinds:
        values = data.draw(hnp.arrays("int16" if kind == "decimal" else kind, n))
        array = pa.array(values, mask=data.draw(hnp.arrays(bool, n)))
        array = array.cast(pa.decimal128(7, 2)) if kind == "decimal" else array
        cut = data.draw(st.integers(0, n))
        columns.append(pa.chunked_array([array[:cut], array[cut:]], array.type))
    table = pa.Table.from_arrays(columns, names=[str(k) for k in range(len(columns))])
    found = np.concatenate([np.empty((0, len(kinds))), *matrices_of(table)])
    right = [c.cast(pa.float64()) if c.type == pa.decimal128(7, 2) else c for c in columns]
    right = np.column_stack([numbers_of(column).astype(float) for column in right])
    assert np.array_equal(found, right, equal_nan=True)


def test_the_matrices_of_a_tall_table_are_small():
    flags = pa.array(
        np.arange(MAX_MATRIX_VALUES) % 3 == 0, mask=np.arange(MAX_MATRIX_VALUES) % 5 == 0
    )
    parts = list(matrices_of(pa.table([flags, flags], names=["a", "b"])))
    assert max(part.size for part in parts) <= MAX_MATRIX_VALUES
    # single precision is enough for flags
    assert max(part.nbytes for part in parts) <= 4 * MAX_MATRIX_VALUES
    assert np.array_equal(np.concatenate(parts)[:, 1], numbers_of(flags), equal_nan=True)


@given(st.lists(st.text()))
def test_texts_are_those_of_pyarrow(texts):
    texts = [text.encode("utf-8", "replace").decode() for text in texts]
    assert arrow_texts(texts).equals(pa.array(texts, pa.string()))


@pytest.mark.parametrize("array", [pa.nulls(3, pa.float64()), pa.chunked_array([], pa.int64())])
def test_nothing_known_or_nothing_there(array):
    assert np.isnan(numbers_of(array)).all()


def test_pandas_is_not_loaded():
    code = """if True:
        import sys, numpy as np, pyarrow as pa
        from tamis._core.arrow import arrow_numbers, arrow_texts, numbers_of
        some = arrow_texts("aba").dictionary_encode().indices
        codes = some.filter(arrow_numbers(np.array([True, False, True])))
        print(numbers_of(codes), "pandas" in sys.modules)
    """
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split("\n")[0] == "[0 0] False"
