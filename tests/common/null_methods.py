"""Every method of the registry at reduced size, for tests that hold for all of them."""

from __future__ import annotations

from tamis.study import registry

QUICK_SETTINGS = {"forest": {"n_estimators": [5]}}
QUICK_PARAMETERS = {
    "pam": {"thresholds": 6},
    "hhsvm": {"n_lambdas": 10},
    "mcfs": {"s": 20, "t": 1},
    "rfs": {"n_lambdas": 6, "n_pairs": 3},
}


def every_method():
    """Each ranker with its own classifier, and each classifier on one ranking."""
    methods = []
    for name in registry.names("select"):
        if name == "covariates":
            continue
        row = registry.row(name, role="select")
        method = {"name": name, "select": name}
        if not row.embedded and name != "all":
            method["sizes"] = [2, 5]
        if name in QUICK_PARAMETERS:
            method["parameters"] = QUICK_PARAMETERS[name]
        methods.append(method)
    for name in registry.names("classify"):
        if name != "pam":
            grid = {name: QUICK_SETTINGS.get(name, {})}
            methods.append(
                {"name": f"by {name}", "select": "moderated_t", "sizes": [3], "classify": name,
                 "grid": grid}
            )  # fmt: skip
    return methods
