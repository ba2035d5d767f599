"""How the tables of warning_tables.py are written, and the commands that read them."""

from __future__ import annotations

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
{inner}
{methods}"""
OUTER = "folds = 5\nrepeats = 1"
INNER = "folds = 3\nrepeats = 1"
METHOD = '[[method]]\nselect = "welch_t"\nsizes = [2, 5]\nclassify = "lda"\n'
NUMBER_METHOD = '[[method]]\nselect = "correlation"\nsizes = [2, 5]\nclassify = "ridge"\n'
RNG = np.random.default_rng


@dataclass
class Made:
    """A table, the options of `tamis study`, and its plan; and what is studied before it."""

    frame: pd.DataFrame
    options: list[str] = field(default_factory=list)
    permutations: int = 0
    more: str = ""
    outer: str = OUTER
    inner: str = INNER
    methods: str = METHOD
    target: str = "class"
    code: dict[str, str] = field(default_factory=dict)  # modules of the user's own
    before: Made | None = None

    def write(self, folder: Path, name: str = "study") -> list[list[str]]:
        """Its files, and the arguments of each command, in order; the last gives the warning."""
        first = [] if self.before is None else self.before.write(folder, "first")
        self.frame.to_csv(folder / f"{name}.csv", index=False)
        return [*first, [*self.command(folder / name), *self.options]]

    def command(self, out: Path) -> list[str]:
        return ["study", f"{out}.csv", "--target", self.target, *self.planned(out)]

    def planned(self, out: Path) -> list[str]:
        plan = PLAN.format(permutations=self.permutations, more=self.more, outer=self.outer,
                           inner=self.inner, methods=self.methods)  # fmt: skip
        Path(f"{out}.toml").write_text(plan, encoding="utf-8")
        for module, text in self.code.items():
            (out.parent / f"{module}.py").write_text(text, encoding="utf-8")
        own = ["--code", str(out.parent)] if self.code else []
        return ["--plan", f"{out}.toml", "--out", str(out), *own]


@dataclass
class Genotypes(Made):
    """People, and the copies of an allele that each has of some variants, NaN if unknown."""

    copies: np.ndarray = field(default_factory=lambda: np.zeros((0, 0)))

    def command(self, out: Path) -> list[str]:
        names = "\t".join(self.frame["IID"])
        lines = [f"#CHROM\tPOS\tID\tREF\tALT\tQUAL\tFILTER\tINFO\tFORMAT\t{names}"]
        for j, own in enumerate(self.copies.T):
            calls = "\t".join({0: "0/0", 1: "0/1", 2: "1/1"}.get(k, "./.") for k in own)
            place = f"{1 + j % 22}\t{1000 * (j + 1)}\tv{j:03}"
            lines.append(f"{place}\tA\tG\t.\tPASS\t.\tGT\t{calls}")
        text = "\n".join(["##fileformat=VCFv4.2", *lines, ""])
        Path(f"{out}.vcf").write_text(text, encoding="utf-8")
        people = ["--pheno", f"{out}.csv", "--pheno-name", self.target]
        return ["genome", "study", f"{out}.vcf", *people, *self.planned(out)]


@dataclass
class Cohort(Made):
    """Other samples, for the model of what is studied before."""

    def command(self, out: Path) -> list[str]:
        model = str(out.parent / "first" / "model.npz")
        return ["evaluate", model, f"{out}.csv", "--target", self.target]


def table(
    shift: float, ill: int = 20, well: int = 20, p: int = 30, informative: int = 5, seed: int = 0
) -> Made:
    """Noise, with some columns that differ between the classes by `shift` standard deviations."""
    rng = RNG([ill, well, p, seed])
    y = rng.permutation(np.repeat(["ill", "well"], [ill, well]))
    X = rng.normal(size=(ill + well, p))
    X[:, :informative] += shift * (y == "ill")[:, None]
    frame = pd.DataFrame(X.round(6), columns=[f"g{j:02}" for j in range(p)])
    frame.insert(0, "class", y)
    frame.insert(0, "id", [f"S{k:02}" for k in range(len(y))])
    return Made(frame)


def number_table(noise: np.ndarray, seed: int = 0, p: int = 12) -> Made:
    """A number that two of the columns carry, and noise."""
    n = len(noise)
    X = RNG([n, p, seed]).normal(size=(n, p))
    frame = pd.DataFrame(X.round(6), columns=[f"g{j:02}" for j in range(p)])
    frame.insert(0, "value", (3 * X[:, 0] - 2 * X[:, 1] + noise).round(6))
    frame.insert(0, "id", [f"S{k:02}" for k in range(n)])
    return Made(frame, ["--regression"], methods=NUMBER_METHOD, target="value")


def genotypes(copies: np.ndarray) -> Genotypes:
    """Of people of whom the first half is ill."""
    n = len(copies)
    y = np.where(np.arange(n) < n // 2, "ill", "well")
    return Genotypes(
        pd.DataFrame({"IID": [f"P{k:02}" for k in range(n)], "class": y}), copies=copies
    )


def cohort(trained: Made, new: Made, *options: str) -> Made:
    return Cohort(new.frame, list(options), before=trained)


def values(made: Made) -> list[str]:
    return [name for name in made.frame if name.startswith("g")]


def with_column(made: Made, name: str, cells: object, *options: str) -> Made:
    made.frame.insert(2, name, cells)
    made.options += options
    return made
