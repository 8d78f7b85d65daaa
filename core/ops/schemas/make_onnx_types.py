#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Cutaway authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""make_onnx_types.py > onnx_types.txt

Takes from the Python package onnx which types the inputs, outputs and attributes of the operators of its default operator
set have: a line for each operator and version of it, sorted by name and version: the name, the first opset that has it so,
its inputs, its outputs, its attributes: "Where 16 i,abcd1,abcd1 abcd1" or "Concat 13 abcd1* abcd1 axis:i!".

An input or output is the letters of its types: a is TensorProto.DataType 1, b is 2, and so on; S stands for sequences, O
for optional values. Those with the same digit behind it are of one type. A star behind the last one: there may be more of
it; without a digit these may be of different types. A dash: there is none. An attribute has the letter of its type: f, i,
s, t, g, x and p for a float, an integer, a text, a tensor, a graph, a sparse tensor and a type, F, I, S, T and G for lists.
An exclamation mark: it has to be there.
"""
import re

import onnx

NUMBERS = {"float": 1, "uint8": 2, "int8": 3, "uint16": 4, "int16": 5, "int32": 6, "int64": 7, "string": 8, "bool": 9,
           "float16": 10, "double": 11, "uint32": 12, "uint64": 13, "complex64": 14, "complex128": 15, "bfloat16": 16,
           "float8e4m3fn": 17, "float8e4m3fnuz": 18, "float8e5m2": 19, "float8e5m2fnuz": 20, "uint4": 21, "int4": 22,
           "float4e2m1": 23}


def letter(text):
    if text.startswith("seq("):
        return "S"
    if text.startswith("optional("):
        return "O"
    tensor = re.fullmatch(r"tensor\((\w+)\)", text)
    return chr(ord("a") - 1 + NUMBERS[tensor[1]]) if tensor and tensor[1] in NUMBERS else ""


def formals(schema, items):
    sets = {each.type_param_str: each.allowed_type_strs for each in schema.type_constraints}
    everywhere = [item.type_str for item in [*schema.inputs, *schema.outputs] for _ in range(copies(item))]
    shared = [name for name in sets if everywhere.count(name) > 1]
    texts = []
    for item in items:
        letters = "".join(sorted(set(map(letter, sets.get(item.type_str, [item.type_str])))))
        variable = str(shared.index(item.type_str) + 1) if item.type_str in shared and item.is_homogeneous else ""
        texts.append(letters + variable + ("*" if is_variadic(item) else ""))
    return ",".join(texts) or "-"


def is_variadic(item):
    return item.option == onnx.defs.OpSchema.FormalParameterOption.Variadic


def copies(item):
    """How often a variable is bound by it: those of which each may have a type of its own bind none."""
    return 0 if not item.is_homogeneous else 2 if is_variadic(item) else 1


def attributes(schema):
    kinds = {"FLOAT": "f", "INT": "i", "STRING": "s", "TENSOR": "t", "GRAPH": "g", "SPARSE_TENSOR": "x", "TYPE_PROTO": "p",
             "FLOATS": "F", "INTS": "I", "STRINGS": "S", "TENSORS": "T", "GRAPHS": "G"}
    return [f"{each.name}:{kinds[each.type.name]}{'!' if each.required else ''}"
            for each in sorted(schema.attributes.values(), key=lambda each: each.name)]


def main():
    schemas = [each for each in onnx.defs.get_all_schemas_with_history() if each.domain == "" and not each.deprecated]
    for schema in sorted(schemas, key=lambda each: (each.name, each.since_version)):
        print(schema.name, schema.since_version, formals(schema, schema.inputs), formals(schema, schema.outputs),
              *attributes(schema))


if __name__ == "__main__":
    main()
