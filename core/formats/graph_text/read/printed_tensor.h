// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ir/dtype.h"

#include <optional>
#include <string_view>
#include <vector>

namespace cutaway::formats::graph_text {

/// The sizes between brackets, each a number or a formula.
using PrintedSizes = std::vector<std::string_view>;

/// The type of a tensor as torch.fx prints it: "f32[4, s0][16, 1]cuda:0". Its parts are views of the text.
struct PrintedTensor {
    ir::DType dtype = ir::DType::Float32;
    std::optional<PrintedSizes> shape;   ///< nothing: the brackets have no end
    std::optional<PrintedSizes> strides; ///< in elements; nothing: they are not printed
    std::string_view device;             ///< "cuda:0", ""
};

/// Nothing for a text that begins with no dtype and bracket.
std::optional<PrintedTensor> printedTensor(std::string_view text);

} // namespace cutaway::formats::graph_text
