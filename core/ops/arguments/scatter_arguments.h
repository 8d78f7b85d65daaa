// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ops/call.h"

namespace cutaway::ops {

/// How an element that is put to a position is combined with the element that is there.
enum class ScatterReduction : std::uint8_t {
    None, ///< it replaces the other element
    Sum,
    Product,
    Maximum,
    Minimum,
    Mean,
};

/// Returns the reduction's name in torch's scatter_reduce and index_reduce, or "" if they do not have it.
std::string_view torchName(ScatterReduction reduction);

/// Returns the reduction's name in ONNX, or "" if ONNX does not have it.
std::string_view onnxName(ScatterReduction reduction);

/// The arguments, without tensors and dimensions, of operators that put elements to positions: torch's scatter,
/// scatter_add, scatter_reduce, index_add, index_copy, index_fill, index_put, index_reduce and put, and ONNX's Scatter,
/// ScatterElements and ScatterND.
struct ScatterArguments {
    std::optional<ScatterReduction> reduction; ///< nothing: not known, or none of these
    std::optional<bool> includesSelf = true;   ///< whether the elements that were there before take part
};

ScatterArguments scatterArguments(const Call &call);

} // namespace cutaway::ops
