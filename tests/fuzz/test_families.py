"""Spoiled inputs of every kind are read, or told in one line: `just fuzz` asks many more."""

from __future__ import annotations

import pytest

from fuzz.families import FAMILIES
from fuzz.watched import Watched

pytestmark = pytest.mark.longer

# inputs, of which `just fuzz` asks tens of thousands, and the share of them that something is said
# of, at least
ASKED = {
    "arrays": (50, 0.25),
    "cells": (50, 0.9),
    "genotypes": (35, 0.25),
    "h5ad": (16, 0.25),
    "mappings": (22, 0.25),
    "models": (16, 0.5),
    "ontologies": (45, 0.2),
    "plans": (30, 0.25),
    "results": (22, 0.5),
    "tables": (30, 0.25),
}


@pytest.fixture(params=FAMILIES)
def name(request):
    if request.param == "h5ad":
        pytest.importorskip("anndata")
    if request.param in ("mappings", "ontologies"):
        pytest.importorskip("pyoxigraph")
    return request.param


@pytest.mark.full
def test_spoiled_inputs_are_read_or_told_in_one_line(name, tmp_path):
    family = FAMILIES[name]
    inputs, least = ASKED[name]
    told = 0
    with Watched(family.questions, family.seconds) as child:
        for k in range(inputs):
            said, fault = child.ask(family.spoiled(0, k, tmp_path)[1])
            told += bool(said)
            assert fault == "", f"input {k} of seed 0"
    assert least < told / inputs
    assert told < inputs or name == "cells"  # of which hardly an edit changes nothing


def test_an_input_is_the_same_each_time(name, tmp_path):
    spoil = FAMILIES[name].spoiled
    for k in range(12):
        once = spoil(3, k, tmp_path)[1].read_bytes()
        spoil(3, k + 1, tmp_path)
        assert spoil(3, k, tmp_path)[1].read_bytes() == once
