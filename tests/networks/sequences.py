# SPDX-FileCopyrightText: The Cutaway authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Networks of words, clicks, graphs and points, as published code has them, small."""
from typing import List, Tuple

import torch
from torch import Tensor, nn
from torch.nn import functional as F
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence


class LanguageModel(nn.Module):
    """LSTM with tied weights; the state goes in and out, as PyTorch's own example has it."""

    def __init__(self, words=50, width=16, tied=True):
        super().__init__()
        self.drop, self.encoder = nn.Dropout(0.5), nn.Embedding(words, width)
        self.rnn, self.decoder = nn.LSTM(width, width, 2, dropout=0.5), nn.Linear(width, words)
        if tied:
            self.decoder.weight = self.encoder.weight
        self.words = words

    def forward(self, input: Tensor, hidden: Tuple[Tensor, Tensor]):
        output, hidden = self.rnn(self.drop(self.encoder(input)), hidden)
        decoded = self.decoder(self.drop(output)).view(-1, self.words)
        return F.log_softmax(decoded, dim=1), hidden


class PackedClassifier(nn.Module):
    """Sentences of several lengths through packed sequences."""

    def __init__(self, words=50, width=16):
        super().__init__()
        self.embed = nn.Embedding(words, width, padding_idx=0)
        self.rnn, self.head = nn.LSTM(width, width, batch_first=True, bidirectional=True), nn.Linear(2 * width, 3)

    def forward(self, tokens: Tensor, lengths: Tensor) -> Tensor:
        packed = pack_padded_sequence(self.embed(tokens), lengths, batch_first=True, enforce_sorted=False)
        output, (last, _) = self.rnn(packed)
        padded, _ = pad_packed_sequence(output, batch_first=True)
        return self.head(torch.cat((last[-2], last[-1]), dim=1)) + padded.max(dim=1)[0][:, :3]


class Recommender(nn.Module):
    """DLRM: tables of bags, a bottom MLP, dot products of each pair, a top MLP."""

    def __init__(self, tables=3, width=8):
        super().__init__()
        self.tables = nn.ModuleList([nn.EmbeddingBag(20, width, mode="sum") for _ in range(tables)])
        self.bottom = nn.Sequential(nn.Linear(5, 16), nn.ReLU(), nn.Linear(16, width), nn.ReLU())
        self.top = nn.Sequential(nn.Linear(width + 6, 16), nn.ReLU(), nn.Linear(16, 1), nn.Sigmoid())
        self.register_buffer("rows", torch.tensor([i for i in range(tables + 1) for j in range(i)]))
        self.register_buffer("columns", torch.tensor([j for i in range(tables + 1) for j in range(i)]))

    def forward(self, dense: Tensor, indices: Tensor, offsets: Tensor) -> Tensor:
        x = self.bottom(dense)
        found = [x]
        for i, table in enumerate(self.tables):
            found.append(table(indices[i], offsets[i]))
        t = torch.cat(found, dim=1).view(dense.shape[0], -1, x.shape[1])
        z = torch.bmm(t, t.transpose(1, 2))
        return self.top(torch.cat([x, z[:, self.rows, self.columns]], dim=1))


class BagOfWords(nn.Module):
    """fastText: rows of indices, with weights; the mean of a bag, the greatest of another."""

    def __init__(self):
        super().__init__()
        self.mean = nn.EmbeddingBag(30, 8, mode="mean", padding_idx=0)
        self.greatest = nn.EmbeddingBag(30, 8, mode="max")
        self.summed = nn.EmbeddingBag(30, 8, mode="sum", include_last_offset=True)
        self.head = nn.Linear(24, 4)

    def forward(self, tokens: Tensor, weights: Tensor, offsets: Tensor) -> Tensor:
        bag = self.summed(tokens.reshape(-1), offsets, weights.reshape(-1))
        return self.head(torch.cat([self.mean(tokens), self.greatest(tokens), bag], 1))


class WideAndDeep(nn.Module):
    """DeepFM: factorization of fields by the square of a sum."""

    def __init__(self, fields=4, width=8):
        super().__init__()
        self.register_buffer("starts", torch.tensor([0, 10, 20, 30]))
        self.linear, self.embed = nn.Embedding(40, 1), nn.Embedding(40, width)
        self.mlp = nn.Sequential(nn.Linear(fields * width, 16), nn.BatchNorm1d(16), nn.ReLU(), nn.Dropout(0.2), nn.Linear(16, 1))

    def forward(self, x: Tensor) -> Tensor:
        x = x + self.starts.unsqueeze(0)
        e = self.embed(x)
        square = torch.sum(e, dim=1) ** 2
        fm = 0.5 * torch.sum(square - torch.sum(e ** 2, dim=1), dim=1, keepdim=True)
        return torch.sigmoid((self.linear(x).sum(1) + fm + self.mlp(e.view(-1, e.shape[1] * e.shape[2]))).squeeze(1))


class GraphConvolution(nn.Module):
    """GCN with degrees, by index_add_."""

    def __init__(self, given, made):
        super().__init__()
        self.linear, self.bias = nn.Linear(given, made, bias=False), nn.Parameter(torch.rand(made))

    def forward(self, x: Tensor, edges: Tensor) -> Tensor:
        source, target = edges[0], edges[1]
        n = x.size(0)
        degree = torch.zeros(n, dtype=x.dtype).scatter_add_(0, target, torch.ones(target.size(0), dtype=x.dtype))
        scale = degree.pow(-0.5)
        scale = torch.where(torch.isinf(scale), torch.zeros_like(scale), scale)
        messages = self.linear(x)[source] * (scale[source] * scale[target]).unsqueeze(-1)
        return torch.zeros(n, messages.size(1), dtype=x.dtype).index_add_(0, target, messages) + self.bias


class GraphAttention(nn.Module):
    """GAT: softmax over the edges of a node, by scatter_reduce."""

    def __init__(self, given, made, heads=2):
        super().__init__()
        self.heads, self.made = heads, made
        self.linear = nn.Linear(given, heads * made, bias=False)
        self.source, self.target = nn.Parameter(torch.rand(1, heads, made)), nn.Parameter(torch.rand(1, heads, made))

    def forward(self, x: Tensor, edges: Tensor) -> Tensor:
        h = self.linear(x).view(-1, self.heads, self.made)
        source, target = edges.unbind(0)
        score = F.leaky_relu((h * self.source).sum(-1)[source] + (h * self.target).sum(-1)[target], 0.2)
        index = target.unsqueeze(-1).expand_as(score)
        top = torch.full((x.size(0), self.heads), -1e9).scatter_reduce(0, index, score, "amax", include_self=True)
        weight = (score - top.gather(0, index)).exp()
        total = torch.zeros(x.size(0), self.heads).scatter_reduce(0, index, weight, "sum")
        weight = weight / (total.index_select(0, target) + 1e-16)
        out = torch.zeros_like(h)
        out.index_add_(0, target, weight.unsqueeze(-1) * h[source])
        return out.flatten(1)


class GraphNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv, self.attention, self.head = GraphConvolution(6, 8), GraphAttention(8, 4), nn.Linear(8, 3)

    def forward(self, x: Tensor, edges: Tensor, graph: Tensor) -> Tensor:
        h = F.elu(self.attention(F.relu(self.conv(x, edges)), edges))
        index = graph.unsqueeze(-1).expand(-1, h.size(-1))
        mean = torch.zeros(2, h.size(-1)).scatter_reduce(0, index, h, "mean", include_self=False)
        greatest = torch.zeros(2, h.size(-1)).scatter_reduce(0, index, h, "amax", include_self=False)
        return self.head(mean + greatest)


class SelectiveScan(nn.Module):
    """Mamba's block: a causal convolution, and a state that the input steers, step by step or by one cumulative sum."""

    def __init__(self, width=16, states=4, stepwise=True):
        super().__init__()
        self.inner, self.states, self.rank, self.stepwise = 2 * width, states, 2, stepwise
        self.in_proj, self.out_proj = nn.Linear(width, 2 * self.inner, bias=False), nn.Linear(self.inner, width, bias=False)
        self.conv1d = nn.Conv1d(self.inner, self.inner, 4, groups=self.inner, padding=3)
        self.x_proj, self.dt_proj = nn.Linear(self.inner, self.rank + 2 * states, bias=False), nn.Linear(self.rank, self.inner)
        self.A_log = nn.Parameter(torch.log(torch.arange(1, states + 1, dtype=torch.float32).repeat(self.inner, 1)))
        self.D = nn.Parameter(torch.ones(self.inner))

    def scan(self, u: Tensor, delta: Tensor, a: Tensor, b: Tensor, c: Tensor) -> Tensor:
        decay = torch.exp(torch.einsum("bld,dn->bldn", delta, a))
        given = torch.einsum("bld,bln,bld->bldn", delta, b, u)
        state = torch.zeros(u.size(0), u.size(2), a.size(1), device=u.device)
        ys: List[Tensor] = []
        for i in range(u.size(1)):
            state = decay[:, i] * state + given[:, i]
            ys.append(torch.einsum("bdn,bn->bd", state, c[:, i, :]))
        return torch.stack(ys, dim=1)

    def at_once(self, u: Tensor, delta: Tensor, a: Tensor, b: Tensor, c: Tensor) -> Tensor:
        decays = torch.einsum("bld,dn->bldn", delta, a)
        total = F.pad(decays[:, 1:].flip(1).cumsum(1).exp().flip(1), (0, 0, 0, 0, 0, 1), value=1.0)
        x = (delta * u).unsqueeze(-1) * b.unsqueeze(2) * total
        x = x.cumsum(1) / (total + 1e-12)
        return torch.einsum("bldn,bln->bld", x, c)

    def forward(self, x: Tensor) -> Tensor:
        length = x.size(1)
        x, gate = self.in_proj(x).split([self.inner, self.inner], dim=-1)
        x = self.conv1d(x.transpose(1, 2))[:, :, :length].transpose(1, 2)
        x = F.silu(x)
        a = -torch.exp(self.A_log.float())
        delta, b, c = self.x_proj(x).split([self.rank, self.states, self.states], dim=-1)
        delta = F.softplus(self.dt_proj(delta))
        if self.stepwise:
            y = self.scan(x, delta, a, b, c)
        else:
            y = self.at_once(x, delta, a, b, c)
        return self.out_proj((y + x * self.D) * F.silu(gate))


class Expert(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.w1, self.w2, self.w3 = (nn.Linear(width, 2 * width, bias=False), nn.Linear(2 * width, width, bias=False),
                                     nn.Linear(width, 2 * width, bias=False))

    def forward(self, x: Tensor) -> Tensor:
        return self.w2(F.silu(self.w1(x)) * self.w3(x))


class MixtureOfExperts(nn.Module):
    """Mixtral's: each expert gets the tokens that chose it; `dense` computes all and weighs them."""

    def __init__(self, width=16, experts=4, dense=False):
        super().__init__()
        self.gate, self.experts = nn.Linear(width, experts, bias=False), nn.ModuleList([Expert(width) for _ in range(experts)])
        self.count, self.dense = experts, dense

    def forward(self, x: Tensor) -> Tuple[Tensor, Tensor]:
        b, t, width = x.shape
        flat = x.view(-1, width)
        logits = self.gate(flat)
        weights = F.softmax(logits, dim=1, dtype=torch.float)
        weights, chosen = torch.topk(weights, 2, dim=-1)
        weights = (weights / weights.sum(dim=-1, keepdim=True)).to(flat.dtype)
        final = torch.zeros((b * t, width), dtype=flat.dtype, device=flat.device)
        mask = F.one_hot(chosen, num_classes=self.count).permute(2, 1, 0)
        for i, expert in enumerate(self.experts):
            if self.dense:
                final = final + expert(flat) * (mask[i].to(weights.dtype) * weights.t()).sum(0)[:, None]
            else:
                place, token = torch.where(mask[i])
                made = expert(flat[None, token].reshape(-1, width)) * weights[token, place, None]
                final.index_add_(0, token, made.to(flat.dtype))
        return final.reshape(b, t, width), logits


class PointNet(nn.Module):
    """PointNet++: neighbours by distance, gathered, the greatest of each."""

    def __init__(self):
        super().__init__()
        self.mlp1 = nn.Sequential(nn.Conv2d(6, 16, 1), nn.BatchNorm2d(16), nn.ReLU(), nn.Conv2d(16, 16, 1))
        self.mlp2, self.head = nn.Sequential(nn.Conv1d(16, 32, 1), nn.BatchNorm1d(32), nn.ReLU()), nn.Linear(32, 5)

    def forward(self, xyz: Tensor, normals: Tensor) -> Tensor:
        b, n, _ = xyz.shape
        centers = xyz[:, ::4]
        distances = torch.cdist(centers, xyz)
        near = distances.topk(4, dim=-1, largest=False)[1]
        both = torch.cat([xyz, normals], -1)
        index = near.reshape(b, -1, 1).expand(-1, -1, 6)
        groups = torch.gather(both, 1, index).view(b, centers.shape[1], 4, 6)
        offset = torch.cat([groups[..., :3] - centers.unsqueeze(2), groups[..., 3:]], -1)
        h = self.mlp1(offset.permute(0, 3, 1, 2)).max(dim=-1)[0]
        return self.head(self.mlp2(h).amax(-1))


class Pointer(nn.Module):
    """Seq2seq with a greedy decoder: each word is the likeliest after the last one."""

    def __init__(self, words=20, width=16, steps=5):
        super().__init__()
        self.steps = steps
        self.embed, self.encoder = nn.Embedding(words, width), nn.GRU(width, width, batch_first=True)
        self.cell, self.attention, self.out = nn.GRUCell(2 * width, width), nn.Linear(width, width), nn.Linear(width, words)

    def forward(self, source: Tensor) -> Tuple[Tensor, Tensor]:
        memory, state = self.encoder(self.embed(source))
        hidden = state[0]
        word = torch.zeros(source.size(0), dtype=torch.long)
        words: List[Tensor] = []
        scores: List[Tensor] = []
        for _ in range(self.steps):
            weights = torch.softmax((memory @ self.attention(hidden).unsqueeze(2)).squeeze(2), 1)
            context = (weights.unsqueeze(1) @ memory).squeeze(1)
            hidden = self.cell(torch.cat([self.embed(word), context], 1), hidden)
            logits = self.out(hidden)
            word = logits.argmax(1)
            words.append(word)
            scores.append(logits)
        return torch.stack(words, 1), torch.stack(scores, 1)


class Forecaster(nn.Module):
    """TCN and N-BEATS together: causal dilated convolutions, residual stacks with backcasts."""

    def __init__(self, back=24, ahead=6):
        super().__init__()
        self.convs = nn.ModuleList([nn.Conv1d(1 if i == 0 else 8, 8, 3, dilation=2 ** i) for i in range(3)])
        self.norm = nn.InstanceNorm1d(8, affine=True)
        self.stacks = nn.ModuleList([nn.Sequential(nn.Linear(back, 16), nn.ReLU(), nn.Linear(16, back + ahead)) for _ in range(2)])
        self.back, self.ahead, self.head = back, ahead, nn.Linear(8, ahead)

    def forward(self, series: Tensor) -> Tensor:
        mean, std = series.mean(1, keepdim=True), series.std(1, keepdim=True) + 1e-5
        x = (series - mean) / std
        h = x.unsqueeze(1)
        for i, conv in enumerate(self.convs):
            h = F.relu(conv(F.pad(h, (2 * 2 ** i, 0))))
        forecast = self.head(self.norm(h)[:, :, -1])
        for stack in self.stacks:
            backcast, ahead = stack(x).split([self.back, self.ahead], dim=1)
            x, forecast = x - backcast, forecast + ahead
        return forecast * std + mean


class WindowedTransformer(nn.Module):
    """nn.Transformer, encoder and decoder, with masks of padding and of what is ahead."""

    def __init__(self, words=30, width=16):
        super().__init__()
        self.embed, self.positions = nn.Embedding(words, width), nn.Parameter(torch.rand(1, 32, width))
        self.transformer = nn.Transformer(width, 4, 2, 2, 32, batch_first=True)
        self.out = nn.Linear(width, words)

    def forward(self, source: Tensor, target: Tensor) -> Tensor:
        ahead = torch.triu(torch.ones(target.size(1), target.size(1)), diagonal=1).bool()
        x = self.embed(source) + self.positions[:, : source.size(1)]
        y = self.embed(target) + self.positions[:, : target.size(1)]
        made = self.transformer(x, y, tgt_mask=ahead, src_key_padding_mask=source == 0,
                                memory_key_padding_mask=source == 0)
        return self.out(made)


class Policy(nn.Module):
    """Dueling Q-network with noisy layers in evaluation, and an action mask."""

    def __init__(self, actions=6):
        super().__init__()
        self.body = nn.Sequential(nn.Conv2d(4, 8, 8, 4), nn.ReLU(), nn.Conv2d(8, 16, 4, 2), nn.ReLU(), nn.Flatten())
        self.value, self.advantage = nn.Linear(16 * 16, 1), nn.Linear(16 * 16, actions)

    def forward(self, frames: Tensor, legal: Tensor) -> Tuple[Tensor, Tensor]:
        h = self.body(frames.float() / 255.0)
        advantage = self.advantage(h)
        q = self.value(h) + advantage - advantage.mean(1, keepdim=True)
        q = q.masked_fill(~legal, torch.finfo(q.dtype).min)
        return q, q.argmax(dim=1)


class Crf(nn.Module):
    """The score of the best path and the forward algorithm over a sequence's tags."""

    def __init__(self, tags=5, width=8):
        super().__init__()
        self.lstm, self.linear = nn.LSTM(width, width // 2, bidirectional=True, batch_first=True), nn.Linear(width, tags)
        self.transitions, self.start = nn.Parameter(torch.rand(tags, tags)), nn.Parameter(torch.rand(tags))

    def forward(self, x: Tensor, mask: Tensor) -> Tuple[Tensor, Tensor]:
        emissions = self.linear(self.lstm(x)[0])
        score = self.start + emissions[:, 0]
        best = score
        for i in range(1, emissions.size(1)):
            all = score.unsqueeze(2) + self.transitions + emissions[:, i].unsqueeze(1)
            ahead = torch.logsumexp(all, dim=1)
            score = torch.where(mask[:, i].unsqueeze(1), ahead, score)
            best = torch.where(mask[:, i].unsqueeze(1), (best.unsqueeze(2) + self.transitions).max(dim=1)[0] + emissions[:, i], best)
        return torch.logsumexp(score, dim=1), best.max(dim=1)[1]
