# SPDX-FileCopyrightText: The Cutaway authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Objects of torch and onnx themselves, where they are installed. Each in a process of its own: Debian's cannot share one."""
import importlib.util
import subprocess
import sys

import pytest

SHOW = """
import os, pathlib, sys, cutaway
os.environ["XDG_RUNTIME_DIR"] = sys.argv[1]
program = pathlib.Path(sys.argv[1]) / "window"
program.write_text(f'#!/bin/sh\\ncp --remove-destination "$1" {sys.argv[1]}/shown\\n')
program.chmod(0o755)
def shown(model, *inputs):
    assert cutaway.show(model, *inputs, program=str(program), wait=True).wait() == 0
    return cutaway.open(sys.argv[1] + "/shown")
"""
TORCH = SHOW + """
import torch
module, x = torch.nn.Sequential(torch.nn.Linear(3, 4), torch.nn.ReLU()).eval(), torch.ones(2, 3)
exported = shown(torch.export.export(module, (x,)))
assert exported.format == "pt2" and [node.op for node in exported.graph.nodes][-1] == "aten::relu.default", exported.graph.nodes
scripted = shown(torch.jit.trace(module, x))
assert scripted.format == "torchscript"
assert scripted.analyse(inputs={"input": x}).graph.outputs[0].shape == (2, 4)
weight = torch.from_dlpack(exported.weight("0.weight"))
assert torch.equal(weight, module[0].weight.data)
exported = shown(module, x)
assert exported.format == "pt2" and len(exported.graph) == 2
try:
    shown(module)
except cutaway.Error as error:
    assert str(error).startswith("Sequential is exported with example inputs, and none were given"), error
else:
    raise AssertionError
"""
ONNX = SHOW + """
import onnx, onnx.helper as h
graph = h.make_graph([h.make_node("Relu", ["x"], ["y"])], "g", [h.make_tensor_value_info("x", 1, [2])],
                     [h.make_tensor_value_info("y", 1, [2])])
assert [node.op for node in shown(h.make_model(graph)).graph.nodes] == ["onnx::Relu"]
"""


@pytest.mark.parametrize("package, program", [("torch", TORCH), ("onnx", ONNX)], ids=["torch", "onnx"])
@pytest.mark.parametrize("first", ["cutaway", "package"])
def test_real_objects(tmp_path, package, program, first):
    """Whichever is imported first, their libraries stand beside each other."""
    if not importlib.util.find_spec(package):
        pytest.skip(f"{package} is not installed")
    lines = ["import cutaway", f"import {package}"]
    order = "\n".join(lines if first == "cutaway" else lines[::-1]) + "\n"
    answer = subprocess.run([sys.executable, "-c", order + program, tmp_path], capture_output=True, text=True, check=False)
    assert answer.returncode == 0, answer.stderr
