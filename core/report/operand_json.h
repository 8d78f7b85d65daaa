// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/json_writer.h"
#include "core/ir/model.h"

namespace cutaway::report {

/// Writes an argument's value in a report: numbers, Booleans, texts, null and lists are JSON's own; everything else is
/// an object with one member that names its kind: {"value": "x"}, {"dtype": "float32"}, {"expr": "2*s0"}, {"tuple": [1,
/// 2]}.
void writeOperand(JsonWriter &out, const ir::Model &model, const ir::Graph &graph, const ir::Operand &operand);

} // namespace cutaway::report
