"""A table that has what a warning is about, and one that has not: docs/warnings.md.

python docs/warning_tables.py small-class FOLDER        # writes it, prints the command
python docs/warning_tables.py small-class FOLDER --not  # the same without the cause
"""

from __future__ import annotations

import argparse
import shlex
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import pandas as pd

PLAN = """seed = 1
permutations = {permutations}
{more}
[outer]
{outer}
[inner]
folds = 3
repeats = 1
{methods}"""
OUTER = "folds = 5\nrepeats = 1"
METHOD = '[[method]]\nselect = "welch_t"\nsizes = [2, 5]\nclassify = "lda"\n'


@dataclass
class Made:
    """A table, the options of `tamis study`, and its plan."""

    frame: pd.DataFrame
    options: list[str] = field(default_factory=list)
    permutations: int = 19
    more: str = ""
    outer: str = OUTER
    methods: str = METHOD
    target: str = "class"

    def write(self, folder: Path) -> list[str]:
        """Its files, and the command's arguments."""
        self.frame.to_csv(folder / "table.csv", index=False)
        plan = PLAN.format(permutations=self.permutations, more=self.more, outer=self.outer,
                           methods=self.methods)  # fmt: skip
        (folder / "plan.toml").write_text(plan, encoding="utf-8")
        named = ["--target", self.target, "--plan", str(folder / "plan.toml")]
        return ["study", str(folder / "table.csv"), *named, *self.options]


RNG = np.random.default_rng


def table(shift: float, ill: int = 20, well: int = 20, p: int = 30, informative: int = 5) -> Made:
    """Noise, with some columns that differ between the classes by `shift` standard deviations."""
    rng = RNG([ill, well, p])
    y = rng.permutation(np.repeat(["ill", "well"], [ill, well]))
    X = rng.normal(size=(ill + well, p))
    X[:, :informative] += shift * (y == "ill")[:, None]
    frame = pd.DataFrame(X.round(6), columns=[f"g{j:02}" for j in range(p)])
    frame.insert(0, "class", y)
    frame.insert(0, "id", [f"S{k:02}" for k in range(len(y))])
    return Made(frame)


def values(made: Made) -> list[str]:
    return [name for name in made.frame if name.startswith("g")]


def with_column(made: Made, name: str, cells: object, *options: str) -> Made:
    made.frame.insert(2, name, cells)
    made.options += options
    return made


def small_class(cause: bool) -> Made:
    return table(2.0, ill=6, well=34) if cause else table(2.0)


def few_groups(cause: bool) -> Made:
    made = table(2.0, 12, 36)
    place = made.frame.groupby("class").cumcount()
    size = np.where(made.frame["class"] == "well", 2, 2 if cause else 1)
    who = made.frame["class"].str[0] + (place // size).astype(str)
    return with_column(made, "patient", who, "--group", "patient")


def not_above_chance(cause: bool) -> Made:
    return table(0.0 if cause else 2.0)


def below_chance(cause: bool) -> Made:
    """Each class by itself was brought to mean 0."""
    made = table(0.0, p=200)
    if cause:
        own = made.frame.groupby("class")[values(made)]
        made.frame[values(made)] -= own.transform("mean")
    return made


def unstable(cause: bool) -> Made:
    return table(0.0 if cause else 4.0)


def no_width(cause: bool) -> Made:
    return table(6.0 if cause else 1.0)


def no_permutations(cause: bool) -> Made:
    made = table(2.0)
    made.permutations = 0 if cause else 19
    return made


def few_permutations(cause: bool) -> Made:
    made = table(2.0)
    made.permutations = 5 if cause else 19
    return made


def repeated_rows(cause: bool) -> Made:
    made = table(2.0)
    if cause:
        again = made.frame.iloc[:4].assign(id=[f"T{k}" for k in range(4)])
        made.frame = pd.concat([made.frame, again], ignore_index=True)
    return made


def repeated_measures(cause: bool) -> Made:
    made = table(2.0)
    made.frame = made.frame.sort_values("class", ignore_index=True)
    who = [f"p{k // 2:02}" for k in range(40)]
    return with_column(made, "patient", who, "--drop" if cause else "--group", "patient")


def batch_confounded(cause: bool) -> Made:
    made = table(2.0)
    y = (made.frame["class"] == "ill").to_numpy()
    runs = np.where(np.arange(40) % 5 == 0, ~y, y) if cause else np.arange(40) % 2 == 0
    return with_column(made, "run", np.where(runs, "r1", "r2"), "--batch", "run")


def no_p_value(cause: bool) -> Made:
    """But for one sample of each class, the batch is the class."""
    made = table(2.0)
    y = (made.frame["class"] == "ill").to_numpy()
    runs = y.copy() if cause else np.arange(40) % 2 == 0
    runs[[int(np.flatnonzero(y)[0]), int(np.flatnonzero(~y)[0])]] ^= True
    return with_column(made, "run", np.where(runs, "r1", "r2"), "--batch", "run")


def paired_auc(cause: bool) -> Made:
    made = table(2.0)
    made.frame = made.frame.sort_values("class", ignore_index=True)
    who = [f"p{k % 20:02}" if cause else f"p{k // 2:02}" for k in range(40)]
    return with_column(made, "patient", who, "--group", "patient")


def leave_one_out(cause: bool) -> Made:
    made = table(2.0)
    made.outer = 'kind = "leave-one-out"' if cause else OUTER
    return made


def uneven_folds(cause: bool) -> Made:
    made = table(2.0)
    if cause:
        place = made.frame.groupby("class").cumcount()
        ill = made.frame["class"] == "ill"
        sites = np.where(ill, np.digitize(place, [3, 10]), np.digitize(place, [10, 17]))
    else:
        sites = made.frame.groupby("class").cumcount() % 3
    return with_column(made, "site", [f"site{k}" for k in sites], "--split", "site")


def unlogged(cause: bool) -> Made:
    made = table(2.0, p=60)
    logs = 8 + 2 * made.frame[values(made)]
    made.frame[values(made)] = np.exp2(logs).round(3) if cause else logs
    return made


def imputed(cause: bool) -> Made:
    made = table(2.0)
    if cause:
        gaps = RNG(3).random((40, 30)) < 0.05
        made.frame[values(made)] = made.frame[values(made)].mask(gaps)
    return made


def zeros(cause: bool) -> Made:
    """Intensities, and 0 where nothing was measured."""
    made = table(2.0, p=60)
    areas = np.exp2(18 + 2 * made.frame[values(made)]).round()
    made.frame[values(made)] = areas.mask(RNG(3).random(areas.shape) < 0.2, 0) if cause else areas
    return made


def time_to_event(cause: bool) -> Made:
    made = table(2.0)
    if cause:
        made.target = "os_status"
        made.frame = made.frame.rename(columns={"class": "os_status"})
        made.frame["os_status"] = (made.frame["os_status"] == "ill").astype(int)
        made.options += ["--drop", "os_months"]
    return with_column(made, "os_months", RNG(4).uniform(1, 90, 40).round(1),
                       *([] if cause else ["--drop", "os_months"]))  # fmt: skip


def baseline(cause: bool) -> Made:
    made = table(2.0)
    older = 15 * (made.frame["class"] == "ill") if cause else 0
    age = (60 + older + RNG(5).normal(0, 5, 40)).round()
    return with_column(made, "age", age, "--covariate", "age")


def covariates_unused(cause: bool) -> Made:
    made = baseline(False)
    made.methods = '[[method]]\nselect = "pam"\n' if cause else METHOD
    return made


def no_selection(cause: bool) -> Made:
    made = table(2.0, p=5)
    made.methods = METHOD.replace("[2, 5]", "[5]" if cause else "[2]")
    return made


def constant_as_good(cause: bool) -> Made:
    made = table(1.6, ill=10, well=50, informative=3)
    made.more = f'metric = "{"accuracy" if cause else "bcr"}"\n'
    return made


def no_saving(cause: bool) -> Made:
    made = table(0.0, 30, 30) if cause else table(4.0, 40, 40)
    made.more = "costs = { ill = 2, well = 1 }\n"
    return made


def no_threshold(cause: bool) -> Made:
    """A rule about whom to decline, where errors do not gather among the uncertain."""
    made = table(0.0)
    made.methods = METHOD + 'reject = "fisher"\n' if cause else METHOD
    return made


def possible_leak(cause: bool) -> Made:
    """Values of ten columns are missing in most of one class."""
    made = table(0.0)
    ill = (made.frame["class"] == "ill").to_numpy()
    gone = RNG(6).random(40) < (np.where(ill, 0.7, 0.0) if cause else 0.3)
    made.frame.loc[gone, values(made)[:10]] = np.nan
    return made


TABLES: dict[str, Callable[[bool], Made]] = {
    "baseline": baseline,
    "batch-confounded": batch_confounded,
    "below-chance": below_chance,
    "constant-as-good": constant_as_good,
    "covariates-unused": covariates_unused,
    "few-groups": few_groups,
    "few-permutations": few_permutations,
    "imputed": imputed,
    "leave-one-out": leave_one_out,
    "no-p-value": no_p_value,
    "no-permutations": no_permutations,
    "no-saving": no_saving,
    "no-selection": no_selection,
    "no-threshold": no_threshold,
    "no-width": no_width,
    "not-above-chance": not_above_chance,
    "paired-auc": paired_auc,
    "possible-leak": possible_leak,
    "repeated-measures": repeated_measures,
    "repeated-rows": repeated_rows,
    "small-class": small_class,
    "time-to-event": time_to_event,
    "uneven-folds": uneven_folds,
    "unlogged": unlogged,
    "unstable": unstable,
    "zeros": zeros,
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("code", choices=TABLES)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--not", dest="without", action="store_true", help="without the cause")
    given = parser.parse_args()
    given.folder.mkdir(parents=True, exist_ok=True)
    print("tamis", shlex.join(TABLES[given.code](not given.without).write(given.folder)))


if __name__ == "__main__":
    main()
