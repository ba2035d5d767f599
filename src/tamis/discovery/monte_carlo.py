"""mcfs: features that matter to trees, which of them are split on below which, and rules."""

from __future__ import annotations

from typing import Any, cast

import numpy as np

from .._core.errors import PlanError, nearest
from .._core.fields import plain_frame
from .._core.files import atomic
from ..data.checks import Summary
from ..data.dataset import Dataset
from ..metrics.permuted_maxima import number_of_permutations
from ..selection._cutoff_rules import RULES
from ..selection._monte_carlo import MonteCarloSelector
from ..selection._monte_carlo_parameters import (
    balance_of,
    checked_exponent,
    features_of_projection,
    whole_number,
)
from .folder import RUNS
from .schema import Findings, Graph, InteractionsResult, Ranking, Rules
from .searches import Search, Task
from .words import family_test, search_remarks, summary_text

NAMES = (
    "m",
    "s",
    "t",
    "u",
    "v",
    "projections",
    "cutoff",
    "level",
    "n_permutations",
    "balance",
    "second_stage",
    "meetings",
    "max_ancestors",
)
DEFAULTS = MonteCarloSelector().get_params()


def check_settings(data: Dataset, columns: Summary, chosen: dict[str, Any]) -> None:
    """Refuse what no search can be made with."""
    p, m, counts = data.shape[1], chosen["m"], np.bincount(data.codes)
    if isinstance(m, int) and m > p:
        raise PlanError(f"m={m}: there are {p:,} features; give at most as many")
    if features_of_projection(m, p) < 2:
        raise PlanError(f"m={m!r} offers one feature of {p:,} to a tree: give at least 2")
    least = {"t": 1, "second_stage": 0, "meetings": 2}
    if chosen["s"] != "auto":
        least["s"] = 1
    if chosen["max_ancestors"] is not None:
        least["max_ancestors"] = 1
    for name, number in least.items():
        whole_number(chosen[name], name, number)
    for name, allowed in (("cutoff", RULES), ("projections", ("all", "auto"))):
        if chosen[name] not in allowed:
            raise PlanError(f"{name}={chosen[name]!r}: {nearest(chosen[name], allowed)}")
    checked_exponent(chosen["u"], "u")
    checked_exponent(chosen["v"], "v")
    balance_of(chosen["balance"], counts)
    number_of_permutations(chosen["level"], chosen["n_permutations"])


def find_ranking(task: Task) -> InteractionsResult:
    """Rank, write the tables, and give the dictionary."""
    data = task.data
    selector = MonteCarloSelector(
        **{name: task.settings[name] for name in NAMES},
        categorical_features=_categorical_mask(data),
        random_state=task.settings["seed"],
        n_jobs=task.n_jobs,
        progress=not task.quiet,
        checkpoint=task.folder / RUNS,
    )
    fitted = _fitted_with_names(selector, data)
    assert fitted.rules_ is not None  # at least two features are offered to every tree
    rules = fitted.rules_.named({data.feature_names[j]: v for j, v in data.levels.items()})
    findings = _search_findings(task, fitted, rules.to_dict())
    remarks = search_remarks(data, findings, task.settings, task.columns)
    with atomic(task.folder / "features.csv", "w") as file:
        features = _feature_table(data, fitted, task.columns)
        plain_frame(features).to_csv(file, index=False, lineterminator="\n", chunksize=1000)
    fitted.graph_.to_csv(task.folder / "edges.csv")
    fitted.graph_.to_graphml(task.folder / "graph.graphml")
    rules.to_csv(task.folder / "rules.csv")
    return {**findings, "remarks": remarks}


def _categorical_mask(data: Dataset) -> np.ndarray:
    mask = np.zeros(data.shape[1], dtype=bool)
    mask[list(data.levels)] = True
    return mask


def _fitted_with_names(selector: MonteCarloSelector, data: Dataset) -> MonteCarloSelector:
    """Fit with names, so that edges and rules carry them."""
    import pandas as pd

    return selector.fit(pd.DataFrame(data.matrix, columns=list(data.feature_names)), data.y)


def _search_findings(task: Task, selector: MonteCarloSelector, rules: dict[str, Any]) -> Findings:
    """The dictionary. What the parts below give is held to its types by a test."""
    ranking = cast(Ranking, selector.result_.to_dict())
    return {
        **task.head(family_test(ranking)),
        "ranking": ranking,
        "graph": cast(Graph, selector.graph_.to_dict()),
        "rules": cast(Rules, rules),
    }


def _feature_table(data: Dataset, selector: MonteCarloSelector, columns: Summary) -> Any:
    """Every feature, best first."""
    table = selector.result_.frame()
    order = table.pop("column").to_numpy()
    table["importance"] = table["importance"].where(table["offered"] > 0)  # never offered: empty
    table["kept"] = np.where(selector.support_[order], "yes", "no")
    table["missing"] = columns.missing[order] / data.shape[0]
    table["levels"] = [len(data.levels.get(int(j), ())) or "" for j in order]
    return table


SEARCH = Search(
    settings={name: DEFAULTS[name] for name in NAMES},
    tables=("features.csv", "edges.csv", "graph.graphml", "rules.csv"),
    check=check_settings,
    find=find_ranking,
    content=InteractionsResult,
    summary=summary_text,
)
