#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Cutaway authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""live_models.py [WORD...]: runs the manual's page on live models, and shows models as they are in a program: of torchvision,
of transformers' kinds and of a user's own.

The window is a program that copies what it is shown. An answer is right if what was shown has the results of the model, by
their shapes, and its weights, by their number; or, of what cannot be exported, if it names the line. Without a `cutaway`
that Python finds, that of build/release is taken. With words, only models whose names have one of them.
"""
import contextlib
import importlib.util
import math
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time

import torch
import torchvision
from torch import nn

ROOT = pathlib.Path(__file__).parents[2]
sys.path.insert(0, str(pathlib.Path(__file__).parent))
if importlib.util.find_spec("cutaway") is None:
    sys.path.insert(1, str(ROOT / "build/release/app/python"))
import cutaway
from structure_models import GPT, BertLayer

TV = torchvision.models
BATCH = torch.export.Dim("batch", min=2, max=64)


class Branch(nn.Module):
    """Takes a way that depends on the numbers."""

    def __init__(self):
        super().__init__()
        self.near = nn.Linear(4, 4)

    def forward(self, x):
        y = self.near(x).relu()
        if y.sum() > 3:  # the line
            y = 2 * y
        return y


class Masked(nn.Module):
    def forward(self, x, *, mask=None, scale=1.0):
        return scale * (x if mask is None else x.masked_fill(mask, 0.0))


class Lengths(nn.Module):
    """Takes as many rows as the numbers say, as models of language do with lengths."""

    def forward(self, x, lengths):
        return [x[i, :int(n)].mean() for i, n in enumerate(lengths.tolist())]  # the line


class LossOf(nn.Module):
    """A training step's module: a model with its loss."""

    def __init__(self, model):
        super().__init__()
        self.model = model

    def forward(self, x, y):
        return nn.functional.cross_entropy(self.model(x), y)


class Table(nn.Module):
    """Chooses a layer by the numbers."""

    def __init__(self):
        super().__init__()
        self.gate, self.experts = nn.Linear(4, 2), nn.ModuleList(nn.Linear(4, 4) for _ in range(2))

    def forward(self, x):
        return self.experts[int(self.gate(x).sum(0).argmax())](x)  # the line


class Grown(nn.Module):
    """Appends to a list that it was given, of which torch exports the results."""

    def forward(self, xs):
        xs.append(xs[0].relu())
        return xs[-1] + xs[0]


torch.library.define("cutaway_tests::unknown", "(Tensor x) -> Tensor")


@torch.library.impl("cutaway_tests::unknown", "cpu")
def unknown(x):
    return x + 1


class Unsupported(nn.Module):
    """Calls an operator of which torch does not know what it makes."""

    def forward(self, x):
        y = x.relu()
        return torch.ops.cutaway_tests.unknown(y) * 2  # the line


class Pair(nn.Module):
    def forward(self, x, y):
        return x + y


def image(*sizes):
    return torch.rand(*sizes)


def tokens(*sizes):
    return torch.randint(0, 100, sizes)


def vit():
    return TV.VisionTransformer(image_size=32, patch_size=8, num_layers=3, num_heads=4, hidden_dim=64, mlp_dim=128)


def swin():
    return TV.SwinTransformer(patch_size=[4, 4], embed_dim=24, depths=[2, 2], num_heads=[2, 4], window_size=[4, 4])


def on_meta():
    with torch.device("meta"):
        return nn.Linear(3, 4)


# name: the model, its inputs, by name, dynamic shapes
MODELS = {
    "torchvision resnet18": lambda: (TV.resnet18(), [image(1, 3, 64, 64)]),
    "torchvision resnet18, any batch": lambda: (TV.resnet18().eval(), [image(4, 3, 64, 64)], {}, {"x": {0: BATCH}}),
    "torchvision mobilenet_v3_small": lambda: (TV.mobilenet_v3_small().eval(), [image(1, 3, 64, 64)]),
    "torchvision squeezenet1_1": lambda: (TV.squeezenet1_1().eval(), [image(1, 3, 64, 64)]),
    "torchvision vision transformer": lambda: (vit().eval(), [image(1, 3, 32, 32)]),
    "torchvision swin": lambda: (swin().eval(), [image(1, 3, 32, 32)]),
    "torchvision segmentation": lambda: (TV.segmentation.lraspp_mobilenet_v3_large(weights=None, weights_backbone=None).eval(),
                                         [image(1, 3, 64, 64)]),
    "torchvision video r3d_18": lambda: (TV.video.r3d_18().eval(), [image(1, 3, 4, 32, 32)]),
    "a decoder as GPT": lambda: (GPT(layers=2), [tokens(2, 16)]),
    "an encoder layer as BERT": lambda: (BertLayer(32, 4), [image(2, 8, 32)]),
    "torch's transformer": lambda: (nn.Transformer(32, 4, 1, 1, 64, batch_first=True).eval(), [image(2, 5, 32), image(2, 6, 32)]),
    "an LSTM": lambda: (nn.LSTM(8, 16, batch_first=True), [image(2, 5, 8)]),
    "inputs by name": lambda: (Masked(), [image(2, 3)], {"mask": torch.ones(2, 3, dtype=torch.bool), "scale": 0.5}),
    "an exported program": lambda: (torch.export.export(nn.Linear(3, 4), (image(2, 3),)), []),
    "a graph module": lambda: (torch.fx.symbolic_trace(TV.resnet18().eval()), []),
    "a graph module with inputs": lambda: (torch.fx.symbolic_trace(nn.Linear(3, 4)), [image(2, 3)]),
    "a traced module": lambda: (torch.jit.trace(nn.Linear(3, 4), image(2, 3)), []),
    "a compiled module": lambda: (torch.compile(nn.Linear(3, 4)), [image(2, 3)]),
    "a training step's module": lambda: (LossOf(TV.resnet18()).train(), [image(2, 3, 64, 64), tokens(2)]),
    "a model on meta": lambda: (on_meta(), [torch.ones(2, 3, device="meta")]),
    "a list that the model appends to": lambda: (Grown(), [[image(2, 4)]]),
    "half precision": lambda: (nn.Linear(3, 4, dtype=torch.bfloat16), [image(2, 3).bfloat16()]),
}
# These cannot be exported, because of the line that says so.
FAILURES = {
    "a branch on numbers": lambda: (Branch(), [image(2, 4)]),
    "an expert chosen by numbers": lambda: (Table(), [image(2, 4)]),
    "an operator that torch cannot trace": lambda: (Unsupported(), [image(2, 4)]),
    "lengths from numbers": lambda: (Lengths(), [image(2, 4), torch.tensor([1, 3])]),
}
# Wrong inputs, and a part of the sentence.
MISTAKES = {
    "no inputs": (Branch, [], "Branch is exported with example inputs, and none were given; expected those of forward(x)"),
    "an input that is missing": (Pair, [image(2, 4)], "missing a required argument: 'y'"),
    "too many inputs": (Branch, [image(2, 4), image(2)], "too many positional arguments"),
    "a shape that does not fit": (Branch, [image(2, 3)], "Branch cannot be exported: "),
    "a model on meta, inputs that are not": (on_meta, [image(2, 3)], "Linear cannot be exported: "),
}


def shown(folder, model, args, kwargs, shapes):
    """The window's model and what it says of a failure."""
    for old in folder.glob("shown*"):
        old.unlink()
    program = folder / "window"
    program.write_text(f'#!/bin/sh\ncp "$1" {folder}/shown.file\n')
    program.chmod(0o755)
    window = cutaway.show(model, *args, dynamic_shapes=shapes, program=str(program), wait=True, **kwargs)
    assert window.wait() == 0
    if window.failure is not None:
        return cutaway.open(f"{folder / 'shown.file'}#draft_export"), window.failure
    return cutaway.open(folder / "shown.file"), None


def results_of(model, args, kwargs):
    """The shapes of the tensors that the model returns; None where it is not called."""
    if not args:
        return None
    with torch.no_grad():
        leaves = torch.utils._pytree.tree_leaves(model(*args, **kwargs))
    return [tuple(leaf.shape) for leaf in leaves if isinstance(leaf, torch.Tensor)]


def numbers_of(model):
    """How many elements its parameters and buffers have, which an export may share; None where this is unknown."""
    module = getattr(model, "_orig_mod", model)
    if not isinstance(module, nn.Module):
        return None
    return sum(tensor.numel() for tensor in module.parameters())


def judged(folder, model, args, kwargs=None, shapes=None):
    """What is wrong with the answer, or ''."""
    expected, count = results_of(model, args, kwargs or {}), numbers_of(model)
    found, failure = shown(folder, model, args, kwargs or {}, shapes)
    if failure is not None:
        return f"it was not exported: {failure}"
    weights = sum(math.prod(weight.shape) for weight in found.weights)
    if count is not None and weights < count:
        return f"of {count} numbers in parameters, {weights} were shown"
    outputs = [value.shape for value in found.analyse().graph.outputs]
    if expected is not None and shapes is None and not set(expected) <= {each and tuple(each) for each in outputs}:
        return f"the results are {expected}, and {outputs} were shown"
    if shapes is not None and not any(isinstance(size, str) for each in outputs for size in each):
        return f"no size is left open: {outputs}"
    return ""


def judged_failure(folder, model, args):
    found, failure = shown(folder, model, args, {}, None)
    if failure is None:
        return "it was exported"
    if failure.place is None or "# the line" not in failure.place.code:
        return f"the line is {failure.place}"
    if not failure.reason or len(found.graph) == 0 or "<svg" not in failure._repr_html_():
        return "there is no reason, or no graph"
    return ""


def judged_mistake(model, args, part):
    try:
        cutaway.open(model(), *args)
    except cutaway.Error as error:
        return "" if part in str(error) else f"it says: {error}"
    return "it was opened"


def judged_manual(folder):
    """Runs the page's Python; what stands behind '# ->' is what the line prints."""
    blocks = re.findall(r"^```python\n(.*?)^```$", (ROOT / "docs/live-models.md").read_text(), re.MULTILINE | re.DOTALL)
    program = folder / "manual.py"
    program.write_text("".join(blocks))
    path = os.pathsep.join(sys.path[1:2] + [os.environ.get("PYTHONPATH", "")])
    done = subprocess.run([sys.executable, "-B", program], cwd=folder, capture_output=True, text=True, check=False,
                          env={**os.environ, "PYTHONPATH": path})
    expected = [line.split("# -> ")[1] for line in program.read_text().splitlines() if "# -> " in line]
    return "" if done.stdout.splitlines() == expected else f"{done.stdout}{done.stderr}, expected {expected}"


def main():
    words, wrong, count = sys.argv[1:], 0, 0
    rows = [(name, lambda folder, made=made: judged(folder, *made())) for name, made in MODELS.items()]
    rows += [(name, lambda folder, made=made: judged_failure(folder, *made())) for name, made in FAILURES.items()]
    rows.append(("the manual", judged_manual))
    rows += [(name, lambda _, made=made: judged_mistake(*made)) for name, made in MISTAKES.items()]
    with tempfile.TemporaryDirectory() as folder, contextlib.redirect_stderr(sys.stdout):
        os.environ["XDG_RUNTIME_DIR"] = folder  # so that no window of the user is found
        for name, judge in rows:
            if words and not any(word in name for word in words):
                continue
            start = time.perf_counter()
            fault = judge(pathlib.Path(folder))
            wrong, count = wrong + bool(fault), count + 1
            taken = f"{time.perf_counter() - start:5.1f} s"
            print(f"{'WRONG' if fault else 'right'}  {taken}  {name}{': ' if fault else ''}{fault}", flush=True)
    print(f"torch {torch.__version__}: {count - wrong} of {count} right")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
