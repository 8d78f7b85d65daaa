#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Cutaway authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Holds shapes and conversions of detection networks against PyTorch and ONNX Runtime.

usage: detectors.py CLI [NAME...] [--keep FOLDER]

torchvision's detectors with random weights are scripted, and exported to ONNX with fixed sizes and with named ones. Each
file is inspected with the size of an image, and each value's shape compared with that of a real run: a number that
differs is wrong, and so is a symbol that would have to be two numbers. What only data decides is a symbol; a size of
which nothing is known is a miss. A table of misses per file comes first.

The scripted ones are also converted to ONNX. What ONNX Runtime finds with such a model in an image has to be what
PyTorch finds: as many boxes, and the same ones, in any order where scores are equal. What `convert` refuses is listed
with its reason. Exit code 1 if a shape or a found box is wrong, or if one of CONVERTED is refused.
torch and ONNX Runtime bring libraries of the same names along, so each has a process of its own.
"""
import argparse
import collections
import json
import os
import subprocess
import sys
import tempfile

import numpy

import converted

MAKE, RUN = "--as-maker", "--as-runner"  # what this program is told to be for itself
IMAGE = (3, 160, 224)
NAMES = ("fasterrcnn_mobilenet_v3_large_320_fpn", "fasterrcnn_resnet50_fpn", "maskrcnn_resnet50_fpn",
         "keypointrcnn_resnet50_fpn", "retinanet_resnet50_fpn", "fcos_resnet50_fpn", "ssd300_vgg16",
         "ssdlite320_mobilenet_v3_large")
CONVERTED = ("retinanet_resnet50_fpn", "fcos_resnet50_fpn", "ssd300_vgg16", "ssdlite320_mobilenet_v3_large")


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


def spread_classes(torch, model, image):
    """Gives the last layers of the classes weights with which these differ: random ones find all equally likely."""
    head = getattr(getattr(model, "head", None), "classification_head", None)
    if head is None:
        return
    blocks = getattr(head, "module_list", None) or [head.cls_logits]
    layers = [[part for part in block.modules() if isinstance(part, torch.nn.Conv2d)][-1] for block in blocks]
    logits = []
    hook = head.register_forward_hook(lambda module, inputs, result: logits.append(result))
    with torch.no_grad():
        for layer in layers:
            layer.bias.zero_()
        model([image])
        hook.remove()
        for layer in layers:
            layer.weight.mul_(2 / logits[0].std())


def make(name, folder):
    import warnings
    warnings.filterwarnings("ignore")
    import torch
    import torchvision
    torch.manual_seed(0)
    image = torch.rand(*IMAGE)
    model = getattr(torchvision.models.detection, name)(weights=None, weights_backbone=None).eval()
    spread_classes(torch, model, image)
    scripted = os.path.join(folder, name + ".pt")
    torch.jit.script(model).save(scripted)
    with torch.no_grad(), torch.jit.optimized_execution(False):
        found = torch.jit.load(scripted)([image], None)[1][0]
    numpy.savez(scripted + ".npz", image=image.numpy(), **{key: value.numpy() for key, value in found.items()})
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


def found_in_image(path):
    """What ONNX Runtime finds with the converted model, and a line that says how it differs from what PyTorch does."""
    import onnxruntime
    arrays = dict(numpy.load(path + ".npz"))
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 4
    session = onnxruntime.InferenceSession(path + ".onnx", options, providers=["CPUExecutionProvider"])
    found = session.run(None, {session.get_inputs()[0].name: arrays.pop("image")})
    expected = list(arrays.values())
    if len(found) != len(expected):
        return print(f"wrong: {len(found)} results in place of {len(expected)}")
    order = places(expected, found)
    if order is None:
        return print("wrong: other boxes")
    for key, wanted, value in zip(arrays, expected, found):
        fault = None if key == "boxes" else converted.compared(wanted, value[order], str(wanted.dtype))
        if fault:
            return print(f"wrong: {key}: {fault}")
    return print(f"{len(expected[0])} boxes agree")


def places(expected, found):
    """Where each expected box is among those found, within a tenth of a pixel; None if one is not, or others are."""
    boxes = next(i for i, each in enumerate(expected) if each.ndim == 2 and each.shape[1] == 4)
    labels = next(i for i, each in enumerate(expected) if each.dtype == numpy.int64)
    near = numpy.abs(expected[boxes][:, None] - found[boxes]).max(2) < 0.1
    near &= expected[labels][:, None] == found[labels]
    order = near.argmax(1) if near.size else numpy.zeros(len(near), numpy.int64)
    is_whole = near.shape[0] == near.shape[1] and near.any(1).all() and len(set(order)) == len(order)
    return order if is_whole else None


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


def conversion(cli, path, again):
    """What comes of converting a scripted one."""
    size = "x".join(map(str, IMAGE))
    command = [*cli.split(), "convert", path, "-o", path + ".onnx", "--input", f"images.0={size}:float32", "--input",
               "targets=null"]
    answer = subprocess.run(command, capture_output=True, text=True)
    if answer.returncode == 0:
        return again(RUN + "-converted", path)
    rows = converted.reason_of(answer.stdout + answer.stderr)
    return "refused: " + "; ".join(f"{operator} {reason}".strip() for operator, reason in rows)


def main():
    if sys.argv[1:2] == [MAKE]:
        return make(*sys.argv[2:])
    if sys.argv[1:2] == [RUN]:
        return run_onnx(sys.argv[2])
    if sys.argv[1:2] == [RUN + "-with-all"]:
        return add_outputs(sys.argv[2])
    if sys.argv[1:2] == [RUN + "-converted"]:
        return found_in_image(sys.argv[2])
    options = argparse.ArgumentParser(usage=__doc__)
    options.add_argument("cli")
    options.add_argument("names", nargs="*", default=NAMES)
    options.add_argument("--keep")
    given = options.parse_args()
    rows, wrong = [], 0

    def again(*arguments):
        return subprocess.run([sys.executable, "-B", __file__, *arguments], check=True, stdout=subprocess.PIPE, text=True,
                              stderr=subprocess.DEVNULL).stdout.strip()

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
            verdict = conversion(given.cli, files[0], again)
            print(f"{name}.pt converted: {verdict}")
            wrong += verdict.startswith("wrong") or (name in CONVERTED and verdict.startswith("refused"))
    print("missing symbolic  known  wrong  file, FLOPs")
    for missing, symbolic, known, faults, name, flops in sorted(rows, reverse=True):
        print(f"{missing:7} {symbolic:8} {known:6} {faults:6}  {name}: {flops}")
    return wrong > 0


if __name__ == "__main__":
    sys.exit(main())
