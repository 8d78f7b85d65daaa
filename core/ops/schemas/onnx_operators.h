// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace cutaway::ops {

struct OnnxAttribute {
    std::string_view name;
    /// The default in the file's syntax: 1, 0.5, "NOTSET", [0,2], 1* (1 for each axis); "": none.
    std::string_view byDefault = {};
};

/// The form of the nodes of an operator of ONNX's default operator set, from one version of the set on.
struct OnnxOperator {
    std::int64_t since = 0;
    bool deprecated = false; ///< removed with this version; the other members are empty then
    std::size_t minInputs = 0, maxInputs = 0, minOutputs = 0, maxOutputs = 0;
    std::vector<OnnxAttribute> attributes;
};

/// Returns all versions of an operator, oldest first; none for operators that the default operator set never had.
std::span<const OnnxOperator> onnxVersions(std::string_view name);

/// Returns a sentence why an operator is not in this version of the default operator set. Nothing if it is, or was,
/// and for operators that ONNX does not know: a runtime may have them.
std::optional<std::string> whyNotInOpset(std::string_view name, std::int64_t opset);

/// Whether ONNX Runtime accepts the operator in ONNX's own domain in a model of any opset, also before ONNX has it.
bool isInEachOpsetOfOnnxRuntime(std::string_view name);

} // namespace cutaway::ops
