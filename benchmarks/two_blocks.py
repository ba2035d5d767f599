"""A study of two blocks: breast cancer subtypes by 200 messenger RNAs and 184 micro RNAs.

The shared set holds both kinds of features in one table; here they are written to two files and a
sample sheet, as a user would have them: the first with features in rows, the second without five of
the samples, both in an order of their own.

    python benchmarks/two_blocks.py
"""

from __future__ import annotations

import tempfile
from pathlib import Path

import numpy as np
import pandas as pd

from _harness import markdown, shared_folder, versions

SIZES = [2, 5, 10, 20]
EACH = [{"rna": k, "mirna": k} for k in (1, 2, 5, 10)]
SCORES = [{"name": "pca", "n_components": 10, "block": block} for block in ("rna", "mirna")]
METHODS = [
    {"name": "all features", "select": "moderated_t", "sizes": SIZES},
    {"name": "as many of each block", "select": "moderated_t", "sizes": EACH},
    {"name": "messenger RNA alone", "select": "moderated_t", "sizes": SIZES, "blocks": ["rna"]},
    {"name": "micro RNA alone", "select": "moderated_t", "sizes": SIZES, "blocks": ["mirna"]},
    {"name": "components of each", "select": "moderated_t", "sizes": SIZES, "prepare": SCORES},
]


def write_files(folder: Path) -> dict[str, Path]:
    """The sheet and the two tables."""
    table = pd.read_parquet(shared_folder() / "expression" / "breast_tcga.parquet")
    ids = [f"P{k:03d}" for k in range(len(table))]
    micro = [c for c in table.columns if c.startswith("hsa-")]
    messenger = [c for c in table.columns if c not in {"class", *micro}]
    paths = {name: folder / name for name in ("sheet.csv", "rna.tsv", "mirna.csv")}
    sheet = pd.DataFrame({"id": ids, "subtype": table["class"].to_numpy()})
    sheet.to_csv(paths["sheet.csv"], index=False)
    table[messenger].set_axis(ids).T.to_csv(paths["rna.tsv"], sep="\t")
    rows = np.random.default_rng(0).permutation(len(ids))[5:]
    table[micro].set_axis(ids).iloc[rows].to_csv(paths["mirna.csv"])
    return paths


def main() -> None:
    from tamis.data import read_table
    from tamis.study import run_study

    with tempfile.TemporaryDirectory() as folder:
        paths = write_files(Path(folder))
        data = read_table(
            paths["sheet.csv"],
            target="subtype",
            incomplete="drop",
            blocks={"rna": paths["rna.tsv"], "mirna": paths["mirna.csv"]},
        )
        plan = {"permutations": 19, "outer": {"repeats": 3}, "method": METHODS, "describe": False}
        result = run_study(data, plan, folder + "/study", n_jobs=2)
    content = result.to_dict()
    rows = [
        [
            m["name"],
            *(f"{m['metrics']['bcr'][k]:.3f}" for k in ("mean", "low", "high")),
            f"{np.mean(m['sizes']):.1f}",
            f"{m['stability']['nogueira']['mean']:.2f}",
            m["n_possible"],
        ]
        for m in content["methods"]
    ]
    header = ["method", "balanced accuracy", "low", "high", "features", "Nogueira", "of"]
    print(markdown(header, rows))
    print()
    print(result.summary())
    print(versions("scikit-learn"))


if __name__ == "__main__":
    main()
