#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Cutaway authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Holds what cutaway_record writes of ONNX Runtime's levels against ONNX Runtime.

usage: recorded_levels.py MODEL.onnx...

Each model is recorded as a path, as a ModelProto, as a path with its weights in a file of their own, and so as if it were
large. Every recorded file has to load without optimization and to compute what the given one computes; no level may leave
more nodes than the one before, but for those that copy between layouts at the last. Prints the counts of nodes. Exit code 1
if something differs.
"""
import json
import os
import pathlib
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).parents[2] / "app/python"))
import numpy
import onnx
import onnxruntime

import cutaway_record
from cutaway_record import onnx_passes

LEVELS = ["as given", "disabled", "basic", "extended", "all"]


def computed(path, inputs=None):
    """The results of a file, and the inputs: drawn with one seed if none are given."""
    options = onnxruntime.SessionOptions()
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    session = onnxruntime.InferenceSession(path, options, providers=["CPUExecutionProvider"])
    if inputs is None:
        random = numpy.random.default_rng(1)
        inputs = {value.name: random.random([size if isinstance(size, int) else 2 for size in value.shape], numpy.float32)
                  for value in session.get_inputs()}
    return session.run(None, inputs), inputs


def recorded(folder, model):
    path = os.path.join(folder, "levels.cutaway")
    with cutaway_record.record(path) as r:
        r.add_runtime_levels(model)
    with open(path, encoding="utf-8") as log:
        records = [json.loads(line[line.index("] ") + 2:]) for line in log if not line.startswith("\t")]
    return [record["cutaway_file"] for record in records if "cutaway_file" in record]


def differences(folder, model):
    """What is wrong with a recording of one model; prints the nodes of each step."""
    steps = recorded(folder, model)
    if [step["name"] for step in steps] != LEVELS:
        yield f"the steps are {[step['name'] for step in steps]}"
        return
    files = [os.path.join(folder, step["path"]) for step in steps]
    counts = [len(onnx.load(file, load_external_data=False).graph.node) for file in files]
    print("  nodes:", *counts)
    if counts[1] != counts[0]:
        yield f"without optimization there are {counts[1]} nodes, not {counts[0]}"
    if not counts[1] >= counts[2] >= counts[3]:
        yield f"a level leaves more nodes than the one before: {counts}"
    expected, inputs = computed(files[0])
    for step, file in zip(steps[1:], files[1:]):
        for one, other in zip(computed(file, inputs)[0], expected):
            if not numpy.allclose(one, other, rtol=1e-3, atol=1e-4):
                yield f"{step['name']} computes other numbers, by {numpy.abs(one - other).max()}"


def forms(path, folder):
    """The model as each of the things that may be recorded."""
    yield "a path", path
    yield "a ModelProto", onnx.load(path)
    apart = os.path.join(folder, "apart.onnx")
    onnx.save(onnx.load(path), apart, save_as_external_data=True, location="weights.bin", size_threshold=128)
    yield "a path with weights apart", apart
    limit, onnx_passes.LARGE = onnx_passes.LARGE, 0
    yield "a large model", apart
    onnx_passes.LARGE = limit


def main(paths):
    wrong = checked = 0
    for path in paths:
        with tempfile.TemporaryDirectory() as folder:
            for form, model in forms(path, folder):
                print(f"{os.path.basename(path)} as {form}")
                checked += 1
                for difference in differences(folder, model):
                    wrong += 1
                    print("  wrong:", difference)
    print(f"{wrong} tests failed out of {checked}")
    return 1 if wrong or not checked else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
