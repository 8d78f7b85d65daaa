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

/// What passes do before a model's nodes are translated into another format.
namespace cutaway::convert {

using State = std::shared_ptr<const ir::Model>;

/// The model behind a pipeline. Errors: those of the passes; cancelled.
Result<State> stateAfter(const State &model, ir::FunctionId function, const analysis::Given &given,
                         const passes::Pipeline &pipeline, const Task &task);

/// A number or None as an operand; nothing for what is not known.
std::optional<ir::Operand> constantOf(const ops::Fact &fact);
/// Also takes texts, which become names of the context.
std::optional<ir::Operand> constantOf(ir::Context &context, const ops::Fact &fact);

/// Whether a region raises an error, so that whoever gets results does not take it.
bool raises(const ir::Graph &graph, ir::RegionId region);

/// The names of numbers that are given, which it takes out.
std::vector<std::string> takeNumbers(analysis::Given &given);

/// What is given takes the place of a default, which passes would rely on; numbers take the place of their inputs.
ir::Model withoutDefaults(ir::Model model, ir::FunctionId id, const analysis::Given &given);

/// Gives the function's inputs the types that the user states, so that passes know them: what is made is for these
/// alone.
ir::Model withGivenTypes(ir::Model model, ir::FunctionId id, const analysis::Given &given);

/// Makes the model a program whose signature has its buffers and may say what becomes of these and of its inputs, as a
/// .pt2 file does: passes then return what they would otherwise write there.
ir::Model withReturnedWrites(ir::Model model, ir::FunctionId id);

/// Calls are inlined and branches taken that are certain; then most writes in place are understood. `lost` gets the
/// names of attributes that the model sets.
Result<State> preparedForRules(const State &model, ir::FunctionId function, const analysis::Given &given,
                               std::vector<std::string> &lost, const Task &task);

/// The same without loops whose iterations are known, as far as they are few.
Result<State> withoutLoops(const State &model, ir::FunctionId function, const analysis::Given &given,
                           std::vector<std::string> &lost, const Task &task);

/// The same with lists that branches and loops append to handed on by these.
Result<State> withCarriedLists(const State &model, ir::FunctionId function, const analysis::Given &given,
                               const Task &task);

} // namespace cutaway::convert
