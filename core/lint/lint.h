// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/analysis.h"
#include "core/lint/rule.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace cutaway::lint {

/// What a rule found. The message says it without the node, so that the same at many nodes reads the same.
struct Finding {
    const Rule *rule = nullptr;
    std::string message; ///< starts in lower case, has no full stop
    std::optional<ir::FunctionId> function;
    std::optional<ir::NodeId> node;   ///< of the function
    std::optional<ir::ValueId> value; ///< of the function, where it is about no node
};

/// The nodes that a backend lacks something for, each with the reason.
struct BackendGaps {
    std::string backend;
    std::map<ir::FunctionId, std::map<ir::NodeId, std::string>> reasons;
};

struct Options {
    std::vector<const Rule *> rules = defaultRules();
    std::optional<std::int64_t> opset;       ///< ONNX's default operator set that the rule opset-target is about
    std::optional<BackendGaps> backend = {}; ///< that the rule backend-operator is about
};

/// The functions that a model is asked about as a whole: the main ones, or the first where none is, and those that they
/// call.
std::vector<ir::FunctionId> mainFunctions(const ir::Model &model);

/// What the rules find in these functions, in the order of the rules and then of the nodes. `given`: of the first of
/// them. Cancelled: what was found so far.
std::vector<Finding> lint(const ir::Model &model, const std::vector<ir::FunctionId> &functions,
                          const Options &options = {}, const analysis::Given &given = {}, const Task &task = {});

/// Where a model is from: a file, or passes, which may leave what a file would not have.
enum class Origin : std::uint8_t { File, Passes };

/// What the default rules find in one function that is analysed already, beside the diagnostics that the model and the
/// analysis have themselves; the code is the rule's id. Rules about files are asked of files alone.
std::vector<ir::Diagnostic> diagnostics(const ir::Model &model, const analysis::Analysis &analysis, Origin origin,
                                        const Task &task = {});

} // namespace cutaway::lint
