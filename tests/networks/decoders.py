# SPDX-FileCopyrightText: The Cutaway authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""GPT-2 and Llama as modules: the names, the order of operators and the masks that their exports have; weights are random."""
import math

import torch
from encoders import additive_mask
from torch import nn


class Conv1D(nn.Module):
    """A linear layer whose weight is transposed."""

    def __init__(self, outputs, inputs):
        super().__init__()
        self.outputs = outputs
        self.weight = nn.Parameter(torch.randn(inputs, outputs) * 0.02)
        self.bias = nn.Parameter(torch.zeros(outputs))

    def forward(self, x):
        size_out = x.size()[:-1] + (self.outputs,)
        return torch.addmm(self.bias, x.view(-1, x.size(-1)), self.weight).view(size_out)


class NewGELUActivation(nn.Module):
    def forward(self, x):
        return 0.5 * x * (1.0 + torch.tanh(math.sqrt(2.0 / math.pi) * (x + 0.044715 * torch.pow(x, 3.0))))


class GPT2Attention(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.heads = c.heads
        causal = torch.tril(torch.ones((c.positions, c.positions), dtype=torch.bool))
        self.register_buffer("bias", causal.view(1, 1, c.positions, c.positions), persistent=False)
        self.c_attn = Conv1D(3 * c.width, c.width)
        self.c_proj = Conv1D(c.width, c.width)
        self.attn_dropout = nn.Dropout(0.1)
        self.resid_dropout = nn.Dropout(0.1)

    def attend(self, query, key, value, attention_mask):
        weights = torch.matmul(query, key.transpose(-1, -2))
        weights = weights / torch.full([], value.size(-1) ** 0.5, dtype=weights.dtype, device=weights.device)
        query_length, key_length = query.size(-2), key.size(-2)
        causal_mask = self.bias[:, :, key_length - query_length:key_length, :key_length]
        lowest = torch.full([], torch.finfo(weights.dtype).min, dtype=weights.dtype, device=weights.device)
        weights = torch.where(causal_mask, weights.to(weights.dtype), lowest)
        weights = nn.functional.softmax(weights + attention_mask, dim=-1).type(value.dtype)
        return torch.matmul(self.attn_dropout(weights), value)

    def forward(self, hidden_states, attention_mask, past):
        width = hidden_states.size(-1)
        query, key, value = (x.view(x.size()[:-1] + (self.heads, width // self.heads)).permute(0, 2, 1, 3)
                             for x in self.c_attn(hidden_states).split(width, dim=2))
        if past is not None:
            key = torch.cat((past[0], key), dim=-2)
            value = torch.cat((past[1], value), dim=-2)
        output = self.attend(query, key, value, attention_mask).permute(0, 2, 1, 3).contiguous()
        output = output.view(output.size()[:-2] + (width,))
        return self.resid_dropout(self.c_proj(output)), (key, value)


class GPT2MLP(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.c_fc = Conv1D(4 * c.width, c.width)
        self.c_proj = Conv1D(c.width, 4 * c.width)
        self.act = NewGELUActivation()
        self.dropout = nn.Dropout(0.1)

    def forward(self, hidden_states):
        return self.dropout(self.c_proj(self.act(self.c_fc(hidden_states))))


class GPT2Block(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.ln_1 = nn.LayerNorm(c.width)
        self.attn = GPT2Attention(c)
        self.ln_2 = nn.LayerNorm(c.width)
        self.mlp = GPT2MLP(c)

    def forward(self, hidden_states, attention_mask, past):
        attended, present = self.attn(self.ln_1(hidden_states), attention_mask, past)
        hidden_states = attended + hidden_states
        return hidden_states + self.mlp(self.ln_2(hidden_states)), present


class GPT2Model(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.wte = nn.Embedding(c.vocabulary, c.width)
        self.wpe = nn.Embedding(c.positions, c.width)
        self.drop = nn.Dropout(0.1)
        self.h = nn.ModuleList(GPT2Block(c) for _ in range(c.layers))
        self.ln_f = nn.LayerNorm(c.width)

    def forward(self, input_ids, attention_mask, past_key_values):
        input_shape = input_ids.size()
        input_ids = input_ids.view(-1, input_shape[-1])
        past_length = 0 if past_key_values is None else past_key_values[0][0].size(-2)
        position_ids = torch.arange(past_length, input_shape[-1] + past_length, dtype=torch.long).unsqueeze(0)
        inputs_embeds = self.wte(input_ids)
        mask = additive_mask(attention_mask.view(input_shape[0], -1), inputs_embeds.dtype)
        hidden_states = self.drop(inputs_embeds + self.wpe(position_ids))
        output_shape = (-1,) + input_shape[1:] + (hidden_states.size(-1),)
        presents = []
        for i, block in enumerate(self.h):
            hidden_states, present = block(hidden_states, mask, None if past_key_values is None else past_key_values[i])
            presents.append(present)
        return self.ln_f(hidden_states).view(output_shape), tuple(presents)


class GPT2LMHeadModel(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.cached = c.cached
        self.transformer = GPT2Model(c)
        self.lm_head = nn.Linear(c.width, c.vocabulary, bias=False)
        self.lm_head.weight = self.transformer.wte.weight

    def forward(self, input_ids, attention_mask, past_key_values=None):
        hidden_states, presents = self.transformer(input_ids, attention_mask, past_key_values)
        logits = self.lm_head(hidden_states)
        return (logits, presents) if self.cached else logits


class LlamaRMSNorm(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(width))

    def forward(self, hidden_states):
        dtype = hidden_states.dtype
        hidden_states = hidden_states.to(torch.float32)
        variance = hidden_states.pow(2).mean(-1, keepdim=True)
        return self.weight * (hidden_states * torch.rsqrt(variance + 1e-5)).to(dtype)


class LlamaRotaryEmbedding(nn.Module):
    def __init__(self, width):
        super().__init__()
        frequencies = 1.0 / (10000 ** (torch.arange(0, width, 2, dtype=torch.int64).float() / width))
        self.register_buffer("inv_freq", frequencies, persistent=False)

    def forward(self, x, position_ids):
        inv_freq_expanded = self.inv_freq[None, :, None].float().expand(position_ids.shape[0], -1, 1)
        position_ids_expanded = position_ids[:, None, :].float()
        with torch.autocast(device_type="cpu", enabled=False):
            freqs = (inv_freq_expanded.float() @ position_ids_expanded.float()).transpose(1, 2)
            emb = torch.cat((freqs, freqs), dim=-1)
            cos, sin = emb.cos(), emb.sin()
        return cos.to(dtype=x.dtype), sin.to(dtype=x.dtype)


def rotate_half(x):
    x1 = x[..., :x.shape[-1] // 2]
    x2 = x[..., x.shape[-1] // 2:]
    return torch.cat((-x2, x1), dim=-1)


def apply_rotary(query, key, cos, sin):
    cos, sin = cos.unsqueeze(1), sin.unsqueeze(1)
    return (query * cos) + (rotate_half(query) * sin), (key * cos) + (rotate_half(key) * sin)


def repeat_kv(x, times):
    batch, heads, length, width = x.shape
    return x[:, :, None, :, :].expand(batch, heads, times, length, width).reshape(batch, heads * times, length, width)


class LlamaAttention(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.heads, self.key_heads, self.head_width, self.eager = c.heads, c.heads // 4, c.width // c.heads, c.eager
        self.q_proj = nn.Linear(c.width, c.width, bias=False)
        self.k_proj = nn.Linear(c.width, c.width // 4, bias=False)
        self.v_proj = nn.Linear(c.width, c.width // 4, bias=False)
        self.o_proj = nn.Linear(c.width, c.width, bias=False)

    def forward(self, hidden_states, attention_mask, position_embeddings, past):
        batch, length, width = hidden_states.size()
        query, key, value = (projection(hidden_states).view(batch, length, heads, self.head_width).transpose(1, 2)
                             for projection, heads in ((self.q_proj, self.heads), (self.k_proj, self.key_heads),
                                                       (self.v_proj, self.key_heads)))
        query, key = apply_rotary(query, key, *position_embeddings)
        if past is not None:
            key, value = torch.cat([past[0], key], dim=-2), torch.cat([past[1], value], dim=-2)
        present = (key, value)
        key, value = repeat_kv(key, self.heads // self.key_heads), repeat_kv(value, self.heads // self.key_heads)
        causal_mask = attention_mask[:, :, :, :key.shape[-2]]
        if self.eager:
            weights = torch.matmul(query, key.transpose(2, 3)) * (self.head_width ** -0.5) + causal_mask
            output = torch.matmul(nn.functional.softmax(weights, dim=-1, dtype=torch.float32).to(query.dtype), value)
        else:
            output = nn.functional.scaled_dot_product_attention(query, key, value, attn_mask=causal_mask)
        return self.o_proj(output.transpose(1, 2).contiguous().reshape(batch, length, width)), present


class LlamaMLP(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.gate_proj = nn.Linear(c.width, 3 * c.width, bias=False)
        self.up_proj = nn.Linear(c.width, 3 * c.width, bias=False)
        self.down_proj = nn.Linear(3 * c.width, c.width, bias=False)
        self.act_fn = nn.SiLU()

    def forward(self, x):
        return self.down_proj(self.act_fn(self.gate_proj(x)) * self.up_proj(x))


class LlamaDecoderLayer(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.self_attn = LlamaAttention(c)
        self.mlp = LlamaMLP(c)
        self.input_layernorm = LlamaRMSNorm(c.width)
        self.post_attention_layernorm = LlamaRMSNorm(c.width)

    def forward(self, hidden_states, attention_mask, position_embeddings, past):
        attended, present = self.self_attn(self.input_layernorm(hidden_states), attention_mask, position_embeddings, past)
        hidden_states = hidden_states + attended
        return hidden_states + self.mlp(self.post_attention_layernorm(hidden_states)), present


class LlamaModel(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.embed_tokens = nn.Embedding(c.vocabulary, c.width, padding_idx=0)
        self.layers = nn.ModuleList(LlamaDecoderLayer(c) for _ in range(c.layers))
        self.norm = LlamaRMSNorm(c.width)
        self.rotary_emb = LlamaRotaryEmbedding(c.width // c.heads)

    def causal_mask(self, attention_mask, embeds, cache_position):
        lowest, length, target = torch.finfo(embeds.dtype).min, embeds.shape[1], attention_mask.shape[-1]
        mask = torch.full((length, target), fill_value=lowest, dtype=embeds.dtype)
        mask = torch.triu(mask, diagonal=1)
        mask *= torch.arange(target) > cache_position.reshape(-1, 1)
        mask = mask[None, None, :, :].expand(embeds.shape[0], 1, -1, -1).clone()
        padding = (mask[:, :, :, :target] + attention_mask[:, None, None, :]) == 0
        mask[:, :, :, :target] = mask[:, :, :, :target].masked_fill(padding, lowest)
        return mask

    def forward(self, input_ids, attention_mask, past_key_values):
        hidden_states = self.embed_tokens(input_ids)
        past_length = 0 if past_key_values is None else past_key_values[0][0].shape[-2]
        cache_position = torch.arange(past_length, past_length + hidden_states.shape[1])
        position_ids = cache_position.unsqueeze(0)
        mask = self.causal_mask(attention_mask, hidden_states, cache_position)
        position_embeddings = self.rotary_emb(hidden_states, position_ids)
        presents = []
        for i, layer in enumerate(self.layers):
            past = None if past_key_values is None else past_key_values[i]
            hidden_states, present = layer(hidden_states, mask, position_embeddings, past)
            presents.append(present)
        return self.norm(hidden_states), tuple(presents)


class LlamaForCausalLM(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.cached = c.cached
        self.model = LlamaModel(c)
        self.lm_head = nn.Linear(c.width, c.vocabulary, bias=False)

    def forward(self, input_ids, attention_mask, past_key_values=None):
        hidden_states, presents = self.model(input_ids, attention_mask, past_key_values)
        logits = self.lm_head(hidden_states).float()
        return (logits, presents) if self.cached else logits
