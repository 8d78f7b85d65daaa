// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/json_writer.h"
#include "core/ir/model.h"

namespace cutaway::report {

/// An argument's value in a report: numbers, booleans, texts, null and lists as JSON's own; everything else as an
/// object with one member that says what it is: {"value": "x"}, {"dtype": "float32"}, {"expr": "2*s0"}, {"tuple": [1,
/// 2]}.
void writeOperand(JsonWriter &out, const ir::Model &model, const ir::Graph &graph, const ir::Operand &operand);

} // namespace cutaway::report
