"""In test runs of mutants: machine code of each kernel is kept by the sources that it is made of.

The package keeps it by the sources of all kernels together, so that all would be compiled anew for
each mutant of one. The folder of a kernel's machine code is here named after its own module and all
that it imports: those of a mutant, and of what imports it, are others by themselves.
"""

import json
import os
import sys
from importlib.abc import MetaPathFinder
from importlib.machinery import PathFinder

FOLDERS = "TAMIS_MUTATE_KERNELS"  # a file: the folder of each module


class _AfterImport(MetaPathFinder):
    def find_spec(self, name, path=None, target=None):
        if name != "tamis.kernels._jit" or FOLDERS not in os.environ:
            return None
        spec = PathFinder.find_spec(name, path)
        run = spec.loader.exec_module

        def run_and_patch(module):
            run(module)
            with open(os.environ[FOLDERS], encoding="utf-8") as file:
                patch(module, json.load(file))

        spec.loader.exec_module = run_and_patch
        return spec


def patch(jit, folders):
    """Other folders for the kernels of the package; those made elsewhere have theirs as ever."""
    from numba.core.caching import UserProvidedCacheLocator

    original, subfolder = jit._with_cache, UserProvidedCacheLocator.get_suitable_cache_subpath

    def with_cache(function, options):
        folder, settings = folders.get(function.__module__), jit.numba.config
        if folder is None or settings.DISABLE_JIT:
            return original(function, options)
        with jit._one_at_a_time:
            given = getattr(settings, "CACHE_DIR", "")
            settings.CACHE_DIR = folder
            UserProvidedCacheLocator.get_suitable_cache_subpath = staticmethod(lambda path: "")
            try:
                return jit._cached_kernel(function, options)
            finally:
                settings.CACHE_DIR = given
                UserProvidedCacheLocator.get_suitable_cache_subpath = subfolder

    jit._with_cache = with_cache


sys.meta_path.insert(0, _AfterImport())
