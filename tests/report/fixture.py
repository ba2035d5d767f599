"""Made-up results of a study, in the shape of docs/json.md, seeded: plain, bare and hostile."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from sklearn.metrics import precision_recall_curve, roc_auc_score, roc_curve

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
METRICS = ("bcr", "auc", "auprc", "mcc", "accuracy")
RANKERS = (
    "moderated_t", "welch_t", "wilcoxon", "pearson", "mutual_information", "pam",
    "svm_rfe", "rfs", "mcfs", "fold_change", "hsic", "genetic",
)  # fmt: skip


def make_result(
    seed: int = 0,
    classes: int = 2,
    methods: int = 4,
    folds: int = 50,
    n_features: int = 3051,
    permutations: int = 99,
    hostile: bool = False,
    bare: bool = False,
) -> dict[str, Any]:
    """A result; `bare` has everything that may be undefined or absent undefined or absent."""
    rng = np.random.default_rng(seed)
    labels = ["ALL-B", "ALL-T", "CML", "AML"][: classes - 1] + ["AML"]
    if hostile:
        labels = [HOSTILE[0], HOSTILE[8], HOSTILE[7], HOSTILE[10]][:classes]
    counts = {c: int(n) for c, n in zip(labels, rng.integers(11, 40, classes), strict=True)}
    y = np.repeat(np.arange(classes), list(counts.values()))
    rows = [_method(rng, i, y, folds, bare, hostile) for i in range(methods)]
    headline = _run(rng, y, 0.9, bare)
    features = _features(rng, labels, rows, hostile, bare)
    winners = _winners(rng, rows, folds)
    chance = {m: _chance(m, classes, 0 if bare else permutations) for m in METRICS}
    values = np.clip(rng.normal(1 / classes, 0.07, 0 if bare else permutations), 0, 1).tolist()
    observed = headline["metrics"]["bcr"]["mean"]
    beaten = sum(v >= observed for v in values) if observed is not None else 0
    return {
        "schema": 2,
        "versions": {"tamis": "0.1.0", "python": "3.11.7", "numpy": "2.4.6"},
        "data": {
            "name": HOSTILE[1] if hostile else "leukaemia", "digest": "ab12" * 16,
            "n_samples": len(y), "n_features": n_features, "target": "class",
            "classes": labels, "counts": counts, "n_missing": 0 if bare else 214,
            "n_categorical": 0 if bare else 2, "n_groups": None if bare else 31,
            "covariates": [] if bare else ["age", "sex"],
            "notes": [] if bare else [
                "column 'patient' was taken as sample names",
                f"level {HOSTILE[0]!r} kept" if hostile else "'NA' and '' were read as missing",
            ],
        },
        "plan": {
            "seed": 1, "metric": "bcr",
            "outer": {"kind": "k-fold", "folds": 10, "repeats": 5},
            "method": [{"name": r["name"], "sizes": [2, 5, 10, 20]} for r in rows],
        },
        "protocol": {
            "outer": "5 times 10-fold cross-validation, stratified",
            "inner": "5-fold cross-validation on each training part",
            "repeats": 5, "permutations": len(values), "metric": "bcr",
            "n_fits": folds * methods * 40 * (1 + len(values)),
        },
        "metrics": headline["metrics"],
        "recalls": {c: _estimate(rng, 0.8, 0.1, bare) for c in labels},
        "chance": chance,
        "permutation": {
            "metric": "bcr", "outer": "stratified 5-fold cross-validation",
            "outer_short": "5 folds", "observed": observed, "values": values,
            "p_value": (1 + beaten) / (1 + len(values)) if values else None, "n": len(values),
            "stability": _repeatability(len(values)),
        },
        "headline": {
            "winners": winners, "alone": False, "uneven": 0.0,
            "confusion": _confusion(rng, counts), "curves": headline["curves"],
            "stability": _stability(rng, bare), "folds": _folds(rng, rows, folds, bare),
        },
        "methods": rows,
        "features": features,
        "n_selected": 0 if bare else 412,
        "final": None if bare else {
            "method": rows[0]["name"], "title": "limma t, LDA",
            "classify": "lda", "params": {"shrinkage": "auto"},
            "size": 20, "features": [f["name"] for f in features if f["in_final"]],
            "path": "model.skops",
        },
        "warnings": [] if bare else [
            {"code": "small-class", "text": f"class {labels[0]!r} has {counts[labels[0]]} samples"},
            {"code": "unstable", "text": "the selections of two folds share less than half"},
        ],
        "methods_text": "Features were selected and classifiers fitted in nested "
        "cross-validation: " + "an outer loop estimated the performance of the procedure. " * 4,
        "citations": [] if bare else [
            {"key": "smyth2004", "text": "Smyth GK (2004). Linear models and empirical Bayes "
             "methods. Stat Appl Genet Mol Biol 3:3. doi:10.2202/1544-6115.1027"},
            {"key": "nogueira2018", "text": "Nogueira S, Sechidis K, Brown G (2018). On the "
             "stability of feature selection algorithms. JMLR 18(174):1-54."},
        ],
        "tables": [
            {"file": "tables/methods.tsv", "title": "Methods"},
            {"file": "tables/folds.tsv", "title": "Folds"},
            {"file": "tables/predictions.tsv", "title": "Out-of-fold predictions"},
            {"file": "tables/features.tsv", "title": "Every feature"},
        ],
    }  # fmt: skip


def write_features(folder: Path, n: int = 60_000) -> Path:
    """A `tables/features.tsv` of `n` rows beside the page."""
    path = folder / "tables" / "features.tsv"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("feature\tfrequency\n" + "".join(f"g{i}\t0\n" for i in range(n)))
    return path


def _null(metric: str, classes: int) -> float:
    return {"auc": 0.5, "mcc": 0.0}.get(metric, 1 / classes)


def _chance(metric: str, classes: int, runs: int) -> dict[str, Any]:
    value = _null(metric, classes)
    permuted = {"median": value + 0.01, "least": value - 0.2, "most": value + 0.2, "n": runs}
    return {
        "theory": None if metric == "accuracy" else value,
        "permuted": permuted if runs else None,
    }


def _repeatability(runs: int) -> dict[str, Any]:
    values = np.random.default_rng(runs).uniform(0.1, 0.3, runs).tolist()
    if not runs:
        return {"observed": None, "values": [], "median": None, "most": None, "excess": None,
                "above": None}  # fmt: skip
    return {"observed": 0.5, "values": values, "median": 0.2, "most": 0.3, "excess": 0.3,
            "above": True}  # fmt: skip


def _estimate(rng, mean: float, half: float, undefined: bool = False) -> dict[str, float | None]:
    if undefined:
        return {"mean": None, "low": None, "high": None}
    low, high = mean - half * rng.uniform(0.8, 1.2), mean + half * rng.uniform(0.6, 0.9)
    return {"mean": float(mean), "low": float(max(low, -1)), "high": float(min(high, 1))}


def _thin(a, b, most: int = 200) -> list[list[float]]:
    keep = np.unique(np.linspace(0, len(a) - 1, min(most, len(a))).astype(int))
    return [[float(a[i]), float(b[i])] for i in keep]


def _run(rng, y, signal: float, bare: bool) -> dict[str, Any]:
    """Metrics and curves of five repeats of made-up scores, one class against the rest."""
    truth = np.tile((y == y.max()).astype(int), 5)
    score = 1 / (1 + np.exp(-(rng.normal(0, 1, len(truth)) + 2.2 * signal * (truth - 0.5))))
    auc = float(roc_auc_score(truth, score))
    means = {"bcr": auc - 0.06, "auc": auc, "auprc": auc - 0.03, "mcc": 2 * auc - 1.1,
             "accuracy": auc - 0.05}  # fmt: skip
    metrics = {m: _estimate(rng, v, 0.1, bare and m != "bcr") for m, v in means.items()}
    if bare:
        return {"metrics": metrics,
                "curves": {"roc": [], "pr": [], "calibration": [], "decision": []}}  # fmt: skip
    fpr, tpr, _ = roc_curve(truth, score)
    precision, recall, _ = precision_recall_curve(truth, score)
    calibration = []
    for low in np.arange(0, 1, 0.125):
        inside = (score >= low) & (score < low + 0.125)
        if inside.any():
            share, n = float(truth[inside].mean()), int(inside.sum())
            half = 1.96 * (share * (1 - share) / n) ** 0.5
            calibration.append({
                "mean_predicted": float(score[inside].mean()), "observed": share, "n": n,
                "low": max(share - half, 0.0), "high": min(share + half, 1.0),
            })  # fmt: skip
    curves = {"roc": _thin(fpr, tpr), "pr": _thin(recall, precision), "calibration": calibration,
              "decision": _decision(truth, score)}  # fmt: skip
    return {"metrics": metrics, "curves": curves}


def _decision(truth, score) -> list[dict[str, float]]:
    share = float(truth.mean())
    out = []
    for pt in np.arange(1, 100) / 100:
        odds = pt / (1 - pt)
        gain = np.where(truth == 1, 1.0, -odds)[score >= pt].sum() / len(truth)
        out.append({"threshold": float(pt), "net_benefit": float(gain),
                    "treat_all": float(share - (1 - share) * odds)})  # fmt: skip
    return out


def _distribution(rng, labels, kind: str, hostile: bool) -> dict[str, Any]:
    if kind == "categorical":
        levels = HOSTILE[:12] if hostile else ("no", "yes")
        shares = [rng.dirichlet(np.ones(len(levels))) for _ in labels]
        return {c: dict(zip(levels, s.tolist(), strict=True))
                for c, s in zip(labels, shares, strict=True)}  # fmt: skip
    out: dict[str, Any] = {}
    for i, c in enumerate(labels):
        values = np.sort(rng.normal(i, 1 + i, 60))
        cuts = np.quantile(values, np.arange(5) / 4).tolist()
        out[c] = {"n": 500, **dict(zip(("min", "q1", "median", "q3", "max"), cuts, strict=True)),
                  "points": values.round(4).tolist()}  # fmt: skip
    return out


def _scores(rng) -> dict[str, Any]:
    given = {
        name: {"score": float(rng.normal(0, 4)), "p_value": float(10 ** -rng.uniform(0, 12)),
               "rank": int(rng.integers(1, 3000))}
        for name in ("pearson", "welch_t", "moderated_t", "mtd")
    }  # fmt: skip
    given["mtd"]["p_value"] = None
    return given


def _stability(rng, bare: bool) -> dict[str, Any]:
    if bare:
        return {"asm": None, "nogueira": {"mean": None, "low": None, "high": None},
                "jaccard": None, "common": 0, "mean_size": 0.0, "n_sets": 1,
                "undefined_pairs": 0}  # fmt: skip
    return {
        "asm": float(rng.uniform(0.4, 0.7)), "nogueira": _estimate(rng, 0.55, 0.04),
        "jaccard": float(rng.uniform(0.3, 0.5)), "common": int(rng.integers(4, 15)),
        "mean_size": float(rng.uniform(8, 24)), "n_sets": 50, "undefined_pairs": 3,
    }  # fmt: skip


def _method(rng, i: int, y, folds: int, bare: bool, hostile: bool) -> dict[str, Any]:
    name = RANKERS[i % len(RANKERS)] + ("" if i < len(RANKERS) else f"_{i}")
    run = _run(rng, y, rng.uniform(0.5, 1.2), bare and i > 0)
    mean = run["metrics"]["bcr"]["mean"]
    sizes = [2, 5, 10, 20, 50, 100, 200]
    curve = [] if bare else [
        {"size": float(s) + 0.5 * (i == 2), "inner": float(mean + 0.04 + 0.02 * rng.normal()),
         "outer": float(mean + 0.03 * rng.normal())} for s in sizes
    ]  # fmt: skip
    best = {"against": "pearson", "mean": -0.03, "low": -0.09, "high": 0.03, "p_value": 0.31}
    own = HOSTILE[0] if hostile and i == 1 else name
    steady = {} if bare or i % 6 != 1 else {"stability_selection": _selection(i, hostile)}
    return {
        "name": own,
        "select": name, "classify": ["lda", "svm"],
        "label": f"{HOSTILE[i]} + LDA" if hostile else f"{name.replace('_', ' ')} + LDA, SVM",
        "metrics": run["metrics"],
        "chance": {m: _chance(m, int(y.max()) + 1, 0 if bare else 99) for m in METRICS},
        "repeatability": _repeatability(0 if bare else 99), "warnings": [],
        "sizes": [int(s) for s in rng.choice(sizes[1:5], folds)],
        "stability": _stability(rng, bare), "size_curve": curve,
        "optimistic": max(p["outer"] for p in curve) if curve else None,
        "difference": None if bare or i == 3 else best,
        "curves": run["curves"],
        "per_fold": {m: {"mean": None if bare else 0.8, "sd": None if bare else 0.11}
                     for m in METRICS},
        **steady,
    }  # fmt: skip


def _selection(i: int, hostile: bool) -> dict[str, Any]:
    """Stability selection: the second method reaches the threshold often, the eighth never."""
    rng = np.random.default_rng(100 + i)
    lambdas = (0.4 * 0.01 ** np.linspace(0, 1, 30)).tolist()
    most = np.sort(rng.beta(1, 1.5, 30))[::-1] * (1 if i == 1 else 0.7)
    names = [*HOSTILE, *(f"g{k}" for k in range(30))] if hostile else [f"g{k}" for k in range(30)]
    features = [
        {"name": names[k], "probability": float(round(top, 2)),
         "path": np.round(top * np.minimum(1, np.arange(30) / (8 + k)), 2).tolist()}
        for k, top in enumerate(most)
    ]  # fmt: skip
    for one in features:
        one["path"][-1] = one["probability"]
    threshold = 0.75
    return {
        "q": 54, "threshold": threshold, "pfer": 0.9753,
        "bound": "unimodal" if i == 1 else "r_concave", "n_pairs": 50, "n_columns": 3051,
        "lambdas": lambdas if i == 1 else None,
        "sizes": None if i == 1 else list(range(1, 31)),
        "n_stable": sum(f["probability"] >= threshold for f in features), "n_selected": 703,
        "features": features,
    }  # fmt: skip


def _winners(rng, rows, folds: int) -> dict[str, int]:
    drawn = rng.multinomial(folds, rng.dirichlet(np.ones(len(rows))))
    return {r["name"]: int(n) for r, n in zip(rows, drawn, strict=True)}


def _folds(rng, rows, folds: int, bare: bool) -> list[dict[str, Any]]:
    out = []
    for i in range(folds):
        row = {"repeat": i // 10, "fold": i % 10, "method": rows[i % len(rows)]["name"],
               "classify": "lda", "params": {} if bare else {"shrinkage": "auto", "k": i % 3},
               "size": 10, "inner": float(rng.uniform(0.7, 0.95))}  # fmt: skip
        undefined = bare or i % 17 == 3
        for m in METRICS:
            row[m] = None if undefined and m != "bcr" else float(rng.uniform(0.6, 1))
        out.append(row)
    return out


def _confusion(rng, counts: dict[str, int]) -> list[list[float]]:
    sizes = list(counts.values())
    table = np.zeros((len(sizes), len(sizes)))
    for true, n in enumerate(sizes):
        share = rng.uniform(0.1, 0.25)
        table[:, true] = n * share / max(len(sizes) - 1, 1)
        table[true, true] = n * (1 - share)
    return np.round(table, 1).tolist()


def _features(rng, labels, rows, hostile: bool, bare: bool) -> list[dict[str, Any]]:
    if bare:
        return []
    names = [f"{'ABCDEFGHJK'[i % 10]}{rng.integers(100, 999)}_at" for i in range(100)]
    if hostile:
        names[: len(HOSTILE)] = HOSTILE
    share = np.sort(rng.beta(0.4, 1.1, 100))[::-1]
    out = []
    other = np.random.default_rng(len(labels))
    for i, name in enumerate(names):
        kind = "categorical" if i % 10 == 3 else "numeric"
        near = [{"name": names[(i + k) % 100], "r": float(0.99 - 0.01 * k)}
                for k in range(1, int(rng.integers(0, 6)) + 1)]  # fmt: skip
        given = _distribution(other, labels, kind, hostile)
        text = kind == "categorical"
        out.append({
            "name": name, "frequency": float(round(share[i] * 50) / 50),
            "by_method": {r["name"]: float(rng.uniform(0, 1)) for r in rows},
            "in_final": i < 20, "group": near, "group_size": len(near) + (12 if i == 4 else 0),
            "class_means": None if text else {c: float(rng.normal(6, 3)) for c in labels},
            "class_shares": given if text else None,
            "missing": float(rng.choice([0, 0, 0, 0.02])),
            "missing_counts": {c: int(other.integers(0, 3)) for c in labels},
            "kind": kind, "distribution": given,
            "scores": _scores(other),
        })  # fmt: skip
        steady = [r["name"] for r in rows if "stability_selection" in r]
        if steady:
            out[-1]["selection_probability"] = dict.fromkeys(steady, 1 - i / 100)
    return out
