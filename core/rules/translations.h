// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace cutaway::rules {

/// How an operator is expressed by others.
enum class Way : std::uint8_t {
    None,
    Itself, ///< the target has the operator itself
    Rule,
    Decomposition,
    Formula,
};

/// How operators of one name are expressed by others. Arguments decide whether a rule applies to a node.
struct Translations {
    std::optional<Way> coreAten; ///< nothing if it is no operator of torch
    std::optional<Way> toOnnx;   ///< nothing if it is an operator of ONNX
    std::int64_t onnxSince = 0;  ///< the first operator set in which a rule to ONNX applies; 0 for all
    std::optional<Way> fromOnnx; ///< to operators of ATen; nothing if it is no operator of ONNX
    bool isEvaluated = false;    ///< whether the evaluator has a kernel for it
    std::string_view formula = {};
};
/// Returns what the tables of rules say about an operator; for an operator in place, about its plain form.
Translations translationsOf(std::string_view dialect, std::string_view name);

} // namespace cutaway::rules
