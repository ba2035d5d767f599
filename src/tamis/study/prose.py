"""Words about a study: warnings, and a methods paragraph to paste into a paper."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from .. import __version__
from .._core.errors import plural
from ..data.dataset import Dataset
from ..data.unlogged import unlogged_warning
from ..metrics import METRICS
from . import registry
from .citations import CITATIONS
from .collect import Collected
from .plan import MethodPlan, Plan

CUTS = ("threshold", "max_p", "max_fdr")
CRITERIA = {
    "auc_ratio": "mean(AUC)/(sd(AUC)+.01)",
    "bcm_ccem_auprc": "the mean of AUPRC, belief confusion metric and correct-class enrichment",
}


def protocol(plan: Plan, data: Dataset, n_fits: int) -> dict[str, Any]:
    """The `protocol` entry of docs/json.md."""
    grouped = data.groups is not None
    return {
        "outer": plan.outer.sentence(grouped),
        "inner": plan.inner.sentence(grouped),
        "repeats": plan.outer.repeats,
        "permutations": plan.permutations,
        "metric": plan.metric,
        "n_fits": n_fits,
    }


def cited(plan: Plan) -> list[dict[str, str]]:
    """References of the protocol and of every method used, in the order of mention."""
    keys = ["ambroise2002", "varma2006"]
    for method in plan.method:
        keys += registry.row(method.select, role="select").cite
        if "max_fdr" in method.parameters:
            keys.append("benjamini1995")
        for name in method.classify:
            keys += registry.row(name, role="classify").cite
    keys += ["lustgarten2009", "nogueira2018"]
    if plan.permutations:
        keys.append("phipson2010")
    if len(plan.method) > 1:
        keys.append("nadeau2003")
    keys.append("pedregosa2011")
    return [{"key": key, "text": CITATIONS[key]} for key in dict.fromkeys(keys)]


def methods_text(plan: Plan, data: Dataset, references: list[dict[str, str]]) -> str:
    """The methods paragraph."""
    number = {r["key"]: i + 1 for i, r in enumerate(references)}

    def cite(*keys: str) -> str:
        numbers = sorted(number[k] for k in keys if k in number)
        return f" [{', '.join(map(str, numbers))}]" if numbers else ""

    grouped = data.groups is not None
    counts = ", ".join(
        f"{int(np.sum(data.codes == code))} {name}" for code, name in enumerate(data.classes)
    )
    parts = [
        f"Data were {data.shape[0]} samples ({counts}) with {len(data.ranked):,} features. "
        f"Performance was estimated by nested resampling{cite('ambroise2002', 'varma2006')}: "
        f"{plan.outer.sentence(grouped)} outside and {plan.inner.sentence(grouped)} inside each "
        "outer training part. Every step that looks at the data (imputation, selection, scaling, "
        "fitting, the choice of size, of settings and of method) used training samples only."
    ]
    described = [
        f"({i}) {_described(method, plan, cite)}" for i, method in enumerate(plan.method, 1)
    ]
    metric = METRICS[plan.metric]
    parts.append(
        f"Methods compared were {'; '.join(described)}. The headline figure is that of the whole "
        f"procedure that picks method and settings by the inner {metric.label.lower()}, evaluated "
        "on the outer folds. Intervals are 95 % bootstrap percentile intervals of the pooled "
        "out-of-fold predictions"
        + (
            f"; methods were compared by the corrected resampled t-test{cite('nadeau2003')}."
            if len(plan.method) > 1
            else "."
        )
    )
    if plan.permutations:
        parts.append(
            f"The whole procedure was repeated on {plan.permutations} data sets with permuted "
            f"labels to show what chance gives{cite('phipson2010')}."
        )
    parts.append(
        "Stability of selection over the outer folds is given as Lustgarten's adjusted "
        f"measure{cite('lustgarten2009')} and Nogueira's measure{cite('nogueira2018')}. "
        f"Computed with Tamis {__version__} and scikit-learn{cite('pedregosa2011')}, "
        f"seed {plan.seed}."
    )
    return " ".join(parts)


def _described(method: MethodPlan, plan: Plan, cite: Callable[..., str]) -> str:
    """One method of the paragraph: what selects, what classifies, on how many features."""
    row = registry.row(method.select, role="select")
    cut_names = CUTS if row.fixed.get("score_func") else ()  # only filters are cut by values
    own = method.tune == row.tune  # a summary may end with the row's own way to choose a size
    text = f"{row.summary if own else row.summary.partition('; size by')[0]}{cite(*row.cite)}"
    settings = {k: v for k, v in method.parameters.items() if k not in cut_names}
    if "n_pairs" in row.parameters:  # of halves: a paper says how many, chosen or not
        settings.setdefault("n_pairs", row.load()().n_pairs)
    if settings:
        text += f" ({', '.join(f'{k} {v}' for k, v in settings.items())})"
    if not row.embedded:
        rows = [registry.row(name, role="classify") for name in method.classify]
        text += f" with {' or '.join(r.summary + cite(*r.cite) for r in rows)}"
    cuts = [
        f"{k.removeprefix('max_')} {v:g}" for k, v in method.parameters.items() if k in cut_names
    ]
    if cuts:
        text += f" (features cut off at {', '.join(cuts)}){cite('benjamini1995')}"
    if method.sizes:
        text += f" on {_sizes(method.sizes)} features"
    criterion = method.tune if not own else plan.tune if not row.tune else ""
    if criterion and criterion != plan.metric:
        label = METRICS[criterion].label if criterion in METRICS else CRITERIA[criterion]
        text += f", chosen by the inner {label}"
    return text


def _sizes(sizes: list[int]) -> str:
    if len(sizes) > 2 and sizes == list(range(sizes[0], sizes[-1] + 1)):
        return f"{sizes[0]} to {sizes[-1]}"
    return ", ".join(map(str, sizes))


def repeated_rows(data: Dataset, collected: Collected) -> list[tuple[str, str]]:
    """Pairs of samples with the same measurements in different outer folds."""
    place: dict[int, set[tuple[int, int | str]]] = {}
    for choice in collected.headline:
        for row in choice.test:
            place.setdefault(int(row), set()).add((choice.repeat, choice.fold))
    seen: dict[bytes, int] = {}
    pairs = []
    for i, row in enumerate(data.X):
        other = seen.setdefault(row.tobytes(), i)
        if other != i and place.get(i) != place.get(other):
            pairs.append((data.sample_names[other], data.sample_names[i]))
    return pairs


def warnings(
    plan: Plan, data: Dataset, collected: Collected, content: dict[str, Any]
) -> list[dict[str, str]]:
    """What a careful reader should be told, with stable codes."""
    found: list[tuple[str, str]] = []
    metric = plan.metric
    counts = np.bincount(data.codes, minlength=len(data.classes))
    few = [f"{c} ({n})" for c, n in zip(data.classes, counts, strict=True) if n < 10]
    if few:
        found.append(
            ("small-class", f"Fewer than ten samples of {', '.join(few)}: every figure that "
             "depends on this class is uncertain, more than the intervals can show.")
        )  # fmt: skip
    pairs = repeated_rows(data, collected)
    if pairs:
        a, b = pairs[0]
        found.append(
            ("repeated-rows", f"{plural(len(pairs), 'sample')} with the measurements of another on "
             f"the other side of a split (such as {a} and {b}): if they are one patient, name a "
             "group column; the figures flatter otherwise.")
        )  # fmt: skip
    p = content["permutation"]["p_value"]
    if p is None:
        found.append(
            ("no-permutations", "No permuted runs: set permutations = 100 to learn what this "
             "procedure finds where there is nothing to find.")
        )  # fmt: skip
    elif content["permutation"]["n"] < 19:
        least = 1 / (content["permutation"]["n"] + 1)
        found.append(
            ("few-permutations", f"{plural(content['permutation']['n'], 'permuted run')} can show "
             f"what chance gives, but not a p-value below {least:.2g}: set permutations = 100 "
             "for a test.")
        )  # fmt: skip
    low = content["metrics"]["bcr"]["low"]
    if low is not None and low <= 1 / len(data.classes):
        found.append(
            ("not-above-chance", "The interval of the balanced classification rate reaches down "
             "to chance: these data do not show that the class can be predicted.")
        )  # fmt: skip
    if low is not None and low == content["metrics"]["bcr"]["high"]:
        least = int(counts.min())
        found.append(
            ("no-width", "The bootstrap interval has no width, because resampling cannot invent "
             f"errors that were not made. With {least} samples of a class all predicted right, "
             f"its true rate may still be as low as {0.05 ** (1 / least):.2f} (95 % bound).")
        )  # fmt: skip
    stable = content["headline"]["stability"]["asm"]
    if stable is not None and stable < 0.3:
        found.append(
            ("unstable", f"Selection is unstable (ASM {stable:.2f}): another sample of patients "
             "would have given largely other features. Read the list as examples, not as the "
             "signature.")
        )  # fmt: skip
    if np.isnan(data.X).any():
        share = float(np.isnan(data.X).mean())
        found.append(
            ("imputed", f"{share:.2%} of the values are missing; they were filled with the median "
             "of the training part.")
        )  # fmt: skip
    if data.covariates and any(m.select == "pam" for m in plan.method):
        found.append(
            ("covariates-unused", "Shrunken centroids (pam) cannot carry covariates and ran "
             "without them.")
        )  # fmt: skip
    if data.covariates:
        baseline = next((m for m in content["methods"] if m["select"] == "covariates"), None)
        if baseline is not None:
            mean = baseline["metrics"][metric]["mean"]
            found.append(
                ("baseline", f"The covariates alone reach {metric} {mean:.3f}; what the features "
                 "add is the difference.")
            )  # fmt: skip
    found += [("unlogged", text) for text in [unlogged_warning(data)] if text]
    return [{"code": code, "text": text} for code, text in found]
