#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Cutaway authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Lets onnx and ONNX Runtime judge the ONNX files that Cutaway writes.

usage: written_onnx.py REWRITE FILE_OR_FOLDER... [--run-limit MB]

Each file is read and written again by the program REWRITE: as it is, with all weights as if they were new, with all
nodes as if they were new, after the default pipeline of passes. What onnx.checker accepts must be accepted afterwards; what
ONNX Runtime runs on seeded inputs must give the same bits. Exit code 1 if a file is worse than before.
onnx and ONNX Runtime both bring libonnx along, so each has a process of its own.
"""
import argparse
import os
import pathlib
import pickle
import subprocess
import sys
import tempfile

from drawn_inputs import inputs_of

CHECKER = "--as-checker"  # what this program is told to be for itself
try:
    if CHECKER in sys.argv:
        import onnx
    else:
        import numpy
        import onnxruntime
except ImportError as missing:
    sys.exit(f"skipped: {missing}")


def check_all():
    """Answers each path of the input with a line: what onnx.checker says against it, empty if nothing."""
    for line in sys.stdin:
        fault = ""
        try:
            onnx.checker.check_model(line.rstrip("\n"))
        except Exception as error:
            fault = " ".join(str(error).split()) or type(error).__name__
        print(fault, flush=True)


class Checker:
    def __init__(self):
        self.process = subprocess.Popen([sys.executable, "-B", __file__, CHECKER], stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.process.stdin.write("\n")
        self.process.stdin.flush()
        if not self.process.stdout.readline():
            sys.exit(self.process.stderr.read().strip())

    def fault_of(self, path):
        self.process.stdin.write(os.path.abspath(path) + "\n")
        self.process.stdin.flush()
        return self.process.stdout.readline().strip()


def run(path):
    """The outputs' names and values, or nothing where ONNX Runtime refuses the model."""
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 4
    options.intra_op_num_threads = 1
    # Fusions depend on the order of names; the numbers are to be those of the graph as it stands.
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    try:
        session = onnxruntime.InferenceSession(path, options, providers=["CPUExecutionProvider"])
        return [o.name for o in session.get_outputs()], session.run(None, inputs_of(session))
    except Exception:
        return None


def results_of(path):
    """The same in a process of its own: there are inputs that some operators do not survive."""
    with tempfile.TemporaryFile() as answer:
        child = os.fork()
        if child == 0:
            try:
                pickle.dump(run(path), answer)
                answer.flush()
            finally:
                os._exit(0)
        _, status = os.waitpid(child, 0)
        if status != 0 or answer.seek(0, os.SEEK_END) == 0:
            return None
        answer.seek(0)
        return pickle.load(answer)


def same(a, b):
    if isinstance(a, numpy.ndarray):
        return a.dtype == b.dtype and a.shape == b.shape and (a.dtype == object and (a == b).all()
                                                              or a.tobytes() == b.tobytes())
    if isinstance(a, (list, tuple)):
        return len(a) == len(b) and all(map(same, a, b))
    return a == b


def judge(checker, rewrite, path, mode, folder, run_limit):
    """("right", "passed over" or "wrong", why)"""
    written = os.path.join(folder, "written.onnx")
    answer = subprocess.run([rewrite, path, written, mode], stdout=subprocess.PIPE, text=True)
    if answer.returncode == 3:
        return "passed over", answer.stdout
    if answer.returncode != 0:
        return ("passed over" if answer.returncode == 4 else "wrong"), answer.stdout
    fault = "" if checker.fault_of(path) else checker.fault_of(written)
    if fault:
        return "wrong", "onnx.checker: " + fault
    if os.path.getsize(path) > run_limit << 20:
        return "right", "not run"
    before = results_of(path)
    if before is None or not same(before, results_of(path)):  # some operators read what is not theirs
        return "right", "not run"
    after = results_of(written)
    if after is None:
        return "wrong", "ONNX Runtime does not run it any more"
    return ("right", "run") if same(before, after) else ("wrong", "other results")


def files_of(paths):
    for path in map(pathlib.Path, paths):
        yield from sorted(path.rglob("*.onnx")) if path.is_dir() else [path]


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("rewrite")
    parser.add_argument("paths", nargs="+")
    parser.add_argument("--run-limit", type=int, default=50, help="largest file to run, in MB")
    options = parser.parse_args()
    counts = {}
    checker = Checker()
    for path in files_of(options.paths):
        for mode in ("", "weights", "nodes", "passes"):
            with tempfile.TemporaryDirectory() as folder:
                verdict, why = judge(checker, options.rewrite, str(path), mode, folder, options.run_limit)
            key = f"{verdict}, {why}" if verdict == "right" else verdict
            counts[key] = counts.get(key, 0) + 1
            if verdict == "wrong":
                print(f"{path} {mode}: {why.strip()}", flush=True)
    print(", ".join(f"{n} {what}" for what, n in sorted(counts.items())))
    return 1 if counts.get("wrong") or not counts.get("right, run") else 0


if __name__ == "__main__":
    sys.exit(check_all() if CHECKER in sys.argv else main())
