#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Cutaway authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""make_onnx_inputs.py > onnx_inputs.txt

Takes from the Python package onnx how the inputs of the operators of its default operator set are called: a line for each
operator and version from which on the names are so, sorted by name and version: "Conv 1 X W B". A last name with a star
is that of all further inputs: "Concat 1 inputs*".
"""
import onnx.defs


def names(schema):
    return " ".join(
        each.name + ("*" if each.option == onnx.defs.OpSchema.FormalParameterOption.Variadic else "")
        for each in schema.inputs)


def main():
    versions = {}
    for schema in onnx.defs.get_all_schemas_with_history():
        if schema.domain == "" and not schema.deprecated:
            versions.setdefault(schema.name, {})[schema.since_version] = names(schema)
    for name in sorted(versions):
        before = ""
        for version, inputs in sorted(versions[name].items()):
            if inputs and inputs != before:
                print(name, version, inputs)
            before = inputs


if __name__ == "__main__":
    main()
