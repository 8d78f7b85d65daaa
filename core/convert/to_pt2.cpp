// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/convert/to_pt2.h"

#include "core/base/formatted.h"
#include "core/base/result.h"
#include "core/convert/flattened_inputs.h"
#include "core/convert/inlined_functions.h"
#include "core/convert/preparation.h"
#include "core/convert/pt2/program_translation.h"
#include "core/convert/unrolling.h"
#include "core/ir/context.h"
#include "core/ir/model_format.h"
#include "core/ir/verify.h"
#include "core/passes/pass.h"

#include <algorithm>

namespace cutaway::convert {

namespace {

/// Replaces operators of ONNX by those of torch, if there are rules.
Result<State> loweredToAten(const State &model, ir::FunctionId function, const analysis::Given &given, const Task &task)
{
    const auto lowering = passes::withNeeds(passes::parsePipeline("lower-to-aten").value());
    return stateAfter(model, function, given, passes::defaultPipeline(), task)
        .and_then([&](const State &state) { return stateAfter(state, function, given, lowering, task); })
        .and_then(
            [&](const State &state) { return stateAfter(state, function, given, passes::defaultPipeline(), task); });
}

/// Makes the program. Passes only get `known`, a part of `given`; the other given numbers appear in the signature
/// alone.
Result<Converted> programOfTorchScript(const ir::Model &source, ir::FunctionId function, const analysis::Given &known,
                                       const analysis::Given &given, const Task &task)
{
    const auto translated = [&](const State &state) {
        const analysis::Shapes shapes = analysis::inferShapes(*state, function, known, task);
        return ProgramTranslation(*state, function, shapes, given).run(task);
    };
    const auto model = std::make_shared<const ir::Model>(
        withReturnedWrites(withGivenTypes(withoutDefaults(source, function, known), function, known), function));
    std::vector<std::string> lost;
    CUTAWAY_TRY(const auto prepared, preparedForRules(model, function, known, lost, task));
    Result<Converted> converted = translated(prepared);
    if (converted && !converted->missing.empty() && !loopsOf(prepared->at(function).graph).empty()) {
        CUTAWAY_TRY(const auto unrolled, withoutLoops(prepared, function, known, lost, task));
        auto again = translated(unrolled);
        if (again && again->missing.size() < converted->missing.size())
            converted = std::move(again);
    }
    for (const std::string &attribute : lost)
        if (converted)
            converted->notes.push_back(formatted("what becomes of '{}' is no result of the program", attribute));
    return converted;
}

/// Makes the program. If it lacks something, tries again without the given numbers: a loop whose trip count is one of
/// them then becomes a while_loop.
Result<Converted> programOfTorchScript(const ir::Model &source, ir::FunctionId function, const analysis::Given &given,
                                       const Task &task)
{
    Result<Converted> converted = programOfTorchScript(source, function, given, given, task);
    analysis::Given open = given;
    if (!converted || converted->missing.empty() || takeNumbers(open).empty())
        return converted;
    auto again = programOfTorchScript(source, function, open, given, task);
    return again && again->missing.empty() ? std::move(again) : std::move(converted);
}

Result<Converted> programOfOnnx(const ir::Model &model, ir::FunctionId function, const analysis::Given &given,
                                const Task &task)
{
    CUTAWAY_TRY(const auto inlined, withoutFunctions(model, task));
    const auto translated = [&](const State &state) {
        return loweredToAten(state, function, given, task).and_then([&](const State &lowered) {
            const analysis::Shapes shapes = analysis::inferShapes(*lowered, function, given, task);
            return ProgramTranslation(*lowered, function, shapes, given).run(task);
        });
    };
    ir::Model fixed = withGivenTypes(inlined, function, given);
    const auto defaults = std::erase_if(fixed.functions[function.index].inputs, ir::isOverridable);
    const auto state = std::make_shared<const ir::Model>(std::move(fixed));
    Result<Converted> converted = translated(state);
    if (converted && !converted->missing.empty()) {
        const auto unrolling = passes::withNeeds(passes::parsePipeline("unroll-loops").value());
        const auto unrolled = stateAfter(state, function, given, unrolling, task);
        auto again = unrolled.and_then(translated);
        if (again && again->missing.size() < converted->missing.size())
            converted = std::move(again);
    }
    if (converted && defaults > 0)
        converted->notes.push_back(formatted("{} that callers of the ONNX model may replace {} fixed in the program",
                                             defaults == 1 ? "a weight" : formatted("{} weights", defaults),
                                             defaults == 1 ? "is" : "are"));
    return converted;
}

} // namespace

Result<Converted> toPt2(const ir::Model &source, ir::FunctionId function, const analysis::Given &asked,
                        const Task &task)
{
    if (ir::isExportedProgram(source))
        return usageError("the model is a torch.export program already");
    const auto [model, given] = withFlattenedInputs(source, function, asked);
    Result<Converted> converted = ir::isOnnx(model) ? programOfOnnx(model, function, given, task)
                                                    : programOfTorchScript(model, function, given, task);
    if (!converted)
        return converted;
    converted->model.metadata.emplace_back("cutaway.converted_from", model.format);
    if (!converted->missing.empty())
        return converted;
    if (const auto faults = ir::verify(converted->model); !faults.empty())
        return backendError("the conversion made an invalid graph: " + faults.front());
    return converted;
}

} // namespace cutaway::convert
