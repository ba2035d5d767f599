"""Small inputs of every command, made up: tables, genotypes, arrays, ontologies, own code."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))

OWN_CODE = '''
import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin


class Nearer(ClassifierMixin, BaseEstimator):
    """The class whose mean is nearer."""

    def fit(self, X, y):
        self.classes_ = np.unique(y)
        self.means_ = np.array([X[y == c].mean(axis=0) for c in self.classes_])
        return self

    def predict_proba(self, X):
        gaps = ((X[:, None] - self.means_) ** 2).mean(axis=2)
        share = np.exp(gaps.min(axis=1, keepdims=True) - gaps)
        return share / share.sum(axis=1, keepdims=True)

    def predict(self, X):
        return self.classes_[self.predict_proba(X).argmax(axis=1)]
'''


def write_inputs(folder: Path) -> None:
    """All of them, in an empty folder."""
    folder.mkdir(parents=True)
    write_tables(folder)
    write_genotypes(folder)
    write_arrays_and_series(folder)
    write_ontologies(folder)
    (folder / "code").mkdir()
    (folder / "code" / "nearer_mean.py").write_text(OWN_CODE)


def sheet(labels: np.ndarray, values: np.ndarray, seed: int) -> pd.DataFrame:
    """Ids, class, batch, patient and age before the features."""
    rng = np.random.default_rng(seed)
    n = len(labels)
    head = {
        "id": [f"s{i}" for i in range(n)],
        "class": labels,
        "batch": np.array(["north", "south"])[rng.permutation(n) % 2],
        "patient": [f"p{i // 2}" for i in range(n)],
        "age": rng.integers(30, 80, n),
    }
    features = {f"g{j}": values[:, j] for j in range(values.shape[1])}
    return pd.DataFrame({**head, **features})


def write_tables(folder: Path) -> None:
    """Two classes, three, counts, mixed columns with gaps, zeros and ones."""
    rng = np.random.default_rng(1)
    y = np.arange(48) // 2 % 2
    X = rng.normal(size=(48, 40)).round(4)
    X[y == 1, :4] += 1.2
    words = np.array(["well", "sick"])[y]
    two = sheet(words, X.round(4), 2)
    two.to_csv(folder / "two.csv", index=False)
    later = two.drop(columns="class").assign(id=[f"t{i}" for i in range(48)])
    features = [f"g{j}" for j in range(40)]
    later[features] = (later[features] + 0.25).round(4)
    later.to_csv(folder / "later.csv", index=False)
    later.assign(**{"class": words}).to_csv(folder / "labelled.csv", index=False)

    y = np.arange(54) % 3
    X = rng.normal(size=(54, 24))
    X[y == 1, :3] += 1.5
    X[y == 2, 3:6] -= 1.5
    sheet(np.array(["a", "b", "c"])[y], X.round(4), 3).to_csv(folder / "three.csv", index=False)

    y = np.arange(48) // 2 % 2
    means = np.exp(rng.normal(4, 1.5, 40)) * np.exp(rng.normal(0, 0.3, (48, 1)))
    means[y == 1, :4] *= 3
    counts = sheet(np.array(["well", "sick"])[y], rng.poisson(means), 4)
    counts.to_csv(folder / "counts.csv", index=False)

    X = rng.normal(size=(48, 12)).round(3)
    X[y == 1, 0] += 1.5
    X[rng.random(X.shape) < 0.05] = np.nan
    mixed = sheet(np.array(["well", "sick"])[y], X, 5)
    mixed["tissue"] = np.array(["skin", "bone", "lung"])[(rng.integers(0, 3, 48) + 2 * y) % 3]
    mixed.loc[[3, 17], "tissue"] = np.nan
    mixed.to_csv(folder / "mixed.csv", index=False)

    bits = (rng.random((60, 20)) < 0.4).astype(int)
    y = bits[:, 0] & bits[:, 1]
    y ^= rng.random(60) < 0.1
    zeros = pd.DataFrame(bits, columns=[f"b{j}" for j in range(20)])
    zeros.insert(0, "class", np.array(["no", "yes"])[y])
    zeros.to_csv(folder / "bits.csv", index=False)


def write_genotypes(folder: Path) -> None:
    """Families and people of two populations, 600 variants on three chromosomes, PLINK's files."""
    from common.bed_files import codes_of, write_cohort
    from common.pedigrees import Founders, copies_of_people

    rng = np.random.default_rng(6)
    p = 600
    frequencies = rng.uniform(0.1, 0.5, p)
    apart = np.clip(frequencies + rng.normal(0, 0.12, p), 0.05, 0.95)
    founders = Founders(7, frequencies)
    people = [one for _ in range(6) for one in founders.nuclear_family(2)]
    people += [founders.founder() for _ in range(36)]
    people += [founders.founder(apart) for _ in range(40)]
    people.append(people[-1])  # a duplicate
    copies = copies_of_people(people)
    n = copies.shape[1]
    risk = 1.1 * copies[5] + 0.9 * copies[300] - 1.5 + rng.normal(0, 1, n)
    sick = (risk > np.median(risk)).astype(int)
    codes = codes_of(copies, missing=0.01, seed=8)
    chromosomes = [str(1 + j // 200) for j in range(p)]
    write_cohort(
        folder / "people", codes, chromosomes, sex=1 + np.arange(n) % 2, phenotype=1 + sick
    )
    table = pd.DataFrame(
        {
            "IID": [f"i{i}" for i in range(n)],
            "status": np.array(["control", "case"])[sick],
            "population": np.where(np.arange(n) < 60, "east", "west"),
            "age": rng.integers(30, 80, n),
        }
    )
    table.to_csv(folder / "people.tsv", sep="\t", index=False)
    table[["IID", "age"]].to_csv(folder / "ages.tsv", sep="\t", index=False)
    genes = (
        f"chr{c}\t{at}\t{at + 40}\tGENE{c}{at}\n" for c in (1, 2, 3) for at in range(1, 600, 60)
    )
    (folder / "genes.bed").write_text("".join(genes))


def write_arrays_and_series(folder: Path) -> None:
    """CEL files with their CDF, a later array, and a family file of GEO."""
    from expression.made_arrays import write_arrays
    from expression.reading.soft_files import family

    write_arrays(folder / "cel")
    (folder / "later_cel").mkdir()
    (folder / "cel" / "GSM1007_x.CEL").rename(folder / "later_cel" / "GSM1007_x.CEL")
    (folder / "GSE1_family.soft").write_bytes(b"".join(family().values()))
    (folder / "GPL570.csv").write_text("ID,Gene Symbol\nx_at,DDR1\ny_at,PAX8\n")


def obo_text(ontology: Any) -> str:
    """Names and hierarchy as an OBO file."""
    lines = [f"format-version: 1.2\nontology: {ontology.name}\n"]
    ids = [name.replace("_", ":") for name in ontology.local_names]
    for k, name in enumerate(ids):
        lines.append(f"[Term]\nid: {name}\nname: {ontology.labels[k]}")
        lines += [f'synonym: "{one}" EXACT []' for one in ontology.synonyms[k]]
        lines += [f"is_a: {ids[parent]}" for parent in ontology.parents[k]]
        lines.append("")
    return "\n".join(lines)


def write_ontologies(folder: Path) -> None:
    """Two vocabularies, half of the known pairs, and all."""
    from tamis.ontology.made_up import make_vocabularies

    made = make_vocabularies(50, 50, 35, noise=0.7, random_state=2)
    for name, one in (("a", made.source), ("b", made.target)):
        (folder / f"{name}.obo").write_text(obo_text(one))
    iri = "http://purl.obolibrary.org/obo/"
    lines = [
        f"{iri}{made.source.local_names[a]}\t{iri}{made.target.local_names[b]}\n"
        for a, b in made.pairs.tolist()
    ]
    (folder / "known.tsv").write_text("".join(lines[::2]))
    (folder / "reference.tsv").write_text("".join(lines))
    (folder / "one_pair.txt").write_text(lines[1])
