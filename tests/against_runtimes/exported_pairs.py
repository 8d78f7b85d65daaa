#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Cutaway authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Compares networks with themselves, exported in several ways, and with broken copies.

usage: exported_pairs.py CLI [--only NAME,...] [--keep FOLDER]

PyTorch traces, scripts and exports each network and writes it as ONNX, once with sizes of numbers and once with open ones;
the weights are the same. One ONNX file more has one element of a weight changed, another one an operator. CLI (a command,
such as build/release/app/cli/cutaway-cli) compares the files: what is of one network is to have no difference but open
sizes, and what is broken is to have one. Exit code 1: an answer was wrong. What is not proven is counted.
"""
import argparse
import copy
import json
import pathlib
import subprocess
import sys
import tempfile
import warnings

import torch
from torch import nn
from torch.nn import functional as F


class Mlp(nn.Module):
    def __init__(self, width, act):
        super().__init__()
        self.fc1, self.act, self.fc2 = nn.Linear(width, 4 * width), act(), nn.Linear(4 * width, width)

    def forward(self, x):
        return self.fc2(self.act(self.fc1(x)))


class Attention(nn.Module):
    def __init__(self, width, heads):
        super().__init__()
        self.heads, self.qkv, self.proj = heads, nn.Linear(width, 3 * width), nn.Linear(width, width)

    def forward(self, x):
        B, N, C = x.shape
        q, k, v = self.qkv(x).reshape(B, N, 3, self.heads, C // self.heads).permute(2, 0, 3, 1, 4).unbind(0)
        return self.proj(F.scaled_dot_product_attention(q, k, v).transpose(1, 2).reshape(B, N, C))


class ScaledAttention(Attention):
    """As before scaled_dot_product_attention."""

    def forward(self, x):
        B, N, C = x.shape
        q, k, v = self.qkv(x).reshape(B, N, 3, self.heads, C // self.heads).permute(2, 0, 3, 1, 4).unbind(0)
        weights = ((q * (C // self.heads) ** -0.5) @ k.transpose(-2, -1)).softmax(dim=-1)
        return self.proj((weights @ v).transpose(1, 2).reshape(B, N, C))


class Block(nn.Module):
    def __init__(self, width, attention, act):
        super().__init__()
        self.norm1, self.attn = nn.LayerNorm(width), attention
        self.norm2, self.mlp = nn.LayerNorm(width), Mlp(width, act)

    def forward(self, x):
        x = x + self.attn(self.norm1(x))
        return x + self.mlp(self.norm2(x))


class VisionTransformer(nn.Module):
    def __init__(self, attention=Attention, act=nn.GELU):
        super().__init__()
        self.patch = nn.Conv2d(3, 96, 16, 16)
        self.cls = nn.Parameter(torch.randn(1, 1, 96))
        self.pos = nn.Parameter(torch.randn(1, 17, 96))
        self.blocks = nn.Sequential(*[Block(96, attention(96, 3), act) for _ in range(4)])
        self.norm, self.head = nn.LayerNorm(96), nn.Linear(96, 100)

    def forward(self, x):
        x = self.patch(x).flatten(2).transpose(1, 2)
        x = torch.cat((self.cls.expand(x.shape[0], -1, -1), x), dim=1) + self.pos
        return self.head(self.norm(self.blocks(x))[:, 0])


class Twice(nn.Sequential):
    def __init__(self, before, behind):
        layers = []
        for width in (before, behind):
            layers += [nn.Conv2d(width, behind, 3, padding=1, bias=False), nn.BatchNorm2d(behind), nn.ReLU()]
        super().__init__(*layers)


class UNet(nn.Module):
    def __init__(self, mode="bilinear"):
        super().__init__()
        self.mode = mode
        self.down1, self.down2, self.low = Twice(3, 8), Twice(8, 16), Twice(16, 32)
        self.up2, self.up1, self.out = Twice(48, 16), Twice(24, 8), nn.Conv2d(8, 2, 1)

    def forward(self, x):
        a = self.down1(x)
        b = self.down2(F.max_pool2d(a, 2))
        c = self.low(F.max_pool2d(b, 2))
        y = self.up2(torch.cat([F.interpolate(c, size=b.shape[2:], mode=self.mode), b], 1))
        y = self.up1(torch.cat([F.interpolate(y, size=a.shape[2:], mode=self.mode), a], 1))
        return torch.sigmoid(self.out(y))


class CausalAttention(nn.Module):
    def __init__(self, width, heads, is_causal=True, by_mask=False):
        super().__init__()
        self.heads, self.is_causal, self.by_mask = heads, is_causal, by_mask
        self.qkv, self.proj = nn.Linear(width, 3 * width), nn.Linear(width, width)

    def forward(self, x):
        B, T, C = x.shape
        q, k, v = self.qkv(x).split(C, dim=2)
        q = q.view(B, T, self.heads, C // self.heads).transpose(1, 2)
        k = k.view(B, T, self.heads, C // self.heads).transpose(1, 2)
        v = v.view(B, T, self.heads, C // self.heads).transpose(1, 2)
        if self.by_mask:
            scores = (q @ k.transpose(-2, -1)) * 0.25
            if self.is_causal:
                seen = torch.tril(torch.ones(T, T, device=x.device)).view(1, 1, T, T)
                scores = scores.masked_fill(seen == 0, float("-inf"))
            y = F.softmax(scores, dim=-1) @ v
        else:
            y = F.scaled_dot_product_attention(q, k, v, is_causal=self.is_causal)
        return self.proj(y.transpose(1, 2).contiguous().view(B, T, C))


class Decoder(nn.Module):
    def __init__(self, **attention):
        super().__init__()
        self.wte, self.wpe = nn.Embedding(256, 64), nn.Embedding(64, 64)
        act = lambda: nn.GELU(approximate="tanh")
        self.blocks = nn.Sequential(*[Block(64, CausalAttention(64, 4, **attention), act) for _ in range(3)])
        self.norm, self.head = nn.LayerNorm(64), nn.Linear(64, 256, bias=False)

    def forward(self, ids):
        x = self.wte(ids) + self.wpe(torch.arange(0, ids.size(1), device=ids.device))
        return self.head(self.norm(self.blocks(x)))


class ChannelsLastBlock(nn.Module):
    def __init__(self, width, act):
        super().__init__()
        self.depthwise = nn.Conv2d(width, width, 7, padding=3, groups=width)
        self.norm, self.mlp, self.gamma = nn.LayerNorm(width), Mlp(width, act), nn.Parameter(torch.rand(width))

    def forward(self, x):
        y = self.gamma * self.mlp(self.norm(self.depthwise(x).permute(0, 2, 3, 1)))
        return x + y.permute(0, 3, 1, 2)


class ConvNeXt(nn.Module):
    def __init__(self, act=nn.GELU):
        super().__init__()
        self.stem, self.first = nn.Conv2d(3, 32, 4, 4), ChannelsLastBlock(32, act)
        self.down, self.second = nn.Conv2d(32, 64, 2, 2), ChannelsLastBlock(64, act)
        self.norm, self.head = nn.LayerNorm(64), nn.Linear(64, 10)

    def forward(self, x):
        return self.head(self.norm(self.second(self.down(self.first(self.stem(x)))).mean([-2, -1])))


class TextClassifier(nn.Module):
    def __init__(self, act=torch.tanh):
        super().__init__()
        self.act, self.words = act, nn.Embedding(256, 32)
        self.lstm = nn.LSTM(32, 24, num_layers=2, batch_first=True, bidirectional=True)
        self.fc = nn.Linear(48, 5)

    def forward(self, ids):
        y, (h, c) = self.lstm(self.words(ids))
        return F.log_softmax(self.fc(self.act(torch.cat([h[-2], h[-1]], 1))), dim=1)


class Detector(nn.Module):
    def __init__(self, count=20):
        super().__init__()
        self.count = count
        self.body = nn.Sequential(nn.Conv2d(3, 16, 3, 2, 1), nn.BatchNorm2d(16), nn.SiLU(),
                                  nn.Conv2d(16, 32, 3, 2, 1), nn.BatchNorm2d(32), nn.SiLU())
        self.cls, self.box = nn.Conv2d(32, 4, 1), nn.Conv2d(32, 4, 3, padding=1)

    def forward(self, x):
        f = self.body(x)
        H, W = f.shape[2:]
        scores = self.cls(f).sigmoid().flatten(2).transpose(1, 2)
        d = F.softplus(self.box(f)).flatten(2).transpose(1, 2)
        gy, gx = torch.meshgrid(torch.arange(H, device=x.device), torch.arange(W, device=x.device), indexing="ij")
        centres = (torch.stack([gx, gy], -1).reshape(-1, 2).float() + 0.5) * 4
        boxes = torch.cat([centres - d[..., :2], centres + d[..., 2:]], -1)
        best, label = scores.max(-1)
        top, index = best.topk(self.count, dim=1)
        return boxes.gather(1, index.unsqueeze(-1).expand(-1, -1, 4)), top, label.gather(1, index)


def image(): return torch.randn(1, 3, 64, 64)
def words(): return torch.randint(0, 250, (2, 20))


# by name: the network, an input, one with another operator, and the weight of which an element is changed
NETWORKS = {
    "vit": (VisionTransformer, image, lambda: VisionTransformer(act=nn.SiLU), "blocks.2.mlp.fc1.weight"),
    "vit_scaled": (lambda: VisionTransformer(ScaledAttention), image, VisionTransformer, "pos"),
    "unet": (UNet, image, lambda: UNet("nearest"), "down2.0.weight"),
    "gpt": (Decoder, words, lambda: Decoder(is_causal=False), "blocks.1.attn.qkv.bias"),
    "gpt_masked": (lambda: Decoder(by_mask=True), words, lambda: Decoder(by_mask=True, is_causal=False),
                   "blocks.1.attn.proj.weight"),
    "convnext": (ConvNeXt, image, lambda: ConvNeXt(nn.SiLU), "first.gamma"),
    "lstm": (TextClassifier, words, lambda: TextClassifier(torch.sin), "lstm.weight_hh_l1_reverse"),
    "detector": (Detector, image, lambda: Detector(19), "box.weight"),
}
BROKEN = ("operator", "weight")
HARMLESS = "vit_scaled-operator"  # the same attention as one operator


def built(make):
    torch.manual_seed(0)
    network = make()
    for parameter in network.parameters():
        if parameter.dim() == 1:
            parameter.data += torch.randn_like(parameter) * 0.1
    for norm in network.modules():
        if isinstance(norm, nn.BatchNorm2d):
            norm.running_mean.normal_(0, 0.3)
            norm.running_var.uniform_(0.5, 1.5)
    return network.eval()


def export(name, folder):
    """The files that could be written."""
    make, example, other, weight = NETWORKS[name]
    network, x = built(make), example()
    with_other = built(other)
    with_other.load_state_dict(network.state_dict())
    changed = copy.deepcopy(network)
    element = dict(changed.named_parameters())[weight].data.view(-1)
    element[element.numel() // 2] += 0.5

    def onnx(of, path, **options):
        torch.onnx.export(of, (x,), str(path), opset_version=17, dynamo=False, input_names=["x"], **options)

    ways = {
        "traced.pt": lambda path: torch.jit.trace(network, x).save(str(path)),
        "script.pt": lambda path: torch.jit.script(network).save(str(path)),
        "exported.pt2": lambda path: torch.export.save(torch.export.export(network, (x,)), str(path)),
        "fixed.onnx": lambda path: onnx(network, path),
        "open.onnx": lambda path: onnx(network, path, dynamic_axes={"x": {0: "batch"}}),
        "operator.onnx": lambda path: onnx(with_other, path),
        "weight.onnx": lambda path: onnx(changed, path),
    }
    written = []
    for suffix, write in ways.items():
        path = folder / f"{name}-{suffix}"
        try:
            with torch.no_grad():
                write(path)
            written.append(path)
        except Exception as error:
            print(f"not written: {path.name}: {' '.join(str(error).split())[:80]}")
    return written


def kind_of(path):
    return path.name.split("-")[1].split(".")[0]


def pairs_of(files):
    """Those whose answer does not hang on open sizes, with whether they are the same."""
    for i, a in enumerate(files):
        for b in files[i + 1:]:
            kinds = {kind_of(a), kind_of(b)}
            if kinds & {"open"} and kinds & {"exported", "fixed", *BROKEN} or kinds == set(BROKEN):
                continue
            broken = [path for path in (a, b) if kind_of(path) in BROKEN]
            is_written_alike = a.suffix == b.suffix  # then nodes are compared, not what they compute
            yield a, b, all(path.stem == HARMLESS and not is_written_alike for path in broken)


def main():
    parser = argparse.ArgumentParser(usage=__doc__.split("\n")[2][7:])
    parser.add_argument("cli")
    parser.add_argument("--only")
    parser.add_argument("--keep", type=pathlib.Path)
    options = parser.parse_args()
    warnings.filterwarnings("ignore")
    names = options.only.split(",") if options.only else list(NETWORKS)
    asked = wrong = open_places = 0
    with tempfile.TemporaryDirectory() as temporary:
        folder = options.keep or pathlib.Path(temporary)
        folder.mkdir(parents=True, exist_ok=True)
        for a, b, is_same in (pair for name in names for pair in pairs_of(export(name, folder))):
            ran = subprocess.run([*options.cli.split(), "diff", a, b, "--json"], text=True, stdout=subprocess.PIPE,
                                 stderr=subprocess.PIPE)
            found = json.loads(ran.stdout) if ran.returncode in (0, 1) else {}
            says_same = found.get("equal", False) is not False
            places = len(found.get("not_proven", []))
            verdict = found["summary"]["verdict"] if found else ran.stderr.strip()[:80]
            is_right = bool(found) and says_same == is_same
            asked, wrong, open_places = asked + 1, wrong + (not is_right), open_places + places
            print(f"{'right' if is_right else 'WRONG'}  {a.name} | {b.name}: {verdict}")
    print(f"{asked} pairs: {wrong} wrong answers, {open_places} places not proven")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
