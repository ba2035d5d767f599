"""How held-out predictions of a number go with what was observed: two charts and their titles."""

from __future__ import annotations

from typing import TypedDict

from .._core.errors import shorten_text
from ..plotting.number_scatter import PairsPicture
from ..study.results.schema import DataSection, FeatureEntry, StudyContent
from ._numbers import decimal_text
from ._words import metric_name


class FitView(TypedDict):
    """Observed against predicted values, and residuals."""

    charts: list[PairsPicture]
    titles: list[str]
    captions: list[str]


def outcome_name(data: DataSection) -> str:
    """The number, or its logarithm."""
    name = shorten_text(data["target"])
    return f"log of {name}" if data.get("outcome", {}).get("log") else name


def fit_view(result: StudyContent) -> FitView | None:
    """Of the headline; None where classes are predicted."""
    fit = result["headline"].get("fit")
    if not fit:
        return None
    name = outcome_name(result["data"])
    names = [one["sample"] for one in fit["points"]]
    pairs = [[one["predicted"], one["observed"]] for one in fit["points"]]
    rest = [[one["predicted"], one["observed"] - one["predicted"]] for one in fit["points"]]
    slope = "" if fit["slope"] is None else f"; calibration slope {decimal_text(fit['slope'], 2)}"
    q2 = result["metrics"]["q2"]["mean"]
    some = "" if len(names) == fit["n"] else f" ({len(names)} of {fit['n']:,} samples, by value)"
    repeats = result["protocol"]["repeats"]
    mean = ", mean over the repeats" if repeats > 1 else ""
    return {
        "charts": [
            {
                "title": f"Observed against predicted {name}",
                "x": f"predicted {name}",
                "y": f"observed {name}",
                "points": pairs,
                "names": names,
                "line": "identity",
            },
            {
                "title": "Residuals",
                "x": f"predicted {name}",
                "y": "observed less predicted",
                "points": rest,
                "names": names,
                "line": "zero",
            },
        ],
        "titles": [
            f"{metric_name('q2')} {decimal_text(q2, 2)}{slope}",
            f"Residuals: {metric_name('rmse')} {_digits(result['metrics']['rmse']['mean'])}, "
            f"median error {_digits(result['metrics']['median_error']['mean'])}",
        ],
        "captions": [
            f"Each sample by the models that did not learn from it{mean}{some}. Dashed: perfect "
            "predictions. Slope: of observed on predicted values within folds; 1 is ideal, below 1 "
            "predictions are too extreme.",
            "Observed less predicted values. A trend or a funnel says that errors depend on the "
            "prediction.",
        ],
    }


def _digits(value: float | None) -> str:
    return "undefined" if value is None else f"{value:.3g}"


def relation_chart(feature: FeatureEntry, data: DataSection) -> PairsPicture | None:
    """A feature against the number, on all samples; None of a category, and without details."""
    found = feature.get("relation")
    if not found or not found["points"]:
        return None
    name = outcome_name(data)
    return {
        "title": f"{name} against {feature['name']}",
        "x": feature["name"],
        "y": name,
        "points": found["points"],
    }
