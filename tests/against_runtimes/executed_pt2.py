#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Cutaway authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Lets PyTorch judge what Cutaway's plugin `torch` computes of .pt2 files.

usage: executed_pt2.py CUTAWAY_CLI [FILE_OR_FOLDER...]

The models of written_pt2.py are taken, and all given files. Seeded inputs like the example's of each go through
torch.export's own module and through `CUTAWAY_CLI run --backend torch`; the results must agree within rtol 1e-4 and
atol 1e-5. Exit code 1 if some do not, or if nothing could be compared.
"""
import argparse
import os
import subprocess
import sys
import tempfile

import numpy
import written_pt2
from written_pt2 import pytree, torch


def array_of(value):
    if not isinstance(value, torch.Tensor):
        return numpy.asarray(value)
    value = value.detach().to_dense().resolve_conj()
    return (value.float() if value.dtype == torch.bfloat16 else value).numpy()


def options_of(program, folder):
    """The command line's --input of each input, or nothing if there is one that cannot be given."""
    arguments, named = program.example_inputs
    torch.manual_seed(11)
    values = pytree.tree_leaves((written_pt2.seeded(arguments), written_pt2.seeded(named)))
    names = program.graph_signature.user_inputs
    if len(names) != len(values):
        return None
    options = []
    for name, value in zip(names, values):
        if isinstance(value, torch.Tensor):
            numpy.save(os.path.join(folder, f"{name}.npy"), array_of(value))
            options += ["--input", f"{name}={folder}/{name}.npy"]
        elif isinstance(name, str) and value is not None:
            options += ["--input", f"{name}={str(value).lower()}"]
    return options


def judge(cli, path, folder):
    program = written_pt2.loaded(path)
    if isinstance(program, str):
        return "passed over", "PyTorch does not read it"
    expected = written_pt2.results_of(program)
    if expected is None:
        return "passed over", "PyTorch does not run it"
    if not all(map(written_pt2.same, expected, written_pt2.results_of(program, seed=12))):
        return "passed over", "it draws random numbers"
    try:
        options = options_of(program, folder)
    except (TypeError, RuntimeError) as error:  # NumPy has no such dtype
        return "passed over", str(error)
    if options is None:
        return "passed over", "other inputs"
    results = os.path.join(folder, "results")
    command = [cli, "run", path, "--backend", "torch", "--save", results, *options]
    answer = subprocess.run(command, capture_output=True, text=True)
    if answer.returncode != 0:
        return "not run", answer.stderr
    for name, value in zip(program.graph_signature.user_outputs, expected):
        file = os.path.join(results, f"{name}.npy")
        if value is None or not os.path.exists(file):  # NumPy's files have no such dtype
            continue
        found, wanted = numpy.load(file), array_of(value)
        if found.shape != wanted.shape or not numpy.allclose(found, wanted, 1e-4, 1e-5, equal_nan=True):
            return "wrong", f"another {name}"
    return "right", ""


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("cli")
    parser.add_argument("paths", nargs="*")
    options = parser.parse_args()
    counts = {}
    with tempfile.TemporaryDirectory() as examples:
        for path in written_pt2.files_of(options, examples):
            with tempfile.TemporaryDirectory() as folder:
                verdict, why = judge(options.cli, path, folder)
            counts[verdict] = counts.get(verdict, 0) + 1
            if verdict != "right":
                print(f"{path}: {verdict}: {why.strip()}", flush=True)
    print(", ".join(f"{n} {what}" for what, n in sorted(counts.items())))
    return 1 if counts.get("wrong") or not counts.get("right") else 0


if __name__ == "__main__":
    sys.exit(main())
