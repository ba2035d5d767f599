"""mcfs: features that matter to trees, which of them are split on below which, and rules."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, cast

import numpy as np

from .._core.errors import PlanError
from .._core.parameters import MOST_DRAWS, MOST_RUNS
from ..data.checks import Summary
from ..data.dataset import Dataset
from ..metrics.permuted_maxima import number_of_permutations
from ..selection._cutoff_rules import CUTOFF_RULES
from ..selection._monte_carlo_parameters import balance_of, features_of_projection
from .folder import RUNS_NAME
from .interface import LEVEL_SETTING, PERMUTATIONS_SETTING, Search, Setting, Task, settings_of
from .monte_carlo_summary import family_test, search_remarks, summary_text
from .schema import Graph, InteractionsResult, Ranking, Rules

SETTINGS = settings_of(
    "tamis.selection._monte_carlo_ranker:MonteCarloRanker",
    Setting("m", "Features offered to a tree: a number, a share (0.1), or their square root",
            float, gt=0, words=("sqrt",)),
    Setting("s", "Draws of so many features; auto offers each feature 100 times",
            ge=1, le=MOST_DRAWS, words=("auto",)),
    Setting("t", "Trees of each draw", ge=1, le=MOST_RUNS),
    Setting("u", "Exponent of a tree's accuracy in the importance", float, ge=0),
    Setting("v", "Exponent of a node's share of the samples in the importance", float, ge=0),
    Setting("projections", "auto ends before --s draws where the ranking has settled", str,
            choices=("all", "auto")),
    Setting("cutoff", "Rule for which features are kept; only permutations is a test", str,
            choices=tuple(CUTOFF_RULES)),
    LEVEL_SETTING,
    PERMUTATIONS_SETTING,
    Setting("balance", "Train with at most so many times the samples of the smallest class; auto "
            "is 2 if the largest class is more than 5 times the smallest",
            float, ge=1, words=("auto", None)),
    Setting("second_stage", "Features of the graph, drawn again together; 0: all, as they met",
            ge=0, option="top"),
    Setting("meetings", "How often each two features of the graph are drawn together, on average",
            ge=2, le=MOST_RUNS),
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
    from ..selection._monte_carlo_ranker import MonteCarloRanker

    data = task.data
    ranker = MonteCarloRanker(
        **{one.name: task.settings[one.name] for one in SETTINGS},
        random_state=task.settings["seed"],
        n_jobs=task.n_jobs,
        progress=not task.quiet,
        checkpoint=task.folder / RUNS_NAME,
    )
    categorical = np.isin(np.arange(data.shape[1]), list(data.levels))
    found, kept, rules = ranker.search(
        data.matrix,
        data.codes,
        categorical,
        [None] * data.shape[1],
        data.feature_names,
        np.array(data.classes),
        np.random.SeedSequence(task.settings["seed"]),
    )
    assert rules is not None  # at least two features are offered to every tree
    rules = rules.named({data.feature_names[j]: v for j, v in data.levels.items()})
    found = replace(found, names=data.feature_names)
    features = found.frame()
    order = features.pop("column").to_numpy()
    features["importance"] = features["importance"].where(features["offered"] > 0)  # or empty
    task.write_features(features, order, kept[order])
    found.graph.to_csv(task.inside("edges.csv"))
    found.graph.to_graphml(task.inside("graph.graphml"))
    rules.to_csv(task.inside("rules.csv"))
    # a test holds these to their types
    ranking = cast(Ranking, found.to_dict())
    graph = cast(Graph, found.graph.to_dict())
    return {
        **task.head(family_test(ranking)),
        "ranking": ranking,
        "graph": graph,
        "rules": cast(Rules, rules.to_dict()),
        "remarks": search_remarks(task, ranking, graph),
    }


SEARCH = Search(
    given=SETTINGS,
    find=find_ranking,
    tables=("features.csv", "edges.csv", "graph.graphml", "rules.csv"),
    content=InteractionsResult,
    summary=summary_text,
    check=check_settings,
)
