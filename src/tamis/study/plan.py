"""The plan of a study: every choice named, validated before anything runs."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal, get_args

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator, model_validator

from .._core.errors import PlanError, nearest
from . import registry

METRIC_NAMES = ("bcr", "accuracy", "f", "auc", "auprc", "mcc", "bcm", "ccem", "loss")
CRITERIA = (*METRIC_NAMES, "auc_ratio", "bcm_ccem_auprc")
SIZES = [1, 2, 3, 5, 10, 20, 50]
Kind = Literal["holdout", "k-fold", "leave-one-out", "predefined"]


class Strict(BaseModel):
    """Unknown keys are errors; values are never changed after validation."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class Split(Strict):
    """One loop of the protocol."""

    kind: Kind = "k-fold"
    folds: int = Field(default=10, ge=2)
    repeats: int = Field(default=1, ge=1)
    test_size: float = Field(default=0.3, gt=0, lt=1)

    @model_validator(mode="after")
    def _repeatable(self) -> Split:
        if self.repeats > 1 and self.kind in ("leave-one-out", "predefined"):
            raise PlanError(
                f"repeats = {self.repeats} of {self.kind} would count the same split "
                f"{self.repeats} times: leave out repeats"
            )
        return self

    def short(self) -> str:
        """The split in a word or two."""
        return {
            "holdout": "the holdout", "k-fold": f"{self.folds} folds",
            "leave-one-out": "leave-one-out", "predefined": "the predefined split",
        }[self.kind]  # fmt: skip

    def sentence(self, grouped: bool) -> str:
        """The split in words."""
        text = {
            "holdout": f"stratified holdout of {self.test_size:.0%}",
            "k-fold": f"stratified {self.folds}-fold cross-validation",
            "leave-one-out": "leave-one-out cross-validation",
            "predefined": "the predefined split",
        }[self.kind]
        if grouped and self.kind != "predefined":
            text += ", groups kept together"
        return text if self.repeats == 1 else f"{text}, repeated {self.repeats} times"


class InnerSplit(Split):
    """The inner loop: fewer folds by default."""

    folds: int = Field(default=5, ge=2)


class MethodPlan(Strict):
    """One method: what ranks, which sizes, what classifies, which settings are tried."""

    name: str = ""
    select: str
    parameters: dict[str, Any] = {}
    sizes: list[int] = []
    classify: list[str] = []
    grid: dict[str, dict[str, list[Any]]] = {}
    tune: str = ""

    @field_validator("classify", mode="before")
    @classmethod
    def _one_or_many(cls, value: Any) -> Any:
        return [value] if isinstance(value, str) else value

    @model_validator(mode="before")
    @classmethod
    def _fill(cls, raw: Any) -> Any:
        """Resolve what the registry knows, so that the stored plan leaves nothing implicit."""
        if not isinstance(raw, Mapping) or not isinstance(raw.get("select"), str):
            return raw
        values = dict(raw)
        row = registry.row(values["select"], role="select")
        values["parameters"] = registry.validated(row, values.get("parameters", {}))
        classify = values.get("classify", list(row.classify))
        classify = [classify] if isinstance(classify, str) else list(classify)
        if not classify:
            raise PlanError(f"method {row.name!r} has an empty `classify`: name a classifier")
        for name in classify:
            if row.embedded and name != row.name:
                raise PlanError(
                    f"classify = {name!r} does not go with select = {row.name!r}, which "
                    "classifies by itself: leave it out"
                )
            if name in registry.EMBEDDED and not row.embedded:
                raise PlanError(
                    f"classify = {name!r} does not go with select = {row.name!r}: {name!r} "
                    f"selects and classifies by itself (select = {name!r})"
                )
        if values.get("sizes") and not row.sized:
            raise PlanError(f"method {row.name!r} has no sizes to choose: leave out `sizes`")
        values["classify"] = classify
        values["name"] = values.get("name") or default_name(row.name, classify, row)
        values["sizes"] = _sizes(values.get("sizes") or row.sizes or SIZES, row)
        values["grid"] = _grid(values.get("grid", {}), classify)
        values["tune"] = values.get("tune") or row.tune
        return values

    @field_validator("tune")
    @classmethod
    def _known_criterion(cls, value: str) -> str:
        return _criterion(value)


def _criterion(value: str) -> str:
    if value and value not in CRITERIA:
        raise PlanError(f"unknown criterion tune = {value!r}: {nearest(value, CRITERIA)}")
    return value


def default_name(select: str, classify: list[str], row: registry.Row) -> str:
    """What a method is called whose plan gives no name."""
    same = tuple(classify) == row.classify or row.embedded
    return select if same else f"{select}+{'/'.join(classify)}"


def _sizes(sizes: Any, row: registry.Row) -> list[int]:
    if not row.sized:
        return []
    if not isinstance(sizes, list | tuple) or not all(
        isinstance(k, int) and not isinstance(k, bool) and k >= 1 for k in sizes
    ):
        raise PlanError(f"sizes = {sizes!r}: give a list of whole numbers from 1 up")
    return sorted(set(sizes))


def _grid(grid: Any, classify: list[str]) -> dict[str, dict[str, list[Any]]]:
    """``{classifier: {parameter: [values]}}``; the classifier may be left out if there is one."""
    if not isinstance(grid, Mapping):
        raise PlanError(f"grid = {grid!r}: give a table of parameters and lists of values")
    if len(classify) == 1 and classify[0] not in grid:
        grid = {classify[0]: grid} if grid else {}
    resolved: dict[str, dict[str, list[Any]]] = {}
    for name in grid:
        if name not in classify:
            raise PlanError(
                f"grid names {name!r}, not a classifier here: {nearest(name, classify)}"
            )
    for name in classify:
        row = registry.row(name, role="classify")
        lists = {k: v if isinstance(v, list) else [v] for k, v in dict(grid.get(name, {})).items()}
        resolved[name] = {k: [] for k in lists}
        for key, values in lists.items():
            if not values:
                raise PlanError(f"grid of {name!r}: {key} has no value to try")
            for value in values:
                resolved[name][key].append(registry.validated(row, {key: value})[key])
    return resolved


class DatasetPlan(Strict):
    """One table of a study of many; the names are those of `tamis.data.read_table`."""

    table: str
    name: str = ""
    target: str | None = None
    positive: str | None = None
    samples: str | None = None
    id: str | None = None
    group: str | None = None
    split: str | None = None
    covariates: list[str] = []
    categorical: list[str] = []
    drop: list[str] = []
    transpose: bool = False
    separator: str | None = None


def default_methods() -> list[dict[str, Any]]:
    """The methods of a study whose plan names none."""
    return [
        {"select": "moderated_t", "classify": ["lda", "knn"]},
        {"select": "welch_t", "classify": ["naive_bayes"]},
        {"select": "fold_change"},
        {"select": "mtd"},
        {"select": "mtfc"},
        {"select": "pam"},
    ]


class Plan(Strict):
    """A whole study.

    Parameters
    ----------
    seed : int
        All random numbers follow from it.
    metric : str
        Short name of the score that picks methods and grid points in the inner loop.
    tune : str
        Criterion by which methods that have none of their own choose among their
        candidates; empty: `metric`.
    permutations : int
        Runs of the whole procedure with permuted labels; fewer than 19 test nothing at 5 %.
    outer, inner : Split
    method : list of MethodPlan
        Empty: the default methods.
    dataset : list of DatasetPlan
        Tables to study one after the other, each in a folder of its own.
    describe : bool
        Add to each feature shown its distribution by class and its scores under every filter.
    final : bool
        Refit the winning procedure on all rows and save the model.

    Examples
    --------
    >>> Plan(method=[{"select": "moderated_t", "sizes": [5, 10]}]).method[0].classify
    ['lda']
    """

    seed: int = Field(default=0, ge=0)
    metric: str = "bcr"
    tune: str = ""
    permutations: int = Field(default=19, ge=0, le=100_000, strict=True)
    outer: Split = Split()
    inner: InnerSplit = InnerSplit()
    method: list[MethodPlan] = Field(default_factory=list, validate_default=True)
    dataset: list[DatasetPlan] = []
    describe: bool = True
    final: bool = True

    @field_validator("method", mode="before")
    @classmethod
    def _default(cls, value: Any) -> Any:
        return value or default_methods()

    @field_validator("metric")
    @classmethod
    def _known_metric(cls, value: str) -> str:
        if value not in METRIC_NAMES:
            raise PlanError(f"unknown metric {value!r}: {nearest(value, METRIC_NAMES)}")
        return value

    @field_validator("tune")
    @classmethod
    def _known_criterion(cls, value: str) -> str:
        return _criterion(value)

    @model_validator(mode="after")
    def _distinct(self) -> Plan:
        names = [" ".join(m.name.split()) for m in self.method]  # as tables will write them
        if "headline" in names:
            raise PlanError("the name 'headline' is that of the whole procedure: choose another")
        for name in names:
            if names.count(name) > 1:
                raise PlanError(
                    f"two methods are named {name!r}: give each [[method]] its own name"
                )
        return self

    @property
    def members(self) -> int:
        """Samples of each class that every training part must have."""
        return max(registry.row(m.select, role="select").members for m in self.method)

    @classmethod
    def read(cls, path: str | Path, **overrides: Any) -> Plan:
        """Read a TOML plan; `overrides` win.

        Raises
        ------
        PlanError
            One line: the key or value, and the nearest valid one.
        """
        try:
            raw = tomllib.loads(Path(path).read_text(encoding="utf-8"))
        except OSError as error:
            raise PlanError(f"cannot read plan {str(path)!r}: {error.strerror}") from error
        except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
            raise PlanError(f"plan {str(path)!r} is not TOML: {error}") from error
        return cls.resolve(merged(raw, overrides))

    @classmethod
    def resolve(cls, raw: Mapping[str, Any]) -> Plan:
        """Validate a plain dictionary, with errors in one line."""
        try:
            return cls.model_validate(dict(raw))
        except ValidationError as error:
            raise PlanError(explain(error)) from error


def merged(raw: Mapping[str, Any], over: Mapping[str, Any]) -> dict[str, Any]:
    """`raw` with the values of `over` in place; tables are merged, not replaced.

    Examples
    --------
    >>> merged({"outer": {"folds": 5, "repeats": 2}}, {"outer": {"folds": 3}})
    {'outer': {'folds': 3, 'repeats': 2}}
    """
    out = dict(raw)
    for key, value in over.items():
        old = out.get(key)
        both = isinstance(value, Mapping) and isinstance(old, Mapping)
        out[key] = merged(old, value) if both else value  # type: ignore[arg-type]
    return out


def explain(error: ValidationError) -> str:
    """The first fault of a plan as one line."""
    first = error.errors(include_url=False)[0]
    place = ".".join(str(part) for part in first["loc"])
    if first["type"] == "extra_forbidden":
        key = str(first["loc"][-1])
        return f"unknown key {place!r} in the plan: {nearest(key, _keys_at(first['loc']))}"
    if first["type"] == "literal_error":
        allowed = get_args(Kind)
        return f"{place} = {first['input']!r}: {nearest(first['input'], allowed)}"
    if first["type"] == "value_error":
        return str(first["ctx"]["error"])
    if first["type"] == "missing":
        return f"the plan lacks {place!r}; see `tamis methods` for what it may be"
    return f"{place} = {first['input']!r}: {first['msg'][0].lower()}{first['msg'][1:]}"


def _keys_at(place: tuple[int | str, ...]) -> list[str]:
    models: dict[str, type[Strict]] = {
        "outer": Split,
        "inner": Split,
        "method": MethodPlan,
        "dataset": DatasetPlan,
    }
    model = models.get(str(place[0]), Plan)
    if len(place) == 1:
        model = Plan
    return list(model.model_fields)
