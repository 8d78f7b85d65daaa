# SPDX-FileCopyrightText: The Cutaway authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""ONNX files with the weights that lie outside of them.

Where these lie is read from the bytes of the file, as https://protobuf.dev/programming-guides/encoding and onnx.proto say,
because the package onnx need not be there.
"""
from __future__ import annotations

import os
import pathlib
import shutil
from collections.abc import Iterator
from typing import Any, Optional, Union

Bytes = Union[bytes, memoryview]

# The fields on the way from a model to its tensors, by message: number -> message
FIELDS = {
    "Model": {7: "Graph", 25: "Function"},
    "Graph": {1: "Node", 5: "Tensor", 15: "SparseTensor"},
    "Function": {7: "Node", 11: "Attribute"},
    "Node": {5: "Attribute"},
    "Attribute": {5: "Tensor", 6: "Graph", 10: "Tensor", 11: "Graph", 22: "SparseTensor", 23: "SparseTensor"},
    "SparseTensor": {1: "Tensor", 2: "Tensor"},
    "Tensor": {13: "Entry"},
}
MAX_DEPTH = 200  # of messages
VARINT, FIXED64, LENGTH, FIXED32 = 0, 1, 2, 5


def _varint(data: Bytes, at: int) -> tuple[int, int]:
    value = shift = 0
    while True:
        byte = data[at]
        value |= (byte & 0x7F) << shift
        at, shift = at + 1, shift + 7
        if byte < 0x80:
            return value, at
        if shift > 63:
            raise ValueError("a number is longer than 64 bits")


def _fields(data: Bytes) -> Iterator[tuple[int, Bytes]]:
    """The fields of a message that have a length."""
    at = 0
    while at < len(data):
        tag, at = _varint(data, at)
        kind = tag & 7
        if kind == VARINT:
            _, at = _varint(data, at)
        elif kind in (FIXED64, FIXED32):
            at += 8 if kind == FIXED64 else 4
        elif kind == LENGTH:
            size, at = _varint(data, at)
            if size > len(data) - at:
                raise ValueError("a field is longer than its message")
            yield tag >> 3, data[at:at + size]
            at += size
        else:
            raise ValueError(f"a field has the unknown wire type {kind}")


def _locations(data: Bytes, message: str, depth: int = 0) -> Iterator[str]:
    if depth > MAX_DEPTH:
        raise ValueError(f"messages lie in more than {MAX_DEPTH} others")
    for number, field in _fields(data):
        inner = FIELDS[message].get(number)
        if inner == "Entry":
            entry = {key: bytes(value) for key, value in _fields(field)}
            if entry.get(1) == b"location":
                yield entry.get(2, b"").decode()
        elif inner is not None:
            yield from _locations(field, inner, depth + 1)


def external_files(model: Bytes) -> list[str]:
    """The paths of files with weights, relative to the model's folder; ValueError where this is no ONNX model."""
    try:
        names = list(dict.fromkeys(_locations(memoryview(model), "Model")))
    except (IndexError, UnicodeDecodeError, ValueError) as fault:
        raise ValueError(f"this is no ONNX model: {fault}") from None
    for name in names:
        if pathlib.PurePath(name).is_absolute() or ".." in pathlib.PurePath(name).parts:
            raise ValueError(f"weights lie at '{name}', outside of the model's folder")
    return names


class Copies:
    """Copies of files beside a log. A file of weights that several models share is copied once, and linked then."""

    def __init__(self) -> None:
        self._made: dict[tuple[Any, ...], str] = {}

    def put(self, source: str, destination: str) -> None:
        status = os.stat(source)
        key = (status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns)
        os.makedirs(os.path.dirname(destination), exist_ok=True)
        try:
            os.link(self._made[key], destination)
        except (KeyError, OSError):
            self._place(source, destination)
            self._made[key] = destination

    def _place(self, source: str, destination: str) -> None:
        shutil.copyfile(source, destination)

    def put_external(self, model: Bytes, source: Optional[str], folder: str) -> list[str]:
        """Copies the weights of a model that lie outside of it; says of which that cannot be done."""
        notes = []
        for name in external_files(model):
            if os.path.exists(os.path.join(folder, name)):
                continue
            if source is None:
                notes.append(f"the weights in '{name}' are not here: where that file lies is known of a path only")
            elif not os.path.isfile(os.path.join(source, name)):
                notes.append(f"the weights in '{name}' are missing, there is no such file")
            else:
                self.put(os.path.join(source, name), os.path.join(folder, name))
        return notes


class Links(Copies):
    """The same of files that are only looked at for a while: they are linked where the file system can do that."""

    def _place(self, source: str, destination: str) -> None:
        try:
            os.link(source, destination)
        except OSError:
            super()._place(source, destination)
