#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Cutaway authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Holds what `print` lists of exported programs and TorchScript files against PyTorch.

usage: listings.py CUTAWAY_CLI [FILE...]

Exports and scripts programs (or takes files). Of an exported program `--as fx` is compared, row by row, opcode, name,
target, args and kwargs, of the graph and of the graphs in it, with the nodes of the program that PyTorch loads;
`--as signature` with the kinds and targets of its graph signature. Of all files `--as state-dict` is compared with the
state dict, of TorchScript `--as files` with the extra files and `--as source` with the code that PyTorch prints: each of
its statements that has no constant of the file in it has to be there, and `--as graph` with the module's graph: PyTorch
parses it, and it has as many nodes of each operator. Exit code 1 if one differs. Files that this PyTorch cannot load are
passed over.
"""
import collections
import json
import os
import re
import subprocess
import sys
import tempfile
import warnings

os.environ.setdefault("TORCH_CPP_LOG_LEVEL", "ERROR")
warnings.filterwarnings("ignore")
import torch
import torch._higher_order_ops.wrap  # without it a program with regions cannot be loaded
import torch.fx
from torch import nn


class Program(nn.Module):
    def __init__(self, function):
        super().__init__()
        self.function, self.linear = function, nn.Linear(4, 4)
        self.register_buffer("mean", torch.zeros(4))

    def forward(self, *inputs):
        return self.function(self, *inputs)


def regions(self, x):
    with torch.no_grad():
        y = x.sin()
    with torch.autocast("cpu", dtype=torch.bfloat16):
        z = y @ y.T
    return z.to(torch.float32) + 1


def several(self, x):
    a, b = x.split(1)
    values, places = torch.max(x, 1)
    again, other = torch.max(x + 1, dim=0)
    return a + b, values, places, again + other, torch.unbind(x)[0]


def branches(self, x):
    def yes(x): return x * torch.arange(4).unsqueeze(0)
    def no(x): return torch.where(x > 0, x, self.mean)
    return torch.cond(x.sum() > 0, yes, no, [x])


def plain(self, x):
    y = nn.functional.conv1d(x.unsqueeze(0), torch.ones(2, 2, 3), padding=1, bias=None)
    return self.linear(x).to(torch.float16), torch.zeros(2, 3, dtype=torch.int64), y.clamp(min=0.5), y.transpose(1, 2)


def growing(self, x):
    return x.reshape(x.size(0) * 2, -1) if x.size(0) > 2 else x


def programs():
    x, size = torch.rand(2, 4), torch.export.Dim("n", min=3, max=64)
    for function in (plain, several, branches, regions):
        yield function.__name__, torch.export.export(Program(function), (x,), strict=False)
    yield "growing", torch.export.export(Program(growing), (torch.rand(6, 4),), dynamic_shapes=(({0: size},),), strict=False)
    yield "core", torch.export.export(nn.LayerNorm(4).eval(), (x,)).run_decompositions()


class Shared(nn.Module):
    """One weight by two names, a buffer that is not saved, an attribute, code in two classes."""
    def __init__(self):
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(4, 4), nn.BatchNorm1d(4))
        self.again = self.layers[0]
        self.register_buffer("transient", torch.ones(4), persistent=False)
        self.scale: float = 2.0

    def forward(self, x):
        if x.sum() > 0:
            x = self.layers(x)
        return self.again(x) * self.scale + self.transient


def scripts():
    yield "scripted", torch.jit.script(Shared().eval())
    yield "traced", torch.jit.trace(nn.Sequential(nn.Conv2d(1, 2, 3), nn.ReLU()), torch.rand(1, 1, 4, 4))


def printed(argument):
    """As Cutaway prints a value in Python."""
    if isinstance(argument, torch.fx.Node):
        return argument.name
    if isinstance(argument, str):
        return json.dumps(argument)
    if isinstance(argument, (list, tuple)):
        items = ", ".join(map(printed, argument))
        is_list = isinstance(argument, list)
        return "[" + items + "]" if is_list else "(" + items + (",)" if len(argument) == 1 else ")")
    return repr(argument) if isinstance(argument, torch.device) else str(argument)


def row(node):
    target = str(node.target)
    if node.op == "call_function":
        is_operator = isinstance(node.target, torch._ops.OpOverload)
        target = "torch.ops." + target if is_operator else torch.fx.node._get_qualified_name(node.target)
        target = target.replace("_operator.", "operator.")
    kwargs = "{" + ", ".join("%s: %s" % (name, printed(value)) for name, value in node.kwargs.items()) + "}"
    return [node.op, node.name, target, printed(node.args), kwargs]


def graphs_of_torch(module, name="forward", graph=None):
    yield name, [row(node) for node in (graph or module.graph).nodes]
    for inner, child in module.named_children():
        if isinstance(child, torch.fx.GraphModule):
            yield from graphs_of_torch(child, inner)


def graphs_of_ours(cli, path):
    text = subprocess.run([cli, "print", path, "--as", "fx"], capture_output=True, text=True, check=True).stdout
    for part in text.strip().split("\n\n"):
        name, _, *rows = part.split("\n")
        yield name.rstrip(":"), [re.split("  +", line.strip()) for line in rows]


def printed_as(cli, path, form, *options):
    command = [cli, "print", path, "--as", form, *options]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def rows_of(text):
    return [re.split("  +", line) for line in text.splitlines() if line and not line.startswith("#")]


def state_difference(cli, path, state):
    """Sparse and quantized tensors hold others; their bytes are not compared."""
    ours = {row[0]: row[1:] for row in rows_of(printed_as(cli, path, "state-dict"))}
    for name, tensor in state.items():
        if not isinstance(tensor, torch.Tensor):
            continue
        row = [str(tensor.dtype).removeprefix("torch."), str(list(tensor.shape)), str(tensor.numel() * tensor.element_size())]
        if ours.get(name, [])[:None if tensor.layout == torch.strided else 2] != (
                row if tensor.layout == torch.strided else row[:2]):
            return "state dict: torch has %s %s, not %s" % (name, row, ours.get(name))
    more = set(ours) - set(state)
    return "state dict: torch has no %s" % sorted(more)[0] if more else None


def signature_difference(cli, path, signature):
    """By name: a value may be returned twice."""
    parts = printed_as(cli, path, "signature").split("# outputs\n")
    for specs, part in zip((signature.input_specs, signature.output_specs), parts):
        ours = {tuple(row[:2]): " ".join(row) for row in rows_of(part)}
        for spec in specs:
            name = getattr(spec.arg, "name", None)
            row = ours.get((name, spec.kind.name))
            if name and (row is None or (spec.target and "target='%s'" % spec.target not in row)):
                return "signature: torch has %s %s %s, not %s" % (name, spec.kind.name, spec.target, row)
    return None


# What makes values out of others: the representation has none of them, and prints only those that are needed.
PLUMBING = {"prim::Constant", "prim::TupleConstruct", "prim::Uninitialized", "prim::unchecked_cast"}


def kinds(block):
    for node in block.nodes():
        yield node.kind()
        for inner in node.blocks() if node.kind() != "prim::fork" else ():  # a graph of its own in PyTorch
            yield from kinds(inner)


def graph_difference(cli, path, module):
    """PyTorch's parser knows neither what PyTorch prints of classes and of nodes without results, nor some types; an
    operator that has no schema for its values is an error there."""
    name = str(module._c._type().qualified_name()) + ".forward"
    text = printed_as(cli, path, "graph", "--function", name)
    try:
        text = re.sub(r"(?<![\w\"])__torch__[\w.]+|\bFunction(?= =)", "Any", re.sub(r"(?m)^( *) = ", r"\1", text))
        ours = torch._C.parse_ir(re.sub(r"(Future|Await|RRef|Union)\[([^]]*)\]", r"\1(\2)", text), True)
    except RuntimeError as error:
        return "graph: PyTorch cannot parse it: %s" % str(error).strip().split("\n")[0]
    counts = [collections.Counter(kinds(graph)) for graph in (ours, module.graph)]
    for kind in sorted(set(counts[0]) | set(counts[1])):
        if kind not in PLUMBING and counts[0][kind] != counts[1][kind]:
            return "graph: torch has %d %s, not %d" % (counts[1][kind], kind, counts[0][kind])
    return None


def script_difference(cli, path):
    extra = {"notes.txt": ""}
    module = torch.jit.load(path, map_location="cpu", _extra_files=extra)
    if extra["notes.txt"] and not any(row[0].endswith("notes.txt") for row in rows_of(printed_as(cli, path, "files"))):
        return "files: the extra file is not there"
    found = state_difference(cli, path, module.state_dict())
    if found:
        return found
    found = graph_difference(cli, path, module)
    if found:
        return found
    code = printed_as(cli, path, "source", "--function", "forward")
    code = re.sub(r"\(self: [\w.]+", "(self", code)  # of which PyTorch prints no type
    for line in module.code.splitlines():
        statement = line.strip().removeprefix("return ")  # what is returned may have a name in the file
        if "CONSTANTS" not in line and statement not in code:
            return "source: torch has the line %s" % line
    return None


def first_difference(cli, path):
    if not path.endswith(".pt2"):
        return script_difference(cli, path)
    program = torch.export.load(path)
    found = state_difference(cli, path, program.state_dict) or signature_difference(cli, path, program.graph_signature)
    if found:
        return found
    ours = dict(graphs_of_ours(cli, path))
    for name, rows in graphs_of_torch(program.graph_module, graph=program.graph):
        mine = ours.get(name, [])
        for torchs, own in zip(rows, mine):
            if torchs != own:
                return "%s: torch has %s, not %s" % (name, " ".join(torchs), " ".join(own))
        if len(rows) != len(mine):
            return "%s: torch has %d rows, not %d" % (name, len(rows), len(mine))
    return None


def main():
    cli, *files = sys.argv[1:]
    count = wrong = 0
    with tempfile.TemporaryDirectory() as folder:
        if not files:
            for name, program in programs():
                files.append(os.path.join(folder, name + ".pt2"))
                torch.export.save(program, files[-1])
            for name, module in scripts():
                files.append(os.path.join(folder, name + ".pt"))
                torch.jit.save(module, files[-1], _extra_files={"notes.txt": "of the user"})
        for path in files:
            try:
                found = first_difference(cli, path)
            except (RuntimeError, torch._export.serde.serialize.SerializeError) as error:
                print("%s: torch cannot load it: %s" % (path, str(error).split("\n")[0][:100]))
                continue
            count, wrong = count + 1, wrong + bool(found)
            if found:
                print("%s: %s" % (os.path.basename(path), found))
    print("%d listings, %d other than torch's" % (count, wrong))
    return wrong > 0


if __name__ == "__main__":
    sys.exit(main())
