"""Degrees of relationship by kinship, with the borders between them of KING-robust."""

from __future__ import annotations

# between duplicates and the first degree, the first and second, second and third, third and none
DEGREE_BORDERS = tuple(2.0**-k for k in (1.5, 2.5, 3.5, 4.5))
RELATIONS = (
    "duplicate or twin",
    "parent and child",
    "siblings",
    "second degree",
    "third degree",
    "none",
)
