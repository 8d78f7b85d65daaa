# SPDX-FileCopyrightText: The Cutaway authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The functions of the module that run in the user's own Python: it has fsspec, Dask, torch and onnx."""
import os

from . import calls, programs


def open(model=None, /, *args, weights, dynamic_shapes, **kwargs):
    if model is None and not args and kwargs.keys() == {"path"}:
        model = kwargs.pop("path")
    if args or kwargs or dynamic_shapes is not None or not (isinstance(model, str) or hasattr(model, "__fspath__")):
        import cutaway_live
        return cutaway_live.opened(model, args, kwargs, dynamic_shapes)
    path = os.fspath(model)
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


def show(model, /, *args, dynamic_shapes, trace, program, wait, **kwargs):
    import cutaway_live
    return cutaway_live.show(model, args, kwargs, dynamic_shapes, trace, own(program), wait)


def compare(before, after, /, *args, dynamic_shapes, program, wait, **kwargs):
    import cutaway_live
    return cutaway_live.compare(before, after, args, kwargs, dynamic_shapes, own(program), wait)


def profile(model, /, *args, dynamic_shapes, backend, device, seconds, program, **kwargs):
    import cutaway_live
    return cutaway_live.profile(model, args, kwargs, dynamic_shapes, backend, device, seconds, own(program))


def export_failure():
    import cutaway_live
    return cutaway_live.ExportFailure


def own(program):
    """The program that came with this package, or another one that is named."""
    return programs.path(program) if program in ("cutaway", "cutaway-cli") else program
