"""Kernels inside kernels are compiled once, in the function that Python calls."""

import gc

import numba
import numpy as np
import pytest
from numba.core import event

from tamis.kernels._jit import _compiled_kernel
from tamis.kernels._parts import PartLibrary

pytestmark = pytest.mark.longer


def jit(function, **options):
    """`_jit.jit` without the machine code that an earlier run of the tests has left."""
    return _compiled_kernel(function, {"nogil": True, "error_model": "numpy", **options})


def jit_sums(function):
    return jit(function, fastmath={"reassoc", "contract"})


@jit
def add_up(values, start):
    """The sum from a place on."""
    total = 0.0
    for i in range(start, len(values)):
        total += values[i]
    return total


@jit
def sorted_sums(values):
    """Of all values and of those after the smallest."""
    rising = np.sort(values)
    return add_up(rising, 0), add_up(rising, len(rising) - 1), rising[0]


@jit_sums
def dot(a, b):
    """In any order."""
    total = 0.0
    for i in range(len(a)):
        total += a[i] * b[i]
    return total


@jit
def norm(a):
    """Its root."""
    return np.sqrt(dot(a, a))


def part_of(kernel):
    return kernel.get_call_template.__self__


def test_a_kernel_in_a_kernel_has_no_machine_code_until_python_calls_it():
    values = np.array([3.0, 1.0, 2.0])
    assert sorted_sums(values) == (6.0, 3.0, 1.0)
    assert not add_up.overloads
    (key,) = part_of(add_up).compiled.values()  # a literal 0 and a number are one type
    (implementation,) = part_of(add_up).target._defns[key].versions[-1:]
    assert isinstance(implementation[1].libs[0], PartLibrary)
    assert add_up(values, 1) == 3.0
    assert len(add_up.overloads) == 1


def test_what_numba_brings_serves_others_too():
    """Its sort is a part here, and is made machine code of in a function of somebody else's."""
    values = np.array([3.0, 1.0, 2.0])
    sorted_sums(values)

    @numba.njit
    def largest(values):
        return np.sort(values)[-1], sorted_sums(values)[0]

    assert largest(values) == (3.0, 6.0)
    assert largest(values[::-1]) == (3.0, 6.0)


def test_sums_in_any_order_are_compiled_by_themselves():
    """Their order is that of the function which Python calls, wherever they are called from."""
    values = np.random.default_rng(0).normal(size=1001)
    assert norm(values) == np.sqrt(dot(values, values))
    (compiled,) = dot.overloads.values()
    assert not isinstance(compiled.library, PartLibrary)


class Collecting(event.Listener):
    """Whether garbage is collected when a pass of the compiler begins."""

    def __init__(self):
        self.seen = set()

    def on_start(self, event):
        self.seen.add(gc.isenabled())

    def on_end(self, event):
        pass


def test_no_garbage_is_collected_while_kernels_are_compiled():
    @jit
    def doubled(x):
        return 2 * x

    listener = Collecting()
    with event.install_listener("numba:run_pass", listener):
        doubled(1)
    assert listener.seen == {False}
    assert gc.isenabled()
