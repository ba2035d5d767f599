"""mcfs: features that matter to trees, which of them are split on below which, and rules."""

from __future__ import annotations

from typing import Any, cast

import numpy as np

from .._core.errors import PlanError
from .._core.fields import plain_frame
from .._core.files import atomic
from ..data.checks import Summary
from ..data.dataset import Dataset
from ..metrics.permuted_maxima import number_of_permutations
from ..selection._cutoff_rules import RULES
from ..selection._monte_carlo import MonteCarloSelector
from ..selection._monte_carlo_parameters import (
    balance_of,
    features_of_projection,
)
from .folder import RUNS
from .interface import LEVEL, PERMUTATIONS, Search, Setting, Task, settings_of
from .monte_carlo_summary import family_test, search_remarks, summary_text
from .schema import Findings, Graph, InteractionsResult, Ranking, Rules

SETTINGS = settings_of(
    MonteCarloSelector,
    Setting("m", "Features offered to a tree: a number, a share (0.1), or their square root",
            float, gt=0, words=("sqrt",)),
    Setting("s", "Draws of so many features; auto offers each feature 100 times",
            ge=1, words=("auto",)),
    Setting("t", "Trees of each draw", ge=1),
    Setting("u", "Exponent of a tree's accuracy in the importance", float, ge=0),
    Setting("v", "Exponent of a node's share of the samples in the importance", float, ge=0),
    Setting("projections", "auto ends before --s draws where the ranking has settled", str,
            choices=("all", "auto")),
    Setting("cutoff", "Rule for which features are kept; only permutations is a test", str,
            choices=tuple(RULES)),
    LEVEL,
    PERMUTATIONS,
    Setting("balance", "Train with at most so many times the samples of the smallest class; auto "
            "is 2 if the largest class is more than 5 times the smallest",
            float, ge=1, words=("auto", None)),
    Setting("second_stage", "Features of the graph, drawn again together; 0: all, as they met",
            ge=0, option="top"),
    Setting("meetings", "How often each two features of the graph are drawn together, on average",
            ge=2),
    Setting("max_ancestors", "Only so many splits above a split count as its antecedents", ge=1,
            default_text="all"),
)  # fmt: skip


def check_settings(data: Dataset, columns: Summary, chosen: dict[str, Any]) -> None:
    """Refuse what no search of these data can be made with."""
    p, m, counts = data.shape[1], chosen["m"], np.bincount(data.codes)
    if isinstance(m, int) and m > p:
        raise PlanError(f"m={m}: there are {p:,} features; give at most as many")
    if features_of_projection(m, p) < 2:
        raise PlanError(f"m={m!r} offers one feature of {p:,} to a tree: give at least 2")
    balance_of(chosen["balance"], counts)
    number_of_permutations(chosen["level"], chosen["n_permutations"])


def find_ranking(task: Task) -> InteractionsResult:
    """Rank, write the tables, and give the dictionary."""
    data = task.data
    selector = MonteCarloSelector(
        **{one.name: task.settings[one.name] for one in SETTINGS},
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
    settings=SETTINGS,
    find=find_ranking,
    tables=("features.csv", "edges.csv", "graph.graphml", "rules.csv"),
    content=InteractionsResult,
    summary=summary_text,
    check=check_settings,
)
