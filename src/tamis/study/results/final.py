"""The winning procedure refitted on all rows, and what is said of it."""

from __future__ import annotations

import json
from collections.abc import Mapping

import numpy as np

from ... import __version__
from ..._core.own_code import is_own
from ..._core.registry import NO_RECALIBRATION
from ..._core.rows import PathRow
from ...classifiers.classifier_labels import owner_of, parts_of, saved_label, title_of
from ...data.class_heading import class_heading
from ...data.dataset import Dataset
from ...data.walks import column_ids_of
from ...model.fitted_procedure import FILLED_VIEW, RAW_VIEW
from ...model.model import Model
from ...model.named_method import NamedMethod
from ...model.training import Training, leading_columns
from ...preparation.chain import Chain
from ..plan import MethodPlan, Plan
from ..protocol.candidates import Candidate
from ..protocol.design import Design
from ..protocol.fold import Fold
from ..protocol.methods import method_of
from ..protocol.nested_cv import all_rows_fold
from .collect import Choice
from .schema import MODEL_NAME, Final


def refit_winner(
    design: Design,
    data: Dataset,
    plan: Plan,
    method: MethodPlan,
    final: Choice,
    rows: np.ndarray | None = None,
) -> Model:
    """Fit the final choice on every row, or the choice of an outer fold on its training rows; its
    decision is the one fitted to the inner beliefs."""
    settings = json.loads(final.settings)
    chosen = Candidate(final.classify, settings, final.size, own=final.own)
    fold = all_rows_fold(design, plan, method, rows, final.fold)
    found = method_of(method).refit(fold, chosen, final.features)
    chain, inputs = _needed_steps(fold, found.features)
    covariates = data.covariates if found.covariates else ()
    names = design.names
    known = [*map(int, covariates), *map(int, inputs)]
    n = data.shape[0] if rows is None else len(rows)
    used = known[: leading_columns(n, len(known))]
    categories = np.array([j in data.levels for j in used], dtype=bool)
    row = method.row
    alone = isinstance(row, PathRow)
    kept = {k: v for k, v in settings.items() if not alone or k in row.parameters}
    numbers = data.numbers if rows is None or data.numbers is None else data.numbers[rows]
    decide, reject = plan.decision_of(method), plan.rejection_of(method)
    recalibrate = plan.recalibration_of(method)
    return Model(
        found.predictor,
        final.decision,
        tuple(names[j] for j in covariates),
        tuple(names[j] for j in found.features),
        {names[j]: tuple(data.levels[j]) for j in known if j in data.levels},
        found.medians,
        design.labels.classes,
        Training.of(data.take(rows, used), *_class_codes(design, rows), categories),
        {
            "tamis": __version__,
            "data": data.name,
            "digest": data.digest(),
            "target": data.target,
            "method": method.name,
            "classify": final.classify,
            "settings": settings,
            "decide": decide.name,
            "n_samples": n,
            "blocks": list(data.blocks),
            "known": final.known,
            **({} if numbers is None else {"target_mean": float(numbers.mean())}),
        },
        made_by(final.classify, kept, alone),
        NamedMethod("decide", decide.name, decide.parameters),
        tuple(names[j] for j in inputs),
        chain,
        tuple(design.labels.batch_names.tolist()) if chain is not None and chain.by_batch else (),
        RAW_VIEW if found.raw else FILLED_VIEW,
        tuple(fold.views[0].design.widths_of(found.features).tolist()),
        None if design.costs is None else design.costs.cells,
        None if reject is None else reject.named,
        column_ids_of(data.X, inputs),
        _class_shares(design) if plan.natural(method)[final.classify] else None,
        None
        if recalibrate is None
        else NamedMethod("recalibrate", recalibrate.name, recalibrate.parameters),
        plan.response,
        data.log_target,
    )


def _class_codes(design: Design, rows: np.ndarray | None) -> tuple[np.ndarray, int]:
    """Class codes of all rows, or some, and how many classes; a number is as one class."""
    labels = design.labels
    y = labels.y if rows is None else labels.y[rows]
    if labels.classes:
        return y, len(labels.classes)
    return np.zeros(len(y), dtype=np.int64), 1


def _class_shares(design: Design) -> np.ndarray:
    """Of the classes among all rows."""
    return np.bincount(design.labels.y) / len(design.labels.y)


def made_by(label: str, settings: Mapping[str, object], alone: bool = False) -> NamedMethod:
    """By what the predictor is read back; settings of the user's own code are inside it."""
    if alone:
        return NamedMethod("method", label, settings)
    rows = parts_of(label)
    kept = {k: v for k, v in settings.items() if not is_own(rows[owner_of(rows, k)[0]].name)}
    return NamedMethod("classify", saved_label(label), kept)


def _needed_steps(fold: Fold, features: np.ndarray) -> tuple[Chain | None, np.ndarray]:
    """The steps as far as some features need them, and the features that go into them."""
    view = fold.views[0]
    if view.chain is None:
        return None, features
    chain, columns = view.chain.only(view.design.columns_of(features))
    inputs = np.unique(fold.design.owner[columns])
    return chain.among(columns, fold.design.columns_of(inputs)), inputs


def final_entry(
    final: Choice | None, fitted: Model | None, plan: Plan, data: Dataset
) -> Final | None:
    """The `final` entry of docs/json.md."""
    if final is None or fitted is None:
        return None
    method = next(m for m in plan.method if m.name == final.method)
    row = method.row
    title = row.title_for(len(data.classes))
    if not isinstance(row, PathRow):
        title += f", {title_of(final.classify, plan.response)}"
    names, recalibrate = data.feature_names, plan.recalibration_of(method)
    found: Final = {
        "method": final.method,
        "title": title,
        "classify": final.classify,
        "params": json.loads(final.settings),
        "size": len(final.features),
        "own": final.own,
        "decide": plan.decision_of(method).name,
        "recalibrate": NO_RECALIBRATION if recalibrate is None else recalibrate.name,
        "features": [names[j] for j in final.features],
        "path": MODEL_NAME,
    }
    if coefficients := fitted.coefficients():
        found["coefficients"] = [coefficients.get(names[j]) for j in final.features]
    if (kept := fitted.cv_plus) is not None:
        found["intervals"] = {
            "models": len(kept.models),
            "units": kept.n_units,
            "grouped": kept.grouped,
        }
    reject = plan.rejection_of(method)
    if reject is not None:
        found["reject"] = reject.name
    if words := final.decision.recalibrated():
        found["recalibrated"] = words
    decision_text = final.decision.report_text(
        [class_heading(data.target, name) for name in data.classes]
    )
    if decision_text:
        found["decided"] = decision_text
    return found
