// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ir/node_ref.h"
#include "plugins/torch/program.h"

#include <ATen/core/function_schema.h>

namespace cutaway::plugins {

/// "aten::add": the name of the operator without its overload.
std::string plainName(const ir::NodeRef &node);
/// Which argument is the one of this name, or else the next of those without one, from `place` on.
std::optional<std::size_t> argumentFor(const ir::NodeRef &node, std::string_view name, std::size_t &place);

/// What a node does and what it wants to be given.
struct Operator {
    Action action;
    const c10::FunctionSchema *schema = nullptr; ///< nothing: the arguments as they stand
    bool isControl = false;
};

/// torch's own operator: the overload that is named; if none is, the plain one, or else the first that has the
/// arguments. Nothing if there is none.
std::optional<Operator> findTorchOperator(const ir::NodeRef &node);
/// What torch's interpreter does itself: control flow, objects, lists and tuples; "prim::If".
std::optional<Operator> findLanguageOperator(const ir::NodeRef &node);
/// What exported programs have besides torch's operators: Python's functions of numbers, higher-order operators.
std::optional<Operator> findExportedOperator(const ir::NodeRef &node);

} // namespace cutaway::plugins
