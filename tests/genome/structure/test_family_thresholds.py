"""When distant relatives do not join a family, and when relatives cannot be told: at the borders of
docs/methods/kinship.md and genome_study.md."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest

from tamis.genome.structure import families as module
from tamis.genome.structure.families import find_families, notes_on_split


def some_relatives(largest: int, n: int = 20, smallest: float = 0.04, relation=(3,)):
    """Of n people: up to the third degree a family of so many, up to the first one of two."""
    names = ("duplicate or twin", "parent and child", "siblings", "second degree", "third degree")
    joined = {3: largest, 2: largest, 1: 2}
    return SimpleNamespace(
        smallest=smallest,
        to_dict=lambda most: {"relatives": largest, "relations": dict.fromkeys(names, 1)},
        families=lambda degree: np.r_[np.zeros(joined[degree], int), np.arange(joined[degree], n)],
        pairs=np.array([[1, 0]] * len(relation)),
        kinship=np.full(len(relation), 0.25),
        relation=np.array(relation),
    )


@pytest.mark.every
@pytest.mark.parametrize(("largest", "joined"), [(10, 10), (11, 2)])
def test_a_family_of_more_than_half_of_all_is_parted_by_degree(monkeypatch, largest, joined):
    monkeypatch.setattr(module, "look_for_relatives", lambda *_, **__: some_relatives(largest))
    found = find_families(SimpleNamespace(shape=(20, 100)))
    assert np.bincount(found.of).max() == joined
    assert ("degree 1 alone" in found.notes[0]) == (joined == 2)


@pytest.mark.parametrize(("smallest", "told"), [(0.0885, True), (0.0883, False)])
def test_variants_that_lose_the_third_degree_are_told(monkeypatch, smallest, told):
    """Above 2^-3.5 = .0884, the border of the second degree, the third is lost to chance."""
    found = some_relatives(2, smallest=smallest)
    monkeypatch.setattr(module, "look_for_relatives", lambda *_, **__: found)
    notes = find_families(SimpleNamespace(shape=(20, 100))).notes
    assert any("cannot be distinguished from chance" in note for note in notes) == told


@pytest.mark.parametrize(("relation", "told"), [(4, True), (5, False)])
def test_pairs_up_to_the_third_degree_in_different_folds_are_told(monkeypatch, relation, told):
    found = some_relatives(2, relation=(relation,))
    monkeypatch.setattr(module, "look_for_relatives", lambda *_, **__: found)
    notes = notes_on_split(SimpleNamespace(shape=(20, 100)), None, np.arange(20))
    assert len(notes) == told
