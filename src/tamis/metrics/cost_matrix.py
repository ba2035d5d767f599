"""What errors cost: a matrix with a name for every class, and what follows from it.

Rows are predicted classes and columns true ones, C(i, j) the cost of predicting i where j is true
(scikit-learn's confusion matrix is the transpose). Elkan (2001), The foundations of cost-sensitive
learning, IJCAI 17, 973-978.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from numbers import Real
from typing import TYPE_CHECKING, Any

import numpy as np

from .._core.errors import PlanError, listed_names, nearest_hint, value_text

if TYPE_CHECKING:
    import pandas as pd

CLASS_SIZES = "class_sizes"
MIN_COST, MAX_COST = 1e-50, 1e50  # of a cost: sums, products and ratios stay numbers


@dataclass(frozen=True, eq=False)
class CostMatrix:
    """Costs of predicting one class where another is true.

    Parameters
    ----------
    values : array-like of shape (C, C)
        Rows predicted, columns true, in any unit. A gain is a negative cost on the diagonal.
    classes : sequence of C labels
        The classes of its rows and of its columns.

    Raises
    ------
    PlanError
        It is not square and finite, an error costs less than being right, or a class can be
        predicted at no cost whatever is true.

    Examples
    --------
    >>> costs = CostMatrix([[0, 10], [1, 0]], classes=["well", "sick"])
    >>> costs.threshold  # call "sick" from this probability on
    0.09090909090909091
    >>> costs.decide([[0.8, 0.2], [0.95, 0.05]]).tolist()
    [1, 0]
    """

    values: np.ndarray
    classes: tuple[Any, ...]

    def __init__(self, values: Any, classes: Sequence[Any]):
        table = number_table(values, "costs")
        table.flags.writeable = False
        object.__setattr__(self, "values", table)
        object.__setattr__(self, "classes", tuple(classes))
        check_costs(table, self.classes)

    @classmethod
    def of(cls, costs: Any, classes: Sequence[Any]) -> CostMatrix:
        """From what people write costs as, for these classes in this order.

        Parameters
        ----------
        costs : CostMatrix, mapping, DataFrame or array-like of shape (C, C)
            A mapping is ``{predicted: {true: cost}}``, with a cost for every pair of two
            classes, or ``{true: cost}``, the cost of any error on a sample of that class. A
            DataFrame has predicted classes as its index and true ones as its columns.
        classes : sequence of C labels

        Raises
        ------
        PlanError
            A class is unknown, or a cost is missing or no number.

        Examples
        --------
        >>> CostMatrix.of({"sick": 10, "well": 1}, ["well", "sick"]).values.tolist()
        [[0.0, 10.0], [1.0, 0.0]]
        """
        names = tuple(classes)
        if isinstance(costs, CostMatrix):
            costs = costs.to_dict()
        elif hasattr(costs, "to_dict"):  # a frame; its own dictionary is by column
            costs = costs.T.to_dict()
        if not isinstance(costs, Mapping):
            return cls(costs, names)
        cells = cost_cells(costs, names)
        for (i, j), cost in cells.items():
            if isinstance(cost, bool) or not isinstance(cost, Real):
                raise PlanError(
                    f"costs: calling {names[j]!r} {names[i]!r} costs {value_text(cost)}: give a "
                    "number"
                )
        C = len(names)
        return cls([[cells[i, j] for j in range(C)] for i in range(C)], names)

    @classmethod
    def of_class_sizes(cls, sizes: Mapping[Any, int]) -> CostMatrix:
        """Errors on a class cost the size of the other: with these, all classes weigh the same.

        With C classes an error on class j costs g^2 / n_j, g the geometric mean of the sizes,
        which is the size of the other class where there are two.

        Examples
        --------
        >>> CostMatrix.of_class_sizes({"no": 90, "yes": 10}).values.tolist()
        [[0.0, 90.0], [10.0, 0.0]]
        """
        counts = np.array(list(sizes.values()), dtype=np.float64)
        if not (counts > 0).all():
            raise PlanError(f"costs by class size: {listed_names(sizes)}: a class has no sample")
        column = (counts ** (2 / len(counts))).prod() / counts
        return cls(np.tile(column, (len(counts), 1)) * (1 - np.eye(len(counts))), tuple(sizes))

    @classmethod
    def of_errors(cls, classes: Sequence[Any]) -> CostMatrix:
        """Every error costs 1."""
        return cls(1 - np.eye(len(classes)), classes)

    @property
    def reduced(self) -> np.ndarray:
        """C'(i, j) = C(i, j) - C(j, j): what predicting i costs beyond being right (C, C)."""
        return self.values - self.values.diagonal()

    @property
    def weights(self) -> np.ndarray:
        """sum_i C'(i, j), what a sample of class j weighs in training (C,)."""
        return self.reduced.sum(axis=0)

    @property
    def threshold(self) -> float:
        """p* = C'(1, 0) / (C'(1, 0) + C'(0, 1)): of two classes, the latter is predicted where its
        probability is above."""
        if len(self.classes) != 2:
            raise PlanError(f"a threshold is of two classes; these are {len(self.classes)}")
        alarm, miss = self.reduced[1, 0], self.reduced[0, 1]
        return float(alarm / (alarm + miss))

    def risks(self, proba: Any) -> np.ndarray:
        """sum_j P(j | x) C(i, j), the expected cost of each prediction (m, C)."""
        return expected_costs(np.asarray(proba, dtype=np.float64), self.values)

    def decide(self, proba: Any) -> np.ndarray:
        """Codes of the predictions of least risk (m,); of equal risks the first."""
        return least_risk(np.asarray(proba, dtype=np.float64), self.values)

    def predict(self, proba: Any) -> np.ndarray:
        """The classes of least risk (m,)."""
        return np.array(self.classes)[self.decide(proba)]

    def scorer(self) -> Any:
        """For scikit-learn's ``scoring``: the mean cost of labels, its sign turned.

        Examples
        --------
        >>> from sklearn.datasets import load_breast_cancer
        >>> from sklearn.linear_model import LogisticRegression
        >>> from sklearn.model_selection import TunedThresholdClassifierCV
        >>> X, y = load_breast_cancer(return_X_y=True)
        >>> costs = CostMatrix.of({0: 20, 1: 1}, [0, 1])  # 0 is malignant
        >>> inner = LogisticRegression(max_iter=5000)
        >>> model = TunedThresholdClassifierCV(inner, scoring=costs.scorer()).fit(X, y)
        >>> bool(model.best_threshold_ > 0.5)  # of "benign"
        True
        """
        from sklearn.metrics import make_scorer

        from .scores import expected_loss

        return make_scorer(
            expected_loss, greater_is_better=False, costs=self.values, classes=self.classes
        )

    def frame(self) -> pd.DataFrame:
        """A DataFrame: predicted classes its index, true ones its columns."""
        import pandas as pd

        names = list(self.classes)
        index, columns = pd.Index(names, name="predicted"), pd.Index(names, name="true")
        return pd.DataFrame(self.values, index=index, columns=columns)

    def to_dict(self) -> dict[Any, dict[Any, float]]:
        """``{predicted: {true: cost}}``."""
        rows = zip(self.classes, self.values.tolist(), strict=True)
        return {name: dict(zip(self.classes, row, strict=True)) for name, row in rows}

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, CostMatrix):
            return NotImplemented
        return self.classes == other.classes and np.array_equal(self.values, other.values)


def cost_cells(costs: Mapping[Any, Any], classes: Sequence[Any]) -> dict[tuple[int, int], Any]:
    """(predicted, true) codes -> what a mapping says there, 0 on a diagonal that it leaves out.

    Raises
    ------
    PlanError
        A class is unknown, or the cost of an error is missing.
    """
    place = {name: code for code, name in enumerate(classes)}
    for name in costs:
        if name not in place:
            raise PlanError(f"costs name {name!r}, not a class here: {_meant_class(name, classes)}")
    cells: dict[tuple[int, int], Any] = {(k, k): 0.0 for k in range(len(classes))}
    by_pair = any(isinstance(one, Mapping) for one in costs.values())
    for name, found in costs.items():
        if not by_pair:
            cells |= {(i, place[name]): found for i in range(len(classes)) if i != place[name]}
            continue
        if not isinstance(found, Mapping):
            raise PlanError(
                f"costs: {name!r} has {value_text(found)} where others have a table: give costs by "
                "predicted class, each a table of true classes"
            )
        for true, cost in found.items():
            if true not in place:
                raise PlanError(
                    f"costs of calling it {name!r} name {true!r}, not a class here: "
                    f"{_meant_class(true, classes)}"
                )
            cells[place[name], place[true]] = cost
    for i, predicted in enumerate(classes):
        for j, true in enumerate(classes):
            if (i, j) not in cells:
                what = f"calling {true!r} {predicted!r}" if by_pair else f"an error on {true!r}"
                raise PlanError(f"costs do not say what {what} costs: add it (0 if nothing)")
    return cells


def number_table(values: Any, name: str) -> np.ndarray:
    """A copy as float64.

    Raises
    ------
    PlanError
        It holds text, or its rows are of different lengths.
    """
    try:
        return np.array(values, dtype=np.float64)
    except (TypeError, ValueError):
        raise PlanError(
            f"{name} = {value_text(values)}: give numbers, in rows (predicted) of one length"
        ) from None


def _meant_class(name: Any, classes: Sequence[Any]) -> str:
    """The nearest class, or that it is one but for its type."""
    same = [one for one in classes if str(one) == str(name)]
    if same:
        return f"it is {same[0]!r}, of type {type(same[0]).__name__}"
    return nearest_hint(name, classes)


def check_costs(
    values: np.ndarray, classes: Sequence[Any], samples: Sequence[Any] | None = None
) -> None:
    """Refuse costs (C, C), or (n, C, C) of samples, under which no sensible decision exists.

    A sample may have a prediction that is never an error: that is what it is called, and others
    are not. `samples` are their names, by default their numbers from 0.
    """
    C = len(classes)
    if C < 2 or len(set(classes)) < C:
        raise PlanError(f"costs are of two or more different classes, not {listed_names(classes)}")
    if values.shape[-2:] != (C, C):
        raise PlanError(
            f"costs of shape {values.shape} for the {C} classes {listed_names(classes)}: give {C} "
            f"rows (predicted) of {C} columns (true)"
        )
    if not np.isfinite(values).all():
        raise PlanError("costs hold a value that is missing or infinite: give finite numbers")
    tables = values.reshape(-1, C, C)
    reduced = tables - tables.diagonal(axis1=1, axis2=2)[:, None, :]

    def costs_text(k: int) -> str:
        if values.ndim == 2:
            return "costs"
        return f"costs of sample {(int(k) if samples is None else samples[k])!r}"

    if (reduced < 0).any():
        k, i, j = np.argwhere(reduced < 0)[0]
        if tables[k, j, j] == 0:
            raise PlanError(
                f"{costs_text(k)}: calling {classes[j]!r} {classes[i]!r} costs "
                f"{tables[k, i, j]:g}, less than 0, which being right costs: give a number above 0"
            )
        raise PlanError(
            f"{costs_text(k)}: calling {classes[j]!r} {classes[i]!r} costs less than being right "
            f"about it: raise that cost, or lower the one of calling {classes[j]!r} what it is"
        )
    far = (np.abs(tables) > MAX_COST) | ((reduced > 0) & (reduced < MIN_COST))
    if far.any():
        k, i, j = np.argwhere(far)[0]
        raise PlanError(
            f"{costs_text(k)}: calling {classes[j]!r} {classes[i]!r} costs {tables[k, i, j]:.3g}: "
            f"give costs between {MIN_COST:g} and {MAX_COST:g}, in another unit"
        )
    free = (reduced == 0).all(axis=2)
    if values.ndim == 2 and free.any():
        _, i = np.argwhere(free)[0]
        raise PlanError(
            f"costs: predicting {classes[i]!r} is never an error, so every sample would be called "
            "that: give its errors a cost"
        )


def expected_costs(proba: np.ndarray, costs: np.ndarray) -> np.ndarray:
    """sum_j P(j | x) C(i, j) of probabilities (m, C) under costs (C, C), or (m, C, C) of each
    sample's own: (m, C)."""
    if costs.ndim == 2:
        return proba @ costs.T
    return (costs * proba[:, None, :]).sum(axis=2)


def least_risk(proba: np.ndarray, costs: np.ndarray) -> np.ndarray:
    """Codes of the predictions of least expected cost (m,); of equal risks the first."""
    return expected_costs(proba, costs).argmin(axis=1)
