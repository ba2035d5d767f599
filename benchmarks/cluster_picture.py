"""Draw the map of 20 clusters of the Golub data: docs/methods/cluster_golub.svg.

python benchmarks/cluster_picture.py
"""

from __future__ import annotations

from pathlib import Path

import pandas as pd

from tamis.data import load_golub
from tamis.plotting import cluster_map
from tamis.selection import ClusterSelector

PLACE = Path(__file__).resolve().parents[1] / "docs" / "methods" / "cluster_golub.svg"


def main() -> None:
    golub = load_golub()
    names = [name.removesuffix("_at") for name in golub.feature_names]
    found = ClusterSelector(20, "som").fit(pd.DataFrame(golub.X, columns=names), golub.y).result_
    (shown,) = found.to_dict()["sizes"]
    PLACE.write_text(f"{cluster_map(shown)}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
