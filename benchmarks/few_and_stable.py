"""Defaults for few and stable features: rules of choice judged over the shared expression sets.

Each set is studied once with the default methods, five outer folds drawn twice, five inner folds
drawn five times, and permuted runs. A study keeps what every candidate believes of every inner
fold, so that each rule (fewer inner repeats, a slack within which the smaller candidate wins, a
cap on the size of paths) is read off the same cells. What is wanted of a rule was written down
first: docs/results/few_and_stable.md.

    python benchmarks/few_and_stable.py [--sets alon golub] [--permutations 19] [--n-jobs 2]
        [--folder STUDIES]
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from dataclasses import dataclass
from itertools import pairwise, product
from pathlib import Path

import numpy as np

from _harness import markdown, shared_set, versions

SETS = (
    "alizadeh", "alon", "apcolon", "armstrong2194", "beer", "breast_tcga", "breast_tumors",
    "chen", "christensen", "dyrskjot", "glioma", "golub", "gse2191", "gse7390",
    "hmp_body_site", "hnsc_hpv", "laiho", "lapointe", "lung_ontario", "pomeroy", "shipp",
    "sorlie", "stemcells", "su", "tomlins", "tox171", "vandevijver", "west_er", "west_node",
)  # fmt: skip
REPEATS, MOST = 5, 50
OUTER = {"folds": 5, "repeats": 2}


@dataclass(frozen=True, order=True)
class Rule:
    """How a training set chooses; the default is that of before.

    Attributes
    ----------
    repeats : int
        Of the inner folds.
    within, between : float
        Standard errors of the best, within which a smaller candidate of a method wins, and a method
        with a smaller one.
    large : float
        Standard errors by which more than 50 features have to be better than fewer; 0: they need
        not be; infinite: they never win.
    """

    repeats: int = 1
    within: float = 0.0
    between: float = 0.0
    large: float = 0.0

    @property
    def changes(self) -> int:
        """What differs from before."""
        return sum(value > 0 for value in (self.within, self.between, self.large)) + (
            self.repeats > 1
        )


OLD = Rule()
FIRST = [  # those of the rule as it was written down
    Rule(*values)
    for values in product((1, 3, 5), (0.0, 0.25, 0.5, 1.0), (0.0, 0.25, 0.5), (0.0, np.inf))
]
RULES = FIRST + [  # and what was added
    Rule(*values)
    for values in product((1, 3, 5), (0.0, 0.25, 0.5), (0.0, 0.25, 0.5), (0.5, 1.0, 1.5, 2.0))
]


@dataclass(frozen=True)
class Seen:
    """A method's candidates in one training set, scored on the first 1, 3, 5 inner repeats."""

    sizes: np.ndarray
    tune: dict[int, np.ndarray]
    inner: dict[int, np.ndarray]
    features: list[np.ndarray]
    codes: list[np.ndarray]
    proba: list[np.ndarray]
    counts: np.ndarray  # training samples of each class


def standard_error(score: float, counts: np.ndarray) -> float:
    """Of a balanced accuracy, were every class's recall the score."""
    b = min(max(score, 0.0), 1.0)
    return float(np.sqrt(b * (1 - b) * (1 / counts).sum()) / len(counts))


def smallest_near(
    scores: np.ndarray, inner: np.ndarray, sizes: np.ndarray, slack: float, counts: np.ndarray
) -> int:
    """The smallest whose inner score is within so many standard errors of the best by `scores`."""
    scores = np.where(np.isnan(scores), -np.inf, np.round(scores, 12))
    best = int(scores.argmax())
    if not slack:
        return best
    least = inner[best] - slack * standard_error(inner[best], counts)
    near = np.flatnonzero(np.isfinite(scores) & (inner >= least - 1e-12))
    near = near[sizes[near] == sizes[near].min()]
    return int(near[scores[near].argmax()])


def chosen_of(
    scores: np.ndarray,
    inner: np.ndarray,
    sizes: np.ndarray,
    slack: float,
    large: float,
    counts: np.ndarray,
) -> int:
    """The same; of more than 50 features only if better by `large` standard errors."""
    whole = smallest_near(scores, inner, sizes, slack, counts)
    few = sizes <= max(MOST, sizes.min())
    if few[whole] or not large:
        return whole
    small = smallest_near(np.where(few, scores, np.nan), inner, sizes, slack, counts)
    if np.isinf(large):
        return small
    clear = inner[small] + large * standard_error(inner[small], counts)
    return whole if inner[whole] > clear + 1e-12 else small


def headline(methods: list[Seen], rule: Rule) -> tuple[Seen, int]:
    """The method, and its candidate, that the full procedure takes."""
    counts = methods[0].counts
    at = [
        chosen_of(
            s.tune[rule.repeats], s.inner[rule.repeats], s.sizes, rule.within, rule.large, counts
        )
        for s in methods
    ]
    scores = np.array([s.inner[rule.repeats][k] for s, k in zip(methods, at, strict=True)])
    sizes = np.array([s.sizes[k] for s, k in zip(methods, at, strict=True)])
    best = chosen_of(scores, scores, sizes, rule.between, rule.large, counts)
    return methods[best], at[best]


def seen_in(plan, method, cell, y: np.ndarray, n_inner: int) -> Seen:
    """A method's candidates in a cell."""
    from tamis.study.protocol.tuning import Inner, cross_fitted, inner_scores
    from tamis.study.results.candidates import decision_of

    decision = decision_of(plan.decision_of(method))
    rows = cell.rows_of(method.name)
    whole = [cell.inner(int(row)) for row in rows]
    tune, inner = {}, {}
    for repeats in sorted({rule.repeats for rule in RULES}):
        tests = cell.tests[1 : 1 + n_inner * repeats]
        samples = np.concatenate(tests)
        ends = np.cumsum([0, *(len(test) for test in tests)])
        folds = [slice(int(a), int(b)) for a, b in pairwise(ends)]
        beliefs = [one.take(np.arange(len(samples))) for one in whole]
        judged = cross_fitted(decision, Inner(y[samples], folds, samples, beliefs))
        inner[repeats] = inner_scores(plan.metric, judged)
        criterion = method.tune or plan.tune or plan.metric
        tune[repeats] = (
            inner[repeats] if criterion == plan.metric else inner_scores(criterion, judged)
        )
    decided = [decision.decide(cell.beliefs(int(row))) for row in rows]
    train = np.unique(np.concatenate(cell.tests[1:]))
    return Seen(
        np.array([len(cell.features(int(row))) for row in rows]),
        tune,
        inner,
        [cell.features(int(row)) for row in rows],
        [one.codes for one in decided],
        [one.beliefs.proba for one in decided],
        np.bincount(y[train]),
    )


def judged(folds: list[tuple[np.ndarray, Seen, int]], y: np.ndarray, p: int) -> dict[str, float]:
    """Scores, size and stability of what the training sets of one repeat chose."""
    from tamis.metrics import METRICS, nogueira_stability
    from tamis.metrics.ranks import areas_of, pairs_of

    test = np.concatenate([t for t, _, _ in folds])
    codes = np.concatenate([s.codes[k] for _, s, k in folds])
    pairs = np.sum([pairs_of(y[t], s.proba[k]) for t, s, k in folds], axis=0)
    sets = [s.features[k] for _, s, k in folds]
    sizes = [len(one) for one in sets]
    return {
        "bcr": METRICS["bcr"](y[test], codes, None),
        "auc": float(areas_of(pairs).mean()),
        "size": float(np.median(sizes)),
        "largest": float(max(sizes)),
        "S": float(nogueira_stability(sets, p)),
    }


def studied(name: str, folder: str, permutations: int, n_jobs: int) -> dict[Rule, dict]:
    """What every rule comes to on a set."""
    from tamis.data import load_golub
    from tamis.study.protocol import nested_cv
    from tamis.study.protocol.candidates import ranker_key
    from tamis.study.run import _read_cell, begin_study

    data = load_golub() if name == "demo" else shared_set(name)
    plan = {
        "permutations": permutations,
        "outer": OUTER,
        "inner": {"repeats": REPEATS},
        "final": False,
        "describe": False,
    }
    place = Path(folder) / name
    study = begin_study(data, plan, place, if_exists="resume")
    study.run(n_jobs)
    design, plan = study.design, study.plan
    found: dict[Rule, dict] = {}
    by_run: dict[tuple, dict[Rule, list]] = {}
    for task in study.tasks:
        read = {key: _read_cell(study, task, key) for key in task.rankers}
        y = nested_cv.labels_of(design, plan, task.permutation, task.draw).y
        first = next(iter(read.values()))
        n_inner = len(first.tests[1:]) // REPEATS
        methods = [seen_in(plan, m, read[ranker_key(m)], y, n_inner) for m in plan.method]
        run = by_run.setdefault((task.permutation, task.repeat), {rule: [] for rule in RULES})
        for rule in RULES:
            run[rule].append((first.test, *headline(methods, rule)))
        run.setdefault("y", y)
    p = len(design.features)
    for rule in RULES:
        runs = {key: judged(run[rule], run["y"], p) for key, run in by_run.items()}
        own = [one for (k, _), one in runs.items() if k == 0]
        null = [one["S"] for (k, _), one in runs.items() if k and np.isfinite(one["S"])]
        mean = {key: float(np.nanmean([one[key] for one in own])) for key in own[0]}
        mean["largest"] = max(one["largest"] for one in own)
        mean["null"] = float(np.median(null)) if null else float("nan")
        mean["most"] = float(np.max(null)) if null else float("nan")
        mean["gain"] = mean["S"] - mean["null"] if null else mean["S"]
        mean["chance"] = float(np.mean([one["bcr"] for (k, _), one in runs.items() if k] or [0]))
        found[rule] = mean
    return found


def means(by_set: dict[str, dict[Rule, dict]], rule: Rule, names) -> dict[str, float]:
    """Over some sets; of sizes the geometric mean. S is undefined where every part takes all."""
    values = [by_set[name][rule] for name in names]
    out = {key: float(np.nanmean([v[key] for v in values])) for key in values[0]}
    out["size"] = float(np.exp(np.mean([np.log(max(v["size"], 1.0)) for v in values])))
    return out


def chosen(by_set: dict, names, admissible, rules=tuple(RULES)) -> Rule:
    """The rule that what was written down picks on some sets."""
    told = {rule: means(by_set, rule, names) for rule in rules}
    before = told[OLD]
    good = [
        rule
        for rule in rules
        if rule in admissible
        and told[rule]["bcr"] >= before["bcr"] - 0.005
        and told[rule]["auc"] >= before["auc"] - 0.005
    ] or [OLD]
    most = max(told[rule]["gain"] for rule in good)
    near = [rule for rule in good if told[rule]["gain"] >= most - 0.01]
    return min(near, key=lambda r: (r.changes, r.repeats, told[r]["size"]))


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--sets", nargs="+", default=list(SETS))
    parser.add_argument("--permutations", type=int, default=19)
    parser.add_argument("--n-jobs", type=int, default=2)
    parser.add_argument("--folder", help="keep the studies there, and go on with those it has")
    parser.add_argument("--most-repeats", type=int, default=REPEATS, help="that time allows")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        folder = arguments.folder or temporary
        by_set = {}
        for name in ("demo", *arguments.sets):
            start = time.time()
            by_set[name] = studied(name, folder, arguments.permutations, arguments.n_jobs)
            print(f"{name}: {time.time() - start:.0f} s", file=sys.stderr, flush=True)
    demo, names = by_set.pop("demo"), list(by_set)
    few = {rule for rule in RULES if demo[rule]["largest"] <= MOST}
    allowed = {rule for rule in few if rule.repeats <= arguments.most_repeats}
    first, best = chosen(by_set, names, allowed, tuple(FIRST)), chosen(by_set, names, allowed)
    print(f"Of the rules first written down: {first}; of all: {best}.\n")
    rows = []
    for rule in sorted(RULES):
        if rule.between or rule.within == 0.25:
            continue
        m = means(by_set, rule, names)
        gaps = [by_set[name][rule]["bcr"] - by_set[name][OLD]["bcr"] for name in names]
        error = np.std(gaps, ddof=1) / np.sqrt(len(gaps)) if len(gaps) > 1 else np.nan
        rows.append(
            [
                rule.repeats,
                f"{rule.within:g}",
                f"{rule.large:g}" if rule.large < 99 else "never",
                f"{m['bcr']:.3f} ({np.mean(gaps):+.3f} ± {error:.3f})",
                f"{m['auc']:.3f}",
                f"{m['size']:.1f}",
                f"{m['S']:.3f}",
                f"{m['null']:.3f}",
                f"{m['gain']:.3f}",
                f"{demo[rule]['largest']:.0f}",
                "chosen" if rule == best else "before" if rule == OLD else "",
            ]
        )
    head = [
        "repeats",
        "within",
        "more than 50",
        "balanced accuracy",
        "AUC",
        "size",
        "S",
        "permuted S",
        "S less that",
        "largest on the demo",
        "",
    ]
    print(markdown(head, rows))
    if len(names) < 4:
        return
    left_out = [chosen(by_set, [n for n in names if n != one], allowed) for one in names]
    print(f"\nWith each set left out: {sum(r == best for r in left_out)} of {len(names)} the same.")
    rng = np.random.default_rng(0)
    gains = []
    for _ in range(200):
        order = rng.permutation(names)
        half, other = order[: len(order) // 2], order[len(order) // 2 :]
        one, old = means(by_set, chosen(by_set, half, allowed), other), means(by_set, OLD, other)
        gains.append([one[k] - old[k] for k in ("bcr", "auc", "gain")])
    mean = np.mean(gains, axis=0)
    print(
        "Chosen on 200 halves and judged on the others: balanced accuracy "
        f"{mean[0]:+.3f}, AUC {mean[1]:+.3f}, S less the permuted {mean[2]:+.3f}.\n"
    )
    rows = []
    for name in names:
        a, b = by_set[name][OLD], by_set[name][best]
        rows.append(
            [name]
            + [
                text
                for key, digits in (("bcr", 3), ("auc", 3), ("size", 0), ("S", 2), ("null", 2))
                for text in (f"{a[key]:.{digits}f}", f"{b[key]:.{digits}f}")
            ]
            + ["above" if b["S"] > b["most"] else "not above"]
        )
    pairs = product(("rate", "AUC", "size", "S", "permuted S"), ("before", "after"))
    head = ["set", *(f"{what} {when}" for what, when in pairs), "S after, of all permuted runs"]
    print(markdown(head, rows))
    print("\n" + versions("scikit-learn", "numba"))


if __name__ == "__main__":
    main()
