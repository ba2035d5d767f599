"""Populations told by principal components that were fitted to training people.

    python benchmarks/genome_structure.py [--people 102 300 1002] [--cohorts 3] [--real]

Made-up cohorts of 30,000 variants: six islands (F_ST .003 and .005), a cline between two
populations cut in thirds, and people admixed of two. Real ones: populations of the HapMap
(TAMIS_DATA). Five folds; ten components of the training people, and a linear discriminant or ten
neighbours on them:

- plain: training people by the components they were fitted to;
- left out: as `genotype_components` has them, each by the components of the others;
- own axes: on the axes along which the simulated populations differ, which nobody knows; of real
  cohorts a linear support vector machine on all variants.
"""

from __future__ import annotations

import argparse
import tempfile
import warnings
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import numpy as np

from _harness import markdown, shared_folder, timed, versions

P, K = 30_000, 10
REAL = (("CHB", "JPT"), ("CEU", "TSI"), ("CHB", "JPT", "CEU", "TSI"))


def drifted(rng: np.random.Generator, f: np.ndarray, n: int, divergence: float) -> np.ndarray:
    """Frequencies of populations (Balding and Nichols 1995)."""
    scale = (1 - divergence) / divergence
    return rng.beta(f * scale, (1 - f) * scale, (n, len(f)))


def islands(
    rng: np.random.Generator, n: int, divergence: float = 0.003
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Labels, frequencies of each person's alleles, and axes (k, P) that tell the classes."""
    own = drifted(rng, rng.uniform(0.05, 0.95, P), 6, divergence)
    label = np.arange(n) % 6
    return label, own[label], own[1:] - own[0]


def cline(rng: np.random.Generator, n: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    ends = drifted(rng, rng.uniform(0.05, 0.95, P), 2, 0.02)
    place = (np.arange(n) + 0.5) / n
    own = ends[0] + place[:, None] * (ends[1] - ends[0])
    return (3 * place).astype(int), own, (ends[1] - ends[0])[None]


def admixed(rng: np.random.Generator, n: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    ends = drifted(rng, rng.uniform(0.05, 0.95, P), 2, 0.02)
    share = rng.beta(0.7, 0.7, n)
    own = ends[0] + share[:, None] * (ends[1] - ends[0])
    return (share > np.median(share)).astype(int), own, (ends[1] - ends[0])[None]


DESIGNS = {
    "six islands": islands,
    "six islands, F_ST .005": partial(islands, divergence=0.005),
    "cline": cline,
    "admixture": admixed,
}


def written(copies: np.ndarray, stem: Path) -> Path:
    """Copies of allele 1 (n, p) as PLINK's files."""
    from tamis.kernels.genotypes.words import pack_calls

    n, p = copies.shape
    calls = pack_calls(np.array([3, 2, 0])[copies.T]).tobytes()
    stem.with_suffix(".bed").write_bytes(b"\x6c\x1b\x01" + calls)
    stem.with_suffix(".bim").write_text(
        "".join(f"{1 + j * 22 // p}\tv{j}\t0\t{1000 * (j + 1)}\tA\tG\n" for j in range(p))
    )
    stem.with_suffix(".fam").write_text("".join(f"f{i} s{i} 0 0 0 -9\n" for i in range(n)))
    return stem.with_suffix(".bed")


def told(scores: np.ndarray, label: np.ndarray, others: np.ndarray, truth: np.ndarray) -> list:
    """Balanced accuracys of a discriminant and of ten neighbours."""
    from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
    from sklearn.metrics import balanced_accuracy_score
    from sklearn.neighbors import KNeighborsClassifier
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    return [
        balanced_accuracy_score(
            truth, make_pipeline(StandardScaler(), model).fit(scores, label).predict(others)
        )
        for model in (LinearDiscriminantAnalysis(), KNeighborsClassifier(10))
    ]


def one_cohort(genotypes, label: np.ndarray, axes: np.ndarray | None) -> Iterator[dict]:
    """Rates in each fold, and CPU seconds of both ways."""
    from sklearn.model_selection import StratifiedKFold
    from sklearn.svm import LinearSVC

    from tamis.genome import principal_components
    from tamis.genome.study.table import GenotypeTable
    from tamis.preparation.genotype_components import GenotypeComponents

    copies = genotypes.calls().astype(float)
    copies[copies < 0] = np.nan
    table = GenotypeTable(genotypes)
    for train, test in StratifiedKFold(5, shuffle=True, random_state=0).split(label, label):
        y, truth = label[train], label[test]
        plain = timed(lambda rows=train: principal_components(genotypes, K, samples=rows))
        left = timed(
            lambda rows=train: GenotypeComponents(K).learn_table(table, rows, np.zeros(len(rows)))
        )
        project = plain.value.project(genotypes, samples=test).iloc[:, 2:].to_numpy()
        step = left.value
        f = np.nanmean(copies[train], axis=0) / 2
        z = np.nan_to_num((copies - 2 * f) / np.sqrt(np.maximum(2 * f * (1 - f), 1e-9)))
        if axes is None:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                machine = LinearSVC(C=1e-4).fit(z[train], y).predict(z[test])
            own = [float(np.mean([(machine == c)[truth == c].mean() for c in set(truth)]))] * 2
        else:
            known = z @ (axes / np.sqrt(np.maximum(2 * f * (1 - f), 1e-9))).T
            own = told(known[train], y, known[test], truth)
        yield {
            "plain": told(plain.value.scores, y, project, truth),
            "left out": told(step.training, y, step.transform_table(table)[test], truth),
            "own axes": own,
            "kept": step.training.shape[1],
            "seconds": (plain.cpu, left.cpu),
            "spread": step.training[:, 0].std() / plain.value.scores[:, 0].std(),
        }


def row_of(name: str, n: int, folds: list[dict]) -> list[str]:
    cells = [name, f"{n:,}"]
    for at in range(2):
        cells += [
            f"{np.mean([f[way][at] for f in folds]):.3f}"
            for way in ("plain", "left out", "own axes")
        ]
    seconds = np.mean([f["seconds"] for f in folds], axis=0)
    kept = np.mean([f["kept"] for f in folds])
    return [*cells, f"{kept:.1f}", f"{seconds[0]:.2f}", f"{seconds[1]:.2f}"]


def main() -> None:
    from tamis.genome import open_genotypes

    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--people", type=int, nargs="*", default=[102, 300, 1002])
    parser.add_argument("--cohorts", type=int, default=3)
    parser.add_argument("--real", action="store_true")
    asked = parser.parse_args()
    print(versions("scikit-learn"))
    rows = []
    for n in asked.people:
        for name, design in DESIGNS.items():
            folds = []
            for seed in range(asked.cohorts):
                rng = np.random.default_rng([seed, n])
                label, own, axes = design(rng, n)
                copies = sum((rng.random(own.shape) < own).astype(np.int8) for _ in range(2))
                with tempfile.TemporaryDirectory() as folder:
                    genotypes = open_genotypes(written(copies, Path(folder) / "made"))
                    folds += one_cohort(genotypes, label, axes)
            rows.append(row_of(name, n, folds))
            print(*rows[-1], flush=True)
    if asked.real:
        import pandas as pd

        place = shared_folder() / "genotypes"
        genotypes = open_genotypes(place / "hapmap3_957.bed")
        population = pd.read_csv(place / "hapmap3_957.labels.tsv", sep="\t")["population"]
        for names in REAL:
            rows_in = population.isin(names).to_numpy()
            label = np.unique(population[rows_in], return_inverse=True)[1]
            folds = list(one_cohort(genotypes.subset(samples=rows_in), label, None))
            rows.append(row_of("/".join(names), len(label), folds))
    head = ["cohort", "people"]
    head += [
        f"{model}: {way}" for model in ("LDA", "k-NN") for way in ("plain", "left out", "own axes")
    ]
    print(markdown([*head, "components kept", "CPU s plain", "CPU s left out"], rows))


if __name__ == "__main__":
    main()
