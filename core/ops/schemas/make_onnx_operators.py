#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Cutaway authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""make_onnx_operators.py Changelog.md > onnx_operators.txt

Takes from ONNX's docs/Changelog.md what a node of the default operator set may look like: a line for each operator and
version of it, sorted by name and version: the name, the first opset that has it so, how many inputs and outputs it takes,
and its attributes: "Squeeze 13 1-2 1-1" or "Concat 13 1- 1-1 axis". Of a version that takes the operator out, "deprecated".
"""
import re
import sys


def count(section, text):
    """How many inputs or outputs: "1-2", "1-" without a limit."""
    head = re.search(rf"^#### {section}( \((.*)\))?$", text, re.M)
    if not head:
        return "0-0"
    if head[2]:
        least, most = head[2].split(" - ")
        return f"{least}-{'' if most == '&#8734;' else most}"
    listed = len(re.findall(r"^<dt><tt>", text[head.end():].split("\n#### ")[0], re.M))
    return f"{listed}-{listed}"


def main(path):
    with open(path, encoding="utf-8") as file:
        text = file.read()
    operators = []
    for part in text.split("\n# ai.onnx.preview")[0].split('\n### <a name="')[1:]:
        name, version = re.match(r"(\w+)-(\d+)\"", part).groups()
        if part.split("\n", 1)[0].endswith("(deprecated)</a>"):
            operators.append((name, int(version), "deprecated"))
            continue
        listed = re.search(r"^#### Attributes$(.*?)(?=^#### )", part, re.M | re.S)
        attributes = re.findall(r"^<dt><tt>(\w+)</tt>", listed[1], re.M) if listed else []
        operators.append((name, int(version), " ".join([count("Inputs", part), count("Outputs", part), *attributes])))
    for operator in sorted(operators):
        print(*operator)


if __name__ == "__main__":
    main(sys.argv[1])
