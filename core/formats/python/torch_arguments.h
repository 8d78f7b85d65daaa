// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ir/argument.h"
#include "core/ops/schemas/schema.h"

#include <optional>
#include <span>
#include <string>
#include <string_view>

/// The arguments that Python code gives to torch's operators, in the form that schemas have them.
namespace cutaway::formats::python {

/// The constant that a name of another Python module stands for (torch.float32, torch.channels_last, math.inf), or
/// nothing.
std::optional<ir::Operand> constantNamed(std::string_view name);

/// The name by which the schemas know an argument that Python's functions of torch may call otherwise: "self" for
/// `input`.
std::string schemaKeyword(std::span<const ops::Schema> candidates, std::string_view keyword);

/// The operand in the form that the schema has it: a tuple as a list, one number for each of a list of known length.
ir::Operand fitted(ir::Operand operand, const ops::SchemaType &declared);

} // namespace cutaway::formats::python
