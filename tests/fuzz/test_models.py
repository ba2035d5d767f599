"""Model files that are spoiled are refused in one line, or answer: `just fuzz` asks many more."""

from __future__ import annotations

import numpy as np
import pytest

from fuzz.spoiled_models import TEXT_NAME, content, members
from tamis._core.array_file import array_file
from tamis._core.bounded_zip import packed_members, zipped_members

pytestmark = pytest.mark.longer

FAMILY = "models"
BASE = "naive_bayes of 2"


def _with(name, arrays=(), **parts):
    """A valid model's file with other parts of its text, and other arrays."""
    text, own = content(name)
    return array_file({**text, **parts}, {**own, **dict(arrays)})


def _text(change):
    return zipped_members(
        {**members(BASE), TEXT_NAME: change(members(BASE)[TEXT_NAME].decode()).encode()}
    )


def _beside(**more):
    """With more members, however much they unpack to."""
    return packed_members({**members(BASE), **more})


# files that were accepted once, or did what none may; each is refused, by a part or for all of it
ONCE = {
    "shares of a tree that are no shares": (
        lambda: _with(
            "tree of 2",
            {"predictor/shares": content("tree of 2")[1]["predictor/shares"] * 3},
        ),
        "'shares'",
    ),
    "priors that do not add up": (
        lambda: _with(BASE, {"predictor/priors": np.array([0.5, 2.0])}),
        "'priors'",
    ),
    "variances that are no normal numbers": (
        lambda: _with(BASE, {"predictor/variances": np.full((2, 3), 5e-324)}),
        "no answer",
    ),
    "a quarter of a sample": (
        lambda: _with(
            "lda_equal of 2",
            {
                "decision/rule.threshold": np.zeros(1),
                "decision/rule.n": np.array([0.25]),
                "decision/strange": np.ones(1),
            },
            rejected_by={"name": "risk", "parameters": {}, "score": "auto", "novelty": None},
            decided_by={"role": "decide", "name": "arg_max", "parameters": {}},
        ),
        "'n'",
    ),
    "where it comes from is a list": (lambda: _with(BASE, about=[1]), "'about'"),
    "blocks that are a number": (lambda: _with(BASE, about={"blocks": 5}), "'about'"),
    "a least support in words": (
        lambda: _with(
            "aode of 2",
            made_by={"role": "classify", "name": "aode", "parameters": {"min_support": "many"}},
        ),
        "'made_by'",
    ),
    "an outcome that is named twice": (
        lambda: _with("step pca", {"steps/0/outputs": np.zeros(2)}),
        "'outputs'",
    ),
    "much of nothing": (lambda: _beside(**{"more.npy": bytes(1 << 25)}), "unpacks to"),
    "a text of nothing": (lambda: _beside(**{"more.json": b" " * (1 << 23)}), "has a text of"),
    "a text that goes on for ever": (
        lambda: packed_members({**members(BASE), TEXT_NAME: b"[" + b"[]," * (1 << 21) + b"0]"}),
        "has a text of",
    ),
    "names that are numbers, by the million": (
        lambda: _with(BASE, features=[1] * 1_000_000),
        "'features'",
    ),
    "a member that is no array": (lambda: _beside(**{"x" * 3000: b""}), "arrays and text alone"),
    "lists in each other": (
        lambda: _text(lambda text: text[:-1] + ', "x": ' + "[" * 50_000 + "]" * 50_000 + "}"),
        "not a model",
    ),
    "a format of 4,000 digits": (lambda: _with(BASE, format=10**4000), "not a model|has format"),
}


@pytest.mark.parametrize("what", ONCE)
def test_faults_that_were(watched, tmp_path, what):
    made, says = ONCE[what]
    path = tmp_path / "model.npz"
    path.write_bytes(made())
    said, fault = watched.ask(path)
    assert fault == ""
    assert any(part in said for part in says.split("|")), said
