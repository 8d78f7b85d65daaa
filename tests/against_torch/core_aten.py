#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Cutaway authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Holds the pass decompose-to-core-aten to torch's own ExportedProgram.run_decompositions().

usage: core_aten.py CUTAWAY_CLI FILE_OR_FOLDER... [--left] [--share 0.1 [--seed N]]

Each .pt2 file goes through `functionalize,decompose-to-core-aten,dead-code`. What is left that is neither core ATen nor
left by torch counts; where torch does not read the file, its tables say what it would take apart. What torch reads runs
before and after on the same seeded inputs, twice, so that what the first run wrote to buffers is seen: results, inputs and
buffers must agree within the rounding of their dtype. Where torch takes a file apart itself, its files that have nothing
but core operators are counted beside ours. --left names the operators of each file; --share takes a part of the files,
drawn by the seed. Exit code 1 if numbers are wrong, if torch does not read what was written, or if fewer than 98 of 100
files reach what torch reaches.
"""
import argparse
import collections
import copy
import json
import logging
import os
import pathlib
import random
import subprocess
import sys
import tempfile
import warnings
import zipfile

os.environ.setdefault("TORCH_CPP_LOG_LEVEL", "ERROR")
warnings.filterwarnings("ignore")
try:
    import torch
    import torch.utils._pytree as pytree
except ImportError as missing:
    sys.exit(f"skipped: {missing}")
logging.disable(logging.CRITICAL)

PIPELINE = "functionalize,decompose-to-core-aten,dead-code"
TABLE = torch.export.default_decompositions()
TOLERANCES = {torch.float16: 2e-3, torch.bfloat16: 2e-2, torch.float64: 1e-7, torch.complex128: 1e-7}
USUAL_TOLERANCE = 1e-4


def overload_of(target):
    """The operator of "torch.ops.aten.add.Tensor"; nothing for Python's functions, regions and unknown ones."""
    parts = target.split(".")[2:]
    if not target.startswith("torch.ops.") or parts[0] == "higher_order":
        return None
    try:
        return getattr(getattr(getattr(torch.ops, parts[0]), parts[1]), parts[2])
    except (AttributeError, IndexError):
        return None


def is_core(overload):
    return torch.Tag.core in overload.tags


def is_taken_apart(overload):
    """Whether torch's tables say how it is made of others, or it writes."""
    return overload in TABLE or overload._can_decompose() or overload._schema.is_mutable


def targets_in(json_value, found):
    if isinstance(json_value, dict):
        if isinstance(json_value.get("target"), str) and "inputs" in json_value:
            found[json_value["target"]] += 1
        for part in json_value.values():
            targets_in(part, found)
    elif isinstance(json_value, list):
        for part in json_value:
            targets_in(part, found)
    return found


def targets_of(path):
    found = collections.Counter()
    with zipfile.ZipFile(path) as archive:
        for name in archive.namelist():
            if name.endswith(".json") and ("models/" in name or name.endswith("serialized_exported_program.json")):
                targets_in(json.loads(archive.read(name)), found)
    return found


def targets_left_by_torch(program):
    try:
        decomposed = program.run_decompositions()
    except Exception:
        return None
    modules = (m for m in decomposed.graph_module.modules() if isinstance(m, torch.fx.GraphModule))
    nodes = (n for m in modules for n in m.graph.nodes if n.op == "call_function")
    called = (each for n in nodes for each in (n.target, *n.args))  # with_effects() gets what it calls
    return {f"torch.ops.{each}" for each in called if isinstance(each, torch._ops.OpOverload)}


def are_core(targets):
    return all(is_core(overload) for overload in map(overload_of, targets) if overload is not None)


def left_in(targets, by_torch):
    """The operators that torch would not have left, with their counts."""
    left = {}
    for target, count in targets.items():
        overload = overload_of(target)
        if overload is None or is_core(overload):
            continue
        if target not in by_torch if by_torch is not None else is_taken_apart(overload):
            left[target.removeprefix("torch.ops.")] = count
    return left


def loaded(path):
    try:
        return torch.export.load(path)
    except Exception as error:
        return str(error)


def seeded(given, seed):
    torch.manual_seed(seed)

    def like(tensor):
        if tensor.dtype.is_floating_point or tensor.dtype.is_complex:
            return torch.rand(tensor.shape).to(tensor.dtype)
        return tensor.clone()  # indices and masks mean something

    return pytree.tree_map_only(torch.Tensor, like, given)


def results_of(program, seed):
    """Of two runs, with the inputs and buffers as they are then; nothing where torch does not run the program."""
    try:
        module = copy.deepcopy(program.module())  # it shares its buffers with the program
        arguments, named = seeded(program.example_inputs, seed)
        torch.manual_seed(seed)
        with torch.no_grad():
            runs = [module(*arguments, **named) for _ in range(2)]
        buffers = [buffer for _, buffer in sorted(module.named_buffers())]
        return pytree.tree_leaves((runs, arguments, named, buffers))
    except Exception as error:
        return str(error)


def same(a, b):
    if not isinstance(a, torch.Tensor):
        return a == b or (isinstance(a, float) and abs(a - b) <= USUAL_TOLERANCE * max(1, abs(a)))
    if not isinstance(b, torch.Tensor) or a.dtype != b.dtype or a.shape != b.shape:
        return False
    if a.is_sparse or b.is_sparse:
        a, b = a.to_dense(), b.to_dense()
    tolerance = TOLERANCES.get(a.dtype, USUAL_TOLERANCE)
    wide = torch.complex128 if a.is_complex() else torch.float64
    return torch.allclose(a.to(wide), b.to(wide), tolerance, tolerance / 10, equal_nan=True)


def compared(before, after):
    """"same", or what is wrong, or why it is not known."""
    if isinstance(after, str):
        return "unread", after
    expected = results_of(before, 11)
    if isinstance(expected, str):
        return "not run", expected
    again = results_of(before, 11)
    if len(again) != len(expected) or not all(map(same, expected, again)):
        return "not run", "it draws random numbers"
    found = results_of(after, 11)
    if isinstance(found, str):
        return "wrong", found
    if len(found) != len(expected):
        return "wrong", f"{len(expected)} results became {len(found)}"
    wrong = [i for i, pair in enumerate(zip(expected, found)) if not same(*pair)]
    other_draw = wrong and not all(map(same, expected, results_of(before, 12))) and draws(before)
    return ("not run", "it draws random numbers") if other_draw else ("wrong", f"results {wrong}") if wrong else ("same", "")


def draws(program):
    nodes = (n for m in program.graph_module.modules() if isinstance(m, torch.fx.GraphModule) for n in m.graph.nodes)
    return any(torch.Tag.nondeterministic_seeded in getattr(n.target, "tags", ()) for n in nodes)


def judge(cli, path, folder, both):
    written = os.path.join(folder, "written.pt2")
    command = [cli, "passes", "run", path, "--pipeline", PIPELINE, "-o", written]
    answer = subprocess.run(command, capture_output=True, text=True)
    if answer.returncode != 0:
        return "refused", answer.stderr.strip(), {}
    before = loaded(path)
    by_torch = None if isinstance(before, str) else targets_left_by_torch(before)
    targets = targets_of(written)
    left = left_in(targets, by_torch)
    if by_torch is not None:
        both.update(files=1, ours=are_core(targets), torch=are_core(by_torch))
    if isinstance(before, str):
        return "not run", "torch does not read the file", left
    return *compared(before, loaded(written)), left


def files_of(paths):
    for path in map(pathlib.Path, paths):
        yield from map(str, sorted(path.rglob("*.pt2")) if path.is_dir() else [path])


def share_of(files, share, seed):
    return sorted(random.Random(seed).sample(files, max(1, round(share * len(files)))))


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("cli")
    parser.add_argument("paths", nargs="+")
    parser.add_argument("--left", action="store_true")
    parser.add_argument("--share", type=float, default=1.0)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    verdicts, core, files, nodes = collections.Counter(), 0, collections.Counter(), collections.Counter()
    both = collections.Counter()  # of files that torch takes apart itself
    for path in share_of(list(files_of(options.paths)), options.share, options.seed):
        with tempfile.TemporaryDirectory() as folder:
            verdict, why, left = judge(options.cli, path, folder, both)
        verdicts[verdict] += 1
        core += verdict != "refused" and not left
        files.update(left.keys())
        nodes.update(left)
        if verdict in ("wrong", "unread", "refused"):
            print(f"{path}: {verdict}: {' '.join(why.split())[:300]}", flush=True)
        if left and options.left:
            print(f"{path}: left: {left}", flush=True)
    for name, count in files.most_common():
        print(f"{count:5} files {nodes[name]:6} nodes  {name}")
    done = sum(verdicts.values()) - verdicts["refused"]
    print(f"of {both['files']} files that torch takes apart, {both['ours']} have only core operators, "
          f"{both['torch']} by torch itself")
    print(f"{core} of {done} files have only what torch has:", ", ".join(f"{n} {what}" for what, n in verdicts.items()))
    enough = min(0.98 * done, done - 1)  # of few files, one may be missing
    return 1 if verdicts["wrong"] or verdicts["unread"] or core < enough else 0


if __name__ == "__main__":
    sys.exit(main())
