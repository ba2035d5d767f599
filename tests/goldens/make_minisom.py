"""Maps of MiniSom after epochs of its batch training, for kernels/test_self_organising_map.py.

Needs MiniSom (2.3.6 made the file here):

    pip install minisom && python tests/goldens/make_minisom.py
"""

import json
from pathlib import Path

import numpy as np
from minisom import MiniSom

RADII = [2.0, 1.1, 0.6]


def trained(topology):
    """Points, start, places of the units and the units after one epoch for each radius."""
    rng = np.random.default_rng(7)
    points = rng.normal(size=(40, 5))
    points /= np.linalg.norm(points, axis=1, keepdims=True)
    peer = MiniSom(3, 4, 5, learning_rate=1.0, topology=topology, random_seed=1)
    peer.random_weights_init(points)
    start = peer.get_weights().copy()
    for radius in RADII:  # the first of an epoch has the radius as it is
        peer._sigma = radius
        peer.train_batch_offline(points, 1)
    places = [peer.convert_map_to_euclidean((i, j)) for i in range(3) for j in range(4)]
    return {
        "grid": topology,
        "radii": RADII,
        "points": points.round(15).tolist(),
        "start": start.reshape(12, 5).tolist(),
        "places": [[float(a) for a in place] for place in places],
        "units": peer.get_weights().reshape(12, 5).tolist(),
    }


if __name__ == "__main__":
    found = [trained(topology) for topology in ("rectangular", "hexagonal")]
    Path(__file__).with_name("minisom_batch.json").write_text(json.dumps(found) + "\n")
