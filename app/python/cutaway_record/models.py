# SPDX-FileCopyrightText: The Cutaway authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What a pass is given and returns, of torch and ONNX, known by what it can do: no package is imported."""
from __future__ import annotations

import functools
import inspect
import os
import sys
from typing import Any, Optional

from cutaway_record import graphs


def _is_onnx_ir(value: Any) -> bool:
    """Whether this is a Model of onnx_ir, which older versions of onnxscript have as onnxscript.ir."""
    return type(value).__name__ == "Model" and type(value).__module__.split(".")[0] in ("onnx_ir", "onnxscript")


def is_onnx(value: Any) -> bool:
    """Whether this is a ModelProto or a Model of onnx_ir."""
    return _is_onnx_ir(value) or (hasattr(type(value), "SerializeToString") and hasattr(value, "opset_import"))


def is_script(value: Any) -> bool:
    """Whether this is a ScriptModule or ScriptFunction."""
    return hasattr(value, "save") and hasattr(value, "graph") and hasattr(value, "code")


def model_of(value: Any) -> Optional[Any]:
    """The model of a pass's argument or result: GraphModule, ExportedProgram, ONNX model; None where it has none."""
    if is_onnx(value):
        return value
    for name in ("model", "model_proto"):  # a PassResult of onnx_ir, an ONNXProgram
        if is_onnx(inner := getattr(value, name, None)):
            return inner
    return graphs.model_of(value)


def onnx_proto(model: Any) -> Any:
    """An ONNX model as a ModelProto."""
    if not _is_onnx_ir(model):
        return model
    package = type(model).__module__.partition("._")[0]
    return sys.modules[package].serde.serialize_model(model)


def onnx_bytes(model: Any) -> bytes:
    """An ONNX model as a file has it."""
    return bytes(onnx_proto(model).SerializeToString())


def weights_folder(model: Any) -> Optional[str]:
    """The folder of a model's external weights, where the model says so: one of onnx_ir does, a ModelProto does not."""
    if not _is_onnx_ir(model):
        return None
    for value in model.graph.initializers.values():
        if folder := getattr(value.const_value, "base_dir", None):
            return str(os.path.abspath(folder))
    return None


def qualified_name(function: Any) -> str:
    """As its module knows it: 'Fuse.run'; of an object that is called, its class's."""
    while isinstance(function, functools.partial):
        function = function.func
    if inspect.isroutine(function):
        function = inspect.unwrap(function)
    return (getattr(function, "__qualname__", None) or type(function).__qualname__).rpartition("<locals>.")[2]
