"""Exact optimal transport between two sets of samples of equal weight.

Kantorovich (1942); on finitely many points it is a linear program. For sets of equal size it is an
assignment problem, for costs of 0 and 1 a maximum flow. Otherwise most pairs of samples are left
out of the program at first: the prices (dual values) of a solution show which pairs would lower the
cost, and these are added. Where there is none, the solution is that of the full program.
"""

from __future__ import annotations

import math

import numpy as np

N_ENTERING_PAIRS = 8  # pairs of each sample that enter the program at a time
COST_TOLERANCE = 1e-9  # in units of the largest cost


def transport_cost(cost: np.ndarray) -> float:
    """Least mean cost of moving the samples of the rows onto those of the columns.

    Parameters
    ----------
    cost : (n0, n1) float64
        Costs of moving one sample onto another, finite and at least 0. Rows have weights 1/n0,
        columns 1/n1.

    Returns
    -------
    float
        The infimum over all couplings, within 1e-9 of the largest cost.

    Examples
    --------
    >>> transport_cost(np.array([[0.0, 1.0], [1.0, 3.0]])), transport_cost(np.array([[0.0, 1.0]]))
    (1.0, 0.5)
    """
    from scipy.optimize import linear_sum_assignment

    n0, n1 = cost.shape
    top = float(cost.max())
    if top == 0:
        return 0.0
    if n0 == n1:  # some permutation is optimal (Birkhoff)
        return float(cost[linear_sum_assignment(cost)].mean())
    # weights 1/n0 and 1/n1 times lcm(n0, n1): whole numbers, so that flows are whole numbers too
    shared = math.gcd(n0, n1)
    # costs as savings from the largest, in units of it: sum of flow times cost = total - saved
    saved = _largest_saving(1 - cost / top, n1 // shared, n0 // shared)
    return top * max(0.0, 1 - saved / (n0 * n1 // shared))


def movable_share(near: np.ndarray) -> float:
    """The largest share of the rows' weight that can be moved onto near columns.

    One minus `transport_cost` where near pairs cost 0 and others 1, as a maximum flow: the linear
    program is slow where most costs are equal.

    Parameters
    ----------
    near : (n0, n1) bool
        Which columns are near each row. Rows have weights 1/n0, columns 1/n1.

    Examples
    --------
    >>> movable_share(np.array([[True, False, False], [True, True, False]]))
    0.6666666666666666
    """
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import maximum_flow

    if near.all() or not near.any():
        return float(near[0, 0])
    n0, n1 = near.shape
    shared = math.gcd(n0, n1)
    rows, columns = np.nonzero(near)
    source, sink = n0 + n1, n0 + n1 + 1  # nodes 0 to n0 - 1 are rows, then come columns
    starts = np.concatenate([np.full(n0, source), rows, n0 + np.arange(n1)])
    ends = np.concatenate([np.arange(n0), n0 + columns, np.full(n1, sink)])
    # capacities: a row's weight; the larger weight, which is no limit, for near pairs; a column's
    most = np.repeat([n1, max(n0, n1), n0], [n0, len(rows), n1]) // shared
    graph = csr_array((most.astype(np.int32), (starts, ends)), shape=(sink + 1, sink + 1))
    return float(maximum_flow(graph, source, sink).flow_value) / (n0 * n1 // shared)


def _largest_saving(saving: np.ndarray, supply: int, demand: int) -> float:
    """Largest sum of flow times saving (n0, n1), with `supply` a row and `demand` a column.

    These are upper limits. What is not moved saves nothing, and stands for a move at the largest
    cost: pairs of that cost are never needed, and the program is feasible whichever pairs it has.
    """
    used = _largest_few(saving)
    if not used.any():
        return 0.0
    while True:
        rows, columns = np.nonzero(used)
        value, row_prices, column_prices = _solve_program(rows, columns, saving, supply, demand)
        # dual feasibility: saving <= price of the row + price of the column. Where it holds for all
        # pairs the value is that of the full program; each turn adds a pair, so the loop ends.
        missed = saving - row_prices[:, None] - column_prices
        missed[used] = 0.0
        if missed.max() <= COST_TOLERANCE:
            return value
        used |= _largest_few(missed)


def _largest_few(values: np.ndarray) -> np.ndarray:
    """Mask (n0, n1) of values above 0 that are among the largest of their row or column."""
    found = np.zeros(values.shape, dtype=bool)
    for axis in (0, 1):
        few = min(N_ENTERING_PAIRS, values.shape[axis])
        places = np.argpartition(-values, few - 1, axis=axis).take(range(few), axis=axis)
        np.put_along_axis(found, places, True, axis=axis)
    return found & (values > COST_TOLERANCE)


def _solve_program(
    rows: np.ndarray, columns: np.ndarray, saving: np.ndarray, supply: int, demand: int
) -> tuple[float, np.ndarray, np.ndarray]:
    """The program on the pairs (rows, columns): its value, prices of rows and prices of columns."""
    from scipy.optimize import linprog
    from scipy.sparse import csr_array

    (n0, n1), m = saving.shape, len(rows)
    # a pair's flow counts in the limits of its row and of its column
    places = (np.concatenate([rows, n0 + columns]), np.tile(np.arange(m), 2))
    limits = np.repeat([float(supply), float(demand)], [n0, n1])
    found = linprog(
        -saving[rows, columns],
        A_ub=csr_array((np.ones(2 * m), places), shape=(n0 + n1, m)),
        b_ub=limits,
        method="highs-ds",
        options={"dual_feasibility_tolerance": 1e-10, "primal_feasibility_tolerance": 1e-10},
    )
    if found.status != 0:
        raise RuntimeError(f"transport: {found.message}")
    # the vertices of such a program are whole numbers, and the simplex method ends at one
    flow = np.rint(found.x)
    prices = -found.ineqlin.marginals  # linprog minimises: its marginals are not positive
    return float(flow @ saving[rows, columns]), prices[:n0], prices[n0:]
