"""The pages of finished results, and pictures of them: one function each."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from .._core.checked_json import fitting_together
from .._core.files import write_text
from .._core.inside import Inside
from .._core.outputs import OutputFile, is_page_with

if TYPE_CHECKING:
    from ..genome.quality.quality_schema import QualityContent
    from ..genome.scans.clump_schema import ClumpContent
    from ..genome.scans.linear_schema import LinearContent
    from ..genome.scans.mixed_schema import MixedContent
    from ..genome.scans.pairs_schema import PairsContent
    from ..genome.scans.scan_schema import ScanContent
    from ..genome.structure.components_schema import ComponentsContent
    from ..genome.structure.relatives_schema import RelativesContent
    from ..look.schema import CohortContent, LookContent
    from ..model.evaluate import Evaluation
    from ..model.evaluate_numbers import NumberEvaluation
    from ..ontology.context import Contexts
    from ..ontology.mapping_schema import MappingContent
    from ..ontology.review import Question
    from ..plotting.picture import Picture

PAGE_OUTPUT = OutputFile(
    "page of Tamis",
    is_page_with(b'<meta name="generator" content="Tamis'),
    endings=(".html", ".htm"),
)


def make_ready() -> None:
    """Load what the page of a study needs, before there is a study."""
    from . import _render, _view  # noqa: F401
    from ._assets import page_templates

    page_templates().get_template("page.html.j2")


def write_report(
    result: Mapping[str, object],
    folder: str | os.PathLike[str],
    path: str | os.PathLike[str] | None = None,
) -> Path:
    """Write the report of a study: one self-contained HTML file.

    The page holds its styles, charts, script and data; it asks nothing of the network. The
    same result gives the same bytes.

    Parameters
    ----------
    result : dict
        The dictionary of ``results.json`` (``StudyResult.to_dict()``), see ``docs/json.md``.
    folder : path-like
        The result folder, to whose files the page links.
    path : path-like, optional
        Where to write; ``<folder>/report.html`` by default.

    Returns
    -------
    pathlib.Path
        The file written.

    Raises
    ------
    StoreError
        `result` is not a study's result, or the file cannot be written.

    Examples
    --------
    >>> write_report({"schema": 1}, ".")
    Traceback (most recent call last):
    ...
    tamis._core.errors.StoreError: the result is of another version of Tamis (schema 1; ...
    """
    from ._render import render_study
    from ._view import study_page

    folder = Path(folder)
    target = Inside(folder, "report.html") if path is None else path
    seen = os.path.relpath(os.path.realpath(folder), os.path.dirname(os.path.realpath(target)))
    with fitting_together(folder):
        page = render_study(study_page(result, Path(seen).as_posix()))
    return _write_page(target, page)


def study_picture(result: Mapping[str, object], kind: str) -> Picture:
    """A picture of the page of a study, by itself.

    Parameters
    ----------
    result : dict
        As for `write_report`.
    kind : str
        Such as ``"sizes"``; docs/python.md lists them.

    Raises
    ------
    PlanError
        This study has none of that kind.
    """
    from ..plotting.picture import picture_of
    from ._render import study_charts
    from ._view import study_page

    with fitting_together("result"):
        return picture_of(kind, study_charts(study_page(result)))


def interactions_picture(result: Mapping[str, object], kind: str) -> Picture:
    """The same of the page of `tamis interact`; see `write_interactions`."""
    from ..plotting.picture import picture_of
    from ._interactions import page_view

    with fitting_together("result"):
        return picture_of(kind, page_view(result)["svg"])


def comparison_picture(comparison: Mapping[str, object], kind: str) -> Picture:
    """The same of the page of `tamis compare`; see `write_comparison`."""
    from ..plotting.picture import picture_of

    if comparison.get("kind") == "plans":
        from ._comparison_plans import plan_charts, plans_page

        return picture_of(kind, plan_charts(plans_page(comparison, Path())))
    from ._comparison import comparison_charts, comparison_page

    return picture_of(kind, comparison_charts(comparison_page(comparison, Path())))


def write_comparison(comparison: Mapping[str, object], path: str | os.PathLike[str]) -> Path:
    """Write the page of a comparison: one self-contained HTML file.

    Parameters
    ----------
    comparison : dict
        ``to_dict()`` of what `tamis.study.compare_studies` gives, see
        ``docs/methods/comparison.md``.
    path : path-like
        Where to write. Links to the studies' own reports are relative to it.

    Returns
    -------
    pathlib.Path
        The file written.

    Raises
    ------
    StoreError
        `comparison` is not a comparison, or the file cannot be written.

    Examples
    --------
    >>> write_comparison({"schema": 2}, "comparison.html")
    Traceback (most recent call last):
    ...
    tamis._core.errors.StoreError: the comparison is of another version of Tamis (schema 2; ...
    """
    if comparison.get("kind") == "plans":
        from ._comparison_plans import render_plans

        return _write_page(path, render_plans(comparison, Path(path)))
    from ._comparison import render_comparison

    return _write_page(path, render_comparison(comparison, Path(path)))


def write_interactions(result: Mapping[str, object], path: str | os.PathLike[str]) -> Path:
    """Write the page of `tamis interact`: one self-contained HTML file.

    It shows the graph of the features, what permuted classes give, and the rules and their
    networks, or the sets. The graphs answer to pointer and keyboard; without scripts and on paper
    the same pictures stand still.

    Parameters
    ----------
    result : dict
        The dictionary of ``interactions.json`` (`InteractionsResult` or `SetsResult` of
        `tamis.discovery.schema`), see ``docs/interact.md``.
    path : path-like
        Where to write.

    Returns
    -------
    pathlib.Path
        The file written.

    Raises
    ------
    StoreError
        `result` is not that of `tamis interact`, or the file cannot be written.

    Examples
    --------
    >>> write_interactions({"schema": 1, "kind": "interactions"}, "interactions.html")
    Traceback (most recent call last):
    ...
    tamis._core.errors.StoreError: the result is of another version of Tamis (schema 1; ...
    """
    from ._interactions import render_interactions

    with fitting_together("result"):
        page = render_interactions(result)
    return _write_page(path, page)


def write_relatives_page(result: RelativesContent, name: str, path: str | os.PathLike[str]) -> Path:
    """Write the page of kinship, as `write_scan_page` does that of a scan.

    Parameters
    ----------
    result : dict
        The dictionary of ``results.json`` of `tamis genome kin`.
    name : str
    path : path-like

    Returns
    -------
    pathlib.Path
    """
    from ._kinship import render_relatives

    return _write_page(path, render_relatives(result, name))


def write_scan_page(result: ScanContent, name: str, path: str | os.PathLike[str]) -> Path:
    """Write the page of a scan of variants: one self-contained HTML file.

    Parameters
    ----------
    result : dict
        The dictionary of ``results.json`` of `tamis genome mtd`.
    name : str
        Of the cohort.
    path : path-like
        Where to write.

    Returns
    -------
    pathlib.Path
        The file written.

    Raises
    ------
    StoreError
        The file cannot be written.
    """
    from ._scan import render_scan

    return _write_page(path, render_scan(result, name))


def write_clumps_page(result: ClumpContent, name: str, path: str | os.PathLike[str]) -> Path:
    """Write the page of clumps, as `write_scan_page` does that of a scan.

    Parameters
    ----------
    result : dict
        The dictionary of ``results.json`` of `tamis genome clump`.
    name : str
    path : path-like

    Returns
    -------
    pathlib.Path
    """
    from ._clumps import render_clumps

    return _write_page(path, render_clumps(result, name))


def write_components_page(
    result: ComponentsContent, name: str, path: str | os.PathLike[str]
) -> Path:
    """Write the page of principal components, as `write_scan_page` does that of a scan.

    Parameters
    ----------
    result : dict
        The dictionary of ``results.json`` of `tamis genome pca`.
    name : str
    path : path-like

    Returns
    -------
    pathlib.Path
    """
    from ._components import render_components

    return _write_page(path, render_components(result, name))


def write_quality_page(result: QualityContent, name: str, path: str | os.PathLike[str]) -> Path:
    """Write the page of quality control, as `write_scan_page` does that of a scan.

    Parameters
    ----------
    result : dict
        The dictionary of ``quality.json`` of `tamis genome qc`.
    name : str
    path : path-like

    Returns
    -------
    pathlib.Path
    """
    from ._quality import render_quality

    return _write_page(path, render_quality(result, name))


def write_linear_page(result: LinearContent, name: str, path: str | os.PathLike[str]) -> Path:
    """Write the page of a linear scan, as `write_scan_page` does that of a scan.

    Parameters
    ----------
    result : dict
        The dictionary of ``results.json`` of `tamis genome linear`.
    name : str
    path : path-like

    Returns
    -------
    pathlib.Path
    """
    from ._linear import render_linear

    return _write_page(path, render_linear(result, name))


def write_mixed_page(result: MixedContent, name: str, path: str | os.PathLike[str]) -> Path:
    """Write the page of a mixed-model scan, as `write_scan_page` does that of a scan.

    Parameters
    ----------
    result : dict
        The dictionary of ``results.json`` of `tamis genome mixed`.
    name : str
    path : path-like

    Returns
    -------
    pathlib.Path
    """
    from ._mixed import render_mixed

    return _write_page(path, render_mixed(result, name))


def write_pairs_page(result: PairsContent, name: str, path: str | os.PathLike[str]) -> Path:
    """Write the page of a scan of pairs, as `write_scan_page` does that of a scan.

    Parameters
    ----------
    result : dict
        The dictionary of ``pairs.json`` of `tamis genome pairs`.
    name : str
    path : path-like

    Returns
    -------
    pathlib.Path
    """
    from ._pairs import render_pairs

    return _write_page(path, render_pairs(result, name))


def write_look_page(result: LookContent, path: str | os.PathLike[str]) -> Path:
    """Write the page of a look at a table, as `write_scan_page` does that of a scan.

    Parameters
    ----------
    result : dict
        The dictionary of ``look.json`` of `tamis look`.
    path : path-like

    Returns
    -------
    pathlib.Path
    """
    from ._look import render_look

    return _write_page(path, render_look(result))


def write_cohort_look_page(result: CohortContent, path: str | os.PathLike[str]) -> Path:
    """Write the page of a look at genotypes, as `write_look_page` does that of a table.

    Parameters
    ----------
    result : dict
        The dictionary of ``look.json`` of `tamis look` at genotypes.
    path : path-like

    Returns
    -------
    pathlib.Path
    """
    from ._cohort_look import render_cohort_look

    return _write_page(path, render_cohort_look(result))


def write_mapping_page(
    result: MappingContent,
    path: str | os.PathLike[str],
    contexts: Contexts | None = None,
    questions: Sequence[Question] = (),
) -> Path:
    """Write the page of a mapping of two ontologies: one self-contained HTML file.

    It shows the mapping side by side with the evidence for each pair, what is uncertain, what a
    person refused, and what the model learned.

    Parameters
    ----------
    result : dict
        `Mapping.to_dict` of `tamis.ontology`.
    path : path-like
        Where to write.
    contexts : dict, optional
        `contexts_of`: what stands around the classes.
    questions : sequence of Question, optional
        Of a review: pairs for a person to look at.

    Returns
    -------
    pathlib.Path
        The file written.

    Raises
    ------
    StoreError
        The file cannot be written.
    """
    from ._mapping import render_mapping

    with fitting_together("mapping"):
        page = render_mapping(result, contexts, questions)
    return _write_page(path, page)


def write_evaluation_page(
    result: Evaluation | NumberEvaluation, path: str | os.PathLike[str]
) -> Path:
    """Write the page of an external validation: one self-contained HTML file.

    Parameters
    ----------
    result : dict
        What `tamis.model.evaluate` gives.
    path : path-like
        Where to write.

    Returns
    -------
    pathlib.Path
        The file written.

    Raises
    ------
    StoreError
        `result` is not that of an evaluation, or the file cannot be written.
    """
    from ._evaluation import render_evaluation

    with fitting_together("evaluation"):
        page = render_evaluation(result)
    return _write_page(path, page)


def _write_page(path: str | os.PathLike[str], page: str) -> Path:
    write_text(path, page)
    return Path(path)
