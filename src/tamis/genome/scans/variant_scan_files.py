"""Scans with a p-value for each variant as files: a table, and the numbers as JSON."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from ... import __version__
from ..._core.files import write_json
from ..._core.inside import Inside
from ..blocks.tables import write_table
from ..quality.inflation import quantiles_of

SCHEMA = 1


def write_variant_scan(
    scan: Any,
    folder: str | os.PathLike[str],
    kind: str,
    table: str,
    settings: dict[str, object],
    remarks: list[str],
) -> dict[str, object]:
    """Write the table of a `LinearScan` or a `MixedScan` under a name, and ``results.json``, whose
    content is returned."""
    folder = Path(folder)
    write_table(scan.table(), Inside(folder, table))
    content = {
        "schema": SCHEMA,
        "kind": kind,
        "versions": {"tamis": __version__},
        **scan.to_dict(),
        "settings": settings,
        "remarks": remarks,
        "quantiles": quantiles_of(scan.p_values, scan.genotypes.variants.id),
        "picture": scan.manhattan_points(),
    }
    write_json(Inside(folder, "results.json"), content)
    return content
