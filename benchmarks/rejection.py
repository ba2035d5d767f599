"""Knowing when not to decide: rejection beside its source, on drawn data, and beside MAPIE.

    python benchmarks/rejection.py [--parts source twonorm random mapie cost] [--figure FILE.svg]

`source`: the source's real sets, with its figures beside ours. `twonorm`: normal classes that move
apart. `random`: labels at random, and classes that do not overlap. `mapie`: accepted share and
error beside MAPIE's, where that is installed. `cost`: seconds beside plain cross-validation.
The seeds are fixed; one thread.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from _harness import timed, versions

PARTS = ("source", "twonorm", "random", "mapie", "cost")


def main() -> None:
    """Print the parts asked for."""
    ask = argparse.ArgumentParser(description=__doc__)
    ask.add_argument("--parts", nargs="+", choices=PARTS, default=list(PARTS))
    ask.add_argument("--figure", type=Path, help="of twonorm, an SVG file")
    given = ask.parse_args()
    from _rejection_peers import cost_part, mapie_part
    from _rejection_simulated import random_part, twonorm_part
    from _rejection_source import source_part

    parts = {
        "source": source_part,
        "twonorm": lambda: twonorm_part(given.figure),
        "random": random_part,
        "mapie": mapie_part,
        "cost": cost_part,
    }
    for name in given.parts:
        found = timed(parts[name])
        print(f"## {name}\n\n{found.value}\n\n{found.cpu:.0f} CPU s\n", flush=True)
        print(f"{name}: {found.cpu:.0f} CPU s", file=sys.stderr, flush=True)
    print(versions("numpy", "scipy", "scikit-learn", "numba"))


if __name__ == "__main__":
    main()
