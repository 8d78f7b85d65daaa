// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "plugins/torch/program.h"

#include <ATen/core/function_schema.h>

namespace cutaway::plugins {

/// A node that is to become an instruction.
struct NodeContext {
    const ir::Model &model;
    const ir::Graph &graph;
    const ir::Node &node;

    std::string_view text(ir::NameId id) const { return model.context->text(id); }
    /// The text of an argument that is a constant one, by its name or else its place.
    std::string_view textArgument(std::string_view name, std::size_t place) const;
    /// Which argument is the one of this name, or else the next of those without one, from `place` on.
    std::optional<std::size_t> argumentFor(std::string_view name, std::size_t &place) const;
    std::string print() const { return model.context->print(node.op); } ///< "aten::add.Tensor"
};

/// What a node does and what it wants to be given.
struct Operator {
    Action action;
    const c10::FunctionSchema *schema = nullptr; ///< nothing: the arguments as they stand
    bool isControl = false;
};

/// torch's own operator: the overload that is named; if none is, the plain one, or else the first that has the
/// arguments. Nothing if there is none.
std::optional<Operator> findTorchOperator(const NodeContext &context);
/// What torch's interpreter does itself: control flow, objects, lists and tuples; "prim::If".
std::optional<Operator> findLanguageOperator(const NodeContext &context);
/// What exported programs have besides torch's operators: Python's functions of numbers, higher-order operators.
std::optional<Operator> findExportedOperator(const NodeContext &context);

} // namespace cutaway::plugins
