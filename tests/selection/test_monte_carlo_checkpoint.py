"""Finished runs on the disk: the same result however often a fit was killed, and no other's."""

from __future__ import annotations

import json
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import HealthCheck, given
from hypothesis import strategies as st

from common.examples import settings
from tamis._core.errors import StoreError
from tamis.data import make_mcfs_toy
from tamis.kernels import mcfs
from tamis.selection import MonteCarloSelector
from tamis.selection._monte_carlo_checkpoint import _totals_from_arrays
from tamis.selection._monte_carlo_runs import Forest, Run

TOY = make_mcfs_toy(n_noise=14)
SMALL = {"s": 40, "t": 2, "meetings": 20, "random_state": 3, "second_stage": 8}
SHAPES = {
    "default": {},
    "one stage": {"second_stage": 0},
    "ends early": {"projections": "auto", "s": 4000, "m": 15},
    "contrast": {"cutoff": "contrast"},
    "mean": {"cutoff": "mean", "balance": 1},
}


def selector(folder=None, **more):
    categorical = sorted(TOY.levels)
    return MonteCarloSelector(
        **{**SMALL, "categorical_features": categorical, "checkpoint": folder, **more}
    )


def found(fitted):
    """All that a fit has found, to the bit."""
    return json.dumps([fitted.result_.to_dict(), fitted.graph_.to_dict()])


@pytest.mark.parametrize("shape", SHAPES)
def test_a_fit_with_a_checkpoint_is_the_same_fit(shape, tmp_path):
    more = SHAPES[shape]
    plain = found(selector(**more).fit(TOY.X, TOY.y))
    assert found(selector(tmp_path, **more).fit(TOY.X, TOY.y)) == plain
    assert found(selector(tmp_path, **more).fit(TOY.X, TOY.y)) == plain
    if shape == "ends early":
        assert json.loads(plain)[0]["settings"]["s"] < more["s"]


@pytest.mark.parametrize("shape", ["default", "one stage", "ends early"])
def test_any_runs_may_be_lost(shape, tmp_path):
    """Whatever was finished when the fit was killed, the rest is run again."""
    more = SHAPES[shape]
    whole = found(selector(tmp_path, **more).fit(TOY.X, TOY.y))
    names = sorted(path.name for path in tmp_path.iterdir())
    assert {"observed.npz", "permuted_1.npz", "permuted_19.npz"} <= set(names)
    content = {name: (tmp_path / name).read_bytes() for name in names}
    for lost in (["observed.npz"], ["permuted_7.npz", "permuted_8.npz"], names[-1:], names):
        for name in lost:
            (tmp_path / name).unlink()
        assert found(selector(tmp_path, **more).fit(TOY.X, TOY.y)) == whole
        assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == content


@pytest.mark.quick
def test_finished_runs_are_not_run_again(tmp_path, monkeypatch):
    whole = found(selector(tmp_path).fit(TOY.X, TOY.y))
    (tmp_path / "permuted_19.npz").unlink()
    real, seen = mcfs.run_projections, set()

    def counted(table, sample, options, loop, *more):
        if loop.begin < loop.t:  # of a run; trees of the rules are grown one by one
            seen.add(int(loop.run))
        return real(table, sample, options, loop, *more)

    monkeypatch.setattr(mcfs, "run_projections", counted)
    assert found(selector(tmp_path).fit(TOY.X, TOY.y)) == whole
    assert seen == {19}


def test_threads_do_not_matter_to_what_is_kept(tmp_path):
    for jobs in (1, 2):
        selector(tmp_path / str(jobs), n_jobs=jobs).fit(TOY.X, TOY.y)
    one, two = (
        {path.name: path.read_bytes() for path in (tmp_path / str(jobs)).iterdir()}
        for jobs in (1, 2)
    )
    assert one == two


OTHERS = {
    "seed": {"random_state": 4},
    "settings": {"m": 3},
    "max_ancestors": {"max_ancestors": 1},
    "s": {"s": 41},
    "offer": {"feature_weights": [2.0] * 10 + [1.0] * 10},
    "pairs": {"second_stage": 0},
    "convergence": {"projections": "auto"},
}


@pytest.mark.parametrize("differs", OTHERS)
def test_runs_of_another_fit_are_refused(differs, tmp_path):
    selector(tmp_path).fit(TOY.X, TOY.y)
    with pytest.raises(StoreError, match=rf"another fit \(differs in: .*\b{differs}\b"):
        selector(tmp_path, **OTHERS[differs]).fit(TOY.X, TOY.y)


def test_runs_on_other_data_are_refused(tmp_path):
    selector(tmp_path).fit(TOY.X, TOY.y)
    X = TOY.X.copy()
    X[0, 0] += 1e-9
    with pytest.raises(StoreError, match="differs in: data"):
        selector(tmp_path).fit(X, TOY.y)
    with pytest.raises(StoreError, match="differs in: data"):  # the same codes, but numbers
        selector(tmp_path, categorical_features=None).fit(TOY.X, TOY.y)
    y = TOY.y.copy()
    y[[0, 69]] = y[[69, 0]]
    with pytest.raises(StoreError, match="differs in: classes"):
        selector(tmp_path).fit(TOY.X, y)


def test_runs_of_another_version_are_refused(tmp_path, monkeypatch):
    selector(tmp_path).fit(TOY.X, TOY.y)
    monkeypatch.setattr(np, "__version__", "1.0")
    with pytest.raises(StoreError, match="differs in: versions"):
        selector(tmp_path).fit(TOY.X, TOY.y)


@pytest.fixture(scope="module")
def kept(tmp_path_factory):
    folder = tmp_path_factory.mktemp("kept")
    whole = found(selector(folder, second_stage=0).fit(TOY.X, TOY.y))
    return folder, whole, (folder / "observed.npz").read_bytes()


@given(data=st.data())
@settings(max_examples=30, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_a_damaged_file_is_refused_in_one_line_or_harmless(kept, data):
    """Bytes cut off or changed: never another result, never another error."""
    folder, whole, good = kept
    bad = bytearray(good)
    if data.draw(st.booleans()):
        bad = bad[: data.draw(st.integers(0, len(good) - 1))]
    else:
        at = data.draw(st.integers(0, len(good) - 1))
        bad[at] ^= data.draw(st.integers(1, 255))
    (folder / "observed.npz").write_bytes(bad)
    said = ""
    try:
        again = found(selector(folder, second_stage=0).fit(TOY.X, TOY.y))
    except StoreError as error:
        said = str(error)
    finally:
        (folder / "observed.npz").write_bytes(good)
    if said:
        assert "\n" not in said
        assert "observed.npz" in said
    else:
        assert again == whole  # a byte of the archive that says nothing, such as a time


def arrays(path):
    with np.load(path) as file:
        return {name: file[name] for name in file.files}


WRONG = {
    "importance": lambda a: a[:-1],
    "offered": lambda a: a.astype(float),
    "projections": lambda a: a * 0 - 1,
    "recalls": lambda a: a[None],
    "updates": lambda a: a[:, :2],
    "keys": lambda a: a[::-1].copy(),
    "weights": lambda a: a[1:],
}


@pytest.mark.parametrize("name", WRONG)
def test_arrays_that_cannot_be_are_refused(kept, name):
    folder, _, good = kept
    found = arrays(folder / "observed.npz")
    found[name] = WRONG[name](found[name])
    np.savez(folder / "observed.npz", **found)
    with pytest.raises(StoreError, match="is damaged"):
        selector(folder, second_stage=0).fit(TOY.X, TOY.y)
    (folder / "observed.npz").write_bytes(good)


class Trap:
    def __reduce__(self):
        return (pytest.fail, ("a pickle was opened",))


def test_nothing_is_unpickled_or_unpacked(kept):
    folder, _, good = kept
    found = arrays(folder / "observed.npz")
    np.savez(folder / "observed.npz", **{**found, "recalls": np.array([Trap()], dtype=object)})
    with pytest.raises(StoreError, match="is damaged"):
        selector(folder, second_stage=0).fit(TOY.X, TOY.y)
    np.savez_compressed(folder / "observed.npz", **found)
    with pytest.raises(StoreError, match="is damaged"):
        selector(folder, second_stage=0).fit(TOY.X, TOY.y)
    (folder / "observed.npz").write_bytes(good)


def test_a_folder_that_cannot_be_written_is_one_line(tmp_path):
    (tmp_path / "file").write_text("kept")
    with pytest.raises(StoreError) as error:
        selector(tmp_path / "file").fit(TOY.X, TOY.y)
    assert "\n" not in str(error.value)
    assert (tmp_path / "file").read_text() == "kept"


@pytest.mark.every
@pytest.mark.parametrize(
    ("changed", "refused"),
    [
        ({}, ""),
        ({"keys": [0, 1, 8]}, ""),
        ({"keys": []}, ""),
        ({"keys": [-1, 1, 8]}, "keys"),
        ({"keys": [0, 1, 9]}, "keys"),  # of three features there are nine pairs
        ({"keys": [1, 1, 8]}, "keys"),
        ({"keys": [1, 0, 8]}, "keys"),
        ({"projections": 4}, ""),
        ({"projections": 5}, "projections"),
        ({"projections": 0}, "projections"),
    ],
)
def test_pairs_of_a_run_rise_and_projections_are_no_more_than_it_has(changed, refused):
    k = len(changed.get("keys", "abc"))
    sums = {"weights": np.ones(k), "squares": np.full(k, 2.0), "counts": np.arange(k)}
    found = {
        "importance": np.array([0.5, 0.0, 1.0]),
        "offered": np.arange(3),
        "projections": np.array(changed.get("projections", 3)),
        "accuracy": np.array(2.5),
        "recalls": np.array([1.0, 1.5]),
        "updates": np.zeros((0, 3)),
        "keys": np.array(changed.get("keys", [2, 3, 7]), dtype=np.int64),
        **sums,
    }
    table = SimpleNamespace(columns=np.zeros((3, 0)))
    forest = Forest(table, 2, np.array([2, 2]), 2, 1, 1.0, 1.0, 0)
    run = Run(0, np.zeros(4, dtype=np.int64), 4, None)
    if refused:
        with pytest.raises(ValueError, match=f"^{refused}$"):
            _totals_from_arrays(forest, run, None, found)
        return
    totals = _totals_from_arrays(forest, run, None, found)
    assert totals.projections == found["projections"]
    assert (totals.accuracies, totals.recall_sums.tolist()) == (2.5, [1.0, 1.5])
    assert totals.importance.tolist() == [0.5, 0.0, 1.0]
