"""The default study on shared expression sets: what was found, how surely.

    python benchmarks/expression.py [--sets alon golub ...] [--out DIR] [--n-jobs 2]

Finished studies in DIR are not run again.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from _harness import markdown, shared_set

SETS = (
    "alon",
    "golub",
    "shipp",
    "gordon",
    "chowdary",
    "west_er",
    "west_node",
    "glioma",
    "pomeroy",
    "gse2191",
)


def study(name: str, folder: Path, n_jobs: int):
    """The finished study of one set."""
    from tamis.report import write_report
    from tamis.study import open_study, run_study

    if (folder / "results.json").exists():
        return open_study(folder)
    result = run_study(
        shared_set(name), None, folder, n_jobs=n_jobs, if_exists="resume", quiet=False
    )
    write_report(result.to_dict(), folder)
    return result


def row(name: str, content: dict) -> list[str]:
    """One line of the table."""

    def span(estimate: dict) -> str:
        return f"{estimate['mean']:.2f} ({estimate['low']:.2f}-{estimate['high']:.2f})"

    stable, permutation = content["headline"]["stability"], content["permutation"]
    again, final = permutation["stability"], content["final"]
    return [
        name,
        f"{content['data']['n_samples']} x {content['data']['n_features']:,}",
        str(len(content["data"]["classes"])),
        span(content["metrics"]["bcr"]),
        span(content["metrics"]["auc"]),
        f"{permutation['p_value']:.2f}",
        f"{again['observed']:.2f}",
        f"{again['median']:.2f}, {again['most']:.2f}",
        f"{stable['mean_size']:.0f}",
        str(stable["common"]),
        f"{final['title']}: {final['size']}",
        ", ".join(w["code"] for w in content["warnings"]),
    ]


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
    header = [
        "set",
        "size",
        "classes",
        "BCR",
        "AUC",
        "p",
        "Nogueira",
        "permuted",
        "mean size",
        "in half",
        "final model",
        "warnings",
    ]
    print(markdown(header, rows))


if __name__ == "__main__":
    main()
