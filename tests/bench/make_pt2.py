#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Cutaway authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Makes the torch.export files of the benchmark and of the manual: weights are zeros, in sparse files, but for the small one.

usage: make_pt2.py resnet50 OUT | llama OUT | small_resnet OUT
"""
import math
import random
import struct
import sys

from pt2_writer import BOOL, FLOAT32, INT64, Program

SITE = "/usr/lib/python3/dist-packages"


class ResNet50:
    """torchvision's, exported in eval mode: 175 nodes, 161 parameters, 159 buffers."""

    def __init__(self):
        self.p = Program()
        self.root = [("", "torchvision.models.resnet.ResNet")]

    def call(self, op, arguments, shape, stack, file, line, text):
        frames = [(f"{SITE}/torchvision/models/resnet.py", 285, "forward", "return self._forward_impl(x)")]
        frames += [(f"{SITE}/torchvision/models/resnet.py", 146, "forward", "out = self.conv1(x)")] * (len(stack) > 2)
        frames.append((f"{SITE}/torch/nn/{file}", line, "forward", text))
        return self.p.node(op, arguments, shape, stack, frames)

    def conv_norm(self, x, stack, conv, norm, inputs, outputs, kernel, stride, size):
        """A convolution and its normalisation; conv and norm are full module paths."""
        here = stack + [(conv, "torch.nn.modules.conv.Conv2d")]
        x = self.call("conv2d.default",
                      {"input": x, "weight": self.p.parameter(f"{conv}.weight", [outputs, inputs, kernel, kernel]),
                       "bias": None, "stride": [stride] * 2, "padding": [kernel // 2] * 2},
                      [1, outputs, size, size], here, "modules/conv.py", 565,
                      "return self._conv_forward(input, self.weight, self.bias)")
        here = stack + [(norm, "torch.nn.modules.batchnorm.BatchNorm2d")]
        weight, bias = (self.p.parameter(f"{norm}.{n}", [outputs]) for n in ("weight", "bias"))
        mean, variance = (self.p.buffer(f"{norm}.running_{n}", [outputs]) for n in ("mean", "var"))
        self.p.buffer(f"{norm}.num_batches_tracked", [], INT64)
        return self.call("batch_norm.default",
                         {"input": x, "weight": weight, "bias": bias, "running_mean": mean, "running_var": variance,
                          "training": False, "momentum": 0.1, "eps": 1e-05, "cudnn_enabled": False},
                         [1, outputs, size, size], here, "modules/batchnorm.py", 210, "return F.batch_norm(")

    def relu(self, x, stack, path, shape):
        return self.call("relu_.default", {"self": x}, shape, stack + [(path, "torch.nn.modules.activation.ReLU")],
                         "modules/activation.py", 143, "return F.relu(input, inplace=self.inplace)")

    def bottleneck(self, x, path, inputs, planes, stride, size):
        stack = self.root + [(path.rpartition(".")[0], "torch.nn.modules.container.Sequential"),
                             (path, "torchvision.models.resnet.Bottleneck")]
        before, wide = size * stride, [1, 4 * planes, size, size]
        y = self.conv_norm(x, stack, f"{path}.conv1", f"{path}.bn1", inputs, planes, 1, 1, before)
        y = self.relu(y, stack, f"{path}.relu", [1, planes, before, before])
        y = self.conv_norm(y, stack, f"{path}.conv2", f"{path}.bn2", planes, planes, 3, stride, size)
        y = self.relu(y, stack, f"{path}.relu", [1, planes, size, size])
        y = self.conv_norm(y, stack, f"{path}.conv3", f"{path}.bn3", planes, 4 * planes, 1, 1, size)
        if inputs != 4 * planes:
            inner = stack + [(f"{path}.downsample", "torch.nn.modules.container.Sequential")]
            x = self.conv_norm(x, inner, f"{path}.downsample.0", f"{path}.downsample.1", inputs, 4 * planes, 1, stride,
                               size)
        y = self.call("add_.Tensor", {"self": y, "other": x}, wide, stack, "modules/module.py", 1780, "out += identity")
        return self.relu(y, stack, f"{path}.relu", wide)

    def write(self, path):
        x = self.p.user_input("x", [1, 3, 224, 224])
        x = self.conv_norm(x, self.root, "conv1", "bn1", 3, 64, 7, 2, 112)
        x = self.relu(x, self.root, "relu", [1, 64, 112, 112])
        x = self.call("max_pool2d.default",
                      {"self": x, "kernel_size": [3, 3], "stride": [2, 2], "padding": [1, 1]}, [1, 64, 56, 56],
                      self.root + [("maxpool", "torch.nn.modules.pooling.MaxPool2d")], "modules/pooling.py", 224,
                      "return F.max_pool2d(")
        width, size = 64, 56
        for stage, (planes, blocks) in enumerate(((64, 3), (128, 4), (256, 6), (512, 3)), 1):
            for block in range(blocks):
                stride = 2 if block == 0 and stage > 1 else 1
                size //= stride
                x = self.bottleneck(x, f"layer{stage}.{block}", width, planes, stride, size)
                width = 4 * planes
        x = self.call("adaptive_avg_pool2d.default", {"self": x, "output_size": [1, 1]}, [1, 2048, 1, 1],
                      self.root + [("avgpool", "torch.nn.modules.pooling.AdaptiveAvgPool2d")], "modules/pooling.py",
                      1500, "return F.adaptive_avg_pool2d(input, self.output_size)")
        x = self.call("flatten.using_ints", {"self": x, "start_dim": 1}, [1, 2048], self.root, "modules/module.py",
                      1780, "x = torch.flatten(x, 1)")
        x = self.call("linear.default",
                      {"input": x, "weight": self.p.parameter("fc.weight", [1000, 2048]),
                       "bias": self.p.parameter("fc.bias", [1000])}, [1, 1000],
                      self.root + [("fc", "torch.nn.modules.linear.Linear")], "modules/linear.py", 134,
                      "return F.linear(input, self.weight, self.bias)")
        self.p.write(path, "resnet50", x)


class SmallResNet(ResNet50):
    """A residual network of three blocks on images of 32 by 32, 10 classes; weights are seeded random numbers."""

    def fill(self):
        numbers = random.Random(17)
        for fqn, (meta, _) in self.p.weights.items():
            sizes = [dim["as_int"] for dim in meta["sizes"]]
            count, name = math.prod(sizes), fqn.rpartition(".")[2]
            if name == "num_batches_tracked":
                self.p.values[fqn] = struct.pack("<q", 100)
                continue
            if len(sizes) > 1:
                low = -math.sqrt(3 / math.prod(sizes[1:]))
                high = -low
            else:
                low, high = (0.5, 1.5) if name in ("weight", "running_var") else (-0.1, 0.1)
            self.p.values[fqn] = struct.pack(f"<{count}f", *(numbers.uniform(low, high) for _ in range(count)))

    def write(self, path):
        x = self.p.user_input("x", [1, 3, 32, 32])
        x = self.conv_norm(x, self.root, "conv1", "bn1", 3, 16, 3, 1, 32)
        x = self.relu(x, self.root, "relu", [1, 16, 32, 32])
        width, size = 16, 32
        for stage, planes in enumerate((8, 16, 32), 1):
            stride = 2 if stage > 1 else 1
            size //= stride
            x = self.bottleneck(x, f"layer{stage}.0", width, planes, stride, size)
            width = 4 * planes
        x = self.call("adaptive_avg_pool2d.default", {"self": x, "output_size": [1, 1]}, [1, width, 1, 1],
                      self.root + [("avgpool", "torch.nn.modules.pooling.AdaptiveAvgPool2d")], "modules/pooling.py",
                      1500, "return F.adaptive_avg_pool2d(input, self.output_size)")
        x = self.call("flatten.using_ints", {"self": x, "start_dim": 1}, [1, width], self.root, "modules/module.py",
                      1780, "x = torch.flatten(x, 1)")
        x = self.call("linear.default",
                      {"input": x, "weight": self.p.parameter("fc.weight", [10, width]),
                       "bias": self.p.parameter("fc.bias", [10])}, [1, 10],
                      self.root + [("fc", "torch.nn.modules.linear.Linear")], "modules/linear.py", 134,
                      "return F.linear(input, self.weight, self.bias)")
        self.fill()
        self.p.write(path, "small_resnet", x)


class Llama:
    """A decoder as transformers writes it: 32 layers of 64 nodes, hidden size 256, 8 heads of 32, 4 of them for keys
    and values; vocabulary 8192, 64 tokens."""
    LAYERS, HIDDEN, INNER, HEADS, KV_HEADS, WIDTH, TOKENS, VOCABULARY = 32, 256, 688, 8, 4, 32, 64, 8192
    FILE = f"{SITE}/transformers/models/llama/modeling_llama.py"
    CLASS = "transformers.models.llama.modeling_llama.Llama"

    def __init__(self):
        self.p = Program()
        self.stack = [("", self.CLASS + "ForCausalLM"), ("model", self.CLASS + "Model")]
        self.line = 100

    def call(self, op, shape, dtype=FLOAT32, /, **arguments):
        self.line += 1
        wrapper = f"{SITE}/transformers/utils/generic.py"
        frames = [(wrapper, 918, "wrapper", "output = func(self, *args, **kwargs)"),
                  (self.FILE, 459, "forward", "outputs: BaseModelOutputWithPast = self.model("),
                  (wrapper, 1064, "wrapper", "outputs = func(self, *args, **kwargs)"),
                  (self.FILE, 395, "forward", "hidden_states = decoder_layer("),
                  (f"{SITE}/transformers/modeling_layers.py", 94, "__call__", "return super().__call__(*args, **kwargs)"),
                  (self.FILE, self.line % 300 + 60, "forward", f"hidden_states = self.{op.partition('.')[0]}(hidden_states)")]
        return self.p.node(op, arguments, shape, self.stack, frames, dtype)

    def inside(self, name, cls):
        """A copy of this builder whose nodes lie in a submodule."""
        inner = object.__new__(Llama)
        inner.__dict__ = dict(self.__dict__)
        parent = self.stack[-1][0]
        inner.stack = self.stack + [(f"{parent}.{name}", cls)]
        return inner

    @property
    def path(self):
        return self.stack[-1][0]

    def linear(self, x, name, inputs, outputs):
        inner = self.inside(name, "torch.nn.modules.linear.Linear")
        weight = self.p.parameter(f"{inner.path}.weight", [outputs, inputs])
        return inner.call("linear.default", [1, self.TOKENS, outputs], input=x, weight=weight)

    def norm(self, x, name):
        """8 nodes."""
        m, full, one = self.inside(name, self.CLASS + "RMSNorm"), [1, self.TOKENS, self.HIDDEN], [1, self.TOKENS, 1]
        x = m.call("to.dtype", full, self=x, dtype=FLOAT32)
        square = m.call("pow.Tensor_Scalar", full, self=x, exponent=2)
        mean = m.call("mean.dim", one, self=square, dim=[-1], keepdim=True)
        shifted = m.call("add.Tensor", one, self=mean, other=1e-05)
        root = m.call("rsqrt.default", one, self=shifted)
        x = m.call("mul.Tensor", full, self=x, other=root)
        x = m.call("to.dtype", full, self=x, dtype=FLOAT32)
        weight = self.p.parameter(f"{m.path}.weight", [self.HIDDEN])
        return m.call("mul.Tensor", full, self=weight, other=x)

    def heads(self, x, count):
        """2 nodes: [1, tokens, count * width] to [1, count, tokens, width]."""
        x = self.call("view.default", [1, self.TOKENS, count, self.WIDTH], self=x, size=[1, self.TOKENS, -1, self.WIDTH])
        return self.call("transpose.int", [1, count, self.TOKENS, self.WIDTH], self=x, dim0=1, dim1=2)

    def rotate(self, x, count, cos, sin):
        """7 nodes."""
        half, full = [1, count, self.TOKENS, self.WIDTH // 2], [1, count, self.TOKENS, self.WIDTH]
        direct = self.call("mul.Tensor", full, self=x, other=cos)
        low = self.call("slice.Tensor", half, self=x, dim=3, start=0, end=self.WIDTH // 2)
        high = self.call("slice.Tensor", half, self=x, dim=3, start=self.WIDTH // 2, end=sys.maxsize)
        negative = self.call("neg.default", half, self=high)
        turned = self.call("cat.default", full, tensors=[negative, low], dim=-1)
        turned = self.call("mul.Tensor", full, self=turned, other=sin)
        return self.call("add.Tensor", full, self=direct, other=turned)

    def repeated(self, x):
        """6 nodes: every key or value head for as many query heads as share it."""
        times = self.HEADS // self.KV_HEADS
        shape = [1, self.KV_HEADS, self.TOKENS, self.WIDTH]
        x = self.call("slice.Tensor", shape, self=x, dim=0, start=0, end=sys.maxsize)
        x = self.call("slice.Tensor", shape, self=x, dim=1, start=0, end=sys.maxsize)
        x = self.call("unsqueeze.default", [1, self.KV_HEADS, 1, self.TOKENS, self.WIDTH], self=x, dim=2)
        wide = [1, self.KV_HEADS, times, self.TOKENS, self.WIDTH]
        x = self.call("expand.default", wide, self=x, size=wide)
        x = self.call("clone.default", wide, self=x)
        return self.call("view.default", [1, self.HEADS, self.TOKENS, self.WIDTH], self=x,
                         size=[1, self.HEADS, self.TOKENS, self.WIDTH])

    def attention(self, x, cos, sin, mask):
        """41 nodes."""
        a = self.inside("self_attn", self.CLASS + "Attention")
        kv = self.KV_HEADS * self.WIDTH
        q = a.heads(a.linear(x, "q_proj", self.HIDDEN, self.HIDDEN), self.HEADS)
        k = a.heads(a.linear(x, "k_proj", self.HIDDEN, kv), self.KV_HEADS)
        v = a.heads(a.linear(x, "v_proj", self.HIDDEN, kv), self.KV_HEADS)
        each = [1, 1, self.TOKENS, self.WIDTH]
        cos = a.call("unsqueeze.default", each, self=cos, dim=1)
        sin = a.call("unsqueeze.default", each, self=sin, dim=1)
        q, k = a.rotate(q, self.HEADS, cos, sin), a.rotate(k, self.KV_HEADS, cos, sin)
        k, v = a.repeated(k), a.repeated(v)
        full = [1, self.HEADS, self.TOKENS, self.WIDTH]
        x = a.call("scaled_dot_product_attention.default", full, query=q, key=k, value=v, attn_mask=mask,
                   dropout_p=0.0, is_causal=False, scale=self.WIDTH ** -0.5)
        x = a.call("transpose.int", [1, self.TOKENS, self.HEADS, self.WIDTH], self=x, dim0=1, dim1=2)
        x = a.call("reshape.default", [1, self.TOKENS, self.HIDDEN], self=x, shape=[1, self.TOKENS, -1])
        return a.linear(x, "o_proj", self.HIDDEN, self.HIDDEN)

    def layer(self, x, index, cos, sin, mask):
        """64 nodes."""
        d, full = self.inside(f"layers.{index}", self.CLASS + "DecoderLayer"), [1, self.TOKENS, self.HIDDEN]
        x = d.call("add.Tensor", full, self=x, other=d.attention(d.norm(x, "input_layernorm"), cos, sin, mask))
        m, inner = d.inside("mlp", self.CLASS + "MLP"), [1, self.TOKENS, self.INNER]
        y = d.norm(x, "post_attention_layernorm")
        gate = m.linear(y, "gate_proj", self.HIDDEN, self.INNER)
        gate = m.inside("act_fn", "torch.nn.modules.activation.SiLU").call("silu.default", inner, self=gate)
        y = m.call("mul.Tensor", inner, self=gate, other=m.linear(y, "up_proj", self.HIDDEN, self.INNER))
        return d.call("add.Tensor", full, self=x, other=m.linear(y, "down_proj", self.INNER, self.HIDDEN))

    def rotary(self):
        """9 nodes; cosines, sines and the mask are read by all layers."""
        r = self.inside("rotary_emb", self.CLASS + "RotaryEmbedding")
        frequencies = self.p.buffer(f"{r.path}.inv_freq", [self.WIDTH // 2])
        positions = r.call("arange.default", [self.TOKENS], INT64, end=self.TOKENS)
        column = r.call("unsqueeze.default", [self.TOKENS, 1], INT64, self=positions, dim=1)
        angles = r.call("mul.Tensor", [self.TOKENS, self.WIDTH // 2], self=column, other=frequencies)
        both = r.call("cat.default", [self.TOKENS, self.WIDTH], tensors=[angles, angles], dim=-1)
        both = r.call("unsqueeze.default", [1, self.TOKENS, self.WIDTH], self=both, dim=0)
        cos = r.call("cos.default", [1, self.TOKENS, self.WIDTH], self=both)
        sin = r.call("sin.default", [1, self.TOKENS, self.WIDTH], self=both)
        row = r.call("unsqueeze.default", [1, self.TOKENS], INT64, self=positions, dim=0)
        mask = r.call("ge.Tensor", [self.TOKENS, self.TOKENS], BOOL, self=column, other=row)
        return cos, sin, mask

    def write(self, path):
        tokens = self.p.user_input("input_ids", [1, self.TOKENS], INT64)
        embedding = self.p.parameter("model.embed_tokens.weight", [self.VOCABULARY, self.HIDDEN])
        x = self.inside("embed_tokens", "torch.nn.modules.sparse.Embedding").call(
            "embedding.default", [1, self.TOKENS, self.HIDDEN], weight=embedding, indices=tokens)
        cos, sin, mask = self.rotary()
        for index in range(self.LAYERS):
            x = self.layer(x, index, cos, sin, mask)
        x = self.norm(x, "norm")
        head = self.p.parameter("lm_head.weight", [self.VOCABULARY, self.HIDDEN])
        x = self.call("linear.default", [1, self.TOKENS, self.VOCABULARY], input=x, weight=head)
        self.p.write(path, "llama", x)


def main(arguments):
    match arguments:
        case ["resnet50", path]:
            ResNet50().write(path)
        case ["small_resnet", path]:
            SmallResNet().write(path)
        case ["llama", path]:
            Llama().write(path)
        case _:
            sys.exit(__doc__.strip())


if __name__ == "__main__":
    main(sys.argv[1:])
