"""Which default a study of a number has: candidates on real tables, in three kinds, and simulated.

The rule, written before any figure was seen:

1. A candidate is a method of a plan; its sizes and settings are chosen by the inner Q2. It is
   judged by Q2 on the same five outer folds (groups kept together where a table has them).
2. A table counts once: ranks and Q2 of its outcomes are averaged. So does each simulated truth.
3. The score of a candidate is the mean, over the kinds (expression, spectra and descriptors,
   polygenic, simulated), of its mean rank within the kind.
4. The default is the candidate with the lowest score among those that select features; the plan so
   far (correlation, ridge) stays if its score is within half a rank of it. The reference on all
   features is the lowest among the others.
5. Docs name each kind in which the reference's median Q2 is above that of the default by more than
   .05: there few features are not the best answer.

    python benchmarks/default_number.py --out FOLDER [--only riboflavin ...] [--workers 2]

Each table's figures stand in a JSON file in FOLDER, so that a run can be continued.
"""

from __future__ import annotations

import argparse
import json
import tempfile
import time
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from scipy.stats import rankdata

from _harness import markdown, shared_folder, versions

SIZES = [1, 2, 5, 10, 20, 50, 200]
EVERY = 10**6  # more than there are: all features
METHODS = {
    "correlation": {"select": "correlation", "sizes": SIZES, "predict": "ridge"},
    "correlation, or all": {"select": "correlation", "sizes": [*SIZES, EVERY], "predict": "ridge"},
    "moderated t": {"select": "moderated_regression_t", "sizes": SIZES, "predict": "ridge"},
    "spearman": {"select": "spearman", "sizes": SIZES, "predict": "ridge"},
    "elastic net": {"select": "elastic_net"},
    "all, ridge": {"select": "all", "predict": "ridge"},
    "all, pls": {
        "select": "all",
        "predict": "pls",
        "grid": {"pls": {"n_components": [1, 2, 5, 10]}},
    },
    "all, forest": {"select": "all", "predict": "forest"},
}
ON_ALL = ("all, ridge", "all, pls", "all, forest")
NOW = "correlation"
PLAN = {
    "response": "number",
    "outer": {"folds": 5},
    "inner": {"folds": 5, "repeats": 1},
    "permutations": 0,
    "final": False,
    "describe": False,
    "method": [{"name": name, **method} for name, method in METHODS.items()],
}


@dataclass(frozen=True)
class Table:
    """A table, its kind and its outcomes."""

    name: str
    kind: str
    targets: tuple[str, ...]
    group: str | None = None


LIVER = ("ALT.IU.L.", "AST.IU.L.", "TBA.umol.L.", "BUN.mg.dL.", "Cholesterol.mg.dL.")
TABLES = (
    Table("riboflavin", "expression", ("riboflavin_rate",)),
    Table("liver_toxicity", "expression", LIVER, group="Treatment.Group"),
    Table("tecator", "spectra and descriptors", ("water", "fat", "protein")),
    Table("gasoline", "spectra and descriptors", ("octane",)),
    Table("blood_brain", "spectra and descriptors", ("log_bbb",)),
    Table("permeability", "spectra and descriptors", ("target",)),
    Table("wheat", "polygenic", ("yield_env1", "yield_env2")),
    Table("mice", "polygenic", ("Obesity.BMI", "Obesity.BodyLength"), group="cage"),
    *(
        Table(f"{truth} {k}", "simulated", ("y",))
        for truth in ("sparse", "dense")
        for k in (1, 2, 3)
    ),
)


def simulated(name: str):
    """100 samples of 2,000 features in blocks of 20 (r = .5); five or 500 of them carry half of the
    variance of the number."""
    from tamis.data import Dataset

    truth, k = name.split()
    rng = np.random.default_rng([7, int(k), truth == "dense"])
    n, p = 100, 2000
    X = np.sqrt(0.5) * (
        rng.normal(size=(n, p)) + np.repeat(rng.normal(size=(n, p // 20)), 20, axis=1)
    )
    carrying = rng.permutation(p)[: 5 if truth == "sparse" else 500]
    signal = X[:, carrying] @ rng.normal(size=len(carrying))
    y = signal / signal.std() + rng.normal(size=n)
    return Dataset(X, None, tuple(f"g{j}" for j in range(p)), numbers=y, target="y", name=name)


def data_of(table: Table, target: str):
    """One outcome of a table; of mice 600, by whole cages."""
    import pandas as pd

    from tamis.data import Dataset

    if table.kind == "simulated":
        return simulated(table.name)
    path = shared_folder() / "numbers" / f"{table.name}.parquet"
    frame = pd.read_parquet(path)
    numbers = frame.select_dtypes("number").columns
    others = {"mice": ("Obesity", "Biochem", "GENDER", "CoatColour", "Litter", "cage")}
    named = {
        "liver_toxicity": tuple(frame.columns[:10]),
        "wheat": ("yield_env",),
        "tecator": ("water", "fat", "protein"),
    }
    outcomes = (*others.get(table.name, ()), *named.get(table.name, ()), *table.targets)
    features = [c for c in numbers if not str(c).startswith(outcomes)]
    frame = frame[frame[target].notna()]
    if table.name == "mice":
        cages = pd.unique(frame["cage"])[
            np.random.default_rng(3).permutation(frame["cage"].nunique())
        ]
        size = frame.groupby("cage").size()[cages].cumsum()
        frame = frame[frame["cage"].isin(size[size <= 600].index)]
    groups = None if table.group is None else frame[table.group].astype(str).to_numpy()
    return Dataset(
        frame[features].to_numpy(float),
        None,
        tuple(map(str, features)),
        numbers=frame[target].to_numpy(float),
        target=target,
        name=table.name,
        groups=groups,
    )


def judged(table: Table) -> dict[str, dict[str, list[float]]]:
    """Q2 and the median number of features of every candidate, for each outcome."""
    from tamis.study import run_study

    found: dict[str, dict[str, list[float]]] = {name: {"q2": [], "size": []} for name in METHODS}
    start = time.process_time()
    for target in table.targets:
        with tempfile.TemporaryDirectory() as folder:
            data = data_of(table, target)
            result = run_study(
                data, {**PLAN, "allow": list(data.feature_names)}, folder + "/s", n_jobs=1
            )
            for entry in result.content["methods"]:
                name = entry["name"]
                found[name]["q2"].append(entry["metrics"]["q2"]["mean"])
                found[name]["size"].append(float(np.median(entry["sizes"])))
    print(f"{table.name}: {time.process_time() - start:.0f} CPU s", flush=True)
    return found


def summary(found: dict[str, dict[str, dict[str, list[float]]]]) -> None:
    """Tables by kind, scores, and the rule's verdict."""
    kinds = list(dict.fromkeys(t.kind for t in TABLES))
    ranks: dict[str, list[np.ndarray]] = {kind: [] for kind in kinds}
    scores: dict[str, list[np.ndarray]] = {kind: [] for kind in kinds}
    rows = []
    for table in TABLES:
        if table.name not in found:
            continue
        q2 = np.array([found[table.name][name]["q2"] for name in METHODS])  # (methods, outcomes)
        order = rankdata(-q2.round(6), axis=0)  # ties share their ranks
        ranks[table.kind].append(order.mean(axis=1))
        scores[table.kind].append(q2.mean(axis=1))
        rows.append([table.kind, table.name, *(f"{v:.2f}" for v in q2.mean(axis=1))])
    print(markdown(["kind", "table", *METHODS], rows), "\n")
    by_kind = {kind: np.mean(own, axis=0) for kind, own in ranks.items() if own}
    total = np.mean(list(by_kind.values()), axis=0)
    rows = [[kind, *(f"{v:.1f}" for v in own)] for kind, own in by_kind.items()]
    rows.append(["mean of kinds", *(f"{v:.2f}" for v in total)])
    medians = {kind: np.median(own, axis=0) for kind, own in scores.items() if own}
    rows += [[f"median Q2, {kind}", *(f"{v:.2f}" for v in own)] for kind, own in medians.items()]
    print(markdown(["mean rank", *METHODS], rows), "\n")
    names = list(METHODS)
    selecting = [k for k, name in enumerate(names) if name not in ON_ALL]
    best = min(selecting, key=lambda k: total[k])
    now = names.index(NOW)
    default = now if total[now] <= total[best] + 0.5 else best
    reference = min((names.index(name) for name in ON_ALL), key=lambda k: total[k])
    print(f"default: {names[default]} (best of those that select: {names[best]})")
    print(f"reference: {names[reference]}")
    for kind, own in medians.items():
        if own[reference] > own[default] + 0.05:
            print(f"{kind}: the reference's median Q2 is above the default's")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--only", nargs="*", default=[])
    parser.add_argument("--workers", type=int, default=1)
    options = parser.parse_args()
    options.out.mkdir(exist_ok=True, parents=True)
    wanted = [t for t in TABLES if not options.only or t.name in options.only]
    left = [t for t in wanted if not (options.out / f"{t.name}.json").exists()]
    with ProcessPoolExecutor(options.workers) as pool:
        for table, one in zip(left, pool.map(judged, left), strict=True):
            (options.out / f"{table.name}.json").write_text(json.dumps(one))
    there = [t for t in TABLES if (options.out / f"{t.name}.json").exists()]
    summary({t.name: json.loads((options.out / f"{t.name}.json").read_text()) for t in there})
    print(f"\n{versions('scikit-learn', 'numpy')}.")


if __name__ == "__main__":
    main()
