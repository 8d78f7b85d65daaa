# SPDX-FileCopyrightText: The Cutaway authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""An ONNX file with other sizes: the first size of each input times a number. Shapes that the file records inside no longer
hold and go; sizes of the graph's outputs are left open where they are first. Everything else is copied byte by byte."""
from onnx_writer import varint

GRAPH, INITIALIZER, INPUT, OUTPUT, VALUE_INFO = 7, 5, 11, 12, 13
TENSOR_NAME, VALUE_NAME = 8, 1
TYPE, TENSOR_TYPE, SHAPE, DIM, DIM_VALUE = 2, 1, 2, 1, 1


def fields(data):
    """(field number, wire type, content, the bytes of the whole field)."""
    if not isinstance(data, bytes):
        raise ValueError("a number stands where a message should")
    at = 0

    def number():
        nonlocal at
        value = shift = 0
        while True:
            byte = data[at]
            at += 1
            value |= (byte & 0x7F) << shift
            shift += 7
            if byte < 0x80:
                return value

    while at < len(data):
        start = at
        field, wire = divmod(number(), 8)
        if wire == 0:
            content = number()
        else:
            size = number() if wire == 2 else {1: 8, 5: 4}[wire]
            if at + size > len(data):
                raise ValueError("the file is cut off")
            content = data[at:at + size]
            at += size
        yield field, wire, content, data[start:at]


def message(field, content):
    return varint(field * 8 + 2) + varint(len(content)) + content


def rewritten(data, path, change):
    """The message with what lies at the path of field numbers changed, wherever it is."""
    parts = []
    for field, wire, content, whole in fields(data):
        if field != path[0] or (wire != 2 and len(path) > 1):
            parts.append(whole)
        elif len(path) > 1:
            parts.append(message(field, rewritten(content, path[1:], change)))
        else:
            parts.append(change(content))
    return b"".join(parts)


def first_size(change):
    """Of a TensorShapeProto: its first dimension, changed if it is a number."""
    def of(shape):
        parts, is_first = [], True
        for field, _, content, whole in fields(shape):
            if field == DIM and is_first:
                whole = message(DIM, rewritten(content, [DIM_VALUE], change))
                is_first = False
            parts.append(whole)
        return message(SHAPE, b"".join(parts))
    return of


def varied(model, factor):
    """The bytes of a model, first sizes of inputs times the factor."""
    larger = first_size(lambda size: varint(DIM_VALUE * 8) + varint(size * factor))
    unknown = first_size(lambda size: b"")

    def value(field, content, weights):
        if field == VALUE_INFO:
            return b""
        is_weight = any(number == VALUE_NAME and name in weights for number, _, name, _ in fields(content))
        change = larger if field == INPUT else unknown
        return message(field, content if is_weight else rewritten(content, [TYPE, TENSOR_TYPE, SHAPE], change))

    def graph(content):
        parts = list(fields(content))
        weights = {name for field, _, tensor, _ in parts if field == INITIALIZER
                   for number, _, name, _ in fields(tensor) if number == TENSOR_NAME}
        return message(GRAPH, b"".join(value(field, part, weights) if field in (INPUT, OUTPUT, VALUE_INFO) else whole
                                       for field, _, part, whole in parts))
    return rewritten(model, [GRAPH], graph)
