# SPDX-FileCopyrightText: The Cutaway authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Compares a report of Cutaway's with the record of a run of the same program (programs.py)."""
import math

import torch

FUNCTIONS = {"min": min, "max": max, "abs": abs, "floor": math.floor, "ceil": math.ceil, "trunc": math.trunc,
             "roundtoint": round, "tofloat": float, "ceildiv": lambda a, b: -(-a // b), "__builtins__": {}}
UNKNOWN = object()


def number(size, bindings):
    """The value of a size or figure of a report, UNKNOWN where it depends on what the run did not bind."""
    if not isinstance(size, str):
        return UNKNOWN if size is None else size
    try:
        return eval(size, FUNCTIONS, bindings)  # Cutaway's own formulas are Python expressions
    except (NameError, SyntaxError):
        return UNKNOWN


def decides_sizes(operator):
    """Whether PyTorch says that data decides the sizes of its results."""
    name, _, overload = operator.removeprefix("aten::").partition(".")
    packet = getattr(torch.ops.aten, name, None) if operator.startswith("aten::") else None
    overloads = [overload] if overload else packet.overloads() if packet else []
    return any(torch.Tag.dynamic_output_shape in getattr(packet, each).tags for each in overloads if packet)


def bind(found, expected, operator, bindings):
    """A new symbol for a size that data decides stands for what it was in the run."""
    for size, known in zip(found.get("shape") or [], expected["shape"]):
        if isinstance(size, str) and size.isidentifier() and size not in bindings and decides_sizes(operator):
            bindings[size] = known


def compared(found, expected, bindings):
    """Of a tensor's dtype and shape: "right", "unknown" or "wrong"."""
    if found.get("dtype") not in (None, expected["dtype"]):
        return "wrong"
    if found.get("shape") is None:
        return "unknown"
    if len(found["shape"]) != len(expected["shape"]):
        return "wrong"
    sizes = [number(size, bindings) for size in found["shape"]]
    if any(a is not UNKNOWN and a != b for a, b in zip(sizes, expected["shape"])):
        return "wrong"
    return "unknown" if found.get("dtype") is None or UNKNOWN in sizes else "right"


def figure(found, expected):
    return "unknown" if found is UNKNOWN else "right" if found == expected else "wrong"


def typed(tensor):
    return f"{tensor.get('dtype')}{tensor.get('shape')}".replace("'", "").replace("None", "?")


def flops_by_operator(function, bindings, full_names):
    sums = {}
    for node in function["nodes"]:
        operator = node["op"] if full_names else node["op"].partition(".")[0]
        flops, before = number(node["flops"], bindings), sums.get(operator, 0)
        sums[operator] = UNKNOWN if UNKNOWN in (flops, before) else before + flops
    return sums


def shown(flops):
    return "?" if flops is UNKNOWN else flops


def judge_export(report, record):
    function, bindings = report["functions"][0], dict(record["bindings"])
    maker = {name: node["op"] for node in function["nodes"] for name in node["outputs"]}
    for value in [*function["inputs"], *function["values"]]:
        expected = record["values"].get(value["name"])
        if isinstance(expected, dict):
            operator = maker.get(value["name"], "input")
            bind(value, expected, operator, bindings)
            yield "type", compared(value, expected, bindings), operator, f"{typed(value)} for {typed(expected)}"
    for operator, flops in flops_by_operator(function, bindings, full_names=True).items():
        expected = record["flops"].get(operator)
        if expected is not None:
            yield "flops", figure(flops, expected), operator, f"{shown(flops)} for {expected}"
    if record["peak"] is not None:
        peak = number(report["totals"]["peak_activation_bytes"], bindings)
        operators = " ".join(sorted(set(maker.values())))
        yield "peak", figure(peak, record["peak"]), "", f"{shown(peak)} for {record['peak']} ({operators})"


def judge_trace(report, record):
    function = report["functions"][0]
    values = {value["name"]: value for value in function["values"]}
    results = {}
    for node in function["nodes"]:
        kind = node["op"].partition(".")[0]
        results.setdefault(kind, []).append([values.get(name) for name in node["outputs"]])
    bindings = {}
    for kind, expected in record["nodes"].items():
        found = results.get(kind, [])
        yield "nodes", figure(len(found), len(expected)), kind, f"{len(found)} for {len(expected)}"
        if len(found) != len(expected):
            continue
        for a, b in ((a, b) for ours, theirs in zip(found, expected) for a, b in zip(ours, theirs)):
            if a and b:
                bind(a, b, kind, bindings)
                yield "type", compared(a, b, bindings), kind, f"{typed(a)} for {typed(b)}"
    for kind, flops in flops_by_operator(function, bindings, full_names=False).items():
        expected = record["flops"].get(kind)
        if expected is not None:
            yield "flops", figure(flops, expected), kind, f"{shown(flops)} for {expected}"


def judge(report, record):
    """Comparisons: (what, "right" or "unknown" or "wrong", the operator or "" for the whole program, a text)."""
    if "error" in report:
        return [("open", "wrong", "", report["error"])]
    return [("open", "right", "", ""), *(judge_export if "values" in record else judge_trace)(report, record)]
