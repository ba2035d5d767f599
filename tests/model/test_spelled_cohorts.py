"""A cohort whose classes, groups, batches or categories are spelled otherwise than the model's."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from common.spelled import KINDS, NAMES
from tamis._core.errors import DataError
from tamis.data import as_dataset
from tamis.model.evaluate import evaluate
from tamis.model.file import load_model
from tamis.model.samples import samples_for
from tamis.study import run_study

N = 24
ROLES = ("class", "group", "batch", "sex")


def a_frame():
    """Samples in turn of two values of each role."""
    rng = np.random.default_rng(0)
    turns = {role: [NAMES[k // (1 + at) % 2] for k in range(N)] for at, role in enumerate(ROLES)}
    frame = pd.DataFrame({**turns, "g": rng.normal(size=N), "h": rng.normal(size=N)})
    frame["g"] += 2 * (frame["class"] == NAMES[0])
    return frame


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    folder = tmp_path_factory.mktemp("study") / "s"
    plan = {
        "outer": {"folds": 2},
        "inner": {"folds": 2, "repeats": 1},
        "permutations": 0,
        "prepare": [{"name": "center_by_batch", "unseen": "keep"}],
        "method": [{"select": "all", "classify": "naive_bayes"}],
    }
    data = as_dataset(a_frame(), "class", batch="batch", covariates="sex", drop="group")
    run_study(data, plan, folder)
    return load_model(folder / "model.npz")


def spelled(kind, role, every):
    """Of one role each value, or every third, is spelled otherwise."""
    frame = a_frame()
    frame[role] = [KINDS[kind](v) if k % every == 0 else v for k, v in enumerate(frame[role])]
    return frame.assign(g=frame["g"] + 0.01)


@pytest.mark.parametrize("every", [1, 3])
@pytest.mark.parametrize("role", ROLES)
@pytest.mark.parametrize("kind", KINDS)
def test_spellings_are_refused_until_they_are_unified(model, kind, role, every, tmp_path):
    roles = {"target": "class", "batch": "batch", "drop": "group"}
    if role == "group":
        roles = {"target": "class", "batch": "batch", "group": "group"}
    frame = spelled(kind, role, every)
    frame.to_csv(tmp_path / "t.csv", index=False)
    right = evaluate(model, a_frame().assign(g=a_frame()["g"] + 0.01), **roles)
    for data in (frame, tmp_path / "t.csv"):
        if role == "group" and every == 1:  # one spelling of each, of which the model knows none
            assert evaluate(model, data, **roles)["n_groups"] == 2
            continue
        if role == "sex" and every == 3:  # a feature: it is said, and the model knows no such level
            with pytest.raises(DataError, match=r"column 'sex' has 2 spellings of categories"):
                evaluate(model, data, **roles)
        else:
            with pytest.raises(DataError, match=rf"column '{role}' has .*spellings? of"):
                evaluate(model, data, **roles)
        found = evaluate(model, data, unify=[role], **roles)
        assert found["counts"] == {NAMES[0]: 12, NAMES[1]: 12}
        assert found["n_groups"] == right["n_groups"]
        assert found["metrics"] == right["metrics"]
        assert found["confusion"] == right["confusion"]
        assert not found["warnings"] or found["warnings"] == right["warnings"]
        assert any("unified" in note for note in found["notes"])


def test_what_is_allowed_to_differ_is_a_batch_of_its_own(model):
    frame = spelled("capitals", "batch", 1)
    found = evaluate(model, frame, "class", batch="batch", drop="group", allow="batch")
    assert [w["code"] for w in found["warnings"]] == ["unseen-batch"]


def test_a_model_that_knows_two_spellings_takes_each_as_it_is(model):
    two = replace(model, batches=("R1", "r1"))
    data = samples_for(two, a_frame().assign(batch="R 1"), "class", batch="batch", drop="group")
    assert set(data.batches.tolist()) == {"R 1"}


def test_a_note_tells_of_spellings_that_differ_alone(model):
    roles = {"target": "class", "batch": "batch", "drop": "group"}
    columns = ["class", "batch", "sex"]
    same = samples_for(model, a_frame(), unify=columns, **roles)
    assert not any("unified" in note for note in same.notes)
    frame = spelled("capitals", "batch", 1)
    data = samples_for(model, frame, unify=columns, **roles)
    [note] = [note for note in data.notes if "unified" in note]
    assert note.startswith("column 'batch': 2 spellings unified: ")
    assert data.batches.tolist() == same.batches.tolist()
    assert data.y.tolist() == same.y.tolist()
