#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Cutaway authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Makes the ONNX files of the benchmark: weights are zeros, in sparse files.

usage: make_onnx.py synthetic NODES OUT | large OUT | stripped OUT | resnet50 OUT
"""
import struct
import sys

from onnx_writer import Graph


def _norm(g, x, scope, prefix):
    """Layer normalisation as the older exporters spell it out, without a bias: 8 nodes."""
    mean = g.node("ReduceMean", [x], f"{scope}/ReduceMean", axes=[-1])
    centred = g.node("Sub", [x, mean], f"{scope}/Sub")
    square = g.node("Pow", [centred, "two"], f"{scope}/Pow")
    variance = g.node("ReduceMean", [square], f"{scope}/ReduceMean_1", axes=[-1])
    shifted = g.node("Add", [variance, "epsilon"], f"{scope}/Add")
    root = g.node("Sqrt", [shifted], f"{scope}/Sqrt")
    ratio = g.node("Div", [centred, root], f"{scope}/Div")
    return g.node("Mul", [ratio, g.initializer(f"{prefix}.weight", [8], bytes(32))], f"{scope}/Mul")


def _attention(g, x, scope, prefix):
    """10 nodes, the residual addition among them."""
    q, k, v = (g.node("MatMul", [x, g.initializer(f"{prefix}.attn.{p}.weight", [8, 8], bytes(256))],
                      f"{scope}/attn/{p}/MatMul") for p in ("q", "k", "v"))
    turned = g.node("Transpose", [k], f"{scope}/attn/Transpose", perm=[0, 2, 1])
    scores = g.node("MatMul", [q, turned], f"{scope}/attn/MatMul")
    scaled = g.node("Mul", [scores, "scale"], f"{scope}/attn/Mul")
    weights = g.node("Softmax", [scaled], f"{scope}/attn/Softmax", axis=-1)
    mixed = g.node("MatMul", [weights, v], f"{scope}/attn/MatMul_1")
    out = g.node("MatMul", [mixed, g.initializer(f"{prefix}.attn.out.weight", [8, 8], bytes(256))],
                 f"{scope}/attn/out/MatMul")
    return g.node("Add", [out, g.initializer(f"{prefix}.attn.out.bias", [8], bytes(32))], f"{scope}/attn/out/Add")


def _block(g, x, index):
    """26 nodes of a transformer with two residual links."""
    scope, prefix = f"/layers.{index}", f"layers.{index}"
    attended = _attention(g, _norm(g, x, f"{scope}/norm", f"{prefix}.norm"), scope, prefix)
    x = g.node("Add", [x, attended], f"{scope}/Add")
    up = g.node("MatMul", [x, g.initializer(f"{prefix}.mlp.up.weight", [8, 16], bytes(512))], f"{scope}/mlp/up/MatMul")
    up = g.node("Add", [up, g.initializer(f"{prefix}.mlp.up.bias", [16], bytes(64))], f"{scope}/mlp/up/Add")
    gate = g.node("Sigmoid", [up], f"{scope}/mlp/act/Sigmoid")
    gated = g.node("Mul", [up, gate], f"{scope}/mlp/act/Mul")
    down = g.node("MatMul", [gated, g.initializer(f"{prefix}.mlp.down.weight", [16, 8], bytes(512))],
                  f"{scope}/mlp/down/MatMul")
    down = g.node("Identity", [down], f"{scope}/mlp/Identity")
    return g.node("Add", [x, down], f"{scope}/Add_1")


def synthetic(nodes, path):
    g = Graph("synthetic")
    x = g.input("x", ["batch", 64, 8])
    for name, value in (("two", 2.0), ("epsilon", 1e-5), ("scale", 0.35)):
        g.initializer(name, [], struct.pack("<f", value))
    for index in range(nodes // 26):
        x = _block(g, x, index)
    for index in range(nodes % 26):
        x = g.node("Relu", [x], f"/tail/Relu_{index}")
    g.output(x, ["batch", 64, 8])
    g.write(path)


def large(path, external=None):
    """29 products with 64 MiB of weights each: 1.95 GB in one message, or the same graph without them."""
    g = Graph("large")
    x = g.input("x", ["batch", 4096])
    for index in range(29):
        weight = g.initializer(f"layers.{index}.weight", [4096, 4096], external=external)
        x = g.node("MatMul", [x, weight], f"/layers.{index}/MatMul")
        x = g.node("Relu", [x], f"/layers.{index}/Relu")
    g.output(x, ["batch", 4096])
    g.write(path)


class ResNet50:
    """As torch's exporter writes it in eval mode: batch norms folded into the convolutions."""

    def __init__(self):
        self.g = Graph()
        self.convolutions = 0

    def conv(self, x, scope, inputs, outputs, kernel, stride=1):
        number = 497 + 3 * self.convolutions
        self.convolutions += 1
        weight = self.g.initializer(f"onnx::Conv_{number}", [outputs, inputs, kernel, kernel])
        bias = self.g.initializer(f"onnx::Conv_{number + 1}", [outputs])
        return self.g.node("Conv", [x, weight, bias], f"{scope}/Conv", dilations=[1, 1], group=1,
                           kernel_shape=[kernel] * 2, pads=[kernel // 2] * 4, strides=[stride] * 2)

    def bottleneck(self, x, scope, inputs, planes, stride):
        y = self.g.node("Relu", [self.conv(x, f"{scope}/conv1", inputs, planes, 1)], f"{scope}/relu/Relu")
        y = self.g.node("Relu", [self.conv(y, f"{scope}/conv2", planes, planes, 3, stride)], f"{scope}/relu_1/Relu")
        y = self.conv(y, f"{scope}/conv3", planes, 4 * planes, 1)
        if inputs != 4 * planes:
            x = self.conv(x, f"{scope}/downsample/downsample.0", inputs, 4 * planes, 1, stride)
        return self.g.node("Relu", [self.g.node("Add", [y, x], f"{scope}/Add")], f"{scope}/relu_2/Relu")

    def write(self, path):
        g = self.g
        x = g.input("x", [1, 3, 224, 224])
        x = g.node("Relu", [self.conv(x, "/conv1", 3, 64, 7, 2)], "/relu/Relu")
        x = g.node("MaxPool", [x], "/maxpool/MaxPool", ceil_mode=0, kernel_shape=[3, 3], pads=[1] * 4, strides=[2, 2])
        width = 64
        for stage, (planes, blocks) in enumerate(((64, 3), (128, 4), (256, 6), (512, 3)), 1):
            for block in range(blocks):
                scope = f"/layer{stage}/layer{stage}.{block}"
                x = self.bottleneck(x, scope, width, planes, 2 if block == 0 and stage > 1 else 1)
                width = 4 * planes
        x = g.node("GlobalAveragePool", [x], "/avgpool/GlobalAveragePool")
        x = g.node("Flatten", [x], "/Flatten", axis=1)
        g.node("Gemm", [x, g.initializer("fc.weight", [1000, 2048]), g.initializer("fc.bias", [1000])], "/fc/Gemm",
               outputs=["output"], alpha=1.0, beta=1.0, transB=1)
        g.output("output", [1, 1000])
        g.write(path)


def main(arguments):
    match arguments:
        case ["synthetic", nodes, path]:
            synthetic(int(nodes), path)
        case ["large", path]:
            large(path)
        case ["stripped", path]:
            large(path, external="weights.bin")
        case ["resnet50", path]:
            ResNet50().write(path)
        case _:
            sys.exit(__doc__.strip())


if __name__ == "__main__":
    main(sys.argv[1:])
