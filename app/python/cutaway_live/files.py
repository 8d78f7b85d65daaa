# SPDX-FileCopyrightText: The Cutaway authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The files that objects of torch and ONNX are written into. Weights are written once, and only looked at from then on."""
from __future__ import annotations

import contextlib
import os
import re
import sys
from collections.abc import Iterator
from typing import Any, NamedTuple

import cutaway
from cutaway_live import exporting, onnx_saving, quiet
from cutaway_live.failure import Attempt, recorded
from cutaway_record import graphs, models
from cutaway_remote import is_url
from cutaway_window import error

PREFIX = "cutaway-"
EXPECTED = ("a path, a Model, a torch.nn.Module with example inputs, a model of torch.export, torch.fx or TorchScript, or an "
            "ONNX model")


class Call(NamedTuple):
    """The example inputs that a module is exported with."""

    args: tuple[Any, ...] = ()
    kwargs: dict[str, Any] = {}
    dynamic_shapes: Any = None

    def is_empty(self) -> bool:
        return not self.args and not self.kwargs


def is_path(model: Any) -> bool:
    return isinstance(model, str) or hasattr(model, "__fspath__")


def shown_file_of(model: Any, call: Call, folder: str) -> str:
    """The model's own file if it has one, else one in the folder."""
    if is_path(model):
        if call.dynamic_shapes is not None:
            raise error("usage", "a file has its inputs already: it takes no dynamic_shapes")
        if is_url(os.fspath(model)):
            raise error("usage", f"{os.fspath(model)} is no file of this machine; give what cutaway.open() makes of it")
        return os.path.abspath(os.fspath(model))
    if isinstance(model, cutaway.Model) and model._file is not None:
        return os.path.abspath(model._file)
    return file_of(model, call, folder)


def file_of(model: Any, call: Call, folder: str) -> str:
    """Writes an object into the folder; the file is named after the model. Raises Error and ExportFailure."""
    os.makedirs(folder, exist_ok=True)
    model = getattr(model, "_orig_mod", model)  # of torch.compile
    onnx = onnx_model(model)
    base = os.path.join(folder, name_of(model if onnx is None else onnx))
    if isinstance(model, cutaway.Model):
        file = f"{base}.{model.format if model.format in ('onnx', 'pt2') else 'json'}"
        model.save(file)
        return file
    if onnx is not None:
        return _onnx_saved(onnx, f"{base}.onnx")
    if graphs.is_exported_program(model):
        return _export_saved(model, f"{base}.pt2")
    if models.is_script(model) and not (graphs.is_graph_module(model) and hasattr(model, "recompile")):
        with _saving(model):
            model.save(f"{base}.pt")
        return f"{base}.pt"
    if graphs.is_graph_module(model) and call.is_empty():
        return _graph_saved(model, base)
    if exporting.is_module(model):
        return _export_saved(exporting.exported(model, call.args, call.kwargs, call.dynamic_shapes), f"{base}.pt2")
    kind = type(model).__name__
    article = "an" if kind[:1].lower() in "aeiou" else "a"
    raise error("usage", f"{article} {kind} is no model that can be opened; expected {EXPECTED}")


def onnx_model(model: Any) -> Any:
    """The ModelProto or the Model of onnx_ir that this is or has, else None."""
    if hasattr(type(model), "to_model_proto"):  # a function of onnxscript
        return model.to_model_proto()
    inner = getattr(model, "model_proto", model)
    return inner if models.is_onnx(inner) or hasattr(type(inner), "SerializeToString") else None


def name_of(model: Any) -> str:
    """A name for the file: that of the module's class, or of the ONNX graph."""
    if hasattr(model, "original_name"):  # of a ScriptModule
        name = model.original_name
    elif isinstance(model, cutaway.Model) or graphs.is_exported_program(model):
        name = "model"
    elif hasattr(type(model), "SerializeToString") or models.is_onnx(model):
        name = getattr(getattr(model, "graph", None), "name", "")
    else:
        name = type(model).__name__
    return re.sub(r"[^\w-]+", "_", str(name))[:60].strip("_") or "model"


@contextlib.contextmanager
def _saving(model: Any) -> Iterator[None]:
    try:
        yield
    except Exception as fault:
        first = (str(fault).strip().splitlines() or [type(fault).__name__])[0]
        raise error("backend", f"the {type(model).__name__} cannot be saved: {first}") from None


def _onnx_saved(model: Any, file: str) -> str:
    with _saving(model):
        onnx_saving.save(model, file)
    return file


def _export_saved(program: Any, file: str) -> str:
    with _saving(program), quiet.quiet():
        sys.modules["torch"].export.save(program, file)
    return file


def _graph_saved(module: Any, base: str) -> str:
    """A pickle has the weights; a graph that cannot be pickled is written as text."""
    try:
        sys.modules["torch"].save(module, f"{base}.pt")
        return f"{base}.pt"
    except Exception:
        if os.path.exists(f"{base}.pt"):
            os.unlink(f"{base}.pt")
        text = graphs.text_of(module)
        return recorded(f"{base}.cutaway", [Attempt("torch.fx", graph=text)])

