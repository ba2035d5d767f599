"""Models on disk: an npz file of arrays, and in it all text as JSON; no pickle, no class of
anything, but of a user's own estimator, which is the bytes of a skops file inside and has to be
trusted.

The predictor and the decision are arrays that their rows of the registry read back, checking
that shapes and values fit. The same model gives the same bytes.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import fields, replace
from pathlib import Path
from typing import cast

import numpy as np

from .._core.array_file import array_file, checked_text, parsed_array_file
from .._core.arrays import (
    checked_distributions,
    checked_integers,
    fitting_arrays,
    unfit_part_error,
)
from .._core.column_ids import ColumnIds
from .._core.errors import ModelError, PlanError, StoreError, value_text
from .._core.files import write_bytes
from .._core.inside import MAX_FILE_BYTES, read_named
from .._core.interfaces import Arrays, Decision, Predictor
from .._core.own_code import TRUSTED_TYPES, is_own
from .._core.registry import SAVED_OWN_VIEWS, find_row
from .._core.response import ResponseKind
from .._core.rows import ClassifierRow, DecisionRow, PathRow, PlanRow
from ..classifiers.base.natural_scale import natural_from_arrays
from ..classifiers.base.scaling import inner_arrays, of_inside
from ..classifiers.classifier_labels import build_classifier, owner_of, parts_of, takes_raw
from ..classifiers.recalibrations.layer import recalibrated_decision
from ..classifiers.rejection.decision import NamedRule, rejecting_decision
from ..data.indicators import spread_width
from ..metrics.sample_costs import Cells, cost_columns
from ..preparation.chain import Chain, NamedStep, chain_from_arrays
from .content import (
    StoredColumnIds,
    StoredCosts,
    StoredIntervals,
    StoredModel,
    StoredNamed,
    StoredRule,
    StoredStep,
)
from .fitted_procedure import FILLED_VIEW, RAW_VIEW
from .model import Model
from .named_method import NamedMethod
from .prediction_intervals import PredictionIntervals
from .training import Training

KIND, FORMAT = "study", 2
# of names of arrays
PREDICTOR_PREFIX, DECISION_PREFIX, TRAINING_PREFIX = "predictor/", "decision/", "training/"
STEPS_PREFIX, COLUMN_IDS_PREFIX = "steps/", "column_ids/"
INTERVALS_PREFIX = "intervals/"
INTERVAL_ARRAYS = ("fold", "residuals", "unit")


def save_model(model: Model, path: str | os.PathLike[str]) -> None:
    """Write a model file atomically; `ModelError` if it would be too large to be read."""
    content = array_file(*content_of(model))
    if len(content) > MAX_FILE_BYTES:
        raise ModelError(
            f"its file would have {len(content):,} bytes, and {MAX_FILE_BYTES:,} are read"
        )
    write_bytes(path, content)


def stored_bytes(model: Model) -> int:
    """How large its file is."""
    return len(array_file(*content_of(model)))


def content_of(model: Model) -> tuple[StoredModel, Arrays]:
    """What its file holds: text, and arrays by name."""
    ids, rule, by = model.column_ids, model.rejected_by, model.recalibrated_by
    named = [] if model.steps is None else [link.named for link in model.steps.links]
    text: StoredModel = {
        "kind": KIND,
        "format": FORMAT,
        "made_by": _stored_named(model.made_by),
        "recalibrated_by": None if by is None else _stored_named(by),
        "decided_by": _stored_named(model.decided_by),
        "rejected_by": None if rule is None else _stored_rule(rule),
        "covariates": list(model.covariates),
        "features": list(model.features),
        "levels": {name: list(levels) for name, levels in model.levels.items()},
        "classes": list(model.classes),
        "about": model.about,
        "inputs": list(model.inputs),
        "batches": list(model.batches),
        "view": model.view,
        "costs": None if model.costs is None else [list(row) for row in model.costs],
        "steps": [_stored_step(step) for step in named],
        "column_ids": None if ids is None else _stored_ids(ids),
    }
    if model.response != "class":
        text["response"], text["log_target"] = model.response, model.log_target
    arrays, own = _arrays_of(model), model.cv_plus
    if own is not None:
        parts = [content_of(cast(Model, one)) for one in own.models]
        text["intervals"] = {"models": [part for part, _ in parts], "grouped": own.grouped}
        arrays |= {
            f"{INTERVALS_PREFIX}{at}/{name}": array
            for at, (_, inside) in enumerate(parts)
            for name, array in inside.items()
        }
        numbers = {name: getattr(own, name) for name in INTERVAL_ARRAYS}
        arrays |= {INTERVALS_PREFIX + name: one for name, one in float_arrays(numbers).items()}
    return text, arrays


def _arrays_of(model: Model) -> Arrays:
    steps = [] if model.steps is None else model.steps.to_arrays()
    numbers: Mapping[str, np.ndarray] = {} if model.column_ids is None else model.column_ids.numbers
    return {
        "medians": np.asarray(model.medians, dtype=np.float64),
        "widths": np.asarray(model.widths, dtype=np.float64),
        **({} if model.shares is None else {"shares": model.shares}),
        **{TRAINING_PREFIX + f.name: getattr(model.training, f.name) for f in fields(Training)},
        **float_arrays(inner_arrays(model.predictor, PREDICTOR_PREFIX)),
        **float_arrays(inner_arrays(model.decision, DECISION_PREFIX)),
        **{
            f"{STEPS_PREFIX}{at}/{name}": array
            for at, own in enumerate(steps)
            for name, array in float_arrays(own).items()
        },
        **{COLUMN_IDS_PREFIX + name: own for name, own in numbers.items()},
    }


def float_arrays(arrays: Arrays) -> Arrays:
    """As numbers, but for bytes."""
    return {k: v if v.dtype == np.uint8 else v.astype(np.float64) for k, v in arrays.items()}


def _stored_named(named: NamedMethod) -> StoredNamed:
    return {"role": named.role, "name": named.name, "parameters": dict(named.parameters)}


def _stored_step(step: NamedStep) -> StoredStep:
    return {"name": step.name, "parameters": dict(step.parameters), "block": step.block}


def _stored_rule(rule: NamedRule) -> StoredRule:
    return {
        "name": rule.name,
        "parameters": dict(rule.parameters),
        "score": rule.score,
        "novelty": rule.novelty,
    }


def _stored_ids(ids: ColumnIds) -> StoredColumnIds:
    return {"kind": ids.kind, "texts": {name: list(own) for name, own in ids.texts.items()}}


def load_model(path: str | os.PathLike[str], trust: Sequence[str] = ()) -> Model:
    """Read a model file.

    Parameters
    ----------
    path : path
    trust : sequence of str
        Types of a user's own estimator, and of what is inside it, whose code may run.

    Raises
    ------
    ModelError
        The file is missing, is no model of Tamis or one of an earlier version, unpacks to far more
        than it holds, holds anything but arrays and text, names a method that is not installed, or
        a type that is not trusted.
    """
    try:
        content = read_named(path)
    except StoreError as error:
        hint = "; a study keeps its model there in model.npz" if Path(path).is_dir() else ""
        raise ModelError(f"{error}{hint}") from error
    except OSError as error:
        raise ModelError(f"cannot read model {str(path)!r}: {error.strerror}") from error
    try:
        text, arrays = parsed_array_file(content, f"model {str(path)!r}")
        kind, version = text["kind"], text["format"]
        if kind == "rma":
            raise ModelError(
                f"{str(path)!r} is of `tamis expression rma --save`, and processes arrays (`tamis "
                "expression rma --model`); a study keeps its model in model.npz"
            )
        if kind != KIND:
            raise ModelError(f"{str(path)!r} holds no model of a study, but {value_text(kind)}")
        if version != FORMAT:
            raise ModelError(
                f"model {str(path)!r} has format {value_text(version)}; this version reads "
                f"{FORMAT}: run its study again with this version, or use it with the one that "
                "saved it"
            )
        token = TRUSTED_TYPES.set(tuple(trust))
        try:
            stored = checked_text(text, StoredModel)
            found = _model_from(stored, arrays)
            if "intervals" not in stored:
                return found
            inside = of_inside(arrays, INTERVALS_PREFIX)
            return replace(found, cv_plus=_intervals_from(stored["intervals"], inside, found))
        finally:
            TRUSTED_TYPES.reset(token)
    except PlanError as error:
        raise ModelError(
            f"model {str(path)!r} needs a method that is not installed here: {error}"
        ) from error
    except ModelError:
        raise
    except Exception as error:  # whatever a damaged file makes the readers raise
        raise ModelError(
            f"{str(path)!r} is not a model saved by `tamis study` ({type(error).__name__})"
        ) from error


def _model_from(text: StoredModel, arrays: Arrays) -> Model:
    """From what a file holds, every part held against the others."""
    classes, covariates, features, inputs, batches = (
        tuple(text[key]) for key in ("classes", "covariates", "features", "inputs", "batches")
    )
    levels = {k: tuple(v) for k, v in text["levels"].items()}
    training = Training(**of_inside(arrays, TRAINING_PREFIX))
    made_by, decided_by = _named_from(text["made_by"]), _named_from(text["decided_by"])
    response = text.get("response", "class")
    raw = made_by.role == "classify" and takes_raw(made_by.name, response)
    widths = _checked_widths(arrays, features, levels)
    spread = _predictor_width(features, levels)
    filled = 0 if raw else _predictor_width(covariates, levels) + sum(widths)
    (medians,) = fitting_arrays(arrays, medians=(filled,))
    sound = (
        text["view"] == (RAW_VIEW if raw else FILLED_VIEW)
        and len(set(batches)) == len(batches)
        and all(len(set(names)) == len(names) for names in levels.values())
        and (bool(text["steps"]) or (features == inputs and sum(widths) == spread))
        and (not raw or {name for name in features if name in levels} <= set(inputs))
        and len(set(classes)) == len(classes) >= (2 if response == "class" else 0)
        and (response == "class" or not classes)
        and training.sound(max(len(classes), 1), len(covariates) + len(inputs))
    )
    if not sound:
        raise ModelError("the parts of the model do not fit together: it was not used")
    C = max(len(classes), 1)
    n_columns = len(covariates) + len(features) if raw else len(medians)
    costs, rejected_by = _costs_from(text["costs"], classes), _rule_from(text["rejected_by"])
    by = None if text["recalibrated_by"] is None else _named_from(text["recalibrated_by"])
    steps = _steps_from(text["steps"], arrays, _predictor_width(inputs, levels), sum(widths))
    return Model(
        revived_predictor(made_by, of_inside(arrays, PREDICTOR_PREFIX), n_columns, C, response),
        revived_decision(decided_by, of_inside(arrays, DECISION_PREFIX), C, costs, rejected_by, by),
        covariates,
        features,
        levels,
        medians,
        classes,
        training,
        text["about"],
        made_by,
        decided_by,
        inputs,
        steps,
        batches,
        text["view"],
        widths,
        costs,
        rejected_by,
        _ids_from(text["column_ids"], of_inside(arrays, COLUMN_IDS_PREFIX), len(inputs)),
        _shares_from(arrays, C),
        by,
        response,
        text.get("log_target", False),
    )


def _intervals_from(stored: StoredIntervals, arrays: Arrays, model: Model) -> PredictionIntervals:
    """What the intervals of a model are made of."""
    models = tuple(
        _model_from(text, of_inside(arrays, f"{at}/")) for at, text in enumerate(stored["models"])
    )
    n = np.size(arrays["fold"])
    shapes = dict.fromkeys(INTERVAL_ARRAYS, (n,))
    fold, residuals, unit = fitting_arrays(arrays, **shapes)
    fold = checked_integers(fold, 0, len(models), "fold")
    unit = checked_integers(unit, 0, n, "unit")
    sound = (
        all(one.response == model.response == "number" for one in models)
        and all(one.log_target == model.log_target for one in models)
        and len(np.unique(fold)) == len(models) > 1
        and len(np.unique(unit)) == unit.max() + 1
        and bool((residuals >= 0).all())
    )
    if not sound:
        raise unfit_part_error("intervals")
    return PredictionIntervals(models, fold, residuals, unit, stored["grouped"])


def _ids_from(stored: StoredColumnIds | None, numbers: Arrays, k: int) -> ColumnIds | None:
    """What k input columns are, if it is known."""
    if stored is None:
        return None
    texts = {name: tuple(own) for name, own in stored["texts"].items()}
    if any(len(own) != k for own in texts.values()):
        raise unfit_part_error("column_ids")
    for own in numbers.values():
        fitting_arrays({"column_ids": own}, column_ids=(k,))
    return ColumnIds(stored["kind"], texts, numbers)


def _shares_from(arrays: Arrays, n_classes: int) -> np.ndarray | None:
    """Class shares of the training rows; None of a model that has none."""
    if "shares" not in arrays:
        return None
    (shares,) = fitting_arrays(arrays, shares=(n_classes,))
    return checked_distributions(shares, "shares")


def _costs_from(stored: StoredCosts | None, classes: tuple[str, ...]) -> Cells | None:
    """What errors cost: a number or the name of a column for each pair of classes."""
    if stored is None:
        return None
    if len(stored) != len(classes) or any(len(row) != len(classes) for row in stored):
        raise unfit_part_error("costs")
    return tuple(tuple(row) for row in stored)


def _checked_widths(
    arrays: Arrays, features: tuple[str, ...], levels: Mapping[str, tuple[str, ...]]
) -> tuple[int, ...]:
    """How many columns the steps give of each feature: at least one, at most all."""
    most = [_predictor_width((name,), levels) for name in features]
    (widths,) = fitting_arrays(arrays, widths=(len(features),))
    if not all(1 <= w <= n and w == int(w) for w, n in zip(widths, most, strict=True)):
        raise unfit_part_error("widths")
    return tuple(int(w) for w in widths)


def _steps_from(
    stored: list[StoredStep], arrays: Arrays, n_inputs: int, n_outputs: int
) -> Chain | None:
    """The steps of a model, which give the predictor's columns behind the covariates."""
    if not stored:
        return None
    own = [of_inside(arrays, f"{STEPS_PREFIX}{at}/") for at in range(2 * len(stored))]
    chain = chain_from_arrays([NamedStep(**step) for step in stored], own, n_inputs)
    if len(chain.links[-1].order) != n_outputs:
        raise unfit_part_error("steps")
    return chain


def _predictor_width(names: tuple[str, ...], levels: Mapping[str, tuple[str, ...]]) -> int:
    """Columns of the predictor: a category of two levels has one, of more one each."""
    return sum(spread_width(len(levels.get(name, ()))) for name in names)


def _named_from(stored: StoredNamed) -> NamedMethod:
    foreign = [part for part in stored["name"].rstrip(")").split("(") if is_own(part)]
    if set(foreign) - set(SAVED_OWN_VIEWS):
        raise ModelError(f"the model names code to import, {foreign[0]!r}: it was not used")
    return NamedMethod(**stored)


def revived_predictor(
    named: NamedMethod,
    arrays: Arrays,
    n_columns: int,
    n_classes: int,
    response: ResponseKind = "class",
) -> Predictor:
    """A predictor from its arrays, by the row of what made it.

    Raises
    ------
    ModelError, PlanError
        The arrays do not fit, or no such method is installed.
    """
    classifies = named.role == "classify"
    rows: list[ClassifierRow] | list[PathRow] = (
        parts_of(named.name, response) if classifies else [find_row(named.name, PathRow, response)]
    )
    settings = {key: _parameter_of(rows, key, value) for key, value in named.parameters.items()}
    maker = (
        build_classifier(named.name, settings, response=response)
        if classifies
        else rows[0].build(settings)
    )
    return natural_from_arrays(maker, dict(arrays), n_columns, n_classes)


def _parameter_of(rows: Sequence[PlanRow], key: str, value: object) -> object:
    """A parameter of one of the rows, with a value that a plan could have given."""
    at, name = owner_of(rows, key)
    if name not in rows[at].parameters:
        raise ModelError(f"model: {rows[at].name!r} has no parameter {key!r}")
    try:
        return rows[at].validated({name: value})[name]
    except PlanError as error:
        raise unfit_part_error("made_by") from error


def _rule_from(stored: StoredRule | None) -> NamedRule | None:
    """Whom the decision is not made for."""
    return None if stored is None else NamedRule(**stored)


def revived_decision(
    named: NamedMethod,
    arrays: Arrays,
    n_classes: int,
    costs: Cells | None = None,
    rejected_by: NamedRule | None = None,
    recalibrated_by: NamedMethod | None = None,
) -> Decision:
    """A fitted decision from its arrays, by its row."""
    row = find_row(named.name, DecisionRow)
    decision = row.build(row.validated(named.parameters))
    if recalibrated_by is not None:
        by = recalibrated_by
        decision = recalibrated_decision(decision, by.name, by.parameters)
    if rejected_by is not None:
        plain = costs is not None and not cost_columns(costs)
        decision = rejecting_decision(decision, rejected_by, np.array(costs) if plain else None)
    return decision.from_arrays(dict(arrays), n_classes)
