// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ir/argument.h"
#include "core/ops/schemas/schema.h"

#include <optional>
#include <span>
#include <string>
#include <string_view>

/// The arguments that Python code passes to torch's operators, converted to the form that schemas expect.
namespace cutaway::formats::python {

/// Returns the constant that a name in another Python module stands for (torch.float32, torch.channels_last, math.inf);
/// nothing if the name stands for no constant.
std::optional<ir::Operand> constantNamed(std::string_view name);

/// Returns the schemas' name for an argument that Python's functions of torch may call otherwise: "self" for `input`.
std::string schemaKeyword(std::span<const ops::Schema> candidates, std::string_view keyword);

/// Returns the operand in the schema's form: a tuple becomes a list, and one number a list of a known length.
ir::Operand fitted(ir::Operand operand, const ops::SchemaType &declared);

} // namespace cutaway::formats::python
