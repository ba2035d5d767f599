"""Studies of genotypes in families whose label no variant makes.

    python benchmarks/genome_families.py --cohorts 40 [--permutations 19] [--designs ...]

Labels are the family's environment (half of the people above the median of a liability, seven
tenths of which the family shares), polygenic (half of the liability by variants of odd
chromosomes, of which the study sees none), or a coin. The study ranks by MTD, in five outer folds;
with families as groups (the default) and with relatives ignored. At chance the balanced accuracy is
.5: how often its interval holds that, and how often p of the permuted runs is .05 or less.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path

import numpy as np

from _harness import markdown, versions
from _pedigrees import CHROMOSOMES, SPAN, Cohort
from genome_structure import written

EACH = 400


def nuclear(cohort: Cohort, n: int) -> list[int]:
    """Parents and three children."""
    of = []
    for k in range(n // 5):
        parents = [cohort.founder(), cohort.founder()]
        cohort.people += [*parents, *(cohort.child(*parents) for _ in range(3))]
        of += [k] * 5
    return of


def pedigree(cohort: Cohort, size: int) -> None:
    """A couple, its six children, and theirs with others."""
    parents = [cohort.founder(), cohort.founder()]
    children = [cohort.child(*parents) for _ in range(6)]
    people = [*parents, *children]
    while len(people) < size:
        grown = []
        for one in children:
            other = cohort.founder()
            own = [cohort.child(one, other) for _ in range(3)]
            people += [other, *own]
            grown += own
        children = grown
    cohort.people += people[:size]


def half_one_family(cohort: Cohort, n: int) -> list[int]:
    pedigree(cohort, n // 2)
    cohort.people += [cohort.founder() for _ in range(n - n // 2)]
    return [0] * (n // 2) + list(range(1, n - n // 2 + 1))


def herds(cohort: Cohort, n: int) -> list[int]:
    """Of twenty that have a sire."""
    for _ in range(n // 20):
        sire = cohort.founder()
        cohort.people += [cohort.child(sire, cohort.founder()) for _ in range(20)]
    return [k // 20 for k in range(n)]


DESIGNS = {"nuclear families": nuclear, "half one family": half_one_family, "herds": herds}


def liability(
    rng: np.random.Generator, label: str, copies: np.ndarray, of: np.ndarray
) -> np.ndarray:
    n = len(copies)
    if label == "environment":
        shared, own = rng.normal(size=of.max() + 1)[of], rng.normal(size=n)
        return np.sqrt(0.7) * shared + np.sqrt(0.3) * own
    if label == "polygenic":
        genetic = copies @ rng.normal(size=copies.shape[1])
        return genetic / genetic.std() + rng.normal(size=n)
    return rng.normal(size=n)


def one_cohort(design: str, label: str, n: int, seed: int, permutations: int) -> dict:
    """Balanced accuracy, interval and p of both ways."""
    from tamis.genome import genotype_dataset, open_genotypes
    from tamis.study import run_study

    rng = np.random.default_rng([seed, list(DESIGNS).index(design)])
    cohort = Cohort(rng, rng.uniform(*SPAN, CHROMOSOMES * EACH))
    of = np.array(DESIGNS[design](cohort, n))
    copies = np.stack([person.sum(axis=0) for person in cohort.people])
    odd = (np.arange(copies.shape[1]) // EACH) % 2 == 0
    value = liability(rng, label, copies[:, odd].astype(float), of)
    case = value > np.median(value)
    plan = {
        "outer": {"folds": 5},
        "inner": {"folds": 3, "repeats": 1},
        "final": False,
        "describe": False,
        "method": [{"select": "mtd", "sizes": [10, 50], "classify": ["naive_bayes"]}],
    }
    found = {}
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        bed = written(copies[:, ~odd], folder / "made")
        rows = "".join(f"s{i}\t{'case' if c else 'control'}\n" for i, c in enumerate(case))
        (folder / "people.tsv").write_text(f"IID\tstatus\n{rows}")
        for way in ("group", "ignore"):
            data = genotype_dataset(
                open_genotypes(bed), "status", samples=folder / "people.tsv", relatives=way
            )
            runs = permutations if way == "group" else 0
            told = run_study(data, {**plan, "permutations": runs}, folder / way).to_dict()
            rate = told["metrics"]["bcr"]
            p = told["permutation"]["p_value"] if runs else np.nan
            found[way] = (rate["mean"], rate["low"], rate["high"], p)
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cohorts", type=int, default=40)
    parser.add_argument("--people", type=int, default=200)
    parser.add_argument("--permutations", type=int, default=0)
    parser.add_argument("--designs", nargs="*", default=list(DESIGNS))
    parser.add_argument("--labels", nargs="*", default=["environment", "polygenic", "coin"])
    asked = parser.parse_args()
    print(versions())
    rows = []
    for design in asked.designs:
        for label in asked.labels:
            found = []
            for seed in range(asked.cohorts):
                found.append(one_cohort(design, label, asked.people, seed, asked.permutations))
                print(design, label, seed, found[-1], file=sys.stderr, flush=True)
            cells = [design, label]
            for way in ("group", "ignore"):
                rate, low, high, p = np.array([one[way] for one in found]).T
                holds = np.mean((low <= 0.5) & (high >= 0.5))
                cells += [f"{rate.mean():.3f}", f"{(high - low).mean():.2f}", f"{holds:.2f}"]
                if way == "group" and asked.permutations:
                    cells.append(f"{np.mean(p <= 0.05):.2f}")
            rows.append(cells)
    head = ["design", "label", "rate, groups", "width", "holds .5"]
    head += ["p <= .05"] if asked.permutations else []
    print(markdown([*head, "rate, ignored", "width", "holds .5"], rows))


if __name__ == "__main__":
    main()
