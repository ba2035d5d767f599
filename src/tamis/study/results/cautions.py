"""What a careful reader should know of a study: one line each, with stable codes."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np

from ..._core.errors import counted_noun
from ..._core.interfaces import Decision
from ...data.cautions import (
    SIGNIFICANCE_LEVEL,
    Cautions,
    batch_cautions,
    class_cautions,
    paired_cautions,
)
from ...data.class_heading import class_heading
from ...data.dataset import Dataset
from ...data.unlogged import scale_cautions
from ...metrics.differences import LEAST_RUNS
from ...metrics.estimates import estimate_text
from ...metrics.registry import metric_row
from ..plan import Plan
from ..protocol.error_costs import Costs
from .batch_alone import batch_alone
from .collect import Choice, Collected
from .cost_saving import constant_cautions, cost_digits, digits_of, saving_cautions
from .data_faults import data_faults
from .first_screen import (
    HELD_FAST,
    batches_count,
    chance_of,
    headline_kept,
    held_fast,
    kept_all_or_none,
    selects_features,
)
from .held_out import paired_difference
from .schema import Chance, Estimate, MethodEntry, Repeatability, StudyFindings, Warned
from .structure_alone import structure_cautions
from .summary import MAX_CLASS_SHARE_GAP

POOR_STABILITY = 0.4  # agreement called poor on Fleiss' scale, as Nogueira et al. (2018) use it
MAX_MISSING_SHARE = 0.05  # of the features chosen, missing more in one class
MAX_EXTRA_REJECTION = 0.05  # of the samples: by a final model outside the range in training sets
MAX_SIZE_RATIO = 2  # from the least or most features chosen, from which a final model is another
NO_ORDER = {"not-above-chance", "below-chance"}
AT_CHANCE = NO_ORDER | {"labels-at-chance", "no-saving"}
BELOW_CHANCE_REASONS = (  # what turns predictions round in folds
    "something inverts the predictions, such as rows of one patient that were split (--group), "
    "values centred within classes, or training sets with the reverse class shares of test sets"
)
NOT_SHOWN = "these data do not show that the class can be predicted"


def study_cautions(
    plan: Plan,
    data: Dataset,
    collected: Collected,
    content: StudyFindings,
    costs: Costs | None = None,
) -> list[Warned]:
    """The `warnings` entry of docs/json.md, the gravest first."""
    doubts = [*_chance_cautions(plan, data, content), *saving_cautions(content)]
    if not AT_CHANCE & {code for code, _ in doubts}:
        doubts += [*constant_cautions(content), *structure_cautions(plan, content)]
    found = [
        *data_faults(data, collected),
        *doubts,
        *selection_cautions(content),
        *final_cautions(collected, content),
        *_decision_cautions(data, collected),
        *class_cautions(data),
        *_batch_cautions(plan, data, collected),
        *_missing_cautions(content),
        *_perfect_cautions(content),
        *_fold_cautions(data, content),
        *run_cautions(content),
        *_procedure_cautions(plan, data, collected, content, costs),
    ]
    return [{"code": code, "text": text} for code, text in found]


def method_codes(entry: MethodEntry, data: Dataset, by_batch: bool) -> list[str]:
    """Codes of the cautions that hold for a single method; `by_batch`: see `batches_count`."""
    codes = []
    low = entry["metrics"]["bcr"]["low"]
    level = _chance_level(entry["chance"], data, by_batch)
    if low is not None and low <= level and not _auc_above_half(entry["metrics"]):
        codes.append("reaches-chance")
    without = sum(kept_all_or_none((size, entry["n_possible"]) for size in entry["sizes"]))
    if 2 * without < len(entry["sizes"]) and instability_text(entry["repeatability"]):
        codes.append("unstable")
    return codes


def _chance_cautions(plan: Plan, data: Dataset, content: StudyFindings) -> Cautions:
    by_batch = batches_count(content["data"], content["permutation"])
    estimate, level = content["metrics"]["bcr"], _chance_level(content["chance"], data, by_batch)
    not_shown = NOT_SHOWN + (" beyond what the batch explains" if by_batch else "")
    permutation = content["permutation"]
    p, n = permutation["p_value"], permutation["n"]
    of_labels = metric_row(plan.metric).of_confusion is not None
    orders = (
        _auc_above_half(content["metrics"])
        and not by_batch  # of batches the area may be theirs
        # else the order was put to the test
        and (p is None or p <= SIGNIFICANCE_LEVEL or of_labels)
    )
    reaches, low, high = "", estimate["low"], estimate["high"]
    if low is not None and high is not None and low <= level:
        ends = f"the interval of the balanced accuracy ({low:.2f} to {high:.2f})"
        reaches = f"{ends} reaches chance ({level:.2f})"
    if below := _below_chance(content["metrics"], level, by_batch):
        yield "below-chance", f"{below}: {BELOW_CHANCE_REASONS}."
        return
    why = reaches
    if p is not None and p > SIGNIFICANCE_LEVEL:  # the sharper of the two decides
        as_good = round(p * (n + 1)) - 1
        by = "" if plan.metric == "bcr" else f" in {metric_row(plan.metric).brief}"
        why = f"{as_good} of {n} permuted runs did as well{by} (p = {p:.2g})"
        why = "; ".join(filter(None, (why, reaches)))
    if why and (p is None or p > SIGNIFICANCE_LEVEL):
        if orders:
            low, high = (content["metrics"]["auc"][end] for end in ("low", "high"))
            yield (
                "labels-at-chance",
                f"the ranking of the samples is above chance (AUC {low:.2f} to "
                f"{high:.2f}), predicted labels are not shown to be: {why}.",
            )
        else:
            yield "not-above-chance", f"{not_shown}: {why}."
    elif reaches:
        by = "" if plan.metric == "bcr" else f" in {metric_row(plan.metric).brief}"
        yield (
            "wide-interval",
            f"{reaches}, while p = {p:.2g} in the permutation test{by}: how well the classes can "
            "be predicted remains uncertain.",
        )


def _below_chance(metrics: Mapping[str, Estimate], level: float, by_batch: bool) -> str:
    """Which interval lies below chance; of the AUC not where batches predict the class."""
    for name, chance in (("bcr", level), *([] if by_batch else [("auc", 0.5)])):
        low, high, of = metrics[name]["low"], metrics[name]["high"], metric_row(name).brief
        if low is not None and high is not None and high < chance:
            return f"the interval of the {of} ({low:.2f} to {high:.2f}) lies below {chance:.2f}"
    return ""


def _auc_above_half(metrics: Mapping[str, Estimate]) -> bool:
    """Whether the interval of the AUC lies above one half."""
    low = metrics["auc"]["low"]
    return low is not None and low > 0.5


def _chance_level(chance: Mapping[str, Chance], data: Dataset, by_batch: bool) -> float:
    """The balanced accuracy where there is nothing to find; with batches, what these predict."""
    permuted = chance["bcr"]["permuted"]
    if by_batch and permuted and permuted["n"] >= LEAST_RUNS:
        return permuted["median"]
    return 1 / len(data.classes)


def instability_text(found: Repeatability) -> str:
    """What keeps a selection from being called stable; nothing where nothing does.

    A run that does not exceed all permuted ones proves nothing: with few samples even a rather
    stable selection often fails to.
    """
    value, most = found["observed"], found["most"]
    if found["above"] is None or value is None:
        return ""
    if not found["above"]:
        beside = "" if most is None else f", shuffled labels up to {most:.2f}"
        return (
            "the selection is not shown to be more stable than with shuffled labels (stability "
            f"{value:.2f}{beside}): treat the list as an example; other samples would give another."
        )
    if value < POOR_STABILITY:
        return (
            f"the selection is more stable than with shuffled labels, but agrees poorly (stability "
            f"{value:.2f}): other patients would give partly other features."
        )
    return ""


def selection_cautions(content: StudyFindings) -> Cautions:
    """Selections that are unstable, or none."""
    why = instability_text(content["permutation"]["stability"])
    if why and selects_features(content):
        yield "unstable", why
    total = counted_noun(len(content["headline"]["folds"]), "training set")
    every, none = headline_kept(content)
    if every:
        yield (
            "no-selection",
            f"{every} of {total} kept all features: nothing was selected there, so "
            "that no feature is shown to matter more than another.",
        )
    if none:
        yield (
            "no-selection",
            f"{none} of {total} kept no feature: predictions there do not depend on the features.",
        )


def _batch_cautions(plan: Plan, data: Dataset, collected: Collected) -> Cautions:
    """Whether the batch predicts the class."""
    adjusted = any(step.named.row.learns_by("batch") for step in plan.steps)
    return batch_cautions(
        data,
        lambda codes: batch_alone(data, codes, collected.headline),
        " After adjustment, noise may score below chance: compare with permuted runs." * adjusted,
    )


def _missing_cautions(content: StudyFindings) -> Cautions:
    """Whether what was chosen is what was measured unlike in the classes, by no step looked for."""
    missing = content.get("missing_by_class")
    if missing is None or missing["largest"] is None:
        return
    chosen, unlike = missing["unguarded"]["chosen"], missing["unguarded"]["unlike"]
    if unlike and unlike >= MAX_MISSING_SHARE * chosen:
        yield (
            "missing-unlike",
            f"of {counted_noun(chosen, 'feature')} chosen in any training set or for the final "
            f"model, values of {unlike:,} are missing more in one class than in another (so are "
            f"those of {missing['unlike']:,} of all {missing['tested']:,}; false discovery rate "
            "5 %): the model may reflect how samples were handled. Compare with a method whose "
            "first step drops features whose values are missing by class "
            f"(p up to {missing['largest']:.2g}).",
        )


def _perfect_cautions(content: StudyFindings) -> Cautions:
    """Perfection is said of a perfect confusion matrix only."""
    matrix = np.array(content["headline"]["confusion"])
    if matrix.sum() == matrix.trace():
        lows = {name: one["low"] for name, one in content["recalls"].items()}
        known = {name: low for name, low in lows.items() if low is not None}
        if known:
            least = min(known, key=lambda k: known[k])
            name = class_heading(content["data"]["target"], least)
            yield (
                "no-width",
                "every prediction was right, but so few samples prove little: of "
                f"{name} the share predicted right may still be as low as {known[least]:.2f}.",
            )


def _fold_cautions(data: Dataset, content: StudyFindings) -> Cautions:
    """What the folds do to scores, whatever the data."""
    head = content["headline"]
    if head["alone"]:
        yield (
            "leave-one-out",
            "test sets hold one class only, so that each training set has fewer "
            "of the class it is judged on: without signal scores lie below chance, with shrunken "
            "centroids even below their intervals. k folds do not have this.",
        )
    elif head["uneven"] > MAX_CLASS_SHARE_GAP:
        yield (
            "uneven-folds",
            f"class shares of a test set and its training set differ by "
            f"{head['uneven']:.0%} on average: scores of labels lie too low, without signal below "
            "chance; the AUC, counted within folds, does not.",
        )
    yield from paired_cautions(data)


def run_cautions(content: StudyFindings) -> Cautions:
    """Too few permuted runs, or none that say anything."""
    permutation = content["permutation"]
    n, moved = permutation["n"], permutation.get("moved")
    if n >= LEAST_RUNS and held_fast(moved):
        yield (
            "no-p-value",
            f"{HELD_FAST} (permuted runs move "
            f"{moved:.0%} of what they would otherwise), so there is no p-value: class and batch "
            "are confounded here.",
        )
    elif n >= LEAST_RUNS and "shifted" in permutation:
        yield (
            "no-p-value",
            "groups differ in size by class: permuted runs have other class shares "
            f"({permutation['shifted']:.0%} on average), on which the metric depends: there is no "
            'p-value. metric = "bcr" or "auc" gives one.',
        )
    elif n >= LEAST_RUNS and permutation["p_value"] is None:
        yield (
            "no-p-value",
            "the score that the study tunes on is undefined in the design of the "
            "permuted runs, so there is no p-value.",
        )
    lacking = "no p-value" + (" and no verdict on stability" if selects_features(content) else "")
    more = f"ask for --permutations {LEAST_RUNS} or more."
    if n == 0:
        yield "no-permutations", f"no permuted runs, so {lacking}: {more}"
    elif n < LEAST_RUNS:
        yield (
            "few-permutations",
            f"{counted_noun(n, 'permuted run')} cannot reach p = 0.05, so there is {lacking}: "
            f"{more}",
        )


def final_cautions(collected: Collected, content: StudyFindings) -> Cautions:
    """A final model unlike what the training sets chose: the headline is not its estimate."""
    procedure = "the headline estimates the procedure, and this model has no estimate of its own"
    final, folds = collected.final, collected.headline
    if final is None:
        return
    same = [c for c in folds if c.method == final.method]
    sizes = sorted({c.size for c in same})
    if 2 * len(same) < len(folds):
        yield (
            "final-differs",
            f"the final model is by {final.method}, which won in {len(same)} of "
            f"{counted_noun(len(folds), 'training set')}: "
            f"{procedure}{_score_alone(content, final)}.",
        )
    elif not sizes[0] / MAX_SIZE_RATIO <= len(final.features) <= sizes[-1] * MAX_SIZE_RATIO:
        chose = " to ".join(map(str, [sizes[0], *sizes[1:][-1:]]))
        yield (
            "final-differs",
            f"the final model has {counted_noun(len(final.features), 'feature')}, where "
            f"{final.method} chose {chose} in the training sets: "
            f"{procedure}{_score_alone(content, final)}.",
        )
    share, *shares = (c.decision.share for c in (final, *same))
    known = [s for s in shares if s is not None]
    extra = MAX_EXTRA_REJECTION
    if share is not None and known and not min(known) - extra <= share <= max(known) + extra:
        yield (
            "final-differs",
            f"the final model declines {share:.0%} of the samples held out inside it, where "
            f"training sets declined {min(known):.0%} to {max(known):.0%}: {procedure}.",
        )


def _score_alone(content: StudyFindings, final: Choice) -> str:
    """What the final model's method scored with that many features in the outer folds."""
    metric = metric_row(content["plan"]["metric"])
    entry = next(m for m in content["methods"] if m["name"] == final.method)
    size = len(final.features)
    scores = [p["outer"] for p in entry["size_curve"] if p["size"] == size and not p["own"]]
    if not scores or scores[0] is None:
        return ""
    digits = digits_of(content, metric.name)
    return (
        f" ({final.method} with {counted_noun(size, 'feature')} had {metric.with_article} of "
        f"{scores[0]:.{digits}f} in the outer folds; picked after seeing the results, so "
        "optimistic)"
    )


def _decision_cautions(data: Dataset, collected: Collected) -> Cautions:
    """What was required of a decision and does not hold, and rules that decline nobody, or all."""
    names = [class_heading(data.target, name) for name in data.classes]

    def decision_doubt(decision: Decision) -> str:
        return decision.full.doubt(names, data.groups is not None)

    def no_threshold(decision: Decision) -> str:
        return decision.idle()

    yield from _decision_sentences(collected, "no-statement", decision_doubt)
    yield from _decision_sentences(collected, "no-threshold", no_threshold)


def _decision_sentences(collected: Collected, code: str, of: Callable[[Decision], str]) -> Cautions:
    """What is said of decisions of the headline, and where."""
    folds = [text for c in collected.headline if (text := of(c.decision))]
    final = of(collected.final.decision) if collected.final is not None else ""
    if final or folds:
        total = f"{len(folds)} of {counted_noun(len(collected.headline), 'training set')}"
        if final:
            where = "the final model" + (f"; likewise in {total}" if folds else "")
        else:
            where = f"in {total}" + ("; numbers of the first" if len(set(folds)) > 1 else "")
        yield code, f"{final or folds[0]} ({where})."


def _plain_caution(
    plan: Plan, data: Dataset, collected: Collected, content: StudyFindings, costs: Costs | None
) -> Cautions:
    """Whether choosing among methods is shown to be worth it, beside the first that the plan names.

    That one is fixed beforehand, where the best of all would be the luckiest; but it is reported
    only where it did as well, so its own score must not be taken for an estimate.
    """
    rivals = [m for m in content["methods"] if not m["reference"]]
    metric, first = metric_row(plan.metric), rivals[0]
    chosen, alone = content["metrics"][plan.metric]["mean"], first["metrics"][plan.metric]["mean"]
    if len(rivals) < 2 or chosen is None or alone is None or first["select"] == "covariates":
        return
    doubts = {code for code, _ in _chance_cautions(plan, data, content)}
    unshown = NO_ORDER | ({"labels-at-chance"} if costs is None else set())
    if metric.direction * (alone - chosen) < 0 or doubts & unshown:
        return
    first_alone = collected.methods[first["name"]]
    found = paired_difference(collected.headline, first_alone, data.codes, plan.metric, costs)
    if found.alike:  # the first was taken everywhere, or is as good there
        return
    gap, gap_text = found.to_dict(), ""
    if gap["low"] is not None:
        given = content.get("costs") if plan.metric == "loss" else None
        digits = 2 if given is None else cost_digits(given)
        mean, low, high = (f"{gap[key]:+.{digits}f}" for key in ("mean", "low", "high"))
        none = f"{0:.{digits}f}"
        gap_text = f" (the choice less it {mean}, {low} to {high})"
        gap_text = gap_text.replace(f"-{none}", none).replace(f"+{none}", none)
    yield (
        "plain-as-good",
        f"the choice among {len(rivals)} methods is not shown to be better than "
        f"{first['name']}, the first named, alone{gap_text}: for a next study that one would be a "
        "fair plan; its figure here was picked after seeing the results, so it is optimistic.",
    )


def _procedure_cautions(
    plan: Plan, data: Dataset, collected: Collected, content: StudyFindings, costs: Costs | None
) -> Cautions:
    yield from _plain_caution(plan, data, collected, content, costs)
    yield from method_cautions(plan, data, collected, content)


def method_cautions(
    plan: Plan, data: Dataset, collected: Collected, content: StudyFindings
) -> Cautions:
    """What methods had to do without: a criterion, values, covariates."""
    if collected.instead:
        names = [f"{name} ({count})" for name, count in collected.instead.items()]
        total = len(collected.headline)
        yield (
            "inner-undefined",
            "the inner criterion was undefined for every size, and "
            f"{'the balanced accuracy decided' if data.classes else 'the smallest was taken'}, in "
            f"training sets (of {total}) of {', '.join(names)}.",
        )
    yield from scale_cautions(data, plan.takes_logs, shown=True)
    if content["data"]["n_missing"]:
        share = content["data"]["n_missing"] / (data.shape[0] * data.shape[1])
        able = plan.taking_gaps
        yield (
            "imputed",
            f"{share:.2%} of the values are missing; "
            + ("where no step fills them " if any(m.prepare for m in plan.method) else "")
            + "they were filled with the median of the training set"
            + (f", but for {', '.join(able)}: as missing." if able else "."),
        )
    if data.covariates:
        unable = [m.name for m in plan.method if not m.row.takes.covariates]
        if unable:
            yield (
                "covariates-unused",
                f"{', '.join(unable)} cannot carry covariates and ran without them.",
            )
        yield from _baseline_caution(plan, content)


def _baseline_caution(plan: Plan, content: StudyFindings) -> Cautions:
    """What the covariates reach alone, where that is shown to be above chance."""
    baseline = next((m for m in content["methods"] if m["select"] == "covariates"), None)
    if baseline is None or baseline["metrics"][plan.metric]["mean"] is None:
        return
    metric, digits = metric_row(plan.metric), digits_of(content, plan.metric)
    found, (chance, _) = baseline["metrics"][plan.metric], chance_of(content, plan.metric)
    worst = found["low"] if metric.direction > 0 else found["high"]
    worst = found["mean"] if worst is None else worst
    if chance is None or worst is None or metric.direction * (worst - chance) <= 0:
        return
    alone = f"{metric.brief} {estimate_text(found, digits)}; chance {chance:.{digits}f}"
    yield (
        "baseline",
        f"the covariates alone predict something of the {plan.response} ({alone}): what the "
        "features add is the headline less that.",
    )
