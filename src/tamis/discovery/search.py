"""`find_interactions`: from a data set to features, their graph and their rules, in a folder."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any, cast

import numpy as np

from .._core.errors import DataError, PlanError, listing, nearest, plural
from .._core.files import atomic, write_json
from .._core.versions import versions
from ..data.checks import Summary, summarize
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
from .folder import RESULT, RUNS, InteractionFolder
from .result import Interactions
from .schema import KIND, SCHEMA, Findings, Graph, InteractionsResult, Ranking, Rules, SearchRecord
from .words import family_test, search_remarks

SETTINGS = (
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


def find_interactions(
    data: Dataset,
    folder: str | os.PathLike[str] = "tamis-interact",
    *,
    seed: int = 0,
    n_jobs: int | None = None,
    resume: bool = False,
    quiet: bool = True,
    **settings: Any,
) -> Interactions:
    """Find features that matter to trees, which split below which, and the rules they make.

    All rows are looked at: nothing here estimates an error. For that, use `run_study` with the
    method ``mcfs``.

    Parameters
    ----------
    data : Dataset
        Categories are split by level, NaN is missing; both are taken as they are.
    folder : path
        Result folder (its page: `tamis.report.write_interactions`). It must be new, unless
        `resume`.
    seed : int, default=0
    n_jobs : int, default=None
        Threads. The result does not depend on it.
    resume : bool, default=False
        Go on after the last finished run in `folder`. Settings, data and versions must be the
        same.
    quiet : bool, default=True
        No progress on stderr.
    **settings
        Of `tamis.selection.MonteCarloSelector`: ``m``, ``s``, ``t``, ``u``, ``v``,
        ``projections``, ``cutoff``, ``level``, ``n_permutations``, ``balance``,
        ``second_stage``, ``meetings``, ``max_ancestors``.

    Returns
    -------
    Interactions

    Raises
    ------
    PlanError, DataError, StoreError
        One line each; nothing has been overwritten.

    References
    ----------
    Draminski & Koronacki (2018), rmcfs: an R package for Monte Carlo feature selection and
    interdependency discovery, J. Stat. Softw. 85(12).

    Examples
    --------
    >>> import tempfile
    >>> from tamis.data import make_mcfs_toy
    >>> from tamis.discovery import find_interactions
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     found = find_interactions(make_mcfs_toy(n_noise=30), folder + "/toy", meetings=50)
    >>> [f["name"] for f in found.to_dict()["graph"]["features"] if f["selected"]]
    ['A2', 'A1', 'B1', 'B2', 'C1', 'C2']
    """
    columns = summarize(data.matrix)
    chosen = _checked_settings(data, settings, columns)
    about: SearchRecord = {
        "name": data.name,
        "digest": data.digest(),
        "settings": {**chosen, "seed": whole_number(seed, "seed", 0)},
        "versions": versions(),
    }
    store = InteractionFolder(folder)
    store.begin(about, resume)
    content = store.finished_result() if resume else None
    if content is None:
        selector = MonteCarloSelector(
            **chosen,
            categorical_features=_categorical_mask(data),
            random_state=seed,
            n_jobs=n_jobs,
            progress=not quiet,
            checkpoint=store.folder / RUNS,
        )
        fitted = _fitted_with_names(selector, data)
        content = _write_result(data, fitted, columns, about, store.folder)
    store.drop_runs()
    return Interactions(content, store.folder)


def _checked_settings(data: Dataset, given: dict[str, Any], columns: Summary) -> dict[str, Any]:
    """All settings; refused before a folder is made for them."""
    unknown = [name for name in given if name not in SETTINGS]
    if unknown:
        raise PlanError(f"unknown setting {unknown[0]!r}: {nearest(unknown[0], SETTINGS)}")
    _check_data(data, columns)
    defaults = MonteCarloSelector().get_params()
    chosen = {name: given.get(name, defaults[name]) for name in SETTINGS}
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
    return chosen


def _check_data(data: Dataset, columns: Summary) -> None:
    """Enough classes, samples and features that can be split on."""
    n, p = data.shape
    if data.covariates or data.groups is not None:
        raise PlanError("interactions are found without covariates and groups: leave them out")
    counts = np.bincount(data.codes, minlength=len(data.classes))
    if n == 0 or (counts > 0).sum() < 2:
        raise DataError(f"{data.name!r} has {plural(n, 'sample')} of one class: give two classes")
    single = [name for name, count in zip(data.classes, counts, strict=True) if count == 1]
    if single:
        raise DataError(
            f"column {data.target!r} has one sample only of {listing(single)}; one must train "
            "and one test: leave such classes out, or choose another --target"
        )
    if p < 2:
        raise DataError(f"{data.name!r} has one feature: interactions need two or more")
    if (columns.low == columns.high).all():
        raise DataError(f"all features of {data.name!r} are constant: no tree can split on them")


def _categorical_mask(data: Dataset) -> np.ndarray:
    mask = np.zeros(data.shape[1], dtype=bool)
    mask[list(data.levels)] = True
    return mask


def _fitted_with_names(selector: MonteCarloSelector, data: Dataset) -> MonteCarloSelector:
    """Fit with names, so that edges and rules carry them."""
    import pandas as pd

    return selector.fit(pd.DataFrame(data.matrix, columns=list(data.feature_names)), data.y)


def _write_result(
    data: Dataset,
    selector: MonteCarloSelector,
    columns: Summary,
    about: SearchRecord,
    folder: Path,
) -> InteractionsResult:
    """Assemble the result and write its files, the dictionary last."""
    assert selector.rules_ is not None  # at least two features are offered to every tree
    rules = selector.rules_.named({data.feature_names[j]: v for j, v in data.levels.items()})
    findings = _search_findings(data, selector, rules.to_dict(), columns, about)
    remarks = search_remarks(data, findings, about["settings"], columns)
    content: InteractionsResult = {**findings, "remarks": remarks}
    with atomic(folder / "features.csv", "w") as file:
        features = _feature_table(data, selector, columns)
        features.to_csv(file, index=False, lineterminator="\n", chunksize=1000)
    selector.graph_.to_csv(folder / "edges.csv")
    selector.graph_.to_graphml(folder / "graph.graphml")
    rules.to_csv(folder / "rules.csv")
    write_json(folder / RESULT, content)
    return content


def _search_findings(
    data: Dataset,
    selector: MonteCarloSelector,
    rules: dict[str, Any],
    columns: Summary,
    about: SearchRecord,
) -> Findings:
    """The dictionary. What the parts below give is held to its types by a test."""
    ranking = cast(Ranking, selector.result_.to_dict())
    n, p = data.shape
    return {
        "schema": SCHEMA,
        "kind": KIND,
        "name": data.name,
        "target": data.target,
        "seed": about["settings"]["seed"],
        "versions": about["versions"],
        "data": {
            "n_samples": n,
            "n_features": p,
            "n_categorical": len(data.levels),
            "missing": float(columns.missing.sum() / (n * p)),
            "classes": [
                {"name": str(c), "size": int((data.y == c).sum())} for c in selector.classes_
            ],
        },
        "permutation": family_test(ranking),
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
