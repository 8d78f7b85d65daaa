// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/analysis.h"
#include "core/lint/rule.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace cutaway::lint {

/// A finding of a rule. The message does not name the node, so that one finding at many nodes reads the same.
struct Finding {
    const Rule *rule = nullptr;
    std::string message; ///< starts in lower case, has no full stop
    std::optional<ir::FunctionId> function;
    std::optional<ir::NodeId> node;   ///< a node of the function
    std::optional<ir::ValueId> value; ///< a value of the function, if the finding is about no node
};

/// The nodes for which a backend lacks something, each with the reason.
struct BackendGaps {
    std::string backend;
    std::map<ir::FunctionId, std::map<ir::NodeId, std::string>> reasons;
};

/// The rules that lint() checks, and facts that some of them need.
struct Options {
    std::vector<const Rule *> rules = defaultRules();
    std::optional<std::int64_t> opset;       ///< the version of ONNX's default operator set, for the rule opset-target
    std::optional<BackendGaps> backend = {}; ///< the nodes that a backend lacks, for the rule backend-operator
};

/// Returns the functions to check: the main functions, or the first one if there is none, and those that they call.
std::vector<ir::FunctionId> mainFunctions(const ir::Model &model);

/// Returns the findings of the rules in these functions, in the order of the rules and then of the nodes. `given`
/// applies to the first function. If the task is cancelled, returns the findings so far.
std::vector<Finding> lint(const ir::Model &model, const std::vector<ir::FunctionId> &functions,
                          const Options &options = {}, const analysis::Given &given = {}, const Task &task = {});

/// Whether a model is as in its file, or passes made it, which may leave constructs that no file has.
enum class Origin : std::uint8_t { File, Passes };

/// Returns the findings of the default rules in one function that is analysed already, without those that restate
/// diagnostics of the model or of the analysis; the code of each is the rule's id. Rules about files are checked for
/// Origin::File alone.
std::vector<ir::Diagnostic> diagnostics(const ir::Model &model, const analysis::Analysis &analysis, Origin origin,
                                        const Task &task = {});

} // namespace cutaway::lint
