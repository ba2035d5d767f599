"""Principal components as files: PLINK's tables, and the numbers as JSON."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from ... import __version__
from ..._core.arrow import arrow_table, arrow_texts
from ..._core.files import write_json, write_text
from ..._core.inside import Inside
from ..._core.outputs import OutputFolder
from ..blocks.tables import write_ids, write_table
from ..readers.genotypes import Genotypes
from .component_points import class_sizes, component_points
from .components_result import Components
from .components_schema import ComponentsContent

SCHEMA = 1
KIND = "genotype-components"
FOLDER = OutputFolder(
    "result of `tamis genome pca`",
    "results.json",
    KIND,
    ("pca.eigenvec", "pca.eigenval", "pca.prune.in"),
)


def write_components(
    found: Components,
    genotypes: Genotypes,
    folder: str | os.PathLike[str],
    settings: dict[str, object],
    labels: Any = None,
    remarks: Sequence[str] = (),
) -> tuple[ComponentsContent, int]:
    """Write ``pca.eigenvec``, ``pca.eigenval``, ``pca.prune.in`` and ``results.json``.

    Parameters
    ----------
    found : Components
    genotypes : Genotypes
        What they were found in.
    folder : path
        That is there.
    settings : dict
        The requested options, for the JSON.
    labels : array-like of shape (n,), or None
        A class of each sample, or None, for the picture alone.
    remarks : sequence of str
        Messages shown before, for the page.

    Returns
    -------
    content : dict
        What the JSON holds.
    unlisted : int
        Variants used that ``pca.prune.in`` cannot name.

    Raises
    ------
    StoreError
        The folder cannot be written.
    """
    folder = Path(folder)
    used = np.zeros(genotypes.shape[1], dtype=bool)
    used[found.columns] = True
    columns: dict[str, Any] = {k: arrow_texts(v) for k, v in found.samples.id_columns().items()}
    columns |= {f"PC{k + 1}": scores for k, scores in enumerate(found.scores.T)}
    write_table(arrow_table(columns), Inside(folder, "pca.eigenvec"), to_plink=True)
    write_text(
        Inside(folder, "pca.eigenval"), "".join(f"{v!r}\n" for v in found.eigenvalues.tolist())
    )
    unlisted = write_ids(genotypes.variants, used, Inside(folder, "pca.prune.in"))
    labels = [None] * len(found.scores) if labels is None else list(labels)
    sizes = class_sizes(labels)
    content: ComponentsContent = {
        "schema": SCHEMA,
        "kind": KIND,
        "versions": {"tamis": __version__},
        **found.to_dict(),
        "settings": settings,
        "remarks": list(remarks),
        "variants_looked_at": genotypes.shape[1],
        "classes": [{"name": name, "size": size} for name, size in sizes.items()],
        "picture": component_points(found.scores, found.samples.id, labels, list(sizes)),
    }
    write_json(Inside(folder, "results.json"), content)
    return content, unlisted
