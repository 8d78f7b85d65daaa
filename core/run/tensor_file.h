// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/protocol/tensor.h"

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <utility>

namespace cutaway::run {

/// Whether readTensor() supports the file's suffix: .npy, .pt or .json.
bool isTensorFile(const std::filesystem::path &path);

/// Reads a tensor from a file: a NumPy array, a single tensor saved by torch.save, or nested lists of numbers in JSON.
/// Only the latter are converted to `wanted`, or to float32 without it. Errors (Unreadable): what was found and what
/// was expected.
Result<protocol::Tensor> readTensor(const std::filesystem::path &path, std::optional<ir::DType> wanted);

/// Writes a tensor as FOLDER/NAME.npy and makes the folder; characters of the name that file names must not have are
/// replaced. Returns the file's path. Errors: those of tensor::printNpy(), with the name; the file cannot be written.
Result<std::filesystem::path> writeTensor(const protocol::Tensor &tensor, const std::filesystem::path &folder,
                                          const std::string &name);

using NamedTensor = std::pair<std::string, protocol::Tensor>;
/// Writes tensors as the members NAME.npy of one file, as numpy.savez does. Errors: those of writeTensor().
Result<void> writeTensors(std::span<const NamedTensor> tensors, const std::filesystem::path &path);

} // namespace cutaway::run
