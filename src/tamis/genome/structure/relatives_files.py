"""Kinship as files: pairs as plink2 writes them, families as groups, and the numbers as JSON."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np

from ... import __version__
from ..._core.arrow import arrow_table, arrow_texts
from ..._core.files import atomic_file, write_json, write_text
from ..._core.inside import Inside
from ..._core.outputs import OutputFolder
from ..blocks.tables import write_table
from ..readers.samples import Samples
from .relatives_result import Relatives
from .relatives_schema import RelativesContent

SCHEMA = 1
KIND = "genotype-kinship"
GRM_ENDINGS = ("bin", "N.bin", "id")  # endings of GCTA's files of a relationship matrix
FOLDER = OutputFolder(
    "result of `tamis genome kin`",
    "results.json",
    KIND,
    ("kin.tsv", "families.tsv", "unrelated.keep", *(f"kin.grm.{end}" for end in GRM_ENDINGS)),
)


def write_relatives(
    found: Relatives, folder: str | os.PathLike[str], settings: dict[str, object], degree: int = 3
) -> RelativesContent:
    """Write ``kin.tsv``, ``families.tsv``, ``unrelated.keep`` and ``results.json``.

    Parameters
    ----------
    found : Relatives
    folder : path
        That is there.
    settings : dict
        The requested options, for the JSON.
    degree : int, default=3
        Up to which people are of one family, and are not kept beside each other.

    Returns
    -------
    dict
        What the JSON holds.

    Raises
    ------
    StoreError
        The folder cannot be written.
    """
    folder = Path(folder)
    samples, families = found.samples, found.families(degree)
    write_table(found.table(), Inside(folder, "kin.tsv"))
    write_table(
        arrow_table(
            {
                **{name: arrow_texts(ids) for name, ids in samples.id_columns().items()},
                "FAMILY": arrow_texts(f"family{k + 1}" for k in families.tolist()),
                "MEMBERS": np.bincount(families)[families],
            }
        ),
        Inside(folder, "families.tsv"),
        to_plink=True,
    )
    kept = samples.take(np.flatnonzero(found.unrelated(degree)))
    write_text(Inside(folder, "unrelated.keep"), kept.keep_lines())
    content: RelativesContent = {
        "schema": SCHEMA,
        "kind": KIND,
        "versions": {"tamis": __version__},
        **found.to_dict(degree=degree),
        "settings": settings,
        "picture": found.kinship_points(),
    }
    write_json(Inside(folder, "results.json"), content)
    return content


def write_relationships(
    matrix: np.ndarray, n_variants: int, samples: Samples, folder: str | os.PathLike[str]
) -> None:
    """Write GCTA's files of a relationship matrix, for its --grm and PLINK's --grm-bin:
    ``kin.grm.bin`` and ``kin.grm.N.bin`` (lower triangle, float32), ``kin.grm.id``.

    Parameters
    ----------
    matrix : ndarray of shape (n, n)
    n_variants : int
        That it is by.
    samples : Samples
    folder : path
        That is there.

    Raises
    ------
    StoreError
        The folder cannot be written.
    """
    folder, n = Path(folder), len(matrix)
    with (
        atomic_file(Inside(folder, "kin.grm.bin")) as file,
        atomic_file(Inside(folder, "kin.grm.N.bin")) as sizes,
    ):
        for i in range(n):
            file.write(matrix[i, : i + 1].astype("<f4").tobytes())
            sizes.write(np.full(i + 1, n_variants, dtype="<f4").tobytes())
    lines = zip(samples.family, samples.id, strict=True)
    write_text(
        Inside(folder, "kin.grm.id"), "".join(f"{family}\t{name}\n" for family, name in lines)
    )
