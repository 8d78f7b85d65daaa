#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Cutaway authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Holds `print --as fx` against torch's own listing of the same exported program.

usage: listings.py CUTAWAY_CLI [FILE.pt2...]

Exports programs (or takes files), and compares each row, opcode, name, target, args and kwargs, of the graph and of the
graphs in it with the nodes of the program that torch loads. Exit code 1 if one differs. Files that this torch cannot
load are passed over.
"""
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
    return 'torch.device("%s")' % argument if isinstance(argument, torch.device) else str(argument)


def row(node):
    target, args, kwargs = str(node.target), printed(node.args), ""
    if node.op == "call_function":
        is_operator = isinstance(node.target, torch._ops.OpOverload)
        target = "torch.ops." + target if is_operator else torch.fx.node._get_qualified_name(node.target)
        target = target.replace("_operator.", "operator.")
        kwargs = "{" + ", ".join("%s: %s" % (name, printed(value)) for name, value in node.kwargs.items()) + "}"
    return [node.op, node.name, target] + ([args] if node.op in ("call_function", "output") else []) + [kwargs] * bool(kwargs)


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


def first_difference(cli, path):
    program = torch.export.load(path)
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
