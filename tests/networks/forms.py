# SPDX-FileCopyrightText: The Cutaway authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes a network in the forms that files of models have, each with a record of what PyTorch says of it.

A form is made in a process of its own and lies in FOLDER/FAMILY-FORM/NAME.pt, .pt2 or .onnx; its record, in
FOLDER/records under the same path with .json, has the inputs, which programs of tests/against_runtimes and
tests/against_torch read, the results' types, the FLOPs that torch.utils.flop_counter counts, and of a .pt2 what each
node gives.
"""
import dataclasses
import json
import os
import pathlib
import signal
import warnings
from typing import Callable

os.environ.setdefault("TORCH_CPP_LOG_LEVEL", "ERROR")
warnings.filterwarnings("ignore")
import torch
import torch.fx
import torch.utils._pytree as pytree
from torch.nn.attention import SDPBackend, sdpa_kernel
from torch.utils.flop_counter import FlopCounterMode

from without_onnx import without_onnx

FORMS = ("script", "trace", "strict", "nonstrict", "dynamic", "core", "onnx", "onnx_axes")


@dataclasses.dataclass
class Network:
    """`axes` has for each argument, by its place, the dimensions that differ from run to run: {0: {0: "batch"}}. What
    is in `without` is not made: PyTorch says a reason of its own for the others that it cannot make."""
    family: str
    make: Callable
    arguments: Callable
    axes: dict = dataclasses.field(default_factory=dict)
    without: tuple = ()
    opset: int = 17


# ---- what a record says


def described(value):
    if isinstance(value, torch.Tensor):
        made = {"t": "tensor", "dtype": str(value.dtype).removeprefix("torch."), "shape": list(value.shape)}
        if not value.dtype.is_floating_point and not value.dtype.is_complex and not value.is_quantized:
            made["data"] = value.flatten().tolist()
        return made
    if isinstance(value, (list, tuple)):
        return {"t": "list" if isinstance(value, list) else "tuple", "items": [described(item) for item in value]}
    if isinstance(value, dict):
        return {"t": "dict", "items": [[key, described(item)] for key, item in value.items()]}
    if value is None:
        return {"t": "none"}
    return {"t": type(value).__name__, "value": value}


def flat_inputs(names, values):
    """Inputs by name, the parts of a tuple by their place."""
    for name, value in zip(names, values):
        if isinstance(value, (list, tuple)):
            yield from flat_inputs([f"{name}.{i}" for i in range(len(value))], value)
        elif value is not None:
            yield {"name": name} | described(value)


def typed(results):
    """Of results the types alone: the inputs of a record are drawn anew where they are read."""
    tensors = [leaf for leaf in pytree.tree_leaves(results) if leaf is not None]
    return [{key: value for key, value in described(leaf).items() if key != "data"} for leaf in tensors]


def counted(call, arguments):
    """The results of a call, and the FLOPs that PyTorch counts; None where its counter does not bear the operators. It
    does not see into what oneDNN computes of recurrent networks."""
    def run():
        torch.manual_seed(5)
        return call(*pytree.tree_map_only(torch.Tensor, torch.clone, arguments))

    with torch.no_grad():
        try:
            with (sdpa_kernel(SDPBackend.MATH), torch.backends.mkldnn.flags(enabled=False),
                  FlopCounterMode(display=False) as counter):
                return run(), counter.get_total_flops()
        except RuntimeError:  # of quantized tensors
            return run(), None


def record_of(call, arguments, inputs):
    results, flops = counted(call, arguments)
    outputs = [{"name": f"o{i}"} | leaf for i, leaf in enumerate(typed(results))]
    return {"args": described(tuple(arguments)), "inputs": list(inputs), "outputs": outputs, "flops": flops}


class Values(torch.fx.Interpreter):
    """Runs a graph and notes the shapes of what its nodes give."""

    def __init__(self, module):
        super().__init__(module)
        self.shapes = {}

    def run_node(self, node):
        result = super().run_node(node)
        if isinstance(result, torch.Tensor) and node.op == "call_function":
            self.shapes[node.name] = list(result.shape)
        return result


# ---- the forms


def parameter_names(model, count):
    code = getattr(model, "forward").__code__
    names = list(code.co_varnames[1:code.co_argcount])
    return names[:count] if len(names) >= count else [f"x{i}" for i in range(count)]


def write_torchscript(network, model, arguments, path, form):
    made = torch.jit.script(model) if form == "script" else torch.jit.trace(model, arguments, check_trace=False)
    made.save(path)
    loaded = torch.jit.load(path)
    names = [value.debugName().rsplit(".", 1)[0] if value.debugName().rsplit(".", 1)[-1].isdigit() else value.debugName()
             for value in list(loaded.graph.inputs())[1:]]
    return record_of(loaded, arguments, ({"name": name} | described(value) for name, value in zip(names, arguments)))


def dynamic_shapes(network, arguments):
    def sizes(value, axes):
        if isinstance(value, torch.Tensor):
            return {axis: torch.export.Dim.AUTO for axis in axes}
        return type(value)(sizes(item, axes) for item in value) if isinstance(value, (list, tuple)) else None

    return tuple(sizes(value, network.axes.get(i, {})) for i, value in enumerate(arguments))


def write_program(network, model, arguments, path, form):
    sizes = dynamic_shapes(network, arguments) if form == "dynamic" else None
    program = torch.export.export(model, arguments, dynamic_shapes=sizes, strict=form == "strict")
    if form == "core":
        program = program.run_decompositions()
    torch.export.save(program, path)
    names = [spec.arg.name for spec in program.graph_signature.input_specs
             if spec.kind == torch.export.graph_signature.InputKind.USER_INPUT]
    record = record_of(program.module(), arguments, flat_inputs(names, pytree.tree_leaves(arguments)))
    values = Values(program.graph_module)
    with torch.no_grad():
        values.run(*program._graph_module_flat_inputs(arguments, {}))
    return record | {"values": values.shapes}


def write_onnx(network, model, arguments, path, form):
    without_onnx()
    record = record_of(model, arguments, flat_inputs(parameter_names(model, len(arguments)), arguments))
    record["flops"] = record["flops"] or None  # of quantized modules, which the counter knows none of
    names = [item["name"] for item in record["inputs"]]
    axes = None
    if form == "onnx_axes":
        axes = {}
        for i, name in enumerate(parameter_names(model, len(arguments))):
            for each in names:
                if each == name or each.startswith(name + "."):
                    axes[each] = network.axes.get(i, {})
    with torch.no_grad():
        torch.onnx.export(model, arguments, path, opset_version=network.opset, dynamo=False, input_names=names,
                          output_names=[item["name"] for item in record["outputs"]], dynamic_axes=axes)
    return record


def write_form(network, form, path):
    torch.manual_seed(1)
    model = network.make().eval()
    for module in model.modules():  # other than 0 and 1, so that normalization shows
        if isinstance(module, torch.nn.modules.batchnorm._BatchNorm) and module.running_mean is not None:
            module.running_mean.uniform_(-0.2, 0.2), module.running_var.uniform_(0.5, 1.5)
    arguments = network.arguments()
    write = {"script": write_torchscript, "trace": write_torchscript, "onnx": write_onnx, "onnx_axes": write_onnx}
    return write.get(form, write_program)(network, model, arguments, path, form)


def ending(form):
    return ".pt" if form in ("script", "trace") else ".onnx" if form.startswith("onnx") else ".pt2"


def make(folder, name, network, form, seconds):
    """Whether the file is there afterwards, made in a process of its own."""
    place = pathlib.Path(f"{network.family}-{form}", name + ending(form))
    path, record = pathlib.Path(folder, place), pathlib.Path(folder, "records", str(place) + ".json")
    if record.exists():
        return True
    path.parent.mkdir(parents=True, exist_ok=True)
    record.parent.mkdir(parents=True, exist_ok=True)
    child = os.fork()
    if child == 0:
        signal.alarm(seconds)
        try:
            record.write_text(json.dumps(write_form(network, form, str(path))), encoding="utf-8")
        except BaseException as error:
            path.unlink(missing_ok=True)
            lines = str(error).strip().splitlines() or [""]
            print(f"not made: {place}: {type(error).__name__}: {lines[0][:160]}", flush=True)
            os._exit(1)
        os._exit(0)
    if os.waitpid(child, 0)[1] != 0:
        path.unlink(missing_ok=True)
        return False
    return True
