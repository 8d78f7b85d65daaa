// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace cutaway::rules {

/// The way in which an operator is expressed by others.
enum class Way : std::uint8_t {
    None,
    Itself, ///< it is one of them
    Rule,
    Decomposition,
    Formula,
};

/// How operators of one name are expressed by others. Arguments decide whether a rule applies to a node.
struct Translations {
    std::optional<Way> coreAten; ///< nothing: it is not of torch
    std::optional<Way> toOnnx;   ///< nothing: it is of ONNX
    std::int64_t onnxSince = 0;  ///< the first operator set in which a rule to ONNX applies; 0: in each
    std::optional<Way> fromOnnx; ///< as operators of aten; nothing: it is not of ONNX
    bool isEvaluated = false;    ///< its row computes results
    std::string_view formula = {};
};
/// The answers come from the tables of rules; an operator in place is as its plain form.
Translations translationsOf(std::string_view dialect, std::string_view name);

} // namespace cutaway::rules
