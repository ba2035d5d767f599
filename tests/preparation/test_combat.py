"""ComBat: against sva, against a loop, and what is left alone."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tamis._core.errors import DataError, ModelError, PlanError
from tamis.kernels.combat import combat_adjustments
from tamis.preparation import ComBat

GOLDENS = Path(__file__).parents[1] / "goldens"


def golden_tables():
    """Tables of several batches: even, uneven, one of a single sample, columns constant in one."""
    rng = np.random.default_rng(12)
    found = {}
    for name, sizes in {
        "even": (5, 5, 5),
        "uneven": (9, 3, 4),
        "single": (6, 1, 5),
        "constant": (4, 6, 5),
    }.items():
        batch = np.repeat(["x", "y", "z"], sizes)
        spread, shift = rng.uniform(0.5, 2.5, (3, 14)), rng.normal(0.5, 2, (3, 14))
        codes = np.repeat(range(3), sizes)
        X = 7 + rng.normal(size=(len(batch), 14)) * spread[codes] + shift[codes]
        if name == "constant":
            X[batch == "y", 3] = 0.1
            X[:, 8] = 5.0
        found[name] = (batch, X)
    return found


def write_tables(folder):
    """For `make_combat.R`."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, (batch, X) in golden_tables().items():
        rows = zip(batch, X.tolist(), strict=True)
        lines = ["\t".join([b, *(v.hex() for v in row)]) for b, row in rows]
        (folder / f"{name}.tsv").write_text("\n".join(lines) + "\n")


@pytest.mark.parametrize("mean_only", [False, True])
@pytest.mark.parametrize("name", ["even", "uneven", "single", "constant"])
def test_as_sva_adjusts(name, mean_only):
    made = json.loads((GOLDENS / f"combat_{name}.json").read_text())
    X = np.array([[float.fromhex(v) for v in row] for row in made["x"]])
    got = ComBat(mean_only=mean_only).fit_transform(X, batch=made["batch"])
    expected = np.array(made["mean_only" if mean_only else "adjusted"])
    np.testing.assert_allclose(got, expected, rtol=0, atol=1e-10)
    if name == "constant":
        np.testing.assert_array_equal(got[:, [3, 8]], X[:, [3, 8]])


def slow_combat(X, batch, mean_only):
    """(scale, shift) by (batch, column), written out value by value from the formulas."""
    names, p = sorted(set(batch)), X.shape[1]
    values = {
        (b, j): [v for v, c in zip(X[:, j].tolist(), batch, strict=True) if c == b and v == v]
        for b in names
        for j in range(p)
    }
    sizes = {b: list(batch).count(b) for b in names}
    mean_only = mean_only or min(sizes.values()) == 1
    found = {(b, j): (1.0, 0.0) for b in names for j in range(p)}
    used = [
        j
        for j in range(p)
        if not any(len(v := values[b, j]) > 1 and len(set(v)) == 1 for b in names)
        and any(len(values[b, j]) > 1 for b in names)
    ]
    if len(names) == 1:
        return found
    grand, sd = {}, {}
    for j in used:
        there = [b for b in names if values[b, j]]
        grand[j] = sum(sizes[b] * np.mean(values[b, j]) for b in there) / sum(
            sizes[b] for b in there
        )
        residuals = [v - np.mean(values[b, j]) for b in there for v in values[b, j]]
        sd[j] = np.sqrt(np.mean(np.square(residuals)))
    for b in names:
        z = {j: (np.array(values[b, j]) - grand[j]) / sd[j] for j in used if values[b, j]}
        gamma = {j: v.mean() for j, v in z.items()}
        delta = {j: v.var(ddof=1) if len(v) > 1 else 1.0 for j, v in z.items()}
        if mean_only:
            delta = dict.fromkeys(z, 1.0)
        if len(z) > 1:
            center, tau2 = np.mean(list(gamma.values())), np.var(list(gamma.values()), ddof=1)
            if mean_only:
                gamma = {j: (tau2 * g + center) / (tau2 + 1) for j, g in gamma.items()}
            else:
                seen = [delta[j] for j in z if len(z[j]) > 1]
                m = np.mean(seen) if seen else 1.0
                s2 = np.var(seen, ddof=1) if len(seen) > 1 else 0.0
                start = dict(gamma)
                for _ in range(1000):
                    moved = []
                    for j, v in z.items():
                        n = len(v)
                        g = (tau2 * n * start[j] + delta[j] * center) / (tau2 * n + delta[j])
                        total = ((v - g) ** 2).sum()
                        d = (
                            m
                            if s2 == 0
                            else ((total / 2 + m + m**3 / s2) / (n / 2 + 1 + m**2 / s2))
                        )
                        moved += [
                            abs(new - old) / old if old else np.inf
                            for new, old in ((g, gamma[j]), (d, delta[j]))
                            if new != old
                        ]
                        gamma[j], delta[j] = g, d
                    if not moved or max(moved) <= 1e-4:
                        break
        for j in z:
            scale = 1 / np.sqrt(delta[j])
            found[b, j] = (scale, grand[j] - scale * (grand[j] + sd[j] * gamma[j]))
    return found


@given(st.integers(0, 10_000), st.booleans())
def test_new_rows_are_adjusted_as_their_batch_was(seed, mean_only):
    rng = np.random.default_rng(seed)
    batch = rng.choice(list("abc"), size=rng.integers(4, 16))
    X = rng.normal(size=(len(batch), 5)).round(1) + 2 * (batch == "a")[:, None]
    X[rng.random(X.shape) < rng.choice([0, 0.2])] = np.nan
    new, names = rng.normal(size=(7, 5)), rng.choice(list("abcd"), size=7)
    combat = ComBat(mean_only, unseen="keep").fit(X, batch=batch)
    got, slow = combat.transform(new, batch=names), slow_combat(X, batch, mean_only)
    for i, b in enumerate(names):
        for j in range(5):
            scale, shift = slow.get((b, j), (1.0, 0.0))
            np.testing.assert_allclose(got[i, j], scale * new[i, j] + shift, rtol=1e-7, atol=1e-7)
        np.testing.assert_array_equal(combat.transform(new[[i]], batch=names[[i]])[0], got[i])


def test_a_column_constant_in_a_batch_is_as_it_was():
    rng = np.random.default_rng(0)
    X, batch = rng.normal(size=(12, 4)), np.repeat(["a", "b"], 6)
    X[6:, 2] = 0.1  # sums of it are not six tenths
    got = ComBat().fit_transform(X, batch=batch)
    np.testing.assert_array_equal(got[:, 2], X[:, 2])
    assert (got[:, [0, 1, 3]] != X[:, [0, 1, 3]]).all()


def test_one_column_and_one_batch():
    """There is no prior to learn from one column, and nothing to adjust in one batch."""
    X, batch = np.array([[1.0], [3.0], [10.0], [18.0]]), list("aabb")
    got = ComBat().fit_transform(X, batch=batch).ravel()
    np.testing.assert_allclose([got[:2].mean(), got[2:].mean()], 8.0)
    np.testing.assert_allclose(got[:2].std(), got[2:].std())
    np.testing.assert_array_equal(ComBat().fit_transform(X), X)


def test_one_batch_of_those_declared_is_left_alone():
    """As in a training set that has rows of one batch only."""
    X = np.random.default_rng(0).normal(size=(6, 30))
    scales, shifts = combat_adjustments(X, np.zeros(6, dtype=np.int64), 2)
    assert (scales == 1).all()
    assert (shifts == 0).all()


@pytest.mark.parametrize("unit", [1e-200, 1e-12, 1e12, 1e200])
def test_units_do_not_matter(unit):
    batch, X = golden_tables()["uneven"]
    expected = ComBat().fit_transform(X, batch=batch)
    got = ComBat().fit_transform(X * unit, batch=batch)
    np.testing.assert_allclose(got / unit, expected, rtol=1e-9)


def test_one_sample_alone_is_what_it_is_among_others_and_survives_its_file():
    batch, X = golden_tables()["uneven"]
    combat = ComBat().fit(X, batch=batch)
    fitted = combat.fitted_
    again = ComBat().from_arrays(fitted.to_arrays(), 14)
    codes = np.searchsorted(combat.batches_, batch)
    whole = again.transform(X, codes)
    np.testing.assert_array_equal(whole, combat.transform(X, batch=batch))
    few, inputs = again.only(np.array([7, 2]))
    np.testing.assert_array_equal(few.transform(X[:, inputs], codes), whole[:, [7, 2]])
    for scales in (np.zeros((3, 14)), -fitted.scales, fitted.scales[:2]):
        with pytest.raises(ModelError, match="'scales'"):
            ComBat().from_arrays({**fitted.to_arrays(), "scales": scales}, 14)


def test_faults_are_one_line():
    with pytest.raises(PlanError, match="unseen='drop'"):
        ComBat(unseen="drop").fit([[1.0]])
    combat = ComBat().fit([[1.0], [2.0]], batch=["a", "b"])
    with pytest.raises(DataError, match=r"'c' was not seen in training \('a', 'b' were\)"):
        combat.transform([[1.0]], batch=["c"])
