#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Cutaway authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs the default pipeline and each pass alone over many model files, and lets PyTorch and ONNX Runtime judge them.

usage: passes_over_files.py EACH_PASS FILE_OR_FOLDER... [--passes default,optimize] [--share 0.1 [--seed N]]
                            [--limit SECONDS]

The program EACH_PASS writes what each pass makes of a file, which Cutaway's own reader must read. What the file's own
runtime reads, it must read afterwards; what it computes for seeded inputs must be the same. TorchScript is written as
Cutaway's JSON, which no runtime judges. `--share` takes a part of the files, drawn by the seed. Prints a row for each
pass, the reasons of refusals, and each file that is wrong or cannot be read; exit code 1 if there is one, or if nothing
was equal. PyTorch and ONNX Runtime have a process of their own each, which is started anew if a file ends it.
"""
import argparse
import collections
import json
import os
import pathlib
import queue
import random
import re
import subprocess
import sys
import tempfile
import threading

WORKER = "--as-worker"  # what this program is told to be for a runtime
CHANGES_NUMBERS = {"replace-operator", "quantize-dequantize"}
CHANGES_INPUTS = {"dead-inputs", "fix-defaults"}
ROUNDS = {"fold-batch-norm": 1e-3, "decompose-to-core-aten": 1e-4, "fuse-attention": 1e-4, "optimize": 1e-4}
EXACT = 1e-6  # not the bits: equal graphs run other kernels where strides or fusions differ
SIZES = (3, 8, 64)  # of symbols, the first that runs
COLUMNS = ("unchanged", "equal", "read", "unjudged", "refused", "failed", "wrong", "unreadable")
SUFFIXES = (".onnx", ".pt2", ".pt", ".ptl")


class OnnxRuntime:
    def __init__(self):
        import numpy
        import onnxruntime
        self.numpy, self.ort = numpy, onnxruntime
        self.options = onnxruntime.SessionOptions()
        self.options.log_severity_level = 4
        self.options.intra_op_num_threads = 1
        # Fusions depend on the order of names; the numbers are to be those of the graph as it stands.
        self.options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL

    def load(self, path):
        return self.ort.InferenceSession(path, self.options, providers=["CPUExecutionProvider"])

    def inputs(self, session, size):
        types = {"tensor(float)": "float32", "tensor(double)": "float64", "tensor(float16)": "float16",
                 "tensor(bool)": "bool"}
        draw = self.numpy.random.default_rng(7)
        given = {}
        for value in session.get_inputs():
            shape = [n if isinstance(n, int) else size for n in value.shape]
            dtype = self.numpy.dtype(types.get(value.type) or value.type[len("tensor("):-1])
            # Whole numbers are never 0: dividing by it ends the process.
            whole = self.numpy.issubdtype(dtype, self.numpy.integer)
            given[value.name] = (draw.integers(1, 3, shape) if whole else draw.random(shape) * 2).astype(dtype)
        return given

    def results(self, session):
        for size in SIZES:
            try:
                given = self.inputs(session, size)
                return [session.run(None, given) for _ in range(2)]
            except Exception as error:
                reason = error
        raise reason

    def array(self, value):
        return value if isinstance(value, self.numpy.ndarray) else None


class Torch:
    def __init__(self):
        os.environ.setdefault("TORCH_CPP_LOG_LEVEL", "ERROR")
        import warnings
        warnings.filterwarnings("ignore")
        import torch
        import torch._higher_order_ops.wrap  # which torch.export.load needs and does not import
        import torch.utils._pytree as pytree
        self.torch, self.pytree = torch, pytree
        torch.set_num_threads(1)

    def load(self, path):
        return self.torch.export.load(path)

    def seeded(self, given):
        self.torch.manual_seed(7)
        return self.pytree.tree_map_only(
            self.torch.Tensor, lambda t: (self.torch.rand(t.shape) * 2).to(t.dtype), given)

    def results(self, program):
        arguments, named = program.example_inputs
        module = program.module()
        runs = []
        for seed in 11, 12:  # what draws numbers is told by two results
            given = self.seeded(arguments), self.seeded(named)
            self.torch.manual_seed(seed)
            runs.append(self.pytree.tree_leaves(module(*given[0], **given[1])))
        return runs

    def array(self, value):
        if not isinstance(value, self.torch.Tensor):
            return None
        value = value.detach().to_dense().resolve_conj()
        return (value.float() if value.dtype == self.torch.bfloat16 else value).numpy()


def distance(numpy, a, b):
    """The largest difference of two arrays, as a part of the largest number; infinite if they are of another kind."""
    if a.dtype != b.dtype or a.shape != b.shape:
        return float("inf")
    if a.dtype.kind not in "fc":
        return 0.0 if a.tobytes() == b.tobytes() or (a == b).all() else float("inf")
    if not (numpy.isfinite(a) == numpy.isfinite(b)).all():
        return float("inf")
    a, b = (numpy.nan_to_num(x.astype("complex128" if x.dtype.kind == "c" else "float64")) for x in (a, b))
    return float(abs(a - b).max(initial=0) / max(1.0, abs(a).max(initial=0)))


def largest(runtime, before, after):
    """The largest distance of all results."""
    import numpy
    if len(before) != len(after):
        return float("inf")
    worst = 0.0
    for a, b in zip(before, after):
        x, y = runtime.array(a), runtime.array(b)
        if x is not None and y is not None:
            worst = max(worst, distance(numpy, x, y))
        elif isinstance(a, (list, tuple)) and isinstance(b, (list, tuple)):
            worst = max(worst, largest(runtime, a, b))
        elif (x is None) != (y is None) or repr(a) != repr(b):
            worst = float("inf")
    return worst


def short(error):
    return " ".join(str(error).split())[:300] or type(error).__name__


def judged(runtime, path, name, before):
    """("equal", "read", "wrong" or "unreadable", why)"""
    try:
        after = runtime.load(path)
    except Exception as error:
        return "unreadable", short(error)
    if before is None or name in CHANGES_INPUTS:
        return "read", ""
    try:
        found = runtime.results(after)[0]
    except Exception as error:
        return "wrong", "it does not run any more: " + short(error)
    if name in CHANGES_NUMBERS:
        return "read", ""
    error = largest(runtime, before, found)
    return ("equal", "") if error <= ROUNDS.get(name, EXACT) else ("wrong", f"the results differ by {error:.3g}")


def work(name):
    """Answers lines of JSON: the path of a file and [pass, path] of what was made of it."""
    try:
        runtime = {"onnxruntime": OnnxRuntime, "torch": Torch}[name]()
    except ImportError as missing:
        return print(json.dumps(str(missing)))
    print(json.dumps("ready"), flush=True)
    for line in sys.stdin:
        path, written = json.loads(line)
        try:
            program = runtime.load(path)
        except Exception as error:
            print(json.dumps(["unread", short(error)]), flush=True)
            continue
        try:
            one, two = runtime.results(program)
            before = one if largest(runtime, one, two) == 0 else None  # some read what is not theirs, or draw numbers
        except Exception:
            before = None
        print(json.dumps(["read", ""]), flush=True)
        for name, file in written:
            print(json.dumps(judged(runtime, file, name, before)), flush=True)


class Worker:
    """A process with a runtime. A file that it does not survive, or that takes too long, has no answer."""

    def __init__(self, name, limit):
        self.name, self.limit, self.process, self.lines = name, limit, None, None

    def start(self):
        self.process = subprocess.Popen([sys.executable, "-B", __file__, WORKER, self.name], stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        self.lines = queue.Queue()
        threading.Thread(target=self.listen, args=(self.process.stdout, self.lines), daemon=True).start()
        answer = self.answer()
        if answer != "ready":
            sys.exit(f"skipped: {answer or 'the runtime does not start'}")

    @staticmethod
    def listen(stream, lines):
        for line in stream:
            lines.put(line)
        lines.put("")

    def stop(self):
        if self.process:
            self.process.kill()
            self.process.wait()
        self.process = None

    def answer(self):
        try:
            line = self.lines.get(timeout=self.limit)
        except queue.Empty:
            return None
        return json.loads(line) if line else None

    def judge(self, path, written):
        """Yields (pass, outcome, why) for each."""
        if not self.process:
            self.start()
        self.process.stdin.write(json.dumps([path, written]) + "\n")
        self.process.stdin.flush()
        original = self.answer()
        if original is None:
            self.stop()
            original = ["unread", f"{self.name} ended or took more than {self.limit} s"]
        if original[0] == "unread":
            yield from ((name, "unjudged", original[1]) for name, _ in written)
            return
        for index, (name, _) in enumerate(written):
            answer = self.answer()
            if answer is None:
                self.stop()
                yield name, "wrong", f"{self.name} ended or took more than {self.limit} s"
                yield from self.judge(path, written[index + 1:]) if written[index + 1:] else ()
                return
            yield name, *answer


def outcomes(program, worker, path, passes, limit):
    """(pass, outcome, why) for each pass over one file."""
    with tempfile.TemporaryDirectory() as folder:
        try:
            answer = subprocess.run([program, path, folder, *passes], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                                    timeout=limit)
        except subprocess.TimeoutExpired:
            return [("default", "failed", f"more than {limit} s")]
        if answer.returncode == 3:
            return []
        lines = [line.split("\t") for line in answer.stdout.splitlines()]
        found = [tuple(line) for line in lines if len(line) == 3 and line[1] != "written"]
        written = [(name, file) for name, outcome, file in filter(lambda x: len(x) == 3, lines) if outcome == "written"]
        if answer.returncode != 0:
            found.append((lines[-1][0] if lines else "default", "failed", f"exit code {answer.returncode}"))
        if worker and written:
            return found + list(worker.judge(path, written))
        return found + [(name, "unjudged", "no runtime reads JSON") for name, _ in written]


class Table:
    def __init__(self):
        self.lock = threading.Lock()
        self.counts = collections.defaultdict(collections.Counter)
        self.causes = collections.Counter()
        self.files = 0

    def add(self, path, found):
        with self.lock:
            self.files += bool(found)
            for name, outcome, why in found:
                self.counts[name][outcome] += 1
                if outcome in ("refused", "unjudged"):
                    self.causes[outcome, re.sub(r"\(.*\)|'.*'|/\S+|\d+", "…", why)[:110]] += 1
                if outcome in ("failed", "wrong", "unreadable"):
                    print(f"{path} {name}: {outcome}: {why}", flush=True)

    def total(self, outcome):
        return sum(counts[outcome] for counts in self.counts.values())

    def print(self):
        print(f"\n{'pass':28}" + "".join(f"{column:>11}" for column in COLUMNS))
        for name, counts in self.counts.items():
            print(f"{name:28}" + "".join(f"{counts[column] or '.':>11}" for column in COLUMNS))
        for (outcome, why), count in self.causes.most_common():
            print(f"{count:6} {outcome}: {why}")
        print(f"{self.files} files, " + ", ".join(f"{self.total(column)} {column}" for column in COLUMNS))


def files_of(options):
    found = []
    for path in map(pathlib.Path, options.paths):
        found += sorted(p for p in path.rglob("*") if p.suffix in SUFFIXES) if path.is_dir() else [path]
    if options.share < 1:
        found = sorted(random.Random(options.seed).sample(found, max(1, round(len(found) * options.share))))
    return list(map(str, found))


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("program")
    parser.add_argument("paths", nargs="+")
    parser.add_argument("--share", type=float, default=1, help="part of the files")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--limit", type=float, default=120, help="seconds for one file")
    parser.add_argument("--passes", default="", help="these alone, or pipelines: default,optimize")
    options = parser.parse_args()
    passes = [name for name in options.passes.split(",") if name]
    table = Table()

    def each(suffixes, worker):
        for path in files_of(options):
            if path.endswith(suffixes):
                table.add(path, outcomes(options.program, worker, path, passes, options.limit))
        if worker:
            worker.stop()

    workers = {".onnx": Worker("onnxruntime", options.limit), ".pt2": Worker("torch", options.limit),
               (".pt", ".ptl"): None}
    for worker in filter(None, workers.values()):
        worker.start()
    threads = [threading.Thread(target=each, args=args) for args in workers.items()]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    table.print()
    bad = sum(table.total(column) for column in ("failed", "wrong", "unreadable"))
    return 1 if bad or not table.total("equal") else 0


if __name__ == "__main__":
    if WORKER in sys.argv:
        work(sys.argv[-1])
    else:
        sys.exit(main())
