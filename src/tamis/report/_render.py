"""Render: the view -> one HTML file that needs nothing else."""

from __future__ import annotations

from .. import plotting
from ._assets import render_page
from ._blocks import Section
from ._evidence import draw_chart
from ._page import FeatureView, Page
from ._view import page_tables

Charts = dict[str, str | list[str]]  # by name


def render_study(page: Page) -> str:
    """The page's HTML. Every string is escaped; only charts and assets pass as they are."""
    content = {**page, "evidence": _evidence_with_charts(page)}
    return render_page(
        "page.html.j2", page_tables(page), **content, svg=_study_charts(page), nav=_study_nav(page)
    )


def _study_charts(page: Page) -> Charts:
    """Every chart of the page, drawn."""
    curves, sizes, permutation = page["curves"], page["sizes"], page["permutation"]
    drawn: Charts = {
        "intervals": plotting.method_intervals(page["methods"]["chart"]),
        "sizes": [plotting.size_curve(c) for c in sizes["charts"]] if sizes else [],
        "frequency": plotting.selection_frequency(page["features"]["chart"]),
        "distributions": [_feature_chart(one) for one in page["features"]["each"]],
    }
    if fit := page["fit"]:
        drawn["fit"], drawn["residuals"] = map(plotting.number_scatter, fit["charts"])
    if curves:
        drawn["roc"] = plotting.roc_curve(curves["charts"]["roc"])
        drawn["pr"] = plotting.pr_curve(curves["charts"]["pr"], curves["prevalence"])
        drawn["calibration"] = plotting.calibration_curve(curves["charts"]["calibration"])
        decision = curves["charts"]["decision"]
        there = any(series["points"] for series in decision)  # none of labels alone
        drawn["decision"] = plotting.decision_curve(decision) if there else ""
        thresholds = curves["charts"]["thresholds"]
        there = any(series["points"] for series in thresholds)
        star, constant = curves["threshold"], curves["constant"]
        drawn["thresholds"] = (
            plotting.threshold_view(thresholds, star, curves["chosen"], constant) if there else ""
        )
    if learning := page["learning"]:
        drawn["learning"] = plotting.learning_curve(learning["chart"])
    costs = page["costs"]
    if costs:
        chart = costs["chart"]
        drawn["cost"] = plotting.cost_curve(chart, costs["operating"]) if chart else ""
    if declining := page["rejection"]:
        drawn["risk"] = plotting.risk_coverage(declining["chart"], declining["decided"])
        drawn["declining"] = plotting.rejection_view(declining["points"], declining["shares"])
    if places := page["places"]:
        drawn["places"] = plotting.chosen_places(places["chart"])
        drawn["places_by_method"] = [plotting.chosen_places(c) for _, c in places["methods"]]
    if permutation:
        drawn["permutations"] = plotting.permutation_histogram(permutation["chart"])
    return drawn


def _feature_chart(one: FeatureView) -> str:
    """A feature by class, or against the number."""
    if one["scatter"]:
        return plotting.number_scatter(one["scatter"])
    return plotting.feature_distribution(one["chart"]) if one["chart"] else ""


def study_charts(page: Page) -> Charts:
    """Every chart by its name, also those of evidence, and a drawing of the table of errors."""
    drawn = _study_charts(page)
    evidence: dict[str, list[str]] = {}
    if confusion := page["confusion"]:
        drawn["confusion"] = plotting.confusion_matrix(confusion)
    for one in _evidence_with_charts(page):
        evidence.setdefault(one["kind"], []).extend(one["svg"])
    for kind, charts in evidence.items():
        drawn.setdefault(kind, charts)
    return drawn


class DrawnSection(Section):
    """A section about evidence with the charts of its blocks."""

    svg: list[str]


def _evidence_with_charts(page: Page) -> list[DrawnSection]:
    """The sections about evidence with their charts."""
    return [
        {**one, "svg": [draw_chart(one["kind"], block) for block in one["blocks"]]}
        for one in page["evidence"]
    ]


def _study_nav(page: Page) -> list[tuple[str, str]]:
    """Links to the sections that are there."""
    entries = [
        ("headline", "Answer", True),
        ("features", "Features", True),
        ("places", "Where they are", bool(page["places"])),
        *((one["id"], one["title"], True) for one in page["evidence"]),
        ("evidence", "Evidence", True),
        ("costs", "Costs", bool(page["costs"])),
        ("rejection", "Abstaining", bool(page["rejection"])),
        ("methods", "Methods", page["methods"]["several"]),
        ("text", "For the paper", True),
        ("files", "Files", True),
    ]
    return [(name, title) for name, title, there in entries if there]
