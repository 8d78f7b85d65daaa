# SPDX-FileCopyrightText: The Cutaway authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The torch of this Python, or a sentence on why there is none that can be used."""
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

OLDEST = (2, 1)  # the first with torch.export.load
OTHER = 'name another Python with --python, CUTAWAY_PYTHON or "python" of the target'
HAS_TORCH = "import importlib.util, sys; sys.exit(importlib.util.find_spec('torch') is None)"


def version() -> str:
    """The version of the torch that is installed, without importing it. Raises Failure: there is none."""
    if importlib.util.find_spec("torch") is None:
        raise Failure(f"the Python {sys.executable} has no torch: install it there, or {OTHER}")
    try:
        return importlib.metadata.version("torch")
    except importlib.metadata.PackageNotFoundError:
        return "of unknown version"


def torch() -> Any:
    """The module. Raises Failure: there is none, it cannot be imported, or it is too old."""
    version()
    try:
        module = importlib.import_module("torch")
    except BaseException as error:  # a library that is missing, a symbol that another build lacks
        lines = str(error).strip().splitlines() or [type(error).__name__]
        raise Failure(f"the torch of {sys.executable} cannot be imported: {lines[-1]}; install it there anew, or {OTHER}") from None
    found = str(getattr(module, "__version__", "0"))
    if tuple(int(part) for part in found.split("+")[0].split(".")[:2] if part.isdigit()) < OLDEST:
        oldest = ".".join(map(str, OLDEST))
        raise Failure(f"torch {found} of {sys.executable} is too old: torch-python needs {oldest} or newer; update it, or {OTHER}")
    return module


def import_operators(packages: Iterable[str]) -> list[str]:
    """Imports modules that register operators, those of them that are there; sentences on those that cannot be."""
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
    except ModuleNotFoundError:  # of a package that it is in
        return False


def is_of_the_path() -> bool:
    """Whether this is simply the first Python of the PATH: not one of an environment, and not one that was named."""
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
    """If this is the first Python of the PATH and has no torch, a later one that has it takes over."""
    if importlib.util.find_spec("torch") is not None or not is_of_the_path():
        return
    for other in others_of_the_path():
        try:
            found = subprocess.run([other, "-c", HAS_TORCH], stdin=subprocess.DEVNULL, timeout=5, capture_output=True)
        except (OSError, subprocess.SubprocessError):
            continue
        if found.returncode == 0:
            os.execv(other, [other, *arguments])
