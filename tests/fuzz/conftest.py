"""What the tests of spoiled inputs share."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from fuzz.families import FAMILIES
from fuzz.watched import Watched


def pytest_collection_modifyitems(items):
    if sys.platform == "win32":
        for item in items:
            if item.path.parent == Path(__file__).parent:
                item.add_marker(pytest.mark.skip(reason="waits for a pipe with select"))


@pytest.fixture(scope="module")
def watched(request):
    """A process that answers for files of a module's FAMILY."""
    family = FAMILIES[request.module.FAMILY]
    with Watched(family.questions, family.seconds) as child:
        yield child
