// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/shapes.h"
#include "core/base/task.h"
#include "core/ir/model.h"
#include "core/passes/pipeline.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

/// Passes that run before a model's nodes are translated into another format.
namespace cutaway::convert {

using State = std::shared_ptr<const ir::Model>;

/// The model after a pipeline. Errors: those of the passes; cancelled.
Result<State> stateAfter(const State &model, ir::FunctionId function, const analysis::Given &given,
                         const passes::Pipeline &pipeline, const Task &task);

/// The model around a graph that is made anew: the tensors and modules of the source, and nothing that only its format
/// has.
ir::Model withoutGraphs(const ir::Model &source, std::string_view format);

/// A fact of a number or None as an operand; nothing where the value is not known.
std::optional<ir::Operand> constantOf(const ops::Fact &fact);
/// Also takes texts, which become names of the context.
std::optional<ir::Operand> constantOf(ir::Context &context, const ops::Fact &fact);

/// Whether a region raises an error: a run that has results does not take it.
bool raises(const ir::Graph &graph, ir::RegionId region);

/// Removes the numbers from `given` and returns their names.
std::vector<std::string> takeNumbers(analysis::Given &given);

/// Removes the defaults of inputs that are given, which passes would rely on; given constants replace their inputs.
ir::Model withoutDefaults(ir::Model model, ir::FunctionId id, const analysis::Given &given);

/// Gives the function's inputs the types that the user states, so that passes know them: the result is for these types
/// alone.
ir::Model withGivenTypes(ir::Model model, ir::FunctionId id, const analysis::Given &given);

/// Makes the model a program as a .pt2 file has it: its signature has its buffers and may have outputs for the new
/// values of buffers and inputs, so passes return what they would otherwise write there.
ir::Model withReturnedWrites(ir::Model model, ir::FunctionId id);

/// Inlines calls and takes branches that are certain; then most writes in place are understood. `lost` gets the names
/// of attributes that the model sets. Errors: those of stateAfter().
Result<State> preparedForRules(const State &model, ir::FunctionId function, const analysis::Given &given,
                               std::vector<std::string> &lost, const Task &task);

/// Prepares the model as preparedForRules() does, without loops whose iterations are known and few. Errors: those of
/// stateAfter().
Result<State> withoutLoops(const State &model, ir::FunctionId function, const analysis::Given &given,
                           std::vector<std::string> &lost, const Task &task);

/// Lets branches and loops hand on the lists that they append to, see carried_lists.h. Errors: those of stateAfter().
Result<State> withCarriedLists(const State &model, ir::FunctionId function, const analysis::Given &given,
                               const Task &task);

} // namespace cutaway::convert
