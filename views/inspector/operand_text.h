// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ir/argument.h"

#include <QString>

namespace cutaway::ir {
struct Function;
struct Model;
} // namespace cutaway::ir

namespace cutaway::views {

/// Returns an argument as one line: values by name, constants as they are written, at most `maxItems` of each list.
QString operandText(const ir::Model &model, const ir::Function &function, const ir::Operand &operand,
                    std::size_t maxItems = 64);

} // namespace cutaway::views
