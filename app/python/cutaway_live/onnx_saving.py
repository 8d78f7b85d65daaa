# SPDX-FileCopyrightText: The Cutaway authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""ONNX models of a program as files: large weights lie beside, so that they are in memory once, and a model may exceed 2 GiB."""
from __future__ import annotations

import os
from typing import Any, BinaryIO

from cutaway_record import models, onnx_files

LARGE = 1 << 16  # bytes of an initializer that lies beside
EXTERNAL = 1  # TensorProto.DataLocation
BESIDE = ".beside"  # behind the file's name: the model's own file of weights, which may be linked there, is often NAME.data

# The fields on the way from a model to the initializers of its graph and of those in nodes, by message
WAY = {"ModelProto": ("graph", "functions"), "FunctionProto": ("node",), "GraphProto": ("initializer", "node"),
       "NodeProto": ("attribute",), "AttributeProto": ("g", "graphs")}


def save(model: Any, file: str) -> None:
    """Writes a ModelProto or a model of onnx_ir. What it has outside of it already is linked or copied beside the file."""
    proto = models.onnx_proto(model)
    content = proto
    if hasattr(proto, "ListFields") and _has_large(proto):
        content = type(proto)()
        with open(f"{file}{BESIDE}", "wb") as beside:
            _copy_without_large(proto, content, beside)
    with open(file, "wb") as written:
        written.write(content.SerializeToString())
    if folder := models.weights_folder(model):
        with open(file, "rb") as saved:
            onnx_files.Links().put_external(saved.read(), folder, os.path.dirname(file))


def _has_large(message: Any) -> bool:
    """Whether this is a large initializer or has one in it."""
    kind = message.DESCRIPTOR.name
    if kind == "TensorProto":
        return message.data_location != EXTERNAL and len(message.raw_data) >= LARGE
    return any(_has_large(part) for name in WAY[kind] for part in _parts(getattr(message, name)))


def _parts(field: Any) -> Any:
    return field if hasattr(field, "add") else [field]


def _copy_without_large(source: Any, made: Any, beside: BinaryIO) -> None:
    """Copies a message, but for large initializers, which are added to the file beside it."""
    if not _has_large(source):
        made.CopyFrom(source)
        return
    way = WAY.get(source.DESCRIPTOR.name, ("raw_data",))
    for field, value in source.ListFields():
        if field.name not in way:
            _copy_field(value, made, field.name)
        elif field.name != "raw_data":
            copied = getattr(made, field.name)
            for part in _parts(value):
                _copy_without_large(part, copied.add() if hasattr(copied, "add") else copied, beside)
    if source.DESCRIPTOR.name == "TensorProto":
        _put_beside(source.raw_data, made, beside)  # behind all fields: a tensor that onnx has loaded says that it is here


def _put_beside(data: bytes, tensor: Any, beside: BinaryIO) -> None:
    place = {"location": os.path.basename(beside.name), "offset": beside.tell(), "length": beside.write(data)}
    tensor.data_location = EXTERNAL
    for key, value in place.items():
        tensor.external_data.add(key=key, value=str(value))


def _copy_field(value: Any, made: Any, name: str) -> None:
    if hasattr(value, "CopyFrom"):
        getattr(made, name).CopyFrom(value)
    elif hasattr(value, "MergeFrom"):  # of a repeated field
        getattr(made, name).MergeFrom(value)
    else:
        setattr(made, name, value)
