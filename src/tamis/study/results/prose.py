"""Words about a study: its protocol, and a methods paragraph to paste into a paper."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from ... import __version__
from ..._core.citations import CITATIONS
from ..._core.errors import counted_noun, listed_names, listed_parts, shorten_text
from ..._core.registry import ARG_MAX, AS_PREDICTED, find_row
from ..._core.rows import (
    DecisionRow,
    PathRow,
    RankerRow,
    RecalibrationRow,
    Row,
    RuleRow,
    StepRow,
)
from ...classifiers.classifier_labels import parts_of
from ...data.class_heading import number_heading
from ...data.dataset import Dataset
from ...data.walks import missing_values
from ...metrics import criterion_label
from ...metrics.cost_matrix import CLASS_SIZES
from ...metrics.registry import is_gain, metric_row
from ...metrics.sample_costs import cost_columns
from ..plan import MethodPlan, Plan, Split
from ..plan.rules import rules_of
from ..protocol.error_costs import Costs
from ..protocol.splits import predefined_tests
from ..protocol.tuning import MIN_GAIN_SHARE, MIN_STANDARD_ERRORS, N_SHORT_LIST, N_USUAL_FEATURES
from .schema import Citation, Protocol


def protocol_entry(plan: Plan, data: Dataset, n_fits: int) -> Protocol:
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


def cited_references(plan: Plan, data: Dataset) -> list[Citation]:
    """References of the protocol and of every method used, in the order of mention."""
    keys = ["ambroise2002", "varma2006"]
    if data.intra_group_correlation is not None:
        keys.append("manichaikul2010")
    for method in plan.method:
        keys += method.row.cite
        keys += [key for row in _classifier_rows(method) for key in row.cite]
        if "max_fdr" in method.parameters:
            keys.append("benjamini1995")
        keys += [key for step in method.prepare for key in find_row(step.name, StepRow).cite]
        keys += find_row(plan.decision_of(method).name, DecisionRow).cite
        recalibrate, reject = plan.recalibration_of(method), plan.rejection_of(method)
        if recalibrate is not None:
            keys += find_row(recalibrate.name, RecalibrationRow).cite
        keys += find_row(reject.name, RuleRow).cite if reject is not None else ()
    keys += _interval_keys(data)
    if (len(plan.compared) > 1 or plan.learning_curve) and _tests_folds(plan, data):
        keys.append("nadeau2003")
    if plan.permutations:
        keys.append("phipson2010")
        if data.batches is not None and data.groups is not None:
            keys.append("berrett2020")
    if plan.bootstrap:
        keys.append("efron1997")
    if plan.prediction_intervals:
        keys += ["barber2021"] if data.groups is None else ["barber2021", "lee2023"]
    keys += ["nogueira2018", "lustgarten2009", "pedregosa2011"]
    return [{"key": key, "text": CITATIONS.get(key, key)} for key in dict.fromkeys(keys)]


def _classifier_rows(method: MethodPlan) -> list[Row]:
    """Rows of the classifiers that a method fits on its cuts."""
    if isinstance(method.row, PathRow):
        return []
    return [row for label in method.classify for row in parts_of(label, method.response)]


def methods_text(
    plan: Plan,
    data: Dataset,
    references: list[Citation],
    companion: tuple[Split, Split],
    costs: Costs | None = None,
) -> str:
    """The methods paragraph; `companion` are the outer and inner split of the permuted runs."""
    number = {r["key"]: i + 1 for i, r in enumerate(references)}

    def cite_keys(*keys: str) -> str:
        numbers = sorted(number[k] for k in keys if k in number)
        return f" [{', '.join(map(str, numbers))}]" if numbers else ""

    grouped = data.groups is not None
    parts = [
        f"Data were {data.shape[0]:,} samples{_groups_text(data)} ({_outcome_text(data)}) with "
        f"{len(data.ranked):,} features"
        f"{_blocks_text(data)}. "
        f"Performance was estimated by nested resampling{cite_keys('ambroise2002', 'varma2006')}: "
        f"{plan.outer.sentence(grouped)} outside and {plan.inner.sentence(grouped)} inside each "
        "outer training set. Every step that looks at the data (imputation, selection, scaling, "
        "fitting, deciding, the choice of size, of settings and of method) used training samples "
        "only."
    ]
    if data.batches is not None and not grouped and plan.outer.kind != "predefined":
        parts.append(
            "Batches were not kept apart: estimates apply to further samples of these batches."
        )
    if data.intra_group_correlation is not None:
        parts.append(
            "Groups were families of relatives by kinship (KING-robust"
            f"{cite_keys('manichaikul2010')}), and intervals are clustered by them."
        )
    if missing_values(data.X):
        parts.append(f"Missing values {_filled_text(plan)}.")
    described = [_described_method(method, plan, cite_keys) for method in plan.compared]
    if len(described) > 1:
        described = [f"({i}) {text}" for i, text in enumerate(described, 1)]
    described += [
        "beside them, as a reference that is never chosen, "
        f"{_described_method(method, plan, cite_keys)}"
        for method in plan.method
        if method.reference
    ]
    parts.append(
        f"{'Methods compared were' if len(plan.compared) > 1 else 'The method was'} "
        f"{'; '.join(described)}. {_headline_text(plan)} "
        "Intervals (95 %) are of the procedure's expected score at the "
        f"training size of the outer folds{cite_keys(*_interval_keys(data))}"
        + (
            f"; methods were compared by the corrected resampled t-test{cite_keys('nadeau2003')}."
            if len(plan.compared) > 1 and _tests_folds(plan, data)
            else "."
        )
    )
    parts += [*_covariates_text(plan, data), *_costs_text(costs, data.classes)]
    if (
        plan.parsimony
        and len(data.ranked) > N_USUAL_FEATURES
        and any(map(_may_be_many, plan.compared))
    ):
        parts.append(
            f"More than {N_USUAL_FEATURES} features were chosen only where {_clearly_better(plan)}."
        )
    if plan.parsimony and any(_may_be_few(plan, method) for method in plan.compared):
        parts.append(
            f"Fewer than {N_SHORT_LIST} features were chosen only where their inner "
            f"{_gain_name(plan)} was better than that of {N_SHORT_LIST} to {N_USUAL_FEATURES} by "
            f"more than {MIN_STANDARD_ERRORS:g} standard errors "
            "of the mean paired difference."
        )
    if plan.permutations:
        what = "labels" if data.numbers is None else "values"
        labels = f"permuted {what}" + ("" if data.batches is None else ", permuted inside batches,")
        if data.batches is not None and data.groups is not None and data.numbers is None:
            labels += " those of groups in several batches drawn given these"
            labels += f"{cite_keys('berrett2020')},"
        parts.append(
            f"The full procedure was repeated on {counted_noun(plan.permutations, 'data set')} "
            f"with {labels} ({companion[0].sentence(grouped)} outside, "
            f"{companion[1].sentence(grouped)} inside) and compared, in score and in "
            f"stability, with the same run on the true {what}{cite_keys('phipson2010')}."
        )
    if plan.bootstrap:
        of = "groups" if grouped else "samples"
        parts.append(
            "Balanced and plain accuracy of the full procedure were also estimated by the "
            f"bootstrap .632+ with {counted_noun(plan.bootstrap.repeats, 'bootstrap sample')} of "
            f"{of}, drawn within classes{cite_keys('efron1997')}."
        )
    if plan.learning_curve:
        shares = ", ".join(f"{share:.0%}" for share in plan.learning_curve.shares)
        parts.append(
            f"A learning curve shows the procedure trained on nested subsamples of {shares} of "
            "each outer training set, drawn within classes and judged on the same outer test sets"
            + (
                "; the last two were compared by the corrected resampled "
                f"t-test{cite_keys('nadeau2003')}."
                if _tests_folds(plan, data)
                else "."
            )
        )
    if plan.prediction_intervals:
        models = "the first repeat's outer folds" if plan.outer.repeats > 1 else "the outer folds"
        unit = ", of which each group counts once" if grouped else ""
        parts.append(
            f"Prediction intervals of new samples are by CV+ of the models of {models} and their "
            f"held-out residuals{unit}{cite_keys('barber2021', 'lee2023')}."
        )
    parts.append(
        f"Stability of selection is given as Nogueira's measure{cite_keys('nogueira2018')} and, "
        f"over the outer folds, as Lustgarten's adjusted measure{cite_keys('lustgarten2009')}. "
        f"Computed with Tamis {__version__} and scikit-learn{cite_keys('pedregosa2011')}, "
        f"seed {plan.seed}."
    )
    return " ".join(parts)


def _outcome_text(data: Dataset) -> str:
    """Samples of each class, or the values of a number."""
    if data.numbers is None:
        return listed_parts(
            f"{int(np.sum(data.codes == code)):,} {shorten_text(name)}"
            for code, name in enumerate(data.classes)
        )
    name = f"the natural logarithm of {data.target}" if data.log_target else data.target
    return number_heading(name, *np.quantile(data.numbers, [0.0, 0.5, 1.0]))


def _interval_keys(data: Dataset) -> list[str]:
    """What the intervals are by."""
    return ["efron1982"] if data.numbers is not None else ["brown2001", "zou2008", "newcombe2006"]


def _tests_folds(plan: Plan, data: Dataset) -> bool:
    """Whether there are several outer test sets, of several samples, to compare methods over."""
    if plan.outer.kind == "leave-one-out":
        return data.groups is not None
    if plan.outer.kind == "predefined":
        return sum(len(test) > 1 for test in predefined_tests(data.split)) > 1
    return plan.outer.kind != "holdout" or plan.outer.repeats > 1


def _covariates_text(plan: Plan, data: Dataset) -> list[str]:
    """What stands in every model beside what was chosen."""
    if not data.covariates:
        return []
    names = listed_names([data.feature_names[j] for j in data.covariates], 12)
    unable = [m.name for m in plan.method if not m.row.takes.covariates]
    but = f" but those of {' and '.join(unable)}, which cannot carry them," if unable else ""
    return [f"Covariates ({names}) were in every model{but} and never ranked."]


def _costs_text(costs: Costs | None, classes: Sequence[str]) -> list[str]:
    """What errors cost."""
    if costs is None:
        return []
    if costs.origin == CLASS_SIZES:
        return ["Errors on a class cost more the smaller the class."]
    columns, parts = cost_columns(costs.cells), []
    for true, row in zip(classes, zip(*costs.cells, strict=True), strict=True):
        texts = [f"what column {one} says" if one in columns else f"{one:g}" for one in row]
        wrong = {t for predicted, t in zip(classes, texts, strict=True) if predicted != true}
        if len(wrong) == 1:
            parts.append(f"an error on {true} cost {wrong.pop()}")
            continue
        parts += [
            f"calling {true} {predicted} cost {text}"
            for predicted, text in zip(classes, texts, strict=True)
            if predicted != true
        ]
    text = ", ".join(parts)
    return [f"{text[0].upper()}{text[1:]}."]


def _headline_text(plan: Plan) -> str:
    """What the headline is of, and how a training set chooses."""
    text = "The headline figure is that of the full procedure, choices included"
    by = criterion_label(plan.tune or plan.metric).lower()
    text += f" (settings by the inner {by}"
    if len(plan.compared) > 1 and plan.choose == "best":
        text += f", the method by the inner {metric_row(plan.metric).label.lower()}"
    elif len(plan.compared) > 1:
        by, points = plan.compares_by, rules_of(plan.response).points
        points = criterion_label(by) if by else points
        text += (
            ", and the first method unless another was better by more than "
            f"{MIN_STANDARD_ERRORS:g} standard "
            f"errors of the mean paired difference in the inner {points}"
        )
    return f"{text}), evaluated on the outer folds."


def _may_be_many(method: MethodPlan) -> bool:
    """Whether a method can choose more than `N_USUAL_FEATURES` features."""
    return not method.sizes or any(k not in range(N_USUAL_FEATURES + 1) for k in method.sizes)


def _may_be_few(plan: Plan, method: MethodPlan) -> bool:
    """Whether a method may have fewer than `N_SHORT_LIST` features among more, chosen by a log
    score.
    """
    sizes = [sum(k.values()) if isinstance(k, dict) else k for k in method.sizes]
    known = [k for k in sizes if isinstance(k, int)]
    varies = not sizes or 0 < len(known) < len(sizes)  # paths, and a ranking's own size
    short = varies or any(k < N_SHORT_LIST for k in known)
    middle = varies or any(N_SHORT_LIST <= k <= N_USUAL_FEATURES for k in known)
    return short and middle and is_gain(plan.criterion_of(method))


def _gain_name(plan: Plan) -> str:
    """The score by which a list has to gain."""
    return "logarithmic score" if plan.response == "class" else metric_row(plan.tune).brief


def _clearly_better(plan: Plan) -> str:
    """What more than `N_USUAL_FEATURES` features had to be, by the criteria that the plan has."""
    criteria = [plan.criterion_of(method) for method in plan.compared]
    if plan.choose == "best" and len(plan.compared) > 1:
        criteria.append(plan.metric)
    gain = (
        f"their gain in the inner {_gain_name(plan)} over "
        f"{'predicting the class shares' if plan.response == 'class' else 'the training mean'} "
        f"exceeded that of the best list of at most {N_USUAL_FEATURES} by more than "
        f"{MIN_GAIN_SHARE:.0%}"
    )
    error = (
        f"the inner score was better by more than {plan.parsimony:g} standard errors of a "
        "balanced accuracy of as many samples"
    )
    if not any(map(is_gain, criteria)):
        return error
    every = all(map(is_gain, criteria))
    return gain if every else f"{gain}; where another score chose, only where {error}"


def _groups_text(data: Dataset) -> str:
    """How many groups they are of; nothing where there are none."""
    return "" if data.groups is None else f" in {len(set(data.groups.tolist())):,} groups"


def _blocks_text(data: Dataset) -> str:
    """The blocks of a table, with their sizes; nothing of one table."""
    sizes = [f"{len(own):,} of {shorten_text(name)}" for name, own in data.blocks.items()]
    return f" ({listed_parts(sizes)})" if sizes else ""


def _filled_text(plan: Plan) -> str:
    """What becomes of missing values."""
    by_steps = "that no step fills " if any(m.prepare for m in plan.method) else ""
    able = f" (but for {', '.join(plan.taking_gaps)}: as missing)" if plan.taking_gaps else ""
    return f"{by_steps}were filled with medians of the training samples{able}"


def _described_method(method: MethodPlan, plan: Plan, cite: Callable[..., str]) -> str:
    """One method of the paragraph: what selects, what classifies, on how many features."""
    row = method.row
    own = method.tune == row.plan_defaults.tune
    text = f"{row.sentence if own else row.summary}{cite(*row.cite)}"
    settings = {k: v for k, v in method.parameters.items() if k not in row.cuts}
    for name in row.display.text_parameters:  # a paper says it, chosen or not
        settings.setdefault(name, getattr(row.build(method.parameters), name))
    text += _listed_settings(settings)
    if isinstance(row, RankerRow):
        words = [_classifier_words(label, method.response, cite) for label in method.classify]
        text += f" with {' or '.join(words)}"
    cuts = [
        f"{k.removeprefix('max_')} {v:g}" for k, v in method.parameters.items() if k in row.cuts
    ]
    if cuts:
        text += f" (features cut off at {', '.join(cuts)}){cite('benjamini1995')}"
    if method.sizes:
        most = "at most " if isinstance(row, PathRow) else ""
        text += f" on {most}{_sizes_text(method.sizes)}"
    if method.blocks:
        text += f", among {' and '.join(method.blocks)} alone"
    if method.prepare:
        text += f", prepared by {_steps_text(method, cite)}"
    tried = [
        f"{f'{label} ' if len(method.classify) > 1 else ''}{key} of {', '.join(map(str, values))}"
        for label, grid in method.grid.items()
        for key, values in grid.items()
    ]
    if tried:
        text += f", trying {' and '.join(tried)}"
    criterion = method.tune if not own else ""
    if criterion and criterion not in (plan.tune, plan.metric):
        text += f", chosen by the inner {criterion_label(criterion)}"
    recalibrate = plan.recalibration_of(method)
    if recalibrate is not None:
        layer = find_row(recalibrate.name, RecalibrationRow)
        text += (
            f", its probabilities recalibrated on inner held-out predictions by {layer.summary}"
            f"{cite(*layer.cite)}"
        )
    decide = plan.decision_of(method)
    if decide.name not in (ARG_MAX, AS_PREDICTED):
        said = find_row(decide.name, DecisionRow)
        text += (
            f", deciding by {said.summary}{cite(*said.cite)}{_listed_settings(decide.parameters)}"
        )
        unnatural = [label for label, is_so in plan.natural(method).items() if not is_so]
        if unnatural and said.load().by_prior:
            text += f" (but for {', '.join(unnatural)}: the class of its largest score)"
    return text + _declining_text(plan, method, cite)


def _declining_text(plan: Plan, method: MethodPlan, cite: Callable[..., str]) -> str:
    """Whom no label was given for."""
    reject = plan.rejection_of(method)
    if reject is None:
        return ""
    row = find_row(reject.name, RuleRow)
    more = {} if reject.score == "auto" else {"score": reject.score}
    text = (
        ", declining "
        f"{row.summary}{cite(*row.cite)}{_listed_settings({**reject.parameters, **more})}"
    )
    if reject.novelty is not None:
        text += f" and the {reject.novelty:g} fraction farthest from the class means"
    return text


def _steps_text(method: MethodPlan, cite: Callable[..., str]) -> str:
    """What was fitted in each training set before anything was ranked."""
    words = []
    for step in method.prepare:
        row, of = step.named.row, f" of {step.block}" if step.block else ""
        words.append(f"{row.title}{of}{_listed_settings(step.parameters)}{cite(*row.cite)}")
    return " and ".join(filter(None, [", ".join(words[:-1]), words[-1]]))


def _listed_settings(settings: Mapping[str, object]) -> str:
    """Settings in brackets; nothing of none."""
    given = ", ".join(f"{name} {_value_words(value)}" for name, value in settings.items())
    return f" ({given})" if given else ""


def _value_words(value: Any) -> str:
    """A setting in words; of a list all that it holds, of a table its name and what it sets.

    Examples
    --------
    >>> _value_words(["mtd", {"name": "svm_rfe", "step": 0.2}])
    'mtd and svm_rfe with step 0.2'
    """
    if isinstance(value, Mapping):
        own = " and ".join(f"{k} {_value_words(v)}" for k, v in value.items() if k != "name")
        return " with ".join(filter(None, [str(value.get("name", "")), own]))
    if isinstance(value, list | tuple) and value:
        words = list(map(_value_words, value))
        return " and ".join(filter(None, [", ".join(words[:-1]), words[-1]]))
    return str(value)


def _classifier_words(label: str, response: str, cite: Callable[..., str]) -> str:
    """A classifier in words, with what it is around."""
    return ", of ".join(row.summary + cite(*row.cite) for row in parts_of(label, response))


def _sizes_text(sizes: list[int | str | dict[str, int]]) -> str:
    by_block = [
        " and ".join(f"{k} of {name}" for name, k in size.items())
        for size in sizes
        if isinstance(size, dict)
    ]
    numbers = [k for k in sizes if isinstance(k, int)]
    text = ", ".join(map(str, numbers))
    if len(numbers) > 2 and numbers == list(range(numbers[0], numbers[-1] + 1)):
        text = f"{numbers[0]} to {numbers[-1]}"
    text = f"{text} features" if numbers else ""
    text = " or ".join(filter(None, [text, *by_block]))
    if any(isinstance(k, str) for k in sizes):
        text += (" or " if text else "") + "as many features as it would itself choose"
    return text
