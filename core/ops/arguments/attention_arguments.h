// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ops/call.h"

namespace cutaway::ops {

/// The layout of the query, key and value of an attention.
enum class HeadLayout : std::uint8_t {
    HeadsFirst,    ///< […, heads, sequence, head size], as torch has them; heads may be missing
    SequenceFirst, ///< [batch, sequence, heads, head size]
    HeadsJoined,   ///< [batch, sequence, heads·head size]; the key and value of ONNX Runtime may also be HeadsFirst
    Packed,        ///< the query is all three: [batch, sequence, heads, 3, head size]
    PackedJoined,  ///< as Packed: [batch, sequence, (heads + 2·key heads)·head size]
    Projected,     ///< the query, [batch, sequence, size], times `projection` is all three
};

/// The arguments of an attention, with the same meaning in all dialects: softmax(softcap(q·kᵀ·scale) + mask)·v. An
/// argument that is left out has torch's or ONNX's default.
struct AttentionArguments {
    Position query, key, value;
    Position projection; ///< [size, sizes of q, k and v together]
    Position mask;       ///< broadcast to [batch, heads, queries, keys]: Booleans say what counts, numbers are added
    /// Which keys count in each sequence, as a mask or as their number: ONNX's nonpad_kv_seqlen, ONNX Runtime's
    /// mask_index, key_padding_mask and seqlens_k.
    Position keyPadding;
    /// The key and value of earlier steps, which are still attended to: [batch, key heads, sequence, head size]; for
    /// Projected attention one tensor of both.
    Position pastKey, pastValue;
    Position totalLength; ///< a number: how many keys there are, with those of earlier steps

    std::optional<HeadLayout> layout; ///< nothing: the query's rank is not known, or fits no layout
    ir::Dim heads = ir::UnknownDim{}; ///< how many heads the query has
    /// The heads of key and value; if these are fewer than `heads`, each serves several heads of the query.
    ir::Dim keyHeads = ir::UnknownDim{};

    std::optional<bool> isCausal = false; ///< a query sees no later key; nothing: not known
    Given<double> scale;                  ///< without it 1 / √(head size)
    std::optional<double> softcap = 0; ///< scores are softcap·tanh(score / softcap); 0: as they are; nothing: not known
    std::optional<double> dropout = 0; ///< the probability; nothing: not known
    std::optional<bool> enableGqa = false; ///< torch: whether key and value may have fewer heads; nothing: not known
};

/// Reads the arguments of torch's scaled_dot_product_attention and the kernels that it is made of, of flex_attention,
/// of ONNX's Attention, and of ONNX Runtime's Attention, MultiHeadAttention and GroupQueryAttention with those of their
/// variants that are not packed without padding.
AttentionArguments attentionArguments(const Call &call);

} // namespace cutaway::ops
