// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/ir/context.h"
#include "core/ops/compute/value.h"

#include <filesystem>

namespace cutaway::test {

/// Returns the value in a file of ONNX's test data, a TensorProto, SequenceProto or OptionalProto as `declared` says,
/// with all its elements. Errors: no such file, damaged, elements that are no numbers and no texts.
Result<compute::Value> recordedNumbers(const std::filesystem::path &file, const ir::Context &context,
                                       ir::TypeId declared);

} // namespace cutaway::test
