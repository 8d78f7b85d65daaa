#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Cutaway authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Holds the evaluator against ONNX Runtime: seeded random nodes, the results' numbers compared.

usage: computed_nodes.py EVALUATE_LINES [--lowered] [--calls N] [--seed N] [--seconds N] [--family NAME] [--refused]

With --lowered the nodes become operators of ATen first; those that lower-to-aten leaves count as refused. What ONNX
Runtime refuses is passed over; where it departs from ONNX's document, see random_nodes.py, a difference counts by itself.
Exit code 1 if another result is wrong.
"""
import argparse
import collections
import subprocess
import sys
import time

import numpy as np
import onnxruntime  # before onnx, with which it shares libraries

import onnx

from random_nodes import EXTREME, FAMILIES, Constant, Draw, Tame, departure

OPSET, ML_OPSET, IR_VERSION, BATCH, SHOWN_OF_AN_OPERATOR = 21, 3, 10, 100, 3
TOLERANCE = 1e-4  # of the largest element


def literal(value):
    if isinstance(value, str):
        return f'"{value}"'
    if isinstance(value, list):
        return "[" + ", ".join(map(literal, value)) + "]"
    return repr(float(np.float32(value))) if isinstance(value, float) else str(value)


class Node:
    def __init__(self, family, op, inputs, attributes, results):
        while inputs and inputs[-1] is None:
            inputs = inputs[:-1]
        self.family, self.op, self.inputs, self.attributes, self.results = family, op, inputs, attributes, results
        self.names = [None if x is None else f"x{i}" for i, x in enumerate(inputs)]
        self.given = {n: np.asarray(x, order="C") for n, x in zip(self.names, inputs)
                      if n and not isinstance(x, Constant)}
        self.constants = {n: x.array for n, x in zip(self.names, inputs) if isinstance(x, Constant)}

    def model(self):
        kind = onnx.helper.np_dtype_to_tensor_dtype
        domain, _, op = self.op.rpartition("::")
        node = onnx.helper.make_node(op, [n or "" for n in self.names], [f"r{i}" for i in range(self.results)],
                                     domain=domain, **self.attributes)
        graph = onnx.helper.make_graph(
            [node], "g", [onnx.helper.make_tensor_value_info(n, kind(x.dtype), x.shape) for n, x in self.given.items()],
            [onnx.helper.make_empty_tensor_value_info(f"r{i}") for i in range(self.results)],
            [onnx.numpy_helper.from_array(x, n) for n, x in self.constants.items()])
        opsets = [onnx.helper.make_opsetid("", OPSET), onnx.helper.make_opsetid("ai.onnx.ml", ML_OPSET),
                  onnx.helper.make_opsetid("com.microsoft", 1)]
        made = onnx.helper.make_model(graph, opset_imports=opsets, ir_version=IR_VERSION)
        isKnown = domain != "com.microsoft" and not op.startswith("Simplified")  # to onnx, which says what a result is
        return (onnx.shape_inference.infer_shapes(made, strict_mode=True) if isKnown else made).SerializeToString()

    def expected(self):
        options = onnxruntime.SessionOptions()
        options.log_severity_level = 4
        options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
        session = onnxruntime.InferenceSession(self.model(), options, providers=["CPUExecutionProvider"])
        return session.run(None, self.given)

    def line(self):
        rows, weights = [f'opset "ai.onnx" {OPSET}', f'opset "ai.onnx.ml" {ML_OPSET}'], []
        for i, (name, x) in enumerate(self.constants.items()):
            data = "".join(f"\\x{byte:02x}" for byte in x.tobytes())
            rows += [f'storage {i}: {x.nbytes} bytes data "{data}"', f"tensor @{name}: {form(x)} in storage {i}"]
            weights.append(f"weight %{name}: {form(x)} = @{name}")
        arguments = [f"%{n}" if n else "none" for n in self.names]
        arguments += [f"{name}={literal(value)}" for name, value in self.attributes.items()]
        results = ", ".join(f"%r{i}" for i in range(self.results))
        inputs = ", ".join(f"%{n}: {form(x)}" for n, x in self.given.items())
        full = self.op if "::" in self.op else "onnx::" + self.op
        rows += [f"graph @forward({inputs}) {{", *weights, f"{results} = {full}({', '.join(arguments)})",
                 f"return {results}", "}"]
        return "\t".join(["\x1f".join(rows), *(f"{x.dtype} {','.join(map(str, x.shape))} {x.tobytes().hex()}"
                                              for x in self.given.values())])


def form(x):
    return f"{x.dtype}[{', '.join(map(str, x.shape))}]"


def parsed(text):
    dtype, sizes, digits = text.split(" ")
    return np.frombuffer(bytes.fromhex(digits), dtype).reshape([int(n) for n in sizes.split(",") if n])


def fault(found, expected):
    expected = np.asarray(expected)
    if found.dtype != expected.dtype or found.shape != expected.shape:
        return f"{form(found)} instead of {form(expected)}"
    if found.dtype.kind != "f":
        return None if np.array_equal(found, expected) else f"{found.tolist()} instead of {expected.tolist()}"
    finite = expected[np.isfinite(expected)]
    largest = float(np.abs(finite).max()) if finite.size else 0
    same = np.isclose(found, expected, rtol=TOLERANCE, atol=TOLERANCE * largest + 1e-12, equal_nan=True)
    return None if same.all() else f"{found.tolist()} instead of {expected.tolist()}"


def judged(command, nodes):
    known = []
    for node in nodes:
        try:
            known.append((node, node.expected()))
        except Exception:
            continue
    lines = "".join(node.line() + "\n" for node, _ in known)
    run = subprocess.run(command, input=lines, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    answers = run.stdout.splitlines()
    for (node, expected), answer in zip(known, answers):
        kind, *results = answer.split("\t")
        if kind.startswith("refused"):
            yield node, "refused", kind
            continue
        why = next(filter(None, (fault(parsed(text), wanted) for text, wanted in zip(results, expected))), None)
        departs = departure(node.op, node.inputs, node.attributes) if why else None
        yield node, "right" if not why else f"{departs} in ONNX Runtime" if departs else "wrong", why
    if len(answers) < len(known):
        yield known[len(answers)][0], "crashed", run.stderr[-600:]


def drawn(seed, number, families):
    family = families[number % len(families)]
    draw = (Draw if family in EXTREME else Tame)(f"{seed}/{number}")
    return Node(family.__name__, *family(draw))


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("program")
    parser.add_argument("--lowered", action="store_true", help="as operators of ATen")
    parser.add_argument("--calls", type=int, default=5000)
    parser.add_argument("--seed", default="1")
    parser.add_argument("--seconds", type=float, default=60, help="stops earlier where the nodes take longer")
    parser.add_argument("--family", help="only this one")
    parser.add_argument("--refused", action="store_true", help="lists what is refused, by operator")
    options = parser.parse_args()
    families = [f for f in FAMILIES if options.family in (None, f.__name__)]
    command = [options.program] + (["lower-to-aten,dead-code"] if options.lowered else [])

    started, counts = time.monotonic(), collections.Counter()
    refused, wrong = collections.Counter(), collections.Counter()
    for first in range(0, options.calls, BATCH):
        if time.monotonic() - started > options.seconds:
            print(f"the time is over after {first} nodes")
            break
        nodes = [drawn(options.seed, n, families) for n in range(first, min(first + BATCH, options.calls))]
        for node, result, why in judged(command, nodes):
            counts[result] += 1
            if result == "refused":
                refused[node.op, why[:100]] += 1
            if result in ("wrong", "crashed"):
                wrong[node.op] += 1
                if wrong[node.op] <= SHOWN_OF_AN_OPERATOR:
                    given = "; ".join(f"{n}={x.tolist()}"[:300] for n, x in {**node.given, **node.constants}.items())
                    print(f"{result.upper()} {node.op} {node.attributes}\n  of {given}\n  {why[:700]}", flush=True)
    if options.refused:
        for (op, why), count in refused.most_common():
            print(f"refused {count:5} {op}: {why}")
    for op, count in wrong.most_common():
        print(f"wrong {count:5} {op}")
    print(f"{sum(counts.values())} nodes, {dict(counts)}, {time.monotonic() - started:.0f} s")
    return 1 if counts["wrong"] or counts["crashed"] or not counts["right"] else 0


if __name__ == "__main__":
    sys.exit(main())
