"""What ``data.json`` says of a study: its data, and the libraries that it is computed with."""

from __future__ import annotations

import numpy as np

from .._core.versions import library_versions
from ..data.dataset import Dataset
from ..data.walks import missing_values
from .results.schema import StudyRecord


def study_record(data: Dataset, digest: str, values: str) -> StudyRecord:
    """What the data and the libraries are; the digests are of what cells depend on."""
    codes = data.codes
    of_classes = [int(np.sum(codes == k)) for k in range(len(data.classes))]
    about: StudyRecord = {
        "digest": digest,
        "values": values,
        "versions": library_versions(),
        "name": data.name,
        "n_samples": data.shape[0],
        "n_features": len(data.ranked),
        "target": data.target,
        "classes": list(data.classes),
        "counts": dict(zip(data.classes, of_classes, strict=True)),
        "n_missing": missing_values(data.X),
        "n_categorical": len(data.levels),
        "n_groups": None if data.groups is None else len(np.unique(data.groups)),
        "covariates": [data.feature_names[j] for j in data.covariates],
        "notes": list(data.notes),
    }
    if data.numbers is not None:
        low, q1, middle, q3, high = np.quantile(data.numbers, np.arange(5) / 4).tolist()
        about["outcome"] = {
            "min": low,
            "q1": q1,
            "median": middle,
            "q3": q3,
            "max": high,
            "log": data.log_target,
        }
    if data.batches is not None:
        about["n_batches"] = len(np.unique(data.batches))
    if data.blocks:
        about["blocks"] = {k: len(v) for k, v in data.blocks.items()}
    return about
