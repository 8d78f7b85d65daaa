// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ir/node_ref.h"
#include "plugins/torch/routine.h"

#include <ATen/core/function_schema.h>

namespace cutaway::plugins {

/// "aten::add": the operator's name without its overload.
std::string plainName(const ir::NodeRef &node);
/// Index of the argument with this name, or else of the next unnamed one from `place` on.
std::optional<std::size_t> argumentFor(const ir::NodeRef &node, std::string_view name, std::size_t &place);

/// The action of a node and the arguments that it takes.
struct Operator {
    Action action;
    const c10::FunctionSchema *schema = nullptr; ///< null: arguments in the order of the node
    bool isControl = false;
};

/// Finds torch's operator: the named overload; without a name the plain one, or else the first that takes the
/// arguments. Nothing if there is none.
std::optional<Operator> findTorchOperator(const ir::NodeRef &node);
/// Operators of torch's interpreter itself: control flow, objects, lists and tuples; "prim::If".
std::optional<Operator> findLanguageOperator(const ir::NodeRef &node);
/// Operators of exported programs besides torch's: Python's functions on numbers, higher-order operators.
std::optional<Operator> findExportedOperator(const ir::NodeRef &node);

} // namespace cutaway::plugins
