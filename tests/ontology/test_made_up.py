"""Made-up vocabularies: their truth, their hierarchy, their stated rates."""

import numpy as np
import pytest

from tamis._core.errors import PlanError
from tamis.ontology import made_up
from tamis.ontology._made_up_names import OPPOSITE_SIDES
from tamis.ontology.made_up import RENAMED_SHARE, SYNONYM_SHARE, make_vocabularies
from tamis.ontology.names import normalised_name


def test_sizes_and_truth():
    made = make_vocabularies(300, 200, 120, noise=0)
    assert [len(made.source), len(made.target), len(made.pairs)] == [300, 200, 120]
    assert len(set(made.pairs[:, 0].tolist())) == len(set(made.pairs[:, 1].tolist())) == 120
    assert len(made.reference) == 120
    for a, b in made.pairs:
        assert normalised_name(made.source.labels[a]) == normalised_name(made.target.labels[b])


def test_the_same_seed_gives_the_same():
    one, same, other = (make_vocabularies(50, 60, 30, random_state=seed) for seed in (1, 1, 2))
    assert one.source.labels == same.source.labels
    assert one.target.synonyms == same.target.synonyms
    assert (one.pairs == same.pairs).all()
    assert one.source.labels != other.source.labels


def test_a_superclass_says_less():
    source = make_vocabularies(500, 500, 300).source
    deep = 0
    for at, parents in enumerate(source.parents):
        for parent in parents:
            more, less = (set(normalised_name(source.labels[k]).split()) for k in (at, parent))
            assert less < more
            deep += 1
    assert deep > 300
    assert source.depths.max() >= 3


def test_rates_are_those_stated():
    made = make_vocabularies(4000, 4000, 4000, noise=0.5)
    labels = [
        (normalised_name(made.source.labels[a]), normalised_name(made.target.labels[b]))
        for a, b in made.pairs
    ]
    altered = np.mean([a != b for a, b in labels])
    assert 0.45 < altered < 0.52  # a typing error may exchange equal letters
    for side in (made.source, made.target):
        assert abs(np.mean([len(s) > 0 for s in side.synonyms]) - SYNONYM_SHARE) < 0.03
    nothing = [not set(a.split()) & set(b.split()) for a, b in labels]
    assert abs(np.mean(nothing) - 0.5 * RENAMED_SHARE) < 0.03
    written = made.target.labels
    assert abs(np.mean(["_" in label for label in written]) - 0.1) < 0.02


def test_near_misses_are_there():
    labels = set(make_vocabularies(2000, 10, 0).source.labels)
    sided = [label for label in labels if label.split()[0] in OPPOSITE_SIDES]
    others = [" ".join([OPPOSITE_SIDES[label.split()[0]], *label.split()[1:]]) for label in sided]
    assert np.mean([other in labels for other in others]) > 0.5


@pytest.mark.parametrize(
    ("numbers", "said"),
    [
        ({"shared": 600}, "shared=600: give at most 500"),
        ({"n_target": 0}, "n_target"),
        ({"noise": 2}, "noise"),
    ],
)
def test_what_cannot_be_is_refused(numbers, said):
    with pytest.raises(PlanError, match=said):
        make_vocabularies(**{"n_source": 500, "n_target": 500, "shared": 10, **numbers})


def test_the_smallest():
    made = make_vocabularies(1, 1, 0)
    assert len(made.pairs) == 0
    assert made.source.labels != made.target.labels


@pytest.mark.every
@pytest.mark.parametrize(("n", "words"), [(1, 30), (300, 30), (900, 90)])
def test_a_tenth_as_many_words_as_classes(n, words, monkeypatch):
    asked, real = [], made_up.Words
    monkeypatch.setattr(made_up, "Words", lambda chance, n: asked.append(n) or real(chance, n))
    make_vocabularies(n, n, n)
    assert asked == [words]
