"""Model files that are spoiled are refused in one line, or answer: `just fuzz` asks many more."""

from __future__ import annotations

import io
import json
import zipfile

import numpy as np
import pytest

from fuzz.spoiled_models import SCHEMA, content, file_of, members
from tamis._core.skops_bytes import zipped

FAMILY = "models"
BASE = "naive_bayes of 2"


def _with(name, **parts):
    """A valid model's file with other parts, of its predictor or beside it."""
    found = {**content(name), "predictor": dict(content(name)["predictor"])}
    for key, value in parts.items():
        (found if key in found else found["predictor"])[key] = value
    return file_of(found)


def _schema(change):
    text = members(BASE)[SCHEMA].decode()
    return zipped({**members(BASE), SCHEMA: change(text).encode()})


def _bomb():
    """Much of nothing."""
    sink = io.BytesIO()
    with zipfile.ZipFile(sink, "w", zipfile.ZIP_DEFLATED) as file:
        for name, data in members(BASE).items():
            file.writestr(name, data)
        file.writestr("more.npy", bytes(1 << 25))
    return sink.getvalue()


# files that were accepted once, or did what none may; each is refused, by a part or for all of it
ONCE = {
    "shares of a tree that are no shares": (
        lambda: _with("tree of 2", shares=content("tree of 2")["predictor"]["shares"] * 3),
        "'shares'",
    ),
    "priors that do not add up": (lambda: _with(BASE, priors=np.array([0.5, 2.0])), "'priors'"),
    "variances that are no normal numbers": (
        lambda: _with(BASE, variances=np.full((2, 3), 5e-324)), "no answer",
    ),
    "a quarter of a sample": (
        lambda: file_of({
            **content("lda_equal of 2"),
            "rejected_by": json.dumps(
                {"name": "risk", "parameters": {}, "score": "auto", "novelty": None}
            ),
            "decision": {"rule.threshold": np.zeros(1), "rule.n": np.array([0.25]),
                         "strange": np.ones(1)},
            "decided_by": json.dumps(["decide", "arg_max", {}]),
        }),
        "'n'",
    ),
    "where it comes from is a list": (lambda: _with(BASE, about="[1]"), "'about'"),
    "blocks that are a number": (lambda: _with(BASE, about='{"blocks": 5}'), "'about'"),
    "an outcome that is named twice": (
        lambda: _with("step pca", steps=[
            content("step pca")["steps"][0],
            [{**content("step pca")["steps"][1][0], "outputs": np.zeros(2)},
             content("step pca")["steps"][1][1]],
        ]),
        "'outputs'",
    ),
    "much of nothing": (_bomb, "unpacks to"),
    "a class of 3,000 letters": (
        lambda: _schema(lambda text: text.replace('"ndarray"', f'"{"x" * 3000}"')), "text alone",
    ),
    "lists in each other": (
        lambda: _schema(lambda text: text[:-1] + ', "x": ' + "[" * 50_000 + "]" * 50_000 + "}"),
        "not a model",
    ),
    "a format of 4,000 digits": (lambda: _with(BASE, format=10**4000), "not a model|has format"),
}  # fmt: skip


@pytest.mark.parametrize("what", ONCE)
def test_faults_that_were(watched, tmp_path, what):
    made, says = ONCE[what]
    path = tmp_path / "model.skops"
    path.write_bytes(made())
    said, fault = watched.ask(path)
    assert fault == ""
    assert any(part in said for part in says.split("|")), said
