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
    std::string_view byDefault = {}; ///< as the file has it: 1, 0.5, "NOTSET", [0,2], 1* (of each axis); "": nothing
};

/// The form of a node of an operator of ONNX's default operator set, from one version of the set on.
struct OnnxOperator {
    std::int64_t since = 0;
    bool deprecated = false; ///< removed with this version; the rest is empty then
    std::size_t minInputs = 0, maxInputs = 0, minOutputs = 0, maxOutputs = 0;
    std::vector<OnnxAttribute> attributes;
};

/// All versions of an operator, oldest first; none for operators that the default operator set has never had.
std::span<const OnnxOperator> onnxVersions(std::string_view name);

/// Why an operator is not in this version of the default operator set, as a sentence. Nothing if it is, or was, and for
/// operators that ONNX does not know: a runtime may have them.
std::optional<std::string> whyNotInOpset(std::string_view name, std::int64_t opset);

/// Whether ONNX Runtime takes the operator among ONNX's own in a model of any opset, also before ONNX has it.
bool isInEachOpsetOfOnnxRuntime(std::string_view name);

} // namespace cutaway::ops
