# SPDX-FileCopyrightText: The Cutaway authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""ONNX models of a program as files: large weights lie beside, so that they are in memory once, and a model may exceed 2 GiB."""
from __future__ import annotations

import os
from typing import Any

from cutaway_record import models, onnx_files

LARGE = 1 << 16  # bytes of an initializer that lies beside
EXTERNAL = 1  # TensorProto.DataLocation
BESIDE = ".beside"  # behind the file's name: the model's own file of weights, which may be linked there, is often NAME.data


def save(model: Any, file: str) -> None:
    """Writes a ModelProto or a model of onnx_ir. What it has outside of it already is linked or copied beside the file."""
    proto = models.onnx_proto(model)
    content = _without_large(proto, f"{file}{BESIDE}") if _has_large(proto) else proto
    with open(file, "wb") as written:
        written.write(content.SerializeToString())
    if folder := models.weights_folder(model):
        with open(file, "rb") as saved:
            onnx_files.Links().put_external(saved.read(), folder, os.path.dirname(file))


def _has_large(proto: Any) -> bool:
    return hasattr(proto, "ListFields") and any(_is_large(tensor) for tensor in proto.graph.initializer)


def _is_large(tensor: Any) -> bool:
    return tensor.data_location != EXTERNAL and len(tensor.raw_data) >= LARGE


def _without_large(proto: Any, file: str) -> Any:
    """A copy of the model whose large initializers are in the file, one after the other."""
    made = type(proto)()
    _copy(proto, made, without="graph")
    _copy(proto.graph, made.graph, without="initializer")
    with open(file, "wb") as written:
        for tensor in proto.graph.initializer:
            copied = made.graph.initializer.add()
            if not _is_large(tensor):
                copied.CopyFrom(tensor)
                continue
            _copy(tensor, copied, without="raw_data")
            copied.data_location = EXTERNAL
            place = {"location": os.path.basename(file), "offset": written.tell(), "length": written.write(tensor.raw_data)}
            for key, value in place.items():
                copied.external_data.add(key=key, value=str(value))
    return made


def _copy(source: Any, made: Any, without: str) -> None:
    """Copies all fields of a message but one."""
    for field, value in source.ListFields():
        if field.name == without:
            continue
        if hasattr(value, "CopyFrom"):
            getattr(made, field.name).CopyFrom(value)
        elif hasattr(value, "MergeFrom"):  # of a repeated field
            getattr(made, field.name).MergeFrom(value)
        else:
            setattr(made, field.name, value)
