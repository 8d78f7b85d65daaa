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

/// What a file of ONNX's test data holds, a TensorProto, SequenceProto or OptionalProto as `declared` says: its dtype
/// and shape, and the elements of a small tensor. Errors: no such file, damaged.
Result<ops::Fact> recordedValue(const std::filesystem::path &file, const ir::Context &context, ir::TypeId declared);

/// The same fact without elements.
ops::Fact withoutElements(ops::Fact fact);

} // namespace cutaway::test
