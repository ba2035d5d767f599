"""Models on disk: skops files, no pickle, the same bytes for the same model."""

from __future__ import annotations

import io
import json
import os
import zipfile
from dataclasses import fields
from pathlib import Path
from typing import Any

import numpy as np

from .._core.errors import ModelError, listing
from .._core.files import write_bytes
from .final import Model
from .training import Training

FORMAT = 2  # 1 knew nothing of the training rows
# Types skops does not trust by itself; a file that holds any other is refused unread.
TRUSTED = [
    "tamis.classifiers.shrunken_centroids.ShrunkenCentroidClassifier",
    "tamis.classifiers.support_vector.PlattSVC",
    "sklearn.calibration._CalibratedClassifier",
    "sklearn.calibration._SigmoidCalibration",
    "sklearn.model_selection._split.StratifiedKFold",
    "sklearn.tree._tree.Tree",
]
# What `classify.fit` and the refit of PAM build.
ESTIMATORS = {
    "LinearDiscriminantAnalysis", "LogisticRegression", "PlattSVC", "KNeighborsClassifier",
    "DecisionTreeClassifier", "RandomForestClassifier", "GaussianNB", "DummyClassifier",
    "ShrunkenCentroidClassifier", "StandardScaler",
}  # fmt: skip
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
        "training": {f.name: getattr(model.training, f.name) for f in fields(Training)},
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
        version = int(values["format"])
        if version != FORMAT:
            raise ModelError(
                f"model {str(path)!r} has format {version}; this version reads {FORMAT}: "
                "run its study again with this version, or use it with the one that saved it"
            )
        return checked(
            Model(
                values["estimator"], tuple(values["covariates"]), tuple(values["features"]),
                {k: tuple(v) for k, v in values["levels"].items()}, values["medians"],
                tuple(values["classes"]), Training(**values["training"]),
                json.loads(values["about"]),
            )
        )  # fmt: skip
    except ModelError:
        raise
    except Exception as error:  # whatever a damaged file makes the readers raise
        raise ModelError(
            f"{str(path)!r} is not a model saved by `tamis study` ({type(error).__name__})"
        ) from error


def checked(model: Model) -> Model:
    """Refuse a model whose parts do not fit together, before anything is predicted with it."""
    classes, width = len(model.classes), len(model.medians)
    steps = [model.estimator]
    if type(model.estimator).__name__ == "Pipeline":
        steps = [step for _, step in model.estimator.steps]
    classifier = steps[-1]
    sound = (
        {type(step).__name__ for step in steps} <= ESTIMATORS
        and np.array_equal(classifier.classes_, np.arange(classes))
        and all(_width(step) in (None, width) for step in steps)
        and all(isinstance(name, str) for name in (*model.features, *model.covariates))
        and np.isfinite(model.medians).all()
        and model.training.sound(classes, len(model.columns))
        and all(_sound_machine(machine) for machine in _machines(classifier))
        and all(_sound_tree(tree, width) for tree in getattr(classifier, "estimators_", steps[-1:]))
    )
    if not sound:
        raise ModelError("the parts of the model do not fit together: it was not used")
    return model


def _width(step: Any) -> int | None:
    """Columns a step was fitted on; None for the class shares, which look at none."""
    return None if type(step).__name__ == "DummyClassifier" else step.n_features_in_


def _machines(classifier: Any) -> list[Any]:
    """The support vector machines inside a `PlattSVC`."""
    if not hasattr(classifier, "machine_"):
        return []
    calibrated = classifier.calibrated_.calibrated_classifiers_
    return [classifier.machine_, *(c.estimator for c in calibrated)]


def _sound_machine(machine: Any) -> bool:
    """Whether a machine's counts are those of its arrays; libsvm would read past them."""
    machine = getattr(machine, "estimator", machine)  # a machine calibrated on its own rows
    count = len(machine.support_vectors_)
    return bool(
        type(machine).__name__ == "SVC"
        and machine.support_vectors_.shape == (count, machine.n_features_in_)
        and len(machine.support_) == count == int(machine.n_support_.sum())
        and (machine.n_support_ >= 0).all()
        and len(machine.n_support_) == len(machine.classes_)
        and machine._dual_coef_.shape == (len(machine.classes_) - 1, count)
    )


def _sound_tree(estimator: Any, width: int) -> bool:
    """Whether a decision tree's links and columns stay inside it and the data."""
    tree = getattr(estimator, "tree_", None)
    if tree is None:
        return True
    left, right = tree.children_left, tree.children_right
    onward = (left > np.arange(tree.node_count)) & (right > np.arange(tree.node_count))
    inside = (np.maximum(left, right) < tree.node_count) & (tree.feature >= 0)
    inside &= (tree.feature < width) & (tree.n_features == width)
    return bool(np.where(left == -1, right == -1, onward & inside).all())
