"""Random streams depend on the seed and on names: on nothing else."""

from __future__ import annotations

import os
import subprocess
import sys

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from common.examples import settings
from tamis._core.streams import generator, random_state, stream

KEYS = st.tuples(
    st.text(max_size=8), st.integers(-5, 50), st.one_of(st.none(), st.booleans(), st.text())
)


def words(seed, *key):
    return stream(seed, *key).generate_state(4).tolist()


def test_known_values():
    # a change here changes the numbers of every study made so far
    assert random_state(0, "outer", 1) == 1148630489
    assert (
        generator(20, "rank", "moderated_t", 0, 3, "final").integers(2**62) == 1984148740316508461
    )


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 2**64), st.lists(KEYS, min_size=2, max_size=5, unique_by=repr), st.randoms())
def test_the_order_of_asking_plays_no_part(seed, keys, shuffler):
    first = {repr(key): words(seed, *key) for key in keys}
    shuffled = list(keys)
    shuffler.shuffle(shuffled)
    generator(seed, *keys[0]).random(100)  # drawing from one moves no other
    assert {repr(key): words(seed, *key) for key in shuffled} == first
    assert len({tuple(value) for value in first.values()}) == len(keys)


def test_key_parts_are_kept_apart():
    keys = [("a", "bc"), ("ab", "c"), ("abc",), ("a", "b", "c"), (), (1,), ("1",), (1, 1), (11,)]
    assert len({tuple(words(0, *key)) for key in keys}) == len(keys)
    assert len({tuple(words(seed, "a")) for seed in range(50)}) == 50


def test_numpys_scalars_count_as_pythons():
    assert words(0, np.int64(3), np.str_("a"), np.bool_(True)) == words(0, 3, "a", True)
    assert words(np.int64(7), "a") == words(7, "a")


def test_the_same_in_another_process_whatever_its_hash_seed():
    code = (
        "from tamis._core.streams import stream;"
        "print(stream(5, 'inner', 2, None).generate_state(4).tolist())"
    )
    for hash_seed in ("1", "2"):
        environment = {**os.environ, "PYTHONHASHSEED": hash_seed}
        found = subprocess.run(
            [sys.executable, "-c", code],
            env=environment,
            capture_output=True,
            text=True,
            check=True,
        )
        assert found.stdout.strip() == str(words(5, "inner", 2, None))


def test_generator_and_integer_come_from_the_stream():
    a = np.random.default_rng(stream(1, "x")).random(3)
    assert np.array_equal(generator(1, "x").random(3), a)
    value = random_state(1, "x")
    assert type(value) is int
    assert 0 <= value < 2**32
    assert value == stream(1, "x").generate_state(1)[0]
