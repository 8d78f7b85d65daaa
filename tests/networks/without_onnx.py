# SPDX-FileCopyrightText: The Cutaway authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""torch.onnx.export in a process without the package onnx."""
import importlib.machinery
import sys
import types


def without_onnx():
    """torch asks the package onnx for functions of onnxscript in the model, of which there are none; both packages do not
    bear each other in one process."""
    module, graph = types.ModuleType("onnx"), types.SimpleNamespace(node=[])
    module.__spec__ = importlib.machinery.ModuleSpec("onnx", None)
    module.load_model_from_string = lambda _: types.SimpleNamespace(graph=graph)
    sys.modules["onnx"] = module
