"""A fitted procedure that can be handed on: columns, what fills them, predictor and decision."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from .._core.column_ids import ColumnIds
from .._core.errors import ModelError, TamisError, listing, plural, unbroken
from .._core.first_screen import FirstScreen
from .._core.interfaces import KINDS, Decided, Decision, Kind, Predictor
from .._core.tables import Columns
from ..classifiers.rejection.decision import NamedRule
from ..data.dataset import Dataset
from ..data.indicators import spread_columns, spread_width
from ..data.number_column import number_column
from ..data.walks import picked
from ..kernels.medians import impute
from ..metrics.cost_matrix import check_costs
from ..metrics.sample_costs import Cells, cost_columns, sample_costs
from ..preparation.chain import Chain
from ..preparation.on_table import carried_over
from .samples import samples_for
from .training import Training

if TYPE_CHECKING:
    import pandas as pd

View = Literal["filled", "raw"]
FILLED: View = "filled"
RAW: View = "raw"
EVERY = slice(None)
DECLINED = None  # what is predicted of a sample that the decision declines


@dataclass(frozen=True)
class NamedMethod:
    """A name of the registry with its parameters, by which a part of a model is read back.

    Attributes
    ----------
    role : str
        "classify", "method" or "decide".
    name : str
        A plan name; of a classifier its label, such as ``bagging(naive_bayes)``.
    parameters : mapping
    """

    role: str
    name: str
    parameters: Mapping[str, Any]


@dataclass(frozen=True, repr=False)
class Model(FirstScreen):
    """A fitted procedure and what it needs to know about its input.

    Attributes
    ----------
    predictor : Predictor
        On columns in the order covariates, features.
    decision : Decision
        Fitted.
    covariates, features : tuple of str
        What the predictor sees.
    levels : mapping of name to tuple of str
        Declared levels of the categorical ones.
    medians : ndarray
        What fills a missing value, one a column of the predictor's matrix; empty where nothing
        is filled.
    classes : tuple of str
        The positive one last.
    training : Training
        What is known of the rows it was fitted on.
    about : dict
        Where it comes from: data, target, method, settings, versions.
    made_by, decided_by : NamedMethod
        What the predictor and the decision are.
    inputs : tuple of str
        The features that the steps need; without steps the features themselves.
    steps : Chain or None
        What prepares a table before the predictor sees it.
    batches : tuple of str
        Those the steps know, by code; none if they do not look at them.
    view : "filled" or "raw"
        What the predictor sees: categories spread over 0/1 columns and missing values filled, or
        a column for each name, with codes into `levels` and NaN for missing.
    costs : Cells or None
        What errors cost, if the study was told: a number, or the column that each sample has its
        own in.
    rejected_by : NamedRule or None
        Whom the decision is not made for.
    column_ids : ColumnIds or None
        What the inputs are, beside their names, if the table of the study told.
    shares : ndarray of shape (C,), or None
        Class shares of the training rows, if the predictor's probabilities stand for them.
    widths : tuple of int
        How many columns the steps give of each feature; without steps a number has one, and a
        category one for each level, or one of two.
    """

    predictor: Predictor
    decision: Decision
    covariates: tuple[str, ...]
    features: tuple[str, ...]
    levels: dict[str, tuple[str, ...]]
    medians: np.ndarray
    classes: tuple[str, ...]
    training: Training
    about: dict[str, Any]
    made_by: NamedMethod
    decided_by: NamedMethod
    inputs: tuple[str, ...] = ()
    steps: Chain | None = None
    batches: tuple[str, ...] = ()
    view: View = FILLED
    widths: tuple[int, ...] = ()
    costs: Cells | None = None
    rejected_by: NamedRule | None = None
    column_ids: ColumnIds | None = None
    shares: np.ndarray | None = None

    @property
    def known(self) -> Kind:
        """What the predictor says of samples: probabilities, what orders them, or labels alone."""
        return next((k for k in KINDS if k == self.about.get("known")), "proba")

    def __post_init__(self) -> None:
        if self.steps is None and self.inputs != self.features:
            object.__setattr__(self, "inputs", self.features)
        if self.steps is None:
            object.__setattr__(self, "widths", self.spread_widths(self.features))

    def summary(self) -> str:
        """Where it comes from, what it tells apart, and what it needs, in a few lines."""
        about, n = self.about, len(self.columns)
        by = dict.fromkeys([about.get("method"), about.get("classify")])
        lines = [
            f"model of {about.get('data')!r}: {', '.join(str(one) for one in by if one)}; "
            f"{plural(about.get('n_samples', 0), 'sample')}",
            f"  classes  {about.get('target')}: {listing(self.classes, 9)}",
            f"  needs    {plural(n, 'column')}: {listing(self.columns, 8)}",
            f"  decides  {self.decided_by.name}",
        ]
        return "\n".join(map(unbroken, lines))

    def frame(self) -> pd.DataFrame:
        """The columns that a table must have: what each is, its levels, and the least and largest
        value in training."""
        import pandas as pd

        known, q = len(self.training.low), len(self.covariates)
        n = len(self.columns)
        ranges = {"low": self.training.low, "high": self.training.high}
        levels = [self.levels.get(name) for name in self.columns]
        bounds = {
            key: [None if k >= known or levels[k] else float(values[k]) for k in range(n)]
            for key, values in ranges.items()
        }
        role = ["covariate"] * q + ["feature"] * (n - q)
        told = {"column": self.columns, "role": role, "levels": levels, **bounds}
        return pd.DataFrame(told).set_index("column")

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
        lost = np.flatnonzero(~_answered(decided, self.known == "proba"))
        if len(lost):
            raise ModelError(
                f"the model has no answer for {plural(len(lost), 'sample')} of {data.name!r} "
                f"({listing([data.sample_names[i] for i in lost[:6]])}): values are too far from "
                "those it was trained on, or its file is damaged"
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

    def predict_proba(self, data: Any, **reading: Any) -> np.ndarray:
        """Class probabilities, (n_samples, n_classes), of what `predict` takes."""
        return self.decide(samples_for(self, data, **reading)).beliefs.proba

    def predict(self, data: Any, **reading: Any) -> np.ndarray:
        """Class labels, (n_samples,); None where the decision declines.

        Parameters
        ----------
        data : Dataset, DataFrame, AnnData, array of shape (n_samples, n_features) or path
            Columns are found by name; their order does not matter and others are ignored. Those
            of an array are called ``x0``, ``x1`` ..., as where a model was made of one.
        **reading
            Further arguments of `tamis.data.as_dataset`, or of `tamis.data.read_table`.

        Raises
        ------
        DataError, ModelError
            It cannot be read, a column is missing, or a category is not one the model knows.

        Examples
        --------
        >>> import tempfile
        >>> import pandas as pd
        >>> from tamis.data import load_golub
        >>> from tamis.study import run_study
        >>> golub = load_golub()
        >>> short = {"permutations": 0, "outer": {"folds": 3}, "inner": {"folds": 3}}
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     model = run_study(golub, short, folder + "/golub").model
        >>> frame = pd.DataFrame(golub.X, golub.sample_names, golub.feature_names)
        >>> model.predict(frame.iloc[:2, ::-1])
        array(['ALL', 'ALL'], dtype=object)
        >>> list(model.predict_frame(frame.iloc[:2]).columns)
        ['predicted', 'accepted', 'p(ALL)', 'p(AML)']
        >>> model.predict(frame.drop(columns=model.columns[0]))
        Traceback (most recent call last):
        ...
        tamis._core.errors.ModelError: 'table' lacks 1 of the 50 columns the model needs: ...
        """
        return self.labels(self.decide(samples_for(self, data, **reading)))

    def predict_frame(self, data: Any, **reading: Any) -> pd.DataFrame:
        """What `tamis predict` writes, with the index of a frame: the class, whether the sample was
        accepted, how certain that is of a model that declines samples, and the probability of each
        class (or its score). Values unlike those of the training rows are warned of. Parameters
        and errors are those of `predict`."""
        import pandas as pd

        from .cohort import value_misfits
        from .predictions import prediction_table

        read = samples_for(self, data, **reading)
        for code, remark in value_misfits(self, read):
            warnings.warn(f"{code}: {remark}", stacklevel=2)
        header, rows = prediction_table(self, read, self.decide(read))
        found = pd.DataFrame(rows, columns=header).set_index("sample")
        index = getattr(data, "index", getattr(data, "obs_names", None))
        if isinstance(index, pd.Index) and not reading.get("transpose"):
            found.index = index.rename(index.name or "sample")  # so that the frame can be joined
        return found

    def labels(self, decided: Decided) -> np.ndarray:
        """Class labels of what was decided; None where it was declined."""
        return np.array([*self.classes, DECLINED], dtype=object)[decided.told]

    @property
    def columns(self) -> tuple[str, ...]:
        """Columns a table must have, in the model's order."""
        return (*self.covariates, *self.inputs)

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
            raise ModelError(
                f"{data.name!r} lacks {len(missing):,} of the {len(self.columns):,} columns the "
                f"model needs: {listing(missing)}{self._lost_blocks(missing)}"
            )
        return np.array([place[name] for name in self.columns], dtype=np.int64)

    def raw(
        self, data: Dataset, some: slice | np.ndarray = EVERY, rows: np.ndarray | None = None
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
            The table tells no batches, or a step cannot do without one it has not seen.
        """
        if self.steps is None or not self.steps.by_batch:
            return None
        known = f"the model was trained on {listing(self.batches)}"
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
                f"cannot be adjusted, {listing(names)}: {known}; include some of theirs in the "
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
            if self.view == RAW:
                return raw
            matrix = self._spread(raw, self.columns)
        else:
            covariates = self.raw(data, slice(len(self.covariates)))
            prepared = self._prepared(self.steps, data)
            matrix = np.hstack([self._spread(covariates, self.covariates), prepared])
            if self.view == RAW:
                return self._as_it_is(data, matrix)
        holes = np.flatnonzero(np.isnan(matrix).any(axis=0))
        if len(holes):
            matrix = matrix.copy()
            impute(matrix, holes, self.medians[holes])
        return matrix

    def _prepared(self, steps: Chain, data: Dataset) -> np.ndarray:
        """What the steps give; a table goes into them as it is, unless categories are among the
        inputs, here or there."""
        q = len(self.covariates)
        columns = self.places(data)[q:]
        X: np.ndarray | Columns
        if isinstance(data.X, np.ndarray) or self.levels.keys() & {*self.inputs} or (
            data.levels.keys() & {*columns.tolist()}
        ):  # fmt: skip
            X = self._spread(self.raw(data, slice(q, None)), self.inputs)
        else:
            X = picked(data.X, columns)
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


def _answered(decided: Decided, shares: bool) -> np.ndarray:
    """For which samples there is an answer (m,): numbers, or probabilities if it should be."""
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
            f"column {name!r} has {listing(unknown)}; the model knows {listing(known)}"
        )
    code = {level: float(k) for k, level in enumerate(known)}
    return np.array([code[t] if ok else np.nan for t, ok in zip(text, seen, strict=True)])


def _number_text(value: float) -> str:
    """A number as the reader spells the level it stands for: whole numbers without a point."""
    return str(int(value)) if value == np.floor(value) else repr(float(value))
