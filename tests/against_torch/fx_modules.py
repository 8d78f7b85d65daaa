#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Cutaway authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Holds what is read of files of torch.fx against PyTorch.

usage: fx_modules.py CUTAWAY_CLI [--keep FOLDER] [NAME...]

Traces, transforms and saves modules with torch.save. Of each file, the nodes that `print --as fx` lists (opcode, name,
target) are compared with those of the graph that was saved, the shapes of `inspect` with torch's ShapeProp, and the
results of the ONNX model that `convert` makes, in ONNX Runtime, with the module's own. Exit code 1 if one differs. What
is in WITHOUT_NUMBERS is not converted, for the reason there; of what is only named, no shapes are known.
"""
import argparse
import json
import operator
import os
import re
import subprocess
import sys
import tempfile
import warnings

os.environ.setdefault("TORCH_CPP_LOG_LEVEL", "ERROR")
warnings.filterwarnings("ignore")
import numpy
import torch
import torch.fx
from torch import fx, nn
from torch.fx.passes.shape_prop import ShapeProp

WITHOUT_NUMBERS = {
    "opaque": "it calls a class and a function whose code is not in the file",
    "concrete": "an argument is a bool, which no file of an array says",
    "training": "batch statistics of training are no inference of ONNX",
}


class Mine(nn.Module):
    """A leaf of its own."""
    def __init__(self):
        super().__init__()
        self.weight = nn.Parameter(torch.rand(4))

    def forward(self, x):
        return x * self.weight


def mine(x):
    return x + 1


fx.wrap("mine")


class Conv(nn.Module):
    def __init__(self, channels=4):
        super().__init__()
        self.conv, self.bn, self.act = nn.Conv2d(3, channels, 3, padding=1), nn.BatchNorm2d(channels), nn.ReLU(inplace=True)
        self.bn.running_mean.uniform_(), self.bn.running_var.uniform_(0.5, 1.5)
        self.head = nn.Sequential(nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Dropout(0.2), nn.Linear(channels, 5))

    def forward(self, x):
        return self.head(self.act(self.bn(self.conv(x))))


class Function(nn.Module):
    def __init__(self, function, **parts):
        super().__init__()
        self.function = function
        self.linear = nn.Linear(4, 4)
        self.register_buffer("mean", torch.rand(4))
        for name, part in parts.items():
            setattr(self, name, part)

    def forward(self, *inputs):
        return self.function(self, *inputs)


def of(function, inputs, **parts):
    names = ", ".join(function.__code__.co_varnames[1:function.__code__.co_argcount])
    scope = {}
    exec("def forward(self, %s): return self.function(self, %s)" % (names, names), scope)
    kind = type(function.__name__, (Function,), {"forward": scope["forward"]})
    return fx.symbolic_trace(kind(function, **parts).eval()), inputs


def infix(self, x, y):
    z = x + y * 2 - (1 - x) / 4
    return (z ** 2 + 2 ** x, -z, (x > y) & (z <= 1), x @ y.t(), 3 / (x + 2), 1.5 * z % 2)


def indices(self, x):
    return x[0], x[:, 1:], x[..., -1], x[None, :, 0], x[:, ::2], x[-1, None, 1:3]


def shapes(self, x):
    batch, rest = x.size(0), x.shape[1]
    return x.view(batch, -1, 2), x.reshape(batch * rest), x.permute(1, 0).contiguous().flatten()


def methods(self, x):
    values, places = x.max(dim=1)
    parts = x.split(2, dim=1)
    return values, places, parts[1], x.chunk(2)[0], torch.cat([x, x], dim=1), x.float().type_as(x).to(torch.float64).mean()


def functions(self, x):
    y = nn.functional.softmax(torch.relu(x), dim=-1)
    y = nn.functional.layer_norm(y, (4,)) + nn.functional.gelu(x)
    return nn.functional.dropout(y, 0.5, self.training), torch.einsum("ij,kj->ik", x, y), nn.functional.normalize(y)


def keywords(self, x):
    return torch.sum(input=x, dim=1, keepdim=True), torch.clamp(x, min=0.25), x.transpose(dim0=0, dim1=1), torch.where(x > 0.5, x, self.mean)


def in_place(self, x):
    y = x.clone()
    y.add_(1).mul_(2)
    y += x
    return y


def dictionary(self, x):
    return {"sum": x + self.mean, "both": (self.linear(x), [x * 2])}


def asserted(self, x):
    torch._assert(x.shape[1] == 4, "four columns")
    return self.linear(x)


def wrapped(self, x):
    return mine(self.leaf(self.linear(x))) * 2


def pictures(self, x):
    x = self.up(self.pool(self.pad(x)))
    return nn.functional.max_pool2d(nn.functional.interpolate(x, scale_factor=2, mode="bilinear", align_corners=False), 2)


def words(self, tokens):
    x, state = self.lstm(self.table(tokens))
    y, last = self.gru(x)
    return y, state[0], last


def attention(self, x):
    y, _ = self.attention(x, x, x, need_weights=False)
    z, weights = self.attention(y, y, y)
    return z, weights


def activations(self, x):
    for layer in self.layers:
        x = layer(x + 0.1)
    return x


LAYERS = ("ReLU6", "SiLU", "Mish", "Hardswish", "Hardsigmoid", "Sigmoid", "Tanh", "GELU", "ELU", "LeakyReLU", "Softplus",
          "Softsign", "LogSigmoid", "Hardtanh", "CELU", "SELU", "PReLU", "Tanhshrink")


def fused(module, inputs):
    from torch.fx.experimental.optimization import fuse
    return fuse(module.eval()), inputs


def split(module, inputs):
    from torch.fx.passes.split_module import split_module
    count = [0]

    def part(node):
        count[0] += 1
        return (count[0] - 1) // 3
    return split_module(module, module, part), inputs


def replaced():
    from torch.fx import subgraph_rewriter
    module, inputs = of(functions, (torch.rand(2, 4),))
    subgraph_rewriter.replace_pattern(module, lambda x: torch.relu(x), lambda x: torch.sigmoid(x) * x)
    return module, inputs


def made(function, *inputs):
    from torch.fx.experimental.proxy_tensor import make_fx
    return make_fx(function)(*inputs), inputs


class Concrete(nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(4, 4)

    def forward(self, x, flag, more):
        x = self.linear(x) if flag else x
        return x if more is None else x + more["by"]


class Typed(nn.Module):
    def forward(self, x: torch.Tensor, n: int = 2):
        return x * n


def concrete():
    module = fx.symbolic_trace(Concrete().eval(), concrete_args={"flag": False, "more": {"by": fx.PH}})
    return module, (torch.rand(2, 4), False, {"by": torch.rand(4)})


def changed():
    """Functions exchanged, names that are not those of a trace."""
    module, inputs = of(infix, (torch.rand(3, 3), torch.rand(3, 3)))
    for node in module.graph.nodes:
        if node.target is operator.mul:
            node.target = torch.mul
    module.recompile()
    return module, inputs


def vision(name, size, **options):
    import torchvision
    model = getattr(torchvision.models, name)(weights=None, **options).eval()
    return fx.symbolic_trace(model), (torch.rand(1, 3, size, size),)


def modules():
    x, picture = torch.rand(2, 4), torch.rand(2, 3, 8, 8)
    for function, inputs in ((infix, (torch.rand(3, 3), torch.rand(3, 3))), (indices, (x,)), (shapes, (x,)), (methods, (x,)),
                             (functions, (x,)), (keywords, (x,)), (in_place, (x,)), (dictionary, (x,)), (asserted, (x,))):
        yield function.__name__, of(function, inputs)
    yield "opaque", opaque()
    yield "pictures", of(pictures, (picture,), pad=nn.ReflectionPad2d(1), pool=nn.AvgPool2d(2), up=nn.Upsample(scale_factor=2))
    yield "words", of(words, (torch.tensor([[1, 2, 3], [4, 5, 6]]),), table=nn.Embedding(7, 4),
                      lstm=nn.LSTM(4, 4, batch_first=True), gru=nn.GRU(4, 4, 2, batch_first=True, bidirectional=True))
    yield "attention", of(attention, (torch.rand(2, 3, 4),), attention=nn.MultiheadAttention(4, 2, batch_first=True))
    yield "activations", of(activations, (x,), layers=nn.ModuleList(getattr(nn, name)() for name in LAYERS))
    conv = fx.symbolic_trace(Conv().eval())
    yield "conv", (conv, (picture,))
    yield "training", (fx.symbolic_trace(Conv().train()), (picture,))
    yield "fused", fused(conv, (picture,))
    yield "split", split(conv, (picture,))
    yield "replaced", replaced()
    yield "made", made(lambda a, b: torch.softmax(a @ b, -1).max(-1)[0] + a.sum(), torch.rand(3, 3), torch.rand(3, 3))
    yield "made_module", made(lambda a: nn.functional.batch_norm(a, torch.zeros(3), torch.ones(3)).mean((2, 3)), picture)
    yield "concrete", concrete()
    yield "typed", (fx.symbolic_trace(Typed()), (x,))
    yield "changed", changed()
    for name, size in (("resnet18", 64), ("mobilenet_v3_small", 64), ("squeezenet1_1", 64), ("shufflenet_v2_x0_5", 64),
                       ("densenet121", 64), ("efficientnet_b0", 64), ("convnext_tiny", 64), ("regnet_y_400mf", 64),
                       ("googlenet", 64)):
        yield name, vision(name, size, **({"init_weights": False, "aux_logits": False} if name == "googlenet" else {}))
    yield "vit", vit()


def vit():
    from torchvision.models.vision_transformer import VisionTransformer
    model = VisionTransformer(image_size=32, patch_size=8, num_layers=2, num_heads=2, hidden_dim=16, mlp_dim=32).eval()
    return fx.symbolic_trace(model), (torch.rand(1, 3, 32, 32),)


def opaque():
    class Leaves(fx.Tracer):
        def is_leaf_module(self, module, name):
            return isinstance(module, Mine) or super().is_leaf_module(module, name)
    kind = type("Wrapped", (Function,), {"forward": lambda self, x: wrapped(self, x)})
    root = kind(wrapped, leaf=Mine())
    graph = Leaves().trace(root)
    return fx.GraphModule(root, graph), (torch.rand(2, 4),)


# ---- what is compared

def target(node):
    if node.op != "call_function":
        return str(node.target)
    name = getattr(node.target, "__name__", None)
    if isinstance(node.target, torch._ops.OpOverload):
        return "torch.ops." + str(node.target)
    if getattr(node.target, "__module__", None) in ("builtins", "_operator"):
        return ("builtins." if node.target.__module__ == "builtins" else "operator.") + name
    return fx.node._get_qualified_name(node.target)


def listed(cli, path):
    text = subprocess.run([cli, "print", path, "--as", "fx"], capture_output=True, text=True, check=True).stdout
    rows = [re.split("  +", line.strip()) for line in text.split("\n\n")[0].split("\n")[2:] if line.strip()]
    return [row[:4 if row[0] == "output" else 3] for row in rows]


def printed(argument):
    """As Cutaway prints a value in Python."""
    if isinstance(argument, fx.Node):
        return argument.name
    if isinstance(argument, dict):
        return "{" + ", ".join("%s: %s" % (json.dumps(key), printed(value)) for key, value in argument.items()) + "}"
    if not isinstance(argument, (list, tuple)):
        return str(argument)
    items = ", ".join(map(printed, argument))
    return "[" + items + "]" if isinstance(argument, list) else "(" + items + (",)" if len(argument) == 1 else ")")


def list_difference(cli, path, module):
    # Code has its placeholders first, wherever they are in the graph.
    nodes = sorted(module.graph.nodes, key=lambda node: node.op != "placeholder")
    theirs = [[node.op, node.name, target(node)] + [printed(node.args)] * (node.op == "output") for node in nodes]
    ours = listed(cli, path)
    for their, our in zip(theirs, ours):
        if [part[:39] for part in their] != [part.rstrip("…")[:39] for part in our]:
            return "torch lists %s, not %s" % (" ".join(their), " ".join(our))
    return None if len(theirs) == len(ours) else "torch lists %d nodes, not %d" % (len(theirs), len(ours))


def leaves(value):
    if isinstance(value, torch.Tensor):
        return [value]
    if isinstance(value, dict):
        value = list(value.values())
    return [leaf for part in value for leaf in leaves(part)] if isinstance(value, (list, tuple)) else []


def given(module, inputs, folder):
    """--input of each placeholder, from .npy files."""
    options, flat = [], []
    process = getattr(module.graph, "process_inputs", None)
    values = process(*inputs) if process else inputs
    for node, value in zip((n for n in module.graph.nodes if n.op == "placeholder"), values):
        if not isinstance(value, torch.Tensor):
            continue
        path = os.path.join(folder, node.name + ".npy")
        numpy.save(path, value.numpy())
        options += ["--input", "%s=@%s" % (node.name, path)]
        flat.append(value)
    return options, flat


def shape_difference(cli, path, module, inputs, options):
    ShapeProp(module).propagate(*(module.graph.process_inputs(*inputs)))
    run = subprocess.run([cli, "inspect", path, "--json", *options], capture_output=True, text=True)
    if run.returncode:
        return "inspect: " + (run.stderr or run.stdout).strip().split("\n")[-1]
    values = {value["name"]: value for value in json.loads(run.stdout)["functions"][0]["values"]}
    for node in module.graph.nodes:
        meta = node.meta.get("tensor_meta")
        ours = values.get(node.name)
        if ours is None or not isinstance(meta, fx.passes.shape_prop.TensorMetadata) or node.op == "output":
            continue
        if ours.get("shape") != list(meta.shape):
            return "%s has the shape %s, not %s" % (node.name, list(meta.shape), ours.get("shape"))
    return None


RUN = """
import sys, numpy, onnxruntime
options = onnxruntime.SessionOptions()
options.log_severity_level = 3
session = onnxruntime.InferenceSession(sys.argv[1], options)
data = numpy.load(sys.argv[2])
feed = {i.name: data[i.name] for i in session.get_inputs()}
results = session.run(None, feed)
numpy.savez(sys.argv[3], **{"r%d" % i: r for i, r in enumerate(results)})
"""


def number_difference(cli, path, module, inputs, options, folder):
    onnx, data, results = (os.path.join(folder, name) for name in ("m.onnx", "in.npz", "out.npz"))
    torch.manual_seed(0)
    expected = [leaf.detach().numpy() for leaf in leaves(module(*inputs))]
    run = subprocess.run([cli, "convert", path, "-o", onnx, *options], capture_output=True, text=True)
    if run.returncode:
        return "convert: " + " ".join((run.stderr or run.stdout).strip().split("\n")[-3:])
    arrays = {options[i + 1].split("=@")[0]: numpy.load(options[i + 1].split("=@")[1]) for i in range(0, len(options), 2)}
    numpy.savez(data, **arrays)
    run = subprocess.run([sys.executable, "-c", RUN, onnx, data, results], capture_output=True, text=True)
    if run.returncode:
        return "ONNX Runtime: " + run.stderr.strip().split("\n")[-1]
    found = numpy.load(results)
    if len(found.files) != len(expected):
        return "%d results, not %d" % (len(expected), len(found.files))
    for i, want in enumerate(expected):
        have = found["r%d" % i]
        if want.shape != have.shape or not numpy.allclose(want, have, rtol=1e-3, atol=1e-4):
            return "result %d differs by %s" % (i, numpy.abs(want.astype(float) - have).max() if want.shape == have.shape else "shape")
    return None


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("cli")
    parser.add_argument("names", nargs="*")
    parser.add_argument("--keep", help="folder for the files")
    arguments = parser.parse_args()
    failed, counts = 0, {"files": 0, "listed": 0, "shapes": 0, "numbers": 0}
    torch.manual_seed(0)
    for name, (module, inputs) in modules():
        if arguments.names and name not in arguments.names:
            continue
        counts["files"] += 1
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(arguments.keep or folder, name + ".pt")
            torch.save(module, path)
            if not arguments.cli:
                continue
            options, _ = given(module, inputs, folder)
            checks = {"listed": lambda: list_difference(arguments.cli, path, module),
                      "shapes": lambda: shape_difference(arguments.cli, path, module, inputs, options),
                      "numbers": lambda: number_difference(arguments.cli, path, module, inputs, options, folder)}
            for check, run in checks.items():
                if check == "numbers" and name in WITHOUT_NUMBERS or check == "shapes" and name == "opaque":
                    continue
                try:
                    difference = run()
                except (subprocess.CalledProcessError, RuntimeError) as error:
                    difference = str(getattr(error, "stderr", None) or error).strip()[-300:]
                counts[check] += difference is None
                if difference:
                    failed += 1
                    print("%s: %s: %s" % (name, check, difference), flush=True)
    print("%(files)d files: %(listed)d listed as torch lists them, %(shapes)d of torch's shapes, %(numbers)d of its numbers" % counts)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
