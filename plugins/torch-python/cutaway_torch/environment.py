# SPDX-FileCopyrightText: The Cutaway authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Finds the torch of this Python, or the reason why there is none that can be used."""
from __future__ import annotations

import importlib
import importlib.metadata
import importlib.util
import os
import shutil
import subprocess
import sys
from collections.abc import Iterable, Iterator
from typing import Any

from cutaway_torch.wire import Failure

OLDEST = (2, 1)  # the first version with torch.export.load
OTHER = 'name another Python with --python, CUTAWAY_PYTHON or "python" of the target'
HAS_TORCH = "import importlib.util, sys; sys.exit(importlib.util.find_spec('torch') is None)"


def version() -> str:
    """Returns the version of the installed torch, without importing it. Raises Failure if there is none."""
    if importlib.util.find_spec("torch") is None:
        raise Failure(f"the Python {sys.executable} has no torch: install it there, or {OTHER}")
    try:
        return importlib.metadata.version("torch")
    except importlib.metadata.PackageNotFoundError:
        return "of unknown version"


def torch() -> Any:
    """Returns the module torch. Raises Failure if there is none, if it cannot be imported, or if it is too old."""
    version()
    try:
        module = importlib.import_module("torch")
    except BaseException as error:  # such as a missing library, or a symbol that another build lacks
        lines = str(error).strip().splitlines() or [type(error).__name__]
        raise Failure(f"the torch of {sys.executable} cannot be imported: {lines[-1]}; install it there anew, or {OTHER}") from None
    found = str(getattr(module, "__version__", "0"))
    if tuple(int(part) for part in found.split("+")[0].split(".")[:2] if part.isdigit()) < OLDEST:
        oldest = ".".join(map(str, OLDEST))
        raise Failure(f"torch {found} of {sys.executable} is too old: torch-python needs {oldest} or newer; update it, or {OTHER}")
    return module


def import_operators(packages: Iterable[str]) -> list[str]:
    """Imports those of the modules that are installed, which register operators. Returns sentences on those that cannot
    be imported."""
    faults = []
    for package in filter(_is_there, packages):
        try:
            importlib.import_module(package)
        except BaseException as error:
            last = (str(error).strip().splitlines() or [type(error).__name__])[-1]
            faults.append(f"{package} cannot be imported: {last}")
    return faults


def _is_there(module: str) -> bool:
    try:
        return importlib.util.find_spec(module) is not None
    except ModuleNotFoundError:  # a package around the module is missing
        return False


def is_of_the_path() -> bool:
    """Whether this is just the first Python on the PATH: neither one of an environment, nor one that was named."""
    first = shutil.which("python3")
    is_environment = sys.prefix != sys.base_prefix or os.path.isdir(os.path.join(sys.prefix, "conda-meta"))
    return not is_environment and first is not None and os.path.samefile(first, sys.executable)


def others_of_the_path() -> Iterator[str]:
    seen = {os.path.realpath(sys.executable)}
    for folder in os.get_exec_path():
        found = shutil.which("python3", path=folder)
        if found and os.path.realpath(found) not in seen:
            seen.add(os.path.realpath(found))
            yield found


def become_one_with_torch(arguments: list[str]) -> None:
    """Lets a later Python on the PATH with torch take over if this is the first one there and has no torch."""
    if importlib.util.find_spec("torch") is not None or not is_of_the_path():
        return
    for other in others_of_the_path():
        try:
            found = subprocess.run([other, "-c", HAS_TORCH], stdin=subprocess.DEVNULL, timeout=5, capture_output=True)
        except (OSError, subprocess.SubprocessError):
            continue
        if found.returncode == 0:
            os.execv(other, [other, *arguments])
