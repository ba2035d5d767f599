"""The mutation check of `just mutate`: what it changes, what it draws, which tests come first."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

pytest.importorskip("cosmic_ray", reason="needs the extra `mutate`")

from cosmic_ray.mutating import mutate_code

from mutate.draw import Mutant, draw, mutated, sites
from mutate.near import Imports, statement_lines
from mutate.operators import KINDS, Edits
from mutate.slots import Kernels, Slot

OWN = [one for operators in KINDS.values() for one in operators if isinstance(one, Edits)]


def diffs(source: str, kind: str) -> list[str | None]:
    return [mutated(source, one) for one in sites(source) if one.kind == kind]


@pytest.mark.every
@pytest.mark.parametrize("operator", OWN, ids=lambda one: type(one).__name__)
def test_an_operator_does_what_its_examples_say(operator):
    for example in operator.examples():
        assert mutate_code(example.pre_mutation_code, operator, 0) == example.post_mutation_code


@pytest.mark.every
@pytest.mark.parametrize(
    ("kind", "source", "expected"),
    [
        ("comparison", "a < b", ["a <= b", "a >= b"]),
        ("sign", "a + b - c", ["a - b - c", "a + b + c"]),
        ("sign", "x = -a", ["x = a"]),
        ("boolean", "x = a or not b", ["x = a and not b", "x = a or  b"]),
        ("off by one", "x[0] = 2", ["x[1] = 2", "x[-1] = 2", "x[0] = 3", "x[0] = 1"]),
        ("off by one", "x.sum(axis=0)", []),
        ("constant", "x = 4.0", ["x = 5.0"]),
        ("axis", "np.sum(x, 0) + y.any(1)", ["np.sum(x, 1) + y.any(1)", "np.sum(x, 0) + y.any(0)"]),
        ("axis", "f(x, 0) + x[0]", []),
        ("dropped term", "a + b * c", ["a", "a + b"]),
        ("swapped argument", "f(a, b, *c)", ["f(b, a, *c)"]),
        ("swapped argument", "max(a, b)", []),
        ("extreme", "np.minimum(a, b)", ["np.maximum(a, b)"]),
    ],
)
def test_what_each_kind_changes(kind, source, expected):
    assert diffs(source, kind) == expected


LEFT_OUT = '''"""Says 1 < 2."""
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    x = 1 + 2


@dataclass(frozen=True)
class A:
    a: Literal[1]


def f(a: Annotated[int, 3]) -> tuple[int, 4]:
    for _ in zip(a, strict=True):
        raise ValueError(f"{a + 1}", 5)
    return "a" + text(a)
'''


def test_no_texts_annotations_and_what_is_for_type_checkers():
    assert sites(LEFT_OUT) == []


def test_a_mutant_that_says_the_same_or_does_not_parse_is_none():
    (site,) = [one for one in sites("f(a, (a))") if one.kind == "swapped argument"]
    assert mutated("f(a, (a))", site) is None


@pytest.fixture
def checkout(tmp_path):
    """A package of four modules, one of them a kernel, and tests that see them."""
    files = {
        "src/tamis/__init__.py": "",
        "src/tamis/kernels/__init__.py": "",
        "src/tamis/kernels/inner.py": "def inner(a):\n    return a + 1\n",
        "src/tamis/kernels/outer.py": "from .inner import inner\n",
        "src/tamis/room/__init__.py": "if TYPE_CHECKING:\n    from ._far import far as far\n",
        "src/tamis/room/_far.py": "def far(a):\n    from ..kernels.outer import outer\n",
        "src/tamis/room/rows.py": 'ROOM = "tamis.room"\nROW = Row(f"{ROOM}:far", 2 * 3, a < b)\n',
        "tests/common/help.py": "from tamis.room.rows import ROW\n",
        "tests/kernels/test_inner.py": "from tamis.kernels.inner import inner\n",
        "tests/room/test_far.py": "from tamis.room import far\n",
        "tests/room/test_rows.py": "from common.help import ROW\n",
    }
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    return tmp_path


def test_the_same_seed_draws_the_same_and_kernels_apart(checkout):
    def drawn(seed: int, kernels: bool) -> list[Mutant]:
        return draw(checkout, kernels, 3, seed, checkout / "memory.json")

    assert drawn(1, False) == drawn(1, False)
    assert drawn(1, False) != drawn(2, False)
    assert {one.path for one in drawn(1, True)} == {"src/tamis/kernels/inner.py"}
    assert {one.path for one in drawn(1, False)} == {"src/tamis/room/rows.py"}
    one = drawn(1, False)[0]
    assert one.lines == {one.line} == {2}
    assert len(one.diff.splitlines()) == 6


def test_nearest_tests_come_first(checkout):
    imports = Imports(checkout)
    far, rows, inner = (
        "tests/room/test_far.py",
        "tests/room/test_rows.py",
        "tests/kernels/test_inner.py",
    )
    assert imports.tests("src/tamis/room/_far.py") == [far, rows]
    assert imports.tests("src/tamis/room/rows.py") == [rows]
    assert imports.tests("src/tamis/kernels/inner.py") == [inner, far, rows]
    assert imports.rooms_above("src/tamis/kernels/inner.py") == {"kernels", "room"}


def test_machine_code_has_another_folder_where_sources_are_others(checkout):
    kernels = Kernels(Imports(checkout), checkout / "kernels")
    inner, outer = (f"src/tamis/kernels/{name}.py" for name in ("inner", "outer"))
    for path, changed in ((inner, 2), (outer, 1)):
        before = (checkout / path).read_text()
        others = kernels.folders(Mutant(path, "sign", 1, before, before + "\n"))
        assert sum(others[name] != folder for name, folder in kernels.plain.items()) == changed


def test_lines_of_a_statement_in_a_function():
    source = (
        "x = 1\n\ndef f(a):\n    if (a and\n            b):\n        return g(\n            a)\n"
    )
    for lines, expected in (({1}, set()), ({5}, {4, 5}), ({7}, {6, 7})):
        assert statement_lines(ast.parse(source), lines) == expected


def test_a_copy_is_as_the_checkout_with_its_times(checkout, tmp_path):
    copy, name = tmp_path / "copy", "src/tamis/room/rows.py"
    Slot(checkout, copy, {name, "tests/room/test_rows.py"})
    (copy / name).write_text("spoiled")
    Slot(checkout, copy, {name})
    assert (copy / name).stat().st_mtime_ns == (checkout / name).stat().st_mtime_ns
    assert (copy / name).read_text() == (checkout / name).read_text()
    assert [p.name for p in Path(copy).rglob("*.py")] == ["rows.py"]
