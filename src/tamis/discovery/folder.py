"""The result folder of `tamis interact`: claimed once, resumable, each file complete or absent; and
`Interactions`, the finished search in it.

::

    settings.json interactions.json features.csv edges.csv graph.graphml report.html
    rules.csv or sets.csv (by the method)   runs/, journal.jsonl (until it is finished)

All of it is the same bytes for the same settings, data, seed and versions.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from .._core.checked_json import checked_value, fitting_together
from .._core.errors import StoreError, shorten_text
from .._core.fields import text_of_field
from .._core.first_screen import FirstScreen
from .._core.inside import Inside
from .._core.pages import report_function
from .._core.registry import find_row, row_names
from .._core.result_folder import IfExists, ResultFolder
from .._core.rows import SearchRow
from .._core.written_schema import require_schema
from ..data.labels import with_labels
from .schema import SCHEMA, SearchRecord, SearchResult

if TYPE_CHECKING:
    import pandas as pd

    from ..plotting.picture import Picture

SETTINGS_NAME, RESULT_NAME, RUNS_NAME = "settings.json", "interactions.json", "runs"


class InteractionFolder(ResultFolder):
    """Where one search for interactions is kept.

    Parameters
    ----------
    folder : path
    """

    noun = "result of `tamis interact`"
    origin = "`tamis interact`"
    record_files = (SETTINGS_NAME,)
    own_files = (RESULT_NAME, "report.html", f"{RUNS_NAME}/*.npz", f"{RUNS_NAME}/*.json")

    def begin(self, about: SearchRecord, if_exists: IfExists) -> None:
        """Claim the folder, or check that it holds this very search.

        Raises
        ------
        StoreError
            The folder holds a search that is not to be resumed; or it holds something else.
            Nothing is changed then.
        """
        records = self.claim({SETTINGS_NAME: about}, if_exists)
        if records is None:
            return
        old = checked_value(records[SETTINGS_NAME], SearchRecord, self.folder / SETTINGS_NAME)
        self.require_same_data(old, about)
        self.require_same_settings(old["settings"], about["settings"], "the settings differ")
        self.require_same_versions(old["versions"], about["versions"])
        self.remove_partial_files()

    def files_of(self, records: Mapping[str, Mapping[str, object]]) -> tuple[str, ...]:
        """Also the tables of the search that was made here, which may be of another package."""
        settings = records[SETTINGS_NAME].get("settings")
        method = settings.get("method") if isinstance(settings, Mapping) else None
        if method not in row_names(SearchRow):
            return self.own_files
        tables: tuple[str, ...] = find_row(str(method), SearchRow).load().tables
        return (*self.own_files, *tables)

    def finished_result(self) -> SearchResult | None:
        """The result, if every file is there."""
        content = self.get_object(RESULT_NAME)
        if content is None:
            return None
        method = content.get("method")
        path = repr(str(self.folder / RESULT_NAME))
        again = "delete it, and run the same `tamis interact` with --resume"
        require_schema(content.get("schema"), SCHEMA, path, again)
        if not isinstance(method, str):
            raise StoreError(f"{path} names no search: {again}")
        if method not in row_names(SearchRow):
            raise StoreError(
                f"{path} is of the search {shorten_text(method)!r}, which is not "
                "there: install the package that brings it"
            )
        search = find_row(method, SearchRow).load()
        checked_value(content, search.content, self.folder / RESULT_NAME)
        there = all(self.inside(name).exists() for name in search.tables)
        return cast(SearchResult, content) if there else None

    def holds_search(self) -> bool:
        """Whether a search was begun or finished here."""
        return any(self.inside(name).exists() for name in (SETTINGS_NAME, RESULT_NAME))

    def read_result(self) -> SearchResult:
        """The result.

        Raises
        ------
        StoreError
            There is none, or not all of it.
        """
        content = self.finished_result()
        if content is None:
            hint = (
                "run the same `tamis interact` with --resume"
                if self.holds_search()
                else "it is not the folder of `tamis interact`"
            )
            raise StoreError(f"no finished search in {self.quoted}: {hint}")
        return content

    def drop_runs(self) -> None:
        """Delete the finished runs; what is not one of them stays."""
        self._delete(own for own in self.own_files if own.startswith(RUNS_NAME))


@dataclass(frozen=True)
class Interactions(FirstScreen):
    """A finished search. Everything is drawn from `to_dict()` (see docs/interact.md).

    Attributes
    ----------
    content : dict
        Its keys and types: `tamis.discovery.schema.InteractionsResult` of the method mcfs,
        `tamis.discovery.schema.SetsResult` of all others.
    folder : Path
        Where its tables, graph and page lie.
    """

    content: SearchResult
    folder: Path

    def __repr__(self) -> str:
        c = self.content
        return f"Interactions({c['name']!r} by {c['method']}; {str(self.folder)!r})"

    def to_dict(self) -> Any:
        """The full result as plain numbers, text, lists and dictionaries."""
        return self.content

    def frame(self) -> pd.DataFrame:
        """All features, best first, as a pandas DataFrame.

        Raises
        ------
        StoreError
            ``features.csv`` is no table of features any more.
        """
        import pandas as pd

        path = Inside(self.folder, "features.csv")
        with path.opened() as file, fitting_together(self.folder):
            found = pd.read_csv(file, keep_default_na=False, na_values=[""], dtype={"name": str})
            return found.assign(name=found["name"].map(text_of_field, na_action="ignore"))

    def plot(self, kind: str = "graph") -> Picture:
        """A picture of the search's page: ``"graph"``, ``"cutoff"``, and of Monte Carlo feature
        selection ``"networks"`` and ``"convergence"``.

        Raises
        ------
        PlanError
            This search has none of that kind; those that it has are named.
        """
        picture: Picture = report_function("interactions_picture")(self.content, kind)
        return picture

    def write_report(self, path: str | os.PathLike[str] | None = None) -> Path:
        """Write the page (`tamis.report.write_interactions`), by default into the folder; its
        path."""
        path = Inside(self.folder, "report.html") if path is None else path
        written: Path = report_function("write_interactions")(self.content, path)
        return written

    def summary(self) -> str:
        """What was found, the best first, in a few lines of text."""
        with fitting_together(self.folder):
            row = find_row(self.content["method"], SearchRow)
            text: str = row.load().summary(with_labels(self.content))
        return text


def open_interactions(folder: str | os.PathLike[str]) -> Interactions:
    """Open the folder of a finished search.

    Raises
    ------
    StoreError
        It holds no search, or an unfinished one.

    Examples
    --------
    >>> open_interactions("nowhere")
    Traceback (most recent call last):
    ...
    tamis._core.errors.StoreError: no finished search in 'nowhere': it is not the folder of ...
    """
    store = InteractionFolder(folder)
    return Interactions(store.read_result(), store.folder)
