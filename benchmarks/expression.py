"""The default study, with 20 permutations, on shared expression sets: what was found, how surely.

    python benchmarks/expression.py [--sets alon golub ...] [--out DIR] [--n-jobs 2]

Finished studies in DIR are not run again.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from _harness import markdown, shared_set

SETS = (
    "alon", "golub", "shipp", "gordon", "chowdary", "west_er", "west_node", "glioma", "pomeroy",
    "gse2191",
)  # fmt: skip
FOLDS = {"glioma": 7}  # its smallest class has seven samples


def study(name: str, folder: Path, n_jobs: int):
    """The finished study of one set."""
    from tamis.report import write_report
    from tamis.study import open_study, run_study

    if (folder / "results.json").exists():
        return open_study(folder)
    plan = {"permutations": 20, "outer": {"folds": FOLDS.get(name, 10)}}
    begun = (folder / "plan.json").exists()
    result = run_study(shared_set(name), plan, folder, n_jobs=n_jobs, resume=begun, quiet=False)
    write_report(result.to_dict(), folder)
    return result


def row(name: str, content: dict) -> list[str]:
    """One line of the table."""

    def span(estimate: dict) -> str:
        return f"{estimate['mean']:.2f} ({estimate['low']:.2f}-{estimate['high']:.2f})"

    stable, permutation = content["headline"]["stability"], content["permutation"]
    chance, final = content["chance"]["bcr"], content["final"]
    return [
        name, f"{content['data']['n_samples']} x {content['data']['n_features']:,}",
        str(len(content["data"]["classes"])), span(content["metrics"]["bcr"]),
        span(content["metrics"]["auc"]), f"{chance['mean']:.2f}",
        f"{permutation['p_value']:.3f}", f"{stable['asm']:.2f}", f"{stable['mean_size']:.0f}",
        str(stable["common"]), f"{final['method']}, {final['size']}",
    ]  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--sets", nargs="+", default=SETS)
    parser.add_argument("--out", type=Path, default=Path("tamis-expression"))
    parser.add_argument("--n-jobs", type=int, default=-1)
    options = parser.parse_args()
    rows = [
        row(name, study(name, options.out / name, options.n_jobs).to_dict())
        for name in options.sets
    ]
    header = ["set", "size", "classes", "BCR", "AUC", "chance BCR", "p", "ASM", "mean size",
              "in half", "final model"]  # fmt: skip
    print(markdown(header, rows))


if __name__ == "__main__":
    main()
