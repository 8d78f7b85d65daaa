# SPDX-FileCopyrightText: The Cutaway authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Converts inputs and outputs of messages: tensors are in the payload, everything else is JSON."""
from __future__ import annotations

import ctypes
import struct
from typing import Any

from cutaway_torch.random_numbers import random_tensor
from cutaway_torch.wire import INVALID_PARAMS, Failure


def dtype_named(torch: Any, name: str) -> Any:
    dtype = getattr(torch, name, None)
    if not isinstance(dtype, torch.dtype):
        raise Failure(f"torch {torch.__version__} has no dtype {name}", INVALID_PARAMS)
    return dtype


def input_value(torch: Any, message: dict[str, Any], payload: bytes, device: Any) -> Any:
    for kind in ("list", "tuple", "dict"):
        if kind in message:
            items = [input_value(torch, item, payload, device) for item in message[kind]]
            return dict(zip(items[::2], items[1::2])) if kind == "dict" else tuple(items) if kind == "tuple" else items
    if "dtype" not in message:
        return message.get("value")
    dtype, shape = dtype_named(torch, message["dtype"]), message["shape"]
    if "seed" in message:
        return random_tensor(torch, dtype, shape, message["seed"], message.get("range")).to(device)
    offset, length = message["offset"], message["length"]
    elements = bytearray(payload[offset:offset + length])
    empty = torch.empty(shape, dtype=dtype)
    if len(elements) != empty.numel() * empty.element_size():
        raise Failure(f"the input '{message['name']}' has {len(elements)} bytes, which are not its elements", INVALID_PARAMS)
    return (torch.frombuffer(elements, dtype=dtype).reshape(shape) if elements else empty).to(device)


class Outputs:
    """Collects values for a message. Parts of lists and dictionaries have names as in the plugin torch: y.0, y.key."""

    def __init__(self, torch: Any) -> None:
        self._torch = torch
        self.described: list[dict[str, Any]] = []
        self.payload = bytearray()

    def add(self, name: str, value: Any) -> None:
        if isinstance(value, self._torch.Tensor):
            self._add_tensor(name, value)
        elif isinstance(value, (bool, int, float, complex)):
            self._add_tensor(name, self._torch.tensor(value, dtype=self._dtype_of(value)))
        elif isinstance(value, str):
            text = value.encode()
            self._append(name, "string", [], struct.pack("<I", len(text)) + text)
        elif isinstance(value, (list, tuple)):
            self._add_parts(name, enumerate(value), "empty list")
        elif isinstance(value, dict):
            self._add_parts(name, value.items(), "empty dictionary")
        else:
            self.described.append({"name": name, "type": "None" if value is None else type(value).__name__})

    def _dtype_of(self, number: Any) -> Any:
        kinds = {bool: self._torch.bool, int: self._torch.int64, float: self._torch.float64}
        return kinds.get(type(number), self._torch.complex128)

    def _add_parts(self, name: str, parts: Any, if_none: str) -> None:
        before = len(self.described)
        for key, item in parts:
            self.add(f"{name}.{key}", item)
        if len(self.described) == before:
            self.described.append({"name": name, "type": if_none})

    def _add_tensor(self, name: str, tensor: Any) -> None:
        if tensor.is_meta:
            words = f"no elements, {str(tensor.dtype)[6:]} of sizes {list(tensor.shape)}"
            self.described.append({"name": name, "type": words})
            return
        if tensor.is_quantized:
            self.described.append({"name": name, "type": f"tensor of {str(tensor.dtype)[6:]}"})
            return
        if tensor.layout != self._torch.strided:
            tensor = tensor.to_dense()
        tensor = tensor.detach().resolve_conj().resolve_neg().cpu().contiguous()
        length = tensor.numel() * tensor.element_size()
        elements = ctypes.string_at(tensor.data_ptr(), length) if length else b""
        self._append(name, str(tensor.dtype)[6:], list(tensor.shape), elements)

    def _append(self, name: str, dtype: str, shape: list[int], elements: bytes) -> None:
        place = {"offset": len(self.payload), "length": len(elements)}
        self.described.append({"name": name, "dtype": dtype, "shape": shape, **place})
        self.payload += elements
