"""The genetic search beside random subsets of equal budget and forward selection.

    python benchmarks/genetic.py [--seeds 10] [--settings | --peer]

On madelon (its training rows) and two shared expression sets half of the samples, stratified,
select and the other half judge: ridge logistic regression on what was chosen (on madelon k-NN,
too), balanced accuracy. Random subsets are drawn as the genetic search begins (same candidates,
same sizes), as many as it evaluated, and the one with the best fitness is kept. `--settings`
compares settings of the search instead: the default is the best mean balanced accuracy on the
three sets, within .005 of which the cheaper is taken. `--peer`: generations of 100 subsets of
20,000 columns by our loop and by deap's (if it is installed), with a fitness that costs nothing
and an equal rate for all bits.
"""

from __future__ import annotations

import argparse
import sys
import warnings

from _harness import markdown, shared_folder, shared_set, timed, versions  # first: sets threads

# isort: split
import numpy as np
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import train_test_split
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from tamis.data import read_table
from tamis.metrics import balanced_classification_rate
from tamis.selection import FilterSelector, GeneticSelector, SequentialSelector

SETS = ("madelon", "madelon by k-NN", "alon", "shipp")


def loaded(name: str):
    """X and codes."""
    if name.startswith("madelon"):
        data = read_table(shared_folder() / "uci" / "madelon.parquet", target="class")
    else:
        data = shared_set(name)
    return data.X, np.unique(data.y, return_inverse=True)[1]


class RandomSubsets(GeneticSelector):
    """Every generation is new: the budget of the search spent on random subsets."""

    def fit(self, X, y):
        from tamis.selection import _genetic_search as search

        kept = search.next_generation
        search.next_generation = lambda now, fitness, how, stream: search.first_generation(
            now.masks.shape[1], fitness, how, stream
        )
        try:
            return super().fit(X, y)
        finally:
            search.next_generation = kept


def held_out(selector, judge, seed: int, X, y) -> tuple[float, float, float]:
    """Balanced accuracy on the other half, the score inside and the number of features."""
    train, test, y_train, y_test = train_test_split(
        X, y, stratify=y, test_size=0.5, random_state=seed
    )
    columns = selector.fit(train, y_train).get_support(indices=True)
    model = make_pipeline(StandardScaler(), judge)
    predicted = model.fit(train[:, columns], y_train).predict(test[:, columns])
    inside = getattr(selector, "score_", float("nan"))
    return balanced_classification_rate(y_test, predicted), inside, len(columns)


def compared(makers, seeds: int) -> list[list[str]]:
    """A row for each set and selector: mean and spread over the seeds."""
    rows = []
    for name in SETS:
        X, y = loaded(name)
        for label, make in makers.items():
            near = name.endswith("k-NN")
            learner = "knn" if near else "diagonal_discriminant"
            judge = KNeighborsClassifier() if near else LogisticRegression(C=0.1, max_iter=2000)
            run = timed(
                lambda m=make, e=learner, j=judge, a=X, b=y: np.array(
                    [held_out(m(s, e), j, s, a, b) for s in range(seeds)]
                )
            )
            rate, inside, size = run.value.T
            rows.append(
                [
                    name,
                    label,
                    f"{rate.mean():.3f}",
                    f"{rate.std(ddof=1):.3f}",
                    f"{inside.mean():.3f}",
                    f"{size.mean():.1f}",
                    f"{run.cpu / seeds:.2f}",
                ]
            )
            print(*rows[-1], file=sys.stderr, flush=True)
    return rows


def compare_peer() -> None:
    """CPU time of a generation, ours and deap's."""
    import random
    from operator import attrgetter

    from tamis.selection._genetic_search import GeneticSettings, evolved_generations

    p, generations = 20_000, 10
    how = GeneticSettings(100, 3, 0.9, 0.05, 2, 10, 1, 40)

    def fitness(columns: np.ndarray) -> float:
        return float((columns < 50).sum() - 0.1 * len(columns))

    stream, course = np.random.SeedSequence(0), range(generations)
    ours = timed(lambda: evolved_generations(None, p, fitness, how, stream, course), repeats=3)
    rows = [["tamis", f"{ours.cpu / generations * 1000:.1f}", ""]]
    try:
        from deap import base, creator, tools
    except ImportError:
        print("deap is not installed: left out", file=sys.stderr)
    else:
        creator.create("Best", base.Fitness, weights=(1.0,))
        creator.create("Mask", list, fitness=creator.Best)

        def search():
            random.seed(0)
            now = [creator.Mask(random.random() < 10 / p for _ in range(p)) for _ in range(100)]
            for _ in range(generations):
                for one in now:
                    one.fitness.values = (fitness(np.flatnonzero(one)),)
                best = tools.selBest(now, 2)
                parents = tools.selTournament(now, 98, 3)
                now = [creator.Mask(one) for one in parents]
                for first, second in zip(now[::2], now[1::2], strict=True):
                    if random.random() < 0.9:
                        tools.cxUniform(first, second, 0.5)
                for one in now:
                    tools.mutFlipBit(one, 1 / p)
                now += [creator.Mask(one) for one in best]
            return max(now, key=attrgetter("fitness"))

        peer = timed(search)
        rows.append(["deap", f"{peer.cpu / generations * 1000:.1f}", f"{peer.cpu / ours.cpu:.0f}"])
    print(markdown(["loop", "CPU ms a generation", "times ours"], rows))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seeds", type=int, default=10)
    parser.add_argument("--settings", action="store_true")
    parser.add_argument("--peer", action="store_true")
    args = parser.parse_args()
    if args.peer:
        compare_peer()
        return 0
    warnings.filterwarnings("ignore")
    makers = {
        "genetic": lambda s, e: GeneticSelector(e, random_state=s, progress=False),
        "random subsets": lambda s, e: RandomSubsets(e, random_state=s, progress=False),
        "forward": lambda s, e: SequentialSelector(e, random_state=s, progress=False),
        "forward among 200": lambda s, e: SequentialSelector(
            e, candidates=200, random_state=s, progress=False
        ),
        "moderated t, 20": lambda s, e: FilterSelector("moderated_t", size=20),
    }
    if args.settings:
        changes = {
            "default": {},
            "penalty 0": {"size_penalty": 0.0},
            "penalty .01": {"size_penalty": 0.01},
            "mutation .02": {"mutation": 0.02},
            "mutation .1": {"mutation": 0.1},
            "candidates 1,000": {"candidates": 1000},
            "candidates 50": {"candidates": 50},
            "population 100": {"population": 100},
            "generations 200": {"generations": 200},
            "tournament 7": {"tournament": 7},
            "four islands": {"islands": 4},
        }
        makers = {
            label: lambda s, e, how=how: GeneticSelector(e, random_state=s, progress=False, **how)
            for label, how in changes.items()
        }
    head = [
        "set",
        "selection",
        "balanced accuracy",
        "SD over seeds",
        "inner score",
        "features",
        "CPU s",
    ]
    print(markdown(head, compared(makers, args.seeds)))
    print(f"\n{args.seeds} seeds (splits and searches); {versions('scikit-learn', 'numpy')}.")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
