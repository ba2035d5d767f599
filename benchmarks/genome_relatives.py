"""Scans of made-up relatives and populations: how often each errs, and what it finds.

    python benchmarks/genome_relatives.py --cohorts 300 [--odds 1.5 2] [--designs "siblings" ...]
    python benchmarks/genome_relatives.py --cohorts 100 --alarms

Labels are polygenic: half of the liability, by variants of odd chromosomes. Even ones are scanned,
where nothing has an effect but for the power, where one variant has. Each cohort is scanned by

- the mixed-model scan, its single p-values and its max-T by draws from the null model;
- the trend test (Cochran and Armitage), its single p-values and Bonferroni's bound;
- MTD with max-T by permutations.

In 300 cohorts .05 has a standard error of .013.
"""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path

import numpy as np

from _harness import markdown, versions
from _pedigrees import DESIGNS, chromosomes, simulate

DRAWS = 199
LEVEL = 0.05


def trend(copies: np.ndarray, label: np.ndarray) -> np.ndarray:
    """|Z| of each variant (p,)."""
    x, y = copies - copies.mean(axis=0), label - label.mean()
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.abs(x.T @ y) / np.sqrt((x**2).sum(axis=0) * (y**2).mean())


def one_cohort(
    design: str, n: int, seed: int, odds: float, rate: float, shift: float, components: int
) -> dict[str, float]:
    """What each scan says of one."""
    from scipy.stats import norm

    from tamis.genome import mixed_scan, mtd_scan, open_genotypes, principal_components
    from tamis.genome.quality.inflation import genomic_inflation
    from tamis.genome.structure.relatives import look_for_relatives

    even = chromosomes() % 2 == 0
    with tempfile.TemporaryDirectory() as folder:
        path, label, planted = simulate(design, n, seed, Path(folder), odds, rate, shift=shift)
        genotypes = open_genotypes(path)
        found = look_for_relatives(genotypes)
        assert found is not None
        scores = principal_components(genotypes, components).scores if components else None
        mixed = mixed_scan(
            genotypes, label, covariates=scores, scanned=even, draws=DRAWS, seed=seed
        )
        scanned = genotypes.subset(variants=even)
        mtd = mtd_scan(scanned, label, permutations=DRAWS, seed=seed)
        z = trend(scanned.calls().astype(float), label)
    at = int(np.flatnonzero(np.flatnonzero(even) == planted)[0])
    p, tested = 2 * norm.sf(z), int(np.isfinite(z).sum())
    adjusted, chance = mixed.p_adjusted, mtd.p_adjusted
    assert adjusted is not None
    assert chance is not None
    bound = LEVEL / tested
    answers = {
        "related": float(found.to_dict()["relatives"] > 0),
        "apart": found.to_dict()["apart"],
        "share": mixed.share,
        "single p": np.mean(mixed.p_values[mixed.reasons == 0] < LEVEL),
        "lambda": mixed.inflation,
        "trend p": np.nanmean(p < LEVEL),
        "trend lambda": genomic_inflation(p),
    }
    if odds == 1:
        answers |= {
            "max-T": float(np.nanmin(adjusted) <= LEVEL),
            "trend bound": float(np.nanmin(p) <= bound),
            "MTD": float(np.nanmin(chance) <= LEVEL),
        }
    else:
        answers |= {
            "max-T": float(adjusted[planted] <= LEVEL),
            "trend bound": float(p[at] <= bound),
            "MTD": float(chance[at] <= LEVEL),
        }
    return answers


def alarm(design: str, each: int, n: int, seed: int) -> tuple[bool, bool, float]:
    """Whether relatives are listed of unrelated people, by all variants and by the quick look, and
    the share of pairs told to be of different populations."""
    from tamis.genome import find_relatives, open_genotypes
    from tamis.genome.structure.relatives import look_for_relatives

    with tempfile.TemporaryDirectory() as folder:
        path, _, _ = simulate(design, n, seed, Path(folder), each=each)
        genotypes = open_genotypes(path)
        found, look = find_relatives(genotypes), look_for_relatives(genotypes)
    assert look is not None
    return len(found.pairs) > 0, len(look.pairs) > 0, found.to_dict()["apart"]


def alarms(cohorts: int, n: int, n_jobs: int) -> None:
    """Of people of one population and of several, none of them related."""
    from joblib import Parallel, delayed

    rows = []
    for each in (20, 100, 500):
        for design in ("unrelated", "islands", "far islands", "admixture"):
            found = Parallel(n_jobs=n_jobs)(
                delayed(alarm)(design, each, n, seed) for seed in range(cohorts)
            )
            listed, looked, apart = np.array(found).T
            rows.append(
                [
                    f"{22 * each:,}",
                    design,
                    int(listed.sum()),
                    int(looked.sum()),
                    f"{apart.mean():.3f}",
                ]
            )
    header = ["variants", f"of {cohorts} cohorts", "listed", "by the look", "apart"]
    print(markdown(header, rows), "\n", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--cohorts", type=int, default=300)
    parser.add_argument("--samples", type=int, default=400)
    parser.add_argument("--rate", type=float, default=0.3, help="of cases")
    parser.add_argument("--odds", type=float, nargs="*", default=[1.0])
    parser.add_argument("--designs", nargs="*", default=list(DESIGNS)[:-1])
    parser.add_argument(
        "--shift", type=float, default=0.0, help="of liabilities from one island to the next"
    )
    parser.add_argument("--components", type=int, default=0, help="as covariates of the mixed scan")
    parser.add_argument("--n-jobs", type=int, default=2)
    parser.add_argument("--alarms", action="store_true", help="of the look at relatives alone")
    given = parser.parse_args()
    from joblib import Parallel, delayed

    print(versions("numpy", "numba", "scipy"), flush=True)
    if given.alarms:
        alarms(given.cohorts, given.samples, given.n_jobs)
        return
    for odds in given.odds:
        rows = []
        for design in given.designs:
            answers = Parallel(n_jobs=given.n_jobs)(
                delayed(one_cohort)(
                    design, given.samples, seed, odds, given.rate, given.shift, given.components
                )
                for seed in range(given.cohorts)
            )
            means = {name: np.mean([one[name] for one in answers]) for name in answers[0]}
            rows.append([design, *(f"{value:.3f}" for value in means.values())])
            print(rows[-1], flush=True)
        what = "nothing there" if odds == 1 else f"found at odds {odds:g}"
        print(markdown([what, *means], rows), "\n", flush=True)


if __name__ == "__main__":
    main()
