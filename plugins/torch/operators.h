// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ir/node_ref.h"
#include "plugins/torch/routine.h"

#include <ATen/core/function_schema.h>

namespace cutaway::plugins {

/// Returns the operator's name without its overload: "aten::add".
std::string plainName(const ir::NodeRef &node);
/// Returns the index of the argument with this name, or else of the first unnamed one from `place` on, and then sets
/// `place` to the index after it. Returns nothing if there is neither.
std::optional<std::size_t> argumentFor(const ir::NodeRef &node, std::string_view name, std::size_t &place);

/// The action that runs for a node, with the schema of its arguments.
struct Operator {
    Action action;
    const c10::FunctionSchema *schema = nullptr; ///< nullptr: the arguments are in the order of the node
    bool isControl = false;
};

/// Finds torch's operator: the overload that the node names. If it names none, the overload without a name, or else the
/// first that takes the arguments. Nothing if there is none.
std::optional<Operator> findTorchOperator(const ir::NodeRef &node);
/// Finds an operator of torch's interpreter itself: control flow, objects, lists and tuples; "prim::If".
std::optional<Operator> findLanguageOperator(const ir::NodeRef &node);
/// Finds an operator of exported programs that is not torch's: Python's functions on numbers, higher-order operators.
std::optional<Operator> findExportedOperator(const ir::NodeRef &node);

} // namespace cutaway::plugins
