"""Genotypes as dosages or as categories: what classifiers make of them, by how alleles act.

Ten variants, five of which act (allele frequency .3, Hardy-Weinberg proportions), each with log
odds of 1 for every copy, for one or two, for two, or for one alone. AUC on 1000 new samples, mean
over draws with the standard error of the gain.

    python benchmarks/as_categories.py [--draws 100]
"""

from __future__ import annotations

import argparse

import numpy as np
from sklearn.metrics import roc_auc_score

from _harness import markdown, versions
from tamis._core.streams import generator
from tamis.classifiers.base.scaling import fit_in_units
from tamis.classifiers.classifier_labels import build_classifier

EFFECTS = {
    "additive": lambda copies: copies,
    "dominant": lambda copies: copies > 0,
    "recessive": lambda copies: copies == 2,
    "heterozygotes": lambda copies: copies == 1,
}
CLASSIFIERS = ("logistic", "naive_bayes", "svm_linear", "knn", "aode")
SIZES = (100, 400)
ACTING, VARIANTS, NEW = 5, 10, 1000


def cohort(effect: str, n: int, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """Copies (n, 10) and who is ill, about half of them."""
    copies = rng.binomial(2, 0.3, (n, VARIANTS))
    told = EFFECTS[effect](copies[:, :ACTING]).astype(float)
    mean = EFFECTS[effect](np.arange(3)) @ np.array([0.49, 0.42, 0.09])
    ill = rng.random(n) < 1 / (1 + np.exp(-(told - mean).sum(axis=1)))
    return copies.astype(float), ill.astype(np.int64)


def areas(effect: str, n: int, label: str, draws: int) -> np.ndarray:
    """AUC of dosages and of categories in every draw, (draws, 2)."""
    found = np.empty((draws, 2))
    for draw in range(draws):
        rng = generator(0, "as_categories", effect, n, draw)
        (X, y), (new, truth) = cohort(effect, n, rng), cohort(effect, NEW, rng)
        for at, name in enumerate((label, f"as_categories({label})")):
            levels = {} if label == "aode" else None
            fitted = fit_in_units(build_classifier(name, {}), X, y, 2, draw, levels)
            found[draw, at] = roc_auc_score(truth, fitted.beliefs(new).scores @ [-1, 1])
    return found


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--draws", type=int, default=100)
    draws = parser.parse_args().draws
    rows = []
    for effect in EFFECTS:
        for label in CLASSIFIERS:
            row = [effect, f"`{label}`"]
            for n in SIZES:
                found = areas(effect, n, label, draws)
                gain = found[:, 1] - found[:, 0]
                error = gain.std(ddof=1) / np.sqrt(draws)
                row += [
                    *(f"{a:.3f}" for a in found.mean(axis=0)),
                    f"{gain.mean():+.3f} ± {error:.3f}",
                ]
            rows.append(row)
    header = ["effect", "classifier"]
    for n in SIZES:
        header += [f"dosages, {n}", f"categories, {n}", "gain"]
    print(markdown(header, rows))
    print(f"\n{draws} draws; {versions('scikit-learn')}")


if __name__ == "__main__":
    main()
