"""Small classifiers by sets."""

from __future__ import annotations

from tamis.classifiers import CovRITClassifier, DiscRITClassifier, RelRITClassifier

FIXED = {"theta": 0.3, "theta_out": 0.6, "n_trees": 15, "depth": 4, "random_state": 0}
KINDS = {
    "discrit": lambda **plan: DiscRITClassifier(**{**FIXED, **plan}),
    "covrit": lambda **plan: CovRITClassifier(**{"epsilon": 0.4, **FIXED, **plan}),
    "relrit": lambda **plan: RelRITClassifier(
        **{"epsilon": 2.0, "radius": 0.4, **FIXED, "theta_out": 0.8, **plan}
    ),
}
