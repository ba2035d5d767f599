"""Principal components as files: PLINK's tables, and the numbers as JSON."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from .. import __version__
from .._core.files import write_json, write_text
from .._core.outputs import OutputFolder
from .components_result import Components
from .components_schema import ComponentsContent, ComponentsPicture
from .genotypes import Genotypes
from .tables import write_ids, write_table

SCHEMA = 1
KIND = "genotype-components"
FOLDER = OutputFolder(
    "result of `tamis genome pca`",
    "results.json",
    KIND,
    ("pca.eigenvec", "pca.eigenval", "pca.prune.in"),
)
DRAWN = 3000  # samples of the picture
OUTER = 300  # of these, the farthest from the middle
AXES = 4  # components drawn


def write_components(
    found: Components, genotypes: Genotypes, folder: str | os.PathLike[str],
    settings: dict[str, Any], labels: Any = None, remarks: Sequence[str] = (),
) -> tuple[ComponentsContent, int]:  # fmt: skip
    """Write ``pca.eigenvec``, ``pca.eigenval``, ``pca.prune.in`` and ``results.json``.

    Parameters
    ----------
    found : Components
    genotypes : Genotypes
        What they were found in.
    folder : path
        That is there.
    settings : dict
        What was asked for, for the JSON.
    labels : array-like of shape (n,), or None
        A class of each sample, or None, for the picture alone.
    remarks : sequence of str
        What was told before, for the page.

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
    write_table(found.frame(), folder / "pca.eigenvec", to_plink=True)
    write_text(folder / "pca.eigenval", "".join(f"{v!r}\n" for v in found.eigenvalues.tolist()))
    unlisted = write_ids(genotypes.variants, used, folder / "pca.prune.in")
    labels = [None] * len(found.scores) if labels is None else list(labels)
    sizes = Counter(str(label) for label in labels if label is not None)
    names = sorted(sizes, key=lambda name: (-sizes[name], name))
    content: ComponentsContent = {
        "schema": SCHEMA, "kind": KIND, "versions": {"tamis": __version__}, **found.to_dict(),
        "settings": settings, "remarks": list(remarks), "variants_looked_at": genotypes.shape[1],
        "classes": [{"name": name, "size": sizes[name]} for name in names],
        "picture": picture_of(found, labels, names),
    }  # fmt: skip
    write_json(folder / "results.json", content)
    return content, unlisted


def picture_of(found: Components, labels: list[Any], names: list[str]) -> ComponentsPicture:
    """Samples for the picture: all, or the farthest from the middle and some of the others."""
    n = len(found.scores)
    scores = found.scores[:, :AXES]
    drawn = np.arange(n)
    if n > DRAWN:
        far = (np.abs(scores) / scores.std(axis=0)).max(axis=1)
        outer = np.argsort(-far, kind="stable")[:OUTER]
        rest = np.setdiff1d(drawn, outer)
        step = np.linspace(0, len(rest) - 1, DRAWN - OUTER).astype(int)
        drawn = np.sort(np.concatenate([outer, rest[step]]))
    place = {name: k for k, name in enumerate(names)}
    ids = found.samples.id
    return {
        "classes": names,
        "samples": [
            [str(ids[i]), None if labels[i] is None else place[str(labels[i])],
             *(float(f"{v:.5g}") for v in scores[i])]
            for i in drawn
        ],
        "of": n,
    }  # fmt: skip
