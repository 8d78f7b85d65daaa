#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Cutaway authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Measures how well `cutaway-cli diff --no-names` matches two files of one model, judged by the names it must not use.

usage: diff_accuracy.py CLI A B [A B ...]     one line per pair of files; exit code 1 below 98 % or with a wrong match

A compute node (convolution, matrix product, normalization, attention) is known by the module of the parameter that it
reads; where an exporter renamed that, by the module that the node stands in and its place there. Right: its partner
reads the same one. Only
nodes that both files have are counted, so not a batch norm that one of them has folded.
"""
import json
import re
import subprocess
import sys

FEWEST_RIGHT = 0.98
COMPUTE = {"convolution", "matrix product", "normalization", "attention"}
COMPUTE_OPERATOR = re.compile("conv|linear|mm|matmul|norm|attention", re.IGNORECASE)


def answer(*command):
    result = subprocess.run(command, capture_output=True, check=False)
    if result.returncode not in (0, 1):
        sys.exit(result.stderr.decode())
    return json.loads(result.stdout)


def nodes_of(function):
    for node in function["nodes"]:
        yield node
        for region in node["regions"]:
            if isinstance(region, dict):
                yield from nodes_of(region)


def module_of(parameter):
    return parameter.rpartition(".")[0] or parameter


class Key:
    """What a node is known by. `part` counts the parameters' modules of its operator inside each module around it."""

    def __init__(self, module, is_named, name, operator):
        self.module, self.is_named, self.name, self.operator = module, is_named, name, operator
        self.part = {}


def number_parts(keys):
    """A node that is known by a module around it is told from the others there by their order."""
    counts = {}
    for key in keys:
        if not COMPUTE_OPERATOR.search(key.operator) or "norm" in key.operator.lower():
            continue
        module = key.module
        while True:
            key.part[module] = counts[module] = counts.get(module, 0) + 1
            if "." not in module:
                break
            module = module.rpartition(".")[0]


def is_inside(named, around):
    """Whether the parameter's module is that part of the module around the other node."""
    module = around.module
    return not around.is_named and module in named.part and named.part[module] == around.part.get(module)


def keys_of(cli, path):
    """By node id: the module of the parameter it reads, the node's name and its operator."""
    main = answer(cli, "inspect", path, "--json")["functions"][0]
    parameters = {value["name"]: value.get("target", value["name"]) for value in main["inputs"]
                  if value["kind"] != "user_input"}
    keys = {}
    for node in nodes_of(main):
        read = [parameters[name] for name in node["inputs"] if name in parameters]
        named = [name for name in read if "::" not in name and "Constant" not in name]
        if named or read:
            module = module_of(named[0]) if named else node["scope"]
            keys[node["id"]] = Key(module, bool(named), node["name"], node["op"])
    number_parts(keys.values())
    return keys


def measure(cli, a, b):
    difference = answer(cli, "diff", a, b, "--json", "--no-names")
    keys_a, keys_b = keys_of(cli, a), keys_of(cli, b)
    right, wrong, matched = 0, [], set()
    for pair in difference["matched"]:
        matched.add(pair["a_id"])
        if pair["category"] not in COMPUTE or pair["a_id"] not in keys_a or pair["b_id"] not in keys_b:
            continue
        key_a, key_b = keys_a[pair["a_id"]], keys_b[pair["b_id"]]
        if key_a.module == key_b.module or is_inside(key_a, key_b) or is_inside(key_b, key_a):
            right += 1
        else:
            wrong.append(f"{key_a.module} -> {key_b.module}")
    left = set(difference["only_a"]).union(*(group["a"] for group in difference["groups"]))
    in_b = {key.module for key in keys_b.values() if COMPUTE_OPERATOR.search(key.operator)}
    missed = [key.module for node, key in keys_a.items()
              if node not in matched and key.name in left and key.module in in_b
              and COMPUTE_OPERATOR.search(key.operator)]
    return right, wrong, missed


def main(cli, *paths):
    fine = True
    for a, b in zip(paths[::2], paths[1::2]):
        right, wrong, missed = measure(cli, a, b)
        share = right / max(1, right + len(wrong) + len(missed))
        fine &= share >= FEWEST_RIGHT and not wrong
        print(f"{100 * share:6.2f} %  {right:4} right {len(wrong):3} wrong {len(missed):3} missed  {a} {b}")
        for what, names in (("wrong", wrong), ("missed", missed)):
            for name in names[:5]:
                print(f"          {what}: {name}")
    return 0 if fine else 1


if __name__ == "__main__":
    if len(sys.argv) < 4 or len(sys.argv) % 2 != 0:
        sys.exit(__doc__)
    sys.exit(main(*sys.argv[1:]))
