"""The first screen of a study, on the terminal and on the page: what was chosen, how well it
works, against what chance, and how stable it is."""

from __future__ import annotations

from collections.abc import Iterable

from ..._core.errors import counted_noun, listed_parts, shorten_text
from ...data.class_heading import class_heading
from ...metrics.differences import LEAST_RUNS
from ...metrics.estimates import declined_words, estimate_text
from ...metrics.registry import metric_row
from .cost_saving import constant_words, digits_of
from .schema import (
    DataSection,
    Estimate,
    Permutation,
    Repeatability,
    Stability,
    StudyContent,
    StudyFindings,
)

MAX_NAMED_FEATURES = 8  # features named
LEADING_NUMBERS = ("q2", "concordance", "rmse")
# of the labels that free permutation moves: what less says is next to nothing
MIN_MOVED_LABELS = 0.25


def what_was_chosen(c: StudyContent) -> str:
    """The signature: its size, its method in plain names, its features."""
    final = c["final"]
    if not final:
        return ""
    names = final["features"]
    listed = listed_parts(map(shorten_text, names), MAX_NAMED_FEATURES) if names else "no feature"
    return f"{signature_size(c)}: {listed}"


def signature_size(c: StudyContent) -> str:
    """How many features the final model has, of which block, and by what method."""
    final = c["final"]
    if not final:
        return ""
    names, shares = final["features"], c["headline"].get("blocks", {})
    blocks = listed_parts(f"{shorten_text(name)} {one['final']}" for name, one in shares.items())
    beside = f" ({blocks})" if blocks and names else ""
    return f"{counted_noun(len(names), 'feature')}{beside} by {final['title']}"


def of_each_block(c: StudyContent) -> str:
    """How many features of each block a training set chose, on average."""
    totals, shares = c["data"].get("blocks", {}), c["headline"].get("blocks", {})
    counts = [
        f"{one['mean']:.1f} of " + (f"{totals[name]:,} {name}" if name in totals else name)
        for name, one in shares.items()
    ]
    return f"{listed_parts(counts)} in a training set, on average" if counts else ""


def leading_numbers(c: StudyContent) -> list[tuple[str, Estimate, int]]:
    """The three numbers to show first: (name, estimate, decimals).

    The metric that the study tunes on, the balanced accuracy and the AUC, then what a decision is
    about: the recall of the positive of two classes, else the accuracy. Of a number its metric, Q2,
    the concordance and RMSE.
    """
    if c["plan"].get("response") == "number":
        leading = [c["plan"]["metric"], *LEADING_NUMBERS]
    else:
        leading = [c["plan"]["metric"], "bcr", "auc"]
    names = list(dict.fromkeys(leading))
    shown = [(metric_row(name).brief, c["metrics"][name], digits_of(c, name)) for name in names]
    classes = c["data"]["classes"]
    if not classes:
        return shown[:3]
    if len(classes) == 2:
        positive = class_heading(c["data"]["target"], classes[-1])
        shown.append((f"sensitivity for {positive}", c["recalls"][classes[-1]], 2))
    else:
        shown.append(("accuracy", c["metrics"]["accuracy"], 2))
    return list({one[0]: one for one in shown}.values())[:3]


def price_of_few(c: StudyContent) -> str:
    """The score of the first method at each of its sizes, and of the references, on the same outer
    folds: what few features cost."""
    metric = metric_row(c["plan"]["metric"])
    digits = digits_of(c, metric.name)
    first = next(m for m in c["methods"] if not m["reference"])
    points = [p for p in first["size_curve"] if None not in (p["size"], p["outer"])]
    points = [p for p in points if not p["own"]]
    beside = [m for m in c["methods"] if m["reference"]]
    rivals = len(c["methods"]) - len(beside)
    requested_sizes = {m["name"]: m["sizes"] for m in c["plan"]["method"]}
    if len(points) < 2 or not requested_sizes[first["name"]]:  # a path has steps, not sizes
        return ""
    scores = [
        f"{p['outer']:z.{digits}f} with "
        f"{'all ' * (p['size'] == first['n_possible'])}{round(p['size'], 1):,.12g}"
        for p in points
    ]
    text = f"{metric.brief} {', '.join(scores)} features"
    text += f" by {first['name']}" if rivals > 1 else ""
    for m in beside:
        score = m["size_curve"][0]["outer"]  # as of the sizes, with nobody declined
        size = (m["sizes"] or [0])[0] or 0
        everything = size == m["n_possible"] == first["n_possible"]
        beside_text = (
            f" with {'all ' * everything}{size:,}"
            if everything or requested_sizes[m["name"]]
            else ""
        )
        beside_text += "" if everything and len(beside) == 1 else f" by {m['name']}"
        text += "" if score is None else f"; {score:z.{digits}f}{beside_text}"
    return text


def of_each_method(c: StudyContent) -> str:
    """How many methods were compared, which of them training sets took, and their scores alone."""
    metric = metric_row(c["plan"]["metric"])
    rivals = [m for m in c["methods"] if not m["reference"]]
    scores = {m["name"]: m["metrics"][metric.name]["mean"] for m in rivals}
    known = {name: score for name, score in scores.items() if score is not None}
    if len(rivals) < 2 or not known:
        return ""
    taken = ", ".join(f"{name} ({n})" for name, n in c["headline"]["winners"].items())
    ends = sorted(known, key=lambda name: known[name])
    low, high = (f"{known[k]:z.{digits_of(c, metric.name)}f} ({k})" for k in (ends[0], ends[-1]))
    return (
        f"{len(rivals)} compared; training sets took {taken}; {metric.brief} of each alone "
        f"{low} to {high}; the best is picked after seeing the results, so optimistic"
    )


def any_declined(c: StudyContent) -> bool:
    """Whether the headline procedure or a method declined any sample."""
    given = [c["headline"]["coverage"], *(m["coverage"] for m in c["methods"])]
    return any(one["mean"] not in (None, 1) for one in given)


def how_well(c: StudyContent) -> str:
    """The leading numbers with their intervals, but for the mean cost, which has its own line."""
    loss = metric_row("loss").brief
    return "; ".join(
        f"{name} {estimate_text(found, digits)}"
        for name, found, digits in leading_numbers(c)
        if name != loss or "costs" not in c
    )


def declined_sentence(c: StudyContent) -> str:
    """How many samples the headline procedure declined, and what the leading numbers of labels are
    with a best guess for every sample; nothing where none was."""
    names = [class_heading(c["data"]["target"], name) for name in c["data"]["classes"]]
    said = declined_words(c["headline"]["coverage"], names)
    if not said:
        return ""
    full = c["headline"].get("rejection", {}).get("full", {})
    known = [name for name in dict.fromkeys([c["plan"]["metric"], "bcr"]) if name in full]
    full_scores = [
        f"{metric_row(name).brief} {estimate_text(full[name], digits_of(c, name))}"
        for name in known
    ]
    return "; ".join(
        [said, *([f"with no sample declined: {', '.join(full_scores)}"] if full_scores else [])]
    )


HELD_FAST = "within batches labels can hardly be permuted"


def held_fast(moved: float | None) -> bool:
    """Whether permuted labels are so like the true ones that no comparison says anything."""
    return moved is not None and moved < MIN_MOVED_LABELS


def batches_count(data: DataSection, permutation: Permutation) -> bool:
    """Whether permuted runs show what the batches predict."""
    return data.get("n_batches", 1) > 1 and not held_fast(permutation.get("moved"))


def _how_permuted(permutation: Permutation) -> str:
    """Of a study with batches."""
    if permutation.get("crossed"):
        return "labels of groups drawn given their batches"
    return "labels permuted inside batches"


def chance_of(c: StudyFindings, name: str) -> tuple[float | None, str]:
    """What a metric is where there is nothing to find, and where that comes from.

    In theory where there is a formula; else the median of the permuted runs, if they are enough.
    That comes first where there are batches, for what they predict of the class is in it, unless
    one class for all samples does better.
    """
    entry, metric = c["chance"][name], metric_row(name)
    theory, permuted = entry["theory"], entry["permuted"]
    constant = constant_words(c, name)
    by_batch = batches_count(c["data"], c["permutation"])
    if by_batch and permuted and permuted["n"] >= LEAST_RUNS:
        median = permuted["median"]
        better = constant and theory is not None and metric.direction * (theory - median) > 0
        if not better:
            return median, f"with {_how_permuted(c['permutation'])}"
    if theory is not None:
        return theory, f"by {constant}" if constant else "in theory"
    if c["headline"]["alone"]:  # the permuted runs have other folds, in which chance is higher
        return None, ""
    if permuted and permuted["n"] >= LEAST_RUNS:
        return permuted["median"], "with shuffled labels"
    return None, ""


def against_chance(c: StudyContent) -> str:
    """What chance gives, and how many permuted runs did as well."""
    metric = c["plan"]["metric"]
    value, source = chance_of(c, metric)
    if metric == "loss" and "costs" in c:  # the line of costs says it
        value = None
    label = metric_row(metric).brief
    parts = [] if value is None else [f"{label} {value:z.{digits_of(c, metric)}f} {source}"]
    return "; ".join(filter(None, [*parts, permutation_text(c)]))


def permutation_text(c: StudyContent) -> str:
    """The p-value, and how many permuted runs did as well; nothing where there is none."""
    p, n = c["permutation"]["p_value"], c["permutation"]["n"]
    if p is None:
        return ""
    as_good = round(p * (n + 1)) - 1
    least = "; the minimum possible" if as_good == 0 else ""
    by_batch = batches_count(c["data"], c["permutation"])
    inside = f"; {_how_permuted(c['permutation'])}" if by_batch else ""
    return f"permutation p = {p:.2g} ({as_good} of {n}{least}{inside})"


def kept_all_or_none(chosen: Iterable[tuple[float, int]]) -> tuple[int, int]:
    """In how many training sets all features were kept, and in how many none, where some could be;
    of (number chosen, number possible) of each."""
    pairs = list(chosen)
    return sum(k == most > 1 for k, most in pairs), sum(k == 0 < most - 1 for k, most in pairs)


def headline_kept(c: StudyFindings) -> tuple[int, int]:
    """The same of the headline."""
    most = {m["name"]: m["n_possible"] for m in c["methods"]}
    return kept_all_or_none((f["size"], most[f["method"]]) for f in c["headline"]["folds"])


def selects_features(c: StudyFindings) -> bool:
    """Whether most training sets kept some features and left others out: else no measure of
    stability is one of a selection."""
    return 2 * sum(headline_kept(c)) < len(c["headline"]["folds"])


def stability_shown(
    c: StudyFindings, found: Stability, again: Repeatability
) -> tuple[float | None, str]:
    """The one measure that is shown of a procedure (Nogueira's), and the folds that it is of.

    Where there are permuted runs, that of their design, which chance is known for (None of a
    reference, which has no such runs); else that of the outer folds.
    """
    if not selects_features(c):
        return None, ""
    if c["permutation"]["n"]:
        return again["observed"], c["permutation"]["outer_short"]
    return found["nogueira"]["mean"], "the outer folds"


def how_stable(c: StudyContent) -> str:
    """Nogueira's measure of the run with true labels beside that of the permuted ones."""
    found = c["permutation"]["stability"]
    if not selects_features(c):
        n = len(c["headline"]["folds"])
        all_sets = "the training set" if n == 1 else f"all {n} training sets"
        parts = [
            f"{all_sets if k == n else f'{k} of {n} training sets'} kept {what} feature"
            for k, what in zip(headline_kept(c), ("every", "no"), strict=True)
            if k
        ]
        return f"not computed: {' and '.join(parts)}"
    own, folds = stability_shown(c, c["headline"]["stability"], found)
    if found["above"] is None:  # too few permuted runs, or no two selections to compare
        if own is None:
            return ""
        few = c["permutation"]["n"] < LEAST_RUNS
        held = held_fast(c["permutation"].get("moved"))
        why = f"fewer than {LEAST_RUNS} permuted runs" if few else HELD_FAST * held or "undefined"
        return f"{own:z.2f} of 1 ({folds}); no verdict ({why})"
    text = f"{_two_digits(own)} of 1 ({folds})"
    if found["median"] is not None:
        middle, most = _two_digits(found["median"]), _two_digits(found["most"])
        text += f"; shuffled labels: median {middle}, max {most}"
    return text


def _two_digits(value: float | None) -> str:
    return "undefined" if value is None else f"{value:z.2f}"
