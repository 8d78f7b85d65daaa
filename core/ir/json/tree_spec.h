// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ir/argument.h"

#include <span>
#include <string>
#include <string_view>

namespace cutaway::ir {
class Context;
}

/// The notation of torch's pytree for the lists, tuples and dictionaries around a program's inputs and results.
namespace cutaway::ir {

std::string leafSpec();
std::string sequenceSpec(List::Kind kind, std::span<const std::string> children);
std::string dictSpec(std::span<const std::string> keys, std::span<const std::string> children);
/// Returns the spec of an operand of the program. Operands other than lists and dictionaries are leaves, and so are
/// dictionaries with keys that are no texts.
std::string specOf(const Context &context, const Operand &operand);

/// The keys in a model's metadata of the specs of the inputs and of the results, which are JSON.
inline constexpr std::string_view inSpecKey = "torch.export.in_spec";
inline constexpr std::string_view outSpecKey = "torch.export.out_spec";

} // namespace cutaway::ir
