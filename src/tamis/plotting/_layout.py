"""Where the nodes of a graph stand: a force layout from a circle, the same every time.

``assets/graph.js`` does the same in the page.
"""

from __future__ import annotations

import numpy as np

N_ROUNDS, N_SEPARATING_ROUNDS = 300, 80
EDGE_PULL, GRAVITY_FORCE = 1.5, 0.5
MOST_LONE, DENSE_LONE = 0.6, 0.4  # of the height, for nodes without an edge; without labels
MAX_FILLED_SHARE = 0.6  # of the area that boxes may take; more would line them up in columns
# of a force that is a step, small enough not to swing; longest step
FORCE_GAIN, MAX_STEP = 0.15, 0.12


def layout_nodes(
    n: int,
    edges: np.ndarray,
    weights: np.ndarray,
    boxes: np.ndarray,
    area: tuple[float, float, float, float],
) -> np.ndarray:
    """Places of `n` nodes, whose boxes overlap as little as there is room for.

    Forces of Fruchterman and Reingold (1991): nodes repel one another by k^2/d, edges pull by
    d^2/k times their share of the heaviest weight, and a weak pull to the middle keeps parts
    together. Steps shorten to nothing over a fixed number of rounds. Nodes without an edge stand
    in rows at the foot.

    Parameters
    ----------
    n : int
    edges : ndarray of shape (e, 2)
    weights : ndarray of shape (e,)
    boxes : ndarray of shape (n, 4)
        What a node takes up, its label included: left, top, right, bottom, from its middle.
    area : tuple
        Left, top, right, bottom.

    Returns
    -------
    ndarray of shape (n, 2)
    """
    if n == 0:
        return np.zeros((0, 2))
    joined = np.isin(np.arange(n), edges)
    left, top, right, bottom = area
    lone = np.flatnonzero(~joined)
    at = np.zeros((n, 2))
    if len(lone):  # rows at the foot, in order
        share = (min(len(lone) / n, MOST_LONE) if joined.any() else 1.0) * (bottom - top)
        width, height = (boxes[lone, 2:] - boxes[lone, :2]).max(axis=0)
        rows, down = -(-len(lone) // max(1, int((right - left) // width))), -boxes[lone, 1]
        if rows > 1 and rows * height > share:  # no room for their labels
            width = height = 2 * boxes[lone, 2:].min()
            rows = -(-len(lone) // max(1, int((right - left) // width)))
            height = min(height, DENSE_LONE * (bottom - top) / rows)
            down = height / 2
        columns = -(-len(lone) // rows)
        row, column = np.divmod(np.arange(len(lone)), columns)
        at[lone, 0] = left + (column + 0.5) * (right - left) / columns
        at[lone, 1] = bottom + (row - rows) * height + down
        if not joined.any():
            at[lone, 1] -= (share - rows * height) / 2
        bottom -= rows * height
    inner = np.flatnonzero(joined)
    if len(inner):
        area = (left, top, right, bottom)
        places = settle_forces(len(inner), np.searchsorted(inner, edges), weights)
        at[inner] = push_apart(spread_over_area(places, boxes[inner], area), boxes[inner], area)
    return at


def settle_forces(n: int, edges: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """Where the forces come to rest; about one unit across."""
    angle = 2 * np.pi * np.arange(n) / n - np.pi / 2
    at = np.column_stack([np.cos(angle), np.sin(angle)]) * 0.5
    k = 1 / np.sqrt(n)
    degree = np.bincount(edges.ravel(), minlength=n)
    a, b = edges[:, 0], edges[:, 1]
    pull = EDGE_PULL * (0.3 + 0.7 * weights / max(weights.max(initial=0.0), 1e-300))
    pull = pull / np.sqrt(degree[a] * degree[b])  # else hubs swallow their neighbours
    for turn in range(N_ROUNDS):
        gap = at[:, None] - at[None]
        square = np.maximum((gap**2).sum(axis=2), 1e-4)
        force = (gap * (k**2 / square)[:, :, None]).sum(axis=1) - GRAVITY_FORCE * at
        along = at[b] - at[a]
        drawn = along * (np.hypot(*along.T) / k * pull)[:, None]
        np.add.at(force, a, drawn)
        np.add.at(force, b, -drawn)
        length = np.maximum(np.hypot(*force.T), 1e-12)
        step = np.minimum(FORCE_GAIN * length, MAX_STEP * (1 - turn / N_ROUNDS))
        at = at + force * (step / length)[:, None]
    return at


def spread_over_area(at: np.ndarray, boxes: np.ndarray, area: tuple[float, ...]) -> np.ndarray:
    """Places scaled to fill the area, a little more one way than the other if that helps."""
    low = np.array(area[:2]) - boxes[:, :2].min(axis=0)
    high = np.array(area[2:]) - boxes[:, 2:].max(axis=0)
    span = at.max(axis=0) - at.min(axis=0)
    scale = np.maximum(high - low, 1) / np.maximum(span, 1e-9)
    scale = np.minimum(scale, 1.5 * scale.min())
    return (low + high) / 2 + (at - (at.max(axis=0) + at.min(axis=0)) / 2) * scale


def push_apart(at: np.ndarray, boxes: np.ndarray, area: tuple[float, ...]) -> np.ndarray:
    """Boxes that overlap are pushed apart, each pair along the way that is shorter.

    Where there is no room for all the labels, only the nodes are.
    """
    n, room = len(at), MAX_FILLED_SHARE * (area[2] - area[0]) * (area[3] - area[1])
    if np.prod(boxes[:, 2:] - boxes[:, :2], axis=1).sum() > room:
        boxes = -boxes[:, 1:2] * [-1, -1, 1, 1]
    half = (boxes[:, 2:] - boxes[:, :2]) / 2
    shift = (boxes[:, 2:] + boxes[:, :2]) / 2
    centre = at + shift
    for _ in range(N_SEPARATING_ROUNDS):
        moved = False
        for i in range(n):
            for j in range(i + 1, n):
                gap = centre[j] - centre[i]
                over = half[i] + half[j] - np.abs(gap)
                if over[0] <= 0 or over[1] <= 0:
                    continue
                way = 0 if over[0] < over[1] else 1
                push = over[way] / 2 + 0.5
                push = push if gap[way] >= 0 else -push
                centre[i, way] -= push
                centre[j, way] += push
                moved = True
        centre = np.clip(centre, np.array(area[:2]) + half, np.array(area[2:]) - half)
        if not moved:
            break
    return centre - shift
