"""`find_interactions`: from a data set to what stands together in it, in a folder."""

from __future__ import annotations

import os
from typing import Any

import numpy as np

from .._core.errors import DataError, PlanError, listing, nearest, plural
from .._core.files import write_json
from .._core.settings import checked_count
from .._core.versions import versions
from ..data.checks import Summary, summarize
from ..data.dataset import Dataset
from .folder import RESULT, InteractionFolder
from .result import Interactions
from .schema import SearchRecord
from .searches import Task, search_named


def find_interactions(
    data: Dataset,
    folder: str | os.PathLike[str] = "tamis-interact",
    *,
    method: str = "mcfs",
    seed: int = 0,
    n_jobs: int | None = None,
    resume: bool = False,
    quiet: bool = True,
    **settings: Any,
) -> Interactions:
    """Find features that stand together: in trees, in rows of a class, in forests, in pairs.

    All rows are looked at: nothing here estimates an error. For that, use `run_study` with a
    method of the same name.

    Parameters
    ----------
    data : Dataset
        Categories are taken as they are, NaN is missing.
    folder : path
        Result folder (its page: `tamis.report.write_interactions`). It must be new, unless
        `resume`.
    method : {"mcfs", "rit", "irf", "pairs"}, default="mcfs"
        Monte Carlo feature selection, random intersection trees, an iterative forest, or all
        pairs.
    seed : int, default=0
    n_jobs : int, default=None
        Threads. The result does not depend on it.
    resume : bool, default=False
        Go on in `folder`. Settings, data and versions must be the same.
    quiet : bool, default=True
        No progress on stderr.
    **settings
        Of the method:

        - mcfs: ``m``, ``s``, ``t``, ``u``, ``v``, ``projections``, ``cutoff``, ``level``,
          ``n_permutations``, ``balance``, ``second_stage``, ``meetings``, ``max_ancestors`` of
          `tamis.selection.MonteCarloSelector`.
        - rit: ``n_trees``, ``depth``, ``branch``, ``min_size``, ``theta``, ``theta_out``,
          ``signed``, ``n_permutations``, ``n_bootstraps`` of
          `tamis.interactions.random_intersection_trees`; ``discretizer`` and ``bins``, which cut
          numbers, and ``level``.
        - irf: ``n_iterations``, ``n_estimators``, ``n_trees``, ``depth``, ``branch``,
          ``min_size``, ``n_bootstraps``, ``stability``, ``signed``, ``max_features`` of
          `tamis.interactions.IterativeForest`; ``n_permutations`` and ``level``.
        - pairs: ``bins``, ``best``, ``n_permutations``, ``level``, ``keep``, ``by`` of
          `tamis.interactions.search_pairs`.

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

    Shah & Meinshausen (2014), Random intersection trees, Journal of Machine Learning Research
    15, 629-654.

    Basu, Kumbier, Brown & Yu (2018), Iterative random forests to discover predictive and stable
    high-order interactions, PNAS 115, 1943-1948.

    Examples
    --------
    >>> import tempfile
    >>> from tamis.data import make_mcfs_toy
    >>> from tamis.discovery import find_interactions
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     found = find_interactions(make_mcfs_toy(n_noise=30), folder + "/toy", meetings=50)
    >>> [f["name"] for f in found.to_dict()["graph"]["features"] if f["selected"]]
    ['A2', 'A1', 'B1', 'B2', 'C1', 'C2']

    Three of 100 features are 1 together in half of the cases:

    >>> from tamis.data import make_planted_interaction
    >>> data = make_planted_interaction(n_per_class=200, n_features=100)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     found = find_interactions(data, folder + "/planted", method="rit")
    >>> [part["feature"] for part in found.to_dict()["sets"]["sets"][0]["parts"]]
    ['S1_1', 'S1_2', 'S1_3']
    """
    search = search_named(method)
    unknown = [name for name in settings if name not in search.settings]
    if unknown:
        hint = nearest(unknown[0], search.settings)
        raise PlanError(f"unknown setting {unknown[0]!r} of {method}: {hint}")
    columns = summarize(data.matrix)
    _check_data(data, columns)
    chosen = {name: _plain(value) for name, value in {**search.settings, **settings}.items()}
    search.check(data, columns, chosen)
    about: SearchRecord = {
        "name": data.name,
        "digest": data.digest(),
        "settings": {"method": method, **chosen, "seed": checked_count(seed, "seed", 0)},
        "versions": versions(),
    }
    with InteractionFolder(folder) as store:
        store.begin(about, resume)
        content = store.finished_result() if resume else None
        if content is None:
            content = search.find(Task(data, columns, about, store.folder, n_jobs, quiet))
            store.require_place()
            write_json(store.folder / RESULT, content)
        store.drop_runs()
    return Interactions(content, store.folder)


def _plain(value: Any) -> Any:
    """A setting as JSON has it, so that it is the same when it is read again."""
    if hasattr(value, "tolist"):
        return value.tolist()
    return list(value) if isinstance(value, tuple) else value


def _check_data(data: Dataset, columns: Summary) -> None:
    """Enough classes, samples and features for any search."""
    n, p = data.shape
    if data.covariates or data.groups is not None:
        raise PlanError("interactions are found without covariates and groups: leave them out")
    counts = np.bincount(data.codes, minlength=len(data.classes))
    if n == 0 or (counts > 0).sum() < 2:
        raise DataError(f"{data.name!r} has {plural(n, 'sample')} of one class: give two classes")
    single = [name for name, count in zip(data.classes, counts, strict=True) if count == 1]
    if single:
        raise DataError(
            f"column {data.target!r} has one sample only of {listing(single)}, in which nothing "
            "can be found: leave such classes out, or choose another --target"
        )
    if p < 2:
        raise DataError(f"{data.name!r} has one feature: interactions need two or more")
    if (columns.low == columns.high).all():
        raise DataError(f"all features of {data.name!r} are constant: they say nothing")
