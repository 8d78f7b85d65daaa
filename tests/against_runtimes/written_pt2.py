#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Cutaway authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Lets PyTorch judge the .pt2 files that Cutaway writes.

usage: written_pt2.py REWRITE [FILE_OR_FOLDER...]

A few models are exported here, and all given files are taken besides. Each is read and written again by the program
REWRITE: as it is, with all weights as if they were new, with all nodes as if they were new, after the default pipeline of
passes. What torch.export.load loads must be loaded afterwards, with the same graph if no pass ran, and give the same bits
on seeded inputs. Exit code 1 if a file is worse than before.
"""
import argparse
import os
import pathlib
import subprocess
import sys
import tempfile
import warnings

os.environ.setdefault("TORCH_CPP_LOG_LEVEL", "ERROR")
warnings.filterwarnings("ignore")
try:
    import torch
    import torch.utils._pytree as pytree
except ImportError as missing:
    sys.exit(f"skipped: {missing}")

nn = torch.nn


class Branches(nn.Module):
    def forward(self, x):
        return torch.cond(x.sum() > 0, torch.sin, torch.cos, (x,)), x * float("inf")


class Counts(nn.Module):
    def __init__(self):
        super().__init__()
        self.norm = nn.BatchNorm2d(3)
        self.convolution = nn.Conv2d(3, 4, 3)
        self.register_buffer("transient", torch.ones(4, 1, 1), persistent=False)

    def forward(self, x):
        return {"y": self.convolution(self.norm(x)) * self.transient + torch.tensor([1.0])}


class Sizes(nn.Module):
    def forward(self, x, n: int):
        return x.reshape(-1)[: x.shape[0] * 2], x.shape[0] + n, x.topk(1)[1], torch.split(x, 1, 1)


def examples():
    batch = torch.export.Dim("batch", min=2, max=64)
    yield "branches", Branches(), (torch.ones(2),), None
    yield "counts", Counts().train(), (torch.rand(2, 3, 8, 8),), None
    yield "sizes", Sizes(), (torch.rand(5, 4), 3), ({0: batch}, None)
    yield "lstm", nn.LSTM(3, 4, bidirectional=True), (torch.rand(2, 1, 3),), None


def files_of(options, folder):
    for name, module, inputs, sizes in examples():
        path = os.path.join(folder, name + ".pt2")
        torch.export.save(torch.export.export(module, inputs, dynamic_shapes=sizes), path)
        yield path
    for path in map(pathlib.Path, options.paths):
        yield from map(str, sorted(path.rglob("*.pt2")) if path.is_dir() else [path])


def loaded(path):
    try:
        return torch.export.load(path)
    except Exception as error:
        return str(error)


def seeded(given):
    torch.manual_seed(7)
    return pytree.tree_map_only(torch.Tensor, lambda t: torch.rand(t.shape).to(t.dtype), given)


def results_of(program, seed=11):
    """The outputs for inputs like the example's, or nothing where PyTorch does not run the program."""
    try:
        arguments, named = program.example_inputs
        torch.manual_seed(seed)
        with torch.no_grad():  # as the plugin runs it: oneDNN's LSTM, only used so, is a few percent off on some processors
            return pytree.tree_leaves(program.module()(*seeded(arguments), **seeded(named)))
    except Exception:
        return None


def same(a, b):
    if isinstance(a, torch.Tensor):
        return a.dtype == b.dtype and torch.equal(torch.nan_to_num(a), torch.nan_to_num(b))
    return a == b


def listing_of(program, mode):
    """The graph's code; new nodes come from no source line, which print_readable() tells."""
    return program.graph_module.code if mode == "nodes" else program.graph_module.print_readable(False)


def judge(rewrite, path, mode, folder):
    written = os.path.join(folder, "written.pt2")
    answer = subprocess.run([rewrite, path, written, mode], stdout=subprocess.PIPE, text=True)
    if answer.returncode == 3:
        return "passed over", answer.stdout
    if answer.returncode == 4 and mode:
        return "passed over", answer.stdout
    if answer.returncode != 0:
        return "wrong", answer.stdout
    before = loaded(path)
    if isinstance(before, str):
        return "right", "not run"
    after = loaded(written)
    if isinstance(after, str):
        return "wrong", "torch.export.load: " + after
    if mode != "passes" and listing_of(before, mode) != listing_of(after, mode):
        return "wrong", "another graph"
    expected = results_of(before)
    if expected is None:
        return "right", "not run"
    found = results_of(after)
    fine = found is not None and len(found) == len(expected) and all(map(same, expected, found))
    return ("right", "run") if fine else ("wrong", "other results")


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("rewrite")
    parser.add_argument("paths", nargs="*")
    options = parser.parse_args()
    counts = {}
    with tempfile.TemporaryDirectory() as folder:
        for path in files_of(options, folder):
            for mode in ("", "weights", "nodes", "passes"):
                verdict, why = judge(options.rewrite, path, mode, folder)
                key = f"{verdict}, {why}" if verdict == "right" else verdict
                counts[key] = counts.get(key, 0) + 1
                if verdict == "wrong":
                    print(f"{path} {mode}: {why.strip()}", flush=True)
    print(", ".join(f"{n} {what}" for what, n in sorted(counts.items())))
    return 1 if counts.get("wrong") or not counts.get("right, run") else 0


if __name__ == "__main__":
    sys.exit(main())
