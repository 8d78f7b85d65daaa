// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/protocol/tensor.h"

#include <filesystem>
#include <optional>

namespace cutaway::run {

/// Whether readTensor() knows files of such a name: .npy, .pt, .json.
bool isTensorFile(const std::filesystem::path &path);

/// A tensor of a file: an array of NumPy, one tensor saved by torch.save, or numbers in JSON's brackets, which become
/// of the dtype `wanted` (of float32 without one). Errors (Unreadable): what was found and wanted.
Result<protocol::Tensor> readTensor(const std::filesystem::path &path, std::optional<ir::DType> wanted);

} // namespace cutaway::run
