#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Cutaway authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes a trace of any size as torch.profiler writes them, and beside it the model that it is a run of:

  make_trace.py MEGABYTES run.json

The model, run.model.txt, has LAYERS layers. Each iteration of the trace is one run of it: its operators with those in
them, their launches, and their kernels.
"""
import pathlib
import random
import sys

LAYERS = 40
# An operator of a layer, the operators in it, and its time in microseconds.
OPERATORS = [("aten::layer_norm", ["aten::native_layer_norm"], 40),
             ("aten::linear", ["aten::t", "aten::addmm"], 90),
             ("aten::gelu", [], 30),
             ("aten::linear", ["aten::t", "aten::addmm"], 90),
             ("aten::add", [], 25)]


def model_text():
    lines = ["class GraphModule(torch.nn.Module):",
             '    def forward(self, x: "f32[8, 256]", w: "f32[256, 256]", b: "f32[256]"):']
    before = "x"
    for i in range(LAYERS):
        lines += [f"        norm_{i} = torch.ops.aten.layer_norm.default({before}, [256])",
                  f"        up_{i} = torch.ops.aten.linear.default(norm_{i}, w, b)",
                  f"        gelu_{i} = torch.ops.aten.gelu.default(up_{i})",
                  f"        down_{i} = torch.ops.aten.linear.default(gelu_{i}, w, b)",
                  f"        add_{i} = torch.ops.aten.add.Tensor(down_{i}, {before})"]
        before = f"add_{i}"
    return "\n".join(lines + [f"        return ({before},)", ""])


class Writer:
    def __init__(self, out):
        self.out = out
        self.written = 0
        self.correlation = 0
        self.random = random.Random(38)

    def write(self, text):
        self.out.write(text)
        self.written += len(text)

    def event(self, category, name, process, thread, start, duration, arguments):
        self.write(f'  {{\n    "ph": "X", "cat": "{category}", "name": "{name}", "pid": {process}, "tid": {thread},\n'
                   f'    "ts": {start:.3f}, "dur": {duration:.3f},\n    "args": {{\n      {arguments}\n    }}\n  }},\n')

    def operator(self, name, inner, start, duration):
        self.correlation += 1
        shapes = '"Input Dims": [[8, 256], [256, 256], [256]], "Input type": ["float", "float", "float"]'
        self.event("cpu_op", name, 100, 1, start, duration,
                   f'"External id": {self.correlation}, "Sequence number": {self.correlation}, {shapes}')
        part = duration / (len(inner) + 1)
        for i, each in enumerate(inner):
            self.event("cpu_op", each, 100, 1, start + part * (i + 0.1), part * 0.8,
                       f'"External id": {self.correlation}, {shapes}')
        launch = start + duration * 0.7
        self.event("cuda_runtime", "cudaLaunchKernel", 100, 1, launch, duration * 0.1,
                   f'"External id": {self.correlation}, "cbid": 211, "correlation": {self.correlation}')
        self.event("kernel", f"void at::native::kernel_of_{name[6:]}<float, 4>(int, float*)", 0, 7, launch + 5,
                   duration * 0.6, f'"External id": {self.correlation}, "device": 0, "context": 1, "stream": 7, '
                                   f'"correlation": {self.correlation}, "grid": [64, 1, 1], "block": [256, 1, 1]')

    def iteration(self, number, start):
        """Returns its end."""
        now = start + 10
        for _ in range(LAYERS):
            for name, inner, time in OPERATORS:
                duration = time * self.random.uniform(0.8, 1.4)
                self.operator(name, inner, now, duration)
                now += duration + self.random.uniform(1, 6)
        self.event("user_annotation", f"ProfilerStep#{number}", 100, 1, start, now - start, '"External id": 0')
        return now + 20


def main():
    if len(sys.argv) != 3:
        raise SystemExit(__doc__)
    limit, path = float(sys.argv[1]) * 1e6, pathlib.Path(sys.argv[2])
    path.with_suffix(".model.txt").write_text(model_text())
    with path.open("w") as out:
        writer = Writer(out)
        writer.write('{\n  "schemaVersion": 1,\n  "deviceProperties": [{"id": 0, "name": "NVIDIA H100 80GB HBM3"}],\n'
                     '  "traceEvents": [\n')
        number, start = 0, 1e6
        while writer.written < limit:
            number, start = number + 1, writer.iteration(number, start)
        writer.write('  {"ph": "M", "name": "process_name", "pid": 100, "tid": 0, "ts": 0, "args": {"name": "python"}}\n'
                     ']}\n')


if __name__ == "__main__":
    main()
