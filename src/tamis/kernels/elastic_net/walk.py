"""The path down the lambdas: screening of columns, warm starts, certificates."""

from __future__ import annotations

import numpy as np

from .._jit import jit
from ..huberized_svm.columns import Screen, copy_row, look_at_columns, open_screen, write_column
from .systems import TALL_RATIO, open_gram
from .working_set import ENTERING_EXCESS, solve_working_set

# at most max(MIN_JOINING_COLUMNS, active columns) join at once for each class
MAX_ROUNDS, MIN_JOINING_COLUMNS = 500, 20
LEAST_DEPTH = 5  # lambdas before the path may end by itself


@jit
def null_loss(problem):
    """The loss of a fit of intercepts alone, and these (K,): logarithms of the class shares, or the
    mean of a number."""
    if len(problem.values) > 0:
        mean = np.full(1, np.sum(problem.v * problem.values) / problem.v.sum())
        return np.sum(problem.v * (problem.values - mean[0]) ** 2) / 2, mean
    groups = max(problem.classes, 2)
    shares = np.zeros(groups)
    for i in range(len(problem.codes)):
        shares[problem.codes[i]] += problem.v[i]
    shares /= shares.sum()
    first = np.zeros(problem.classes)
    loss = 0.0  # the entropy of the shares; every class has rows, so no logarithm is of 0
    for k in range(groups):
        loss -= shares[k] * np.log(shares[k])
    if problem.classes == 1:
        first[0] = np.log(shares[1] / shares[0])
    else:
        # adding the same to all intercepts changes no probability: those of sum 0 are taken
        first[:] = np.log(shares) - np.log(shares).mean()
    return loss * problem.v.sum(), first


@jit
def null_model(problem, table):
    """Coefficients (K, 1 + q) of a fit of the free columns alone, and its pulls (K, n)."""
    classes, n = problem.classes, len(problem.v)
    base = np.zeros((classes, len(problem.free)))
    _, base[:, 0] = null_loss(problem)
    eta, pulls = np.empty((classes, n)), np.empty((classes, n))
    nothing, none = np.empty((classes, 0)), np.empty(0)
    grams = [open_gram(0, 0) for _ in range(classes)]
    # an empty working set, l1 = l2 = 0; residuals are measured by 0.1, as there is no lambda
    solve_working_set(
        problem,
        table,
        grams,
        np.empty((0, n)),
        np.empty(0, np.int64),
        none,
        none,
        0.0,
        0.0,
        0.1,
        base,
        nothing,
        eta,
        pulls,
        nothing.copy(),
    )
    return base, pulls


@jit
def walk_lambdas(problem, table, ridge, base, lambdas, alpha, settled, nearly_all):
    """Solutions at falling lambdas, as sparse rows; see `Path`.

    Columns come divided by their penalty factors, so that all have the threshold alpha lambda;
    `ridge` (p,) is then 1 / factor. The path ends by itself once the share of the deviance
    explained is over `nearly_all`, or a lambda raises it by less than `settled` of itself; -1 for
    never.

    Returns
    -------
    starts : (L + 1,) int64
        Solution l is in the places starts[l], ..., starts[l + 1] - 1 of the next two.
    indices : (m,) int64
        Columns, rising in each solution.
    values : (m, K)
    bases : (L, K, 1 + q)
    diagnostics : (2, L)
        kkt and loss.
    """
    classes, n = problem.classes, len(problem.v)
    screen = open_screen(table, n)
    p, q = len(screen.norms), len(problem.free)
    screens = [screen]
    for _ in range(1, classes):
        screens.append(open_other(screen, n))
    # room for G (n, n) only where a system may be turned: with a ridge, and more active columns
    # than TALL_RATIO n
    rows = n if alpha < 1 and TALL_RATIO * n < p else 0
    grams = [open_gram(rows, p if rows > 0 else 0) for _ in range(classes)]
    names, c = np.empty(0, np.int64), np.empty((classes, 0))  # the working set
    part, own_ridge = np.empty((2 * MIN_JOINING_COLUMNS, n)), np.empty(2 * MIN_JOINING_COLUMNS)
    base = base.copy()
    eta, pulls = np.empty((classes, n)), np.empty((classes, n))
    likely, marked = np.empty(p, np.int64), np.zeros(p, np.bool_)
    counts = np.zeros(classes, np.int64)
    if alpha == 0:  # every column is in use, so there is nothing to screen
        everything = np.arange(p)
        names, c, part, own_ridge = exchange_working_set(
            names, c, part, own_ridge, everything, table, ridge, screen
        )
    size, done, last = len(lambdas), 0, 0
    starts, bases = np.zeros(size + 1, np.int64), np.empty((size, classes, q))
    diagnostics = np.full((2, size), np.nan)  # kkt and loss of each lambda
    indices, values = np.empty(1024, np.int64), np.empty((1024, classes))
    nothing, _ = null_loss(problem)
    for scale in lambdas:
        l1, l2 = alpha * scale, (1 - alpha) * scale
        # the strong rule (Tibshirani et al. 2012): columns with |z_j| > 2 l1 - (l1 of the lambda
        # before) join at once, of those listed at the last look, whose |z_j| is known exactly
        if done > 0 and l1 > 0:
            limit = 2 * l1 - alpha * lambdas[done - 1]
            found = violating_columns(  # with room for all
                screens, counts, limit, MIN_JOINING_COLUMNS * p, likely, marked
            )
            if found > 0:
                names, c, part, own_ridge = exchange_working_set(
                    names, c, part, own_ridge, likely[:found], table, ridge, screen
                )
        loss, kkt = 0.0, 0.0
        z = np.empty((0, 0))
        # solve on the working set and let columns join that violate |z_j| <= l1, until none does
        for _ in range(MAX_ROUNDS):
            m = len(names)
            z = np.empty((classes, m))
            loss, kkt = solve_working_set(
                problem,
                table,
                grams,
                part[:m],
                names,
                own_ridge[:m],
                ridge,
                l1,
                l2,
                scale,
                base,
                c,
                eta,
                pulls,
                z,
            )
            if l1 == 0:
                break
            active = 0
            for j in range(m):
                active += int(c[:, j].any())
            for k in range(classes):
                counts[k] = look_at_columns(table, screens[k], pulls[k], l1)
            limit = l1 + ENTERING_EXCESS * scale  # less of an excess is rounding
            found = violating_columns(
                screens, counts, limit, max(MIN_JOINING_COLUMNS, active), likely, marked
            )
            if found == 0:
                break
            names, c, part, own_ridge = exchange_working_set(
                names, c, part, own_ridge, likely[:found], table, ridge, screen
            )
        # `kkt` covers the working set; of other columns only those listed may exceed l1
        if l1 > 0:
            for k in range(classes):
                for name in screens[k].listed[: counts[k]]:
                    kkt = max(kkt, (screens[k].upper[name] - l1) / scale)
        for j in range(p):
            at = screen.place[j]
            if at < 0 or not c[:, at].any():
                continue
            if last == len(indices):
                indices, values = doubled_room(indices, values)
            indices[last] = j
            for k in range(classes):
                values[last, k] = c[k, at]
            last += 1
        starts[done + 1] = last
        bases[done] = base
        diagnostics[0, done], diagnostics[1, done] = kkt, loss
        done += 1
        explained = 1 - loss / nothing
        if nearly_all >= 0 and explained > nearly_all:
            break
        # `done` counts this lambda, so that done - 2 is the one before
        gain = (diagnostics[1, done - 2] - loss) / nothing if done > LEAST_DEPTH else np.inf
        if settled >= 0 and gain < settled * explained:
            break
    return (
        starts[: done + 1].copy(),
        indices[:last].copy(),
        values[:last].copy(),
        bases[:done].copy(),
        diagnostics[:, :done].copy(),
    )


@jit
def open_other(screen, n):
    """A screen of another class: products of its own, the same columns and working set."""
    p, spent = len(screen.norms), np.empty(1, np.int64)
    spent[0] = p  # so that its first look is at all columns
    return Screen(
        screen.norms,
        np.zeros(p),
        np.zeros(n),
        np.zeros(p),
        screen.place,
        np.empty(p, np.int64),
        screen.scratch,
        screen.doubtful,
        spent,
    )


@jit
def violating_columns(screens, counts, limit, room, likely, marked):
    """Columns listed with |z_j| over the limit in any class; of too many, those of largest |z_j|.

    They are written to the front of `likely`; returns their number. `marked` (p,) is False
    everywhere before and after the call.
    """
    found = 0
    for k in range(len(screens)):
        upper = screens[k].upper
        listed = screens[k].listed[: counts[k]].copy()
        count, total = move_to_front(listed, upper, limit)
        # of too many those above the mean, about half, which needs no sorting; just below it, as
        # rounding may put the mean of equal values above them
        while count > room:
            left, total = move_to_front(listed[:count], upper, total / count * (1 - 1e-12))
            if left == count:  # all equal
                break
            count = left
        for name in listed[:count]:
            # several classes may list a column: it joins once
            if not marked[name] and screens[k].place[name] < 0:
                marked[name] = True
                likely[found] = name
                found += 1
    for name in likely[:found]:  # undone where it was done, without a pass over all columns
        marked[name] = False
    return found


@jit
def move_to_front(names, z, limit):
    """Move the names with z over the limit to the front; returns their number and sum of z."""
    found, total = 0, 0.0
    for k in range(len(names)):
        if z[names[k]] > limit:
            names[found] = names[k]
            total += z[names[k]]
            found += 1
    return found, total


@jit
def is_used(c, j):
    """Whether the coefficient of column j is other than 0 in any class."""
    for k in range(len(c)):  # noqa: SIM110
        if c[k, j] != 0:
            return True
    return False


@jit
def exchange_working_set(names, c, part, own_ridge, new, table, ridge, screen):
    """Drop the columns at 0 in every class from the working set and add the `new` ones.

    Returns the names, coefficients, columns and ridge of the new set; columns and ridge may have
    more room than names.
    """
    left, n = 0, part.shape[1]
    for j in range(len(names)):
        screen.place[names[j]] = -1
        if is_used(c, j):
            if left < j:  # closes the gap that dropped columns leave
                copy_row(part[left], part[j])
                own_ridge[left], names[left] = own_ridge[j], names[j]
                for k in range(len(c)):  # assigning a slice takes a second to compile
                    c[k, left] = c[k, j]
            left += 1
    m = left + len(new)
    if m > len(part):
        # at least doubled, so that columns are seldom copied, but never more than all columns
        room = max(m, min(2 * len(part), len(ridge)))
        wider, other = np.empty((room, n)), np.empty(room)
        for j in range(left):
            copy_row(wider[j], part[j])
            other[j] = own_ridge[j]
        part, own_ridge = wider, other
    more, held = np.empty(m, np.int64), np.zeros((len(c), m))
    copy_row(more[:left], names[:left])
    for k in range(len(c)):
        for j in range(left):
            held[k, j] = c[k, j]
    for j in range(left, m):
        more[j] = new[j - left]
        write_column(table, more[j], part[j])
        own_ridge[j] = ridge[more[j]]
    for j in range(m):
        screen.place[more[j]] = j
    return more, held, part, own_ridge


@jit
def doubled_room(indices, values):
    """Copies of both arrays with twice the room."""
    size = len(indices)
    wider, taller = np.empty(2 * size, np.int64), np.empty((2 * size, values.shape[1]))
    for i in range(size):
        wider[i] = indices[i]
        for k in range(values.shape[1]):
            taller[i, k] = values[i, k]
    return wider, taller
