"""Kernels inside kernels: optimised once, in the function that Python calls.

numba makes machine code of each function by itself, and optimises it anew in every caller and in
the callers of those, so that a function six calls deep is compiled seven times. Nobody runs most of
this machine code. Here what kernels call, functions of numba's too, is handed on as it was lowered.

That asks for inner functions of numba, which other versions may have otherwise: under those that
were not tried kernels are compiled as numba does, which takes twice as long and gives the same.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any

import numba
from numba.core import compiler, sigutils, types, typing
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler_lock import global_compiler_lock

TESTED_NUMBA_VERSIONS = ("0.68",)  # versions of numba


class PartLibrary(JITCodeLibrary):
    """Code that other code is made of, without machine code of its own."""

    def _optimize_final_module(self):
        """Left to the function that Python calls."""

    def _finalize_final_module(self):
        self._finalize_dynamic_globals()
        self._finalized = True

    def get_pointer_to_function(self, name):
        """None."""
        return 0

    @property
    def codegen(self):
        """Whom numba asks to set the environment of machine code."""
        return _NoEnvironment

    @classmethod
    def _unserialize(cls, codegen, state):
        with _made_as(JITCodeLibrary, codegen):  # kept with its machine code
            return JITCodeLibrary._unserialize(codegen, state)


class _NoEnvironment:
    @staticmethod
    def set_env(name, environment):
        """Where no machine code is, nothing reads it."""


class _Flags(compiler.Flags):
    """numba compares flags a hundred thousand times, to ask for what it has made of its own
    functions: that is the same for the whole kernel and for a part of it."""

    BESIDE = frozenset({"no_compile", "no_cpython_wrapper", "no_cfunc_wrapper"})
    _hash = hash(compiler.Flags())

    def __hash__(self):
        return self._hash

    def __eq__(self, other):
        if not isinstance(other, _Flags):
            return super().__eq__(other)
        return self._values == other._values or self._told() == other._told()

    def _told(self):
        return {name: value for name, value in self._summary_args() if name not in self.BESIDE}


PLAIN_TYPES = (types.Number, types.Boolean, types.Array, types.BaseTuple)
_functions: Any = types.functions.BaseFunction
_resolve = _functions.get_call_type
_resolved: dict[Any, Any] = {}  # by operator and types, with the operator, which keeps its id


def _call_type(self, context, args, kws):
    """`BaseFunction.get_call_type`, which goes through all rules of an operator wherever it stands:
    of numbers and arrays a built-in rule, not one that is compiled, always gives the same."""
    key = id(self), args
    if key in _resolved and not kws:
        found = _resolved[key][0]
        self._impl_keys[found.args] = self.typing_key
        return found
    found = _resolve(self, context, args, kws)
    plain = all(isinstance(one, PLAIN_TYPES) for one in args) and not kws
    if plain and self._impl_keys[found.args] is self.typing_key:
        _resolved[key] = found, self
    return found


@contextlib.contextmanager
def _made_as(kind: type, codegen: Any) -> Iterator[None]:
    """What is compiled now is a library of this kind."""
    before = codegen._library_class
    codegen._library_class = kind
    try:
        yield
    finally:
        codegen._library_class = before


@contextlib.contextmanager
def _rules_remembered() -> Iterator[None]:
    """Of what is compiled now alone; numba's lock keeps other threads from compiling."""
    before, _functions.get_call_type = _functions.get_call_type, _call_type
    try:
        yield
    finally:
        _functions.get_call_type = before


class Part:
    """A kernel as other kernels use it."""

    def __init__(self, kernel: Any):
        self.kernel, self.target = kernel, kernel.targetdescr.target_context
        self.compiled: dict[Any, Any] = {}  # by types: what numba knows each by
        self.signatures: list[Any] = []

    def get_call_template(self, args, kws):
        """`Dispatcher.get_call_template`, for a caller that is compiled."""
        described, args = self.kernel._compiler.fold_argument_types(args, kws)
        args = tuple(types.unliteral(one) for one in args)  # 0 is a number like others
        self._compile_part(args)
        name = self.kernel.py_func.__name__
        template = typing.make_concrete_template(name, name, self.signatures)
        return template, described, args, {}

    def get_overload(self, signature):
        """`Dispatcher.get_overload`, for a caller that is compiled."""
        args, _ = sigutils.normalize_signature(signature)
        return self.compiled[tuple(args)]

    def compile_whole(self, args, return_type):
        """The kernel for Python, made of parts."""
        return self._compile(JITCodeLibrary, PartLibrary, args, return_type)

    def compile_alone(self, args, return_type):
        """The kernel as numba compiles it, in the middle of a caller of parts too."""
        return self._compile(JITCodeLibrary, JITCodeLibrary, args, return_type)

    @global_compiler_lock
    def _compile_part(self, args):
        if args in self.compiled:
            return
        made = self._compile(
            PartLibrary,
            PartLibrary,
            args,
            None,
            no_compile=True,
            no_cpython_wrapper=True,
            no_cfunc_wrapper=True,
        )
        key = self, args
        self.target.insert_user_function(key, made.fndesc, [made.library])
        self.compiled[args] = key
        self.signatures.append(made.signature)

    def _compile(self, kind, within, args, return_type, **more):
        kernel, codegen = self.kernel, self.target.codegen()
        flags = _Flags()
        kernel.targetdescr.options.parse_as_flags(flags, kernel.targetoptions)
        for name, value in more.items():
            setattr(flags, name, value)
        library = kind(codegen, kernel.py_func.__qualname__)
        library.enable_object_caching()
        with _made_as(within, codegen), _rules_remembered():
            return compiler.compile_extra(
                kernel.targetdescr.typing_context,
                self.target,
                kernel.py_func,
                args,
                return_type,
                flags,
                kernel.locals,
                library=library,
            )


def is_tried() -> bool:
    """Whether this version of numba is one whose inner functions are known."""
    return ".".join(numba.__version__.split(".")[:2]) in TESTED_NUMBA_VERSIONS


def compile_of_parts(kernel: Any) -> None:
    """From now on a dispatcher of numba's is compiled of parts, and is a part of others."""
    part = Part(kernel)
    kernel._compiler._compile_core = part.compile_whole
    kernel.get_call_template, kernel.get_overload = part.get_call_template, part.get_overload


def compile_alone(kernel: Any) -> None:
    """From now on a dispatcher is compiled by itself, and callers take it optimised."""
    kernel._compiler._compile_core = Part(kernel).compile_alone
