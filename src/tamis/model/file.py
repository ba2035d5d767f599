"""Models on disk: arrays, names and text in a skops file; no pickle, no class of anything, but of
a user's own estimator, which is the bytes of a skops file inside and has to be trusted.

The predictor and the decision are arrays that their rows of the registry read back, checking
that shapes and values fit. The same model gives the same bytes.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import asdict, fields
from pathlib import Path
from typing import Any

import numpy as np

from .._core.arrays import distributions, fitting, unfit
from .._core.errors import ModelError, PlanError, value_text
from .._core.files import write_bytes
from .._core.interfaces import Arrays, Decision, Predictor
from .._core.own_code import TRUSTED, is_own
from .._core.plain_content import plain_bytes, plain_content
from .._core.registry import SAVED, find_row
from .._core.rows import ClassifierRow, DecisionRow, PathRow
from ..classifiers.base.natural_scale import natural_from_arrays
from ..classifiers.classifier_labels import build_classifier, owner_of, parts_of, takes_raw
from ..classifiers.rejection.decision import NamedRule, rejecting
from ..data.indicators import spread_width
from ..metrics.sample_costs import Cells, cost_columns
from ..preparation.chain import Chain, NamedStep, revived_chain
from .content import StoredCosts, StoredModel, StoredNamed, StoredRule, checked_content
from .many_texts import column_ids_from, stored_column_ids, stored_texts, texts_from
from .model import FILLED, RAW, Model, NamedMethod
from .training import Training

FORMAT = 8  # 2 held scikit-learn's estimators, 3 knew no steps, 4 no batches, and filled all gaps
READ = (
    5,
    6,
    7,
    FORMAT,
)  # 5 declined nobody; 5 and 6 had each name by itself, no column ids
RENAMED = {  # parameters of methods, as earlier models have them
    ("minimum_risk", "calibrate"): "calibration", ("pam", "thresholds"): "n_thresholds",
}  # fmt: skip


def save_model(model: Model, path: str | os.PathLike[str]) -> None:
    """Write a model file atomically."""
    write_bytes(path, plain_bytes(content_of(model)))


def content_of(model: Model) -> dict[str, object]:
    """What its file holds: see `StoredModel`."""
    return {
        "format": FORMAT,
        "predictor": _stored_arrays(model.predictor.to_arrays()),
        "decision": _stored_arrays(model.decision.to_arrays()),
        "made_by": _named_text(model.made_by),
        "decided_by": _named_text(model.decided_by),
        "rejected_by": "" if model.rejected_by is None else json.dumps(asdict(model.rejected_by)),
        "covariates": list(model.covariates),
        "features": stored_texts(model.features),
        "levels": {k: list(v) for k, v in model.levels.items()},
        "medians": np.asarray(model.medians, dtype=np.float64),
        "classes": list(model.classes),
        "training": {f.name: getattr(model.training, f.name) for f in fields(Training)},
        "about": json.dumps(model.about, sort_keys=True),
        "inputs": stored_texts(model.inputs),
        "batches": list(model.batches),
        "view": model.view,
        "widths": np.asarray(model.widths, dtype=np.float64),
        "costs": "" if model.costs is None else json.dumps(model.costs),
        "steps": [] if model.steps is None else _stored_steps(model.steps),
        "shares": np.zeros(0) if model.shares is None else model.shares,
        "marks": {} if model.column_ids is None else stored_column_ids(model.column_ids),
    }


def _stored_arrays(arrays: Arrays) -> Arrays:
    return {name: np.ascontiguousarray(array, dtype=np.float64) for name, array in arrays.items()}


def _stored_steps(chain: Chain) -> list[Any]:
    links = [link.named for link in chain.links]
    names = [json.dumps([n.name, dict(n.parameters), n.block], sort_keys=True) for n in links]
    return [names, [_stored_arrays(arrays) for arrays in chain.to_arrays()]]


def _named_text(named: NamedMethod) -> str:
    return json.dumps([named.role, named.name, dict(named.parameters)], sort_keys=True)


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
        The file is missing, is no model of Tamis, unpacks to far more than it holds, holds anything
        but arrays and text, names a method that is not installed, or a type that is not trusted.
    """
    try:
        content = Path(path).read_bytes()
    except OSError as error:
        hint = "; a study keeps its model there in model.skops" if Path(path).is_dir() else ""
        raise ModelError(f"cannot read model {str(path)!r}: {error.strerror}{hint}") from error
    try:
        values = plain_content(content, f"model {str(path)!r}")
        version = values["format"]
        if values.get("kind") == "rma":
            raise ModelError(
                f"{str(path)!r} is of `tamis expression rma --save`, and processes arrays (`tamis "
                "expression rma --model`); a study keeps its model in model.skops"
            )
        if version not in READ:
            raise ModelError(
                f"model {str(path)!r} has format {value_text(version)}; this version "
                f"reads {READ[0]} to {READ[-1]}: run its study "
                "again with this version, or use it with the one that saved it"
            )
        token = TRUSTED.set(tuple(trust))
        try:
            return _model_from(checked_content(values))
        finally:
            TRUSTED.reset(token)
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


def _model_from(values: StoredModel) -> Model:
    """From what a file holds, every part held against the others."""
    classes, medians = tuple(values["classes"]), values["medians"]
    covariates, features = tuple(values["covariates"]), texts_from(values["features"], "features")
    levels = {k: tuple(v) for k, v in values["levels"].items()}
    training, inputs = Training(**values["training"]), texts_from(values["inputs"], "inputs")
    batches = tuple(values["batches"])
    made_by, decided_by = _named_from(values["made_by"]), _named_from(values["decided_by"])
    raw = made_by.role == "classify" and takes_raw(made_by.name)
    widths = _checked_widths(values["widths"], features, levels)
    spread = _predictor_width(features, levels)
    sound = (
        values["view"] == (RAW if raw else FILLED)
        and type(medians) is np.ndarray
        and medians.dtype == np.float64
        and medians.shape == (0 if raw else _predictor_width(covariates, levels) + sum(widths),)
        and np.isfinite(medians).all()
        and len(set(batches)) == len(batches)
        and all(len(set(names)) == len(names) for names in levels.values())
        and (bool(values["steps"]) or (features == inputs and sum(widths) == spread))
        and (not raw or {name for name in features if name in levels} <= set(inputs))
        and len(set(classes)) == len(classes) >= 2
        and training.sound(len(classes), len(covariates) + len(inputs))
    )
    if not sound:
        raise ModelError("the parts of the model do not fit together: it was not used")
    C = len(classes)
    n_columns = len(covariates) + len(features) if raw else len(medians)
    costs = _costs_from(values.get("costs", ""), classes)
    rejected_by = _rule_from(values.get("rejected_by", ""))
    steps = _steps_from(values["steps"], inputs, levels, sum(widths))
    return Model(
        revived_predictor(made_by, values["predictor"], n_columns, C),
        revived_decision(decided_by, values["decision"], C, costs, rejected_by),
        covariates, features, levels, medians, classes, training, dict(values["about"]),
        made_by, decided_by, inputs, steps, batches, RAW if raw else FILLED, widths,
        costs, rejected_by, column_ids_from(values.get("marks", {}), len(inputs)),
        _shares_from(values.get("shares", np.zeros(0)), C),
    )  # fmt: skip


def _shares_from(stored: Any, n_classes: int) -> np.ndarray | None:
    """Class shares of the training rows; None of a model that has none."""
    if np.size(stored) == 0:
        return None
    (shares,) = fitting({"shares": stored}, shares=(n_classes,))
    return distributions(shares, "shares")


def _costs_from(stored: StoredCosts | str, classes: tuple[str, ...]) -> Cells | None:
    """What errors cost: a number or the name of a column for each pair of classes."""
    if isinstance(stored, str):
        return None
    if len(stored) != len(classes) or any(len(row) != len(classes) for row in stored):
        raise unfit("costs")
    return tuple(tuple(row) for row in stored)


def _checked_widths(
    given: Any, features: tuple[str, ...], levels: Mapping[str, tuple[str, ...]]
) -> tuple[int, ...]:
    """How many columns the steps give of each feature: at least one, at most all."""
    most = [_predictor_width((name,), levels) for name in features]
    (widths,) = fitting({"widths": given}, widths=(len(features),))
    if not all(1 <= w <= n and w == int(w) for w, n in zip(widths, most, strict=True)):
        raise unfit("widths")
    return tuple(int(w) for w in widths)


def _steps_from(
    stored: list[Any], inputs: tuple[str, ...], levels: Mapping[str, tuple[str, ...]], width: int
) -> Chain | None:
    """The steps of a model, which give the predictor's columns behind the covariates."""
    if not stored:
        return None
    named, arrays = stored
    chain = revived_chain(
        [NamedStep(name, given, block) for name, given, block in named],
        arrays,
        _predictor_width(inputs, levels),
    )
    if len(chain.links[-1].order) != width:
        raise unfit("steps")
    return chain


def _predictor_width(names: tuple[str, ...], levels: Mapping[str, tuple[str, ...]]) -> int:
    """Columns of the predictor: a category of two levels has one, of more one each."""
    return sum(spread_width(len(levels.get(name, ()))) for name in names)


def _named_from(stored: StoredNamed) -> NamedMethod:
    role, name, parameters = stored
    foreign = [part for part in name.rstrip(")").split("(") if is_own(part)]
    if set(foreign) - set(SAVED):
        raise ModelError(f"the model names code to import, {foreign[0]!r}: it was not used")
    return NamedMethod(role, name, {RENAMED.get((name, k), k): v for k, v in parameters.items()})


def revived_predictor(
    named: NamedMethod, arrays: Arrays, n_columns: int, n_classes: int
) -> Predictor:
    """A predictor from its arrays, by the row of what made it.

    Raises
    ------
    ModelError, PlanError
        The arrays do not fit, or no such method is installed.
    """
    if named.role == "classify":
        rows: list[ClassifierRow] | list[PathRow] = parts_of(named.name)
        maker = build_classifier(named.name, named.parameters)
    else:
        rows = [find_row(named.name, PathRow)]
        maker = rows[0].build(named.parameters)
    for key in named.parameters:
        at, parameter = owner_of(rows, key)
        if parameter not in rows[at].parameters:
            raise ModelError(f"model: {named.name!r} has no parameter {key!r}")
    return natural_from_arrays(maker, dict(arrays), n_columns, n_classes)


def _rule_from(stored: StoredRule | str) -> NamedRule | None:
    """Whom the decision is not made for."""
    return None if isinstance(stored, str) else NamedRule(**stored)


def revived_decision(
    named: NamedMethod, arrays: Arrays, n_classes: int, costs: Cells | None = None,
    rejected_by: NamedRule | None = None,
) -> Decision:  # fmt: skip
    """A fitted decision from its arrays, by its row."""
    row = find_row(named.name, DecisionRow)
    decision = row.build(row.validated(named.parameters))
    if rejected_by is not None:
        plain = costs is not None and not cost_columns(costs)
        decision = rejecting(decision, rejected_by, np.array(costs) if plain else None)
    return decision.from_arrays(dict(arrays), n_classes)
