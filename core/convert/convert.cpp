// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/convert/convert.h"

#include "core/base/formatted.h"
#include "core/convert/carried_lists.h"
#include "core/convert/flattened_inputs.h"
#include "core/convert/preparation.h"
#include "core/convert/translation.h"
#include "core/convert/unrolling.h"
#include "core/ir/context.h"
#include "core/ir/model_format.h"
#include "core/ir/verify.h"
#include "core/ops/operator.h"
#include "core/passes/decompose_others.h"
#include "core/passes/pass.h"
#include "core/rules/rules.h"

#include <algorithm>
#include <set>

namespace cutaway::convert {

namespace {

/// The number of positions that are listed for each operator.
constexpr std::size_t placesShown = 10;

using Names = std::set<std::string, std::less<>>;

std::string nameOf(const ir::NodeRef &node) { return formatted("{}::{}", node.dialect(), node.opName()); }

bool hasRule(const ir::NodeRef &node)
{
    const auto row = ops::findRow(node.dialect(), node.opName());
    return !rules::onnxRulesOf(node.dialect(), row ? row->plain : node.opName()).empty();
}

/// Whether a node that is to be made of others is there.
bool canDecompose(const ir::Graph &graph, const passes::KeptNodes &keeps)
{
    for (ir::NodeId id{0}; id.index < graph.nodeCount(); ++id.index)
        if (const ir::NodeRef node(graph, id);
            !node->removed && !keeps(node) && rules::decompositionOf(node.dialect(), node.opName()))
            return true;
    return false;
}

/// Without operators that have no rule, or of which some rule has refused a node, where others can say them.
Result<State> decomposed(const State &model, ir::FunctionId function, const analysis::Given &given,
                         const OperatorTable &table, const Names &refused, const Task &task)
{
    const passes::KeptNodes keeps = [&](const ir::NodeRef &node) {
        return table.contains(nameOf(node)) || (hasRule(node) && !refused.contains(nameOf(node)));
    };
    if (!canDecompose(model->at(function).graph, keeps))
        return model;
    const passes::Pass pass{"decompose-for-onnx",
                            "Decomposes operators that have no rule.",
                            {},
                            [&](rewrite::Rewriter &rewriter, const passes::Settings &) -> Result<void> {
                                passes::decomposeOthers(rewriter, keeps);
                                return {};
                            }};
    return stateAfter(model, function, given, {{{&pass, passes::Settings()}}, 1}, task);
}

Result<Converted> translated(const State &model, ir::FunctionId function, const analysis::Given &given,
                             const OnnxOptions &options, const Task &task)
{
    const analysis::Shapes shapes = analysis::inferShapes(*model, function, given, task);
    return Translation(*model, function, shapes, options).run(task);
}

/// Adds the operators that are missing and can be made of others; whether there are any.
bool addRefused(const Converted &converted, Names &refused)
{
    bool isNew = false;
    for (const Missing &missing : converted.missing) {
        const std::string_view op = missing.op;
        const std::size_t colons = std::min(op.find("::"), op.size());
        if (rules::decompositionOf(op.substr(0, colons), op.substr(std::min(colons + 2, op.size()))))
            isNew = refused.insert(missing.op).second || isNew;
    }
    return isNew;
}

/// Decomposes what rules refuse, as long as that helps.
Result<Converted> convertedByRules(const State &prepared, ir::FunctionId function, const analysis::Given &given,
                                   const OnnxOptions &options, const Task &task)
{
    Names refused;
    std::optional<Result<Converted>> made;
    do {
        CUTAWAY_TRY(const auto source, decomposed(prepared, function, given, options.table, refused, task));
        made = translated(source, function, given, options, task);
    } while (*made && addRefused(**made, refused));
    return std::move(*made);
}

/// Whether something may be missing that was not looked at.
bool hidesOthers(const Converted &converted)
{
    return std::ranges::contains(converted.missing, writtenInPlace, &Missing::reason);
}

bool isBetter(const Converted &unrolled, const Converted &converted)
{
    return unrolled.missing.size() < converted.missing.size() || hidesOthers(converted);
}

/// As loops are, or unrolled where that helps.
Result<Converted> convertedAsGiven(const ir::Model &model, ir::FunctionId function, const analysis::Given &given,
                                   const OnnxOptions &options, const Task &task)
{
    std::vector<std::string> lost;
    CUTAWAY_TRY(
        const auto prepared,
        preparedForRules(std::make_shared<const ir::Model>(withReturnedWrites(
                             withGivenTypes(withoutDefaults(model, function, given), function, given), function)),
                         function, given, lost, task));
    Result<Converted> converted = convertedByRules(prepared, function, given, options, task);
    const ir::Graph &graph = prepared->at(function).graph;
    if (converted && !converted->missing.empty() && (!loopsOf(graph).empty() || appendsInRegions(graph))) {
        CUTAWAY_TRY(const auto unrolled, withoutLoops(prepared, function, given, lost, task));
        CUTAWAY_TRY(const auto carried, withCarriedLists(unrolled, function, given, task));
        auto again = convertedByRules(carried, function, given, options, task);
        if (again && isBetter(*again, *converted))
            converted = std::move(again);
    }
    for (const std::string &attribute : lost)
        if (converted)
            converted->notes.push_back(formatted("what becomes of '{}' is no result of the ONNX model", attribute));
    return converted;
}

} // namespace

std::string print(const std::vector<Missing> &missing)
{
    std::string text;
    for (const Missing &each : missing) {
        text += formatted("{} ({} ×): {}\n", each.op, each.places.size(), each.reason);
        for (std::size_t i = 0; i < std::min(each.places.size(), placesShown); ++i)
            text += formatted("    {}\n", each.places[i]);
        if (each.places.size() > placesShown)
            text += formatted("    and {} more\n", each.places.size() - placesShown);
    }
    return text;
}

Result<Converted> toOnnx(const ir::Model &source, ir::FunctionId function, const analysis::Given &asked,
                         const OnnxOptions &options, const Task &task)
{
    if (options.opset < minOpset || options.opset > maxOpset)
        return usageError(
            formatted("models are converted to operator sets {} to {}, not {}", minOpset, maxOpset, options.opset));
    if (ir::isOnnx(source))
        return usageError("the model is an ONNX model already");
    const auto [model, given] = withFlattenedInputs(source, function, asked);
    Result<Converted> converted = convertedAsGiven(model, function, given, options, task);
    analysis::Given open = given; // a loop whose length is not known is one of ONNX
    const std::vector<std::string> numbers = takeNumbers(open);
    if (converted && !converted->missing.empty() && !numbers.empty())
        if (auto again = convertedAsGiven(model, function, open, options, task); again && again->missing.empty()) {
            converted = std::move(again);
            for (const std::string &name : numbers)
                converted->notes.push_back(formatted("the input '{}' stays one: with a fixed number the model could "
                                                     "not be said in ONNX",
                                                     name));
        }
    if (!converted)
        return converted;
    if (converted->missing.empty() && converted->model.functions.front().outputs.empty())
        return usageError("the function returns no tensor and no number, and an ONNX model has to have a result");
    auto &metadata = converted->model.metadata;
    metadata.insert(metadata.begin(), {"cutaway.converted_from", source.format});
    if (const auto faults = ir::verify(converted->model); !faults.empty())
        return backendError("the conversion made an invalid graph: " + faults.front());
    return converted;
}

} // namespace cutaway::convert
