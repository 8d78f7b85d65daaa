# SPDX-FileCopyrightText: The Cutaway authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""ViT, Swin, CLIP and Whisper as modules: the names and the order of operators that their exports have; weights are random."""
import math
from typing import Optional

import torch
from encoders import LOWEST, GELUActivation, expanded_mask, heads_of
from torch import nn


class ViTPatchEmbeddings(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.projection = nn.Conv2d(3, c.width, kernel_size=c.patch, stride=c.patch)

    def forward(self, pixel_values):
        _, channels, height, width = pixel_values.shape
        if channels != self.projection.in_channels:
            raise ValueError("the image has other channels than the projection")
        return self.projection(pixel_values).flatten(2).transpose(1, 2)


class ViTEmbeddings(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.cls_token = nn.Parameter(torch.randn(1, 1, c.width))
        self.patch_embeddings = ViTPatchEmbeddings(c)
        self.position_embeddings = nn.Parameter(torch.randn(1, (c.image // c.patch) ** 2 + 1, c.width))
        self.dropout = nn.Dropout(0.1)

    def forward(self, pixel_values):
        cls_tokens = self.cls_token.expand(pixel_values.shape[0], -1, -1)
        embeddings = torch.cat((cls_tokens, self.patch_embeddings(pixel_values)), dim=1)
        return self.dropout(embeddings + self.position_embeddings)


class ViTSelfAttention(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.heads, self.eager = c.heads, c.eager
        self.query = nn.Linear(c.width, c.width)
        self.key = nn.Linear(c.width, c.width)
        self.value = nn.Linear(c.width, c.width)

    def forward(self, hidden_states):
        query = heads_of(self.query(hidden_states), self.heads)
        key = heads_of(self.key(hidden_states), self.heads)
        value = heads_of(self.value(hidden_states), self.heads)
        if self.eager:
            scores = torch.matmul(query, key.transpose(-1, -2)) / math.sqrt(key.size(-1))
            context = torch.matmul(nn.functional.softmax(scores, dim=-1), value)
        else:
            context = nn.functional.scaled_dot_product_attention(query, key, value)
        context = context.permute(0, 2, 1, 3).contiguous()
        return context.view(context.size(0), context.size(1), hidden_states.size(-1))


class ViTSelfOutput(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.dense = nn.Linear(c.width, c.width)
        self.dropout = nn.Dropout(0.1)

    def forward(self, hidden_states):
        return self.dropout(self.dense(hidden_states))


class ViTAttention(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.attention = ViTSelfAttention(c)
        self.output = ViTSelfOutput(c)

    def forward(self, hidden_states):
        return self.output(self.attention(hidden_states))


class ViTIntermediate(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.dense = nn.Linear(c.width, 4 * c.width)
        self.intermediate_act_fn = GELUActivation()

    def forward(self, hidden_states):
        return self.intermediate_act_fn(self.dense(hidden_states))


class ViTOutput(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.dense = nn.Linear(4 * c.width, c.width)
        self.dropout = nn.Dropout(0.1)

    def forward(self, hidden_states, input_tensor):
        return self.dropout(self.dense(hidden_states)) + input_tensor


class ViTLayer(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.attention = ViTAttention(c)
        self.intermediate = ViTIntermediate(c)
        self.output = ViTOutput(c)
        self.layernorm_before = nn.LayerNorm(c.width)
        self.layernorm_after = nn.LayerNorm(c.width)

    def forward(self, hidden_states):
        hidden_states = self.attention(self.layernorm_before(hidden_states)) + hidden_states
        return self.output(self.intermediate(self.layernorm_after(hidden_states)), hidden_states)


class ViTEncoder(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.layer = nn.ModuleList(ViTLayer(c) for _ in range(c.layers))

    def forward(self, hidden_states):
        for layer in self.layer:
            hidden_states = layer(hidden_states)
        return hidden_states


class ViTModel(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.embeddings = ViTEmbeddings(c)
        self.encoder = ViTEncoder(c)
        self.layernorm = nn.LayerNorm(c.width)

    def forward(self, pixel_values):
        return self.layernorm(self.encoder(self.embeddings(pixel_values)))


class ViTForImageClassification(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.vit = ViTModel(c)
        self.classifier = nn.Linear(c.width, 1000)

    def forward(self, pixel_values):
        return self.classifier(self.vit(pixel_values)[:, 0, :])


def window_partition(x, size: int):
    batch, height, width, channels = x.shape
    x = x.view(batch, height // size, size, width // size, size, channels)
    return x.permute(0, 1, 3, 2, 4, 5).contiguous().view(-1, size, size, channels)


def window_reverse(windows, size: int, height: int, width: int):
    channels = windows.shape[-1]
    windows = windows.view(-1, height // size, width // size, size, size, channels)
    return windows.permute(0, 1, 3, 2, 4, 5).contiguous().view(-1, height, width, channels)


class SwinSelfAttention(nn.Module):
    def __init__(self, width, heads, window):
        super().__init__()
        self.heads = heads
        self.relative_position_bias_table = nn.Parameter(torch.randn((2 * window - 1) ** 2, heads) * 0.02)
        coordinates = torch.stack(torch.meshgrid([torch.arange(window)] * 2, indexing="ij")).flatten(1)
        relative = (coordinates[:, :, None] - coordinates[:, None, :]).permute(1, 2, 0) + window - 1
        self.register_buffer("relative_position_index", relative[..., 0] * (2 * window - 1) + relative[..., 1])
        self.query = nn.Linear(width, width)
        self.key = nn.Linear(width, width)
        self.value = nn.Linear(width, width)
        self.dropout = nn.Dropout(0.1)

    def forward(self, hidden_states, attention_mask):
        batch, length, width = hidden_states.shape
        query = heads_of(self.query(hidden_states), self.heads)
        key = heads_of(self.key(hidden_states), self.heads)
        value = heads_of(self.value(hidden_states), self.heads)
        scores = torch.matmul(query, key.transpose(-1, -2)) / math.sqrt(width // self.heads)
        bias = self.relative_position_bias_table[self.relative_position_index.view(-1)].view(length, length, -1)
        scores = scores + bias.permute(2, 0, 1).contiguous().unsqueeze(0)
        if attention_mask is not None:
            windows = attention_mask.shape[0]
            scores = scores.view(batch // windows, windows, self.heads, length, length)
            scores = scores + attention_mask.unsqueeze(1).unsqueeze(0)
            scores = scores.view(-1, self.heads, length, length)
        context = torch.matmul(self.dropout(nn.functional.softmax(scores, dim=-1)), value)
        context = context.permute(0, 2, 1, 3).contiguous()
        return context.view(context.size(0), context.size(1), width)


class SwinSelfOutput(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.dense = nn.Linear(width, width)
        self.dropout = nn.Dropout(0.1)

    def forward(self, hidden_states):
        return self.dropout(self.dense(hidden_states))


class SwinAttention(nn.Module):
    def __init__(self, width, heads, window):
        super().__init__()
        self.self = SwinSelfAttention(width, heads, window)
        self.output = SwinSelfOutput(width)

    def forward(self, hidden_states, attention_mask):
        return self.output(self.self(hidden_states, attention_mask))


class SwinIntermediate(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.dense = nn.Linear(width, 4 * width)
        self.intermediate_act_fn = GELUActivation()

    def forward(self, hidden_states):
        return self.intermediate_act_fn(self.dense(hidden_states))


class SwinOutput(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.dense = nn.Linear(4 * width, width)
        self.dropout = nn.Dropout(0.1)

    def forward(self, hidden_states):
        return self.dropout(self.dense(hidden_states))


class SwinLayer(nn.Module):
    def __init__(self, width, heads, window, resolution, is_shifted):
        super().__init__()
        self.window, self.resolution = window, resolution
        self.shift = window // 2 if is_shifted and resolution > window else 0
        self.layernorm_before = nn.LayerNorm(width)
        self.attention = SwinAttention(width, heads, window)
        self.layernorm_after = nn.LayerNorm(width)
        self.intermediate = SwinIntermediate(width)
        self.output = SwinOutput(width)

    def mask_of(self, height, width, dtype):
        if self.shift == 0:
            return None
        image = torch.zeros((1, height, width, 1), dtype=dtype)
        slices = (slice(0, -self.window), slice(-self.window, -self.shift), slice(-self.shift, None))
        for count, (rows, columns) in enumerate((rows, columns) for rows in slices for columns in slices):
            image[:, rows, columns, :] = count
        windows = window_partition(image, self.window).view(-1, self.window * self.window)
        mask = windows.unsqueeze(1) - windows.unsqueeze(2)
        return mask.masked_fill(mask != 0, -100.0).masked_fill(mask == 0, 0.0)

    def forward(self, hidden_states):
        height = width = self.resolution
        batch, _, channels = hidden_states.size()
        shortcut = hidden_states
        hidden_states = self.layernorm_before(hidden_states).view(batch, height, width, channels)
        if self.shift > 0:
            hidden_states = torch.roll(hidden_states, shifts=(-self.shift, -self.shift), dims=(1, 2))
        windows = window_partition(hidden_states, self.window).view(-1, self.window * self.window, channels)
        attended = self.attention(windows, self.mask_of(height, width, hidden_states.dtype))
        windows = attended.view(-1, self.window, self.window, channels)
        shifted = window_reverse(windows, self.window, height, width)
        if self.shift > 0:
            shifted = torch.roll(shifted, shifts=(self.shift, self.shift), dims=(1, 2))
        hidden_states = shortcut + shifted.view(batch, height * width, channels)
        return hidden_states + self.output(self.intermediate(self.layernorm_after(hidden_states)))


class SwinPatchMerging(nn.Module):
    def __init__(self, width, resolution):
        super().__init__()
        self.resolution = resolution
        self.reduction = nn.Linear(4 * width, 2 * width, bias=False)
        self.norm = nn.LayerNorm(4 * width)

    def forward(self, x):
        batch, _, channels = x.shape
        x = x.view(batch, self.resolution, self.resolution, channels)
        x = torch.cat([x[:, 0::2, 0::2, :], x[:, 1::2, 0::2, :], x[:, 0::2, 1::2, :], x[:, 1::2, 1::2, :]], -1)
        return self.reduction(self.norm(x.view(batch, -1, 4 * channels)))


class SwinStage(nn.Module):
    def __init__(self, width, heads, window, resolution, depth, is_last):
        super().__init__()
        self.blocks = nn.ModuleList(SwinLayer(width, heads, window, resolution, i % 2 == 1) for i in range(depth))
        self.downsample = None if is_last else SwinPatchMerging(width, resolution)

    def forward(self, hidden_states):
        for block in self.blocks:
            hidden_states = block(hidden_states)
        return hidden_states if self.downsample is None else self.downsample(hidden_states)


class SwinPatchEmbeddings(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.projection = nn.Conv2d(3, c.width, kernel_size=4, stride=4)

    def forward(self, pixel_values):
        return self.projection(pixel_values).flatten(2).transpose(1, 2)


class SwinEmbeddings(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.patch_embeddings = SwinPatchEmbeddings(c)
        self.norm = nn.LayerNorm(c.width)
        self.dropout = nn.Dropout(0.1)

    def forward(self, pixel_values):
        return self.dropout(self.norm(self.patch_embeddings(pixel_values)))


class SwinEncoder(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.layers = nn.ModuleList(
            SwinStage(c.width << i, c.heads << i, 7, c.image // (4 << i), 3 * c.layers // 6 if i == 2 else 2, i == 3)
            for i in range(4))

    def forward(self, hidden_states):
        for layer in self.layers:
            hidden_states = layer(hidden_states)
        return hidden_states


class SwinModel(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.embeddings = SwinEmbeddings(c)
        self.encoder = SwinEncoder(c)
        self.layernorm = nn.LayerNorm(8 * c.width)
        self.pooler = nn.AdaptiveAvgPool1d(1)

    def forward(self, pixel_values):
        sequence_output = self.layernorm(self.encoder(self.embeddings(pixel_values)))
        return torch.flatten(self.pooler(sequence_output.transpose(1, 2)), 1)


class SwinForImageClassification(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.swin = SwinModel(c)
        self.classifier = nn.Linear(8 * c.width, 1000)

    def forward(self, pixel_values):
        return self.classifier(self.swin(pixel_values))


class QuickGELUActivation(nn.Module):
    def forward(self, x):
        return x * torch.sigmoid(1.702 * x)


class ProjectedAttention(nn.Module):
    """What CLIPAttention and WhisperAttention share."""

    def __init__(self, c, bias=True):
        super().__init__()
        self.heads, self.eager = c.heads, c.eager
        self.k_proj = nn.Linear(c.width, c.width, bias=bias)
        self.v_proj = nn.Linear(c.width, c.width)
        self.q_proj = nn.Linear(c.width, c.width)
        self.out_proj = nn.Linear(c.width, c.width)

    def heads_of(self, x):
        return x.view(x.size(0), -1, self.heads, x.size(2) // self.heads).transpose(1, 2).contiguous()

    def forward(self, hidden_states, mask: Optional[torch.Tensor] = None, source: Optional[torch.Tensor] = None):
        batch, length, width = hidden_states.size()
        read = hidden_states if source is None else source
        query = self.heads_of(self.q_proj(hidden_states))
        key, value = self.heads_of(self.k_proj(read)), self.heads_of(self.v_proj(read))
        if self.eager:
            weights = torch.matmul(query * (width // self.heads) ** -0.5, key.transpose(2, 3))
            weights = weights if mask is None else weights + mask
            output = torch.matmul(nn.functional.softmax(weights, dim=-1), value)
        else:
            output = nn.functional.scaled_dot_product_attention(query, key, value, attn_mask=mask)
        return self.out_proj(output.transpose(1, 2).reshape(batch, length, width))


class CLIPAttention(ProjectedAttention):
    pass


class CLIPMLP(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.activation_fn = QuickGELUActivation()
        self.fc1 = nn.Linear(c.width, 4 * c.width)
        self.fc2 = nn.Linear(4 * c.width, c.width)

    def forward(self, hidden_states):
        return self.fc2(self.activation_fn(self.fc1(hidden_states)))


class CLIPEncoderLayer(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.self_attn = CLIPAttention(c)
        self.layer_norm1 = nn.LayerNorm(c.width)
        self.mlp = CLIPMLP(c)
        self.layer_norm2 = nn.LayerNorm(c.width)

    def forward(self, hidden_states, mask: Optional[torch.Tensor]):
        hidden_states = hidden_states + self.self_attn(self.layer_norm1(hidden_states), mask)
        return hidden_states + self.mlp(self.layer_norm2(hidden_states))


class CLIPEncoder(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.layers = nn.ModuleList(CLIPEncoderLayer(c) for _ in range(c.layers))

    def forward(self, hidden_states, mask: Optional[torch.Tensor] = None):
        for layer in self.layers:
            hidden_states = layer(hidden_states, mask)
        return hidden_states


class CLIPTextEmbeddings(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.token_embedding = nn.Embedding(c.vocabulary, c.width)
        self.position_embedding = nn.Embedding(77, c.width)
        self.register_buffer("position_ids", torch.arange(77).expand((1, -1)), persistent=False)

    def forward(self, input_ids):
        position_ids = self.position_ids[:, :input_ids.shape[-1]]
        return self.token_embedding(input_ids) + self.position_embedding(position_ids)


class CLIPTextTransformer(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.embeddings = CLIPTextEmbeddings(c)
        self.encoder = CLIPEncoder(c)
        self.final_layer_norm = nn.LayerNorm(c.width)

    def causal_mask(self, length: int, dtype: torch.dtype, lowest: float = LOWEST):
        mask = torch.full((length, length), lowest)
        positions = torch.arange(mask.size(-1))
        mask.masked_fill_(positions < (positions + 1).view(mask.size(-1), 1), 0)
        return mask.to(dtype)[None, None, :, :]

    def forward(self, input_ids, attention_mask):
        batch, length = input_ids.size()
        input_ids = input_ids.view(-1, length)
        hidden_states = self.embeddings(input_ids)
        causal = self.causal_mask(length, hidden_states.dtype).expand(batch, 1, length, length)
        mask = causal + expanded_mask(attention_mask, hidden_states.dtype, length)
        last_hidden_state = self.final_layer_norm(self.encoder(hidden_states, mask))
        rows = torch.arange(last_hidden_state.shape[0])
        return last_hidden_state[rows, input_ids.to(dtype=torch.int).argmax(dim=-1)]


class CLIPVisionEmbeddings(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.class_embedding = nn.Parameter(torch.randn(c.width))
        self.patch_embedding = nn.Conv2d(3, c.width, kernel_size=c.patch, stride=c.patch, bias=False)
        positions = (c.image // c.patch) ** 2 + 1
        self.position_embedding = nn.Embedding(positions, c.width)
        self.register_buffer("position_ids", torch.arange(positions).expand((1, -1)), persistent=False)

    def forward(self, pixel_values):
        patches = self.patch_embedding(pixel_values.to(dtype=self.patch_embedding.weight.dtype))
        patches = patches.flatten(2).transpose(1, 2)
        class_embeds = self.class_embedding.expand(pixel_values.shape[0], 1, -1)
        return torch.cat([class_embeds, patches], dim=1) + self.position_embedding(self.position_ids)


class CLIPVisionTransformer(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.embeddings = CLIPVisionEmbeddings(c)
        self.pre_layrnorm = nn.LayerNorm(c.width)
        self.encoder = CLIPEncoder(c)
        self.post_layernorm = nn.LayerNorm(c.width)

    def forward(self, pixel_values):
        last_hidden_state = self.encoder(self.pre_layrnorm(self.embeddings(pixel_values)))
        return self.post_layernorm(last_hidden_state[:, 0, :])


class CLIPModel(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.text_model = CLIPTextTransformer(c)
        self.vision_model = CLIPVisionTransformer(c)
        self.visual_projection = nn.Linear(c.width, c.width, bias=False)
        self.text_projection = nn.Linear(c.width, c.width, bias=False)
        self.logit_scale = nn.Parameter(torch.tensor(2.6592))

    def forward(self, input_ids, pixel_values, attention_mask):
        image_embeds = self.visual_projection(self.vision_model(pixel_values))
        text_embeds = self.text_projection(self.text_model(input_ids, attention_mask))
        image_embeds = image_embeds / torch.pow(torch.sum(torch.pow(image_embeds, 2), dim=-1, keepdim=True), 0.5)
        text_embeds = text_embeds / torch.pow(torch.sum(torch.pow(text_embeds, 2), dim=-1, keepdim=True), 0.5)
        logits_per_text = torch.matmul(text_embeds, image_embeds.t()) * self.logit_scale.exp()
        return logits_per_text.t(), logits_per_text


class WhisperAttention(ProjectedAttention):
    def __init__(self, c):
        super().__init__(c, bias=False)


class WhisperEncoderLayer(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.self_attn = WhisperAttention(c)
        self.self_attn_layer_norm = nn.LayerNorm(c.width)
        self.activation_fn = GELUActivation()
        self.fc1 = nn.Linear(c.width, 4 * c.width)
        self.fc2 = nn.Linear(4 * c.width, c.width)
        self.final_layer_norm = nn.LayerNorm(c.width)

    def forward(self, hidden_states):
        attended = self.self_attn(self.self_attn_layer_norm(hidden_states))
        hidden_states = hidden_states + nn.functional.dropout(attended, p=0.1, training=self.training)
        output = self.fc2(self.activation_fn(self.fc1(self.final_layer_norm(hidden_states))))
        return hidden_states + nn.functional.dropout(output, p=0.1, training=self.training)


class WhisperEncoder(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.conv1 = nn.Conv1d(80, c.width, kernel_size=3, padding=1)
        self.conv2 = nn.Conv1d(c.width, c.width, kernel_size=3, stride=2, padding=1)
        self.embed_positions = nn.Embedding(c.frames // 2, c.width)
        self.layers = nn.ModuleList(WhisperEncoderLayer(c) for _ in range(c.layers))
        self.layer_norm = nn.LayerNorm(c.width)

    def forward(self, input_features):
        inputs_embeds = nn.functional.gelu(self.conv1(input_features))
        inputs_embeds = nn.functional.gelu(self.conv2(inputs_embeds)).permute(0, 2, 1)
        hidden_states = inputs_embeds + self.embed_positions.weight
        for layer in self.layers:
            hidden_states = layer(hidden_states)
        return self.layer_norm(hidden_states)


class WhisperDecoderLayer(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.self_attn = WhisperAttention(c)
        self.activation_fn = GELUActivation()
        self.self_attn_layer_norm = nn.LayerNorm(c.width)
        self.encoder_attn = WhisperAttention(c)
        self.encoder_attn_layer_norm = nn.LayerNorm(c.width)
        self.fc1 = nn.Linear(c.width, 4 * c.width)
        self.fc2 = nn.Linear(4 * c.width, c.width)
        self.final_layer_norm = nn.LayerNorm(c.width)

    def forward(self, hidden_states, mask, encoded):
        hidden_states = hidden_states + self.self_attn(self.self_attn_layer_norm(hidden_states), mask)
        hidden_states = hidden_states + self.encoder_attn(self.encoder_attn_layer_norm(hidden_states), None, encoded)
        return hidden_states + self.fc2(self.activation_fn(self.fc1(self.final_layer_norm(hidden_states))))


class WhisperPositionalEmbedding(nn.Embedding):
    def forward(self, input_ids):
        return self.weight[:input_ids.shape[1]]


class WhisperDecoder(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.embed_tokens = nn.Embedding(c.vocabulary, c.width)
        self.embed_positions = WhisperPositionalEmbedding(448, c.width)
        self.layers = nn.ModuleList(WhisperDecoderLayer(c) for _ in range(c.layers))
        self.layer_norm = nn.LayerNorm(c.width)

    def forward(self, input_ids, encoded, lowest: float = LOWEST):
        batch, length = input_ids.size()
        hidden_states = self.embed_tokens(input_ids)
        mask = torch.triu(torch.full((length, length), lowest, dtype=hidden_states.dtype), diagonal=1)
        mask = mask[None, None, :, :].expand(batch, 1, -1, -1)
        hidden_states = hidden_states + self.embed_positions(input_ids)
        for layer in self.layers:
            hidden_states = layer(hidden_states, mask, encoded)
        return self.layer_norm(hidden_states)


class WhisperModel(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.encoder = WhisperEncoder(c)
        self.decoder = WhisperDecoder(c)

    def forward(self, input_features, decoder_input_ids):
        encoded = self.encoder(input_features)
        return self.decoder(decoder_input_ids, encoded), encoded


class WhisperForConditionalGeneration(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.model = WhisperModel(c)
        self.proj_out = nn.Linear(c.width, c.vocabulary, bias=False)

    def forward(self, input_features, decoder_input_ids):
        decoded, encoded = self.model(input_features, decoder_input_ids)
        return self.proj_out(decoded), encoded
