"""Kernels inside kernels: optimised once, in the function that Python calls.

numba makes machine code of each function by itself, and optimises it again in every caller and in
their callers, so that a function six calls deep is compiled seven times. Most of this machine code
is never run. Here the functions that a kernel calls, including numba's own, are handed on as
lowered LLVM code, and optimised as part of the kernel.

This uses private functions of numba, which may differ in other versions: under versions that were
not tested kernels are compiled as numba does it, which takes twice as long and gives the same
results.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any

import numba
from numba.core import compiler, sigutils, types, typing
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler_lock import global_compiler_lock

TESTED_NUMBA_VERSIONS = ("0.68",)  # major.minor


class PartLibrary(JITCodeLibrary):
    """LLVM code that is linked into callers and has no machine code of its own."""

    def _optimize_final_module(self):
        """Do nothing: the function that Python calls is optimised with this code linked into it."""

    def _finalize_final_module(self):
        # unlike numba's, which adds the module to the engine that generates machine code
        self._finalize_dynamic_globals()
        self._finalized = True

    def get_pointer_to_function(self, name):
        """0, numba's answer for a symbol without machine code."""
        return 0

    @property
    def codegen(self):
        """The object that numba asks to set the environment of machine code."""
        return _NoEnvironment

    @classmethod
    def _unserialize(cls, codegen, state):
        with _made_as(JITCodeLibrary, codegen):  # what a cache keeps has machine code
            return JITCodeLibrary._unserialize(codegen, state)


class _NoEnvironment:
    @staticmethod
    def set_env(name, environment):
        """Do nothing: without machine code no function reads the environment."""


class _Flags(compiler.Flags):
    """Flags that are quick to compare, and equal for a complete kernel and for a part of one.

    numba compares flags a hundred thousand times, as keys of what it has compiled of its own
    functions: that code is the same for the complete kernel and for a part of it.
    """

    # whether machine code and wrappers are made, which does not change the function's own code
    BESIDE = frozenset({"no_compile", "no_cpython_wrapper", "no_cfunc_wrapper"})
    # one hash for all, since equal flags must share it; numba's goes through all options each time
    _hash = hash(compiler.Flags())

    def __hash__(self):
        return self._hash

    def __eq__(self, other):
        if not isinstance(other, _Flags):
            return super().__eq__(other)
        # the options that were set explicitly are compared first, which is cheap
        return (
            self._values == other._values or self._compared_options() == other._compared_options()
        )

    def _compared_options(self):
        """Options that differ from their defaults, without those of `BESIDE`."""
        return {name: value for name, value in self._summary_args() if name not in self.BESIDE}


# arguments for which the signature that a built-in rule gives depends on the types alone
PLAIN_TYPES = (types.Number, types.Boolean, types.Array, types.BaseTuple)
_functions: Any = types.functions.BaseFunction
_resolve = _functions.get_call_type
# (id of operator, types): (signature, operator); the operator is held so that its id is not reused
_resolved: dict[Any, Any] = {}


def _call_type(self, context, args, kws):
    """`BaseFunction.get_call_type` with a memory.

    numba's goes through all rules of an operator wherever it occurs. For numbers and arrays a
    built-in rule always gives the same signature; a rule that is compiled (an overload) may not.
    """
    key = id(self), args
    if key in _resolved and not kws:
        found = _resolved[key][0]
        # numba's sets this too: lowering looks up the implementation by it
        self._impl_keys[found.args] = self.typing_key
        return found
    found = _resolve(self, context, args, kws)
    plain = all(isinstance(one, PLAIN_TYPES) for one in args) and not kws
    # the implementation of a built-in rule has the operator's key, a compiled one a key of its own
    if plain and self._impl_keys[found.args] is self.typing_key:
        _resolved[key] = found, self
    return found


@contextlib.contextmanager
def _made_as(kind: type, codegen: Any) -> Iterator[None]:
    """Within this context what is compiled becomes a library of the class `kind`."""
    before = codegen._library_class
    codegen._library_class = kind
    try:
        yield
    finally:
        codegen._library_class = before


@contextlib.contextmanager
def _rules_remembered() -> Iterator[None]:
    """Use `_call_type` in this context only; numba's lock keeps other threads from compiling."""
    before, _functions.get_call_type = _functions.get_call_type, _call_type
    try:
        yield
    finally:
        _functions.get_call_type = before


class Part:
    """A kernel in the form in which other kernels call it."""

    def __init__(self, kernel: Any):
        self.kernel, self.target = kernel, kernel.targetdescr.target_context
        self.compiled: dict[Any, Any] = {}  # by types: key of the code in numba's target context
        self.signatures: list[Any] = []  # of all types it is compiled for

    def get_call_template(self, args, kws):
        """`Dispatcher.get_call_template`, for a caller that is being compiled."""
        described, args = self.kernel._compiler.fold_argument_types(args, kws)
        args = tuple(types.unliteral(one) for one in args)  # no version of its own for a literal 0
        self._compile_part(args)
        name = self.kernel.py_func.__name__
        template = typing.make_concrete_template(name, name, self.signatures)
        return template, described, args, {}

    def get_overload(self, signature):
        """`Dispatcher.get_overload`, for a caller that is being compiled."""
        args, _ = sigutils.normalize_signature(signature)
        return self.compiled[tuple(args)]

    def compile_for_python(self, args, return_type):
        """Compile the kernel for calls from Python, of parts."""
        return self._compile(JITCodeLibrary, PartLibrary, args, return_type)

    def compile_alone(self, args, return_type):
        """Compile the kernel as numba does, even while a caller is being compiled of parts."""
        return self._compile(JITCodeLibrary, JITCodeLibrary, args, return_type)

    @global_compiler_lock
    def _compile_part(self, args):
        if args in self.compiled:
            return
        # the flags are those of numba's own subroutines (`BaseContext.compile_subroutine`)
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
        # `get_overload` returns this key, by which a caller's lowering finds code and library
        self.target.insert_user_function(key, made.fndesc, [made.library])
        self.compiled[args] = key
        self.signatures.append(made.signature)

    def _compile(self, kind, within, args, return_type, **more):
        # `kind` is the class of this kernel's library, `within` that of the functions it calls
        kernel, codegen = self.kernel, self.target.codegen()
        flags = _Flags()
        kernel.targetdescr.options.parse_as_flags(flags, kernel.targetoptions)
        for name, value in more.items():
            setattr(flags, name, value)
        library = kind(codegen, kernel.py_func.__qualname__)
        library.enable_object_caching()  # keeps the object code for numba's cache of files
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
    """Whether this version of numba is one whose private functions were tested."""
    return ".".join(numba.__version__.split(".")[:2]) in TESTED_NUMBA_VERSIONS


def compile_of_parts(kernel: Any) -> None:
    """Compile a dispatcher of numba's of parts from now on, and make it a part of other kernels."""
    part = Part(kernel)
    kernel._compiler._compile_core = part.compile_for_python
    kernel.get_call_template, kernel.get_overload = part.get_call_template, part.get_overload


def compile_alone(kernel: Any) -> None:
    """Compile a dispatcher by itself from now on; callers link its code as optimised then."""
    kernel._compiler._compile_core = Part(kernel).compile_alone
