"""Values of JSON made wrong by their structure, and arrays by what they mean."""

from __future__ import annotations

import contextlib
import copy
import json
from collections.abc import Iterator
from typing import Any

import numpy as np

HUGE, DEEP = "@huge@", "@deep@"  # in text: a number of 5,000 digits, and 5,000 lists in each other
WILD: list[Any] = [
    None, True, False, 0, 1, -1, 2, 0.5, 1e308, -1e308, 5e-324, float("nan"), float("inf"),
    2**31, 2**63, 10**30, HUGE, DEEP, "", "x", "nan", "x" * 3000, "\x1b[31mred", "\u202edeb",
    "a\tb", "a\nb", "\ud800", "=1+1", [], {}, [[]], [None], [1, 2], {"": None}, {"x": 1}, [["a"]],
    [0.5] * 50,
]  # fmt: skip


def json_text(tree: Any) -> str:
    """As JSON, which may be what `json.dumps` would not write."""
    text = json.dumps(tree)
    return text.replace(f'"{HUGE}"', "9" * 5000).replace(f'"{DEEP}"', "[" * 5000 + "]" * 5000)


def places(tree: Any) -> Iterator[tuple[Any, Any]]:
    """Every dictionary or list in a tree with each of its keys."""
    pending = [tree]
    while pending:
        one = pending.pop()
        keys = one if isinstance(one, dict) else range(len(one)) if isinstance(one, list) else ()
        for key in keys:
            yield one, key
            pending.append(one[key])


def spoil_tree(rng: np.random.Generator, tree: Any) -> Any:
    """One to three values gone, replaced, renamed, doubled, or in the place of each other."""
    found = copy.deepcopy(tree)
    for _ in range(1 + rng.geometric(0.7) % 3):
        every = list(places(found))
        if not every:
            return copy.deepcopy(WILD[rng.integers(len(WILD))])
        top = list(places_at_top(found))  # few, of which there should be as many
        some = top if rng.random() < 0.3 else every
        inside, key = some[rng.integers(len(some))]
        _edit(rng, inside, key, every)
    return found


def places_at_top(tree: Any) -> Iterator[tuple[Any, Any]]:
    """The keys of the outermost dictionary or list."""
    keys = tree if isinstance(tree, dict) else range(len(tree))
    yield from ((tree, key) for key in keys)


def _edit(rng: np.random.Generator, inside: Any, key: Any, every: list[tuple[Any, Any]]) -> None:
    value, how = inside[key], rng.integers(8)
    if how < 6 and (tree := _tree_of(value)) is not None:
        inside[key] = json_text(spoil_tree(rng, tree))
    elif how == 0:
        del inside[key]
    elif how == 1:
        other, its = every[rng.integers(len(every))]
        inside[key] = copy.deepcopy(other[its])
    elif how == 2 and isinstance(inside, list):
        inside.insert(int(rng.integers(len(inside) + 1)), copy.deepcopy(value))
    elif how == 2:
        inside["\x1bnew" if rng.random() < 0.2 else f"{key}x"] = inside.pop(key)
    elif how == 3 and isinstance(value, list):
        inside[key] = [*value, *copy.deepcopy(value)] if rng.random() < 0.5 else value[:-1]
    elif how == 4 and isinstance(value, int | float) and not isinstance(value, bool):
        inside[key] = [-value, value + 1, value * 1e300, value - 0.5, str(value)][rng.integers(5)]
    else:
        inside[key] = copy.deepcopy(WILD[rng.integers(len(WILD))])


def _tree_of(value: Any) -> Any:
    """What a text of JSON says; None if it is none, perhaps because it was spoiled before."""
    if isinstance(value, str) and value[:1] in ("{", "["):
        with contextlib.suppress(ValueError, RecursionError):
            return json.loads(value)
    return None


def _put(rng: np.random.Generator, a: np.ndarray, value: Any) -> np.ndarray:
    found = np.array(a)
    if found.size:
        found.flat[rng.integers(found.size)] = value
    return found


NUMBERS = [
    -1.0,
    0.0,
    1.0,
    2.0,
    3.0,
    0.5,
    1e6,
    1e9,
    2.0**31,
    2.0**53,
    2.0**63,
    -(2.0**63),
    1e300,
    -1e300,
    1e-300,
    5e-324,
    np.nan,
    np.inf,
    -np.inf,
    1.7976931348623157e308,
]
SAME_SHAPE = [  # other numbers where they stood
    *[lambda rng, a: _put(rng, a, NUMBERS[rng.integers(len(NUMBERS))])] * 8,
    lambda rng, a: np.full_like(a, NUMBERS[rng.integers(len(NUMBERS))]),
    lambda rng, a: -a,
    lambda rng, a: a * 1e300,
    lambda rng, a: a + 0.5,
    lambda rng, a: a[::-1].copy(),
    lambda rng, a: np.roll(a, 1),
    lambda rng, a: rng.permutation(a),
    lambda rng, a: _put(rng, a, a.flat[rng.integers(a.size)] if a.size else 0),
    lambda rng, a: rng.normal(size=a.shape),
]
OTHER_SHAPE = [
    lambda rng, a: a[:-1],
    lambda rng, a: a[1:],
    lambda rng, a: a[:0],
    lambda rng, a: a[..., :-1],
    lambda rng, a: a[..., :0],
    lambda rng, a: np.concatenate([a, a]),
    lambda rng, a: np.concatenate([a, a[-1:]]),
    lambda rng, a: np.concatenate([a, a], axis=-1),
    lambda rng, a: a[None],
    lambda rng, a: a[..., None],
    lambda rng, a: a[None, None],
    lambda rng, a: a.ravel(),
    lambda rng, a: a.T,
    lambda rng, a: a.sum(),
    lambda rng, a: np.zeros((0, 0)),
    lambda rng, a: np.zeros(int(rng.integers(1, 40)) * 100_000),  # much of nothing
    lambda rng, a: np.zeros((0, 10**9)),
]
DTYPES = ["O", "c16", "f2", "f4", ">f8", "i8", "u8", "u1", "?", "S8", "U4", "M8[s]", "f8,i4"]
OTHER_TYPE = [
    *[lambda rng, a: a.astype(DTYPES[rng.integers(len(DTYPES))])] * 3,
    lambda rng, a: np.asfortranarray(a),
    lambda rng, a: np.ma.MaskedArray(a, mask=np.ones(a.shape, bool)),
    lambda rng, a: a.tolist(),
]


def spoil_array(rng: np.random.Generator, array: np.ndarray) -> Any:
    """Other numbers mostly, or another shape or type."""
    kind = rng.choice(3, p=[0.75, 0.17, 0.08])
    whole = np.atleast_1d(np.asarray(array))
    if whole.dtype.kind not in "fiub":  # of letters there are no other numbers
        kind = max(kind, 1)
    elif whole.dtype.kind != "f" and kind == 0:
        whole = whole.astype(float)
    edits = [SAME_SHAPE, OTHER_SHAPE, OTHER_TYPE][kind]
    with np.errstate(all="ignore"):
        try:
            found = edits[rng.integers(len(edits))](rng, whole)
        except (TypeError, ValueError):  # letters are no numbers
            found = whole[:0]
        if kind == 0 and array.dtype.kind != "f":
            found = np.nan_to_num(found).astype(array.dtype)
    return found
