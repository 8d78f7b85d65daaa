#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Cutaway authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""make_onnx_types.py > onnx_types.txt

Takes from the package onnx which element types the operators of the default operator set have: a line for each operator
and version of it, sorted by name and version: the name, the first opset that has it so, its inputs, its outputs,
"Where 16 i,abcd,abcd abcd". An input or output is the letters of its types: a is TensorProto.DataType 1, b is 2, and so
on; S stands for sequences, O for optional values. A star behind the last one: there may be more of it. A dash: there is
none.
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
    texts = []
    for item in items:
        star = "*" if item.option == onnx.defs.OpSchema.FormalParameterOption.Variadic else ""
        texts.append("".join(sorted(set(map(letter, sets.get(item.type_str, [item.type_str]))))) + star)
    return ",".join(texts) or "-"


def main():
    schemas = [each for each in onnx.defs.get_all_schemas_with_history() if each.domain == "" and not each.deprecated]
    for schema in sorted(schemas, key=lambda each: (each.name, each.since_version)):
        print(schema.name, schema.since_version, formals(schema, schema.inputs), formals(schema, schema.outputs))


if __name__ == "__main__":
    main()
