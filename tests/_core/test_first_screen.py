"""What a notebook shows of a result."""

from __future__ import annotations

import importlib
import inspect
import pkgutil
from dataclasses import dataclass

import tamis
from tamis._core.first_screen import FirstScreen, summary_html

FOREIGN = {"Report"}  # of `tamis check`, printed by the command alone


@dataclass(frozen=True, repr=False)
class Cake(FirstScreen):
    said: str

    def summary(self):
        return self.said


def test_rows_of_a_summary():
    text = "a <b>: 3\n  ! few: too < few\n  how well  fine\n\n  x  y   z\n  inflation 1\n    odd"
    shown = summary_html(text)
    assert "<b>a &lt;b&gt;: 3</b>" in shown
    assert "<b>!</b></div><div>few: too &lt; few</div>" in shown
    assert ">how well</div><div>fine</div>" in shown
    assert ">inflation</div><div>1</div>" in shown
    assert ">x</div><div>y   z</div>" in shown
    assert 'monospace">    odd</div>' in shown
    assert "color" not in shown


def test_a_prompt_shows_a_short_line():
    assert repr(Cake("plain: \x1b[31m3\n  more")) == "Cake(plain: ?[31m3)"
    assert len(repr(Cake("x" * 1000))) < 160
    assert "\x1b" not in Cake("\x1b")._repr_html_()


def test_every_result_with_a_summary_shows_it():
    found = []
    for module in pkgutil.walk_packages(tamis.__path__, "tamis."):
        if "__main__" in module.name or module.name.endswith("_child"):
            continue
        for name, kind in inspect.getmembers(importlib.import_module(module.name), inspect.isclass):
            if kind.__module__ == module.name and inspect.isfunction(vars(kind).get("summary")):
                found.append(kind)
                if name not in FOREIGN:
                    assert issubclass(kind, FirstScreen), kind
    assert len(found) > 30
