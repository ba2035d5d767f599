"""Small data and a quick plan for the study's tests."""

from __future__ import annotations

import copy

import pytest

from common.studies import QUICK, make_data


@pytest.fixture
def data():
    """40 x 60, three informative features."""
    return make_data()


@pytest.fixture
def quick():
    """A plan dictionary that runs in a second."""
    return copy.deepcopy(QUICK)
