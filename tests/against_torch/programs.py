# SPDX-FileCopyrightText: The Cutaway authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Programs of PyTorch's own operator samples (OpInfo), in the forms that a file may have, and what they are when they run.

A sample's tensors are the inputs of a module that calls the operator; all else is a constant of it. Each form is written
to FOLDER/OPERATOR.SAMPLE.FORM.pt2 (or .pt), and beside it, as JSON, lies what its nodes give when they run.
"""
import itertools
import json
import operator
import os
import random
import sys
import tempfile
import types
import warnings

os.environ.setdefault("TORCH_CPP_LOG_LEVEL", "ERROR")
warnings.filterwarnings("ignore")
import torch
import torch.fx
import torch.utils
import torch.utils._pytree as pytree
from torch.nn.attention import SDPBackend, sdpa_kernel
from torch.utils.flop_counter import FlopCounterMode

FORMS = ("static", "dynamic", "core", "traced")
MAX_ELEMENTS = 1 << 22  # of a sample's tensors together
# Samples of one operator are of these in turn, as far as it takes them.
DTYPES = (torch.float32, torch.int64, torch.bfloat16, torch.complex64, torch.float32, torch.uint8, torch.float16,
          torch.bool)


def operators():
    """OpInfo by name. Its modules ask for packages of their own tests, of which nothing is used here."""
    for name in ("torch.utils.cpp_extension", "expecttest"):
        if name not in sys.modules:
            sys.modules[name] = types.ModuleType(name)
    sys.modules["expecttest"].TestCase = object
    torch.utils.cpp_extension = sys.modules["torch.utils.cpp_extension"]
    torch.utils.cpp_extension.ROCM_HOME = None
    from torch.testing._internal.common_methods_invocations import op_db
    found = {}
    for info in op_db:
        found[info.name + ("." + info.variant_test_name if info.variant_test_name else "")] = info
    return found


class Call(torch.nn.Module):
    """A sample as a module: `leaves` are its arguments, `spec` how they nest; tensors are inputs."""

    def __init__(self, function, leaves, spec):
        super().__init__()
        self.function, self.spec = function, spec
        self.leaves = [None if isinstance(leaf, torch.Tensor) else leaf for leaf in leaves]
        self.tensors = [i for i, leaf in enumerate(leaves) if isinstance(leaf, torch.Tensor)]

    def forward(self, *tensors):
        leaves = list(self.leaves)
        for i, tensor in zip(self.tensors, tensors):
            leaves[i] = tensor
        arguments, named = pytree.tree_unflatten(leaves, self.spec)
        return self.function(*arguments, **named)


def drawn_samples(info, name):
    """(module, tensors) of the samples in an order that depends on the operator's name alone."""
    dtypes = [dtype for dtype in DTYPES if dtype in info.dtypes] or sorted(info.dtypes, key=str)[:1]
    if not dtypes:  # of another device
        return
    orders = {}
    for dtype in itertools.cycle(dtypes):
        if dtype not in orders:
            torch.manual_seed(1)
            random.seed(1)
            samples = list(info.sample_inputs("cpu", dtype, requires_grad=False))
            random.Random(name).shuffle(samples)
            orders[dtype] = samples
        if not orders[dtype]:
            if len(orders) == len(set(dtypes)) and not any(orders.values()):
                return
            continue
        sample = orders[dtype].pop(0)
        leaves, spec = pytree.tree_flatten(((sample.input, *sample.args), sample.kwargs))
        leaves = [leaf.detach().clone() if isinstance(leaf, torch.Tensor) else leaf for leaf in leaves]
        tensors = [leaf for leaf in leaves if isinstance(leaf, torch.Tensor)]
        if tensors and sum(tensor.numel() for tensor in tensors) <= MAX_ELEMENTS:
            yield Call(info.op, leaves, spec), tensors


def described(value, storages):
    """A tensor as {"dtype", "shape", "storage", "bytes"}, a list of these, or a number."""
    if isinstance(value, torch.Tensor):
        answer = {"dtype": str(value.dtype).removeprefix("torch."), "shape": list(value.shape)}
        if value.layout == torch.strided:
            storage = value.untyped_storage()
            answer |= {"storage": storages.setdefault(storage._cdata, len(storages)), "bytes": storage.nbytes()}
        return answer
    if isinstance(value, (list, tuple)):
        return [described(item, storages) for item in value]
    return value if isinstance(value, (bool, int, float, str)) else None


class Recorder(torch.fx.Interpreter):
    """Runs a graph and notes what each node gives, and the FLOPs by operator that torch.utils.flop_counter counts."""

    def __init__(self, module):
        super().__init__(module, garbage_collect_values=False)
        self.values, self.flops, self.storages, self.bindings = {}, {}, {}, {}
        self.counter = FlopCounterMode(display=False)
        self.kept = []

    def run_node(self, node):
        before = self.counter.get_total_flops()
        result = super().run_node(node)
        if node.op == "call_function":
            count = self.counter.get_total_flops() - before
            target = operator_name(node.target)
            self.flops[target] = self.flops.get(target, 0) + count
        if node.op != "output":
            self.kept.append(result)
            self.values[node.name] = described(result, self.storages)
            self.bind(node.meta.get("val"), result)
        return result

    def bind(self, symbolic, result):
        """Takes from the sizes of a result what the symbols stand for."""
        if isinstance(symbolic, torch.SymInt):
            expression = symbolic.node.expr
            if expression.is_Symbol and isinstance(result, int):
                self.bindings.setdefault(str(expression), result)
        elif isinstance(symbolic, torch.Tensor) and isinstance(result, torch.Tensor):
            for size, known in zip(symbolic.shape, result.shape):
                self.bind(size, known)
        elif isinstance(symbolic, (list, tuple)) and isinstance(result, (list, tuple)):
            for part, known in zip(symbolic, result):
                self.bind(part, known)


def operator_name(target):
    return str(target).replace(".", "::", 1) if isinstance(target, torch._ops.OpOverload) else str(target)


def storages_in(value):
    """{storage: bytes} of the tensors in a described value; nothing where a tensor lies in none."""
    if isinstance(value, dict):
        return {value["storage"]: value["bytes"]}
    return {key: n for item in value for key, n in storages_in(item).items()} if isinstance(value, list) else {}


def peak_bytes(graph, values, user_inputs):
    """The most that lives at a node: storages from the node that makes them to the last that uses them; those of
    parameters, buffers and constants are not counted."""
    lives, weights, step = {}, set(), 0
    for node in graph.nodes:
        step += not (node.op == "placeholder" or node.target is operator.getitem)
        if node.op == "placeholder" and node.name not in user_inputs:
            weights |= set(storages_in(values[node.name]))
        for used in [*node.all_input_nodes, node]:
            for key, size in storages_in(values.get(used.name)).items():
                first, _, largest = lives.get(key, (step, step, 0))
                lives[key] = (first, step, max(size, largest))
    ends = [0] * (step + 2)
    for key, (first, last, size) in lives.items():
        if key not in weights:
            ends[first] += size
            ends[last + 1] -= size
    return max(itertools.accumulate(ends))


def recorded(program, tensors):
    with torch.no_grad(), sdpa_kernel(SDPBackend.MATH):
        recorder = Recorder(program.graph_module)
        flat = program._graph_module_flat_inputs(tuple(tensor.clone() for tensor in tensors), {})
        with recorder.counter:
            recorder.run(*flat)
    try:
        peak = peak_bytes(program.graph, recorder.values, set(program.graph_signature.user_inputs))
    except KeyError:  # a sparse tensor has no storage
        peak = None
    return {"values": recorder.values, "flops": recorder.flops, "bindings": recorder.bindings, "peak": peak}


def exported(module, tensors, dynamic):
    sizes = None
    if dynamic:
        sizes = (tuple({i: torch.export.Dim.AUTO for i in range(tensor.dim())} for tensor in tensors),)
    return torch.export.export(module, tuple(tensors), dynamic_shapes=sizes, strict=False)


class TraceRunner:
    """Runs a trace's graph: what its nodes give, and FLOPs, by operator, in the order of the nodes. A trace records of a
    number that was promoted as such what its graph, where it is a tensor, no longer does."""

    def __init__(self, graph, inputs):
        self.values, self.flops, self.env = {}, {}, {}
        self.counter = FlopCounterMode(display=False)
        given = [value for value in graph.inputs() if value.type().kind() != "ClassType"]
        self.env.update(zip((value.debugName() for value in given), inputs, strict=True))
        with self.counter:
            for node in graph.nodes():
                self.run(node)

    def run(self, node):
        before = self.counter.get_total_flops()
        results = self.results_of(node, [self.env.get(value.debugName()) for value in node.inputs()])
        self.env.update(zip((value.debugName() for value in node.outputs()), results, strict=True))
        if node.kind().startswith("aten::"):
            count = self.counter.get_total_flops() - before
            self.flops[node.kind()] = self.flops.get(node.kind(), 0) + count
            self.values.setdefault(node.kind(), []).append(
                [described(value, {}) if isinstance(value, torch.Tensor) else None for value in results])

    @staticmethod
    def results_of(node, arguments):
        kind = node.kind()
        if kind == "prim::Constant":
            return [node.output().toIValue()]
        if kind in ("prim::ListConstruct", "prim::TupleConstruct"):
            return [arguments]
        if kind in ("prim::ListUnpack", "prim::TupleUnpack"):
            return arguments[0]
        if kind == "prim::NumToTensor":
            return [torch.tensor(arguments[0])]
        if not kind.startswith("aten::"):
            raise NotImplementedError(kind)
        name, _, overload = node.schema().partition("(")[0].removeprefix("aten::").partition(".")
        function = getattr(getattr(torch.ops.aten, name), overload or "default")
        if function in TAKES_NUMBERS and is_number(list(node.inputs())[1]):
            arguments[1] = arguments[1].item()
        slots = list(zip(function._schema.arguments, arguments))
        result = function(*(value for slot, value in slots if not slot.kwarg_only),
                          **{slot.name: value for slot, value in slots if slot.kwarg_only})
        return list(result) if node.outputsSize() > 1 else [result]


TAKES_NUMBERS = {operator.Tensor for operator in (torch.ops.aten.add, torch.ops.aten.sub, torch.ops.aten.mul,
                                                  torch.ops.aten.div)}


def is_number(value):
    """Whether the executor makes a number of it in arithmetic, as it does with a constant without dimensions."""
    constant = value.toIValue() if value.node().kind() == "prim::Constant" else None
    return isinstance(constant, torch.Tensor) and constant.dim() == 0


def traced_record(path, tensors):
    with torch.no_grad(), sdpa_kernel(SDPBackend.MATH):
        runner = TraceRunner(torch.jit.load(path).inlined_graph, [tensor.clone() for tensor in tensors])
    inputs = [{"dtype": str(tensor.dtype).removeprefix("torch."), "shape": list(tensor.shape)} for tensor in tensors]
    return {"nodes": runner.values, "flops": runner.flops, "inputs": inputs}


def write_form(form, module, tensors, made, path):
    """The record of one form of a sample, written beside the form itself."""
    tensors = [tensor.clone() for tensor in tensors]
    if form == "traced":
        traced = torch.jit.trace(module, tuple(tensors), check_trace=False)
        traced.save(path)
        return traced_record(path, tensors)
    if form == "core":
        program = made.get("dynamic") or made["static"]
        program = program.run_decompositions()
    else:
        program = exported(module, tensors, form == "dynamic")
    made[form] = program
    record = recorded(program, tensors)
    torch.export.save(program, path)
    return record


def stem_of(folder, name, number, form):
    return os.path.join(folder, f"{name}.{number}.{form}")


def path_of(stem):
    return stem + (".pt" if stem.endswith(".traced") else ".pt2")


def is_made(folder, name, number):
    """Whether nothing is left to be made of this sample, be it that there is none."""
    return any(os.path.exists(stem_of(folder, name, number, end)) for end in (FORMS[-1] + ".json", "none"))


def give_up(folder, name, number):
    open(stem_of(folder, name, number, "none"), "w").close()


def write_sample(folder, name, number, module, tensors):
    """Writes all forms of one sample that PyTorch makes; why it makes the others not goes beside them."""
    made = {}
    for form in FORMS:
        stem = stem_of(folder, name, number, form)
        path = path_of(stem)
        try:
            record = write_form(form, module, tensors, made, path)
        except Exception as error:  # PyTorch refuses with exceptions of every kind
            record = {"refused": f"{type(error).__name__}: {str(error).strip().partition(chr(10))[0][:160]}"}
            if os.path.exists(path):
                os.remove(path)
        with open(stem + ".json", "w") as file:
            json.dump(record, file)


def make(folder, info, name, number):
    sample = next(itertools.islice(drawn_samples(info, name), number, None), None)
    if sample:
        write_sample(folder, name, number, *sample)
    else:
        give_up(folder, name, number)


def warm_up():
    """Imports what exporting needs, so that processes that are forked afterwards have it."""
    with tempfile.TemporaryDirectory() as folder:
        write_sample(folder, "sin", 0, Call(torch.sin, *pytree.tree_flatten(((torch.ones(2),), {}))), [torch.ones(2)])
