"""Files of several tables of the same samples, in the layout of the package mudata."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any


def write_h5mu(path: Path, modalities: Mapping[str, Any], obs: Any, **attributes: Any) -> None:
    """Write AnnData objects as modalities, with the columns of `obs` for all of them."""
    import h5py
    import numpy as np
    from anndata.io import write_elem

    with h5py.File(path, "w", userblock_size=512) as file:
        write_elem(file, "obs", obs)
        mod = file.create_group("mod")
        for name, table in modalities.items():
            write_elem(mod, name, table)
            rows = table.obs_names.get_indexer(obs.index) + 1  # 0 for samples it does not have
            write_elem(file, f"obsmap/{name}", rows.astype(np.uint32))
        mod.attrs["mod-order"] = list(modalities)
        file.attrs.update({"encoding-type": "MuData", "axis": 0, **attributes})
    with path.open("r+b") as start:
        start.write(b"MuData (format-version=0.1.0;creator=muon;creator-version=0.3.1)")
