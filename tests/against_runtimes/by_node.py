#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Cutaway authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Counts the model files that Cutaway's plugin `torch` runs node by node, and lets PyTorch judge the results.

usage: by_node.py CUTAWAY_CLI [FILE_OR_FOLDER...] [--records FOLDER] [--seconds 120] [--floor 0.5] [--library FILE...]
       [--backend torch]

Without files some are made here: quantized models, and some with torchvision's operators and its library. Each
TorchScript and .pt2 file that this PyTorch loads and runs goes through PyTorch and through `CUTAWAY_CLI run --backend
BACKEND`, with the same inputs: those of FOLDER's record of the file (`FOLDER/a/b.pt.json` of `a/b.pt`), else
those like the example's. Results must have the same shapes and agree within rtol 1e-4 and atol 1e-5. Prints what is
refused and why, and what is wrong. Exit code 1 if one is wrong, or if less than the share `--floor` is run and right.
"""
import argparse
import collections
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

import evaluated
import numpy
from written_pt2 import pytree, torch

SUFFIXES = {".pt", ".pt2", ".ptl"}
nn, quantization = torch.nn, torch.ao.quantization


class Layers(nn.Module):
    def __init__(self):
        super().__init__()
        self.quant, self.dequant = quantization.QuantStub(), quantization.DeQuantStub()
        self.first, self.relu = nn.Conv2d(3, 4, 3, padding=1), nn.ReLU()
        self.second, self.last = nn.Conv2d(4, 4, 3, groups=2, stride=2), nn.Linear(4, 5)

    def forward(self, x):
        x = self.second(self.relu(self.first(self.quant(x))))
        return self.dequant(self.last(x.mean((2, 3))))


class Recurrent(nn.Module):
    def __init__(self):
        super().__init__()
        self.lstm, self.linear = nn.LSTM(3, 4, batch_first=True), nn.Linear(4, 2)

    def forward(self, x):
        return self.linear(self.lstm(x)[0])


class Boxes(nn.Module):
    def forward(self, boxes):
        kept = torch.ops.torchvision.nms(boxes, boxes[:, 0], 0.3)
        rois = torch.cat([torch.zeros(2, 1), boxes[:2]], 1)
        return boxes[kept], torch.ops.torchvision.roi_align(boxes[None, None], rois, 0.5, 2, 2, 1, False)


def quantized(module, x):
    module.qconfig = quantization.get_default_qconfig(torch.backends.quantized.engine)
    module = quantization.prepare(quantization.fuse_modules(module, [["first", "relu"]]))
    module(x)
    return quantization.convert(module)


def pt2e(x):
    from torch.ao.quantization import quantize_pt2e
    from torch.ao.quantization.quantizer import xnnpack_quantizer as xnnpack
    module = torch.export.export_for_training(Layers().eval(), (x,)).module()
    quantizer = xnnpack.XNNPACKQuantizer().set_global(xnnpack.get_symmetric_quantization_config(is_per_channel=True))
    module = quantize_pt2e.prepare_pt2e(module, quantizer)
    module(x)
    return torch.export.export(quantize_pt2e.convert_pt2e(module), (x,))


def made(folder):
    """Files, and what they are run with."""
    torch.manual_seed(0)
    x, sequence, boxes = torch.rand(2, 3, 8, 8), torch.rand(2, 5, 3), torch.sort(torch.rand(7, 4) * 8, 1)[0]
    eager = quantized(Layers().eval(), x)
    dynamic = quantization.quantize_dynamic(Recurrent().eval(), {nn.LSTM, nn.Linear})
    for name, module, given in (("scripted", torch.jit.script(eager), x), ("traced", torch.jit.trace(eager, x), x),
                                ("dynamic", torch.jit.script(dynamic), sequence),
                                ("dynamic_traced", torch.jit.trace(dynamic, sequence), sequence)):
        module.save(os.path.join(folder, name + ".pt"))
        yield pathlib.Path(folder, name + ".pt"), [given]
    torch.export.save(pt2e(x), os.path.join(folder, "pt2e.pt2"))
    yield pathlib.Path(folder, "pt2e.pt2"), [x]
    try:
        import torchvision  # registers its operators
    except ImportError:
        return
    torch.jit.script(Boxes()).save(os.path.join(folder, "boxes.pt"))
    torch.export.save(torch.export.export(Boxes(), (boxes,)), os.path.join(folder, "boxes.pt2"))
    for suffix in (".pt", ".pt2"):
        yield pathlib.Path(folder, "boxes" + suffix), [boxes]


def library_of_torchvision():
    import importlib.util
    found = importlib.util.find_spec("torchvision")
    return list(map(str, pathlib.Path(found.submodule_search_locations[0]).glob("_C*.so"))) if found else []


def filled(value):
    """The tensor of a record; it has elements, or those of a pattern."""
    dtype = getattr(torch, value["dtype"])
    if "data" in value:
        elements = torch.tensor(value["data"])
        return (torch.view_as_complex(elements.reshape(-1, 2)) if dtype.is_complex else elements).reshape(
            value["shape"]).to(dtype)
    count = int(numpy.prod(value["shape"]))
    pattern = (torch.arange(count) * 37 % 101).double() / 101 - 0.5
    if not dtype.is_floating_point and not dtype.is_complex:
        pattern = torch.arange(count) % 2
    return pattern.reshape(value["shape"]).to(dtype)


def value_of(record):
    kind = record["t"]
    if kind == "tensor":
        return filled(record)
    if kind == "dict":
        return {key: value_of(item) for key, item in record["items"]}
    if kind in ("tuple", "list"):
        return (tuple if kind == "tuple" else list)(map(value_of, record["items"]))
    return record.get("value")


def options_of(name, value, folder):
    """The command line's --input of a value; one for each of its parts."""
    if isinstance(value, torch.Tensor):
        path = os.path.join(folder, name + ".pt")
        torch.save(value.contiguous(), path)
        return ["--input", f"{name}=@{path}"]
    if isinstance(value, (list, tuple)):
        return [option for i, item in enumerate(value) for option in options_of(f"{name}.{i}", item, folder)]
    if isinstance(value, dict):
        return [option for key, item in value.items() for option in options_of(f"{name}.{key}", item, folder)]
    return [] if value is None else ["--input", f"{name}={json.dumps(value)}"]


def leaves(value):
    """Tensors and numbers in a result, in order; objects and names are passed over."""
    if isinstance(value, (list, tuple)):
        return [leaf for item in value for leaf in leaves(item)]
    if isinstance(value, dict):
        return [leaf for item in value.values() for leaf in leaves(item)]
    return [value] if isinstance(value, (torch.Tensor, int, float, complex)) else []


def array_of(value):
    if not isinstance(value, torch.Tensor):
        return numpy.asarray(value)
    value = value.detach()
    value = (value.dequantize() if value.is_quantized else value).to_dense().resolve_conj().resolve_neg()
    return (value.float() if value.dtype == torch.bfloat16 else value).numpy()


def loaded_script(path, given):
    module = torch.jit.load(path, map_location="cpu").eval()
    arguments = [argument for argument in module.forward.schema.arguments if argument.name != "self"]
    if len(given) < len([argument for argument in arguments if not argument.has_default_value()]):
        raise LookupError("no record of its inputs")
    return module, given, [argument.name for argument in arguments][:len(given)]


def loaded_program(path, given):
    program = torch.export.load(path)
    arguments, named = program.example_inputs
    values = pytree.tree_leaves((arguments, named))
    names = program.graph_signature.user_inputs
    if given and len(given) == len(values):
        values = given
    if len(names) != len(values):
        raise LookupError("other inputs")
    _, tree = pytree.tree_flatten((arguments, named))
    module = program.module()

    def run(*leaves_):
        args, kwargs = pytree.tree_unflatten(list(leaves_), tree)
        return module(*args, **kwargs)
    return run, values, [None if isinstance(value, str) else name for name, value in zip(names, values)]


def expected_of(path, given):
    load = loaded_program if path.suffix == ".pt2" else loaded_script
    run, values, names = load(str(path), given)
    copies = [pytree.tree_map_only(torch.Tensor, torch.clone, values) for _ in range(2)]
    with torch.no_grad():
        torch.manual_seed(1)
        results = leaves(run(*copies[0]))
        torch.manual_seed(2)
        again = leaves(load(str(path), given)[0](*copies[1]))
    if not all(numpy.array_equal(array_of(a), array_of(b), equal_nan=True) for a, b in zip(results, again)):
        raise LookupError("it draws random numbers")
    return results, values, names


def reason_of(text):
    line = text.strip().splitlines()[-1] if text.strip() else "no message"
    return re.sub(r"^\S+: \S+: ", "", re.sub(r"'[^']*'", "'…'", line))[:170]


def same(found, wanted, coarse):
    rtol, atol = (2e-2, 2e-2) if coarse else (1e-4, 1e-5)
    return found.shape == wanted.shape and numpy.allclose(found, wanted, rtol, atol, equal_nan=True)


def judge(arguments, path, given):
    try:
        expected, values, names = expected_of(path, given)
    except Exception as error:
        return "passed over", f"PyTorch: {str(error).strip().splitlines()[-1][:100] if str(error) else type(error)}"
    with tempfile.TemporaryDirectory() as folder:
        options = [text for name, value in zip(names, values) if name for text in options_of(name, value, folder)]
        for library in arguments.library:
            options += ["--library", library]
        results = os.path.join(folder, "results")
        command = [arguments.cli, "run", str(path), "--backend", arguments.backend, "--save", results, *options]
        code, _, error = evaluated.called(command, arguments.seconds)
        if code != 0:
            return "refused", reason_of(error)
        files = sorted(pathlib.Path(results).glob("*.npy"), key=lambda file: file.stat().st_mtime_ns)
        found = [numpy.load(file) for file in files]
    wanted = [array_of(value) for value in expected]
    if len(found) != len(wanted):
        return "wrong", f"{len(found)} results where PyTorch has {len(wanted)}"
    coarse = any(array.dtype == numpy.float16 for array in wanted) or re.search("half|bf16|quant", path.name)
    for i, (a, b) in enumerate(zip(found, wanted)):
        if not same(a, b, coarse):
            return "wrong", f"result {i}: {a.shape} {b.shape}, {numpy.abs(a - b).max() if a.shape == b.shape else ''}"
    return "right", ""


def files_of(arguments):
    for root in map(pathlib.Path, arguments.paths):
        for path in sorted(root.rglob("*")) if root.is_dir() else [root]:
            if path.suffix in SUFFIXES:
                record = evaluated.record_of(path, root if root.is_dir() else root.parent, arguments.records)
                yield path, [value_of(each) for each in (record or {}).get("inputs", [])]


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("cli")
    parser.add_argument("paths", nargs="*")
    parser.add_argument("--records")
    parser.add_argument("--seconds", type=float, default=120)
    parser.add_argument("--floor", type=float, default=0.0)
    parser.add_argument("--library", action="append", default=[])
    parser.add_argument("--backend", default="torch")
    arguments = parser.parse_args()
    counts, reasons = collections.Counter(), collections.defaultdict(list)
    with tempfile.TemporaryDirectory() as folder:
        if not arguments.paths:
            arguments.library += library_of_torchvision()
        for path, given in files_of(arguments) if arguments.paths else made(folder):
            verdict, why = judge(arguments, path, given)
            counts[verdict] += 1
            if verdict != "right":
                reasons[verdict, why].append(f"{path.parent.name}/{path.name}")
    for (verdict, reason), those in sorted(reasons.items(), key=lambda entry: -len(entry[1])):
        print(f"{len(those):5} {verdict}: {reason} ({', '.join(those[:6])})")
    judged = sum(count for verdict, count in counts.items() if verdict != "passed over")
    print(f"{sum(counts.values())} files: {dict(counts)}")
    return 1 if counts["wrong"] or counts["right"] < arguments.floor * max(1, judged) else 0


if __name__ == "__main__":
    sys.exit(main())
