"""Writes old_default.json: what the default study of before says of the bundled data.

The plan is benchmarks/old_default.toml without permuted runs. The file in the repository was
written while that plan was still the default one; `plan` is what an empty plan came to then.

    python tests/study/make_old_default.py [FILE]
"""

from __future__ import annotations

import json
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
PLAN = HERE.parents[1] / "benchmarks" / "old_default.toml"


def old_default() -> dict:
    """The resolved plan, the headline's scores, and what its training sets chose."""
    from tamis.data import load_golub
    from tamis.study import Plan, run_study

    short = Plan.read(PLAN, permutations=0, final=False, describe=False)
    with tempfile.TemporaryDirectory() as folder:
        content = run_study(load_golub(), short, Path(folder) / "study").to_dict()
        lines = (Path(folder) / "study/tables/folds.tsv").read_text(encoding="utf-8").splitlines()
    rows = [dict(zip(lines[0].split("\t"), line.split("\t"), strict=True)) for line in lines[1:]]
    first = next(r for r in rows if r["procedure"] == "headline" and r["fold"] == "0")
    folds = content["headline"]["folds"]
    return {
        "plan": Plan.read(PLAN).model_dump(mode="json"),
        "bcr": content["metrics"]["bcr"]["mean"],
        "auc": content["metrics"]["auc"]["mean"],
        "methods": [fold["method"] for fold in folds],
        "sizes": [fold["size"] for fold in folds],
        "features": first["features"].split(";"),
    }


if __name__ == "__main__":
    place = Path(sys.argv[1]) if len(sys.argv) > 1 else HERE / "old_default.json"
    place.write_text(json.dumps(old_default(), indent=1) + "\n", encoding="utf-8")
