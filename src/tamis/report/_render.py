"""Render: the view -> one HTML file that needs nothing else."""

from __future__ import annotations

import base64
import functools
import hashlib
import json
from collections.abc import Mapping
from importlib.resources import files
from typing import Any

from .. import plotting
from ._evidence import draw_chart
from ._page import Page
from ._view import page_tables


def render_study(page: Page) -> str:
    """The page's HTML. Every string is escaped; only charts and assets pass as they are."""
    from markupsafe import Markup

    script = _asset("report.js")
    return (
        _environment()
        .get_template("page.html.j2")
        .render(
            **{**page, "evidence": _drawn(page)},
            svg=_charts(page),
            css=Markup(_asset("report.css")),
            script=Markup(script),
            embedded=Markup(embedded_json({t["name"]: t["data"] for t in page_tables(page)})),
            policy=content_policy(script),
            nav=_nav(page),
        )
    )


def embedded_json(value: Any) -> str:
    """JSON that cannot end the script element it stands in.

    Examples
    --------
    >>> print(embedded_json("</script>"))
    "\\u003c/script\\u003e"
    """
    text = json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    for character in "<>&\u2028\u2029":
        text = text.replace(character, f"\\u{ord(character):04x}")
    return text


def content_policy(script: str) -> str:
    """A Content-Security-Policy under which only our own script runs and nothing is fetched."""
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    return (
        f"default-src 'none'; script-src 'sha256-{digest}'; style-src 'unsafe-inline'; "
        "img-src data:; base-uri 'none'; form-action 'none'"
    )


def _asset(name: str) -> str:
    return files("tamis.report").joinpath("assets", name).read_text(encoding="utf-8")


@functools.cache
def _environment() -> Any:
    from jinja2 import Environment, PackageLoader, StrictUndefined

    return Environment(
        loader=PackageLoader("tamis.report", "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )


def _charts(page: Page) -> dict[str, Any]:
    """Every chart of the page, drawn."""
    curves, sizes, permutation = page["curves"], page["sizes"], page["permutation"]
    drawn: dict[str, Any] = {
        "intervals": plotting.method_intervals(page["methods"]["chart"]),
        "sizes": [plotting.size_curve(c) for c in sizes["charts"]] if sizes else [],
        "frequency": plotting.selection_frequency(page["features"]["chart"]),
        "distributions": [
            plotting.feature_distribution(one["chart"]) if one["chart"] else ""
            for one in page["features"]["each"]
        ],
    }
    if curves:
        drawn["roc"] = plotting.roc_curve(curves["charts"]["roc"])
        drawn["pr"] = plotting.pr_curve(curves["charts"]["pr"], curves["prevalence"])
        drawn["calibration"] = plotting.calibration_curve(curves["charts"]["calibration"])
        decision = curves["charts"]["decision"]
        there = any(series["points"] for series in decision)  # older results have none
        drawn["decision"] = plotting.decision_curve(decision) if there else ""
        thresholds = curves["charts"]["thresholds"]
        there = any(series["points"] for series in thresholds)
        star, constant = curves["threshold"], curves["constant"]
        drawn["thresholds"] = (
            plotting.threshold_view(thresholds, star, curves["chosen"], constant) if there else ""
        )
    costs = page["costs"]
    if costs:
        chart = costs["chart"]
        drawn["cost"] = plotting.cost_curve(chart, costs["operating"]) if chart else ""
    if declining := page["rejection"]:
        drawn["risk"] = plotting.risk_coverage(declining["chart"], declining["decided"])
        drawn["declining"] = plotting.rejection_view(declining["points"], declining["shares"])
    if permutation:
        drawn["permutations"] = plotting.permutation_histogram(permutation["chart"])
    return drawn


def _drawn(page: Page) -> list[Mapping[str, Any]]:
    """The sections about evidence with their charts."""
    return [
        {**one, "svg": [draw_chart(one["kind"], block) for block in one["blocks"]]}
        for one in page["evidence"]
    ]


def _nav(page: Page) -> list[tuple[str, str]]:
    """Links to the sections that are there."""
    entries = [
        ("headline", "Headline", True),
        ("warnings", "Warnings", bool(page["warnings"])),
        ("methods", "Methods compared", True),
        ("sizes", "Number of features", bool(page["sizes"])),
        ("curves", "Curves and errors", bool(page["curves"] or page["confusion"])),
        ("costs", "What errors cost", bool(page["costs"])),
        ("rejection", "Whom to decline", bool(page["rejection"])),
        ("features", "Selected features", True),
        *((one["id"], one["title"], True) for one in page["evidence"]),
        ("stability", "Stability", True),
        ("permutations", "Permutation test", True),
        ("folds", "Outer folds", True),
        ("data", "Data and plan", True),
        ("text", "For the paper", True),
        ("files", "Files", True),
    ]
    return [(name, title) for name, title, there in entries if there]
