#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Cutaway authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Makes small_vision.onnx, the model that packaging/run shows when none is named: a convolution stem, two branches and
two transformer layers, with seeded random weights. Names and scopes are those of torch's exporter.

usage: make_samples.py             writes the samples beside this script
       make_samples.py --check     whether what lies there is what would be written
"""
import math
import pathlib
import random
import struct
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1] / "tests" / "bench"))
from onnx_writer import FLOAT, INT64, Graph  # noqa: E402

WIDTH, HEADS, TOKENS, INNER, CLASSES = 32, 4, 64, 64, 10


class SmallVision:
    def __init__(self):
        self.g = Graph()
        self.random = random.Random(17)

    def weight(self, name, dims, scale=None):
        """Uniform in ±1/sqrt(inputs), as torch's layers begin."""
        scale = scale or 1 / math.sqrt(math.prod(dims[1:]) or 1)
        values = [self.random.uniform(-scale, scale) for _ in range(math.prod(dims))]
        return self.g.initializer(name, dims, struct.pack(f"<{len(values)}f", *values))

    def filled(self, name, dims, value):
        return self.g.initializer(name, dims, struct.pack("<f", value) * math.prod(dims))

    def numbers(self, name, values):
        return self.g.initializer(name, [len(values)], struct.pack(f"<{len(values)}q", *values), INT64)

    def conv(self, x, path, inputs, outputs, kernel, size, stride=1, group=1):
        """`path`: the module's attributes, outermost first; `size`: of the result."""
        dotted, scope = ".".join(path), "/" + "/".join(path)
        weight = self.weight(f"{dotted}.weight", [outputs, inputs // group, kernel, kernel])
        bias = self.weight(f"{dotted}.bias", [outputs], 0.1)
        return self.g.node("Conv", [x, weight, bias], f"{scope}/Conv", ["batch", outputs, size, size],
                           dilations=[1, 1], group=group, kernel_shape=[kernel] * 2, pads=[kernel // 2] * 4,
                           strides=[stride] * 2)

    def linear(self, x, scope, prefix, inputs, outputs):
        shape = ["batch", TOKENS, outputs]
        weight = self.weight(f"{prefix}.weight", [inputs, outputs], 1 / math.sqrt(inputs))
        x = self.g.node("MatMul", [x, weight], f"{scope}/MatMul", shape)
        return self.g.node("Add", [self.weight(f"{prefix}.bias", [outputs], 0.1), x], f"{scope}/Add", shape)

    def norm(self, x, scope, prefix):
        scale, bias = self.filled(f"{prefix}.weight", [WIDTH], 1.0), self.filled(f"{prefix}.bias", [WIDTH], 0.0)
        return self.g.node("LayerNormalization", [x, scale, bias], f"{scope}/LayerNormalization",
                           ["batch", TOKENS, WIDTH], axis=-1, epsilon=1e-5)

    def heads(self, x, scope, suffix, keys=False):
        x = self.g.node("Reshape", [x, "heads"], f"{scope}/Reshape{suffix}", ["batch", TOKENS, HEADS, WIDTH // HEADS])
        shape = ["batch", HEADS, WIDTH // HEADS, TOKENS] if keys else ["batch", HEADS, TOKENS, WIDTH // HEADS]
        return self.g.node("Transpose", [x], f"{scope}/Transpose{suffix}", shape,
                           perm=[0, 2, 3, 1] if keys else [0, 2, 1, 3])

    def attention(self, x, scope, prefix):
        g = self.g
        q, k, v = (self.linear(x, f"{scope}/{p}", f"{prefix}.{p}", WIDTH, WIDTH) for p in ("query", "key", "value"))
        q, k, v = self.heads(q, scope, ""), self.heads(k, scope, "_1", keys=True), self.heads(v, scope, "_2")
        square = ["batch", HEADS, TOKENS, TOKENS]
        scores = g.node("MatMul", [q, k], f"{scope}/MatMul", square)
        scores = g.node("Mul", [scores, "scale"], f"{scope}/Mul", square)
        weights = g.node("Softmax", [scores], f"{scope}/Softmax", square, axis=-1)
        mixed = g.node("MatMul", [weights, v], f"{scope}/MatMul_1", ["batch", HEADS, TOKENS, WIDTH // HEADS])
        mixed = g.node("Transpose", [mixed], f"{scope}/Transpose_3", ["batch", TOKENS, HEADS, WIDTH // HEADS],
                       perm=[0, 2, 1, 3])
        joined = g.node("Reshape", [mixed, "joined"], f"{scope}/Reshape_3", ["batch", TOKENS, WIDTH])
        return self.linear(joined, f"{scope}/output", f"{prefix}.output", WIDTH, WIDTH)

    def gelu(self, x, scope):
        g, shape = self.g, ["batch", TOKENS, INNER]
        half = g.node("Div", [x, "root_two"], f"{scope}/Div", shape)
        half = g.node("Add", [g.node("Erf", [half], f"{scope}/Erf", shape), "one"], f"{scope}/Add", shape)
        return g.node("Mul", [g.node("Mul", [x, half], f"{scope}/Mul", shape), "half"], f"{scope}/Mul_1", shape)

    def layer(self, x, index):
        scope, prefix, shape = f"/encoder/layers.{index}", f"encoder.layers.{index}", ["batch", TOKENS, WIDTH]
        y = self.norm(x, f"{scope}/norm1", f"{prefix}.norm1")
        y = self.attention(y, f"{scope}/attention", f"{prefix}.attention")
        x = self.g.node("Add", [x, y], f"{scope}/Add", shape)
        y = self.norm(x, f"{scope}/norm2", f"{prefix}.norm2")
        y = self.linear(y, f"{scope}/mlp/up", f"{prefix}.mlp.up", WIDTH, INNER)
        y = self.gelu(y, f"{scope}/mlp/gelu")
        y = self.linear(y, f"{scope}/mlp/down", f"{prefix}.mlp.down", INNER, WIDTH)
        return self.g.node("Add", [x, y], f"{scope}/Add_1", shape)

    def stem(self, x):
        """Two branches that look at the picture with a large and a small window."""
        g = self.g
        x = g.node("Relu", [self.conv(x, ["stem", "conv"], 3, 16, 3, 16, stride=2)], "/stem/act/Relu",
                   ["batch", 16, 16, 16])
        near = self.conv(x, ["stem", "near", "conv"], 16, 24, 3, 8, stride=2)
        near = g.node("Relu", [near], "/stem/near/act/Relu", ["batch", 24, 8, 8])
        far = self.conv(x, ["stem", "far", "depthwise"], 16, 16, 7, 8, stride=2, group=16)
        far = self.conv(far, ["stem", "far", "pointwise"], 16, 24, 1, 8)
        gate = g.node("Sigmoid", [far], "/stem/far/gate/Sigmoid", ["batch", 24, 8, 8])
        far = g.node("Mul", [far, gate], "/stem/far/gate/Mul", ["batch", 24, 8, 8])
        both = g.node("Concat", [near, far], "/stem/Concat", ["batch", 48, 8, 8], axis=1)
        return self.conv(both, ["stem", "fuse"], 48, WIDTH, 1, 8)

    def write(self, path):
        g, shape = self.g, ["batch", TOKENS, WIDTH]
        for name, value in (("scale", (WIDTH / HEADS) ** -0.5), ("root_two", math.sqrt(2)), ("one", 1.0), ("half", 0.5)):
            g.initializer(name, [], struct.pack("<f", value))
        self.numbers("heads", [0, TOKENS, HEADS, WIDTH // HEADS])
        self.numbers("joined", [0, TOKENS, WIDTH])
        x = self.stem(g.input("image", ["batch", 3, 32, 32]))
        x = g.node("Reshape", [x, self.numbers("flat", [0, WIDTH, TOKENS])], "/Reshape", ["batch", WIDTH, TOKENS])
        x = g.node("Transpose", [x], "/Transpose", shape, perm=[0, 2, 1])
        x = g.node("Add", [x, self.weight("positions", [1, TOKENS, WIDTH], 0.1)], "/Add", shape)
        for index in range(2):
            x = self.layer(x, index)
        x = self.norm(x, "/norm", "norm")
        x = g.node("ReduceMean", [x], "/head/pool/ReduceMean", ["batch", WIDTH], axes=[1], keepdims=0)
        weight, bias = self.weight("head.linear.weight", [CLASSES, WIDTH]), self.weight("head.linear.bias", [CLASSES], 0.1)
        g.node("Gemm", [x, weight, bias], "/head/linear/Gemm", outputs=["logits"], transB=1)
        g.output("logits", ["batch", CLASSES], FLOAT)
        g.write(path, producer="cutaway", version="1")


def main(arguments):
    committed = HERE / "small_vision.onnx"
    if arguments != ["--check"]:
        SmallVision().write(committed)
        return 0
    with tempfile.TemporaryDirectory() as folder:
        made = pathlib.Path(folder, committed.name)
        SmallVision().write(made)
        same = made.read_bytes() == committed.read_bytes()
    print(f"{committed.name} is {'' if same else 'not '}what make_samples.py writes")
    return 0 if same else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
