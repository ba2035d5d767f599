"""Kohonen's self-organising map, trained in batches on a hexagonal grid.

In each epoch every point goes to its nearest unit, and every unit to the mean of all points, each
weighted by how near its unit is on the grid (Kohonen 2013, Neural Networks 37:52-65, equation 8).
The map starts on the plane of the first two principal components, so that nothing is random.

MiniSom's `train_batch_offline` is the same update, point by point in Python (a golden holds the two
together): 20 epochs of 20,000 points of 100 values on 20 units take it 12 s, and 0.3 s here.
"""

from __future__ import annotations

import numpy as np

N_EPOCHS = 20
LAST_RADIUS = 0.5  # of the neighbourhood, in steps of the grid; below it there is none
# Relative to the squared length of points: units to which no point is nearest may come to coincide,
# and rounding, which differs between machines, must not choose between them.
TIE_TOLERANCE = 1e-12


def grid_shape(n_units: int) -> tuple[int, int]:
    """Rows and columns of the grid nearest a square that has at least `n_units` units.

    Examples
    --------
    >>> [grid_shape(k) for k in (2, 5, 10, 20)]
    [(1, 2), (2, 3), (3, 4), (4, 5)]
    """
    rows = max(1, round(np.sqrt(n_units)))
    return rows, -(-n_units // rows)


def grid_places(rows: int, columns: int) -> np.ndarray:
    """Centres of the units, (rows * columns, 2): x, then y; neighbours are 1 apart."""
    y, x = np.divmod(np.arange(rows * columns), columns)
    # hexagonal: every other row half a step aside, rows sqrt(3) / 2 apart
    return np.column_stack([x + 0.5 * (y % 2), y * np.sqrt(0.75)])


def principal_axes(points: np.ndarray, n_axes: int) -> tuple[np.ndarray, np.ndarray]:
    """Directions of the largest variance (n_axes, n) and the variances along them.

    The largest entry of each direction is positive.
    """
    centred = points - points.mean(axis=0)
    variances, axes = np.linalg.eigh(centred.T @ centred / len(points))
    # eigh sorts eigenvalues in rising order
    axes = axes[:, ::-1][:, :n_axes].T
    # the sign of an eigenvector is arbitrary: fix it by its largest entry
    largest = axes[np.arange(len(axes)), np.abs(axes).argmax(axis=1)]
    return axes * np.sign(largest)[:, None], np.maximum(variances[::-1][:n_axes], 0.0)


def turned_points(points: np.ndarray) -> np.ndarray:
    """Signs (m,) that turn every point to the side of the first principal direction."""
    main = np.linalg.eigh(points.T @ points)[1][:, -1]
    return np.where(points @ main < 0, -1.0, 1.0)


def nearest_units(
    points: np.ndarray, units: np.ndarray, mirrored: bool
) -> tuple[np.ndarray, np.ndarray]:
    """The nearest unit of each point, ties to the first, and the sign of the point there.

    Parameters
    ----------
    points : ndarray of shape (m, n)
        All of one length.
    units : ndarray of shape (u, n)
    mirrored : bool
        Whether a point may be taken with the other sign, if it is nearer so.

    Returns
    -------
    nearest : ndarray of shape (m,) of int
    signs : ndarray of shape (m,)
        1, or -1 where the mirrored point is the nearer one.
    """
    products = points @ units.T
    near = np.abs(products) if mirrored else products
    # |x - u|^2 less |x|^2, which is the same for all units
    apart = (units**2).sum(axis=1) - 2 * near
    tie = TIE_TOLERANCE * (points[:1] ** 2).sum()
    nearest = (apart <= apart.min(axis=1)[:, None] + tie).argmax(axis=1)
    # a product of about 0 is no reason to turn the point
    turned = mirrored & (products[np.arange(len(points)), nearest] < -tie)
    return nearest, np.where(turned, -1.0, 1.0)


def plane_start(points: np.ndarray, places: np.ndarray) -> np.ndarray:
    """Units (u, n) on the plane of the first two principal components.

    The grid spans one standard deviation to either side of the mean along each.
    """
    axes, variances = principal_axes(points, 2)
    reach = np.ptp(places, axis=0)
    # -1 to 1 along each side of the grid; 0 along a side of one unit
    at = 2 * (places - places.min(axis=0)) / np.where(reach > 0, reach, 1.0) - (reach > 0)
    return points.mean(axis=0) + (at * np.sqrt(variances)) @ axes


def train_map(
    points: np.ndarray, start: np.ndarray, places: np.ndarray, radii: np.ndarray, mirrored: bool
) -> np.ndarray:
    """Units (u, n) after one epoch for each radius of the Gaussian neighbourhood."""
    apart = ((places[:, None] - places) ** 2).sum(axis=2)
    units = start
    # u_c = sum_d h_cd sum_(x at d) x / sum_d h_cd n_d, h_cd = exp(-|r_c - r_d|^2 / (2 radius^2)):
    # sums by unit first, so that the neighbourhood is applied to u sums, not to m points
    for radius in radii:
        nearest, signs = nearest_units(points, units, mirrored)
        # points unit by unit, in the order of the points: one order of summation
        order = np.argsort(nearest, kind="stable")
        there, first = np.unique(nearest[order], return_index=True)
        sums, counts = np.zeros_like(units), np.bincount(nearest, minlength=len(units))
        sums[there] = np.add.reduceat((points * signs[:, None])[order], first, axis=0)
        weights = np.exp(-apart / (2 * radius**2))
        total = weights @ counts
        # a unit whose weights are all 0 in double precision stays where it is
        units = np.where(
            total[:, None] > 0, (weights @ sums) / np.where(total > 0, total, 1.0)[:, None], units
        )
    return units


def self_organising_map(
    points: np.ndarray, n_units: int, mirrored: bool = False
) -> tuple[np.ndarray, np.ndarray]:
    """A map of at least `n_units` units, trained from half its longer side down to `LAST_RADIUS`.

    Parameters
    ----------
    points : ndarray of shape (m, n)
        All of one length; n at least 2.
    n_units : int
    mirrored : bool, default=False
        As in `nearest_units`.

    Returns
    -------
    units : ndarray of shape (u, n)
    places : ndarray of shape (u, 2)
        From `grid_places`.
    """
    shape = grid_shape(n_units)
    places = grid_places(*shape)
    radii = np.geomspace(max(max(shape) / 2, LAST_RADIUS), LAST_RADIUS, N_EPOCHS)
    turned = points * turned_points(points)[:, None] if mirrored else points
    return train_map(turned, plane_start(turned, places), places, radii, mirrored), places
