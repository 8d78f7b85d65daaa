# SPDX-FileCopyrightText: The Cutaway authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""BERT and T5 as modules: the names, the order of operators and the masks that their exports have; weights are random."""
import math

import torch
from torch import nn

LOWEST = torch.finfo(torch.float32).min


def heads_of(x, heads: int):
    """(batch, length, width) → (batch, heads, length, width / heads)"""
    return x.view(x.size(0), x.size(1), heads, x.size(2) // heads).permute(0, 2, 1, 3)


def additive_mask(mask, dtype: torch.dtype, lowest: float = LOWEST):
    """From 1 (read) and 0 (do not) to what is added to scores."""
    return (1.0 - mask[:, None, None, :].to(dtype)) * lowest


def expanded_mask(mask, dtype: torch.dtype, target_length: int, lowest: float = LOWEST):
    """The same for scaled_dot_product_attention, which wants a row for each position."""
    batch, source_length = mask.size()
    inverted = 1.0 - mask[:, None, None, :].expand(batch, 1, target_length, source_length).to(dtype)
    return inverted.masked_fill(inverted.to(torch.bool), lowest)


class BertEmbeddings(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.word_embeddings = nn.Embedding(c.vocabulary, c.width, padding_idx=0)
        self.position_embeddings = nn.Embedding(c.positions, c.width)
        self.token_type_embeddings = nn.Embedding(2, c.width)
        self.LayerNorm = nn.LayerNorm(c.width, eps=1e-12)
        self.dropout = nn.Dropout(0.1)
        self.register_buffer("position_ids", torch.arange(c.positions).expand((1, -1)), persistent=False)
        self.register_buffer("token_type_ids", torch.zeros(1, c.positions, dtype=torch.long), persistent=False)

    def forward(self, input_ids, token_type_ids):
        batch, length = input_ids.size()
        position_ids = self.position_ids[:, 0:length]
        if token_type_ids is None:
            token_type_ids = self.token_type_ids[:, :length].expand(batch, length)
        embeddings = self.word_embeddings(input_ids) + self.token_type_embeddings(token_type_ids)
        embeddings += self.position_embeddings(position_ids)
        return self.dropout(self.LayerNorm(embeddings))


class BertSelfAttention(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.heads, self.eager = c.heads, c.eager
        self.query = nn.Linear(c.width, c.width)
        self.key = nn.Linear(c.width, c.width)
        self.value = nn.Linear(c.width, c.width)
        self.dropout = nn.Dropout(0.1)

    def forward(self, hidden_states, attention_mask):
        batch, length, width = hidden_states.size()
        query = heads_of(self.query(hidden_states), self.heads)
        key = heads_of(self.key(hidden_states), self.heads)
        value = heads_of(self.value(hidden_states), self.heads)
        if not self.eager:
            context = nn.functional.scaled_dot_product_attention(query, key, value, attn_mask=attention_mask)
            return context.transpose(1, 2).reshape(batch, length, width)
        scores = torch.matmul(query, key.transpose(-1, -2)) / math.sqrt(width // self.heads)
        probabilities = self.dropout(nn.functional.softmax(scores + attention_mask, dim=-1))
        context = torch.matmul(probabilities, value).permute(0, 2, 1, 3).contiguous()
        return context.view(batch, length, width)


class BertSelfOutput(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.dense = nn.Linear(c.width, c.width)
        self.LayerNorm = nn.LayerNorm(c.width, eps=1e-12)
        self.dropout = nn.Dropout(0.1)

    def forward(self, hidden_states, input_tensor):
        return self.LayerNorm(self.dropout(self.dense(hidden_states)) + input_tensor)


class BertAttention(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.self = BertSelfAttention(c)
        self.output = BertSelfOutput(c)

    def forward(self, hidden_states, attention_mask):
        return self.output(self.self(hidden_states, attention_mask), hidden_states)


class GELUActivation(nn.Module):
    def forward(self, hidden_states):
        return nn.functional.gelu(hidden_states)


class BertIntermediate(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.dense = nn.Linear(c.width, 4 * c.width)
        self.intermediate_act_fn = GELUActivation()

    def forward(self, hidden_states):
        return self.intermediate_act_fn(self.dense(hidden_states))


class BertOutput(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.dense = nn.Linear(4 * c.width, c.width)
        self.LayerNorm = nn.LayerNorm(c.width, eps=1e-12)
        self.dropout = nn.Dropout(0.1)

    def forward(self, hidden_states, input_tensor):
        return self.LayerNorm(self.dropout(self.dense(hidden_states)) + input_tensor)


class BertLayer(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.attention = BertAttention(c)
        self.intermediate = BertIntermediate(c)
        self.output = BertOutput(c)

    def forward(self, hidden_states, attention_mask):
        attention_output = self.attention(hidden_states, attention_mask)
        return self.output(self.intermediate(attention_output), attention_output)


class BertEncoder(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.layer = nn.ModuleList(BertLayer(c) for _ in range(c.layers))

    def forward(self, hidden_states, attention_mask):
        for layer in self.layer:
            hidden_states = layer(hidden_states, attention_mask)
        return hidden_states


class BertPooler(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.dense = nn.Linear(c.width, c.width)
        self.activation = nn.Tanh()

    def forward(self, hidden_states):
        return self.activation(self.dense(hidden_states[:, 0]))


class BertModel(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.eager = c.eager
        self.embeddings = BertEmbeddings(c)
        self.encoder = BertEncoder(c)
        self.pooler = BertPooler(c)

    def forward(self, input_ids, attention_mask, token_type_ids):
        embedding_output = self.embeddings(input_ids, token_type_ids)
        if self.eager:
            extended_mask = additive_mask(attention_mask, embedding_output.dtype)
        else:
            extended_mask = expanded_mask(attention_mask, embedding_output.dtype, input_ids.size(1))
        sequence_output = self.encoder(embedding_output, extended_mask)
        return sequence_output, self.pooler(sequence_output)


class BertForSequenceClassification(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.bert = BertModel(c)
        self.dropout = nn.Dropout(0.1)
        self.classifier = nn.Linear(c.width, 2)

    def forward(self, input_ids, attention_mask, token_type_ids):
        return self.classifier(self.dropout(self.bert(input_ids, attention_mask, token_type_ids)[1]))


class T5LayerNorm(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(width))

    def forward(self, hidden_states):
        variance = hidden_states.to(torch.float32).pow(2).mean(-1, keepdim=True)
        return self.weight * (hidden_states * torch.rsqrt(variance + 1e-6))


class T5DenseGatedActDense(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.wi_0 = nn.Linear(c.width, 4 * c.width, bias=False)
        self.wi_1 = nn.Linear(c.width, 4 * c.width, bias=False)
        self.wo = nn.Linear(4 * c.width, c.width, bias=False)
        self.dropout = nn.Dropout(0.1)
        self.act = nn.GELU(approximate="tanh")

    def forward(self, hidden_states):
        return self.wo(self.dropout(self.act(self.wi_0(hidden_states)) * self.wi_1(hidden_states)))


class T5LayerFF(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.DenseReluDense = T5DenseGatedActDense(c)
        self.layer_norm = T5LayerNorm(c.width)
        self.dropout = nn.Dropout(0.1)

    def forward(self, hidden_states):
        return hidden_states + self.dropout(self.DenseReluDense(self.layer_norm(hidden_states)))


class T5Attention(nn.Module):
    buckets, farthest = 32, 128

    def __init__(self, c, is_decoder, has_bias):
        super().__init__()
        self.heads, self.is_decoder, self.has_bias = c.heads, is_decoder, has_bias
        self.q = nn.Linear(c.width, c.width, bias=False)
        self.k = nn.Linear(c.width, c.width, bias=False)
        self.v = nn.Linear(c.width, c.width, bias=False)
        self.o = nn.Linear(c.width, c.width, bias=False)
        if has_bias:
            self.relative_attention_bias = nn.Embedding(self.buckets, c.heads)

    def bucket_of(self, relative_position):
        buckets, found = self.buckets, 0
        if self.is_decoder:
            relative_position = -torch.min(relative_position, torch.zeros_like(relative_position))
        else:
            buckets //= 2
            found = (relative_position > 0).to(torch.long) * buckets
            relative_position = torch.abs(relative_position)
        exact = buckets // 2
        large = exact + (torch.log(relative_position.float() / exact) / math.log(self.farthest / exact)
                         * (buckets - exact)).to(torch.long)
        large = torch.min(large, torch.full_like(large, buckets - 1))
        return found + torch.where(relative_position < exact, relative_position, large)

    def compute_bias(self, query_length, key_length):
        context_position = torch.arange(query_length, dtype=torch.long)[:, None]
        memory_position = torch.arange(key_length, dtype=torch.long)[None, :]
        values = self.relative_attention_bias(self.bucket_of(memory_position - context_position))
        return values.permute([2, 0, 1]).unsqueeze(0)

    def forward(self, hidden_states, mask, key_value_states, position_bias):
        batch, length, width = hidden_states.size()
        source = hidden_states if key_value_states is None else key_value_states
        query, key, value = (projection(x).view(batch, -1, self.heads, width // self.heads).transpose(1, 2)
                             for projection, x in ((self.q, hidden_states), (self.k, source), (self.v, source)))
        scores = torch.matmul(query, key.transpose(3, 2))
        if position_bias is None:
            if self.has_bias:
                position_bias = self.compute_bias(length, key.size(2))
            else:
                position_bias = torch.zeros((1, self.heads, length, key.size(2)), dtype=scores.dtype)
            position_bias = position_bias + mask
        scores = scores + position_bias
        weights = nn.functional.softmax(scores.float(), dim=-1).type_as(scores)
        weights = nn.functional.dropout(weights, p=0.1, training=self.training)
        output = torch.matmul(weights, value).transpose(1, 2).contiguous().view(batch, -1, width)
        return self.o(output), position_bias


class T5LayerSelfAttention(nn.Module):
    def __init__(self, c, is_decoder, has_bias):
        super().__init__()
        self.SelfAttention = T5Attention(c, is_decoder, has_bias)
        self.layer_norm = T5LayerNorm(c.width)
        self.dropout = nn.Dropout(0.1)

    def forward(self, hidden_states, mask, position_bias):
        output, position_bias = self.SelfAttention(self.layer_norm(hidden_states), mask, None, position_bias)
        return hidden_states + self.dropout(output), position_bias


class T5LayerCrossAttention(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.EncDecAttention = T5Attention(c, True, False)
        self.layer_norm = T5LayerNorm(c.width)
        self.dropout = nn.Dropout(0.1)

    def forward(self, hidden_states, key_value_states, mask, position_bias):
        output, position_bias = self.EncDecAttention(self.layer_norm(hidden_states), mask, key_value_states, position_bias)
        return hidden_states + self.dropout(output), position_bias


class T5Block(nn.Module):
    def __init__(self, c, is_decoder, has_bias):
        super().__init__()
        self.layer = nn.ModuleList([T5LayerSelfAttention(c, is_decoder, has_bias)])
        if is_decoder:
            self.layer.append(T5LayerCrossAttention(c))
        self.layer.append(T5LayerFF(c))

    def forward(self, hidden_states, mask, position_bias, encoded, encoded_mask, encoded_bias):
        hidden_states, position_bias = self.layer[0](hidden_states, mask, position_bias)
        if encoded is not None:
            hidden_states, encoded_bias = self.layer[1](hidden_states, encoded, encoded_mask, encoded_bias)
        return self.layer[-1](hidden_states), position_bias, encoded_bias


class T5Stack(nn.Module):
    def __init__(self, c, embed_tokens, is_decoder):
        super().__init__()
        self.is_decoder = is_decoder
        self.embed_tokens = embed_tokens
        self.block = nn.ModuleList(T5Block(c, is_decoder, i == 0) for i in range(c.layers))
        self.final_layer_norm = T5LayerNorm(c.width)
        self.dropout = nn.Dropout(0.1)

    def mask_of(self, input_ids, attention_mask, dtype):
        if not self.is_decoder:
            return additive_mask(attention_mask, dtype)
        batch, length = input_ids.size()
        positions = torch.arange(length)
        causal = positions[None, None, :].repeat(batch, length, 1) <= positions[None, :, None]
        mask = causal.to(attention_mask.dtype)[:, None, :, :] * attention_mask[:, None, None, :]
        return (1.0 - mask.to(dtype)) * LOWEST

    def forward(self, input_ids, attention_mask, encoded=None, encoded_mask=None):
        hidden_states = self.embed_tokens(input_ids)
        if attention_mask is None:
            attention_mask = torch.ones(input_ids.size(), dtype=torch.long)
        mask = self.mask_of(input_ids, attention_mask, hidden_states.dtype)
        if encoded_mask is not None:
            encoded_mask = additive_mask(encoded_mask, hidden_states.dtype)
        hidden_states, bias, encoded_bias = self.dropout(hidden_states), None, None
        for block in self.block:
            hidden_states, bias, encoded_bias = block(hidden_states, mask, bias, encoded, encoded_mask, encoded_bias)
        return self.dropout(self.final_layer_norm(hidden_states))


class T5ForConditionalGeneration(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.shared = nn.Embedding(c.vocabulary, c.width)
        self.encoder = T5Stack(c, self.shared, False)
        self.decoder = T5Stack(c, self.shared, True)
        self.lm_head = nn.Linear(c.width, c.vocabulary, bias=False)

    def forward(self, input_ids, attention_mask, decoder_input_ids):
        encoded = self.encoder(input_ids, attention_mask)
        decoded = self.decoder(decoder_input_ids, None, encoded, attention_mask)
        return self.lm_head(decoded * (self.shared.embedding_dim ** -0.5)), encoded
