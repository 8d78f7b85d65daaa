#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Cutaway authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""from_stubs.py STUBS VERSION FOLDER: makes the package `cutaway` in FOLDER, for every Python, out of the stubs of the module.

The stubs say all that the module has, with signatures and documentation. Each function becomes a call of the process that
has the module (calls.py). What has to happen in the user's own Python is written by hand, in the sources beside this script.
"""
import ast
import pathlib
import shutil
import sys

HEADER = '''# SPDX-FileCopyrightText: The Cutaway authors
# SPDX-License-Identifier: GPL-3.0-or-later
# Made by from_stubs.py of the stubs of the module.
"""Cutaway: what is in TorchScript, torch.export (.pt2) and ONNX files.

Graphs, shapes, costs, passes, comparison and conversion without torch or onnx; nothing of a file is run.
The module itself runs in a process beside this one, which the first call starts.
"""
from __future__ import annotations as _annotations

import functools as _functools
from typing import TYPE_CHECKING as _TYPE_CHECKING

from ._client import calls as _calls, elements as _elements, here as _here

__version__ = "@VERSION@"

'''
FOOTER = '''

def __getattr__(name):
    if name == "ExportFailure":
        return _here.export_failure()
    if name in _calls.PRIVATE:
        return _functools.partial(_calls.call, name)
    raise AttributeError(f"module 'cutaway' has no attribute '{name}'")
'''
HERE = {"compare", "open", "profile", "record", "show", "survey"}  # functions of here.py
# What stubs leave out: notebooks call the one, the package cutaway_window the other.
SHOWN = "def _repr_html_(self) -> str | None:\n    return self._call('_repr_html_')"
ALSO = {"Drawing": "def _repr_svg_(self) -> str:\n    return self.svg",
        "Model": "@property\ndef _file(self) -> str | None:\n    return self._get('_file')\n" + SHOWN,
        "Difference": SHOWN, "Page": SHOWN, "Steps": SHOWN}
BASES = {"Weight": "_elements.Elements"}  # classes of which a part is written by hand
LEFT_OUT = {"Weight.__buffer__", "Weight.__release_buffer__", "Weight.__dlpack__", "Weight.__dlpack_device__",
            "Weight.numpy"}  # what is written by hand


def arguments_of(function):
    """As the function hands them on."""
    given = function.args
    return ([each.arg for each in given.posonlyargs] + [f"*{each.arg}" for each in [given.vararg] if each]
            + [f"{each.arg}={each.arg}" for each in given.args + given.kwonlyargs]
            + [f"**{each.arg}" for each in [given.kwarg] if each])


def body_of(function):
    """What a function of the package does."""
    if function.name in HERE:
        return f"_here.{function.name}({', '.join(arguments_of(function))})"
    return f"_calls.call({', '.join([repr(function.name), *arguments_of(function)])})"


def body_of_member(function):
    """What a function of a class does."""
    if function.decorator_list or function.name == "__hash__":
        return f"self._get({function.name!r})"
    if function.name == "__eq__":
        return "self._equals(other)"
    return f"self._call({', '.join([repr(function.name), *arguments_of(function)[1:]])})"


def completed(function, body):
    """The function of the stub with a body; of what it had, the documentation stays."""
    documentation = function.body[:1] if ast.get_docstring(function) else []
    function.body = [*documentation, ast.parse(f"return {body}").body[0]]
    return function


def completed_class(made):
    members = []
    for member in made.body:
        if isinstance(member, ast.FunctionDef):
            if f"{made.name}.{member.name}" not in LEFT_OUT:
                members.append(completed(member, body_of_member(member)))
        else:
            if isinstance(member, ast.AnnAssign):
                member.value = ast.Constant(None)
            members.append(member)
    made.body = members + ast.parse(ALSO.get(made.name, "")).body
    made.bases = made.bases or [ast.parse(BASES.get(made.name, "_calls.Remote"), mode="eval").body]
    return made


def package_of(stubs, version):
    """The text of the package's __init__.py."""
    imports, content = [], []
    for each in ast.parse(stubs).body:
        if isinstance(each, (ast.Import, ast.ImportFrom)):
            imports.append(each)
        elif isinstance(each, ast.ClassDef):
            content.append(completed_class(each))
        elif isinstance(each, ast.FunctionDef):
            content.append(completed(each, body_of(each)))
    only_types = ast.If(ast.Name("_TYPE_CHECKING"), imports, [])
    module = ast.fix_missing_locations(ast.Module([only_types, *content], []))
    return HEADER.replace("@VERSION@", version) + ast.unparse(module) + FOOTER


def main():
    stubs, version, folder = pathlib.Path(sys.argv[1]), sys.argv[2], pathlib.Path(sys.argv[3]) / "cutaway"
    sources = pathlib.Path(__file__).parent
    client = folder / "_client"
    client.mkdir(parents=True, exist_ok=True)
    (folder / "__init__.py").write_text(package_of(stubs.read_text(), version))
    (folder / "py.typed").touch()
    shutil.copyfile(sources / "__main__.py", folder / "__main__.py")
    for name in ["__init__", "calls", "elements", "here", "programs"]:
        shutil.copyfile(sources / f"{name}.py", client / f"{name}.py")


if __name__ == "__main__":
    main()
