"""Tables that have what a warning is about, and others that have not: docs/warnings.md.

python docs/warning_tables.py small-class FOLDER        # writes them, prints the commands
python docs/warning_tables.py small-class FOLDER --not  # the same without the cause
"""

from __future__ import annotations

import argparse
import shlex
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pandas as pd
from warning_made import (
    INNER,
    METHOD,
    OUTER,
    RNG,
    Made,
    cohort,
    genotypes,
    number_table,
    table,
    values,
    with_column,
)


def small_class(cause: bool) -> Made:
    return table(2.0, ill=6, well=34) if cause else table(2.0)


def few_groups(cause: bool) -> Made:
    made = table(2.0, 12, 36)
    place = made.frame.groupby("class").cumcount()
    size = np.where(made.frame["class"] == "well", 2, 2 if cause else 1)
    who = made.frame["class"].str[0] + (place // size).astype(str)
    return with_column(made, "patient", who, "--group", "patient")


def not_above_chance(cause: bool) -> Made:
    made = table(0.0 if cause else 2.0)
    made.permutations = 19
    return made


def reaches_chance(cause: bool) -> Made:
    """The warning of a method: `methods[0].warnings` in results.json."""
    return table(0.0 if cause else 2.0)


def labels_at_chance(cause: bool) -> Made:
    """Costs by which nobody is to be called ill, however ill."""
    made = table(1.6)
    made.more = f"costs = {{ ill = 1, well = {1_000_000 if cause else 1} }}\n"
    return made


def wide_interval(cause: bool) -> Made:
    """Every prediction is right, but of few samples, and each is judged by itself."""
    made = table(3.5, *((8, 8) if cause else (20, 20)), p=8)
    made.methods = METHOD.replace("[2, 5]", "[5]")
    made.outer = 'kind = "leave-one-out"'
    made.permutations = 19
    return made


def below_chance(cause: bool) -> Made:
    """Each class by itself was brought to mean 0."""
    made = table(0.0, p=200)
    if cause:
        own = made.frame.groupby("class")[values(made)]
        made.frame[values(made)] -= own.transform("mean")
    return made


def unstable(cause: bool) -> Made:
    made = table(0.0 if cause else 3.0)
    made.permutations = 19
    return made


def final_differs(cause: bool) -> Made:
    """At each of two sites one column tells the class, at both two: the final model needs more."""
    made = table(0.0)
    site = made.frame.groupby("class").cumcount() % 2
    for j, name in enumerate(["g00", "g01"]):
        made.frame[name] += 8 * ((made.frame["class"] == "ill") & (site == j))
    made.methods = METHOD.replace("[2, 5]", "[1, 5]" if cause else "[5]")
    made.more = 'parsimony = 0\ntune = "bcr"\n'
    return with_column(made, "site", np.where(site, "s1", "s2"), "--split", "site")


def inner_undefined(cause: bool) -> Made:
    """There is no AUC of single samples."""
    made = table(2.0)
    made.more = 'metric = "auc"\n'
    made.inner = 'kind = "leave-one-out"' if cause else INNER
    return made


def no_width(cause: bool) -> Made:
    made = table(3.0 if cause else 0.5, informative=10)
    made.methods = METHOD.replace("[2, 5]", "[10]")
    return made


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
    made.permutations = 19
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
    made = table(1.2, ill=15, well=135, informative=3)
    made.more = f'metric = "{"accuracy" if cause else "bcr"}"\ndecide = "balanced"\n'
    return made


def no_saving(cause: bool) -> Made:
    made = table(0.0, 30, 30) if cause else table(3.0, 40, 40)
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


def plain_as_good(cause: bool) -> Made:
    """One label of six is wrong; of a sample that was measured three times the nearest neighbour
    knows it inside a site, and not at another."""
    made = table(3.0, 24, 24)
    place = made.frame.groupby("class").cumcount()
    other = made.frame["class"].map({"ill": "well", "well": "ill"})
    made.frame["class"] = made.frame["class"].where(place >= 4, other)
    with_column(made, "site", "site" + (place % 4).astype(str), "--split", "site")
    again = [made.frame.assign(id=made.frame["id"] + one) for one in ("abc" if cause else "a")]
    made.frame = pd.concat(again, ignore_index=True)
    made.frame[values(made)] += RNG(9).normal(0, 0.05, (len(made.frame), 30))
    made.methods += METHOD.replace('"lda"', '{ name = "knn", grid = { n_neighbors = [1] } }')
    return made


def structure_as_good(cause: bool) -> Made:
    """The ill are of another population, in which each variant has another frequency."""
    rng = RNG(7)
    ill = np.arange(60)[:, None] < 30
    here = ill if cause else np.arange(60)[:, None] % 2 == 0
    copies = rng.binomial(2, np.where(here, *rng.uniform(0.25, 0.75, (2, 600))))
    if not cause:
        copies[:, :3] = 2 * ill
    return genotypes(copies)


def missing_unlike(cause: bool) -> Made:
    """Calls of the variants that tell the class fail in the ill."""
    rng = RNG(8)
    telling = (np.arange(80)[:, None] < 40) & (np.arange(60) < 10)
    copies = rng.binomial(2, np.where(telling, 0.8, 0.4)).astype(float)
    lost = np.where(telling, 0.5, 0.02) if cause else 0.1
    copies[rng.random(copies.shape) < lost] = np.nan
    return genotypes(copies)


def studied_before(cause: bool) -> Made:
    """Said on the screen and the page alone, where the plan was another."""
    made = table(2.0)
    made.before = table(2.0, seed=0 if cause else 1)
    made.before.methods = METHOD.replace("lda", "naive_bayes")
    return made


def no_statement(cause: bool) -> Made:
    """Of twenty samples no rate of .95 can be said with confidence."""
    made = table(2.0)
    at = 0.95 if cause else 0.7
    made.more = f'decide = {{ name = "sensitivity", at = {at}, confidence = 0.95 }}\n'
    return made


OWN = """from sklearn.naive_bayes import GaussianNB


class Own(GaussianNB):
    def fit(self, X, y):
        self.seen_ = {seen}
        return super().fit(X, y)
"""


def model_not_saved(cause: bool) -> Made:
    """A classifier that holds a generator, which no file can."""
    made = table(2.0)
    name = "own_generator" if cause else "own_number"
    made.code = {name: OWN.format(seen="(row for row in X)" if cause else "len(X)")}
    made.methods = METHOD.replace("lda", f"{name}:Own")
    return made


def new_table() -> Made:
    return table(3.0, 15, 15, seed=1)


def other_scale(cause: bool) -> Made:
    """The model is of logarithms, the cohort of intensities."""
    new = new_table()
    if cause:
        new.frame[values(new)] = np.exp2(8 + new.frame[values(new)])
    return cohort(table(3.0), new)


def outside_range(cause: bool) -> Made:
    """One column is in another unit."""
    new = new_table()
    if cause:
        new.frame["g00"] *= 1000
    trained = table(3.0)
    trained.methods = METHOD.replace("[2, 5]", "[5]")  # all that tell the class
    return cohort(trained, new)


def imputed_cohort(cause: bool) -> Made:
    new = new_table()
    if cause:
        new.frame[values(new)] = new.frame[values(new)].mask(RNG(3).random((30, 30)) < 0.1)
    return cohort(table(3.0), new)


def training_rows(cause: bool) -> Made:
    trained, new = table(3.0), new_table()
    if cause:
        new.frame = pd.concat(
            [new.frame, trained.frame[:3].assign(id=["T0", "T1", "T2"])], ignore_index=True
        )
    return cohort(trained, new)


def absent_class(cause: bool) -> Made:
    """The model knows three classes."""
    made, new = table(3.0, 30, 20), new_table()
    for one in (made, new):
        worse = (one.frame["class"] == "ill") & (one.frame.groupby("class").cumcount() % 2 == 0)
        one.frame.loc[worse, "class"] = "worse"
    if cause:
        new.frame = new.frame[new.frame["class"] != "worse"]
    return cohort(made, new)


def unseen_batch(cause: bool) -> Made:
    made, new = table(3.0), new_table()
    made.methods += 'prepare = [{ name = "center_by_batch", unseen = "keep" }]\n'
    with_column(made, "run", [f"r{k % 2}" for k in range(40)], "--batch", "run")
    with_column(new, "run", [f"r{k % 2 + cause}" for k in range(30)])
    return cohort(made, new, "--batch", "run")


def one_prediction(cause: bool) -> Made:
    """Each column has another zero, by more than the classes are apart."""
    new = new_table()
    new.frame[values(new)] += 20 * cause
    return cohort(table(3.0), new)


def long_tails(cause: bool) -> Made:
    """One error far from all others."""
    noise = RNG(1).normal(size=40)
    noise[0] += 60.0 * cause
    return number_table(noise)


def miscalibrated(cause: bool) -> Made:
    """A penalty that draws every prediction to the mean."""
    made = number_table(0.3 * RNG(1).normal(size=60))
    if cause:
        given = '{ name = "ridge", grid = { penalty = [100] } }'
        made.methods = made.methods.replace('"ridge"', given)
    return made


TABLES: dict[str, Callable[[bool], Made]] = {
    "absent-class": absent_class,
    "baseline": baseline,
    "batch-confounded": batch_confounded,
    "below-chance": below_chance,
    "constant-as-good": constant_as_good,
    "covariates-unused": covariates_unused,
    "few-groups": few_groups,
    "few-permutations": few_permutations,
    "final-differs": final_differs,
    "imputed": imputed,
    "imputed-cohort": imputed_cohort,
    "inner-undefined": inner_undefined,
    "labels-at-chance": labels_at_chance,
    "leave-one-out": leave_one_out,
    "long-tails": long_tails,
    "miscalibrated": miscalibrated,
    "missing-unlike": missing_unlike,
    "model-not-saved": model_not_saved,
    "no-p-value": no_p_value,
    "no-permutations": no_permutations,
    "no-saving": no_saving,
    "no-selection": no_selection,
    "no-statement": no_statement,
    "no-threshold": no_threshold,
    "no-width": no_width,
    "not-above-chance": not_above_chance,
    "one-prediction": one_prediction,
    "other-scale": other_scale,
    "outside-range": outside_range,
    "paired-auc": paired_auc,
    "plain-as-good": plain_as_good,
    "possible-leak": possible_leak,
    "reaches-chance": reaches_chance,
    "repeated-measures": repeated_measures,
    "repeated-rows": repeated_rows,
    "small-class": small_class,
    "structure-as-good": structure_as_good,
    "studied-before": studied_before,
    "time-to-event": time_to_event,
    "training-rows": training_rows,
    "uneven-folds": uneven_folds,
    "unlogged": unlogged,
    "unseen-batch": unseen_batch,
    "unstable": unstable,
    "wide-interval": wide_interval,
    "zeros": zeros,
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("code", choices=TABLES)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--not", dest="without", action="store_true", help="without the cause")
    given = parser.parse_args()
    given.folder.mkdir(parents=True, exist_ok=True)
    for words in TABLES[given.code](not given.without).write(given.folder):
        print("tamis", shlex.join(words))


if __name__ == "__main__":
    main()
