// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/formats/torchscript/code.h"
#include "core/ir/argument.h"

namespace cutaway::formats::torchscript {

/// The members of an enum class: text, value, text, value, … The text is the member's name with the class's:
/// "__torch__.a.Color.RED". Empty for a class that is no enum.
ir::Dict enumMembers(ir::Context &context, const ClassDefinition *definition);

/// The member that has the value, as files name it; nothing if there is none.
std::optional<ir::Operand> enumMember(ir::Context &context, const ClassDefinition *definition,
                                      const ir::Operand &value);

/// The names of an enum's members, "RED, GREEN"; "" for a class that is no enum.
std::string memberNames(ir::Context &context, const ClassDefinition &definition);

} // namespace cutaway::formats::torchscript
