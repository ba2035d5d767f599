"""A fitted procedure on a table: columns, what fills them, predictor and decision."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
from typing_extensions import TypedDict

from .._core.column_ids import ColumnIds
from .._core.errors import (
    ModelError,
    TamisError,
    counted_noun,
    listed_names,
    nearest_name,
    shorten_text,
)
from .._core.interfaces import Decided, Decision, Kind, Predictor
from .._core.response import ResponseKind
from .._core.tables import Columns
from ..classifiers.rejection.decision import NamedRule
from ..data.dataset import Dataset
from ..data.indicators import spread_columns, spread_width
from ..data.number_column import number_column
from ..data.walks import picked_columns
from ..kernels.medians import impute_medians
from ..metrics.cost_matrix import check_costs
from ..metrics.sample_costs import Cells, cost_columns, sample_costs
from ..preparation.chain import Chain
from ..preparation.on_table import carried_over
from .named_method import NamedMethod
from .prediction_intervals import PredictionIntervals
from .training import Training

View = Literal["filled", "raw"]
FILLED_VIEW: View = "filled"
RAW_VIEW: View = "raw"
ALL_COLUMNS = slice(None)
_COUNTED_ALLELE = re.compile(r"(.+)_([ACGT]+)")  # a column of PLINK's .raw
DECLINED_LABEL = None  # what is predicted of a sample that the decision declines


class About(TypedDict, total=False):
    """Where a model comes from."""

    tamis: str  # the version
    data: str
    digest: str
    target: str
    method: str
    classify: str
    settings: dict[str, object]
    decide: str
    n_samples: int
    blocks: list[str]
    known: Kind
    target_mean: float  # of the training samples, where the outcome is a number


@dataclass(frozen=True, repr=False)
class FittedProcedure:
    """What a `Model` knows, and what it says of a `Dataset`; the fields are described there."""

    predictor: Predictor
    decision: Decision
    covariates: tuple[str, ...]
    features: tuple[str, ...]
    levels: dict[str, tuple[str, ...]]
    medians: np.ndarray
    classes: tuple[str, ...]
    training: Training
    about: About
    made_by: NamedMethod
    decided_by: NamedMethod
    inputs: tuple[str, ...] = ()
    steps: Chain | None = None
    batches: tuple[str, ...] = ()
    view: View = FILLED_VIEW
    widths: tuple[int, ...] = ()
    costs: Cells | None = None
    rejected_by: NamedRule | None = None
    column_ids: ColumnIds | None = None
    shares: np.ndarray | None = None
    recalibrated_by: NamedMethod | None = None
    response: ResponseKind = "class"
    log_target: bool = False
    cv_plus: PredictionIntervals | None = None

    @property
    def known(self) -> Kind:
        """What the predictor says of samples: probabilities, what orders them, or labels alone."""
        return self.about.get("known", "proba")

    def __post_init__(self) -> None:
        if self.steps is None and self.inputs != self.features:
            object.__setattr__(self, "inputs", self.features)
        if self.steps is None:
            object.__setattr__(self, "widths", self.spread_widths(self.features))

    def spread_widths(self, names: tuple[str, ...]) -> tuple[int, ...]:
        """Columns of each of some names, categories spread over 0/1 columns."""
        return tuple(spread_width(len(self.levels.get(name, ()))) for name in names)

    def decide(self, data: Dataset) -> Decided:
        """Codes of the classes, which of them are given, and beliefs, of a table's samples.

        Raises
        ------
        ModelError
            A column is missing, a category is not one the model knows, or what it believes of a
            sample is no number.
        """
        with np.errstate(all="ignore"):  # what comes of numbers too large is looked at behind
            beliefs = self.predictor.beliefs(self.matrix(data))
            if self.shares is not None:
                beliefs = replace(beliefs, prior=np.tile(self.shares, (len(beliefs), 1)))
            if self.decision.by_sample:
                beliefs = replace(beliefs, costs=self.own_costs(data))
            decided = self.decision.decide(beliefs)
        lost = np.flatnonzero(~_answered_samples(decided, self.known == "proba"))
        if len(lost):
            raise ModelError(
                f"the model has no answer for {counted_noun(len(lost), 'sample')} of {data.name!r} "
                f"({listed_names([data.sample_names[i] for i in lost[:6]])}): values are too far "
                "from those it was trained on, or its file is damaged"
            )
        return decided

    def own_costs(self, data: Dataset) -> np.ndarray | None:
        """Costs of a table's samples (n, C, C); None where all have the same.

        Raises
        ------
        ModelError
            A column of costs is missing, or holds what cannot be decided by.
        """
        if self.costs is None or not self.cost_columns:
            return None
        missing = sorted(set(self.cost_columns) - set(data.feature_names))
        if missing:
            raise ModelError(
                f"{data.name!r} lacks column {missing[0]!r}, which says what errors on each sample "
                "cost: add it"
            )
        try:
            values = {name: number_column(data, name) for name in self.cost_columns}
            found = sample_costs(self.costs, values, data.shape[0])
            check_costs(found, self.classes, data.sample_names)
        except TamisError as error:
            raise ModelError(f"{data.name!r}: {error}") from error
        return found

    def labels(self, decided: Decided) -> np.ndarray:
        """Class labels of what was decided, None where it was declined; or the numbers predicted.

        Of a model of logarithms these are on the scale of the target: the exponential of a
        predicted mean of logarithms is the median, not the mean, of what is expected there (Duan
        1983).
        """
        value = decided.beliefs.value
        if value is not None:
            return np.exp(value) if self.log_target else value
        return np.array([*self.classes, DECLINED_LABEL], dtype=object)[decided.labels]

    @property
    def columns(self) -> tuple[str, ...]:
        """Columns a table must have, in the model's order."""
        return (*self.covariates, *self.inputs)

    @property
    def read_columns(self) -> tuple[str, ...]:
        """Those, and columns that a table need not have."""
        beside = () if self.cv_plus is None else self.cv_plus.columns
        return (*self.columns, *self.cost_columns, *beside)

    @property
    def read_levels(self) -> dict[str, tuple[str, ...]]:
        """Levels of the categorical ones among `read_columns`."""
        others = () if self.cv_plus is None else self.cv_plus.models
        return {k: v for one in (*others, self) for k, v in one.levels.items()}

    @property
    def cost_columns(self) -> tuple[str, ...]:
        """Columns that hold samples' own costs: for a decision by them, and for the loss."""
        return tuple(cost_columns(self.costs or ()))

    def places(self, data: Dataset) -> np.ndarray:
        """Where the model's columns are in a table.

        Raises
        ------
        ModelError
            One is missing.
        """
        place = {name: j for j, name in enumerate(data.feature_names)}
        missing = [name for name in self.columns if name not in place]
        if missing:
            hint = _other_allele(missing, place)
            if not hint and len(missing) == 1 and (near := nearest_name(missing[0], place)):
                hint = f" (did you mean its {shorten_text(near)!r}?)"
            raise ModelError(
                f"{data.name!r} lacks {len(missing):,} of the {len(self.columns):,} columns the "
                f"model needs: {listed_names(missing)}{self._lost_blocks(missing)}{hint}"
            )
        return np.array([place[name] for name in self.columns], dtype=np.int64)

    def raw(
        self, data: Dataset, some: slice | np.ndarray = ALL_COLUMNS, rows: np.ndarray | None = None
    ) -> np.ndarray:
        """The model's columns of a table, or some of them, as they are, of all rows or some;
        categories as codes into its levels."""
        columns = self.places(data)[some]
        names = np.array(self.columns, dtype=object)[some]
        X = data.take(rows, columns)
        for k, (name, j) in enumerate(zip(names, columns.tolist(), strict=True)):
            here = data.levels.get(j)
            if name in self.levels:
                X[:, k] = _model_codes(X[:, k], here, self.levels[name], name)
            elif here is not None:
                raise ModelError(
                    f"column {name!r} must be numeric for this model; here it holds text such as "
                    f"{here[0]!r}"
                )
        return X

    def batch_codes(self, data: Dataset) -> np.ndarray | None:
        """Codes of the samples' batches, -1 for one unknown; None if no step looks at them.

        Raises
        ------
        ModelError
            The table has no batches, or a step cannot do without one it has not seen.
        """
        if self.steps is None or not self.steps.by_batch:
            return None
        known = f"the model was trained on {listed_names(self.batches)}"
        if data.batches is None:
            raise ModelError(
                f"{data.name!r} does not say which batch its samples are of: name the column with "
                f"--batch ({known})"
            )
        place = {name: code for code, name in enumerate(self.batches)}
        codes = np.array([place.get(str(b), -1) for b in data.batches], dtype=np.int64)
        lost = self.steps.unseen(codes, refused=True)
        if lost.any():
            names = sorted(set(data.batches[lost].tolist()))
            raise ModelError(
                f"{int(lost.sum())} of {len(lost)} samples of {data.name!r} are of batches that "
                f"cannot be adjusted, {listed_names(names)}: {known}; include some of theirs in "
                "the "
                'study, or study with unseen = "keep"'
            )
        return codes

    def _lost_blocks(self, missing: list[str]) -> str:
        """The first of the blocks that columns which a table lacks are of."""
        for block in self.about.get("blocks", ()):
            if any(name.startswith(f"{block}:") for name in missing):
                return f"; give block {block!r} with --block {block}=TABLE"
        return ""

    def matrix(self, data: Dataset) -> np.ndarray:
        """The predictor's columns of a table, in its order, as `view` says."""
        if self.steps is None:
            raw = self.raw(data)
            if self.view == RAW_VIEW:
                return raw
            matrix = self._spread(raw, self.columns)
        else:
            covariates = self.raw(data, slice(len(self.covariates)))
            prepared = self._prepared(self.steps, data)
            matrix = np.hstack([self._spread(covariates, self.covariates), prepared])
            if self.view == RAW_VIEW:
                return self._as_it_is(data, matrix)
        holes = np.flatnonzero(np.isnan(matrix).any(axis=0))
        if len(holes):
            matrix = matrix.copy()
            impute_medians(matrix, holes, self.medians[holes])
        return matrix

    def _prepared(self, steps: Chain, data: Dataset) -> np.ndarray:
        """What the steps give; a table goes into them as it is, unless categories are among the
        inputs, here or there."""
        q = len(self.covariates)
        columns = self.places(data)[q:]
        X: np.ndarray | Columns
        if (
            isinstance(data.X, np.ndarray)
            or self.levels.keys() & {*self.inputs}
            or (data.levels.keys() & {*columns.tolist()})
        ):
            X = self._spread(self.raw(data, slice(q, None)), self.inputs)
        else:
            X = picked_columns(data.X, columns)
        return carried_over(steps, X, self.batch_codes(data))

    def _spread(self, raw: np.ndarray, names: tuple[str, ...]) -> np.ndarray:
        """Raw columns of these names with categories spread over 0/1 columns."""
        levels = {k: self.levels[name] for k, name in enumerate(names) if name in self.levels}
        part = Dataset(raw, None, names, levels=levels)
        return spread_columns(part, np.arange(len(names)))[0]

    def _as_it_is(self, data: Dataset, prepared: np.ndarray) -> np.ndarray:
        """A column for each name: numbers from what the steps give, codes from the raw columns."""
        known = np.array([k for k, name in enumerate(self.columns) if name in self.levels], int)
        raw = self.raw(data, known)
        place = {self.columns[j]: k for k, j in enumerate(known)}
        names = (*self.covariates, *self.features)
        ends = np.cumsum([*self.spread_widths(self.covariates), *self.widths])
        columns = [
            raw[:, place[name]] if name in self.levels else prepared[:, end - 1]
            for name, end in zip(names, ends, strict=True)
        ]
        return np.column_stack([raw[:, :0], *columns])


def _answered_samples(decided: Decided, shares: bool) -> np.ndarray:
    """For which samples there is an answer (m,): numbers, or probabilities if it should be."""
    if decided.beliefs.value is not None:
        return np.isfinite(decided.beliefs.value)
    proba = decided.beliefs.proba
    found = np.isfinite(proba).all(axis=1)
    if shares:
        found &= (proba >= 0).all(axis=1) & (np.abs(proba.sum(axis=1) - 1) < 1e-6)
    return found if decided.certainty is None else found & ~np.isnan(decided.certainty)


def _model_codes(
    values: np.ndarray, here: tuple[str, ...] | None, known: tuple[str, ...], name: str
) -> np.ndarray:
    """Codes of a column in the model's levels."""
    seen = ~np.isnan(values)
    if here is None:  # the reader took a column of number-like levels for numbers
        text = np.array([_number_text(v) for v in values], dtype=object)
    else:
        text = np.array([here[int(v)] if ok else "" for v, ok in zip(values, seen, strict=True)])
    unknown = sorted(set(text[seen]) - set(known))
    if unknown:
        raise ModelError(
            f"column {name!r} has {listed_names(unknown)}; the model knows {listed_names(known)}"
        )
    code = {level: float(k) for k, level in enumerate(known)}
    return np.array([code[t] if ok else np.nan for t, ok in zip(text, seen, strict=True)])


def _number_text(value: float) -> str:
    """A number as the reader spells the level it stands for: whole numbers without a point."""
    return str(int(value)) if float(value).is_integer() else repr(float(value))


def _other_allele(missing: Iterable[str], known: Iterable[str]) -> str:
    """What to do where columns of PLINK's .raw count the other allele (rs1_A for rs1_G), as PLINK 2
    does by default of what PLINK 1.9 writes."""
    variants = {match[1]: name for name in known if (match := _COUNTED_ALLELE.fullmatch(name))}
    for name in missing:
        match = _COUNTED_ALLELE.fullmatch(name)
        if match and (here := variants.get(match[1])):
            return (
                f"; its {shorten_text(here)!r} counts the other allele of {shorten_text(name)!r}: "
                f"export the genotypes with a file of lines as '{shorten_text(match[1])} "
                f"{match[2]}' (--export-allele of PLINK 2, --recode-allele of PLINK 1.9)"
            )
    return ""
