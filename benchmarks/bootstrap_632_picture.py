"""The picture of docs/methods/bootstrap_632.md, from the lines of `bootstrap_632.py` for n = 60.

python benchmarks/bootstrap_632_picture.py docs/methods/bootstrap_632.svg
"""

from __future__ import annotations

import math
import sys
from pathlib import Path

NAMES = ("apparent", "left out", ".632", ".632+", "ten folds")
# truth, then (mean, root mean squared error) of each estimate, as the benchmark prints them
CELLS = {
    "noise": (0.5, (0.809, 0.319), (0.494, 0.042), (0.610, 0.120), (0.500, 0.051), (0.499, 0.087)),
    "shift 0.6": (
        0.670,
        (0.878, 0.221),
        (0.608, 0.086),
        (0.707, 0.064),
        (0.642, 0.076),
        (0.659, 0.090),
    ),
    "shift 1": (
        0.859,
        (0.942, 0.098),
        (0.798, 0.080),
        (0.851, 0.046),
        (0.837, 0.054),
        (0.840, 0.054),
    ),
}


def main(path: Path) -> None:
    """A panel a signal: means, and the standard deviation over studies."""
    import matplotlib

    matplotlib.use("svg")
    matplotlib.rcParams["svg.hashsalt"] = "bootstrap_632"
    from matplotlib import pyplot as plt

    figure, panels = plt.subplots(1, 3, figsize=(9.6, 2.7), sharey=True, layout="constrained")
    places = range(len(NAMES))
    for panel, (title, (truth, *found)) in zip(panels, CELLS.items(), strict=True):
        means = [mean for mean, _ in found]
        spread = [math.sqrt(max(off**2 - (mean - truth) ** 2, 0)) for mean, off in found]
        panel.axvline(truth, color="#777777", linestyle="dashed", linewidth=1)
        for k, colour in zip(places, ("#777777",) * 3 + ("#d55e00", "#0072b2"), strict=True):
            panel.errorbar(means[k], k, xerr=spread[k], fmt="o", color=colour, capsize=3)
        panel.set_title(f"{title} (truth {truth:.2f})", fontsize=10)
        panel.set_xlabel("balanced accuracy")
        panel.set_xlim(0.36, 1.0)
        panel.spines[["top", "right"]].set_visible(False)
    panels[0].set_yticks(places, NAMES)
    panels[0].invert_yaxis()
    figure.savefig(path, metadata={"Date": None})


if __name__ == "__main__":
    main(Path(sys.argv[1]))
