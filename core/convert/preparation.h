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

/// Returns the model after a pipeline. Errors: those of the passes; cancelled.
Result<State> stateAfter(const State &model, ir::FunctionId function, const analysis::Given &given,
                         const passes::Pipeline &pipeline, const Task &task);

/// Returns a model with the tensors and modules of the source, but no graphs, and nothing that only the format of the
/// source has.
ir::Model withoutGraphs(const ir::Model &source, std::string_view format);

/// Returns an operand for the fact of a number or None; nothing if the value is not known.
std::optional<ir::Operand> constantOf(const ops::Fact &fact);
/// Returns an operand for the fact of a number, a text or None; texts are added to the context. Nothing if the value is
/// not known.
std::optional<ir::Operand> constantOf(ir::Context &context, const ops::Fact &fact);

/// Whether a region certainly raises an error. A run that returns results does not enter it.
bool raises(const ir::Graph &graph, ir::RegionId region);

/// Removes the numbers from `given` and returns their names.
std::vector<std::string> takeNumbers(analysis::Given &given);

/// Removes the defaults of inputs that the user gives, since passes would rely on them. Given constants replace their
/// inputs.
ir::Model withoutDefaults(ir::Model model, ir::FunctionId id, const analysis::Given &given);

/// Gives the function's inputs the types that the user states, so that passes know them: the result is for these types
/// alone.
ir::Model withGivenTypes(ir::Model model, ir::FunctionId id, const analysis::Given &given);

/// Turns the model into a program as a .pt2 file has it: the signature has the buffers, and may have outputs for the
/// new values of buffers and inputs. Passes then return the values that they would otherwise write in place.
ir::Model withReturnedWrites(ir::Model model, ir::FunctionId id);

/// Inlines calls, and replaces branches that are certainly taken; after that, most writes in place are understood.
/// `lost` gets the names of attributes that the model sets. Errors: those of stateAfter().
Result<State> preparedForRules(const State &model, ir::FunctionId function, const analysis::Given &given,
                               std::vector<std::string> &lost, const Task &task);

/// Unrolls loops that have few iterations and a known number of them, and prepares the model as preparedForRules()
/// does. Errors: those of stateAfter().
Result<State> withoutLoops(const State &model, ir::FunctionId function, const analysis::Given &given,
                           std::vector<std::string> &lost, const Task &task);

/// Makes branches and loops return the lists that they append to, see carried_lists.h. Errors: those of stateAfter().
Result<State> withCarriedLists(const State &model, ir::FunctionId function, const analysis::Given &given,
                               const Task &task);

} // namespace cutaway::convert
