"""What `tamis.ontology` lends."""

from __future__ import annotations

import importlib
import inspect
import pkgutil

import tamis.ontology


def test_a_public_name_is_no_module_whatever_was_imported_before():
    for one in pkgutil.iter_modules(tamis.ontology.__path__, "tamis.ontology."):
        importlib.import_module(one.name)
    names = tamis.ontology.__all__
    assert {"known_pairs", "questions", "read_sheet", "write_sheet"} <= set(names)
    assert not [name for name in names if inspect.ismodule(getattr(tamis.ontology, name))]
