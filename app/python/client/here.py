# SPDX-FileCopyrightText: The Cutaway authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The functions of the module that run in the user's own Python: it has fsspec, Dask, torch and onnx."""
import os

from . import calls, programs


def open(path, *, weights):
    path = os.fspath(path)
    from cutaway_remote import is_url
    if isinstance(path, str) and is_url(path):
        from cutaway_remote import files
        return files.opened(path, weights)
    return calls.call("open", path, weights=weights)


def survey(paths, output, **options):
    from cutaway_remote import survey as remote
    return remote.survey(paths, output, **options)


def record(path):
    import cutaway_record
    return cutaway_record.record(path)


def show(model, *, program, wait):
    import cutaway_window
    return cutaway_window.show(model, programs.path(program) if program == "cutaway" else program, wait)
