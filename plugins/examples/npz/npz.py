#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Cutaway authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""An importer for Cutaway in Python: a .npz file of NumPy as a model that has weights and no operators.

Such a file is a zip archive with an array in each member: a header, which is a dict of Python as text, then the elements.
These bytes are not sent: the model refers to ranges of the file. docs/plugins.md explains it.
"""
import ast
import json
import math
import os
import struct
import sys
import zipfile

DTYPES = {"<f8": ("float64", 8), "<f4": ("float32", 4), "<f2": ("float16", 2), "<i8": ("int64", 8), "<i4": ("int32", 4),
          "<i2": ("int16", 2), "|i1": ("int8", 1), "|u1": ("uint8", 1), "|b1": ("bool", 1)}
UNREADABLE_FILE = 1
stdin, stdout = sys.stdin.buffer, sys.stdout.buffer


def receive():
    """Returns the next message; None at the end."""
    lengths = {}
    while line := stdin.readline().strip():
        name, _, value = line.partition(b":")
        lengths[name] = int(value)
    return json.loads(stdin.read(lengths[b"Content-Length"])) if lengths else None


def answer(request, payload=b"", **outcome):
    body = json.dumps({"jsonrpc": "2.0", "id": request["id"], **outcome}).encode()
    stdout.write(b"Content-Length: %d\r\nPayload-Length: %d\r\n\r\n" % (len(body), len(payload)) + body + payload)
    stdout.flush()


def read_array(file, member):
    """Returns the dtype, the shape, and the byte range of the elements in the file."""
    if member.compress_type != zipfile.ZIP_STORED:
        raise ValueError(f"'{member.filename}' is compressed; numpy.savez does not do that")
    file.seek(member.header_offset)
    name_length, extra_length = struct.unpack("<26x2H", file.read(30))
    begin = member.header_offset + 30 + name_length + extra_length
    file.seek(begin)
    magic, version, length = struct.unpack("<6sBxH", file.read(10))
    if magic != b"\x93NUMPY" or version != 1:
        raise ValueError(f"'{member.filename}' is not an array of NumPy")
    header = ast.literal_eval(file.read(length).decode("latin-1"))
    if header["descr"] not in DTYPES or (header["fortran_order"] and len(header["shape"]) > 1):
        raise ValueError(f"'{member.filename}' has the dtype {header['descr']} or an order that is not known")
    dtype, size = DTYPES[header["descr"]]
    first, bytes_ = begin + 10 + length, size * math.prod(header["shape"])
    if first + bytes_ > begin + member.file_size:
        raise ValueError(f"'{member.filename}' ends within its elements")
    return dtype, list(header["shape"]), first, bytes_


class Modules:
    """The tree of modules that follows from the dotted names of the tensors."""

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
    modules, storages, tensors, types, values = Modules(), [], [], [{"kind": "unknown"}], []
    with zipfile.ZipFile(path) as archive, open(path, "rb") as file:
        for number, member in enumerate(archive.infolist()):
            name = member.filename.removesuffix(".npy")
            dtype, shape, first, length = read_array(file, member)
            storages.append({"bytes": length, "range": {"file": 0, "offset": first, "length": length,
                                                        "encoding": "little_endian"}})
            tensors.append({"name": name, "kind": "parameter", "dtype": dtype, "shape": shape, "storage": number})
            types.append({"kind": "tensor", "dtype": dtype, "shape": shape})
            values.append({"name": name, "type": number + 1, "tensor": number})
            modules.add(number, name)
    body = {"weights": list(range(len(values)))}
    return {"schema": "cutaway.ir/1", "name": os.path.basename(path), "files": [os.path.basename(path)],
            "storages": storages, "tensors": tensors, "types": types, "modules": modules.entries,
            "functions": [{"name": "weights", "kind": "graph", "values": values, "body": body}]}


def main():
    while request := receive():
        if request["method"] == "initialize":
            answer(request, result={"protocol": 1, "name": "npz", "version": "1.0"})
        elif request["method"] == "import":
            try:
                model = read_model(request["params"]["path"])
            except (OSError, ValueError, KeyError, TypeError, SyntaxError, struct.error, zipfile.BadZipFile) as error:
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
