# SPDX-FileCopyrightText: The Cutaway authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Models as a program has them: exported by its own torch, opened, shown, compared and profiled.

Models are known by what they can do, so neither torch nor onnx is imported: whoever has such a model has imported it.
"""
from __future__ import annotations

import os
import shutil
import tempfile
import warnings
from typing import Any

import cutaway
import cutaway_window
from cutaway_live import files
from cutaway_live.failure import Attempt, ExportFailure, Place
from cutaway_live.files import Call
from cutaway_live.profiling import Profile, profile

__all__ = ["Attempt", "ExportFailure", "Place", "Profile", "compare", "opened", "profile", "show"]


def opened(model: Any, args: tuple[Any, ...], kwargs: dict[str, Any], dynamic_shapes: Any) -> cutaway.Model:
    """The Model of an object. Its file is removed when it is open: the bytes go with the Model, and so do files beside it."""
    if files.is_path(model):
        raise _inputs_of_a_file(model)
    if isinstance(model, cutaway.Model):
        return model
    folder = tempfile.mkdtemp(prefix=files.PREFIX)
    try:
        file = files.file_of(model, Call(args, kwargs, dynamic_shapes), folder)
        if len(os.listdir(folder)) > 1:  # weights beside the file are read when they are asked for
            return cutaway._open_saved(file, os.path.basename(file), keeps_folder=True)
        made = cutaway._open_saved(file, os.path.basename(file))
    except BaseException:
        shutil.rmtree(folder, ignore_errors=True)
        raise
    shutil.rmtree(folder)
    return made


def show(model: Any, args: tuple[Any, ...], kwargs: dict[str, Any], dynamic_shapes: Any, trace: Any, program: str,
         wait: bool) -> cutaway_window.Window:
    """A window with the model, or with how far its export came, and a run of it that was recorded."""
    path = "" if trace is None else os.path.abspath(trace)
    if path and not os.path.isfile(path):
        raise cutaway_window.error("unreadable", f"{trace}: there is no such file")
    return _in_window([model], Call(args, kwargs, dynamic_shapes), path, program, wait)


def compare(before: Any, after: Any, args: tuple[Any, ...], kwargs: dict[str, Any], dynamic_shapes: Any, program: str,
            wait: bool) -> cutaway_window.Window:
    """A window with two models beside each other."""
    return _in_window([before, after], Call(args, kwargs, dynamic_shapes), "", program, wait)


def _inputs_of_a_file(path: Any) -> cutaway.Error:
    return cutaway_window.error(
        "usage", f"example inputs are for a model of this program; '{path}' is a file, and has its own")


def _in_window(models: list[Any], call: Call, trace: str, program: str, wait: bool) -> cutaway_window.Window:
    if not call.is_empty() and all(files.is_path(model) for model in models):
        raise _inputs_of_a_file(models[0])
    found = cutaway_window.found(program)
    folder = tempfile.mkdtemp(prefix=files.PREFIX)
    try:
        shown, failure = _shown_files(models, call, folder)
        window = cutaway_window.show(shown, trace, folder, found)
    except BaseException:
        shutil.rmtree(folder, ignore_errors=True)
        raise
    window.failure = failure
    if failure is not None:
        warnings.warn(str(failure), RuntimeWarning, stacklevel=3)
    if wait:
        window.wait()
    return window


def _shown_files(models: list[Any], call: Call, folder: str) -> tuple[list[str], Any]:
    """What a window shows: the files of models, or what was recorded of an export that failed."""
    shown = []
    for i, model in enumerate(models):
        place = os.path.join(folder, ("before", "after")[i]) if len(models) > 1 else folder
        try:
            shown.append(files.shown_file_of(model, call, place))
        except ExportFailure as failure:
            return [failure.record(place)], failure
    return shown, None
