"""A fitted procedure that can be handed on, as users have it."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from .._core.errors import ModelError, counted_noun, listed_names, unbroken_text
from .._core.first_screen import FirstScreen
from ..classifiers.base.natural_scale import standardised_coefficients
from .cohort import value_misfits
from .fitted_procedure import FittedProcedure
from .prediction_intervals import USUAL_LEVEL, intervals_of
from .predictions import prediction_table
from .samples import samples_for

if TYPE_CHECKING:
    import pandas as pd

    from .evaluate import Evaluation
    from .evaluate_numbers import NumberEvaluation


@dataclass(frozen=True, repr=False)
class Model(FittedProcedure, FirstScreen):
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
    about : About
        Where it comes from: data, target, method, settings, version.
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
        What errors cost, if the study had costs: a number, or the column that each sample has its
        own in.
    rejected_by : NamedRule or None
        Whom the decision is not made for.
    column_ids : ColumnIds or None
        What the inputs are, beside their names, if the table of the study says it.
    shares : ndarray of shape (C,), or None
        Class shares of the training rows, if the predictor's probabilities stand for them.
    recalibrated_by : NamedMethod or None
        What its probabilities are recalibrated by.
    response : {"class", "number"}
    log_target : bool
        The natural logarithm of the target is what was learnt.
    cv_plus : PredictionIntervals or None
        What intervals for new samples are made of, if the study kept it.
    widths : tuple of int
        How many columns the steps give of each feature; without steps a number has one, and a
        category one for each level, or one of two.
    """

    def summary(self) -> str:
        """Where it comes from, what it distinguishes, and what it needs, in a few lines."""
        about, n = self.about, len(self.columns)
        by = dict.fromkeys([about.get("method"), about.get("classify")])
        lines = [
            f"model of {about.get('data')!r}: {', '.join(str(one) for one in by if one)}; "
            f"{counted_noun(about.get('n_samples', 0), 'sample')}",
            *(
                [f"  classes  {about.get('target')}: {listed_names(self.classes, 9)}"]
                if self.classes
                else [f"  predicts {about.get('target')}{', by its logarithm' * self.log_target}"]
            ),
            f"  needs    {counted_noun(n, 'column')}: {listed_names(self.columns, 8)}",
            *([f"  decides  {self.decided_by.name}"] if self.classes else []),
            *(
                [f"  intervals by CV+: {len(self.cv_plus.models)} models"]
                if self.cv_plus is not None
                else []
            ),
        ]
        return "\n".join(map(unbroken_text, lines))

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
        table = {"column": self.columns, "role": role, "levels": levels, **bounds}
        return pd.DataFrame(table).set_index("column")

    def coefficients(self) -> dict[str, float]:
        """Of a linear model of two classes, by feature: the change in the log odds of the positive
        class per standard deviation of the feature in training, before any recalibration. Empty of
        other models; categories, which have several, are left out.

        Examples
        --------
        >>> import tempfile
        >>> from tamis.data import load_golub
        >>> from tamis.study import run_study
        >>> short = {"permutations": 0, "outer": {"folds": 3}, "inner": {"folds": 3}}
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     model = run_study(load_golub(), short, folder + "/golub").model
        >>> len(model.coefficients()) == len(model.features)
        True
        """
        found = standardised_coefficients(self.predictor)
        if found is None:
            return {}
        ends = np.cumsum([*self.spread_widths(self.covariates), *self.widths])
        ends, widths = ends[len(self.covariates) :], self.widths
        return {
            name: float(found[end - 1])
            for name, end, width in zip(self.features, ends, widths, strict=True)
            if width == 1 and name not in self.levels
        }

    def predict_proba(self, data: Any, **reading: Any) -> np.ndarray:
        """Class probabilities, (n_samples, n_classes), of what `predict` takes.

        Raises
        ------
        ModelError
            The model predicts a number.
        """
        if not self.classes:
            raise ModelError("the model predicts a number and has no probabilities: use predict")
        return self.decide(samples_for(self, data, **reading)).beliefs.proba

    def predict(self, data: Any, **reading: Any) -> np.ndarray:
        """Class labels, (n_samples,), None where the decision declines; or the numbers predicted.

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

    def intervals(self, data: Any, level: float = USUAL_LEVEL, **reading: Any) -> np.ndarray:
        """Prediction intervals of a number by CV+, of what `predict` takes: (n_samples, 2), low and
        high, infinite where the model's training samples (groups) are too few for the level.

        A new sample of the population (of a group that was not in training) is inside at about
        `level`; what is guaranteed whatever the distribution is about 2 level - 1
        (docs/methods/regression.md).

        Raises
        ------
        DataError, ModelError
            As of `predict`; the model has no intervals, or a column that they need is missing.

        Examples
        --------
        >>> import tempfile
        >>> from tamis.data import Dataset
        >>> from tamis.study import run_study
        >>> rng = np.random.default_rng(0)
        >>> X = rng.normal(size=(40, 20))
        >>> y = X[:, 3] + 0.5 * rng.normal(size=40)
        >>> names = tuple(f"g{j}" for j in range(20))
        >>> data = Dataset(X, None, names, numbers=y, target="bmi")
        >>> plan = {"prediction_intervals": True, "permutations": 0, "inner": {"folds": 3}}
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     model = run_study(data, plan, folder + "/bmi").model
        >>> low, high = model.intervals(data, 0.9).T
        >>> bool(np.mean((low < y) & (y < high)) > 0.8)
        True
        """
        ends = intervals_of(self, samples_for(self, data, **reading), level)
        assert ends is not None
        return np.column_stack(ends)

    def evaluate(
        self, data: Any, target: Any = None, **reading: Any
    ) -> Evaluation | NumberEvaluation:
        """Every metric on an external cohort whose classes are known, with 95 % intervals:
        `tamis.model.evaluate.evaluate`, whose parameters and errors these are."""
        from .evaluate import evaluate

        return evaluate(self, data, target, **reading)

    def predict_frame(
        self, data: Any, *, level: float | None = None, **reading: Any
    ) -> pd.DataFrame:
        """What `tamis predict` writes, with the index of a frame: the class, whether the sample was
        accepted, how certain that is of a model that declines samples, and the probability of each
        class (or its score). A model with prediction intervals gives `low` and `high` too, at
        `level` (None: 0.95 where the table has the columns that they need). Values unlike those
        of the training rows are warned of. Other parameters and errors are those of
        `predict`."""
        import pandas as pd

        read = samples_for(self, data, **reading)
        for code, remark in value_misfits(self, read):
            warnings.warn(f"{code}: {remark}", stacklevel=2)
        header, rows = prediction_table(
            self, read, self.decide(read), intervals_of(self, read, level)
        )
        found = pd.DataFrame(rows, columns=header).set_index("sample")
        index = getattr(data, "index", getattr(data, "obs_names", None))
        if isinstance(index, pd.Index) and not reading.get("transpose"):
            found.index = index.rename(index.name or "sample")  # so that the frame can be joined
        return found
