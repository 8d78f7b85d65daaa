// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/formats/torchscript/code.h"
#include "core/ir/argument.h"

namespace cutaway::formats::torchscript {

/// Returns the members of an enum class: text, value, text, value, … A text is the member's name with the class's in
/// front: "__torch__.a.Color.RED". Empty for a class that is no enum.
ir::Dict enumMembers(ir::Context &context, const ClassDefinition *definition);

/// Returns the member that has the value, as its text; nothing if there is none.
std::optional<ir::Operand> enumMember(ir::Context &context, const ClassDefinition *definition,
                                      const ir::Operand &value);

/// Returns the names of an enum's members, "RED, GREEN"; "" for a class that is no enum.
std::string memberNames(ir::Context &context, const ClassDefinition &definition);

} // namespace cutaway::formats::torchscript
