#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Cutaway authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""make_onnx_operators.py Changelog.md > onnx_operators.txt

Takes from ONNX's docs/Changelog.md what a node of the default operator set may look like: a line for each operator and
version of it, sorted by name and version: the name, the first opset that has it so, how many inputs and outputs it takes,
and its attributes with what they are by default: "Concat 13 1- 1-1 axis" or "Elu 6 1-1 1-1 alpha=1.0". A default is a
number, a text "NOTSET", a list [0,2] of these, or 1* for as many ones as there are axes. Of a version that takes the
operator out, "deprecated".
"""
import re
import struct
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


def real(value, text):
    """As short as a float32 can be; the changelog rounds to six digits, and some descriptions have all of them."""
    exact = re.search(r"default to (\d+\.\d+)", text)
    number = float(exact[1] if exact and f"{float(exact[1]):g}" == value else value)
    shorter = (float(f"{number:.{digits}g}") for digits in range(1, 10))
    return repr(next(short for short in shorter if struct.pack("f", short) == struct.pack("f", number)))


def written(value, kind, text=""):
    """A default of the changelog as one word; nothing for what is no number, text or list."""
    if kind.startswith("list of"):
        kind = kind.removeprefix("list of ").rstrip("s")
        return "[" + ",".join(written(item, kind) for item in re.findall(r"'([^']*)'", value)) + "]"
    if kind == "string":
        return f'"{value}"'
    if kind == "float" and not value.startswith("("):  # that is a limit of floats, rounded
        return real(value, text)
    return value if kind == "int" else None


def attribute(entry):
    """"axis=0" of what the changelog says of an attribute."""
    name, kind, value, text = re.match(
        r"<tt>(\w+)</tt> : (.*?)(?: \(default is (.*)\)| \(required\))?</dt>\n(.*)", entry, re.S).groups()
    default = written(value, kind, text) if value is not None else None
    of_each_axis = re.search(r"defaults? ?(?:to|is) (\d) along", text) if kind == "list of ints" else None
    return f"{name}={default}" if default else f"{name}={of_each_axis[1]}*" if of_each_axis and value is None else name


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
        attributes = list(map(attribute, listed[1].split("\n<dt>")[1:])) if listed else []
        operators.append((name, int(version), " ".join([count("Inputs", part), count("Outputs", part), *attributes])))
    for operator in sorted(operators):
        print(*operator)


if __name__ == "__main__":
    main(sys.argv[1])
