"""Arrays from a file, held against what they must be before anything is computed with them."""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np

from .errors import ModelError

Shape = tuple[int | None, ...]


def fitting_arrays(arrays: Mapping[str, np.ndarray], **shapes: Shape) -> list[np.ndarray]:
    """The arrays of these names, in this order, each of its shape and finite float64.

    None stands for any length.

    Raises
    ------
    ModelError
        One is missing, or of another shape or type.

    Examples
    --------
    >>> fitting_arrays({"a": np.zeros((2, 3))}, a=(None, 3))[0].shape
    (2, 3)
    """
    found = []
    for name, shape in shapes.items():
        array = arrays.get(name)
        if not (
            type(array) is np.ndarray  # a masked one would hide values from what follows
            and array.dtype == np.float64
            and array.ndim == len(shape)
            and all(k is None or k == n for k, n in zip(shape, array.shape, strict=True))
            and np.isfinite(array).all()
        ):
            raise unfit_part_error(name)
        found.append(array)
    return found


def checked_integers(array: np.ndarray, least: int, below: int, name: str) -> np.ndarray:
    """A float array of whole numbers in a range, as integers."""
    if not ((array >= least) & (array < below) & (array == np.floor(array))).all():
        raise unfit_part_error(name)
    return array.astype(np.int64)


def rising_places(array: np.ndarray, below: int, name: str) -> np.ndarray:
    """A float array of different places below a number, in their order, as integers."""
    found = checked_integers(array, 0, below, name)
    if (np.diff(found) <= 0).any():
        raise unfit_part_error(name)
    return found


def checked_distributions(array: np.ndarray, name: str) -> np.ndarray:
    """An array whose last axis holds probabilities that add up to 1, as it is."""
    if (array < 0).any() or not np.allclose(array.sum(axis=-1), 1.0, rtol=0, atol=1e-6):
        raise unfit_part_error(name)
    return array


def unfit_part_error(name: str) -> ModelError:
    """Of a part that is missing, or not what it must be."""
    return ModelError(f"the model's part {name!r} does not fit the others: it was not used")


MAX_FLOAT = float(np.finfo(np.float64).max)  # in files, for infinity


def bounded_array(value: float) -> np.ndarray:
    """A number as an array of a file (1,), which may hold no infinite one.

    Examples
    --------
    >>> (unbounded_number(float(bounded_array(-np.inf)[0])),
    ...  unbounded_number(float(bounded_array(2.5)[0])))
    (-inf, 2.5)
    """
    return np.array([np.clip(value, -MAX_FLOAT, MAX_FLOAT)])


def unbounded_number(value: float) -> float:
    """A number that `bounded_array` has put into a file."""
    return math.copysign(math.inf, value) if abs(value) == MAX_FLOAT else value


def taken_lists(starts: np.ndarray, chosen: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Of lists that stand one after the other some, in this order: their places, and starts.

    Examples
    --------
    >>> places, starts = taken_lists(np.array([0, 2, 3, 6]), np.array([2, 0]))
    >>> places.tolist(), starts.tolist()
    ([3, 4, 5, 0, 1], [0, 3, 5])
    """
    lengths = np.diff(starts)[chosen]
    ends = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)
    return np.repeat(starts[:-1][chosen] - ends[:-1], lengths) + np.arange(ends[-1]), ends
