#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Cutaway authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""An importer for Cutaway in Python: a .safetensors file as a model that has weights and no operators.

Such a file has 8 bytes with the length of a JSON header, the header, and the bytes of the tensors. These bytes are not
sent: the model refers to ranges of the file. docs/plugins.md explains it.
"""
import json
import os
import struct
import sys

DTYPES = {"F64": ("float64", 8), "F32": ("float32", 4), "F16": ("float16", 2), "BF16": ("bfloat16", 2),
          "F8_E4M3": ("float8_e4m3fn", 1), "F8_E5M2": ("float8_e5m2", 1), "I64": ("int64", 8), "I32": ("int32", 4),
          "I16": ("int16", 2), "I8": ("int8", 1), "U8": ("uint8", 1), "BOOL": ("bool", 1)}
UNREADABLE_FILE = 1
stdin, stdout = sys.stdin.buffer, sys.stdout.buffer


def receive():
    """The next message; None at the end."""
    lengths = {}
    while line := stdin.readline().strip():
        name, _, value = line.partition(b":")
        lengths[name] = int(value)
    return json.loads(stdin.read(lengths[b"Content-Length"])) if lengths else None


def answer(request, payload=b"", **outcome):
    body = json.dumps({"jsonrpc": "2.0", "id": request["id"], **outcome}).encode()
    stdout.write(b"Content-Length: %d\r\nPayload-Length: %d\r\n\r\n" % (len(body), len(payload)) + body + payload)
    stdout.flush()


def read_header(path):
    """The header's entries by name, and the offset of the tensors' bytes in the file."""
    with open(path, "rb") as file:
        length = file.read(8)
        if len(length) < 8:
            raise ValueError("the file ends within its first 8 bytes")
        length = struct.unpack("<Q", length)[0]
        if length > min(100_000_000, os.fstat(file.fileno()).st_size - 8):
            raise ValueError(f"a header of {length} bytes does not fit into the file")
        header = json.loads(file.read(length))
    if not isinstance(header, dict):
        raise ValueError("the header is not a JSON object")
    header.pop("__metadata__", None)
    return header, 8 + length


class Modules:
    """The tree of modules given by the dotted names of the tensors."""

    def __init__(self):
        self.entries = [{"parent": 0, "name": "", "path": "", "children": [], "tensors": []}]
        self.places = {"": 0}

    def at(self, path):
        if path not in self.places:
            parent, _, name = path.rpartition(".")
            parent = self.at(parent)
            self.places[path] = len(self.entries)
            self.entries[parent]["children"].append(self.places[path])
            self.entries.append({"parent": parent, "name": name, "path": path, "children": [], "tensors": []})
        return self.places[path]

    def add(self, tensor, name):
        self.entries[self.at(name.rpartition(".")[0])]["tensors"].append(tensor)


def read_model(path):
    header, begin = read_header(path)
    modules, storages, tensors, types, values = Modules(), [], [], [{"kind": "unknown"}], []
    for number, (name, entry) in enumerate(header.items()):
        if entry["dtype"] not in DTYPES:
            raise ValueError(f"'{name}' has the dtype {entry['dtype']}, which is not known")
        dtype, _ = DTYPES[entry["dtype"]]
        first, last = entry["data_offsets"]
        storages.append({"bytes": last - first, "range": {"file": 0, "offset": begin + first, "length": last - first,
                                                          "encoding": "little_endian"}})
        tensors.append({"name": name, "kind": "parameter", "dtype": dtype, "shape": entry["shape"], "storage": number})
        types.append({"kind": "tensor", "dtype": dtype, "shape": entry["shape"]})
        values.append({"name": name, "type": number + 1, "tensor": number})
        modules.add(number, name)
    body = {"weights": list(range(len(values)))}
    return {"schema": "cutaway.ir/1", "name": os.path.basename(path), "files": [os.path.basename(path)],
            "storages": storages, "tensors": tensors, "types": types, "modules": modules.entries,
            "functions": [{"name": "weights", "kind": "graph", "values": values, "body": body}]}


def main():
    while request := receive():
        if request["method"] == "initialize":
            answer(request, result={"protocol": 1, "name": "safetensors", "version": "1.0"})
        elif request["method"] == "import":
            try:
                model = read_model(request["params"]["path"])
            except (OSError, ValueError, KeyError, TypeError) as error:
                answer(request, error={"code": UNREADABLE_FILE, "message": f"{error} ({type(error).__name__})"})
            else:
                answer(request, json.dumps(model).encode(), result={})
        elif request["method"] in ("ping", "shutdown"):
            answer(request, result={})
            if request["method"] == "shutdown":
                return
        elif "id" in request:
            answer(request, error={"code": -32601, "message": "no such method"})


if __name__ == "__main__":
    main()
