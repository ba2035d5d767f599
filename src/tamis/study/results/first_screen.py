"""The first screen of a study, on the terminal and on the page: what was chosen, how well it
works, against what chance, and how stable it is."""

from __future__ import annotations

from ..._core.errors import plural
from ...data.class_heading import class_heading
from ...metrics import METRICS
from ...metrics.differences import LEAST_RUNS
from ...metrics.estimates import declined_words, interval
from .saving import digits_of
from .schema import DataSection, Estimate, Permutation, StudyContent

NAMED = 8  # features named
MOVED = 0.25  # of the labels that free permutation moves: what less says is next to nothing


def what_was_chosen(c: StudyContent) -> str:
    """The signature: its size, its method in plain names, its features."""
    final = c["final"]
    if not final:
        return ""
    names = final["features"]
    more = f" and {len(names) - NAMED:,} more" if len(names) > NAMED else ""
    listed = ", ".join(names[:NAMED]) + more if names else "no feature"
    shares = c["headline"].get("blocks", {})
    blocks = ", ".join(f"{name} {one['final']}" for name, one in shares.items())
    beside = f" ({blocks})" if blocks and names else ""
    return f"{plural(len(names), 'feature')}{beside} by {final['title']}: {listed}"


def of_each_block(c: StudyContent) -> str:
    """How many features of each block a training part chose, on average."""
    totals, shares = c["data"].get("blocks", {}), c["headline"].get("blocks", {})
    counts = [
        f"{one['mean']:.1f} of " + (f"{totals[name]:,} {name}" if name in totals else name)
        for name, one in shares.items()
    ]
    return f"{', '.join(counts)} in a training part, on average" if counts else ""


def leading_numbers(c: StudyContent) -> list[tuple[str, Estimate, int]]:
    """The three numbers to show first: (name, estimate, decimals).

    The metric that the study tunes on, the balanced rate and the AUC, then what a decision is
    about: the recall of the positive of two classes, else the accuracy.
    """
    names = list(dict.fromkeys([c["plan"]["metric"], "bcr", "auc"]))
    shown = [(METRICS[name].brief, c["metrics"][name], digits_of(c, name)) for name in names]
    classes = c["data"]["classes"]
    if len(classes) == 2:
        positive = class_heading(c["data"]["target"], classes[-1])
        shown.append((f"recall of {positive}", c["recalls"][classes[-1]], 2))
    else:
        shown.append(("accuracy", c["metrics"]["accuracy"], 2))
    return list({one[0]: one for one in shown}.values())[:3]


def price_of_few(c: StudyContent) -> str:
    """The score of the first method at each of its sizes, and of the references, on the same outer
    folds: what few features cost."""
    metric = METRICS[c["plan"]["metric"]]
    digits = digits_of(c, metric.name)
    first = next(m for m in c["methods"] if not m.get("reference"))
    points = [p for p in first["size_curve"] if None not in (p["size"], p["outer"])]
    points = [p for p in points if not p["own"]]
    beside = [m for m in c["methods"] if m.get("reference")]
    asked = next(m.get("sizes") for m in c["plan"]["method"] if m["name"] == first["name"])
    if len(points) < 2 or not asked:  # the steps of a path are no sizes that were asked for
        return ""
    told = [f"{p['outer']:.{digits}f} with {p['size']:g}" for p in points]
    text = f"{metric.brief} {', '.join(told)} features"
    for m in beside:
        score = m["size_curve"][0]["outer"]  # as of the sizes, with nobody declined
        size = (m["sizes"] or [0])[0] or 0
        whole = f"all {size:,}" if size == m["n_possible"] else f"{size:,} by {m['name']}"
        text += "" if score is None else f"; {score:.{digits}f} with {whole}"
    return text


def declines(c: StudyContent) -> bool:
    """Whether the headline procedure or a method declined any sample."""
    given = [c["headline"]["coverage"], *(m["coverage"] for m in c["methods"])]
    return any(one["mean"] not in (None, 1) for one in given)


def declined(c: StudyContent) -> str:
    """How many samples the headline procedure declined; nothing where none was."""
    names = [class_heading(c["data"]["target"], name) for name in c["data"]["classes"]]
    return declined_words(c["headline"]["coverage"], names)


def how_well(c: StudyContent) -> str:
    """The three numbers with their intervals, and how many samples were declined."""
    parts = [f"{name} {interval(found, digits)}" for name, found, digits in leading_numbers(c)]
    return "; ".join([*parts, *filter(None, [declined(c), of_all(c)])])


def of_all(c: StudyContent) -> str:
    """What the leading numbers of labels are with a best guess for every sample."""
    full = c["headline"].get("rejection", {}).get("full", {})
    if not declined(c):
        return ""
    names = [name for name in dict.fromkeys([c["plan"]["metric"], "bcr"]) if name in full]
    told = [f"{METRICS[name].brief} {interval(full[name], digits_of(c, name))}" for name in names]
    return f"with a best guess for all: {', '.join(told)}" if told else ""


def held_fast(moved: float | None) -> bool:
    """Whether permuted labels are so like the true ones that no comparison says anything."""
    return moved is not None and moved < MOVED


def batches_count(data: DataSection, permutation: Permutation) -> bool:
    """Whether permuted runs tell what the batches give away."""
    return data.get("n_batches", 1) > 1 and not held_fast(permutation.get("moved"))


def chance_of(c: StudyContent, name: str) -> tuple[float | None, str]:
    """What a metric is where there is nothing to find, and where that comes from.

    In theory where there is a formula; else the median of the permuted runs, if they are enough.
    That comes first where batches are told, for what the batch tells of the class is in it, unless
    one class for all samples does better.
    """
    entry, metric = c["chance"][name], METRICS[name]
    theory, permuted = entry["theory"], entry["permuted"]
    constant = len(c["data"]["classes"]) <= metric.constant
    told = batches_count(c["data"], c["permutation"])
    if told and permuted and permuted["n"] >= LEAST_RUNS:
        median = permuted["median"]
        better = constant and theory is not None and metric.direction * (theory - median) > 0
        if not better:
            return median, "labels permuted inside batches"
    if theory is not None:
        return theory, "by calling all samples one class" if constant else "in theory"
    if c["headline"]["alone"]:  # the permuted runs have other folds, in which chance is higher
        return None, ""
    if permuted and permuted["n"] >= LEAST_RUNS:
        return permuted["median"], "permuted labels"
    return None, ""


def against_chance(c: StudyContent) -> str:
    """What chance gives, and how many permuted runs did as well."""
    metric, p, n = c["plan"]["metric"], c["permutation"]["p_value"], c["permutation"]["n"]
    value, source = chance_of(c, metric)
    label = METRICS[metric].brief
    parts = [] if value is None else [f"{label} {value:.{digits_of(c, metric)}f} {source}"]
    if p is not None:
        as_good = round(p * (n + 1)) - 1
        least = ", the least they can give" if as_good == 0 else ""
        count = "none" if as_good == 0 else as_good
        told = batches_count(c["data"], c["permutation"])
        inside = ", labels permuted inside batches," if told else ""
        parts.append(f"{count} of {n} permuted runs{inside} did as well (p = {p:.2g}{least})")
    return "; ".join(parts)


def how_stable(c: StudyContent) -> str:
    """Nogueira's measure of the run with true labels beside that of the permuted ones."""
    found = c["permutation"]["stability"]
    own = c["headline"]["stability"]["nogueira"]["mean"]
    if found["above"] is None:  # too few permuted runs, or no two selections to compare
        if own is None:
            return ""
        few = c["permutation"]["n"] < LEAST_RUNS
        why = f"fewer than {LEAST_RUNS} permuted runs" if few else "undefined there"
        return f"Nogueira {own:.2f} over the outer folds; no verdict ({why})"
    text = f"Nogueira {_two_digits(found['observed'])} in {c['permutation']['outer_short']}"
    if found["median"] is not None:
        middle, most = _two_digits(found["median"]), _two_digits(found["most"])
        text += f"; permuted labels {middle}, at most {most}"
    return text


def _two_digits(value: float | None) -> str:
    return "undefined" if value is None else f"{value:.2f}"
