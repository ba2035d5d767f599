"""The title of each chart of a study: what it shows, in a line."""

from __future__ import annotations

from ..metrics.estimates import estimate_text
from ..study.results.curve_schema import DecisionPoint
from ..study.results.first_screen import how_stable, permutation_text
from ..study.results.schema import MethodEntry, StudyContent
from ._numbers import count_text, decimal_text, percent_text
from ._words import metric_name


def curve_titles(result: StudyContent) -> dict[str, str]:
    """Of the curves of predictions, by their kind."""
    metrics, chance = result["metrics"], result["chance"]
    area, precision = metrics["auc"], metrics["auprc"]
    titles = {
        "roc": f"AUC {estimate_text(area, 2)}",
        "pr": f"Average precision {decimal_text(precision['mean'], 2)}, mean over the classes",
        "calibration": _calibration_title(result),
        "decision": _decision_title(result["headline"]["curves"].get("decision") or []),
        "thresholds": "Sensitivity and specificity by threshold",
    }
    if area["mean"] is None:
        titles["roc"] = "No ROC curve: no test set holds two classes"
    if chance["auprc"]["theory"] is not None:
        titles["pr"] += f" (chance {decimal_text(chance['auprc']['theory'], 2)})"
    return titles


def _calibration_title(result: StudyContent) -> str:
    found = result["headline"].get("calibration")
    if not found:
        return "Calibration"
    slope = found["slope"]
    if slope["mean"] is None:
        return f"Calibration slope: {slope.get('note') or 'undefined'}"
    return f"Calibration slope {estimate_text(slope, 2)}; 1 is perfect"


def _decision_title(points: list[DecisionPoint]) -> str:
    """Between which thresholds the curve lies above both lines: no statement on other samples."""
    runs: list[list[float]] = [[]]
    for one in points:
        gain, treat_all = one["net_benefit"], one["treat_all"]
        if None not in (gain, treat_all) and gain > max(0.0, treat_all) + 1e-9:
            runs[-1].append(one["threshold"])
        elif runs[-1]:
            runs.append([])
    longest = max(runs, key=len)
    if not longest:
        return "Decision curve: nowhere above both lines"
    low, high = percent_text(longest[0]), percent_text(longest[-1])
    return f"Decision curve: above both lines from {low} to {high}, in these samples"


def size_title(method: MethodEntry, metric: str) -> str:
    """The score with the fewest features, and with as many as were selected most often."""
    points = [p for p in method["size_curve"] if None not in (p["size"], p["outer"])]
    scores = {p["size"]: p["outer"] for p in points}
    sizes = [size for size in method["sizes"] if size in scores]
    if not scores or not sizes:
        return metric_name(metric)
    ends = dict.fromkeys([min(scores), max(set(sizes), key=lambda size: (sizes.count(size), size))])
    words = [f"{decimal_text(scores[size], 2)} with {count_text(size)}" for size in ends]
    return f"{metric_name(metric)} {', '.join(words)} features"


def permutation_title(result: StudyContent) -> str:
    """The p-value, or that there is none."""
    text = permutation_text(result)
    return text[:1].upper() + text[1:] if text else "Permutation test: no p-value"


def stability_title(result: StudyContent) -> str:
    """The measure beside that of shuffled labels."""
    text = how_stable(result)
    return f"Stability {text}" if text else "Stability: undefined"
