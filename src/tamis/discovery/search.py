"""`find_interactions`: from a data set to the features that act together in it, in a folder."""

from __future__ import annotations

import os
from collections import Counter
from typing import Any, cast

import numpy as np

from .._core.errors import (
    DataError,
    PlanError,
    counted_noun,
    listed_names,
    nearest_hint,
    value_text,
)
from .._core.files import write_json
from .._core.registry import find_row, row_names
from .._core.result_folder import IfExists
from .._core.rows import SearchRow
from .._core.settings import checked_count
from .._core.versions import library_versions
from ..data.checks import Summary, refuse_infinite, summarize_columns
from ..data.dataset import Dataset
from ..data.in_memory import READING_PARAMETERS, ReadingArguments, as_dataset
from ..data.labels import labels_in
from ..data.leak_detection import find_suspects
from .folder import RESULT_NAME, InteractionFolder, Interactions
from .interface import Search, Task
from .schema import SearchRecord


def find_interactions(
    data: Any,
    out: str | os.PathLike[str] = "tamis-interact",
    *,
    target: Any = None,
    method: str = "mcfs",
    seed: int = 0,
    n_jobs: int | None = None,
    if_exists: IfExists = "refuse",
    quiet: bool = True,
    **settings: Any,
) -> Interactions:
    """Find features that act together (interactions) and tell the classes apart.

    All samples are used, so nothing here estimates an error. `run_study` does, for the methods
    that a plan can name: it searches inside each training set.

    Parameters
    ----------
    data : Dataset, DataFrame, AnnData, array of shape (n_samples, n_features) or path
        As `tamis.data.as_dataset` takes it. Categories are taken as they are, NaN is missing.
    out : path
        Result folder (its page: `Interactions.write_report`).
    target : str or array of shape (n_samples,), optional
        The column of the class, or the labels, where `data` is no Dataset.
    method : str, default="mcfs"
        A search: `tamis methods` lists them, docs/interact.md compares them.
    seed : int, default=0
    n_jobs : int, default=None
        Threads. The result does not depend on it.
    if_exists : {"refuse", "resume", "overwrite"}
        What to do where `out` holds a search: refuse to begin; go on with it (settings, data and
        versions must be the same); or delete it first. Anything else is always refused.
    quiet : bool, default=True
        No progress on stderr.
    **settings
        Of the method, by the names that `tamis methods` lists; docs/interact.md says what they are.
        Also further arguments of `tamis.data.as_dataset`: `drop`, `positive` and others.

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
    known = row_names(SearchRow)
    if method not in known:
        raise PlanError(f"method={value_text(method)}: {nearest_hint(str(method), known)}")
    search: Search = find_row(method, SearchRow).load()
    reading = cast(
        ReadingArguments, {k: settings.pop(k) for k in READING_PARAMETERS if k in settings}
    )
    data = as_dataset(data, target, **reading)
    given = {name: _plain_setting(value) for name, value in settings.items()}
    chosen = search.checked(given, method)
    columns = summarize_columns(data.matrix)
    _check_data(data, columns)
    if search.check is not None:
        search.check(data, columns, chosen)
    about: SearchRecord = {
        "name": data.name,
        "digest": data.digest(),
        "settings": {"method": method, **chosen, "seed": checked_count(seed, "seed", 0)},
        "versions": library_versions(),
    }
    with InteractionFolder(out) as store:
        store.begin(about, if_exists)
        done = store.finished_result() if if_exists == "resume" else None
        content = done or search.find(Task(data, columns, about, store.folder, n_jobs, quiet))
        if done is None:
            content["remarks"] = [*_suspect_remarks(data), *content["remarks"]]
        before = content.pop("labels", {})
        if labels := labels_in(content, data.labels):
            content["labels"] = labels
        if done is None or labels != before:
            store.require_place()
            write_json(store.inside(RESULT_NAME), content)
        store.drop_runs()
    return Interactions(content, store.folder)


def _suspect_remarks(data: Dataset) -> list[str]:
    """Single columns that a study would refuse; that two decide together is what is looked for."""
    grave = [one for one in find_suspects(data) if one.grave and one.kind != "pair"]
    return [
        f"{one.text}: this may be a leak; unless it is meant, leave it out with "
        f"drop=[{', '.join(map(repr, one.columns[:3]))}]"
        for one in grave
    ]


def _plain_setting(value: Any) -> Any:
    """A setting as JSON has it, so that it is the same when it is read again."""
    if hasattr(value, "tolist"):
        return value.tolist()
    return list(value) if isinstance(value, tuple) else value


def _check_data(data: Dataset, columns: Summary) -> None:
    """Enough classes, samples and features for any search; finite values, and names of their own,
    which a table that was read has."""
    n, p = data.shape
    beside = (data.groups, data.batches, data.split)
    if data.covariates or any(part is not None for part in beside):
        raise PlanError(
            "interactions are found without covariates, groups, batches and splits: leave them out"
        )
    counts = np.bincount(data.codes, minlength=len(data.classes))
    if n == 0 or (counts > 0).sum() < 2:
        raise DataError(
            f"{data.name!r} has {counted_noun(n, 'sample')} of one class: give two classes"
        )
    single = [name for name, count in zip(data.classes, counts, strict=True) if count == 1]
    if single:
        raise DataError(
            f"column {data.target!r} has one sample only of {listed_names(single)}, in which "
            "nothing can be found: leave such classes out, or choose another target="
        )
    if p < 2:
        raise DataError(f"{data.name!r} has one feature: interactions need two or more")
    if twice := [name for name, times in Counter(data.feature_names).items() if times > 1]:
        raise DataError(f"several features of {data.name!r} are named {listed_names(twice)}")
    refuse_infinite(data.matrix, columns, data.feature_names, data.sample_names)
    if (columns.low == columns.high).all():
        raise DataError(f"all features of {data.name!r} are constant: they say nothing")
