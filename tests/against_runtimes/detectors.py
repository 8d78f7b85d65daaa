#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Cutaway authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Holds shapes of detection networks against PyTorch and ONNX Runtime: their sizes pass through floats.

usage: detectors.py CLI [NAME...] [--keep FOLDER]

torchvision's detectors with random weights are scripted, and exported to ONNX with fixed sizes and with named ones. Each
file is inspected with the size of an image, and each value's shape compared with that of a real run: a number that
differs is wrong, and so is a symbol that would have to be two numbers. What only data decides is a symbol; a size of
which nothing is known is a miss. A table of misses per file comes first. Exit code 1 if a shape is wrong.
torch and ONNX Runtime bring libraries of the same names along, so each has a process of its own.
"""
import argparse
import collections
import json
import os
import subprocess
import sys
import tempfile

MAKE, RUN = "--as-maker", "--as-runner"  # what this program is told to be for itself
IMAGE = (3, 160, 224)
NAMES = ("fasterrcnn_mobilenet_v3_large_320_fpn", "fasterrcnn_resnet50_fpn", "maskrcnn_resnet50_fpn",
         "keypointrcnn_resnet50_fpn", "retinanet_resnet50_fpn", "fcos_resnet50_fpn", "ssd300_vgg16",
         "ssdlite320_mobilenet_v3_large")


# ---- with torch


def values_of_scripted(path, image):
    """[operator, position, shape] of the tensors at the top of the inlined graph, from one run that returns all."""
    import torch
    model = torch.jit.load(path)
    graph = model.inlined_graph.copy()
    found, kept = [], []
    for node in graph.nodes():
        for position, value in enumerate(node.outputs()):
            if str(value.type()) == "Tensor" and node.kind() not in ("prim::Constant", "prim::Uninitialized"):
                found.append([node.kind(), position])
                kept.append(value)
    everything = graph.create("prim::TupleConstruct", kept, 1)
    graph.appendNode(everything)
    everything.output().setType(torch._C.TupleType([value.type() for value in kept]))
    for _ in list(graph.outputs()):
        graph.eraseOutput(0)
    graph.registerOutput(everything.output())
    function = torch._C._create_function_from_graph("forward", graph)
    with torch.no_grad(), torch.jit.optimized_execution(False):
        results = function(model, [image], None)
    return [[*row, list(result.shape)] for row, result in zip(found, results)]


def make(name, folder):
    import warnings
    warnings.filterwarnings("ignore")
    import torch
    import torchvision
    torch.manual_seed(0)
    image = torch.rand(*IMAGE)
    model = getattr(torchvision.models.detection, name)(weights=None, weights_backbone=None).eval()
    scripted = os.path.join(folder, name + ".pt")
    torch.jit.script(model).save(scripted)
    with open(scripted + ".json", "w", encoding="utf-8") as file:
        json.dump(values_of_scripted(scripted, image), file)
    for ending, axes in (("", None), (".named", {"image": {1: "height", 2: "width"}})):
        torch.onnx.export(model, ([image],), os.path.join(folder, name + ending + ".onnx"), opset_version=17,
                          input_names=["image"], dynamic_axes=axes)


# ---- with onnx and ONNX Runtime, which go together only where torch is not


def add_outputs(path):
    import onnx
    model = onnx.load(path)
    known = {output.name for output in model.graph.output}
    for node in model.graph.node:
        for name in node.output:
            if name and name not in known:
                model.graph.output.add().name = name
    onnx.save(model, path + ".all")


def run_onnx(path):
    import numpy
    import onnxruntime
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 4
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    session = onnxruntime.InferenceSession(path + ".all", options, providers=["CPUExecutionProvider"])
    results = session.run(None, {"image": numpy.random.default_rng(7).random(IMAGE, numpy.float32)})
    names = [output.name for output in session.get_outputs()]
    with open(path + ".json", "w", encoding="utf-8") as file:
        json.dump({name: list(result.shape) for name, result in zip(names, results)
                   if isinstance(result, numpy.ndarray)}, file)


# ---- comparing


def pairs_of_onnx(function, real):
    """[name, reported shape, real shape]"""
    return [[value["name"], value["shape"], real[value["name"]]] for value in function["values"]
            if value["type"] == "tensor" and value["name"] in real]


def pairs_of_scripted(function, real):
    """The same by operators: the k-th of each, where both have as many."""
    values = {value["name"]: value for value in function["values"]}
    reported, wanted = collections.defaultdict(list), collections.defaultdict(list)
    for node in function["nodes"]:
        for position, name in enumerate(node["outputs"]):
            if name in values and values[name]["type"] == "tensor":
                reported[node["op"].partition(".")[0], position].append((name, values[name]["shape"]))
    for operator, position, shape in real:
        wanted[operator, position].append(shape)
    return [[name, shape, is_] for key, shapes in wanted.items() if len(shapes) == len(reported[key])
            for (name, shape), is_ in zip(reported[key], shapes)]


def judge(pairs):
    """Counts, and what is wrong."""
    counts, wrong, symbols = collections.Counter(), [], {}
    for name, shape, real in pairs:
        if shape is None or None in shape:
            counts["missing"] += 1
        elif len(shape) != len(real):
            wrong.append((name, shape, real))
        else:
            agrees = all(size == symbols.setdefault(said, size) if isinstance(said, str) else said == size
                         for said, size in zip(shape, real))
            if not agrees:
                wrong.append((name, shape, real))
            counts["symbolic" if any(isinstance(said, str) for said in shape) else "known"] += agrees
    return counts, wrong


def inspect(cli, path):
    size = "x".join(map(str, IMAGE))
    given = [f"images.0={size}:float32", "targets=null"] if path.endswith(".pt") else [f"image={size}:float32"]
    command = [*cli.split(), "inspect", "--json", path, *[text for value in given for text in ("--input", value)]]
    report = json.loads(subprocess.run(command, stdout=subprocess.PIPE, check=True).stdout)
    return next((f for f in report["functions"] if f["name"] == "forward"), report["functions"][0]), report["totals"]


def compare(cli, path):
    function, totals = inspect(cli, path)
    with open(path + ".json", encoding="utf-8") as file:
        real = json.load(file)
    counts, wrong = judge((pairs_of_scripted if path.endswith(".pt") else pairs_of_onnx)(function, real))
    return counts, wrong, totals["flops"]


def main():
    if sys.argv[1:2] == [MAKE]:
        return make(*sys.argv[2:])
    if sys.argv[1:2] == [RUN]:
        return run_onnx(sys.argv[2])
    if sys.argv[1:2] == [RUN + "-with-all"]:
        return add_outputs(sys.argv[2])
    options = argparse.ArgumentParser(usage=__doc__)
    options.add_argument("cli")
    options.add_argument("names", nargs="*", default=NAMES)
    options.add_argument("--keep")
    given = options.parse_args()
    rows, wrong = [], 0

    def again(*arguments):
        subprocess.run([sys.executable, "-B", __file__, *arguments], check=True, stderr=subprocess.DEVNULL)

    with tempfile.TemporaryDirectory() as temporary:
        folder = given.keep or temporary
        for name in given.names:
            files = [os.path.join(folder, name + ending) for ending in (".pt", ".onnx", ".named.onnx")]
            if not all(os.path.exists(path + ".json") for path in files):
                again(MAKE, name, folder)
                for path in files[1:]:
                    again(RUN + "-with-all", path)
                    again(RUN, path)
                    os.remove(path + ".all")
            for path in files:
                counts, faults, flops = compare(given.cli, path)
                rows.append((counts["missing"], counts["symbolic"], counts["known"], len(faults), os.path.basename(path),
                             flops))
                wrong += len(faults)
                for value, shape, real in faults[:10]:
                    print(f"wrong: {os.path.basename(path)}: {value}: {shape}, really {real}")
    print("missing symbolic  known  wrong  file, FLOPs")
    for missing, symbolic, known, faults, name, flops in sorted(rows, reverse=True):
        print(f"{missing:7} {symbolic:8} {known:6} {faults:6}  {name}: {flops}")
    return wrong > 0


if __name__ == "__main__":
    sys.exit(main())
