"""Made-up results of `tamis interact`, of any size, with names that mean harm if asked."""

from __future__ import annotations

from typing import Any

import numpy as np

HOSTILE = (
    "<script>window.__pwned=1</script>",
    '"><img src=x onerror="window.__pwned=1">',
    "</script><script>window.__pwned=1</script>",
    "{{ 7*7 }}",
    "\u202egnp.exe",
    "L" * 300,
    "' onmouseover='window.__pwned=1",
    "日本語の特徴",
    "",
    "\u200fשלום\u200f a",
    "🧬🧪👩‍🔬 emoji",
    "javascript:window.__pwned=1",
    "__proto__",
    "tab\there\nand a new line",
    "]]>-->",
)


def make(
    n: int = 30,
    e: int = 120,
    rules: int = 40,
    classes: tuple[str, ...] = ("ill", "well"),
    kept: int = 6,
    hostile: bool = False,
    cutoff: str | None = "permutations",
    seed: int = 0,
) -> dict[str, Any]:
    """A dictionary as in ``interactions.json``."""
    rng = np.random.default_rng(seed)
    names = [*(HOSTILE if hostile else ()), *(f"gene {j:03d}" for j in range(n))][:n]
    importance = np.sort(rng.gamma(0.6, 0.1, n))[::-1]
    importance[:kept] += 0.3
    graph = _graph(rng, names, importance, e, kept, cutoff)
    ruled = _rules(rng, names[: max(2, min(n, 25))], rules, classes) if n else _empty(classes)
    k = 19 if cutoff == "permutations" else 0
    ps = {"p_value": 0.001, "family_p_value": 0.05 if kept else 0.35, "fdr": 0.02} if k else {}
    ranking = {
        "features": [
            {
                "column": j,
                "name": name,
                "importance": float(importance[j]),
                "offered": 100 + j,
                **{key: min(1.0, p * (1 + j)) for key, p in ps.items()},
            }
            for j, name in enumerate(names[:100])
        ],
        "maxima": rng.uniform(0.1, 0.28, k).tolist(),
        "accuracy": 0.71,
        "recalls": [0.7] * len(classes),
        "n_trees": 5000,
        "cutoff": graph["cutoff"],
        "settings": graph["settings"],
        "convergence": [
            {"projections": 10 * i, "distance": 20.0 / i, "common": 1 - 0.5 / i}
            for i in range(1, 101)
        ],
    }
    return {
        "schema": 2,
        "kind": "interactions",
        "method": "mcfs",
        "name": HOSTILE[0] if hostile else "made up",
        "target": "class",
        "seed": 7,
        "versions": {"tamis": "0.1", "python": "3.12", "numpy": "2.0"},
        "data": {
            "n_samples": 80,
            "n_features": 1000,
            "n_categorical": 3,
            "missing": 0.01,
            "classes": [{"name": c, "size": 40 - i} for i, c in enumerate(classes)],
        },
        "permutation": {"p_value": 0.05 if kept else 0.35, "n": k, "least": 0.05} if k else None,
        "ranking": ranking,
        "graph": graph,
        "rules": ruled,
        "remarks": [HOSTILE[1]] if hostile else ["3 samples without a class were left out."],
    }


def _graph(rng, names, importance, e, kept, cutoff) -> dict[str, Any]:
    n = len(names)
    pairs = [(a, b) for a in range(n) for b in range(n) if a != b]
    near = np.exp(-np.array([a + b for a, b in pairs]) / 12.0) if pairs else np.zeros(0)
    e = min(e, len(pairs))
    chosen = rng.choice(len(pairs), e, replace=False, p=near / near.sum()) if e else []
    weights = sorted((rng.gamma(0.8, 0.06, e)), reverse=True)
    settings = {"m": 30, "s": 3000, "t": 5, "u": 1.0, "v": 1.0, "n_permutations": 19}
    return {
        "features": [
            {"name": name, "importance": float(importance[j]), "p_value": 0.001 * (1 + j),
             "fdr": min(1.0, 0.02 * (1 + j)), "selected": j < kept, "offered": 100 + j, "edges": 2}
            for j, name in enumerate(names)
        ],
        "edges": [
            {"source": names[pairs[i][0]], "target": names[pairs[i][1]], "weight": float(w),
             "se": None if j == 3 else float(w / 9), "count": 40, "met": 500}
            for j, (i, w) in enumerate(zip(chosen, weights, strict=True))
        ],
        "cutoff": {"rule": cutoff, "threshold": 0.28 if cutoff == "permutations" else None,
                   "size": kept, "level": 0.05 if cutoff == "permutations" else None}
        if cutoff else {},
        "settings": {
            **settings, "second_stage": n, "second_m": 30, "second_top": 6, "projections": 6000,
        },
        "n_trees": 15000, "accuracy": 0.71, "preset": {"features": 6, "edges": 12},
        "convergence": [],
    }  # fmt: skip


def _rules(rng, names, count, classes) -> dict[str, Any]:
    made = []
    for i in range(count):
        label = classes[i % len(classes)]
        inside = sorted(rng.choice(len(names), min(len(names), 1 + i % 3), replace=False))
        conditions = [_condition(rng, names[j], j) for j in inside]
        support = float(rng.integers(4, 40))
        correct = float(np.ceil(support * rng.uniform(0.7, 1)))
        made.append(
            _rule(
                conditions,
                label,
                support,
                correct,
                trees=int(rng.integers(1, 90)),
                unseen=i % 4 != 3,
            )
        )
    made.sort(key=lambda rule: rule["p_value"])
    listed = [
        *(_rule(r["conditions"], r["label"], r["support"], r["correct"]) for r in made[:4]),
        _rule([], classes[0], 20.0, 15.0),
    ]
    return {
        "rules": made,
        "rule_list": listed if made else [],
        "networks": [_network(made, label) for label in classes],
        "classes": [{"name": c, "size": 40.0 - i} for i, c in enumerate(classes)],
        "n_trees": 5000,
        "n_rules": count * 3,
    }


def _condition(rng, name, j) -> dict[str, Any]:
    if j % 5 == 4:
        return {"feature": name, "op": "=", "value": "yes"}
    return {"feature": name, "op": "<=" if rng.random() < 0.4 else ">", "value": 0.5 + j}


def _text(c) -> str:
    return f"{c['feature']} {c['op']} {c['value']}"


def _rule(conditions, label, support, correct, trees=0, unseen=False) -> dict[str, Any]:
    given = " AND ".join(map(_text, conditions))
    return {
        "conditions": conditions,
        "label": label,
        "support": support,
        "correct": correct,
        "text": f"IF {given} THEN {label} ({support}/{support - correct})",
        "accuracy": correct / support,
        "coverage": correct / 40,
        "p_value": 0.5**correct,
        "p_adjusted": min(1.0, 40 * 0.5**correct),
        "trees": trees,
        "test_support": 50.0 if unseen else None,
        "test_accuracy": 0.66 if unseen else None,
    }


def _network(rules, label) -> dict[str, Any]:
    weight: dict[tuple, list] = {}
    joint: dict[tuple, list] = {}
    for rule in rules:
        if rule["label"] != label:
            continue
        keys = [(c["feature"], c["op"], c["value"]) for c in rule["conditions"]]
        for i, key in enumerate(keys):
            weight.setdefault(key, []).append(rule["correct"])
            for other in keys[i + 1 :]:
                joint.setdefault((key, other), []).append(rule["correct"])
    top = sorted(weight, key=lambda key: -sum(weight[key]))[:60]
    place = {key: i for i, key in enumerate(top)}
    edges = [
        {"source": place[a], "target": place[b], "weight": sum(w), "rules": len(w)}
        for (a, b), w in joint.items()
        if a in place and b in place
    ]
    return {
        "label": label,
        "size": 40.0,
        "nodes": [
            {
                "id": i,
                "text": f"{f} {op} {v}",
                "feature": f,
                "op": op,
                "value": v,
                "weight": sum(weight[f, op, v]),
                "rules": len(weight[f, op, v]),
            }
            for (f, op, v), i in place.items()
        ],
        "edges": sorted(edges, key=lambda e: -e["weight"])[:200],
    }


def _empty(classes) -> dict[str, Any]:
    return {
        "rules": [],
        "rule_list": [],
        "networks": [],
        "n_trees": 10,
        "n_rules": 0,
        "classes": [{"name": c, "size": 40.0} for c in classes],
    }
