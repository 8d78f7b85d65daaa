// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ops/call.h"

namespace cutaway::ops {

/// The layout of the query, key and value of an attention.
enum class HeadLayout : std::uint8_t {
    HeadsFirst,    ///< [batch, heads, sequence, head size], as in torch; the dimension of heads may be missing
    SequenceFirst, ///< [batch, sequence, heads, head size]
    HeadsJoined,   ///< [batch, sequence, heads·head size]; the key and value of ONNX Runtime may also be HeadsFirst
    Packed,        ///< `query` holds query, key and value: [batch, sequence, heads, 3, head size]
    PackedJoined,  ///< `query` holds all three: [batch, sequence, (heads + 2·key heads)·head size]
    Projected,     ///< `query`, [batch, sequence, size], times `projection` is query, key and value
};

/// The arguments of an attention, with the same meaning in all dialects: softmax(softcap(q·kᵀ·scale) + mask)·v. An
/// argument that is left out has torch's or ONNX's default.
struct AttentionArguments {
    Position query, key, value;
    Position projection; ///< [size, sizes of q, k and v together]
    Position mask;       ///< broadcast to [batch, heads, queries, keys]: Booleans select, numbers are added
    /// The keys to use in each sequence, as a mask or as their number: ONNX's nonpad_kv_seqlen, ONNX Runtime's
    /// mask_index, key_padding_mask and seqlens_k.
    Position keyPadding;
    /// The key and value of earlier steps, which are still attended to: [batch, key heads, sequence, head size]; for
    /// Projected attention one tensor of both.
    Position pastKey, pastValue;
    Position totalLength; ///< the number of keys, including those of earlier steps

    std::optional<HeadLayout> layout; ///< nothing: the query's rank is not known, or fits no layout
    ir::Dim heads = ir::UnknownDim{}; ///< the number of heads of the query
    /// The number of heads of key and value. If it is less than `heads`, each of these heads serves several heads of
    /// the query.
    ir::Dim keyHeads = ir::UnknownDim{};

    std::optional<bool> isCausal = false; ///< whether a query attends to no later key; nothing: not known
    Given<double> scale;                  ///< by default 1 / √(head size)
    /// Scores become softcap·tanh(score / softcap); 0: they stay as they are; nothing: not known.
    std::optional<double> softcap = 0;
    std::optional<double> dropout = 0;     ///< the probability; nothing: not known
    std::optional<bool> enableGqa = false; ///< torch: whether key and value may have fewer heads; nothing: not known
};

/// Reads the arguments of torch's scaled_dot_product_attention and the kernels that it is made of, of flex_attention,
/// of ONNX's Attention, and of ONNX Runtime's Attention, MultiHeadAttention and GroupQueryAttention with their
/// variants, but not of variants for packed sequences (PackedAttention).
AttentionArguments attentionArguments(const Call &call);

} // namespace cutaway::ops
