"""Models on disk: skops files, no pickle, the same bytes for the same model."""

from __future__ import annotations

import io
import json
import os
import zipfile
from pathlib import Path
from typing import Any

import numpy as np

from .._core.errors import ModelError, listing
from .._core.files import write_bytes
from .final import Model

FORMAT = 1
# Types skops does not trust by itself; a file that holds any other is refused unread.
TRUSTED = [
    "tamis.classifiers.shrunken_centroids.ShrunkenCentroidClassifier",
    "tamis.classifiers.support_vector.PlattSVC",
    "sklearn.calibration._CalibratedClassifier",
    "sklearn.calibration._SigmoidCalibration",
    "sklearn.model_selection._split.StratifiedKFold",
    "sklearn.tree._tree.Tree",
]
LARGEST = 1 << 31  # bytes a model may unpack to


def save(model: Model, path: str | os.PathLike[str]) -> None:
    """Write a model file atomically."""
    import skops.io

    content = {
        "format": FORMAT,
        "estimator": model.estimator,
        "covariates": list(model.covariates),
        "features": list(model.features),
        "levels": {k: list(v) for k, v in model.levels.items()},
        "medians": np.asarray(model.medians, dtype=np.float64),
        "classes": list(model.classes),
        "about": json.dumps(model.about, sort_keys=True),
    }
    write_bytes(path, canonical(skops.io.dumps(content)))


def canonical(content: bytes) -> bytes:
    """A skops file without what varies between processes: object ids, names, dates."""
    source = zipfile.ZipFile(io.BytesIO(content))
    schema = json.loads(source.read("schema.json"))
    ids: dict[int, int] = {}
    files: dict[str, str] = {}

    def visit(node: Any) -> None:
        if isinstance(node, dict):
            if "__id__" in node:
                node["__id__"] = ids.setdefault(node["__id__"], len(ids) + 1)
            if isinstance(node.get("file"), str) and "__loader__" in node:
                name = node["file"]
                files.setdefault(name, f"{len(files) + 1}{Path(name).suffix}")
                node["file"] = files[name]
            for value in node.values():
                visit(value)
        elif isinstance(node, list):
            for value in node:
                visit(value)

    visit(schema)
    sink = io.BytesIO()
    with zipfile.ZipFile(sink, "w", zipfile.ZIP_DEFLATED) as target:
        entries = [(new, source.read(old)) for old, new in files.items()]
        for name, data in [*entries, ("schema.json", json.dumps(schema).encode())]:
            target.writestr(zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0)), data)
    return sink.getvalue()


def load(path: str | os.PathLike[str]) -> Model:
    """Read a model file.

    Raises
    ------
    ModelError
        The file is missing, is no model of Tamis, unpacks to more than 2 GiB, or holds
        types that are not on the short list of trusted ones.
    """
    import skops.io

    try:
        content = Path(path).read_bytes()
    except OSError as error:
        raise ModelError(f"cannot read model {str(path)!r}: {error.strerror}") from error
    try:
        size = sum(entry.file_size for entry in zipfile.ZipFile(io.BytesIO(content)).infolist())
        if size > LARGEST:
            raise ModelError(f"model {str(path)!r} unpacks to {size:,} bytes: refused")
        unknown = sorted(set(skops.io.get_untrusted_types(data=content)) - set(TRUSTED))
        if unknown:
            raise ModelError(
                f"model {str(path)!r} holds types that are not trusted: {listing(unknown)}; "
                "it was not loaded"
            )
        values = skops.io.loads(content, trusted=TRUSTED)
        if values["format"] != FORMAT:
            raise ModelError(
                f"model {str(path)!r} has format {values['format']}; this version reads {FORMAT}"
            )
        _check_trees(values["estimator"])
        return Model(
            values["estimator"], tuple(values["covariates"]), tuple(values["features"]),
            {k: tuple(v) for k, v in values["levels"].items()}, values["medians"],
            tuple(values["classes"]), json.loads(values["about"]),
        )  # fmt: skip
    except ModelError:
        raise
    except Exception as error:  # whatever a damaged file makes the readers raise
        raise ModelError(
            f"{str(path)!r} is not a model saved by `tamis study` ({type(error).__name__})"
        ) from error


def _check_trees(estimator: Any) -> None:
    """Refuse decision trees whose links point outside them: predicting would read wild memory."""
    for tree in [getattr(t, "tree_", None) for t in getattr(estimator, "estimators_", [estimator])]:
        if tree is None:
            continue
        left, right = tree.children_left, tree.children_right
        nodes = np.arange(tree.node_count)
        leaf = left == -1
        onward = (left > nodes) & (right > nodes) & (np.maximum(left, right) < tree.node_count)
        feature = (tree.feature >= 0) & (tree.feature < tree.n_features)
        if not np.where(leaf, right == -1, onward & feature).all():
            raise ModelError("a decision tree in the model is damaged: it was not used")
