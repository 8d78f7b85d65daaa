// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/ir/type.h"
#include "core/ops/facts/fact.h"

#include <filesystem>

namespace cutaway::ir {
class Context;
}

namespace cutaway::test {

/// Returns the value in a file of ONNX's test data, a TensorProto, SequenceProto or OptionalProto as `declared` says:
/// its dtype and shape, and the elements of a small tensor. Errors: no such file, damaged.
Result<ops::Fact> recordedValue(const std::filesystem::path &file, const ir::Context &context, ir::TypeId declared);

/// Returns the fact without elements.
ops::Fact withoutElements(ops::Fact fact);

} // namespace cutaway::test
