#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Cutaway authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Holds what is read of TorchScript against torch: the operators of `forward` with all calls inlined, counted.

usage: torchscript_graphs.py CUTAWAY_CLI [--all] [--only NAME]

Scripts and traces models, saves them, and compares the numbers of nodes per operator with those of torch's own
`inlined_graph` of the file. Without --all the large ones are left out. Exit code 1 if one differs.
"""
import argparse
import collections
import json
import os
import subprocess
import sys
import tempfile
import warnings

os.environ.setdefault("TORCH_CPP_LOG_LEVEL", "ERROR")
warnings.filterwarnings("ignore")
import torch
import torchvision
from torch import nn

# Not nodes of the representation: constants, what makes and takes apart lists and tuples, annotations.
FOLDED = {"prim::" + name for name in (
    "Constant Uninitialized ListConstruct TupleConstruct ListUnpack TupleUnpack TupleIndex GetAttr CallMethod "
    "CallFunction NumToTensor unchecked_cast unchecked_unwrap_optional annotate data").split()} | {
    "aten::Int", "aten::IntImplicit", "aten::FloatImplicit", "aten::ComplexImplicit", "aten::ScalarImplicit"}

# Differences that are known: name, operator → ours minus torch's. They may only become fewer.
KNOWN = {("script ssdlite320_mobilenet_v3_large", "aten::len"): -2, ("script ssd300_vgg16", "aten::len"): -2}


class Pooler(nn.Module):
    def __init__(self):
        super().__init__()
        self.dense = nn.Linear(8, 8)

    def forward(self, x):
        return torch.tanh(self.dense(x[:, 0].reshape(x.size(0), 8)))


class Encoder(nn.Module):
    """Gives two results, of which its user takes one."""

    def __init__(self):
        super().__init__()
        self.dense, self.pooler = nn.Linear(8, 8), Pooler()

    def forward(self, x):
        x = self.dense(x.reshape(x.size(0), -1, 8))
        return x, self.pooler(x)


class Classifier(nn.Module):
    def __init__(self):
        super().__init__()
        self.encoder, self.out = Encoder(), nn.Linear(8, 3)

    def forward(self, x):
        return self.out(self.encoder(x)[0])


class Attention(nn.Module):
    def __init__(self, **options):
        super().__init__()
        self.attention = nn.MultiheadAttention(16, 4, **options)

    def forward(self, x: torch.Tensor, mask: torch.Tensor):
        return self.attention(x, x, x, attn_mask=mask)


class Names(nn.Module):
    """Operators that torch gives other names on loading."""

    def forward(self, x):
        y = torch.clip(torch.swapaxes(x, 0, 1), -1, 1).absolute_()
        return torch.rsub(torch.special.expit(y), torch.multiply(y, 2)), torch.concat([torch.cat([x, x]), x.moveaxis(0, 1)])


@torch.jit.interface
class Layer(nn.Module):
    def forward(self, input: torch.Tensor) -> torch.Tensor:
        pass


class Choice(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(4, 4), nn.Linear(4, 4)])

    def forward(self, x: torch.Tensor, i: int) -> torch.Tensor:
        layer: Layer = self.layers[i]
        return layer.forward(x)


def models():
    """(name, large, how it is made); nothing is made before it is asked for."""
    script, trace = torch.jit.script, lambda model, *inputs: torch.jit.trace(model, inputs, check_trace=False)
    image, size = torch.rand(1, 3, 224, 224), {"weights": None}
    layer = lambda: nn.TransformerEncoderLayer(16, 4, 32, batch_first=True)
    yield "trace classifier", False, lambda: trace(Classifier().eval(), torch.rand(2, 5, 8))
    yield "script classifier", False, lambda: script(Classifier().eval())
    yield "trace names", False, lambda: trace(Names(), torch.rand(3, 3))
    yield "script names", False, lambda: script(Names())
    yield "script choice", False, lambda: script(Choice())
    yield "script attention", False, lambda: script(Attention().eval())
    yield "script attention with biases", False, lambda: script(Attention(add_bias_kv=True, add_zero_attn=True))
    yield "script encoder layer", False, lambda: script(layer().eval())
    yield "script encoder", False, lambda: script(nn.TransformerEncoder(layer(), 2).eval())
    yield "trace encoder", False, lambda: trace(nn.TransformerEncoder(layer(), 2).eval(), torch.rand(2, 5, 16))
    yield "script transformer", False, lambda: script(nn.Transformer(16, 4, 2, 2, 32).eval())
    for name in ("inception_v3", "googlenet", "maxvit_t", "swin_v2_t", "shufflenet_v2_x1_0"):
        model = lambda name=name: getattr(torchvision.models, name)(**size).eval()
        yield "script " + name, name != "inception_v3", lambda model=model: script(model())
        pixels = torch.rand(1, 3, 299, 299) if name == "inception_v3" else image
        yield "trace " + name, name not in ("inception_v3", "maxvit_t"), lambda model=model, p=pixels: trace(model(), p)
    flow = lambda: torchvision.models.optical_flow.raft_small(**size).eval()
    yield "script raft_small", False, lambda: script(flow())
    yield "trace raft_small", False, lambda: trace(flow(), torch.rand(1, 3, 128, 128), torch.rand(1, 3, 128, 128))
    yield "script mvit_v2_s", True, lambda: script(torchvision.models.video.mvit_v2_s(**size).eval())
    detection, segmentation = torchvision.models.detection, torchvision.models.segmentation
    for room, names in ((detection, (
            "fasterrcnn_mobilenet_v3_large_320_fpn", "ssdlite320_mobilenet_v3_large", "fasterrcnn_resnet50_fpn",
            "maskrcnn_resnet50_fpn", "keypointrcnn_resnet50_fpn", "retinanet_resnet50_fpn", "fcos_resnet50_fpn",
            "ssd300_vgg16")), (segmentation, ("lraspp_mobilenet_v3_large", "deeplabv3_resnet50", "fcn_resnet50"))):
        for name in names:
            model = lambda room=room, name=name: getattr(room, name)(weights=None, weights_backbone=None).eval()
            yield "script " + name, "mobilenet" not in name, lambda model=model: script(model())


def counted_by_torch(path):
    def walk(block):
        for node in block.nodes():
            yield node.kind()
            if node.kind() != "prim::fork":
                for inner in node.blocks():
                    yield from walk(inner)
    return collections.Counter(walk(torch.jit.load(path).inlined_graph))


def counted_by_us(cli, path):
    def walk(graph):
        for node in graph["nodes"]:
            yield node["op"].partition(".")[0]
            if node["op"] != "prim::fork":
                for inner in node.get("regions", []):
                    yield from walk(inner)
    run = subprocess.run([cli, "inspect", path, "--json"], capture_output=True, text=True)
    if run.returncode:
        return None
    functions = json.loads(run.stdout)["functions"]
    return collections.Counter(walk(next(f for f in functions if f["name"] == "forward")))


def differences(name, ours, torchs):
    for op in sorted((set(ours) | set(torchs)) - FOLDED):
        if ours[op] - torchs[op] != KNOWN.get((name, op), 0):
            yield "%s %d, torch %d" % (op, ours[op], torchs[op])


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("cli")
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--only", default="")
    options = parser.parse_args()
    torch.manual_seed(0)
    count = wrong = 0
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "model.pt")
        for name, is_large, make in models():
            if options.only not in name or (is_large and not options.all and not options.only):
                continue
            make().save(path)
            ours = counted_by_us(options.cli, path)
            found = ["cannot be read"] if ours is None else list(differences(name, ours, counted_by_torch(path)))
            count, wrong = count + 1, wrong + bool(found)
            if found:
                print("%s: %s" % (name, "; ".join(found)), flush=True)
    print("%d models, %d with other nodes than torch" % (count, wrong))
    return wrong > 0


if __name__ == "__main__":
    sys.exit(main())
