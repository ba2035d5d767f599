"""How often the scan of all pairs finds a planted pair, beside PLINK 1.9 --fast-epistasis boost.

Cohorts of 800 cases, 800 controls and 300 variants, a new one each time. Ours is significant if
P_MAXT is at most .05 (99 permutations), PLINK's pair if its p times the number of tests is.

    python benchmarks/genome_pairs_power.py --folder SCRATCH [--cohorts 100] [--nulls 400]

SCRATCH gets one cohort at a time and PLINK's table. PLINK is left out if it is not installed.
"""

from __future__ import annotations

import argparse
import re
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from _harness import markdown, versions

EACH, VARIANTS, RUNS = 800, 300, 99
PLANTED = (40, 222)
MAF, LEVEL = 0.2, 0.05
ORDERS = ("interaction", "score")
GENOTYPES = np.array([MAF**2, 2 * MAF * (1 - MAF), (1 - MAF) ** 2])  # two copies first
Cohort = Callable[[Path, int], None]


def neither_alone(odds: float) -> Cohort:
    """Carriers of both or of neither against one; both have their frequencies among controls."""

    def make(stem: Path, seed: int) -> None:
        from tamis.genome import simulate_cohort

        simulate_cohort(stem, EACH, EACH, VARIANTS, pairs=[(*PLANTED, odds)], seed=seed)

    return make


def random_table(heritability: float) -> Cohort:
    """A random pure table of penetrances, another one in each cohort."""

    def make(stem: Path, seed: int) -> None:
        from tamis.data import epistasis_model

        model = epistasis_model(2, MAF, heritability, seed)
        plant(stem, seed, *(model.given(case)[::-1, ::-1] for case in (False, True)))

    return make


def carriers_of_both(odds: float) -> Cohort:
    """Carriers of both alone are at risk, so each variant says something alone as well."""

    def make(stem: Path, seed: int) -> None:
        controls = np.outer(GENOTYPES, GENOTYPES)
        cases = controls.copy()
        cases[:2, :2] *= odds
        plant(stem, seed, controls, cases)

    return make


def without_pairs(odds: float | None) -> Cohort:
    """No pair: nothing at all, or the same two variants, each with an effect of its own."""

    def make(stem: Path, seed: int) -> None:
        from tamis.genome import simulate_cohort

        singles = [] if odds is None else [(j, odds) for j in PLANTED]
        simulate_cohort(stem, EACH, EACH, VARIANTS, singles=singles, seed=seed)

    return make


def plant(stem: Path, seed: int, controls: np.ndarray, cases: np.ndarray) -> None:
    """Put genotypes drawn from tables (3, 3), two copies first, in the place of two variants'."""
    from tamis.genome import open_genotypes, simulate_cohort
    from tamis.kernels.genotypes.words import pack_calls

    simulate_cohort(stem, EACH, EACH, VARIANTS, seed=seed)
    is_case = open_genotypes(stem).samples.phenotype == "2"
    rng = np.random.default_rng([seed, 1])
    cells = np.empty(len(is_case), dtype=np.int64)
    for of, table in ((~is_case, controls), (is_case, cases)):
        cells[of] = rng.choice(9, of.sum(), p=table.ravel() / table.sum())
    codes = np.array([0, 2, 3], dtype=np.uint8)[np.array([cells // 3, cells % 3])]
    with open(stem.with_suffix(".bed"), "r+b") as file:
        for variant, row in zip(PLANTED, pack_calls(codes), strict=True):
            file.seek(3 + variant * len(row))
            file.write(row.tobytes())


def ours(stem: Path, by: str, seed: int) -> tuple[bool, bool, bool]:
    """Whether the planted pair is first, whether it is significant, and whether any is."""
    from tamis.genome import open_genotypes, pair_scan

    found = pair_scan(open_genotypes(stem), by=by, permutations=RUNS, seed=seed)
    planted = (found.pairs == PLANTED).all(axis=1)
    return planted[0], (planted & found.significant).any(), found.significant.any()


def boost(stem: Path) -> tuple[bool, bool, bool]:
    """The same of PLINK; of equal p all are first."""
    import pandas as pd

    command = [
        "plink1.9",
        "--bfile",
        stem.name,
        "--fast-epistasis",
        "boost",
        "--epi1",
        "0.01",
        "--threads",
        "1",
        "--out",
        "boost",
    ]
    done = subprocess.run(command, cwd=stem.parent, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout[-500:] + done.stderr[-500:]
    tests = int(re.search(r"(\d+) valid tests performed", done.stdout)[1])
    table = pd.read_csv(stem.parent / "boost.epi.cc", sep=r"\s+")
    names = [f"v{j + 1}" for j in PLANTED]
    planted = (table["SNP1"] == names[0]) & (table["SNP2"] == names[1])
    significant = table["P"] * tests <= LEVEL
    first = table["P"] == table["P"].min()
    return (planted & first).any(), (planted & significant).any(), significant.any()


def methods(stem: Path, seed: int) -> list[tuple[bool, bool, bool]]:
    """What ours by both orders and PLINK find in one cohort."""
    found = [ours(stem, by, seed) for by in ORDERS]
    return [*found, boost(stem)] if shutil.which("plink1.9") else found


def share(hits: Any) -> str:
    """With its 95 % Wilson interval."""
    from tamis.metrics import wilson_interval

    low, high = wilson_interval(np.sum(hits), len(hits))
    return f"{np.mean(hits):.2f} ({low:.2f} to {high:.2f})"


def table(folder: Path, cells: list[tuple[str, Any, Cohort]], n: int, columns: list[int]) -> None:
    """Shares of n cohorts each, of the answers in some columns."""
    rows = []
    for cell, (what, effect, make) in enumerate(cells):
        found = []
        for k in range(n):
            seed = 10_000 * cell + k
            make(folder / "cohort", seed)
            found.append(methods(folder / "cohort", seed))
        hits = np.array(found)
        rows.append(
            [what, effect, *(share(hits[:, m, c]) for m in range(hits.shape[1]) for c in columns)]
        )
        print("  ".join(map(str, rows[-1])), flush=True)
    answers = ["first", "significant", "any"]
    names = [*ORDERS, "PLINK"][: hits.shape[1]]
    header = [f"{name}: {answers[c]}" for name in names for c in columns]
    print(f"\n{n} cohorts a row\n", markdown(["", "effect", *header], rows), "\n", sep="\n")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--folder", type=Path, required=True)
    parser.add_argument("--cohorts", type=int, default=100)
    parser.add_argument("--nulls", type=int, default=400)
    given = parser.parse_args()
    given.folder.mkdir(parents=True, exist_ok=True)
    print(versions("numpy", "numba"), flush=True)
    planted = [
        *(("neither alone, odds", k, neither_alone(k)) for k in (1.6, 2.0, 2.5, 3.0)),
        *(("random table, h2", k, random_table(k)) for k in (0.01, 0.02, 0.03, 0.05)),
        *(("carriers of both, odds", k, carriers_of_both(k)) for k in (2.0, 2.5, 3.0, 4.0)),
    ]
    table(given.folder, planted, given.cohorts, [0, 1])
    nulls = [("nothing", "", without_pairs(None)), ("singles, odds", 1.6, without_pairs(1.6))]
    table(given.folder, nulls, given.nulls, [2])


if __name__ == "__main__":
    main()
