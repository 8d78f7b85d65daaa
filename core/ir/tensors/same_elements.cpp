// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "core/ir/tensors/same_elements.h"

#include "core/ir/tensors/tensor_bytes.h"

#include <algorithm>
#include <cstring>
#include <optional>
#include <vector>

namespace cutaway::ir {

namespace {

using Bytes = std::span<const std::byte>;

/// Whether the tensor's elements are these bytes.
Result<bool> areElements(Bytes bytes, const Model &model, TensorId tensor)
{
    bool isSame = true;
    CUTAWAY_RETURN_IF_ERROR(visitElements(model, tensor, [&](Bytes piece) {
        isSame = isSame && piece.size() <= bytes.size() && std::memcmp(piece.data(), bytes.data(), piece.size()) == 0;
        bytes = bytes.subspan(std::min(piece.size(), bytes.size()));
    }));
    return isSame && bytes.empty();
}

} // namespace

Result<bool> haveSameElements(const Model &a, TensorId inA, const Model &b, TensorId inB)
{
    const Tensor &tensor = a.at(inA);
    if (tensor.dtype != b.at(inB).dtype || tensor.shape != b.at(inB).shape)
        return false;
    const auto length = static_cast<std::uint64_t>(byteSize(tensor).value_or(0));
    std::optional<Result<bool>> answer;
    std::vector<std::byte> gathered;
    CUTAWAY_RETURN_IF_ERROR(visitElements(a, inA, [&](Bytes piece) {
        if (piece.size() == length)
            answer = areElements(piece, b, inB); // the bytes are only valid during this call
        else
            gathered.insert(gathered.end(), piece.begin(), piece.end());
    }));
    return answer ? std::move(*answer) : areElements(gathered, b, inB);
}

} // namespace cutaway::ir
