// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/task.h"
#include "core/tensor/slice.h"
#include "core/tensor/values.h"

#include <filesystem>

namespace cutaway::tensor {

/// Writes a part of a tensor, in pieces. A .npy file has the elements as they are; elements of dtypes that NumPy
/// lacks are widened: small floats to float32, integers of less than a byte to bytes; differences are float64. A .csv
/// file has all digits, with a line for each row of the last dimension; for a quantized tensor it has the dequantized
/// numbers. Errors: another suffix (Usage); an error of the disk; the file with the tensor changed meanwhile;
/// cancelled. After an error there is no new file.
Result<void> save(const Values &values, const Slice &part, const std::filesystem::path &path, const Task &task = {});

} // namespace cutaway::tensor
