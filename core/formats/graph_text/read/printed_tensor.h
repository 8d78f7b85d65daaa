// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ir/dtype.h"

#include <optional>
#include <string_view>
#include <vector>

namespace cutaway::formats::graph_text {

/// The sizes between brackets; each is a number or a formula.
using PrintedSizes = std::vector<std::string_view>;

/// The type of a tensor as torch.fx prints it: "f32[4, s0][16, 1]cuda:0". Its members are views of the text.
struct PrintedTensor {
    ir::DType dtype = ir::DType::Float32;
    std::optional<PrintedSizes> shape;   ///< nothing: the closing bracket is missing
    std::optional<PrintedSizes> strides; ///< in elements; nothing: not printed
    std::string_view device;             ///< "cuda:0", ""
};

/// Reads a printed tensor type; nothing if the text does not begin with a dtype and a bracket.
std::optional<PrintedTensor> printedTensor(std::string_view text);

} // namespace cutaway::formats::graph_text
