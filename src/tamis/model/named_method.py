"""What a part of a model is read back by."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class NamedMethod:
    """A name of the registry with its parameters, by which a part of a model is read back.

    Attributes
    ----------
    role : str
        "classify", "method", "recalibrate" or "decide".
    name : str
        A plan name; of a classifier its label, such as ``bagging(naive_bayes)``.
    parameters : mapping
    """

    role: str
    name: str
    parameters: Mapping[str, object]
