// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace cutaway::ops {

/// Which types the inputs and outputs of an operator of ONNX's default operator set have, from one version of the set
/// on: a letter for each, 'a' for TensorProto.DataType 1, 'b' for 2, …; 'S' sequences, 'O' optional values.
struct OnnxTypes {
    std::int64_t since = 0;
    std::vector<std::string_view> inputs, outputs;
    bool endlessInputs = false, endlessOutputs = false; ///< what is behind the last one is like it

    /// Of one position; "" where there is none.
    std::string_view input(std::size_t position) const;
    std::string_view output(std::size_t position) const;
};

/// Those of the newest version that is no later than this one; nullptr for what ONNX does not know.
const OnnxTypes *onnxTypesIn(std::string_view name, std::int64_t opset);

} // namespace cutaway::ops
