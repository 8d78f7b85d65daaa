# SPDX-FileCopyrightText: The Cutaway authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes ONNX files without the onnx package: protobuf's wire format by hand. Weights may be holes in a sparse file."""
import struct

FLOAT, INT64 = 1, 7
_ATTRIBUTE_FLOAT, _ATTRIBUTE_INT, _ATTRIBUTE_STRING, _ATTRIBUTE_INTS = 1, 2, 3, 7


class Zeros(int):
    """So many zero bytes, written as a hole."""


def varint(n):
    out = bytearray()
    n &= (1 << 64) - 1
    while n > 0x7F:
        out.append(n & 0x7F | 0x80)
        n >>= 7
    out.append(n)
    return bytes(out)


def integer(field, n):
    return varint(field << 3) + varint(n)


def message(field, *parts):
    """A length-delimited field of bytes, text and holes, as the list of its parts."""
    parts = [p.encode() if isinstance(p, str) else p for p in parts]
    size = sum(p if isinstance(p, Zeros) else len(p) for p in parts)
    return [varint(field << 3 | 2) + varint(size), *parts]


def packed(field, *parts):
    """A length-delimited field without holes."""
    return b"".join(message(field, *parts))


def _attribute(name, value):
    if isinstance(value, float):
        body, kind = varint(2 << 3 | 5) + struct.pack("<f", value), _ATTRIBUTE_FLOAT
    elif isinstance(value, int):
        body, kind = integer(3, value), _ATTRIBUTE_INT
    elif isinstance(value, str):
        body, kind = packed(4, value), _ATTRIBUTE_STRING
    else:
        body, kind = b"".join(integer(8, i) for i in value), _ATTRIBUTE_INTS
    return packed(5, packed(1, name), body, integer(20, kind))


def _value_info(field, name, dtype, shape):
    dims = [packed(1, packed(2, d) if isinstance(d, str) else integer(1, d)) for d in shape]
    tensor = packed(1, integer(1, dtype), packed(2, *dims))
    return packed(field, packed(1, name), packed(2, tensor))


class Graph:
    """A GraphProto under construction, in the order of the exporters: nodes, name, initializers, values."""

    def __init__(self, name="main_graph"):
        self.name = name
        self.nodes, self.initializers, self.inputs, self.outputs, self.values = [], [], [], [], []

    def node(self, op, inputs, name, shape=None, outputs=None, **attributes):
        """Adds a node called as exporters do ('/layer/Conv'); gives its first output. `shape` is recorded if given."""
        outputs = outputs or [f"{name}_output_0"]
        self.nodes.append(packed(1, *[packed(1, i) for i in inputs], *[packed(2, o) for o in outputs],
                                 packed(3, name), packed(4, op), *[_attribute(k, v) for k, v in attributes.items()]))
        if shape is not None:
            self.values.append(_value_info(13, outputs[0], FLOAT, shape))
        return outputs[0]

    def initializer(self, name, dims, data=None, dtype=FLOAT, external=None):
        """`data`: bytes, or None for zeros as a hole; `external`: the name of a file that has them instead."""
        head = [*[integer(1, d) for d in dims], integer(2, dtype), packed(8, name)]
        if external:
            body = [packed(13, packed(1, "location"), packed(2, external)), integer(14, 1)]
        elif data is None:
            size = {FLOAT: 4, INT64: 8}[dtype]
            for d in dims:
                size *= d
            body = message(9, Zeros(size))
        else:
            body = message(9, data)
        self.initializers += message(5, *head, *body)
        return name

    def input(self, name, shape, dtype=FLOAT):
        self.inputs.append(_value_info(11, name, dtype, shape))
        return name

    def output(self, name, shape, dtype=FLOAT):
        self.outputs.append(_value_info(12, name, dtype, shape))

    def write(self, path, producer="pytorch", version="2.6.0", ir_version=8, opset=17):
        parts = [integer(1, ir_version) + packed(2, producer) + packed(3, version),
                 *message(7, *self.nodes, packed(2, self.name), *self.initializers, *self.inputs, *self.outputs,
                          *self.values),
                 packed(8, packed(1, ""), integer(2, opset))]
        with open(path, "wb") as file:
            for part in parts:
                if isinstance(part, Zeros):
                    file.seek(part, 1)
                else:
                    file.write(part)
            file.truncate()
