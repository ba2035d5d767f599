"""Studies of packed genotypes: a full-size cohort, the two approaches, call quality, and chance.

    python benchmarks/genome_study.py --folder SCRATCH [--parts full approaches quality null real]

SCRATCH gets the studies and the cohorts, of which the largest (3,907 people x 865,688 variants)
takes 850 MB. `real` reads genotypes/ of the shared real data sets (TAMIS_DATA).
"""

from __future__ import annotations

import argparse
import shutil
import sys
import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from _harness import markdown, shared_folder, versions
from genome import cohort

SIZES = [10, 100, 1000, 10_000]
ONCE = {"folds": 5, "repeats": 1}
PROJECTED = {"name": "random_projection", "n_components": 1000, "coding": "indicators"}
NEAREST = {"n_neighbors": [5, 25, 101], "metric": ["l1", "l2"]}
MB = 1 << 20


class Memory:
    """The most that this process and its children hold at once: of their own, and with the pages
    of files that they share counted once (PSS), looked at five times a second."""

    def __init__(self) -> None:
        self.own = self.all = 0
        self._ends = threading.Event()
        self._watch = threading.Thread(target=self._look, daemon=True)

    def __enter__(self) -> Memory:
        self._watch.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._ends.set()
        self._watch.join()

    def _look(self) -> None:
        import psutil

        here = psutil.Process()
        while not self._ends.wait(0.2):
            own = held = 0
            for process in [here, *here.children(recursive=True)]:
                try:
                    text = Path(f"/proc/{process.pid}/smaps_rollup").read_text()
                except OSError:
                    continue
                size = {line.split(":")[0]: line.split()[1] for line in text.splitlines()[1:]}
                own += int(size["Anonymous"])
                held += int(size["Pss"])
            self.own, self.all = max(self.own, own), max(self.all, held)


def studied(data: Any, plan: dict[str, Any], folder: Path, n_jobs: int = 2) -> dict[str, Any]:
    """The results of a study, in a folder made anew."""
    from tamis.study import run_study

    shutil.rmtree(folder, ignore_errors=True)
    return run_study(data, {"permutations": 0, **plan}, folder, n_jobs=n_jobs).to_dict()


def auc(found: dict[str, Any], name: str) -> float:
    """Of a method outside."""
    return next(m["metrics"]["auc"]["mean"] for m in found["methods"] if m["name"] == name)


def opened(path: Path, **reading: Any) -> Any:
    """A cohort as a data set."""
    from tamis.genome import genotype_dataset, open_genotypes

    return genotype_dataset(open_genotypes(path), **reading)


def made(folder: Path, name: str, *how: Any, **more: Any) -> Path:
    """A cohort simulated once."""
    from tamis.genome import simulate_cohort

    stem = folder / name
    if not stem.with_suffix(".bim").exists():
        simulate_cohort(stem, *how, **more)
    return stem.with_suffix(".bed")


def full(folder: Path) -> None:
    """Nested, 10 x 5: MTD of all variants, a forest and nearest neighbours on the best of them."""
    data = opened(cohort(folder).with_suffix(".bed"))
    rows = []
    for name in ("forest", "knn"):
        method = {"select": "mtd", "sizes": SIZES, "classify": [name]}
        plan = {"inner": ONCE, "method": [method], "metric": "auc"}
        start = time.perf_counter()
        with Memory() as memory:
            found = studied(data, plan, folder / f"full-{name}")
        wall = time.perf_counter() - start
        journal = (folder / f"full-{name}" / "journal.jsonl").read_text().splitlines()
        import json

        spent = sum(json.loads(line).get("cpu", 0.0) for line in journal)
        metrics = found["metrics"]["auc"]
        rows.append(
            [
                f"MTD, {name}",
                f"{wall / 60:.1f}",
                f"{spent / 60:.1f}",
                f"{memory.own / MB:.2f}",
                f"{memory.all / MB:.2f}",
                f"{metrics['mean']:.3f} ({metrics['low']:.3f} to {metrics['high']:.3f})",
            ]
        )
        print(
            markdown(
                [
                    "study",
                    "minutes",
                    "CPU minutes of cells",
                    "GB of its own",
                    "GB with the .bed mapped",
                    "AUC",
                ],
                rows,
            ),
            flush=True,
        )
    _shares(data, folder)


def _shares(data: Any, folder: Path) -> None:
    """Where the CPU seconds of one outer training set go, alone on the machine."""
    import cProfile
    import pstats

    from tamis.study.protocol import nested_cv
    from tamis.study.run import begin_study

    rows = []
    for name in ("forest", "knn"):
        method = {"select": "mtd", "sizes": SIZES, "classify": [name]}
        shutil.rmtree(folder / "one", ignore_errors=True)
        plan = {"permutations": 0, "inner": ONCE, "method": [method]}
        begun = begin_study(data, plan, folder / "one")
        profile = cProfile.Profile(time.process_time)
        profile.runcall(nested_cv.run_nested_fold, begun.design, begun.plan, begun.tasks[0])
        spent = {key[2]: value[3] for key, value in pstats.Stats(profile).stats.items()}
        total = spent["run_nested_fold"]
        parts = {
            "counting and ranking": spent["rank_parts"],
            "columns of the cuts, as numbers": spent["of"],
            "fitting and predicting": spent["_believed"],
        }
        rows += [[name, what, f"{s:.1f}", f"{s / total:.1%}"] for what, s in parts.items()]
        rows.append([name, "all", f"{total:.1f}", ""])
    print(markdown(["classifier", "of one outer training set", "CPU s", "share"], rows), flush=True)


def approaches(folder: Path, n_cohorts: int) -> None:
    """Many variants of small effect: MTD and a forest beside projection and nearest neighbours."""
    methods = [
        {"name": "MTD, forest", "select": "mtd", "sizes": [10, 100, 1000], "classify": ["forest"]},
        {
            "name": "projection, k-NN",
            "select": "all",
            "prepare": [PROJECTED],
            "classify": ["knn"],
            "grid": NEAREST,
        },
    ]
    plan = {
        "outer": {"folds": 5},
        "inner": {"folds": 3, "repeats": 1},
        "metric": "auc",
        "method": methods,
        "final": False,
        "describe": False,
    }
    names = [m["name"] for m in methods]
    found = []
    for seed in range(n_cohorts):
        rng = np.random.default_rng(seed)
        at = rng.choice(20_000, 60, replace=False)
        singles = [(int(j), float(rng.uniform(1.15, 1.4))) for j in at]
        path = made(folder, f"weak-{seed}", 500, 500, 20_000, singles=singles, seed=seed)
        result = studied(opened(path), plan, folder / "weak")
        found.append([auc(result, name) for name in names])
        print(seed, *np.round(found[-1], 3), file=sys.stderr, flush=True)
    scores = np.array(found)
    rows = [[name, _interval(scores[:, k])] for k, name in enumerate(names)]
    gain = scores[:, 0] - scores[:, 1]
    rows.append(["difference", _interval(gain)])
    print(f"{n_cohorts} cohorts of 500 + 500 x 20,000, 60 variants of odds ratio 1.15 to 1.4")
    print(markdown(["method", "AUC, mean over cohorts (95 %)"], rows))
    print(f"{names[0]} better in {(gain > 0).sum()} of {n_cohorts}", flush=True)


def _interval(values: Sequence[float]) -> str:
    from scipy.stats import t

    n = len(values)
    half = t.ppf(0.975, n - 1) * np.std(values, ddof=1) / np.sqrt(n)
    return f"{np.mean(values):.3f} ({np.mean(values) - half:.3f} to {np.mean(values) + half:.3f})"


def spoiled(source: Path, target: Path, seed: int, share: float = 0.4) -> Path:
    """A cohort in which calls of cases are worse: of a share of the variants, heterozygous calls of
    cases are missing with a probability of up to .5, other calls with a fifth of it; of controls a
    third of both."""
    from tamis.genome import open_genotypes
    from tamis.kernels.genotypes.words import pack_calls

    genotypes = open_genotypes(source)
    copies = genotypes.calls().T
    rng = np.random.default_rng(seed)
    worse = np.where(rng.random(len(copies)) < share, rng.uniform(0, 0.5, len(copies)), 0.0)
    case = genotypes.samples.phenotype == "2"
    chance = worse[:, None] * np.where(copies == 1, 1.0, 0.2) * np.where(case, 1.0, 1 / 3)
    lost = rng.random(copies.shape) < chance
    codes = np.array([3, 2, 0, 1])[np.where(lost, -1, copies)]
    target.write_bytes(b"\x6c\x1b\x01" + pack_calls(codes).tobytes())
    for ending in (".bim", ".fam"):
        shutil.copy(source.with_suffix(ending), target.with_suffix(ending))
    return target


def quality(folder: Path, n_cohorts: int) -> None:
    """No variant has an effect; calls of cases are worse."""
    steps: dict[str, list[Any]] = {
        "no quality control": [],
        "calls missing, Hardy-Weinberg, frequency": ["genotype_quality"],
        "and calls missing more in one class": [{"name": "genotype_quality", "differential": 0.01}],
    }
    rows = []
    for label, how in (("random forest", ["forest"]), ("logistic regression", ["logistic"])):
        methods = [
            {"name": f"{name}", "select": "mtd", "sizes": [100], "classify": how, "prepare": step}
            for name, step in steps.items()
        ]
        plan = {
            "outer": {"folds": 5},
            "inner": {"folds": 3, "repeats": 1},
            "metric": "auc",
            "method": methods,
            "final": False,
            "describe": False,
        }
        found = []
        for seed in range(n_cohorts):
            clean = made(folder, f"null-{seed}", 500, 500, 5000, seed=1000 + seed)
            data = opened(spoiled(clean, folder / "spoiled.bed", seed))
            result = studied(data, plan, folder / "quality")
            found.append([auc(result, name) for name in steps])
        for name, values in zip(steps, np.array(found).T, strict=True):
            rows.append([label, name, _interval(values)])
    print(f"{n_cohorts} cohorts of 500 + 500 x 5,000 without any effect, calls of cases worse")
    print(
        markdown(["classifier", "quality control in each training set", "AUC (95 %)"], rows),
        flush=True,
    )


def null(folder: Path, n_cohorts: int) -> None:
    """The ready plan that holds those of the others, on cohorts without any effect."""
    from tamis.study import Plan

    plan = Plan.read(
        "genome_approaches",
        final=False,
        describe=False,
        outer={"folds": 4},
        inner={"folds": 3, "repeats": 1},
    )
    found = []
    for seed in range(n_cohorts):
        path = made(folder, f"chance-{seed}", 60, 60, 1000, seed=2000 + seed)
        result = studied(opened(path), plan.model_dump(), folder / "null")
        own = [auc(result, m.name) for m in plan.method]
        found.append([result["metrics"]["auc"]["mean"], *own])
    names = ["headline", *(m.name for m in plan.method)]
    rows = [[n, _interval(v)] for n, v in zip(names, np.array(found).T, strict=True)]
    print(f"{n_cohorts} cohorts of 60 + 60 x 1,000 without any effect")
    print(markdown(["procedure", "AUC (95 %)"], rows), flush=True)


def real(folder: Path) -> None:
    """The liver cohort's label of X, and pairs of populations; and the leaky way beside it."""
    from tamis.genome import genotype_dataset, mtd_scan, open_genotypes

    shared = shared_folder() / "genotypes"
    forest = {
        "select": "mtd",
        "sizes": [10, 100, 1000],
        "classify": ["forest"],
        "prepare": ["genotype_quality"],
        "name": "nested",
    }
    plan = {"inner": ONCE, "metric": "auc", "method": [forest], "describe": False, "final": False}
    rows = []

    def tell(what: str, genotypes: Any, **reading: Any) -> None:
        data = genotype_dataset(genotypes, **reading)
        nested = studied(data, plan, folder / "real")["metrics"]
        best = mtd_scan(data.X.genotypes, data.y).top(100)
        own = genotype_dataset(genotypes.subset(samples=_rows(genotypes, data)), **reading)
        leaky = own.X.take(None, np.sort(best))
        from dataclasses import replace

        names = tuple(np.array(own.feature_names)[np.sort(best)])
        every = {"select": "all", "classify": ["forest"], "name": "leaky"}
        wrong = studied(
            replace(own, X=leaky, feature_names=names), {**plan, "method": [every]}, folder / "real"
        )["metrics"]
        rows.append([what, f"{data.shape[0]} x {data.shape[1]:,}", _told(nested), _told(wrong)])

    liver = open_genotypes(shared / "hlc_427.bed")
    autosomes = ~liver.variants.on(23)
    tell("liver, label of X, from X", liver.subset(chromosome=23))
    tell("the same, from autosomes", liver.subset(variants=autosomes))
    rng = np.random.default_rng(0)
    tell(
        "a coin for each sample",
        liver.subset(variants=autosomes),
        samples=_labels(folder, liver, rng.integers(0, 2, liver.shape[0])),
    )
    people = open_genotypes(shared / "hapmap3_957.bed")
    population = np.array(
        [
            line.split("\t")[3]
            for line in (shared / "hapmap3_957.labels.tsv").read_text().splitlines()[1:]
        ]
    )
    for pair in (("CHB", "JPT"), ("CEU", "TSI"), ("CEU", "YRI")):
        both = np.isin(population, pair)
        tell(
            "/".join(pair),
            people.subset(samples=both),
            samples=_labels(folder, people.subset(samples=both), population[both]),
        )
    print(
        markdown(
            ["classes", "people x variants", "nested AUC", "AUC if chosen on all people"], rows
        ),
        flush=True,
    )


def _rows(genotypes: Any, data: Any) -> np.ndarray:
    place = {name: k for k, name in enumerate(genotypes.samples.id)}
    return np.array([place[name] for name in data.sample_names])


def _labels(folder: Path, genotypes: Any, labels: Sequence[Any]) -> Path:
    path = folder / "labels.tsv"
    lines = [
        f"{f}\t{i}\tclass {c}"
        for f, i, c in zip(genotypes.samples.family, genotypes.samples.id, labels, strict=True)
    ]
    path.write_text("\n".join(["FID\tIID\tclass", *lines]) + "\n")
    return path


def _told(metrics: dict[str, Any]) -> str:
    one = metrics["auc"]
    return f"{one['mean']:.3f} ({one['low']:.3f} to {one['high']:.3f})"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--folder", type=Path, required=True)
    parts: dict[str, Callable[[argparse.Namespace], None]] = {
        "full": lambda a: full(a.folder),
        "approaches": lambda a: approaches(a.folder, a.cohorts),
        "quality": lambda a: quality(a.folder, a.cohorts),
        "null": lambda a: null(a.folder, a.cohorts),
        "real": lambda a: real(a.folder),
    }
    parser.add_argument("--parts", nargs="+", choices=parts, default=list(parts))
    parser.add_argument("--cohorts", type=int, default=20)
    asked = parser.parse_args()
    asked.folder.mkdir(parents=True, exist_ok=True)
    print(versions("numpy", "scikit-learn", "numba"), flush=True)
    for name in asked.parts:
        start = time.perf_counter()
        parts[name](asked)
        print(f"{name}: {(time.perf_counter() - start) / 60:.1f} minutes\n", flush=True)


if __name__ == "__main__":
    main()
