# SPDX-FileCopyrightText: The Cutaway authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Models with modules for structure.py, exported to ONNX without their weights.

usage: structure_models.py FOLDER [NAME...]

Writes NAME.onnx, whose nodes are named by module, and NAME.json, the class of each module, for all models or those named.
"""
import json
import pathlib
import sys
import warnings

import torch
import torch.nn.functional as F
import torchvision
from torch import nn

TV = torchvision.models


class Attention(nn.Module):
    def __init__(self, width, heads, causal=False):
        super().__init__()
        self.heads, self.causal = heads, causal
        self.q, self.k, self.v, self.out = (nn.Linear(width, width) for _ in range(4))

    def forward(self, x, memory=None):
        memory = x if memory is None else memory
        b, t, c = x.shape

        def split(y):
            return y.view(b, -1, self.heads, c // self.heads).transpose(1, 2)

        q, k, v = split(self.q(x)), split(self.k(memory)), split(self.v(memory))
        scores = q @ k.transpose(-2, -1) / (c // self.heads) ** 0.5
        if self.causal:
            scores = scores.masked_fill(torch.ones(t, t).tril() == 0, float("-inf"))
        return self.out((scores.softmax(-1) @ v).transpose(1, 2).reshape(b, t, c))


class MLP(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.up, self.activation, self.down = nn.Linear(width, 4 * width), nn.GELU(), nn.Linear(4 * width, width)

    def forward(self, x):
        return self.down(self.activation(self.up(x)))


class GPTBlock(nn.Module):
    def __init__(self, width, heads):
        super().__init__()
        self.ln1, self.ln2 = nn.LayerNorm(width), nn.LayerNorm(width)
        self.attention, self.mlp = Attention(width, heads, True), MLP(width)

    def forward(self, x):
        x = x + self.attention(self.ln1(x))
        return x + self.mlp(self.ln2(x))


class GPT(nn.Module):
    def __init__(self, layers=12, width=64, heads=4):
        super().__init__()
        self.tokens, self.positions = nn.Embedding(100, width), nn.Embedding(32, width)
        self.blocks = nn.ModuleList(GPTBlock(width, heads) for _ in range(layers))
        self.norm, self.head = nn.LayerNorm(width), nn.Linear(width, 100, bias=False)

    def forward(self, ids):
        x = self.tokens(ids) + self.positions(torch.arange(ids.shape[1]))
        for block in self.blocks:
            x = block(x)
        return self.head(self.norm(x))


class BertLayer(nn.Module):
    def __init__(self, width, heads):
        super().__init__()
        self.attention, self.mlp = Attention(width, heads), MLP(width)
        self.norm1, self.norm2 = nn.LayerNorm(width), nn.LayerNorm(width)

    def forward(self, x):
        x = self.norm1(x + self.attention(x))
        return self.norm2(x + self.mlp(x))


class Bert(nn.Module):
    def __init__(self, layers=6, width=64, heads=4):
        super().__init__()
        self.tokens, self.positions = nn.Embedding(100, width), nn.Embedding(32, width)
        self.norm = nn.LayerNorm(width)
        self.layers = nn.ModuleList(BertLayer(width, heads) for _ in range(layers))
        self.pooler = nn.Linear(width, width)

    def forward(self, ids):
        x = self.norm(self.tokens(ids) + self.positions(torch.arange(ids.shape[1])))
        for layer in self.layers:
            x = layer(x)
        return torch.tanh(self.pooler(x[:, 0]))


class RMSNorm(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(width))

    def forward(self, x):
        return x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + 1e-6) * self.weight


class LlamaAttention(nn.Module):
    def __init__(self, width, heads):
        super().__init__()
        self.heads = heads
        self.q, self.k, self.v, self.o = (nn.Linear(width, width, bias=False) for _ in range(4))

    def forward(self, x, cos, sin):
        b, t, c = x.shape

        def split(y):
            return y.view(b, t, self.heads, -1).transpose(1, 2)

        def turned(y):
            a, z = y.chunk(2, -1)
            return y * cos + torch.cat([-z, a], -1) * sin

        q, k, v = turned(split(self.q(x))), turned(split(self.k(x))), split(self.v(x))
        scores = (q @ k.transpose(-2, -1)) * 0.25 + torch.full((t, t), -1e9).triu(1)
        return self.o((scores.softmax(-1) @ v).transpose(1, 2).reshape(b, t, c))


class SwiGLU(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.gate, self.up = nn.Linear(width, 3 * width, bias=False), nn.Linear(width, 3 * width, bias=False)
        self.down = nn.Linear(3 * width, width, bias=False)

    def forward(self, x):
        return self.down(F.silu(self.gate(x)) * self.up(x))


class LlamaBlock(nn.Module):
    def __init__(self, width, heads):
        super().__init__()
        self.norm1, self.norm2 = RMSNorm(width), RMSNorm(width)
        self.attention, self.mlp = LlamaAttention(width, heads), SwiGLU(width)

    def forward(self, x, cos, sin):
        x = x + self.attention(self.norm1(x), cos, sin)
        return x + self.mlp(self.norm2(x))


class Llama(nn.Module):
    def __init__(self, layers=8, width=64, heads=4):
        super().__init__()
        self.tokens, self.norm, self.head = nn.Embedding(100, width), RMSNorm(width), nn.Linear(width, 100, bias=False)
        self.layers = nn.ModuleList(LlamaBlock(width, heads) for _ in range(layers))

    def forward(self, ids, positions):
        angles = positions[:, None].float() * torch.linspace(1, 0.01, 8)
        cos, sin = torch.cat([angles, angles], -1).cos(), torch.cat([angles, angles], -1).sin()
        x = self.tokens(ids)
        for layer in self.layers:
            x = layer(x, cos, sin)
        return self.head(self.norm(x))


class DecoderLayer(nn.Module):
    def __init__(self, width, heads):
        super().__init__()
        self.own, self.cross, self.mlp = Attention(width, heads, True), Attention(width, heads), MLP(width)
        self.norm1, self.norm2, self.norm3 = (nn.LayerNorm(width) for _ in range(3))

    def forward(self, x, memory):
        x = x + self.own(self.norm1(x))
        x = x + self.cross(self.norm2(x), memory)
        return x + self.mlp(self.norm3(x))


class Translator(nn.Module):
    def __init__(self, layers=4, width=64, heads=4):
        super().__init__()
        self.source, self.target = nn.Embedding(100, width), nn.Embedding(100, width)
        self.encoder = nn.ModuleList(GPTBlock(width, heads) for _ in range(layers))
        self.decoder = nn.ModuleList(DecoderLayer(width, heads) for _ in range(layers))
        self.head = nn.Linear(width, 100)

    def forward(self, source, target):
        memory, x = self.source(source), self.target(target)
        for block in self.encoder:
            memory = block(memory)
        for block in self.decoder:
            x = block(x, memory)
        return self.head(x)


def double(inside, outside):
    return nn.Sequential(nn.Conv2d(inside, outside, 3, padding=1), nn.BatchNorm2d(outside), nn.ReLU(),
                         nn.Conv2d(outside, outside, 3, padding=1), nn.BatchNorm2d(outside), nn.ReLU())


class Down(nn.Module):
    def __init__(self, inside, outside):
        super().__init__()
        self.pool, self.convs = nn.MaxPool2d(2), double(inside, outside)

    def forward(self, x):
        return self.convs(self.pool(x))


class Up(nn.Module):
    def __init__(self, inside, outside, learned):
        super().__init__()
        self.up = nn.ConvTranspose2d(inside, outside, 2, 2) if learned else nn.Upsample(scale_factor=2)
        self.convs = double(2 * outside if learned else inside + outside, outside)

    def forward(self, x, skip):
        return self.convs(torch.cat([skip, self.up(x)], 1))


class UNet(nn.Module):
    def __init__(self, learned=True, width=8, levels=4):
        super().__init__()
        self.first = double(3, width)
        self.downs = nn.ModuleList(Down(width << i, width << (i + 1)) for i in range(levels))
        self.ups = nn.ModuleList(Up(width << (i + 1), width << i, learned) for i in reversed(range(levels)))
        self.last = nn.Conv2d(width, 2, 1)

    def forward(self, x):
        skips = [self.first(x)]
        for down in self.downs:
            skips.append(down(skips[-1]))
        x = skips.pop()
        for up in self.ups:
            x = up(x, skips.pop())
        return self.last(x)


class ResBlock(nn.Module):
    """Of a diffusion model: it also reads the embedding of the time."""

    def __init__(self, inside, outside, time):
        super().__init__()
        self.norm1, self.norm2 = nn.GroupNorm(4, inside), nn.GroupNorm(4, outside)
        self.conv1, self.conv2 = nn.Conv2d(inside, outside, 3, padding=1), nn.Conv2d(outside, outside, 3, padding=1)
        self.time = nn.Linear(time, outside)
        self.shortcut = nn.Conv2d(inside, outside, 1) if inside != outside else nn.Identity()

    def forward(self, x, t):
        h = self.conv1(F.silu(self.norm1(x))) + self.time(F.silu(t))[:, :, None, None]
        return self.shortcut(x) + self.conv2(F.silu(self.norm2(h)))


class Diffusion(nn.Module):
    def __init__(self, width=8, levels=3):
        super().__init__()
        self.time = nn.Sequential(nn.Linear(16, 32), nn.SiLU(), nn.Linear(32, 32))
        self.first = nn.Conv2d(3, width, 3, padding=1)
        self.downs = nn.ModuleList(
            nn.ModuleList([ResBlock(width << i, width << i, 32), ResBlock(width << i, width << i, 32),
                           nn.Conv2d(width << i, width << (i + 1), 3, 2, 1)]) for i in range(levels))
        self.middle = ResBlock(width << levels, width << levels, 32)
        self.ups = nn.ModuleList(
            nn.ModuleList([nn.Sequential(nn.Upsample(scale_factor=2),
                                         nn.Conv2d(width << (i + 1), width << i, 3, padding=1)),
                           ResBlock(width << (i + 1), width << i, 32), ResBlock(width << i, width << i, 32)])
            for i in reversed(range(levels)))
        self.last = nn.Conv2d(width, 3, 3, padding=1)

    def forward(self, x, t):
        t, x = self.time(t), self.first(x)
        skips = []
        for a, b, down in self.downs:
            x = b(a(x, t), t)
            skips.append(x)
            x = down(x)
        x = self.middle(x, t)
        for up, a, b in self.ups:
            x = b(a(torch.cat([up(x), skips.pop()], 1), t), t)
        return self.last(x)


class LSTMStack(nn.Module):
    """Two layers of cells that run eight steps, unrolled."""

    class Cell(nn.Module):
        def __init__(self, inside, width):
            super().__init__()
            self.x, self.h = nn.Linear(inside, 4 * width), nn.Linear(width, 4 * width)

        def forward(self, x, h, c):
            i, f, g, o = (self.x(x) + self.h(h)).chunk(4, -1)
            c = f.sigmoid() * c + i.sigmoid() * g.tanh()
            return o.sigmoid() * c.tanh(), c

    def __init__(self, steps=8):
        super().__init__()
        self.cells = nn.ModuleList(LSTMStack.Cell(16, 16) for _ in range(steps))
        self.head = nn.Linear(16, 10)

    def forward(self, x, h, c):
        for i, cell in enumerate(self.cells):  # of one weight each: a name for each step
            h, c = cell(x[:, i], h, c)
        return self.head(h)


class MixerBlock(nn.Module):
    def __init__(self, tokens, width):
        super().__init__()
        self.norm1, self.norm2 = nn.LayerNorm(width), nn.LayerNorm(width)
        self.tokens, self.channels = MLP(tokens), MLP(width)

    def forward(self, x):
        x = x + self.tokens(self.norm1(x).transpose(1, 2)).transpose(1, 2)
        return x + self.channels(self.norm2(x))


class Mixer(nn.Module):
    def __init__(self, layers=8):
        super().__init__()
        self.stem = nn.Conv2d(3, 32, 8, 8)
        self.blocks = nn.Sequential(*(MixerBlock(16, 32) for _ in range(layers)))
        self.norm, self.head = nn.LayerNorm(32), nn.Linear(32, 10)

    def forward(self, x):
        return self.head(self.norm(self.blocks(self.stem(x).flatten(2).transpose(1, 2))).mean(1))


class WaveBlock(nn.Module):
    def __init__(self, dilation):
        super().__init__()
        self.filter = nn.Conv1d(16, 16, 3, padding=dilation, dilation=dilation)
        self.gate = nn.Conv1d(16, 16, 3, padding=dilation, dilation=dilation)
        self.skip, self.residual = nn.Conv1d(16, 16, 1), nn.Conv1d(16, 16, 1)

    def forward(self, x):
        y = torch.tanh(self.filter(x)) * torch.sigmoid(self.gate(x))
        return x + self.residual(y), self.skip(y)


class WaveNet(nn.Module):
    def __init__(self, layers=10):
        super().__init__()
        self.first = nn.Conv1d(1, 16, 1)
        self.blocks = nn.ModuleList(WaveBlock(1 << i % 5) for i in range(layers))
        self.last = nn.Sequential(nn.ReLU(), nn.Conv1d(16, 16, 1), nn.ReLU(), nn.Conv1d(16, 8, 1))

    def forward(self, x):
        x, total = self.first(x), 0
        for block in self.blocks:
            x, skip = block(x)
            total = total + skip
        return self.last(total)


class ConvAct(nn.Sequential):
    def __init__(self, inside, outside, kernel=3, stride=1):
        super().__init__(nn.Conv2d(inside, outside, kernel, stride, kernel // 2), nn.BatchNorm2d(outside), nn.SiLU())


class C2f(nn.Module):
    class Bottleneck(nn.Module):
        def __init__(self, width):
            super().__init__()
            self.a, self.b = ConvAct(width, width), ConvAct(width, width)

        def forward(self, x):
            return x + self.b(self.a(x))

    def __init__(self, inside, outside, times):
        super().__init__()
        half = outside // 2
        self.first, self.last = ConvAct(inside, outside, 1), ConvAct((2 + times) * half, outside, 1)
        self.inner = nn.ModuleList(C2f.Bottleneck(half) for _ in range(times))

    def forward(self, x):
        parts = list(self.first(x).chunk(2, 1))
        for block in self.inner:
            parts.append(block(parts[-1]))
        return self.last(torch.cat(parts, 1))


class YoloHead(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.boxes = nn.Sequential(ConvAct(width, 16), ConvAct(16, 16), nn.Conv2d(16, 64, 1))
        self.classes = nn.Sequential(ConvAct(width, 16), ConvAct(16, 16), nn.Conv2d(16, 80, 1))

    def forward(self, x):
        return torch.cat([self.boxes(x), self.classes(x)], 1)


class Yolo(nn.Module):
    def __init__(self, w=16):
        super().__init__()
        self.stem = ConvAct(3, w, 3, 2)
        self.stage1 = nn.Sequential(ConvAct(w, 2 * w, 3, 2), C2f(2 * w, 2 * w, 1))
        self.stage2 = nn.Sequential(ConvAct(2 * w, 4 * w, 3, 2), C2f(4 * w, 4 * w, 2))
        self.stage3 = nn.Sequential(ConvAct(4 * w, 8 * w, 3, 2), C2f(8 * w, 8 * w, 2))
        self.stage4 = nn.Sequential(ConvAct(8 * w, 8 * w, 3, 2), C2f(8 * w, 8 * w, 1))
        self.up = nn.Upsample(scale_factor=2)
        self.top1, self.top2 = C2f(16 * w, 8 * w, 1), C2f(12 * w, 4 * w, 1)
        self.down1, self.down2 = ConvAct(4 * w, 4 * w, 3, 2), ConvAct(8 * w, 8 * w, 3, 2)
        self.bottom1, self.bottom2 = C2f(12 * w, 8 * w, 1), C2f(16 * w, 8 * w, 1)
        self.heads = nn.ModuleList(YoloHead(n * w) for n in (4, 8, 8))

    def forward(self, x):
        a = self.stage2(self.stage1(self.stem(x)))
        b = self.stage3(a)
        c = self.stage4(b)
        d = self.top1(torch.cat([self.up(c), b], 1))
        e = self.top2(torch.cat([self.up(d), a], 1))
        f = self.bottom1(torch.cat([self.down1(e), d], 1))
        g = self.bottom2(torch.cat([self.down2(f), c], 1))
        return [head(level) for head, level in zip(self.heads, (e, f, g))]


class Siamese(nn.Module):
    """Two towers of their own weights."""

    def __init__(self):
        super().__init__()
        self.left, self.right = TV.resnet18(num_classes=32), TV.resnet18(num_classes=32)
        self.head = nn.Sequential(nn.Linear(64, 32), nn.ReLU(), nn.Linear(32, 1))

    def forward(self, a, b):
        return self.head(torch.cat([self.left(a), self.right(b)], 1))


class Segmentation(nn.Module):
    def __init__(self, model):
        super().__init__()
        self.model = model

    def forward(self, x):
        return self.model(x)["out"]


class Pyramid(nn.Module):
    def __init__(self):
        super().__init__()
        self.backbone = torchvision.models.detection.backbone_utils.resnet_fpn_backbone(
            backbone_name="resnet18", weights=None)

    def forward(self, x):
        return list(self.backbone(x).values())


def image(size, count=1):
    return lambda: tuple(torch.randn(1, 3, size, size) for _ in range(count))


def ids(*lengths):
    return lambda: tuple(torch.arange(n)[None] for n in lengths)


def vision(name, size=64, **options):
    return (lambda: getattr(TV, name)(weights=None, **options)), image(size)


MODELS = {
    **{name: vision(name) for name in (
        "resnet18", "resnet50", "resnext50_32x4d", "densenet121", "mobilenet_v2", "mobilenet_v3_small",
        "mobilenet_v3_large", "mnasnet0_5", "shufflenet_v2_x0_5", "efficientnet_b0", "efficientnet_v2_s",
        "regnet_y_400mf", "regnet_x_400mf", "convnext_tiny", "squeezenet1_1")},
    "vgg11_bn": vision("vgg11_bn", 224),
    "googlenet": vision("googlenet", 64, aux_logits=False, init_weights=False),
    "inception_v3": vision("inception_v3", 128, aux_logits=False, init_weights=False),
    "swin_t": vision("swin_t"), "swin_v2_t": vision("swin_v2_t"),
    "vit": (lambda: TV.VisionTransformer(image_size=64, patch_size=16, num_layers=12, num_heads=4, hidden_dim=64,
                                         mlp_dim=128), image(64)),
    "maxvit": (lambda: TV.MaxVit(input_size=(64, 64), stem_channels=16, partition_size=2, block_channels=[16, 32],
                                 block_layers=[2, 2], head_dim=16, stochastic_depth_prob=0.0), image(64)),
    "deeplab": (lambda: Segmentation(TV.segmentation.deeplabv3_resnet50(weights=None, weights_backbone=None)),
                image(64)),
    "fcn": (lambda: Segmentation(TV.segmentation.fcn_resnet50(weights=None, weights_backbone=None)), image(64)),
    "lraspp": (lambda: Segmentation(TV.segmentation.lraspp_mobilenet_v3_large(weights=None, weights_backbone=None)),
               image(64)),
    "pyramid": (Pyramid, image(64)),
    "gpt": (GPT, ids(16)), "bert": (Bert, ids(16)), "translator": (Translator, ids(16, 12)),
    "llama": (Llama, lambda: (torch.arange(16)[None], torch.arange(16))),
    "unet": (UNet, image(64)), "unet_resize": (lambda: UNet(learned=False), image(64)),
    "diffusion": (Diffusion, lambda: (torch.randn(1, 3, 32, 32), torch.randn(1, 16))),
    "lstm": (LSTMStack, lambda: (torch.randn(2, 8, 16), torch.randn(2, 16), torch.randn(2, 16))),
    "mixer": (Mixer, image(32)),
    "wavenet": (WaveNet, lambda: (torch.randn(1, 1, 64),)),
    "yolo": (Yolo, image(64)),
    "siamese": (Siamese, image(64, 2)),
}


def main():
    warnings.filterwarnings("ignore")
    folder = pathlib.Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    for name in sys.argv[2:] or MODELS:
        make, inputs = MODELS[name]
        torch.manual_seed(0)
        model = make().eval()
        (folder / f"{name}.json").write_text(
            json.dumps({path: type(module).__name__ for path, module in model.named_modules()}))
        try:
            torch.onnx.export(model, inputs(), str(folder / f"{name}.onnx"), opset_version=17, dynamo=False)
        except Exception as error:  # one that torch cannot export is none less
            print(f"{name}: {type(error).__name__}: {str(error)[:200]}")


if __name__ == "__main__":
    main()
