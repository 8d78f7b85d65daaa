#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Cutaway authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Counts the nodes that Cutaway's passes leave of ONNX files, beside those that ONNX Runtime's optimizer leaves.

usage: node_counts.py CLI FILE_OR_FOLDER... [--contrib] [--csv FILE] [--run-limit MB] [--no-more]

Each file goes through the default pipeline and the pipeline `optimize` of CLI (a command, such as build/release/app/cli/
cutaway-cli), and through ONNX Runtime's basic and extended level, each timed as a process of its own. `exact` is the basic
level without the fusions that change results within rounding, which the default pipeline must not have either: so the
default pipeline is held to `exact`, and `optimize` to `basic`. Constant nodes do not count; those of subgraphs do.

Weights whose elements are all one number are drawn before, for all of them: such weights are those of a file that was made
small, and hide what is done to them. What Cutaway writes is run in ONNX Runtime without optimization beside the original,
on seeded inputs: after the default pipeline the bits must be the same, after `optimize` they may differ by 1e-3 relative to
the largest element. --contrib allows `optimize` ONNX Runtime's own operators, which that uses at its extended level.

A table of all files comes first, then sums, the worst ratios with the operators of which more are left, and these operators
over all files. Exit code 1 if results differ, a file cannot be written any more, or, with --no-more, more nodes are left
than of `exact` or `basic`. onnx and ONNX Runtime both bring libonnx along, so each has a process of its own.
"""
import argparse
import collections
import csv
import os
import pathlib
import pickle
import subprocess
import sys
import tempfile
import time

from drawn_inputs import inputs_of

COUNTER, DRAWER, RUNTIME, RUNNER = "--as-counter", "--as-drawer", "--as-runtime", "--as-runner"  # for itself
TOLERANCE = 1e-3
# ONNX Runtime's names of what changes results within rounding at its basic level.
ROUNDING = ("ConvAddFusion", "ConvMulFusion", "ConvBNFusion", "MatMul_BatchNormalization_Fusion", "MatMulAddFusion",
            "GemmSumFusion", "GemmTransposeFusion", "Pad_Fusion", "DivMulFusion", "GeluFusionL1", "LayerNormFusionL1")
# The columns of ONNX Runtime: its level, and what is switched off there.
LEVELS = {"exact": ("ORT_ENABLE_BASIC", ROUNDING), "basic": ("ORT_ENABLE_BASIC", ()),
          "extended": ("ORT_ENABLE_EXTENDED", ())}


# ---- with onnx


def nodes_of(graph):
    for node in graph.node:
        yield node.op_type
        for attribute in node.attribute:
            for inner in [attribute.g] if attribute.HasField("g") else attribute.graphs:
                yield from nodes_of(inner)


def count_all():
    """Answers each path of the input with a line: "Conv Conv Relu", its operators, or "!" and why there are none."""
    import onnx
    for line in sys.stdin:
        try:
            graph = onnx.load(line.rstrip("\n"), load_external_data=False).graph
            print(*(operator for operator in nodes_of(graph) if operator != "Constant"), flush=True)
        except Exception as error:
            print("!", " ".join(str(error).split())[:100] or type(error).__name__, flush=True)


def draw_weights(path, drawn):
    """Writes the file with other elements in each weight that has one number only: near 1 in vectors, which may be
    variances, else around 0, so that a layer's results stay as large as its inputs."""
    import numpy
    import onnx
    from onnx import numpy_helper
    model = onnx.load(path)
    random = numpy.random.default_rng(11)
    for tensor in model.graph.initializer:
        if tensor.data_type != onnx.TensorProto.FLOAT or numpy.prod(tensor.dims) < 8:
            continue
        old = numpy_helper.to_array(tensor)
        if (old == old.flat[0]).all():
            scale = (3 / numpy.prod(old.shape[1:])) ** 0.5
            new = random.random(old.shape) + 0.5 if old.ndim < 2 else (random.random(old.shape) * 2 - 1) * scale
            tensor.CopyFrom(numpy_helper.from_array(new.astype(numpy.float32), tensor.name))
    onnx.save(model, drawn)


class Counter:
    def __init__(self):
        self.process = subprocess.Popen([sys.executable, "-B", __file__, COUNTER], stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)

    def operators(self, path):
        """How many nodes there are of each operator, or None for a file that is not there or cannot be read."""
        if not os.path.exists(path):
            return None
        self.process.stdin.write(os.path.abspath(path) + "\n")
        self.process.stdin.flush()
        answer = self.process.stdout.readline().strip()
        return None if answer.startswith("!") else collections.Counter(answer.split())

    def count(self, path, row, name):
        """Enters the number of nodes and the operators."""
        operators = self.operators(path)
        row[name] = None if operators is None else operators.total()
        row[name + " operators"] = operators


# ---- with ONNX Runtime


def session_of(path, level, written=None, without=()):
    import onnxruntime
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 4
    options.intra_op_num_threads = 1
    options.graph_optimization_level = level
    options.add_session_config_entry("session.disable_prepacking", "1")  # a constant factor would be multiplied otherwise
    if written:
        options.optimized_model_filepath = written
    return onnxruntime.InferenceSession(path, options, providers=["CPUExecutionProvider"],
                                        disabled_optimizers=list(without))


def optimize(path, name, written):
    import onnxruntime
    level, without = LEVELS[name]
    session_of(path, getattr(onnxruntime.GraphOptimizationLevel, level), written, without)


def run_all(paths, answer):
    """Writes the results of each file as pickle, one after the other, as far as the process comes."""
    import onnxruntime
    with open(answer, "wb") as file:
        for path in paths:
            try:
                session = session_of(path, onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL)
                result = [o.name for o in session.get_outputs()], session.run(None, inputs_of(session))
            except Exception as error:
                result = None, str(error)
            pickle.dump(result, file)
            file.flush()


def results_of(paths, folder):
    """Names and values for each file; (None, why) where there are none."""
    answer = os.path.join(folder, "results")
    subprocess.run([sys.executable, "-B", __file__, RUNNER, answer, *paths], stdout=subprocess.DEVNULL,
                   stderr=subprocess.DEVNULL)
    results = []
    with open(answer, "rb") as file:
        while len(results) < len(paths):
            try:
                results.append(pickle.load(file))
            except EOFError:
                results.append((None, "ONNX Runtime crashes"))
    return results


def difference(a, b):
    """0 for the same bits, else the largest difference relative to the largest element; infinite for other types."""
    import numpy
    if isinstance(a, (list, tuple)) and isinstance(b, (list, tuple)):
        return max(map(difference, a, b), default=0) if len(a) == len(b) else float("inf")
    if not isinstance(a, numpy.ndarray):
        return 0 if a == b else float("inf")
    if a.dtype != b.dtype or a.shape != b.shape:
        return float("inf")
    if a.dtype == object or a.tobytes() == b.tobytes():
        return 0 if a.dtype != object or (a == b).all() else float("inf")
    if not numpy.issubdtype(a.dtype, numpy.floating):
        return float("inf")
    with numpy.errstate(all="ignore"):
        x, y = a.astype(numpy.float64), b.astype(numpy.float64)
        apart = numpy.where((x == y) | (numpy.isnan(x) & numpy.isnan(y)), 0, numpy.abs(x - y))
        largest = numpy.abs(x[numpy.isfinite(x)]).max(initial=1e-30)
        return float("inf") if numpy.isnan(apart).any() else float(max(apart.max(initial=0) / largest, 1e-300))


# ---- the comparison


def timed(command):
    """(Seconds, what went wrong or "")"""
    began = time.monotonic()
    answer = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    seconds = time.monotonic() - began
    fault = answer.stderr.strip().splitlines()[-1:] or [f"exit code {answer.returncode}"]
    return seconds, "" if answer.returncode == 0 else fault[0]


def verdict(results, limit):
    before, after = results
    if before[0] is None:
        return "not run"
    if after[0] is None:
        return "does not run: " + after[1]
    if before[0] != after[0]:
        return "other outputs"
    apart = difference(before[1], after[1])
    return "same" if apart == 0 else f"within {apart:.1e}" if apart <= limit else f"wrong by {apart:.1e}"


def measure(options, counter, path, folder):
    row = {"file": path}
    counter.count(path, row, "raw")
    drawn = os.path.join(folder, "drawn.onnx")
    if not timed([sys.executable, "-B", __file__, DRAWER, path, drawn])[1]:
        path = drawn
    pipelines = {"default": "default", "optimize": "optimize{contrib=true}" if options.contrib else "optimize"}
    small = os.path.getsize(path) <= options.run_limit << 20  # what is run, twice and without threads
    for name, pipeline in pipelines.items():
        written = os.path.join(folder, name + ".onnx")
        command = [*options.cli.split(), "passes", "run", path, "--pipeline", pipeline, "-o", written]
        row[name + " s"], fault = timed(command)
        counter.count(written, row, name)
        row[name + " numbers"] = fault
    for name in LEVELS:
        written = os.path.join(folder, name + ".onnx")
        row[name + " s"], _ = timed([sys.executable, "-B", __file__, RUNTIME, path, name, written])
        counter.count(written, row, name)
    files = [name for name in pipelines if row[name] is not None]
    if small and files:
        paths = [path, path, *(os.path.join(folder, name + ".onnx") for name in files)]
        before, again, *after = results_of(paths, folder)
        drawn = before[0] is not None and difference(before[1], again[1] if again[0] else None) != 0
        for name, result in zip(files, after):
            limit = 0 if name == "default" else TOLERANCE
            row[name + " numbers"] = "draws" if drawn else verdict((before, result), limit)
    return row


def files_of(paths):
    for path in map(pathlib.Path, paths):
        yield from map(str, sorted(path.rglob("*.onnx")) if path.is_dir() else [path])


def surplus(row, ours, theirs):
    """The operators of which more are left, and how many more."""
    return row[ours + " operators"] - row[theirs + " operators"]


def listed(operators):
    return ", ".join(f"{count} {operator}" for operator, count in operators.most_common())


def print_sums(rows, ours, theirs):
    """Answers with the number of files of which more nodes are left."""
    both = [row for row in rows if row[ours] is not None and row[theirs] is not None]
    if not both:
        return 0
    more = [row for row in both if row[ours] > row[theirs]]
    total, other = (sum(row[name] for row in both) for name in (ours, theirs))
    print(f"{ours} {total}, {theirs} {other} in {len(both)} files; more in {len(more)}, "
          f"fewer in {sum(row[ours] < row[theirs] for row in both)}; "
          f"{sum(row[ours + ' s'] for row in both):.0f} s and {sum(row[theirs + ' s'] for row in both):.0f} s")
    for row in sorted(more, key=lambda row: row[theirs] / row[ours])[:15]:
        print(f"  {row[ours]} to {row[theirs]} ({row[ours] / max(row[theirs], 1):.2f}): {row['file']}: "
              f"{listed(surplus(row, ours, theirs))}")
    if more:
        print(f"  in all {len(more)}: {listed(sum((surplus(row, ours, theirs) for row in more), collections.Counter()))}")
    return len(more)


COLUMNS = ("raw", "default", "exact", "optimize", "basic", "extended", "default s", "exact s", "optimize s", "basic s",
           "extended s", "default numbers", "optimize numbers", "file")


def shown(value):
    return "-" if value is None else f"{value:.2f}" if isinstance(value, float) else str(value)


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("cli")
    parser.add_argument("paths", nargs="+")
    parser.add_argument("--contrib", action="store_true")
    parser.add_argument("--csv")
    parser.add_argument("--no-more", action="store_true")
    parser.add_argument("--run-limit", type=int, default=200, help="largest file to run, in MB")
    options = parser.parse_args()
    counter, rows = Counter(), []
    print(*COLUMNS, sep="\t")
    for path in files_of(options.paths):
        with tempfile.TemporaryDirectory() as folder:
            row = measure(options, counter, path, folder)
        if row["raw"] is None or row["basic"] is None:  # not ONNX, or not for ONNX Runtime
            continue
        rows.append(row)
        print(*(shown(row.get(name)) for name in COLUMNS), sep="\t", flush=True)
    if options.csv:
        with open(options.csv, "w", newline="", encoding="utf-8") as file:
            writer = csv.DictWriter(file, COLUMNS, extrasaction="ignore")
            writer.writeheader()
            writer.writerows(rows)
    wrong = 0
    for ours, theirs in (("default", "exact"), ("optimize", "basic"), ("default", "basic"), ("optimize", "extended")):
        more = print_sums(rows, ours, theirs)
        wrong += more if options.no_more and (ours, theirs) in (("default", "exact"), ("optimize", "basic")) else 0
    for name in ("default", "optimize"):
        verdicts = [row[name + " numbers"] for row in rows]
        print(name, collections.Counter(each.split(" ")[0] for each in verdicts))
        wrong += sum(not each.startswith(("same", "within", "not run", "draws")) and each != "" for each in verdicts)
    return 1 if wrong or not rows else 0


if __name__ == "__main__":
    if COUNTER in sys.argv:
        count_all()
    elif DRAWER in sys.argv:
        draw_weights(*sys.argv[2:])
    elif RUNTIME in sys.argv:
        optimize(*sys.argv[2:])
    elif RUNNER in sys.argv:
        run_all(sys.argv[3:], sys.argv[2])
    else:
        sys.exit(main())
