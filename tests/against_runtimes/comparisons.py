#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Cutaway authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Compares models with each other, and what `diff` says with the numbers that runtimes compute.

usage: comparisons.py CLI FILE_OR_FOLDER... [--input 1x3x64x64] [--tolerance X] [--csv FILE]

Each file is computed on one seeded input of these sizes: .onnx by ONNX Runtime, .pt2 by torch.export, .pt by
TorchScript, each kind in a process of its own. Then CLI (a command, such as build/release/app/cli/cutaway-cli) compares
each with each. A violation is a pair that `diff` calls equal, in what could be compared or at all, although the numbers
differ by more than the tolerance relative to the largest; exit code 1. A miss is a pair of equal numbers that `diff` does
not call equal: it may be that nothing proves them equal. The likeness is printed as a table: files of one model, which is
what stands before the first dash of their names, should be more alike than files of two.
"""
import argparse
import csv
import itertools
import json
import pathlib
import subprocess
import sys
import tempfile

COMPUTE = "--as-runtime"  # for itself
SUFFIXES = {".onnx": "onnx", ".pt2": "torch", ".pt": "torch"}


# ---- in a process with one runtime


def first_of(result):
    if isinstance(result, dict):
        result = list(result.values())
    while isinstance(result, (list, tuple)):
        result = result[0]
    return result


def computed(path, x):
    import numpy
    if path.suffix == ".onnx":
        import onnxruntime
        session = onnxruntime.InferenceSession(str(path), providers=["CPUExecutionProvider"])
        given = session.get_inputs()[0]
        x = x.astype(numpy.float16 if "16" in given.type else numpy.float32)
        return session.run(None, {given.name: x})[0].astype(numpy.float64)
    import torch
    given = torch.from_numpy(x)
    module = torch.export.load(path).module() if path.suffix == ".pt2" else torch.jit.load(path)
    last = None
    for dtype in (torch.float32, torch.float16, torch.bfloat16):
        try:
            with torch.no_grad():
                return first_of(module(given.to(dtype))).double().numpy()
        except (RuntimeError, AssertionError, ValueError) as error:
            last = last or error
    raise last


def compute_all(sizes, folder):
    """Answers each path of the input with a line: where its result lies, or why there is none."""
    import numpy
    x = numpy.random.default_rng(5).random([int(size) for size in sizes.split("x")], dtype=numpy.float32)
    for number, line in enumerate(sys.stdin):  # files of two folders may have one name
        try:
            target = pathlib.Path(folder) / f"{number}.npy"
            numpy.save(target, computed(pathlib.Path(line.strip()), x))
            print(target, flush=True)
        except Exception as error:
            print("?", " ".join(str(error).split())[:100] or type(error).__name__, flush=True)


def results_of(files, sizes, folder):
    """The results by file, without those that cannot be computed."""
    import numpy
    results = {}
    for kind in ("onnx", "torch"):
        chosen = [file for file in files if SUFFIXES[file.suffix] == kind]
        ran = subprocess.run([sys.executable, "-B", __file__, COMPUTE, sizes, folder], text=True,
                             input="".join(f"{file}\n" for file in chosen), stdout=subprocess.PIPE,
                             stderr=subprocess.DEVNULL)
        for file, line in itertools.zip_longest(chosen, ran.stdout.splitlines(), fillvalue="? the process ended"):
            if line.startswith("?"):
                print(f"not computed: {file.name}: {line[2:]}")
            else:
                results[file] = numpy.load(line)
    return results


# ---- the comparison


def distance(a, b):
    """The largest difference relative to the largest element; None if they are no results of one shape."""
    import numpy
    if a.shape != b.shape:
        return None
    return float(numpy.abs(a - b).max() / max(numpy.abs(a).max(), 1e-30))


def compared(command, a, b):
    ran = subprocess.run([*command, "diff", a, b, "--json"], text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    if ran.returncode not in (0, 1):
        return {"equal": False, "similarity": 0.0, "summary": {"verdict": ran.stderr.strip()[:80]}}
    return json.loads(ran.stdout)


def main():
    parser = argparse.ArgumentParser(usage=__doc__.split("\n")[2][7:])
    parser.add_argument("cli")
    parser.add_argument("paths", nargs="+", type=pathlib.Path)
    parser.add_argument("--input", default="1x3x64x64")
    parser.add_argument("--tolerance", type=float, default=1e-3)
    parser.add_argument("--csv")
    options = parser.parse_args()
    files = sorted(file for path in options.paths for file in (path.iterdir() if path.is_dir() else [path])
                   if file.suffix in SUFFIXES)
    with tempfile.TemporaryDirectory() as folder:
        results = results_of(files, options.input, folder)
    rows, violations, misses = [], 0, 0
    for a, b in itertools.combinations(files, 2):
        found = compared(options.cli.split(), a, b)
        known = a in results and b in results
        apart = distance(results[a], results[b]) if known else None
        is_same = known and apart is not None and apart <= options.tolerance
        says_same = found["equal"] is not False
        kind = ("violation" if says_same and known and not is_same else "miss" if is_same and not says_same
                else "equal" if says_same else "differs")
        violations += kind == "violation"
        misses += kind == "miss"
        rows.append((kind, a.name, b.name, found["similarity"], apart, found["summary"].get("verdict", "")))
    rows.sort(key=lambda row: (["violation", "miss", "equal", "differs"].index(row[0]), -row[3]))
    for kind, a, b, similarity, apart, verdict in rows:
        print(f"{kind:9} {similarity:6.1%} {'?' if apart is None else format(apart, '.1e'):>8}  {a} | {b}: {verdict}")
    if options.csv:
        with open(options.csv, "w", newline="") as out:
            csv.writer(out).writerows([("kind", "a", "b", "similarity", "distance", "verdict"), *rows])
    print(f"{len(rows)} pairs of {len(files)} files: {violations} violations, {misses} misses")
    return 1 if violations else 0


if __name__ == "__main__":
    if sys.argv[1:2] == [COMPUTE]:
        compute_all(*sys.argv[2:4])
    else:
        sys.exit(main())
