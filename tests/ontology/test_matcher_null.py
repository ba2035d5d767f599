"""Where there is nothing to learn, nothing is found: shuffled labels, unrelated vocabularies."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import binom
from sklearn.metrics import roc_auc_score

from tamis._core.errors import DataError
from tamis.ontology import OntologyMatcher, read_ontology
from tamis.ontology.made_up import make_vocabularies

pytestmark = pytest.mark.longer

MADE = make_vocabularies(300, 300, 200)
UNRELATED = {"iasted": 140, "edas": 103, "ekaw": 73}  # conferences, beside diseases and organs


@pytest.mark.parametrize("learner", ["aode", "logistic"])
def test_shuffled_labels_are_at_chance(learner):
    """Half of the pairs of a random permutation teach; of the others no more are found than drawn.

    All pairs of 40 x 40 classes are candidates, so that each of the 20 classes that are left has
    one right one among 20.
    """
    found = right = 0
    areas = []
    for seed in range(10):
        made = make_vocabularies(40, 40, 32, random_state=seed)
        order = np.random.default_rng(seed).permutation(40)
        pairs = [(made.source.iris[i], made.target.iris[j]) for i, j in enumerate(order)]
        matcher = OntologyMatcher(learner=learner, seeds="never")
        matcher.fit(made.source, made.target, pairs[:20])
        new = set(matcher.match(made.source, made.target).pairs) - set(pairs[:20])
        found, right = found + len(new), right + len(new & set(pairs[20:]))
        areas.append(roc_auc_score(matcher.model_.truth, matcher.model_.held_out))
    assert right <= binom.isf(1e-3, found, 1 / 20) if found else right == 0
    assert abs(np.mean(areas) - 0.5) < 4 * np.std(areas) / np.sqrt(10)


@pytest.fixture(scope="module", params=["a hundred matches", "a whole reference"])
def taught(request):
    """A matcher that knows a hundred matches, or also which classes have none."""
    if request.param == "a whole reference":
        return OntologyMatcher().fit(MADE.source, MADE.target, MADE.reference, complete=True)
    return OntologyMatcher().fit(MADE.source, MADE.target, list(MADE.reference.pairs)[:100])


@pytest.mark.parametrize("name", UNRELATED)
def test_unrelated_vocabularies_have_nearly_no_match(name, taught, shared_data):
    place = shared_data / "ontology" / "conference" / "ontologies"
    (path,) = place.glob(f"{name}.*")
    one = read_ontology(path)
    assert len(one) == UNRELATED[name]
    for seed in range(3):
        other = make_vocabularies(300, 300, 0, random_state=seed).target
        assert len(taught.match(one, other)) <= 0.05 * len(one)
        # Without labels: no name is like any other, and there is no seed to learn from.
        with pytest.raises(DataError, match=r"^no pair of classes is known to match"):
            OntologyMatcher().fit(one, other)


def test_words_in_common_are_no_match(taught):
    """Two made-up vocabularies of the same words without a class in common: what is told has
    nearly the same name."""
    made = make_vocabularies(300, 300, 0, random_state=7)
    assert len(taught.match(made.source, made.target)) < 0.2 * 300


def test_few_seeds_teach_little_but_themselves():
    """The same without labels: hardly more is told than the seeds, and that labels are needed."""
    told = seeds = 0
    for seed in range(5):
        made = make_vocabularies(300, 300, 0, random_state=seed)
        alone = OntologyMatcher().fit(made.source, made.target)
        mapping = alone.match(made.source, made.target)
        assert "label some pairs" in " ".join(mapping.remarks)
        told, seeds = told + len(mapping), seeds + alone.n_labels_[0]
    assert told <= 1.2 * seeds
