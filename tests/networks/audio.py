# SPDX-FileCopyrightText: The Cutaway authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Networks that hear and speak, as published code has them, small."""
from typing import List, Optional, Tuple

import torch
from torch import Tensor, nn
from torch.nn import functional as F
from torch.nn.utils import weight_norm
from torch.nn.utils.parametrizations import weight_norm as parametrized_weight_norm


class FeedForward(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.layers = nn.Sequential(nn.LayerNorm(width), nn.Linear(width, 4 * width), nn.SiLU(), nn.Dropout(0.1),
                                    nn.Linear(4 * width, width), nn.Dropout(0.1))

    def forward(self, x: Tensor) -> Tensor:
        return self.layers(x)


class RelativeAttention(nn.Module):
    """Transformer-XL's attention with positions, shifted by padding and reshaping."""

    def __init__(self, width, heads):
        super().__init__()
        self.heads, self.size = heads, width // heads
        self.norm, self.qkv = nn.LayerNorm(width), nn.Linear(width, 3 * width)
        self.positions, self.out = nn.Linear(width, width, bias=False), nn.Linear(width, width)
        self.u, self.v = nn.Parameter(torch.rand(heads, self.size)), nn.Parameter(torch.rand(heads, self.size))

    def shifted(self, x: Tensor) -> Tensor:
        b, h, t, n = x.shape
        x = torch.cat([torch.zeros((b, h, t, 1), device=x.device, dtype=x.dtype), x], dim=-1)
        return x.view(b, h, n + 1, t)[:, :, 1:].view_as(torch.empty(b, h, t, n))[:, :, :, : n // 2 + 1]

    def forward(self, x: Tensor, positions: Tensor, mask: Tensor) -> Tensor:
        b, t, width = x.shape
        q, k, v = self.qkv(self.norm(x)).view(b, t, 3, self.heads, self.size).unbind(2)
        p = self.positions(positions).view(1, -1, self.heads, self.size).transpose(1, 2)
        content = torch.matmul((q + self.u).transpose(1, 2), k.permute(0, 2, 3, 1))
        place = self.shifted(torch.matmul((q + self.v).transpose(1, 2), p.transpose(-2, -1)))
        scores = (content + place) / self.size ** 0.5
        scores = scores.masked_fill(mask[:, None, None, :].eq(0), -float("inf"))
        attention = torch.softmax(scores, dim=-1).masked_fill(mask[:, None, None, :].eq(0), 0.0)
        return self.out(torch.matmul(attention, v.transpose(1, 2)).transpose(1, 2).reshape(b, t, width))


class ConvolutionModule(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.norm = nn.LayerNorm(width)
        self.pointwise1, self.depthwise = nn.Conv1d(width, 2 * width, 1), nn.Conv1d(width, width, 7, padding=3, groups=width)
        self.batch_norm, self.pointwise2 = nn.BatchNorm1d(width), nn.Conv1d(width, width, 1)

    def forward(self, x: Tensor) -> Tensor:
        x = F.glu(self.pointwise1(self.norm(x).transpose(1, 2)), dim=1)
        return self.pointwise2(F.silu(self.batch_norm(self.depthwise(x)))).transpose(1, 2)


class ConformerBlock(nn.Module):
    def __init__(self, width, heads):
        super().__init__()
        self.ff1, self.ff2 = FeedForward(width), FeedForward(width)
        self.attention, self.conv, self.norm = RelativeAttention(width, heads), ConvolutionModule(width), nn.LayerNorm(width)

    def forward(self, x: Tensor, positions: Tensor, mask: Tensor) -> Tensor:
        x = x + 0.5 * self.ff1(x)
        x = x + self.attention(x, positions, mask)
        x = x + self.conv(x)
        return self.norm(x + 0.5 * self.ff2(x))


class Conformer(nn.Module):
    """Log-mel features, subsampled by four, to letters; lengths become a mask."""

    def __init__(self, width=32, letters=12):
        super().__init__()
        self.sub = nn.Sequential(nn.Conv2d(1, 8, 3, 2), nn.ReLU(), nn.Conv2d(8, 8, 3, 2), nn.ReLU())
        self.proj, self.blocks = nn.Linear(8 * 4, width), nn.ModuleList([ConformerBlock(width, 4) for _ in range(2)])
        self.head = nn.Linear(width, letters)
        self.register_buffer("table", torch.rand(2 * 64 - 1, width))

    def forward(self, features: Tensor, lengths: Tensor) -> Tuple[Tensor, Tensor]:
        x = self.sub(features.unsqueeze(1))
        b, c, t, f = x.size()
        x = self.proj(x.transpose(1, 2).contiguous().view(b, t, c * f))
        lengths = ((lengths - 1) // 2 - 1) // 2
        mask = torch.arange(t, device=lengths.device)[None, :] < lengths[:, None]
        positions = self.table[64 - t: 63 + t]
        for block in self.blocks:
            x = block(x, positions, mask)
        return F.log_softmax(self.head(x), dim=-1), lengths


class Wav2Vec(nn.Module):
    """Convolutions of the wave, a convolution with weight norm for positions, encoder layers."""

    def __init__(self, width=32):
        super().__init__()
        self.features = nn.ModuleList([nn.Conv1d(1, 16, 10, 5, bias=False), nn.Conv1d(16, 16, 3, 2, bias=False),
                                       nn.Conv1d(16, 16, 2, 2, bias=False)])
        self.group_norm, self.norm, self.proj = nn.GroupNorm(16, 16), nn.LayerNorm(16), nn.Linear(16, width)
        self.positions = weight_norm(nn.Conv1d(width, width, 16, padding=8, groups=4), name="weight", dim=2)
        self.encoder = nn.TransformerEncoder(nn.TransformerEncoderLayer(width, 4, 64, batch_first=True, activation="gelu"), 2,
                                             enable_nested_tensor=False)
        self.head = nn.Linear(width, 10)

    def forward(self, wave: Tensor) -> Tensor:
        x = (wave - wave.mean(-1, keepdim=True)) / torch.sqrt(wave.var(-1, unbiased=False, keepdim=True) + 1e-7)
        x = x[:, None]
        for i, conv in enumerate(self.features):
            x = conv(x)
            if i == 0:
                x = self.group_norm(x)
            x = F.gelu(x)
        x = self.proj(self.norm(x.transpose(1, 2)))
        places = self.positions(x.transpose(1, 2))[:, :, :-1]
        x = x + F.gelu(places).transpose(1, 2)
        return self.head(self.encoder(x))


class ResidualUnit(nn.Module):
    def __init__(self, channels, dilation):
        super().__init__()
        self.conv1 = weight_norm(nn.Conv1d(channels, channels, 3, padding=dilation, dilation=dilation))
        self.conv2 = weight_norm(nn.Conv1d(channels, channels, 3, padding=1))

    def forward(self, x: Tensor) -> Tensor:
        return x + self.conv2(F.leaky_relu(self.conv1(F.leaky_relu(x, 0.1)), 0.1))


class Vocoder(nn.Module):
    """HiFi-GAN's generator, with weight norm of the old or the new kind, or removed."""

    def __init__(self, norm=weight_norm):
        super().__init__()
        self.pre = norm(nn.Conv1d(20, 32, 7, 1, padding=3))
        self.ups = nn.ModuleList([norm(nn.ConvTranspose1d(32, 16, 8, 4, padding=2)),
                                  norm(nn.ConvTranspose1d(16, 8, 4, 2, padding=1))])
        self.blocks = nn.ModuleList([nn.ModuleList([ResidualUnit(c, 1), ResidualUnit(c, 3)]) for c in (16, 8)])
        self.post = norm(nn.Conv1d(8, 1, 7, 1, padding=3))

    def forward(self, mel: Tensor) -> Tensor:
        x = self.pre(mel)
        for up, blocks in zip(self.ups, self.blocks):
            x = up(F.leaky_relu(x, 0.1))
            total = torch.zeros_like(x)
            for block in blocks:
                total = total + block(x)
            x = total / 2
        return torch.tanh(self.post(F.leaky_relu(x)))


def vocoder_of_parametrizations():
    return Vocoder(parametrized_weight_norm)


class Tacotron(nn.Module):
    """Letters to a spectrogram, a frame at a time, by cells and attention to places."""

    def __init__(self, width=16, mel=8):
        super().__init__()
        self.mel, self.width = mel, width
        self.embed = nn.Embedding(20, width)
        self.convs = nn.ModuleList([nn.Sequential(nn.Conv1d(width, width, 5, padding=2), nn.BatchNorm1d(width)) for _ in range(2)])
        self.lstm = nn.LSTM(width, width // 2, batch_first=True, bidirectional=True)
        self.attention_cell, self.decoder_cell = nn.LSTMCell(mel + width, width), nn.LSTMCell(2 * width, width)
        self.query, self.memory, self.v = nn.Linear(width, 8, bias=False), nn.Linear(width, 8, bias=False), nn.Linear(8, 1, bias=False)
        self.location = nn.Conv1d(2, 8, 5, padding=2, bias=False)
        self.frame, self.gate = nn.Linear(2 * width, mel), nn.Linear(2 * width, 1)

    def forward(self, text: Tensor, frames: Tensor) -> Tuple[Tensor, Tensor]:
        x = self.embed(text).transpose(1, 2)
        for conv in self.convs:
            x = F.dropout(F.relu(conv(x)), 0.5, self.training)
        memory, _ = self.lstm(x.transpose(1, 2))
        b, t = memory.size(0), memory.size(1)
        h = torch.zeros(b, self.width)
        c, h2, c2, context = h, h, h, torch.zeros(b, self.width)
        weights, total = torch.zeros(b, t), torch.zeros(b, t)
        processed = self.memory(memory)
        outputs: List[Tensor] = []
        gates: List[Tensor] = []
        for i in range(frames.size(1)):
            h, c = self.attention_cell(torch.cat((frames[:, i], context), -1), (h, c))
            place = self.location(torch.stack((weights, total), 1)).transpose(1, 2)
            energies = self.v(torch.tanh(self.query(h).unsqueeze(1) + place + processed)).squeeze(-1)
            weights = F.softmax(energies, dim=1)
            total = total + weights
            context = torch.bmm(weights.unsqueeze(1), memory).squeeze(1)
            h2, c2 = self.decoder_cell(torch.cat((h, context), -1), (h2, c2))
            both = torch.cat((h2, context), dim=1)
            outputs.append(self.frame(both))
            gates.append(self.gate(both).squeeze(1))
        return torch.stack(outputs).transpose(0, 1).contiguous(), torch.stack(gates).transpose(0, 1)


class Joiner(nn.Module):
    """RNN-T: what was heard and what was said, joined at every pair of places."""

    def __init__(self, width=16, words=20):
        super().__init__()
        self.encoder, self.embed = nn.LSTM(8, width, 2, batch_first=True), nn.Embedding(words, width)
        self.predictor, self.norm = nn.GRU(width, width, batch_first=True), nn.LayerNorm(width)
        self.heard, self.said, self.out = nn.Linear(width, width), nn.Linear(width, width), nn.Linear(width, words)

    def forward(self, features: Tensor, words: Tensor, state: Optional[Tensor] = None) -> Tuple[Tensor, Tensor]:
        heard, _ = self.encoder(features)
        words = F.pad(words, (1, 0), value=0)
        said, state = self.predictor(self.embed(words), state)
        joint = self.heard(heard).unsqueeze(2) + self.said(self.norm(said)).unsqueeze(1)
        return self.out(torch.tanh(joint)).log_softmax(-1), state


class Separation(nn.Module):
    """Conv-TasNet: masks of a learned basis, put together by overlap and add."""

    def __init__(self):
        super().__init__()
        self.encoder, self.norm = nn.Conv1d(1, 16, 8, stride=4, bias=False), nn.GroupNorm(1, 16, eps=1e-8)
        self.layers = nn.ModuleList([nn.Sequential(nn.Conv1d(16, 32, 1), nn.PReLU(), nn.GroupNorm(1, 32), nn.Conv1d(
            32, 32, 3, padding=2 ** i, dilation=2 ** i, groups=32), nn.PReLU(), nn.GroupNorm(1, 32), nn.Conv1d(32, 16, 1)) for i in range(3)])
        self.masks, self.decoder = nn.Conv1d(16, 2 * 16, 1), nn.ConvTranspose1d(16, 1, 8, stride=4, bias=False)

    def forward(self, mixture: Tensor) -> Tensor:
        length = mixture.shape[-1]
        rest = (4 - (length - 8) % 4) % 4
        features = self.encoder(F.pad(mixture, (0, rest)).unsqueeze(1))
        x = self.norm(features)
        for layer in self.layers:
            x = x + layer(x)
        masks = torch.sigmoid(self.masks(x)).view(mixture.shape[0], 2, 16, -1)
        parts = (features.unsqueeze(1) * masks).view(mixture.shape[0] * 2, 16, -1)
        return self.decoder(parts).view(mixture.shape[0], 2, -1)[..., :length]


class Spectrogram(nn.Module):
    """A log-mel front end by stft, and a recurrent tagger."""

    def __init__(self):
        super().__init__()
        self.register_buffer("window", torch.hann_window(64))
        self.register_buffer("filters", torch.rand(33, 12))
        self.gru, self.head = nn.GRU(12, 8, bidirectional=True, batch_first=True), nn.Linear(16, 4)

    def forward(self, wave: Tensor) -> Tensor:
        spectrum = torch.stft(wave, 64, 16, 64, self.window, center=True, pad_mode="reflect", return_complex=True)
        power = spectrum.abs().pow(2.0)
        mel = torch.matmul(power.transpose(1, 2), self.filters)
        logs = 10.0 * torch.log10(torch.clamp(mel, min=1e-10))
        logs = torch.max(logs, logs.amax(dim=(1, 2), keepdim=True) - 80.0)
        out, _ = self.gru(logs)
        return self.head(out.mean(1)).softmax(-1)
