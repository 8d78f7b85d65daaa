# SPDX-FileCopyrightText: The Cutaway authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Networks that see and draw, as published code has them, small: diffusion, super-resolution, mixers, fields."""
import math

import torch
from torch import Tensor, nn
from torch.nn import functional as F


class TimestepEmbedding(nn.Module):
    """Sines and cosines of the step, then two layers, as diffusion models have it."""

    def __init__(self, width):
        super().__init__()
        self.width = width
        self.layers = nn.Sequential(nn.Linear(width, 4 * width), nn.SiLU(), nn.Linear(4 * width, 4 * width))

    def forward(self, steps: Tensor) -> Tensor:
        half = self.width // 2
        rates = torch.exp(-math.log(10000.0) * torch.arange(half, dtype=torch.float32, device=steps.device) / half)
        angles = steps[:, None].float() * rates[None, :]
        return self.layers(torch.cat([torch.sin(angles), torch.cos(angles)], dim=-1))


class ResidualBlock(nn.Module):
    def __init__(self, given, made, embedding):
        super().__init__()
        self.norm1, self.conv1 = nn.GroupNorm(8, given), nn.Conv2d(given, made, 3, padding=1)
        self.time = nn.Linear(embedding, 2 * made)
        self.norm2, self.conv2 = nn.GroupNorm(8, made), nn.Conv2d(made, made, 3, padding=1)
        self.skip = nn.Conv2d(given, made, 1) if given != made else nn.Identity()

    def forward(self, x: Tensor, embedding: Tensor) -> Tensor:
        h = self.conv1(F.silu(self.norm1(x)))
        scale, shift = self.time(F.silu(embedding))[:, :, None, None].chunk(2, dim=1)
        h = self.norm2(h) * (1 + scale) + shift
        return self.skip(x) + self.conv2(F.silu(h))


class SpatialAttention(nn.Module):
    def __init__(self, channels, heads):
        super().__init__()
        self.heads = heads
        self.norm, self.qkv, self.out = nn.GroupNorm(8, channels), nn.Conv1d(channels, 3 * channels, 1), nn.Conv1d(channels, channels, 1)

    def forward(self, x: Tensor) -> Tensor:
        b, c, h, w = x.shape
        qkv = self.qkv(self.norm(x).reshape(b, c, h * w))
        q, k, v = qkv.reshape(b * self.heads, 3 * c // self.heads, h * w).chunk(3, dim=1)
        weight = torch.einsum("bct,bcs->bts", q, k) * (c // self.heads) ** -0.5
        a = torch.einsum("bts,bcs->bct", weight.softmax(dim=-1), v)
        return x + self.out(a.reshape(b, c, h * w)).reshape(b, c, h, w)


class CrossAttention(nn.Module):
    """Pixels look at words."""

    def __init__(self, channels, words, heads):
        super().__init__()
        self.heads = heads
        self.norm = nn.LayerNorm(channels)
        self.to_q, self.to_k = nn.Linear(channels, channels, bias=False), nn.Linear(words, channels, bias=False)
        self.to_v, self.to_out = nn.Linear(words, channels, bias=False), nn.Linear(channels, channels)
        self.proj = nn.Linear(channels, 8 * channels)
        self.back = nn.Linear(4 * channels, channels)

    def forward(self, x: Tensor, words: Tensor) -> Tensor:
        b, c, h, w = x.shape
        y = x.permute(0, 2, 3, 1).reshape(b, h * w, c)
        q, k, v = [t.view(b, -1, self.heads, c // self.heads).transpose(1, 2)
                   for t in (self.to_q(self.norm(y)), self.to_k(words), self.to_v(words))]
        y = y + self.to_out(F.scaled_dot_product_attention(q, k, v).transpose(1, 2).reshape(b, -1, c))
        value, gate = self.proj(y).chunk(2, dim=-1)
        y = y + self.back(value * F.gelu(gate))
        return y.reshape(b, h, w, c).permute(0, 3, 1, 2).contiguous()


class DiffusionUNet(nn.Module):
    """The shape of Stable Diffusion's: residual blocks with the step, attention to words, skips."""

    def __init__(self, width=32, words=24):
        super().__init__()
        self.time, e = TimestepEmbedding(width), 4 * width
        self.conv_in = nn.Conv2d(4, width, 3, padding=1)
        self.down1, self.sample1 = ResidualBlock(width, width, e), nn.Conv2d(width, width, 3, stride=2, padding=1)
        self.down2, self.cross2 = ResidualBlock(width, 2 * width, e), CrossAttention(2 * width, words, 4)
        self.middle1, self.attention = ResidualBlock(2 * width, 2 * width, e), SpatialAttention(2 * width, 4)
        self.up1, self.sample2 = ResidualBlock(4 * width, width, e), nn.Conv2d(width, width, 3, padding=1)
        self.up2, self.norm = ResidualBlock(2 * width, width, e), nn.GroupNorm(8, width)
        self.conv_out = nn.Conv2d(width, 4, 3, padding=1)

    def forward(self, sample: Tensor, timestep: Tensor, words: Tensor) -> Tensor:
        timestep = timestep.expand(sample.shape[0])
        embedding = self.time(timestep)
        x = self.conv_in(sample)
        first = self.down1(x, embedding)
        second = self.cross2(self.down2(self.sample1(first), embedding), words)
        x = self.attention(self.middle1(second, embedding))
        x = self.up1(torch.cat([x, second], dim=1), embedding)
        x = self.sample2(F.interpolate(x, scale_factor=2.0, mode="nearest"))
        x = self.up2(torch.cat([x, first], dim=1), embedding)
        return self.conv_out(F.silu(self.norm(x)))


class MixerBlock(nn.Module):
    def __init__(self, tokens, width):
        super().__init__()
        self.norm1, self.norm2 = nn.LayerNorm(width), nn.LayerNorm(width)
        self.mlp_tokens = nn.Sequential(nn.Linear(tokens, 2 * tokens), nn.GELU(), nn.Linear(2 * tokens, tokens))
        self.mlp_channels = nn.Sequential(nn.Linear(width, 4 * width), nn.GELU(), nn.Linear(4 * width, width))

    def forward(self, x: Tensor) -> Tensor:
        x = x + self.mlp_tokens(self.norm1(x).transpose(1, 2)).transpose(1, 2)
        return x + self.mlp_channels(self.norm2(x))


class Mixer(nn.Module):
    def __init__(self):
        super().__init__()
        self.stem = nn.Conv2d(3, 32, 8, stride=8)
        self.blocks = nn.Sequential(*[MixerBlock(16, 32) for _ in range(3)])
        self.norm, self.head = nn.LayerNorm(32), nn.Linear(32, 10)

    def forward(self, x: Tensor) -> Tensor:
        x = self.stem(x).flatten(2).transpose(1, 2)
        return self.head(self.norm(self.blocks(x)).mean(dim=1))


class SuperResolution(nn.Module):
    """EDSR: residual blocks and PixelShuffle; the mean of the training set is taken away and added."""

    def __init__(self, scale=2):
        super().__init__()
        self.register_buffer("mean", torch.tensor([0.44, 0.43, 0.40]).view(1, 3, 1, 1))
        self.head = nn.Conv2d(3, 16, 3, padding=1)
        self.body = nn.Sequential(*[nn.Sequential(nn.Conv2d(16, 16, 3, padding=1), nn.PReLU(16),
                                                  nn.Conv2d(16, 16, 3, padding=1)) for _ in range(2)])
        self.up = nn.Sequential(nn.Conv2d(16, 16 * scale * scale, 3, padding=1), nn.PixelShuffle(scale))
        self.tail = nn.Conv2d(16, 3, 3, padding=1)

    def forward(self, x: Tensor) -> Tensor:
        base = F.interpolate(x, scale_factor=2.0, mode="bicubic", align_corners=False)
        h = self.head(x - self.mean)
        for block in self.body:
            h = h + block(h) * 0.1
        return (self.tail(self.up(h)) + self.mean + base).clamp(0.0, 1.0)


class VariationalAutoencoder(nn.Module):
    """With sampling in training and the mean in evaluation, as most code has it; `sample` draws always."""

    def __init__(self, sample=False):
        super().__init__()
        self.sample = sample
        self.encoder = nn.Sequential(nn.Conv2d(3, 16, 4, 2, 1), nn.LeakyReLU(0.2), nn.Conv2d(16, 32, 4, 2, 1),
                                     nn.BatchNorm2d(32), nn.LeakyReLU(0.2), nn.Flatten())
        self.mean, self.logvar = nn.Linear(2048, 8), nn.Linear(2048, 8)
        self.expand = nn.Linear(8, 2048)
        self.decoder = nn.Sequential(nn.ConvTranspose2d(32, 16, 4, 2, 1), nn.BatchNorm2d(16), nn.ReLU(),
                                     nn.ConvTranspose2d(16, 3, 3, 2, 1, output_padding=1), nn.Tanh())

    def reparameterize(self, mean: Tensor, logvar: Tensor) -> Tensor:
        if self.training or self.sample:
            std = torch.exp(0.5 * logvar)
            return mean + std * torch.randn_like(std)
        return mean

    def forward(self, x: Tensor):
        h = self.encoder(x)
        mean, logvar = self.mean(h), self.logvar(h)
        z = self.reparameterize(mean, logvar)
        return self.decoder(self.expand(z).view(-1, 32, 8, 8)), mean, logvar


class RadianceField(nn.Module):
    """NeRF: positions encoded by octaves, rays composed by transmittance."""

    def __init__(self, width=32):
        super().__init__()
        self.register_buffer("bands", 2.0 ** torch.arange(4))
        self.layers = nn.ModuleList([nn.Linear(27 if i == 0 else width + 27 if i == 2 else width, width) for i in range(4)])
        self.sigma, self.color = nn.Linear(width, 1), nn.Sequential(nn.Linear(width + 3, width), nn.ReLU(), nn.Linear(width, 3), nn.Sigmoid())

    def encode(self, x: Tensor) -> Tensor:
        angles = x[..., None] * self.bands
        return torch.cat([x, torch.sin(angles).flatten(-2), torch.cos(angles).flatten(-2)], -1)

    def forward(self, origins: Tensor, directions: Tensor) -> Tensor:
        depths = torch.linspace(0.1, 4.0, 16, device=origins.device)
        points = origins[:, None, :] + directions[:, None, :] * depths[None, :, None]
        encoded = self.encode(points)
        h = encoded
        for i, layer in enumerate(self.layers):
            if i == 2:
                h = torch.cat([encoded, h], dim=-1)
            h = F.relu(layer(h))
        sigma = F.relu(self.sigma(h)).squeeze(-1)
        view = F.normalize(directions, dim=-1)[:, None, :].expand(-1, 16, -1)
        color = self.color(torch.cat([h, view], -1))
        gaps = torch.cat([depths[1:] - depths[:-1], torch.full((1,), 1e10)])
        alpha = 1.0 - torch.exp(-sigma * gaps)
        passed = torch.cumprod(torch.cat([torch.ones_like(alpha[:, :1]), 1.0 - alpha + 1e-10], -1), -1)[:, :-1]
        weights = alpha * passed
        return torch.sum(weights[..., None] * color, dim=1)


class SpatialTransformer(nn.Module):
    def __init__(self):
        super().__init__()
        self.localization = nn.Sequential(nn.Conv2d(1, 8, 7), nn.MaxPool2d(2, stride=2), nn.ReLU(True),
                                          nn.Conv2d(8, 10, 5), nn.MaxPool2d(2, stride=2), nn.ReLU(True))
        self.fc_loc = nn.Sequential(nn.Linear(10 * 3 * 3, 32), nn.ReLU(True), nn.Linear(32, 6))
        self.conv1, self.conv2, self.drop = nn.Conv2d(1, 10, 5), nn.Conv2d(10, 20, 5), nn.Dropout2d()
        self.fc1, self.fc2 = nn.Linear(320, 50), nn.Linear(50, 10)

    def forward(self, x: Tensor) -> Tensor:
        theta = self.fc_loc(self.localization(x).view(-1, 10 * 3 * 3)).view(-1, 2, 3)
        grid = F.affine_grid(theta, list(x.size()), align_corners=False)
        x = F.grid_sample(x, grid, align_corners=False)
        x = F.relu(F.max_pool2d(self.conv1(x), 2))
        x = F.relu(F.max_pool2d(self.drop(self.conv2(x)), 2))
        x = F.dropout(F.relu(self.fc1(x.view(-1, 320))), training=self.training)
        return F.log_softmax(self.fc2(x), dim=1)


class DeformableAttention(nn.Module):
    """Deformable DETR's: values are sampled of several levels at places that the query says."""

    def __init__(self, width=32, heads=4, points=2):
        super().__init__()
        self.heads, self.points = heads, points
        self.sizes = [(8, 8), (4, 4)]
        self.value, self.output = nn.Linear(width, width), nn.Linear(width, width)
        self.offsets, self.weights = nn.Linear(width, heads * 2 * points * 2), nn.Linear(width, heads * 2 * points)

    def forward(self, query: Tensor, reference: Tensor, flat: Tensor, mask: Tensor) -> Tensor:
        n, asked, width = query.shape
        value = self.value(flat).masked_fill(mask[..., None], 0.0)
        value = value.view(n, -1, self.heads, width // self.heads)
        offsets = self.offsets(query).view(n, asked, self.heads, 2, self.points, 2)
        weights = self.weights(query).view(n, asked, self.heads, 2 * self.points).softmax(-1)
        weights = weights.view(n, asked, self.heads, 2, self.points)
        scale = torch.tensor([[w, h] for h, w in self.sizes], dtype=query.dtype)
        places = reference[:, :, None, :, None, :] + offsets / scale[None, None, None, :, None, :]
        levels = value.split([h * w for h, w in self.sizes], dim=1)
        grids = 2 * places - 1
        sampled = []
        for level, (h, w) in enumerate(self.sizes):
            image = levels[level].flatten(2).transpose(1, 2).reshape(n * self.heads, width // self.heads, h, w)
            grid = grids[:, :, :, level].transpose(1, 2).flatten(0, 1)
            sampled.append(F.grid_sample(image, grid, mode="bilinear", padding_mode="zeros", align_corners=False))
        weights = weights.transpose(1, 2).reshape(n * self.heads, 1, asked, 2 * self.points)
        found = (torch.stack(sampled, dim=-2).flatten(-2) * weights).sum(-1).view(n, width, asked)
        return self.output(found.transpose(1, 2).contiguous())


class LayerNorm2d(nn.Module):
    """ConvNeXt's own, of channels first."""

    def __init__(self, channels):
        super().__init__()
        self.weight, self.bias = nn.Parameter(torch.ones(channels)), nn.Parameter(torch.zeros(channels))

    def forward(self, x: Tensor) -> Tensor:
        u = x.mean(1, keepdim=True)
        s = (x - u).pow(2).mean(1, keepdim=True)
        x = (x - u) / torch.sqrt(s + 1e-6)
        return self.weight[:, None, None] * x + self.bias[:, None, None]


class GlobalResponseNorm(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.gamma, self.beta = nn.Parameter(torch.rand(1, 1, 1, dim)), nn.Parameter(torch.zeros(1, 1, 1, dim))

    def forward(self, x: Tensor) -> Tensor:
        gx = torch.norm(x, p=2, dim=(1, 2), keepdim=True)
        return self.gamma * (x * (gx / (gx.mean(dim=-1, keepdim=True) + 1e-6))) + self.beta + x


class ConvNeXtBlock(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.dwconv, self.norm = nn.Conv2d(dim, dim, 7, padding=3, groups=dim), nn.LayerNorm(dim)
        self.pwconv1, self.grn, self.pwconv2 = nn.Linear(dim, 4 * dim), GlobalResponseNorm(4 * dim), nn.Linear(4 * dim, dim)

    def forward(self, x: Tensor) -> Tensor:
        y = self.norm(self.dwconv(x).permute(0, 2, 3, 1))
        y = self.pwconv2(self.grn(F.gelu(self.pwconv1(y))))
        return x + y.permute(0, 3, 1, 2)


class ConvNeXtV2(nn.Module):
    def __init__(self, dims=(16, 32)):
        super().__init__()
        self.stem = nn.Sequential(nn.Conv2d(3, dims[0], 4, stride=4), LayerNorm2d(dims[0]))
        self.stage1 = nn.Sequential(ConvNeXtBlock(dims[0]), ConvNeXtBlock(dims[0]))
        self.down = nn.Sequential(LayerNorm2d(dims[0]), nn.Conv2d(dims[0], dims[1], 2, stride=2))
        self.stage2, self.norm, self.head = ConvNeXtBlock(dims[1]), nn.LayerNorm(dims[1], eps=1e-6), nn.Linear(dims[1], 10)

    def forward(self, x: Tensor) -> Tensor:
        x = self.stage2(self.down(self.stage1(self.stem(x))))
        return self.head(self.norm(x.mean([-2, -1])))


class YoloHead(nn.Module):
    """Anchors, a grid that depends on the size, and scores: the end of a single-stage detector."""

    def __init__(self, classes=5):
        super().__init__()
        self.classes, self.stride = classes, 8
        self.register_buffer("anchors", torch.tensor([[10.0, 13.0], [16.0, 30.0], [33.0, 23.0]]))
        self.stem = nn.Sequential(nn.Conv2d(3, 16, 3, 2, 1, bias=False), nn.BatchNorm2d(16), nn.SiLU(inplace=True),
                                  nn.Conv2d(16, 16, 3, 2, 1), nn.Hardswish(), nn.MaxPool2d(2))
        self.spp = nn.ModuleList([nn.MaxPool2d(k, stride=1, padding=k // 2) for k in (5, 9)])
        self.conv = nn.Conv2d(48, 3 * (classes + 5), 1)

    def forward(self, x: Tensor) -> Tensor:
        x = self.stem(x)
        x = self.conv(torch.cat([x] + [pool(x) for pool in self.spp], 1))
        b, _, h, w = x.shape
        x = x.view(b, 3, self.classes + 5, h, w).permute(0, 1, 3, 4, 2).contiguous()
        ys, xs = torch.meshgrid(torch.arange(h), torch.arange(w), indexing="ij")
        grid = torch.stack((xs, ys), 2).expand(1, 3, h, w, 2).float() - 0.5
        y = x.sigmoid()
        y[..., 0:2] = (y[..., 0:2] * 2 + grid) * self.stride
        y[..., 2:4] = (y[..., 2:4] * 2) ** 2 * self.anchors.view(1, 3, 1, 1, 2)
        return y.view(b, -1, self.classes + 5)
