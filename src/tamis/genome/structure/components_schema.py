"""What ``results.json`` of principal components holds."""

from __future__ import annotations

from typing import Any, TypedDict

from ..readers.classes import ClassSize


class ComponentsNumbers(TypedDict):
    """Of `Components.to_dict`."""

    samples: int
    variants: int
    components: int
    method: str
    eigenvalues: list[float]
    share: list[float]  # of the sum of all eigenvalues
    residuals: list[float]


class ComponentsPicture(TypedDict):
    """Samples on the first components, of which many are thinned."""

    classes: list[str]  # the largest first; none where nobody has a class
    samples: list[list[Any]]  # id, place among the classes or null, up to four scores
    of: int


class ComponentsContent(ComponentsNumbers):
    """The file."""

    schema: int
    kind: str
    versions: dict[str, str]
    settings: dict[str, object]
    remarks: list[str]  # on relatives and populations
    variants_looked_at: int  # before thinning
    classes: list[ClassSize]  # that were drawn, and looked at for nothing else
    picture: ComponentsPicture
