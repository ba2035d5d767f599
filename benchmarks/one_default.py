"""Defaults in which an estimator and the method of its name in plans disagreed: which value stays.

    python benchmarks/one_default.py --out FOLDER [--only costing irf ...]
    python benchmarks/one_default.py --out FOLDER --table      # what is there so far

The rule, the sets and what judges each setting were written down before any figure was seen:
docs/results/one_default.md. A (method, set) is a file of FOLDER, so a run that was stopped goes on.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from _harness import markdown, shared_folder, versions  # before NumPy: sets one thread each

# isort: split
import numpy as np
from sklearn.feature_selection import SelectKBest, f_classif
from sklearn.impute import SimpleImputer
from sklearn.model_selection import StratifiedShuffleSplit
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.tree import DecisionTreeClassifier

from tamis._core.interfaces import Part
from tamis.classifiers import (
    CostingClassifier,
    CovRITClassifier,
    DiscRITClassifier,
    ElasticNetClassifier,
    MetaCostClassifier,
    RelRITClassifier,
)
from tamis.classifiers.iterative_forest import IterativeForestMethod
from tamis.data import EqualFrequencyDiscretizer, EqualWidthDiscretizer
from tamis.interactions import IterativeForest
from tamis.metrics import balanced_classification_rate

MOST_ROWS, MOST_COLUMNS, SCREENED = 2000, 2000, 40
LEAST_GAIN, LEAST_AGREEMENT = 0.003, 0.05
UCI = (
    "abalone3",
    "adult",
    "breast_w",
    "ctg",
    "german",
    "heart",
    "hepatitis",
    "ionosphere",
    "newthyroid",
    "pima",
    "sonar",
    "wdbc",
)
COST_SETS = UCI
NET_SETS = (
    "alon",
    "beer",
    "breast_tcga",
    "chen",
    "gse2191",
    "gse7390",
    "pomeroy",
    "sorlie",
    "vandevijver",
    "west_er",
    "ionosphere",
    "sonar",
)
SETS_SETS = (
    "alon",
    "breast_tcga",
    "chen",
    "golub",
    "gse2191",
    "gse7390",
    "shipp",
    "sorlie",
    "west_er",
    "heart",
    "ionosphere",
    "sonar",
)
FURTHER_SETS = (
    "beer",
    "borovecki",
    "chowdary",
    "gordon",
    "pomeroy",
    "vandevijver",
    "breast_w",
    "ctg",
    "hepatitis",
    "newthyroid",
    "pima",
    "wdbc",
)
FOREST_SETS = (
    "alon",
    "breast_tcga",
    "chen",
    "golub",
    "gse7390",
    "shipp",
    "west_er",
    "heart",
    "ionosphere",
    "sonar",
)
INSIDE = {
    "tree": DecisionTreeClassifier(min_samples_leaf=10, random_state=0),
    "naive Bayes": GaussianNB(),
}
Scores = dict[str, float]


def table(name: str) -> tuple[np.ndarray, np.ndarray]:
    """Numbers, categories spread over 0/1 columns, and class codes, of a shared set."""
    from tamis.data import read_table

    room = "uci" if name in UCI else "expression"
    data = read_table(shared_folder() / room / f"{name}.parquet", target="class")
    X, y = data.matrix, np.unique(data.y, return_inverse=True)[1]
    columns = []
    for j in range(X.shape[1]):
        if j in data.levels:
            columns.append(X[:, j : j + 1] == np.arange(len(data.levels[j])))
        else:
            columns.append(X[:, j : j + 1])
    X = np.hstack(columns).astype(np.float64)
    if len(y) > MOST_ROWS:
        draw = StratifiedShuffleSplit(1, train_size=MOST_ROWS, random_state=0)
        rows = np.sort(next(draw.split(X, y))[0])
        X, y = X[rows], y[rows]
    return X, y


def rarest_dear(y: np.ndarray) -> np.ndarray:
    """Costs (predicted, true): 5 of missing the rarest class, 1 of any other error."""
    costs = 1.0 - np.eye(y.max() + 1)
    costs[:, np.bincount(y).argmin()] *= 5
    return costs


@dataclass(frozen=True)
class Split:
    """A draw of a set, and the seed of what is fitted on it."""

    X: np.ndarray
    y: np.ndarray
    train: np.ndarray
    test: np.ndarray
    seed: int


def under_costs(wrapper: type, split: Split, **settings: Any) -> Scores:
    """Expected cost as a share of the cheapest constant label's, and balanced accuracy."""
    X, y, train, test = split.X, split.y, split.train, split.test
    costs = rarest_dear(y)
    constant = costs[:, y].mean(axis=1).min()
    cost, rate = [], []
    for learner in INSIDE.values():
        inside = make_pipeline(SimpleImputer(strategy="median"), learner)
        model = wrapper(inside, costs, random_state=split.seed, **settings)
        told = model.fit(X[train], y[train]).predict(X[test])
        cost.append(costs[told, y[test]].mean() / constant)
        rate.append(balanced_classification_rate(y[test], told))
    return {"cost": float(np.mean(cost)), "balanced": float(np.mean(rate))}


def elastic_net(split: Split, **settings: Any) -> Scores:
    """Balanced accuracy, mean -log p of the true class, and columns used."""
    X, y, train, test = split.X, split.y, split.train, split.test
    model = ElasticNetClassifier(random_state=split.seed, **settings).fit(X[train], y[train])
    own = model.predict_proba(X[test])[np.arange(len(test)), y[test]]
    return {
        "balanced": balanced_classification_rate(y[test], model.predict(X[test])),
        "log loss": float(-np.log(np.maximum(own, 1e-5)).mean()),
        "columns": float(model.n_active_),
    }


def binned(discretizer: type, split: Split, **settings: Any) -> Scores:
    """Balanced accuracy on codes of intervals, of the columns that differ most."""
    X, y, train, test = split.X, split.y, split.train, split.test
    rate = []
    for learner in INSIDE.values():
        screen = SelectKBest(f_classif, k=min(SCREENED, X.shape[1]))
        filled = SimpleImputer(strategy="median")
        model = make_pipeline(filled, discretizer(**settings), screen, learner)
        told = model.fit(X[train], y[train]).predict(X[test])
        rate.append(balanced_classification_rate(y[test], told))
    return {"balanced": float(np.mean(rate))}


def by_sets(classifier: type, split: Split, **settings: Any) -> Scores:
    """Balanced accuracy on the columns that differ most, and the number of sets."""
    X, y, train, test = split.X, split.y, split.train, split.test
    screen = SelectKBest(f_classif, k=min(SCREENED, X.shape[1]))
    model = make_pipeline(screen, classifier(random_state=split.seed, **settings))
    told = model.fit(X[train], y[train]).predict(X[test])
    return {
        "balanced": balanced_classification_rate(y[test], told),
        "sets": float(len(model[-1].rules_)),
    }


def forest(split: Split, **settings: Any) -> Scores:
    """Balanced accuracy of the method in plans and of the estimator, and whether two seeds find
    the same interactions."""
    wide = np.sort(np.argsort(-split.X.var(axis=0), kind="stable")[:MOST_COLUMNS])
    X, y, train, test = split.X[:, wide], split.y, split.train, split.test
    part, steps, found = Part.of(X[train], y[train]), [], []
    for seed in (split.seed, split.seed + 1000):
        stream = np.random.SeedSequence(seed)
        path = IterativeForestMethod(**settings).follow(part, None, stream)
        told = path.beliefs(X[test], np.zeros((len(test), 0)))
        steps += [
            balanced_classification_rate(y[test], one.proba.argmax(axis=1))
            for one, step in zip(told, path.settings, strict=True)
            if step["sets"]
        ]
        one = path.found
        found.append(set(zip(one.columns, one.signs, one.origin.tolist(), strict=True)))
    either = found[0] | found[1]
    bare = {**settings, "n_bootstraps": 0}  # which the last forest does not depend on
    estimator = IterativeForest(random_state=split.seed, **bare).fit(X[train], y[train])
    return {
        "balanced": float(np.mean(steps)),
        "last forest": balanced_classification_rate(y[test], estimator.predict(X[test])),
        "agreement": len(found[0] & found[1]) / len(either) if either else float("nan"),
        "interactions": float(np.mean([len(one) for one in found])),
    }


@dataclass(frozen=True)
class Question:
    """The plan's value against the estimator's: the settings tried with each, paired."""

    setting: str
    plan: Sequence[str]
    estimator: Sequence[str]
    judges: Mapping[str, float]  # measure -> least gain


@dataclass(frozen=True)
class Method:
    """What is fitted, with which settings, on which sets."""

    name: str
    fit: Callable[..., Scores]
    sets: Sequence[str]
    splits: int
    tried: Mapping[str, Mapping[str, Any]]
    questions: Sequence[Question]


BY_RATE = {"balanced": LEAST_GAIN}
BY_SETS = {**BY_RATE, "agreement": LEAST_AGREEMENT, "last forest": LEAST_GAIN}


def sizes(setting: str, few: int, many: int, judges: Mapping[str, float]) -> dict[str, Any]:
    """One setting, a value of the plan and one of the estimator."""
    tried = {f"{value}": {setting: value} for value in (few, many)}
    return {"tried": tried, "questions": [Question(setting, [str(few)], [str(many)], judges)]}


def rules(classifier: type) -> dict[str, Any]:
    """Both rules and both numbers of sets; the number at each rule."""
    tried = {
        f"{rule} {most}": {"rule": rule, "max_sets": most}
        for rule in ("bernoulli", "matched")
        for most in (100, 500)
    }
    if classifier is RelRITClassifier:
        tried = {key: value for key, value in tried.items() if value["rule"] == "bernoulli"}
    questions = [
        Question(f"max_sets, {rule}", [f"{rule} 100"], [f"{rule} 500"], BY_RATE)
        for rule in ("bernoulli", "matched")
        if f"{rule} 100" in tried
    ]
    if len(questions) > 1:
        both = [[f"{rule} {most}" for most in (100, 500)] for rule in ("bernoulli", "matched")]
        questions.insert(0, Question("rule", *both, BY_RATE))
    return {"tried": tried, "questions": questions}


METHODS = [
    Method("costing", partial(under_costs, CostingClassifier), COST_SETS, 20,
           **sizes("n_estimators", 25, 100, {"cost": LEAST_GAIN})),
    Method("MetaCost", partial(under_costs, MetaCostClassifier), COST_SETS, 20,
           **sizes("n_estimators", 25, 50, {"cost": LEAST_GAIN})),
    Method("elastic net", elastic_net, NET_SETS, 20, **sizes("n_lambdas", 50, 100, BY_RATE)),
    *(
        Method(name, partial(by_sets, kind), SETS_SETS, 3, **rules(kind))
        for name, kind in (("discRIT", DiscRITClassifier), ("covRIT", CovRITClassifier),
                           ("relRIT", RelRITClassifier))
    ),
    *(
        Method(name, partial(binned, kind), sets, 20,
               {"3": {"n_bins": 3}, "cube root": {"n_bins": "cube_root"}},
               [Question("n_bins", ["3"], ["cube root"], BY_RATE)])
        for name, kind, sets in (
            ("equal width", EqualWidthDiscretizer, SETS_SETS),
            ("equal frequency", EqualFrequencyDiscretizer, SETS_SETS),
            ("equal frequency again", EqualFrequencyDiscretizer, FURTHER_SETS),
        )
    ),
    Method(
        "iRF", forest, FOREST_SETS, 3,
        {
            "100, 10": {"n_estimators": 100, "n_bootstraps": 10},
            "200, 10": {"n_estimators": 200, "n_bootstraps": 10},
            "100, 20": {"n_estimators": 100, "n_bootstraps": 20},
        },
        [Question("n_estimators", ["100, 10"], ["200, 10"], BY_SETS),
         Question("n_bootstraps", ["100, 10"], ["100, 20"],
                  {**BY_RATE, "agreement": LEAST_AGREEMENT})],
    ),
]  # fmt: skip


def measured(method: Method, name: str) -> dict[str, dict[str, list[float]]]:
    """Every measure and the CPU seconds of every setting, a number a split."""
    X, y = table(name)
    found: dict[str, dict[str, list[float]]] = {key: {} for key in method.tried}
    draws = StratifiedShuffleSplit(method.splits, test_size=1 / 3, random_state=0)
    for seed, (train, test) in enumerate(draws.split(X, y)):
        for key, settings in method.tried.items():
            start = time.process_time()
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # MetaCost: all rows called one class
                scores = method.fit(Split(X, y, train, test, seed), **settings)
            scores["CPU s"] = time.process_time() - start
            for measure, value in scores.items():
                found[key].setdefault(measure, []).append(value)
    return found


def run(folder: Path, method: Method) -> None:
    """Every set that is not there yet."""
    warm = table("heart")
    split = Split(*warm, np.arange(180), np.arange(180, 270), 0)
    method.fit(split, **next(iter(method.tried.values())))  # compiles, if need be
    for name in method.sets:
        path = folder / f"{method.name.replace(' ', '_')}-{name}.json"
        if path.exists():
            continue
        found = measured(method, name)
        beside = path.with_suffix(".part")
        beside.write_text(json.dumps(found), encoding="utf-8")
        beside.replace(path)
        spent = sum(sum(one["CPU s"]) for one in found.values())
        print(f"{method.name}, {name}: {spent:.0f} CPU s", file=sys.stderr, flush=True)


def means(folder: Path, method: Method) -> dict[str, dict[str, np.ndarray]]:
    """Of every setting and measure the mean of a set's splits, an array over the sets."""
    stem = method.name.replace(" ", "_")
    units = [
        json.loads((folder / f"{stem}-{name}.json").read_text(encoding="utf-8"))
        for name in method.sets
    ]
    return {
        key: {
            measure: np.array([np.mean(unit[key][measure]) for unit in units])
            for measure in units[0][key]
        }
        for key in method.tried
    }


def of(found: Mapping[str, Mapping[str, np.ndarray]], keys: Sequence[str], measure: str) -> Any:
    """The mean of some settings, an array over the sets."""
    return np.mean([found[key][measure] for key in keys], axis=0)


def verdict(method: Method, question: Question, found: Mapping[str, Any]) -> list[list[str]]:
    """A row for each measure that judges; the estimator's value wins by one of them."""
    rows = []
    seconds = [
        of(found, keys, "CPU s").sum() * method.splits
        for keys in (question.plan, question.estimator)
    ]
    for measure, least in question.judges.items():
        plan, estimator = (of(found, keys, measure) for keys in (question.plan, question.estimator))
        gain = (plan - estimator) if measure == "cost" else (estimator - plan)
        known = np.isfinite(gain)
        mean, error = gain[known].mean(), gain[known].std(ddof=1) / np.sqrt(known.sum())
        wins = mean >= least and mean > 2 * error
        rows.append(
            [
                method.name,
                question.setting,
                measure,
                int(known.sum()),
                f"{plan[known].mean():.4f}",
                f"{estimator[known].mean():.4f}",
                f"{mean:+.4f} ± {error:.4f}",
                f"{(gain > 0).sum()} / {(gain < 0).sum()}",
                f"{seconds[0]:.0f}, {seconds[1]:.0f}",
                "estimator's" if wins else "plan's",
            ]
        )
    return rows


def page(folder: Path, methods: Sequence[Method]) -> str:
    """The verdicts, and every set's figures."""
    header = [
        "method",
        "setting",
        "measure",
        "sets",
        "plan's",
        "estimator's",
        "gain of the estimator's ± SE",
        "sets better / worse",
        "CPU s",
        "by this",
    ]
    rows, lines = [], []
    for method in methods:
        found = means(folder, method)
        for question in method.questions:
            rows += verdict(method, question, found)
        measures = [name for name in next(iter(found.values())) if name != "CPU s"]
        lines += ["", f"### {method.name}", ""]
        lines.append(
            markdown(
                ["set", *(f"{measure}: {' / '.join(found)}" for measure in measures)],
                [
                    [
                        name,
                        *(
                            " / ".join(number(one[measure][k]) for one in found.values())
                            for measure in measures
                        ),
                    ]
                    for k, name in enumerate(method.sets)
                ],
            )
        )
    return "\n".join([markdown(header, rows), *lines])


def number(value: float) -> str:
    """Shares to three places, counts whole; a dash where there is none."""
    if np.isnan(value):
        return "-"
    return f"{value:.3f}" if abs(value) < 3 else f"{value:.0f}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--only", nargs="*", default=[method.name for method in METHODS])
    parser.add_argument("--table", action="store_true")
    options = parser.parse_args()
    methods = [method for method in METHODS if method.name in options.only]
    options.out.mkdir(parents=True, exist_ok=True)
    if not options.table:
        for method in methods:
            run(options.out, method)
    print(versions("scikit-learn", "numpy", "numba"), end="\n\n")
    print(page(options.out, methods))


if __name__ == "__main__":
    main()
