#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Cutaway authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""CPU time of shape inference over ONNX files, side by side with the onnx package:

  packaging/env --with-checks tests/bench/against_onnx.py build/release/tests/bench/analyse FOLDER...

onnx.shape_inference reads a model's bytes and gives the bytes of one with its shapes (data_prop as exporters ask for
it); Cutaway reads the file and gives shapes, costs and live memory. Both from the file to the result, in one process,
the median of several times each.
"""
import pathlib
import statistics
import subprocess
import sys
import time

import onnx
import onnx.shape_inference


def inferred(path):
    data, times = path.read_bytes(), []
    for _ in range(5):
        start = time.process_time()
        try:
            onnx.shape_inference.infer_shapes(data, data_prop=True)
        except Exception:  # whatever it refuses, it does not infer
            return None
        times.append(1000 * (time.process_time() - start))
    return statistics.median(times)


def main():
    program, folders = sys.argv[1], [pathlib.Path(folder) for folder in sys.argv[2:]]
    theirs = {str(path): inferred(path) for folder in folders for path in sorted(folder.rglob("*.onnx"))}
    theirs = {path: ms for path, ms in theirs.items() if ms is not None}
    ours = {}
    for path in theirs:
        out = subprocess.run([program, path], capture_output=True, text=True).stdout.split(maxsplit=2)
        if len(out) == 3:
            ours[path] = float(out[0]), float(out[1])
    both = [(theirs[path], *ours[path], path) for path in ours]
    total = [sum(row[i] for row in both) for i in range(3)]
    ratios = sorted(t / max(o, 1e-3) for t, _, o, _ in both)
    print(f"{len(both)} files: onnx {total[0]:.1f} ms, Cutaway {total[2]:.1f} ms from the file, {total[1]:.1f} ms "
          f"without reading it: {total[0] / total[2]:.1f} and {total[0] / total[1]:.1f} times")
    print(f"per file: median {statistics.median(ratios):.1f} times, least {ratios[0]:.1f}, most {ratios[-1]:.1f}")
    for t, alone, o, path in sorted(both, key=lambda row: -row[0])[:10]:
        print(f"  onnx {t:8.2f} ms  Cutaway {o:8.2f} ms ({alone:.2f})  {path}")


if __name__ == "__main__":
    main()
