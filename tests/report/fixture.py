"""Results of a study for the page: a real small one, turned plain, wide, bare or hostile.

One study of two classes and one of four are run once (seconds). What pages must bear, which no
small study has, is put into a copy of them: hundreds of folds, twelve methods, names that are
markup, numbers that are undefined. Keys and types are always those of the real ones.
"""

from __future__ import annotations

import json
import tempfile
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from tamis.data.dataset import Dataset
from tamis.metrics import CostMatrix
from tamis.study import run_study

HOSTILE = (
    "<script>window.__pwned=1</script>",
    '"><img src=x onerror="window.__pwned=1">',
    "</script><script>window.__pwned=1</script>",
    "' onmouseover='window.__pwned=1",
    "]]><svg onload=window.__pwned=1>",
    "{{ 7*7 }}{% raw %}",
    "<!--",
    "🧬👩‍🔬 γ-интерферон",
    "شارة_الجين_123",
    "\u202egnp.exe",
    "L" * 300,
    "nul\x00bell\x07del\x7f",
    "lone\ud800surrogate",
    "tab\there\nand a new line",
    "&lt;b&gt;&amp;",
    "=1+1",
    "</title></style><b>bold",
    "日本語の遺伝子名がここに入ります",
)
CLASSES = ("ALL-B", "ALL-T", "CML", "AML")
METHODS = (  # one after the other, as often as it takes
    {"select": "moderated_t", "classify": ["lda", "naive_bayes"], "sizes": [2, 5, 10, 20]},
    {"select": "rfs", "sizes": [1, 2, 5], "parameters": {"n_pairs": 5, "n_lambdas": 8}},
    {"select": "pam", "parameters": {"n_thresholds": 6}},
    {
        "select": "mcfs",
        "sizes": [2, 5, "own"],
        "parameters": {"s": 30, "t": 1, "meetings": 20},
    },
)
MORE = ("wilcoxon", "pearson", "mutual_information", "welch_t", "svm_rfe", "fold_change", "hsic")
SELECTION, GRAPH, CLUSTERS = "stability_selection", "id_graph", "clusters"
NUMBER = "selection probability"
FEATURES, STEPS = 100, 30


def make_table(n_classes: int, n: int = 44, p: int = 40) -> Dataset:
    """Numbers and categories, some informative, some twice, a few missing."""
    rng = np.random.default_rng(n_classes)
    names = np.array([*CLASSES[: n_classes - 1], "AML"], dtype=object)
    codes = (np.arange(n) % 11 > 6).astype(int) if n_classes == 2 else np.arange(n) % n_classes
    X = rng.normal(6, 1, (n, p))
    X[:, :8] += 0.9 * codes[:, None] * rng.uniform(0.4, 1.2, 8)
    X[:, 8] = X[:, 0] + 0.05 * rng.normal(size=n)
    yes = 0.3 + 0.5 * (codes[:, None] > 0) * (np.arange(10) < 4)
    X = np.c_[X, rng.random((n, 10)) < yes]
    X[rng.random(X.shape) < 0.01] = np.nan
    levels = {p + j: ("no", "yes") for j in range(10)}
    columns = tuple(f"{'ABCDEFGHJK'[j % 10]}{211 + 13 * j}_at" for j in range(p + 10))
    return Dataset(X, names[codes], columns, levels=levels, target="class", name="leukaemia")


def study_text(n_classes: int) -> str:
    """`results.json` of a real study."""
    return study_files(n_classes)["results.json"]


@cache
def study_files(n_classes: int) -> dict[str, str]:
    """What a real study writes for people and programs: name -> text."""
    plan = {
        "seed": 1,
        "outer": {"folds": 3, "repeats": 2},
        "inner": {"folds": 2, "repeats": 1},
        "permutations": 1,
        "method": list(METHODS),
    }
    with tempfile.TemporaryDirectory() as folder:
        found = run_study(make_table(n_classes), plan, Path(folder) / "s")
        files = [Path(folder, "s", "results.json"), *Path(folder, "s", "tables").iterdir()]
        texts = {one.name: one.read_text(encoding="utf-8") for one in files}
        return texts | {"summary": found.summary()}


def make_result(
    seed: int = 0,
    classes: int = 2,
    methods: int = 4,
    folds: int = 50,
    n_features: int = 3051,
    permutations: int = 99,
    hostile: bool = False,
    bare: bool = False,
    costs: str = "",
    rule: dict[str, Any] | None = None,
) -> dict[str, Any]:
    """A result; `bare` has everything that may be undefined or absent undefined or absent.

    `costs` are "matrix" (missing the positive class is ten times as bad), "sizes" of the classes,
    or "own" of each sample. `rule` says whom methods decline, as a plan has it.
    """
    rng = np.random.default_rng(seed)
    result = json.loads(study_text(classes))
    result["data"] |= {"n_features": n_features, "n_groups": 31, "covariates": ["age", "sex"]}
    result["data"]["notes"] = [
        "column 'patient' was taken as sample names",
        "'NA' and '' were read as missing",
    ]
    _more_methods(result, methods, rng)
    _more_folds(result, folds)
    _more_features(result, rng)
    _tell_selections(result)
    _tell_clusters(result)
    _permute(result, permutations, rng)
    result["warnings"] = [
        {"code": "small-class", "text": f"class {result['data']['classes'][0]!r} has 11 samples"},
        {"code": "imputed", "text": "0.9 % of the values are missing"},
    ]
    if costs:
        _charge(result, costs)
    if rule:
        _decline(result, rule)
    if bare:
        _strip(result)
    return _made_hostile(result) if hostile else result


def write_features(folder: Path, n: int = 60_000) -> Path:
    """A `tables/features.tsv` of `n` rows beside the page."""
    path = folder / "tables" / "features.tsv"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("feature\tfrequency\n" + "".join(f"g{i}\t0\n" for i in range(n)))
    return path


def _more_methods(result: dict[str, Any], count: int, rng: np.random.Generator) -> None:
    """The real four, and more of them by other names with scores a little off."""
    real, plans = result["methods"], result["plan"]["method"]
    result["methods"], result["plan"]["method"] = [], []
    for i in range(count):
        one, plan = json.loads(json.dumps([real[i % 4], plans[i % 4]]))
        if i >= 4:
            name = MORE[(i - 4) % 7] + ("" if i < 11 else f"_{i}")
            one |= {"name": name, "label": f"{name}: {one['label']}"}
            plan["name"] = name
            if i != 7:
                one.pop("evidence", None)
        one["difference"] = (
            None
            if i == 3
            else {
                "against": real[3]["name"],
                "mean": -0.03,
                "low": -0.09,
                "high": 0.03,
                "p_value": 0.31,
            }
        )
        for estimate in one["metrics"].values():
            shift = rng.uniform(-0.04, 0.02) if i else 0.0
            for end in ("mean", "low", "high"):
                if estimate[end] is not None:
                    estimate[end] = float(np.clip(estimate[end] + shift, -1, 1))
        result["methods"].append(one)
        result["plan"]["method"].append(plan)


def _more_folds(result: dict[str, Any], count: int) -> None:
    """Five repeats of ten folds and more, in some of which all but one metric is undefined."""
    names = [m["name"] for m in result["methods"]]
    real, folds = result["headline"]["folds"], []
    for i in range(count):
        fold = {**real[i % len(real)], "repeat": i // 10, "fold": i % 10}
        fold |= {"method": names[i % len(names)], "size": 10, "own": i % 7 == 5}
        if i % 17 == 3:
            fold |= {m: None for m in result["metrics"] if m != "bcr"}
        folds.append(fold)
    result["headline"]["folds"] = folds
    won = [fold["method"] for fold in folds]
    result["headline"]["winners"] = {name: won.count(name) for name in names}
    for method in result["methods"]:
        method["sizes"] = [method["sizes"][i % len(method["sizes"])] for i in range(count)]


def _more_features(result: dict[str, Any], rng: np.random.Generator) -> None:
    """A hundred, of which every tenth is a category, each with near-duplicates."""
    real = result["features"]
    pools = {kind: [f for f in real if f["kind"] == kind] for kind in ("categorical", "numeric")}
    assert all(pools.values())
    names = [f["name"] for f in real]
    names += [f"X{100 + i}_at" for i in range(FEATURES - len(real))]
    shares = sorted((real[i % len(real)]["frequency"] for i in range(FEATURES)), reverse=True)
    methods = [m["name"] for m in result["methods"]]
    features = []
    for i, name in enumerate(names):
        pool = pools["categorical" if i % 10 == 3 else "numeric"]
        near = [
            {"name": names[(i + k) % FEATURES], "r": 0.99 - 0.01 * k}
            for k in range(1, int(rng.integers(0, 6)) + 1)
        ]
        one = json.loads(json.dumps(pool[(i // 2) % len(pool)]))
        for found in one["distribution"].values():
            found |= {} if one["kind"] == "categorical" else {"n": 500}
        features.append(
            {
                **one,
                "name": name,
                "frequency": shares[i],
                "by_method": {m: float(rng.uniform()) for m in methods},
                "in_final": i < 20,
                "group": near,
                "group_size": len(near) + (12 if i == 4 else 0),
            }
        )
    result["features"] = features
    result["n_selected"] = 412
    result["final"] |= {"features": names[:20], "size": 20, "params": {"shrinkage": "auto"}}


def _tell_selections(result: dict[str, Any]) -> None:
    """Stability selection: the second method reaches the threshold often, the eighth never."""
    rng = np.random.default_rng(100)
    names = [f["name"] for f in result["features"]]
    shown = [result["methods"][k] for k in (1, 7) if k < len(result["methods"])]
    for k, method in enumerate(shown):
        real = result["methods"][1]["evidence"][SELECTION]
        most = np.round(np.sort(rng.beta(1, 1.5, STEPS))[::-1] * (0.7 if k else 1), 2)
        features = []
        for i, (name, top) in enumerate(zip(names, most.tolist(), strict=False)):
            path = np.round(top * np.minimum(1, np.arange(STEPS) / (8 + i)), 2).tolist()
            found = {"name": name, "probability": top, "path": [*path[:-1], top]}
            features.append({**real["features"][0], **found})
        method["evidence"] = {
            SELECTION: {
                **real,
                "q": 54,
                "threshold": 0.75,
                "pfer": 0.9753,
                "n_pairs": 50,
                "n_columns": 3051,
                "bound": "r_concave" if k else "unimodal",
                "lambdas": None if k else (0.4 * 0.01 ** np.linspace(0, 1, STEPS)).tolist(),
                "sizes": list(range(1, STEPS + 1)) if k else None,
                "n_stable": sum(f["probability"] >= 0.75 for f in features),
                "n_selected": 703,
                "features": features,
            }
        }
    for i, feature in enumerate(result["features"]):
        feature["numbers"] = {NUMBER: {m["name"]: 1 - i / 100 for m in shown}}


def _tell_clusters(result: dict[str, Any]) -> None:
    """Clusters of features: the third method has a map of 12 units, of which 10 are kept."""
    names = [f["name"] for f in result["features"]]
    clusters = [
        {
            "name": names[c],
            "chosen": c < 10,
            "score": 9.5 - c / 2,
            "n": 20 + 17 * c,
            "mean_correlation": 0.7 - c / 40,
            "place": [c % 4 + c // 4 % 2 / 2, c // 4 * 0.75**0.5],
            "members": [
                {"name": name, "correlation": (-1.0) ** i * (0.9 - i / 20), "score": 5 - i / 3}
                for i, name in enumerate(names[12 + c : 22 + c])
            ],
        }
        for c in range(12)
    ]
    content = {
        "algorithm": "som",
        "representative": "best",
        "filter": "moderated t",
        "absolute": True,
        "n_clustered": 3049,
        "sizes": [{"size": 10, "n_clusters": 12, "clusters": clusters}],
    }
    for method in result["methods"][2:3]:
        method["evidence"] = {CLUSTERS: content}


def _permute(result: dict[str, Any], runs: int, rng: np.random.Generator) -> None:
    """As many permuted runs, none of them as good or as stable as the true one."""
    given, classes = result["permutation"], result["data"]["classes"]
    values = np.clip(rng.normal(1 / len(classes), 0.07, runs), 0, 1).tolist()
    beaten = sum(v >= given["observed"] for v in values)
    again = np.random.default_rng(runs).uniform(0.1, 0.3, runs).tolist()
    alike = {
        "observed": 0.5,
        "values": again,
        "median": 0.2,
        "most": 0.3,
        "excess": 0.3,
        "above": True,
    }
    result["permutation"] = {
        **given,
        "values": values,
        "n": runs,
        "p_value": (1 + beaten) / (1 + runs),
        "stability": {**given["stability"], **alike},
    }
    result["protocol"]["permutations"] = runs
    for one in (result, *result["methods"]):
        for found in one["chance"].values():
            found["permuted"] = {**found["permuted"], "n": runs}
    for method in result["methods"]:
        method["repeatability"] = {**method["repeatability"], **alike}


def _charge(result: dict[str, Any], kind: str) -> None:
    """Costs, and what the procedure, the methods and their thresholds then cost."""
    classes, sizes = result["data"]["classes"], result["data"]["counts"]
    matrix = CostMatrix.of_class_sizes(sizes)
    if kind == "matrix":
        matrix = CostMatrix.of(dict.fromkeys(classes, 1) | {classes[-1]: 10}, classes)
    shares = np.array([sizes[c] for c in classes]) / sum(sizes.values())
    constant, own = matrix.values @ shares, kind == "own"
    two, wrong = len(classes) == 2 and not own, matrix.weights * shares
    result["costs"] = {
        "matrix": None if own else matrix.values.tolist(),
        "columns": ["cost_missed", "cost_alarm"] if own else [],
        "origin": "class_sizes" if kind == "sizes" else "plan",
        "threshold": matrix.threshold if two else None,
        "x": float(wrong[1] / wrong.sum()) if two else None,
        "constant": {"predicted": classes[constant.argmin()], "loss": float(constant.min())},
    }
    by_true = matrix.values.max(axis=0)
    for one in (result, *result["methods"]):
        shown = result["headline"] if one is result else one
        right = [one["metrics"]["bcr"]["mean"]] * len(classes)
        if one is result:
            right = [one["recalls"][name]["mean"] for name in classes]
        wrong = 1 - np.array(right)
        found = dict(zip(classes, (by_true * wrong).tolist(), strict=True))
        loss = float(shares @ list(found.values()))
        shown["cost_by_class"] = found
        one["metrics"]["loss"] = {"mean": loss, "low": 0.7 * loss, "high": 1.5 * loss}
        for p in shown["curves"].get("thresholds", []):
            missed = np.array([1 - p["specificity"], 1 - p["sensitivity"]])
            p["loss"] = float(shares @ (by_true * missed))


def _decline(result: dict[str, Any], rule: dict[str, Any]) -> None:
    """Samples that procedures declined; the last method declined none."""
    result["plan"]["reject"] = rule
    classes = result["data"]["classes"]
    given = 0.8
    result["headline"]["declined"] = [3.0] * len(classes)
    for number, one in enumerate((result["headline"], *result["methods"])):
        last = number == len(result["methods"])
        share_given = 1.0 if last else given
        one["coverage"] = {"mean": share_given, "by_class": dict.fromkeys(classes, share_given)}
        share = np.linspace(0, 0.95, 40)
        error = 0.2 * (1 - share) ** 0.7
        nothing = {"mean": None, "low": None, "high": None, "note": "every sample was declined"}
        one["rejection"] = {
            "error": {"mean": 0.12, "low": 0.05, "high": 0.27},
            "declined_error": nothing if last else {"mean": 0.5, "low": 0.2, "high": 0.8},
            "full_error": {"mean": 0.2, "low": 0.1, "high": 0.34},
            "full": {k: {"mean": 0.8, "low": 0.6, "high": 0.9} for k in ("bcr", "accuracy")},
            "shares": [None if last else 0.1 + 0.02 * (k % 6) for k in range(10)],
            "area": 0.071,
            "least_area": 0.019,
            "points": [
                {
                    "standing": float(s),
                    "coverage": float(1 - s),
                    "error": float(e),
                    "declined_error": float(0.6 - 0.4 * s) if s else None,
                    "caught": float(s**0.5),
                }
                for s, e in zip(share, error, strict=True)
            ],
        }


def _strip(result: dict[str, Any]) -> None:
    """Nothing that may be missing is there; only the balanced accuracy is defined."""
    result["data"] |= {
        "n_missing": 0,
        "n_categorical": 0,
        "n_groups": None,
        "covariates": [],
        "notes": [],
    }
    result |= {"features": [], "n_selected": 0, "final": None, "warnings": [], "citations": []}
    nothing = dict.fromkeys(("mean", "low", "high"))
    again = dict.fromkeys(("observed", "median", "most", "excess", "above"))
    result["permutation"] |= {
        "values": [],
        "p_value": None,
        "n": 0,
        "observed": None,
        "stability": {**again, "values": []},
    }
    result["protocol"]["permutations"] = 0
    for i, one in enumerate((result, *result["methods"])):
        shown = result["headline"] if one is result else one
        for name in one["metrics"]:
            if name != "bcr" or i > 1:
                one["metrics"][name] = dict(nothing)
        for found in one["chance"].values():
            found["permuted"] = None
        shown["curves"] = {kind: [] for kind in shown["curves"]}
        shown["stability"] = {
            **dict.fromkeys(shown["stability"]),
            "nogueira": dict(nothing),
            "common": 0,
            "mean_size": 0.0,
            "n_sets": 1,
            "undefined_pairs": 0,
        }
    result["recalls"] = {name: dict(nothing) for name in result["recalls"]}
    for fold in result["headline"]["folds"]:
        fold |= {m: None for m in result["metrics"] if m != "bcr"} | {"params": {}}
    for method in result["methods"]:
        method |= {
            "size_curve": [],
            "optimistic": None,
            "difference": None,
            "warnings": [],
            "repeatability": {**again, "values": []},
        }
        method["per_fold"] = {m: {"mean": None, "sd": None} for m in method["per_fold"]}
        method.pop("evidence", None)


def _made_hostile(result: dict[str, Any]) -> dict[str, Any]:
    """Names of features, classes, levels and methods are what breaks pages."""
    names = {f["name"]: name for f, name in zip(result["features"], HOSTILE, strict=False)}
    classes = result["data"]["classes"]
    names |= dict(zip(classes, (HOSTILE[0], HOSTILE[8], HOSTILE[7], HOSTILE[10]), strict=False))
    names[result["methods"][1]["name"]] = HOSTILE[0]
    names |= {m["label"]: f"{HOSTILE[i]} + LDA" for i, m in enumerate(result["methods"])}
    given = result["methods"][3].get("evidence", {}).get(GRAPH, {})
    for term in given.get("interactions", {}).get("terms", []):
        term["features"] = [HOSTILE[len(name) % len(HOSTILE)] for name in term["features"]]
    for feature in result["features"]:
        if feature["kind"] == "categorical":
            shares = {
                c: dict(zip(HOSTILE[:12], np.full(12, 1 / 12).tolist(), strict=True))
                for c in classes
            }
            feature |= {"class_shares": shares, "distribution": shares}
    result["data"]["name"] = HOSTILE[1]
    result["data"]["notes"][1] = f"level {HOSTILE[0]!r} kept"
    plan = result["plan"]
    found: dict[str, Any] = _renamed({k: v for k, v in result.items() if k != "plan"}, names)
    for method, shown in zip(plan["method"], found["methods"], strict=True):
        method["name"] = shown["name"]
    return {**found, "plan": plan}


def _renamed(value: Any, names: dict[str, str]) -> Any:
    """Keys and texts that are names, by their new ones."""
    if isinstance(value, dict):
        return {names.get(k, k): _renamed(v, names) for k, v in value.items()}
    if isinstance(value, list):
        return [_renamed(v, names) for v in value]
    return names.get(value, value) if isinstance(value, str) else value
