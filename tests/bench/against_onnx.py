#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Cutaway authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""CPU time of shape inference over ONNX files, side by side with the onnx package:

  packaging/env --with-checks tests/bench/against_onnx.py build/release/tests/bench/analyse FOLDER...

In three ways: onnx.shape_inference from a model's bytes to the bytes of one with its shapes; of a loaded model, as
programs mostly call it, with Cutaway's of a graph that is open; and that with onnx.load, from the file. data_prop as
exporters ask for it. Cutaway gives shapes, costs and live memory. CPU time, the median of several times in a process.
"""
import pathlib
import statistics
import subprocess
import sys
import time

import onnx
import onnx.shape_inference


def milliseconds(work):
    times = []
    for _ in range(5):
        start = time.process_time()
        try:
            work()
        except Exception:  # whatever it refuses, it does not infer
            return None
        times.append(1000 * (time.process_time() - start))
    return statistics.median(times)


def inferred(path):
    """Of the bytes, of the loaded model, of the file; None where it refuses."""
    def infer(model):
        return onnx.shape_inference.infer_shapes(model, data_prop=True)

    of_file = milliseconds(lambda: infer(onnx.load(path)))
    if of_file is None:
        return None
    data, model = path.read_bytes(), onnx.load(path)
    times = milliseconds(lambda: infer(data)), milliseconds(lambda: infer(model)), of_file
    return None if None in times else times


def main():
    program, folders = sys.argv[1], [pathlib.Path(folder) for folder in sys.argv[2:]]
    theirs = {str(path): inferred(path) for folder in folders for path in sorted(folder.rglob("*.onnx"))}
    rows = []  # of each file: onnx of its bytes, of the model, of the file; Cutaway of the graph, of the file
    for path, times in theirs.items():
        out = subprocess.run([program, path], capture_output=True, text=True).stdout.split(maxsplit=2) if times else []
        if len(out) == 3:
            rows.append((*times, float(out[0]), float(out[1]), path))

    def compare(what, them, us):
        ratios = sorted(row[them] / max(row[us], 1e-3) for row in rows)
        theirs, ours = (sum(row[i] for row in rows) for i in (them, us))
        print(f"{what}: onnx {theirs:.1f} ms, Cutaway {ours:.1f} ms, {theirs / ours:.1f} times as fast; "
              f"per file: median {statistics.median(ratios):.1f}, least {ratios[0]:.1f}, most {ratios[-1]:.1f}")

    print(f"{len(rows)} files")
    compare("of a file's bytes", 0, 4)
    compare("of a loaded model", 1, 3)
    compare("of a file, loaded", 2, 4)
    for of_bytes, of_model, of_file, graph, whole, path in sorted(rows, reverse=True)[:10]:
        print(f"  onnx {of_bytes:7.2f} {of_model:7.2f} {of_file:7.2f} ms  Cutaway {graph:6.2f} {whole:6.2f} ms  {path}")


if __name__ == "__main__":
    main()
