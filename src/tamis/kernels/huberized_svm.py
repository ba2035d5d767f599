"""The huberised SVM with an elastic net at one lambda: Newton steps on a piecewise quadratic.

    min  F = sum_i v_i phi(y_i (b0 + x_i b)) + l1 |b|_1 + (l2 / 2) |b|_2^2

Within a fixed set E of rows on the elbow of phi and fixed signs of the active columns F is a
quadratic, so its minimum is one linear solve. A step that would leave that region is cut by an
exact line search, which keeps F falling; coordinate descent takes over where Newton is stuck.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

RIDGE = 1e-11  # of the largest curvature: keeps the systems regular where l2 = 0
EXACT = 1e-13  # residual / l1 at which a working set counts as solved
ENTER = 1e-11  # excess / l1 over which a column joins the working set
POLISH = 1e-11  # gap over which the dual point is worth improving
MOST_STEPS, MOST_ROUNDS, SWEEPS = 500, 500, 100


class Problem(NamedTuple):
    """The data of one path: columns as rows of `columns`, weights already divided by n."""

    columns: np.ndarray  # (p, n)
    y: np.ndarray  # (n,), -1 or 1
    v: np.ndarray  # (n,), positive
    l2: float
    delta: float
    intercept: bool


class Certificate(NamedTuple):
    """What a solution is worth, whoever found it."""

    kkt: float  # largest violation of the optimality conditions, divided by l1
    gap: float  # (primal - dual) / primal at a feasible dual point
    primal: float


def loss(margins: np.ndarray, delta: float) -> np.ndarray:
    """phi: 0 above 1, quadratic on the elbow (1 - delta, 1], linear below."""
    short = np.maximum(1.0 - margins, 0.0)
    return np.where(short < delta, short * short / (2 * delta), short - delta / 2)


def pull(margins: np.ndarray, delta: float) -> np.ndarray:
    """-phi', the dual variable of each row, from 0 (margin above 1) to 1 (below the elbow)."""
    return np.minimum(np.maximum((1.0 - margins) / delta, 0.0), 1.0)


def intercept_only(positive: float, negative: float, delta: float) -> float:
    """The exact minimiser over b0 of positive phi(b0) + negative phi(-b0).

    The slope is continuous, rising and linear between the four points where a class enters
    or leaves its elbow; where it is 0 on an interval, the middle is taken.
    """
    knots = np.unique([1.0, 1.0 - delta, -1.0, delta - 1.0])
    slope = negative * pull(-knots, delta) - positive * pull(knots, delta)
    flat = knots[slope == 0]
    if len(flat):
        return float((flat[0] + flat[-1]) / 2)
    k = int(np.argmax(slope > 0))
    share = -slope[k - 1] / (slope[k] - slope[k - 1])
    return float(knots[k - 1] + share * (knots[k] - knots[k - 1]))


def certify(problem: Problem, l1: float, b0: float, b: np.ndarray) -> Certificate:
    """Violation of the optimality conditions and duality gap of any (b0, b).

    The conjugate is phi*(-a) = -a + delta a^2 / 2 for a in [0, 1], else infinite, so with
    z = sum_i v_i a_i y_i x_i the dual is

        max  sum_i v_i (a_i - delta a_i^2 / 2) - sum_j (|z_j| - l1)_+^2 / (2 l2)
        over a in [0, 1] with sum_i v_i a_i y_i = 0 (if there is an intercept);

    with l2 = 0 the last term becomes |z_j| <= l1. The point tried is a = -phi'(margins), the
    heavier class scaled down to balance; and the same shrunk until all |z_j| <= l1, which is
    feasible whatever l2 is. The better of the two counts.
    """
    columns, y, v, l2, delta, intercept = problem
    active = np.flatnonzero(b)
    part, sign = columns[active], np.sign(b[active])
    margins = y * (b0 + b[active] @ part)
    a = pull(margins, delta)
    z = columns @ (v * y * a)
    missing = l2 * b[active] + l1 * sign - z[active]
    imbalance = float((v * y) @ a) if intercept else 0.0
    idle = np.abs(z)
    idle[active] = 0.0
    kkt = max(float(idle.max(initial=0.0)) - l1, float(np.abs(missing).max(initial=0.0)))
    kkt = max(kkt, abs(imbalance), 0.0) / l1
    primal = float(v @ loss(margins, delta) + l1 * np.abs(b).sum() + l2 / 2 * (b @ b))
    gap = max(primal - dual_value(problem, l1, a), 0.0) / primal
    elbow = (a > 0) & (a < 1)
    if gap > POLISH and elbow.any() and len(active):
        # on a narrow elbow rounding of the margins is magnified 1 / delta times in a; any a
        # will do for the dual, so move it to where the active columns are exact
        pulls = part[:, elbow] * (v * y)[elbow]
        target = missing
        if intercept:
            pulls = np.vstack([pulls, (v * y)[elbow]])
            target = np.append(missing, -imbalance)
        change = np.linalg.lstsq(pulls, target, rcond=1e-13)[0]
        a = a.copy()
        a[elbow] = np.clip(a[elbow] + change, 0.0, 1.0)
        gap = min(gap, max(primal - dual_value(problem, l1, a), 0.0) / primal)
    return Certificate(kkt, gap, primal)


def dual_value(problem: Problem, l1: float, a: np.ndarray) -> float:
    """The dual objective at a feasible point near `a`: balanced, and shrunk where it must be."""
    columns, y, v, l2, delta, intercept = problem
    if intercept:
        positive, negative = v[y > 0] @ a[y > 0], v[y < 0] @ a[y < 0]
        if positive != negative:
            heavy = 1.0 if positive > negative else -1.0
            share = min(positive, negative) / max(positive, negative)
            a = np.where(y == heavy, a * share, a)
    z = np.abs(columns @ (v * y * a))
    top = float(z.max(initial=0.0))
    shrink = 1.0 if top <= l1 else l1 / top
    value = float(v @ (shrink * a - delta / 2 * (shrink * a) ** 2))
    if l2 > 0:
        excess = np.maximum(z - l1, 0.0)
        value = max(value, float(v @ (a - delta / 2 * a * a) - excess @ excess / (2 * l2)))
    return value


def solve(problem: Problem, l1: float, b0: float, b: np.ndarray) -> tuple[float, np.ndarray]:
    """The minimum at l1 from the warm start (b0, b): working set, full gradient, violators."""
    columns, y, v, _, delta, _ = problem
    b = b.copy()
    work = np.flatnonzero(b)
    for _ in range(MOST_ROUNDS):
        part = columns[work]
        b0, b[work] = solve_working_set(problem, part, l1, b0, b[work])
        pulls = v * y * pull(y * (b0 + b[work] @ part), delta)
        excess = np.abs(columns @ pulls) - l1
        excess[work] = -np.inf
        out = np.flatnonzero(excess > ENTER * l1)
        if not len(out):
            break
        active = work[b[work] != 0]
        most = max(20, len(active))
        if len(out) > most:
            out = out[np.argpartition(-excess[out], most)[:most]]
        work = np.concatenate([active, out])
    return b0, b


def solve_working_set(
    problem: Problem, part: np.ndarray, l1: float, b0: float, b: np.ndarray
) -> tuple[float, np.ndarray]:
    """The minimum over the columns in `part` (k, n) and the intercept."""
    _, y, v, l2, delta, intercept = problem
    b, best, idle_steps, full_steps = b.copy(), np.inf, 0, 0
    curvature = float((part * part @ v).max(initial=0.0)) / delta or 1.0
    ridge, ridge0 = l2 + RIDGE * curvature, RIDGE * v.sum() / delta
    f = b0 + b @ part
    kept = (b0, b)
    for step in range(MOST_STEPS):
        a = pull(y * f, delta)
        pulls = v * y * a
        g0, g = (-float(pulls.sum()) if intercept else 0.0), l2 * b - part @ pulls
        sign = np.where(b != 0, np.sign(b), np.where(np.abs(g) > l1, -np.sign(g), 0.0))
        slope = np.where(sign != 0, g + l1 * sign, 0.0)
        residual = max(float(np.abs(slope).max(initial=0.0)), abs(g0))
        # full steps within one region only refine; when they no longer halve the residual,
        # what is left of it is rounding
        full_steps = 0 if residual < best / 2 else full_steps
        idle_steps = 0 if residual < best else idle_steps + 1
        if residual < best:
            best, kept = residual, (b0, b.copy())
        if residual <= EXACT * l1 or full_steps > 3 or (idle_steps > 3 and best <= ENTER * l1):
            break
        elbow = np.flatnonzero((a > 0) & (a < 1))
        d0, d = direction(part, elbow, v / delta, g0, slope, sign, b, (ridge0, ridge), intercept)
        moves = d0 + d @ part
        if same_region(y * f, y * moves, b, d, delta):
            # where the ridge outweighs a flat direction, the step is far too short
            t = line_search(problem, l1, f, moves, b, d) if full_steps else 1.0
            t, full_steps = t or 1.0, full_steps + 1
        else:
            t, full_steps = line_search(problem, l1, f, moves, b, d), 0
        if t == 0 or step % 50 == 49:
            b0, b = descend(problem, part, l1, b0, b, SWEEPS)
        else:
            b0 += t * d0
            landed = (b != 0) & (d != 0) & (t == -b / np.where(d == 0, 1.0, d))
            b = np.where(landed, 0.0, b + t * d)
        f = b0 + b @ part
    return kept


def direction(part, elbow, bend, g0, slope, sign, b, ridges, intercept):
    """Newton direction over the columns with a sign, at fixed elbow.

    A column that is still at 0 may only leave in the direction of its sign; those that would
    not are left out and the rest solved again. If that leaves nothing to do, the steepest
    column moves alone with the active ones, which always descends (feature-sign search, Lee,
    Battle, Raina & Ng 2006).
    """
    chosen = np.flatnonzero(sign)
    d = np.zeros(len(b))
    while True:
        small = part[chosen][:, elbow]
        d0, d_chosen = newton(small, bend[elbow], g0, slope[chosen], ridges, intercept)
        wrong = (b[chosen] == 0) & (d_chosen * sign[chosen] <= 0)
        if not wrong.any():
            break
        chosen = chosen[~wrong]
        if not (b[chosen] == 0).any():
            new = np.flatnonzero((sign != 0) & (b == 0))
            steepest = new[np.argmax(np.abs(slope[new]))]
            chosen = np.sort(np.append(np.flatnonzero(b), steepest))
            small = part[chosen][:, elbow]
            d0, d_chosen = newton(small, bend[elbow], g0, slope[chosen], ridges, intercept)
            bad = (b[chosen] == 0) & (d_chosen * sign[chosen] <= 0)
            if bad.any():
                chosen = np.flatnonzero(b)
                small = part[chosen][:, elbow]
                d0, d_chosen = newton(small, bend[elbow], g0, slope[chosen], ridges, intercept)
            break
    d[chosen] = d_chosen
    return d0, d


def newton(rows, bend, g0, g, ridges, intercept):
    """Solve (R + Z' B Z) d = -g, Z = (1, rows'), B = diag(bend), R = diag(ridges).

    `rows` is (k, e): k columns, e rows on the elbow. By k + 1 unknowns, or, where columns
    outnumber the elbow, by the e + 1 unknowns a = B Z d and d0 (Woodbury):
    (ridge / B + X X') a - ridge d0 = -X g, and sum(a) + ridge0 d0 = -g0.
    """
    ridge0, ridge = ridges
    k, e = rows.shape
    if k <= e:
        system = np.empty((k + 1, k + 1))
        bent = rows * bend
        system[1:, 1:] = bent @ rows.T
        system[1:, 0] = system[0, 1:] = bent.sum(axis=1) if intercept else 0.0
        system[0, 0] = bend.sum() + ridge0 if intercept else 1.0
        system[np.arange(1, k + 1), np.arange(1, k + 1)] += ridge
        d = np.linalg.solve(system, -np.concatenate([[g0], g]))
        return d[0], d[1:]
    system = np.empty((e + 1, e + 1))
    system[:e, :e] = rows.T @ rows
    system[np.arange(e), np.arange(e)] += ridge / bend
    system[:e, e] = -1.0 if intercept else 0.0
    system[e, :e] = 1.0 if intercept else 0.0
    system[e, e] = ridge0 / ridge if intercept else 1.0
    a = np.linalg.solve(system, -np.concatenate([g @ rows, [g0]]))
    return a[e] / ridge, -(g + rows @ a[:e]) / ridge


def same_region(margins, moves, b, d, delta) -> bool:
    """Whether the full step keeps every row on its piece of phi and every sign."""
    before, after = pull(margins, delta), pull(margins + moves, delta)
    same_rows = ((before > 0) == (after > 0)) & ((before < 1) == (after < 1))
    return bool(same_rows.all() and (b * (b + d) >= 0).all())


def line_search(problem: Problem, l1, f, moves, b, d) -> float:
    """The exact minimiser t >= 0 of F along a direction.

    The slope rises, is linear between the points where a row meets an end of its elbow or a
    coefficient meets 0, and jumps at the latter.
    """
    _, y, v, l2, delta, _ = problem
    margins, dm = y * f, y * moves
    zero_at = np.divide(-b, d, out=np.full(len(b), np.inf), where=d != 0)
    zero_at[(zero_at <= 0) & (b != 0)] = np.inf
    zero_at[b == 0] = 0.0
    moving = dm != 0
    with np.errstate(over="ignore"):
        ends = [(1.0 - margins[moving]) / dm[moving], (1.0 - delta - margins[moving]) / dm[moving]]
    knots = np.concatenate([[0.0], *ends, zero_at])
    knots = np.unique(knots[(knots >= 0) & np.isfinite(knots)])
    before, after, bd, dd = np.sign(b), np.sign(d), b @ d, d @ d

    def slope(t, right):
        signs = np.where(t >= zero_at if right else t > zero_at, after, before)
        return -(v * pull(margins + t * dm, delta)) @ dm + l1 * (signs @ d) + l2 * (bd + t * dd)

    if slope(0.0, True) >= 0:
        return 0.0
    low, high = 0, len(knots)  # the slope right of knots[low] is negative; of knots[high] not
    while high - low > 1:
        middle = (low + high) // 2
        if slope(knots[middle], True) < 0:
            low = middle
        else:
            high = middle
    start, rise = knots[low], slope(knots[low], True)
    end = knots[high] if high < len(knots) else start + 1.0
    at_end = slope(end, False)
    if high < len(knots) and at_end <= 0:
        return float(end)
    return float(start + (end - start) * rise / (rise - at_end)) if at_end > rise else float(start)


def descend(problem: Problem, part, l1, b0, b, sweeps) -> tuple[float, np.ndarray]:
    """Coordinate descent on a quadratic that lies above F: slow, but F never rises."""
    _, y, v, l2, delta, intercept = problem
    b, f = b.copy(), b0 + b @ part
    bounds = part * part @ v / delta + l2
    bound0 = v.sum() / delta
    for _ in range(sweeps):
        if intercept:
            change = (v * y) @ pull(y * f, delta) / bound0
            b0, f = b0 + change, f + change
        for j in np.flatnonzero(bounds):
            target = bounds[j] * b[j] - l2 * b[j] + part[j] @ (v * y * pull(y * f, delta))
            new = np.sign(target) * max(abs(target) - l1, 0.0) / bounds[j]
            if new != b[j]:
                f = f + (new - b[j]) * part[j]
                b[j] = new
    return b0, b
