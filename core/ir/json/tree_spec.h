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

/// How torch's pytree writes down what lists, tuples and dictionaries the inputs and results of a program lie in.
namespace cutaway::ir {

std::string leafSpec();
std::string sequenceSpec(List::Kind kind, std::span<const std::string> children);
std::string dictSpec(std::span<const std::string> keys, std::span<const std::string> children);
/// Of an operand of the program: what is no list or dictionary is a leaf.
std::string specOf(const Context &context, const Operand &operand);

/// Under which metadata of the model they stand, each the JSON of its tree.
inline constexpr std::string_view inSpecKey = "torch.export.in_spec";
inline constexpr std::string_view outSpecKey = "torch.export.out_spec";

} // namespace cutaway::ir
