// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/task.h"
#include "core/ir/model.h"
#include "core/sequence/matching/value_print.h"

namespace cutaway::sequence {

/// The prints of the values of both main graphs, by ValueId; nothing for a value that was not computed.
struct ComputedValues {
    std::vector<std::optional<ValuePrint>> a, b;
};

/// Computes the first functions of both models node by node, on the same random inputs. A result that cannot be
/// computed is drawn from a seed that depends on the operator and its operands, so that the same node in both graphs
/// has the same. Inputs and weights of both graphs are paired by name, else by their order or the order in which they
/// are read. Nothing is computed if it is too much work.
ComputedValues computedValues(const ir::Model &a, const ir::Model &b, const Task &task);

} // namespace cutaway::sequence
