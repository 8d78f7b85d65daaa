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

#include <algorithm>

namespace cutaway::convert {

namespace {

/// The number of positions that are listed for each operator.
constexpr std::size_t placesShown = 10;

Result<Converted> translated(const State &model, ir::FunctionId function, const analysis::Given &given,
                             const OnnxOptions &options, const Task &task)
{
    const analysis::Shapes shapes = analysis::inferShapes(*model, function, given, task);
    return Translation(*model, function, shapes, options).run(task);
}

/// Whether operators may be missing that the list of missing ones does not name.
bool hidesOthers(const Converted &converted)
{
    return std::ranges::contains(converted.missing, writtenInPlace, &Missing::reason);
}

bool isBetter(const Converted &unrolled, const Converted &converted)
{
    return unrolled.missing.size() < converted.missing.size() || hidesOthers(converted);
}

/// Converts the model with loops as they are and, if operators are then missing, a second time with loops unrolled.
/// Returns the better result.
Result<Converted> convertedAsGiven(const ir::Model &model, ir::FunctionId function, const analysis::Given &given,
                                   const OnnxOptions &options, const Task &task)
{
    std::vector<std::string> lost;
    CUTAWAY_TRY(
        const auto prepared,
        preparedForRules(std::make_shared<const ir::Model>(withReturnedWrites(
                             withGivenTypes(withoutDefaults(model, function, given), function, given), function)),
                         function, given, lost, task));
    Result<Converted> converted = translated(prepared, function, given, options, task);
    const ir::Graph &graph = prepared->at(function).graph;
    if (converted && !converted->missing.empty() && (!loopsOf(graph).empty() || appendsInRegions(graph))) {
        CUTAWAY_TRY(const auto unrolled, withoutLoops(prepared, function, given, lost, task));
        CUTAWAY_TRY(const auto carried, withCarriedLists(unrolled, function, given, task));
        auto again = translated(carried, function, given, options, task);
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
    analysis::Given open = given; // without the given numbers, a loop of unknown length becomes a Loop of ONNX
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
