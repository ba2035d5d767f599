"""What `tamis predict` says of 4,000 new samples, beside what they are: ten models.

    python benchmarks/calibration_predict.py --picture docs/results/calibration_predict.svg

Each model is that of a default study of a simulated table; the program is called as a user would.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
from pathlib import Path

from _harness import markdown, versions  # before NumPy: sets one thread each

# isort: split
import numpy as np
import pandas as pd

from _calibration_designs import COLUMNS, DESIGNS

FRESH = 4000
MODELS = (
    ("15 of 1", 0),
    ("15 of 1", 1),
    ("15 of 1, a fifth of cases", 0),
    ("15 of 1, 40 samples", 0),
    ("1 of 2.5", 0),
    ("5 of 1", 0),
    ("10 of .8, correlated", 0),
    ("15 of .8, heavy tails", 0),
    ("150 of .25", 0),
    ("15 of .4, 300 samples", 0),
)


def tamis(*arguments: object) -> None:
    subprocess.run(
        [sys.executable, "-m", "tamis", *map(str, arguments)], check=True, capture_output=True
    )


def predicted(name: str, draw: int, folder: Path) -> tuple[np.ndarray, np.ndarray]:
    """True codes and probabilities (n, 2) of the new samples."""
    X, y, _ = DESIGNS[name].drawn(draw, FRESH)
    frame = pd.DataFrame(X, columns=[f"g{j}" for j in range(COLUMNS)]).round(4)
    frame.insert(0, "sample", [f"s{i}" for i in range(len(y))])
    n = DESIGNS[name].n
    train = frame[:n].assign(**{"class": np.array(["healthy", "ill"])[y[:n]]})
    train.to_csv(folder / "train.csv", index=False)
    frame[n:].to_csv(folder / "new.csv", index=False)
    where = folder / "study"
    tamis(
        *(
            "study",
            folder / "train.csv",
            "--target",
            "class",
            "--positive",
            "ill",
            "--id",
            "sample",
        ),
        *("--seed", draw, "--permutations", 0, "--out", where),
    )
    tamis("predict", where / "model.npz", folder / "new.csv", "--out", folder / "said.tsv")
    said = pd.read_csv(folder / "said.tsv", sep="\t")
    return y[n:], said[["p(healthy)", "p(ill)"]].to_numpy()


def main() -> None:
    from tamis.metrics import VarianceInflation, calibration_points
    from tamis.metrics.beliefs import brier_of
    from tamis.metrics.calibration import calibration_index, calibration_slope
    from tamis.metrics.ranks import auc_of
    from tamis.plotting import calibration_curve

    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--picture", type=Path, required=True)
    options = parser.parse_args()
    rows, series = [], []
    for name, draw in MODELS:
        with tempfile.TemporaryDirectory() as temporary:
            codes, proba = predicted(name, draw, Path(temporary))
        units = VarianceInflation.external(np.bincount(codes).astype(float)).units
        slope = calibration_slope(codes, proba, units)
        ends = f"{slope.mean:.2f} ({slope.low:.2f} to {slope.high:.2f})"
        index = f"{calibration_index(codes, proba):.3f}"
        rows.append(
            [name, f"{auc_of(codes, proba):.3f}", ends, f"{brier_of(codes, proba):.3f}", index]
        )
        points = calibration_points(codes, proba)
        series.append({"label": name, "headline": False, "points": points, "note": ends})
        print(f"{name}: done", file=sys.stderr, flush=True)
    options.picture.write_text(calibration_curve(series), encoding="utf-8")
    print(markdown(["model of", "AUC", "slope", "Brier", "index"], rows))
    print("\n" + versions("numba"))


if __name__ == "__main__":
    main()
