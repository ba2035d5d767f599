"""The elastic net's path beside glmnet's: the same problem, never a worse answer."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from kernels.elastic_net_reference import objectives
from tamis.data import load_golub
from tamis.kernels.elastic_net.path import solve_path

GOLDENS = Path(__file__).parents[1] / "goldens"
NAMES = ["golub_bundled", "made_two", "made_three", "made_factors"]


def made(seed, n, p, classes):
    """Planted classes in columns of unequal means and scales; drawn from whole numbers."""
    rng = np.random.default_rng(seed)
    codes = np.arange(n) % classes
    X = rng.integers(-99, 100, (n, p)) / 64.0
    for k in range(classes):
        X[codes == k, 2 * k : 2 * k + 2] += 0.75
    return X * (1 + np.arange(p) % 5) + np.arange(p) % 3, codes


def table_of(name):
    """X, codes, penalty factors before they are divided by their mean."""
    if name == "golub_bundled":
        golub = load_golub()
        return golub.X, np.unique(golub.y, return_inverse=True)[1], np.ones(golub.X.shape[1])
    if name == "made_two":
        X, codes = made(1, 60, 20, 2)
    elif name == "made_three":
        X, codes = made(2, 60, 90, 3)
    else:
        X, codes = made(3, 50, 70, 3)
    factors = np.ones(X.shape[1])
    if name == "made_factors":
        factors[[0, 10]], factors[1:9:2] = 0.0, 2.0
    return X, codes, factors


def write_tables(folder: Path) -> None:
    """What make_glmnet.R reads."""
    for name in NAMES:
        X, codes, factors = table_of(name)
        names = [f"x{j}" + ("" if f == 1 else f"@{f:g}") for j, f in enumerate(factors)]
        lines = ["\t".join(["class", *names])]
        for code, row in zip(codes, X, strict=True):
            lines.append("\t".join([f"c{code}", *(float(v).hex() for v in row)]))
        (folder / f"{name}.tsv").write_text("\n".join(lines) + "\n")


@pytest.mark.longer
@pytest.mark.parametrize("name", NAMES)
def test_as_glmnet_or_better(name):
    golden = json.loads((GOLDENS / f"glmnet_{name}.json").read_text())
    X, codes, factors = table_of(name)
    factors = factors / factors.mean()
    assert list(X.shape) == golden["shape"]
    n_classes = len(golden["classes"])
    for peer in golden["paths"]:
        lambdas, alpha = np.array(peer["lambdas"]), peer["alpha"]
        ours = solve_path(X, codes, n_classes, lambdas, alpha, factors)
        assert ours.kkt.max() <= 1e-9
        value = objectives(X, codes, ours, alpha, factors)
        assert (value <= np.array(peer["objective"]) + 1e-9).all()
        assert (value <= np.array(peer["tight_objective"]) + 1e-12).all()
        np.testing.assert_allclose(value, peer["tight_objective"], rtol=1e-7)
        explained = 1 - ours.loss / ours.null_loss
        np.testing.assert_allclose(explained, peer["deviance_ratio"], atol=1e-5)
        own = solve_path(X, codes, n_classes, None, alpha, factors, n_lambdas=25)
        shared = min(len(own.lambdas), len(lambdas))  # each path ends by its own rule
        assert shared >= 20
        # glmnet fits the free columns of its null model to its threshold only
        near = 1e-4 if name == "made_factors" else 1e-8
        np.testing.assert_allclose(own.lambdas[:shared], lambdas[:shared], rtol=near)
        columns, values = ours.coefs[-1]
        theirs, mine = np.zeros((2, len(values), X.shape[1]))
        theirs[:, peer["columns"]], mine[:, columns] = peer["coef"], values
        np.testing.assert_allclose(mine, theirs, atol=1e-4 * np.abs(theirs).max())
        if n_classes == 2:
            assert ours.intercepts[-1] == pytest.approx(peer["intercept"], rel=1e-3)
