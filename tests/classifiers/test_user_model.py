"""A saved estimator of the user's own: what it names is offered for trust, or never."""

from __future__ import annotations

import copy
import json
from types import SimpleNamespace

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer
from sklearn.utils.validation import check_array

from tamis._core.bounded_zip import Members, packed_members
from tamis._core.errors import ModelError
from tamis._core.own_code import TRUSTED_TYPES, OwnCodeError
from tamis._core.skops_bytes import SCHEMA_NAME
from tamis.classifiers.user_classifier import UserClassifier, UserPredictor

X, Y = np.array([[0.0], [1.0], [2.0], [3.0]]), np.array([0, 0, 1, 1])


def saved(*before):
    fitted = make_pipeline(*before, LogisticRegression()).fit(X, Y)
    return UserPredictor(fitted, 2).to_arrays()


def renamed(arrays, old, new):
    """What a stranger makes of the file."""
    members = Members(arrays["estimator"].tobytes(), "it")
    content = {name: members.read(name) for name in members.names}
    schema = json.loads(content[SCHEMA_NAME])
    changed = [0]

    def walk(node):
        if isinstance(node, dict):
            if (node.get("__module__"), node.get("__class__")) == tuple(old.rsplit(".", 1)):
                node["__module__"], node["__class__"] = new.rsplit(".", 1)
                changed[0] += 1
            node = list(node.values())
        for one in node if isinstance(node, list) else ():
            walk(one)

    walk(schema)
    assert changed[0]
    content[SCHEMA_NAME] = json.dumps(schema).encode()
    return {"estimator": np.frombuffer(packed_members(content), np.uint8)}


def loaded(arrays, *trust):
    token = TRUSTED_TYPES.set(trust)
    try:
        return UserClassifier().from_arrays(arrays, 1, 2)
    finally:
        TRUSTED_TYPES.reset(token)


def test_a_class_of_an_installed_package_is_offered_and_trusted():
    arrays = saved()
    with pytest.raises(ModelError, match=r"add --trust sklearn\.pipeline\.Pipeline \(and"):
        loaded(arrays)
    found = loaded(arrays, "sklearn.pipeline.Pipeline")
    assert found.beliefs(X).proba.shape == (4, 2)


@pytest.mark.parametrize("name", ["os.system", "builtins.eval", "joblib.load", "subprocess.run"])
@pytest.mark.parametrize("place", ["function", "outermost"])
def test_what_runs_anything_is_neither_offered_nor_trusted(name, place):
    arrays = saved(FunctionTransformer(check_array))
    old = (
        "sklearn.utils.validation.check_array"
        if place == "function"
        else "sklearn.pipeline.Pipeline"
    )
    if place == "outermost" and name == "joblib.load":
        pytest.skip("by its name alone it may be a class; see below")
    arrays = renamed(arrays, old, name)
    for trust in ((), (name, "sklearn.pipeline.Pipeline")):
        with pytest.raises(ModelError, match=f"names '{name}', which is part of no es") as error:
            loaded(arrays, *trust)
        assert "--trust " + name not in str(error.value)


def test_a_function_in_place_of_a_class_is_not_trusted_once_it_is_known():
    arrays = renamed(saved(), "sklearn.pipeline.Pipeline", "joblib.load")
    with pytest.raises(ModelError, match=r"names 'joblib\.load'"):
        loaded(arrays, "joblib.load")


def test_an_estimator_that_could_not_be_loaded_is_not_saved():
    with pytest.raises(ModelError, match=r"the estimator names 'copy\.copy'"):
        saved(FunctionTransformer(copy.copy))
    saved(FunctionTransformer(np.nan_to_num))


@pytest.mark.parametrize(
    ("rows", "fits"),
    [
        ([[0.25, 0.75], [1.0, 0.0]], True),
        ([[0.25, 0.7509], [1.0, 0.0]], True),
        ([[0.25, 0.7511], [1.0, 0.0]], False),
        ([[0.25, 0.7489], [1.0, 0.0]], False),
        ([[0.25, 0.75], [1.5, -0.5]], False),  # one number of four
        ([[0.25, 0.75], [1.0 + 1e-12, -1e-12]], True),
    ],
)
def test_probabilities_are_no_less_than_0_and_add_to_1(rows, fits):
    given = SimpleNamespace(predict_proba=lambda X: np.array(rows))
    if not fits:
        with pytest.raises(OwnCodeError, match="rows that do not add to 1"):
            UserPredictor(given, 2).beliefs(X[:2])
        return
    proba = UserPredictor(given, 2).beliefs(X[:2]).proba
    assert proba == pytest.approx(np.array(rows) / np.sum(rows, axis=1)[:, None])
    assert proba.min() >= 0
