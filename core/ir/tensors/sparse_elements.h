// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/ir/model.h"

#include <cstddef>
#include <vector>

namespace cutaway::ir {

/// Returns the elements of a sparse tensor in row-major order, including the zeros, as the bytes of a dense tensor.
/// The layout must be SparseCoo. Its parts are values and indices, as in ONNX, or indices and values, as in torch.
/// Errors: another layout, parts that are sparse themselves, elements that are no plain numbers, indices out of
/// range, more than 256 MiB.
Result<std::vector<std::byte>> denseBytes(const Model &model, const Tensor &tensor);

} // namespace cutaway::ir
