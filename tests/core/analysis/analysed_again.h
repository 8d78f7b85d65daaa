// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/analysis.h"
#include "core/ir/context.h"
#include "core/ops/facts/dim_arithmetic.h"

#include <algorithm>
#include <iterator>
#include <string>
#include <vector>

/// Analyses that were made from earlier ones, beside those that were not.
namespace cutaway::test {

/// All that an analysis says.
inline std::string textOf(const analysis::Analysis &analysis)
{
    const auto cost = [](const ops::Cost &c) {
        return ir::print(c.flops) + "/" + ir::print(c.otherFlops) + " " + ir::print(c.bytesRead) + " "
            + ir::print(c.bytesWritten) + "\n";
    };
    std::string text;
    for (const ops::Fact &fact : analysis.shapes.facts) {
        text += ops::print(fact);
        ops::forEachTensor(fact, [&](const ops::TensorFact &tensor) {
            text += " in " + std::to_string(static_cast<unsigned>(tensor.storage));
            for (const auto &numbers : {tensor.strides, tensor.elements})
                for (const ir::Dim &number : numbers ? *numbers : std::vector<ir::Dim>())
                    text += (&number == numbers->data() ? "; " : ", ") + ir::print(number);
        });
        text += "\n";
    }
    for (std::uint32_t i = 0; i < analysis.shapes.costs.size(); ++i)
        text += cost(analysis.costOf(ir::NodeId{i}));
    text += cost(analysis.shapes.total) + cost(analysis.totals.cost);
    for (const analysis::Stop &stop : analysis.shapes.stops)
        text += std::to_string(stop.node.index) + " " + stop.reason + (stop.isReached ? "\n" : " unreached\n");
    for (const ir::Dim &bytes : analysis.shapes.storages)
        text += ir::print(bytes) + "\n";
    for (const analysis::LiveStorage &storage : analysis.memory.storages)
        text += std::to_string(storage.value.index) + " " + std::to_string(storage.first) + " "
            + std::to_string(storage.last) + "\n";
    for (const ir::Dim &bytes : analysis.memory.alive)
        text += ir::print(bytes) + "\n";
    for (const ir::Diagnostic &finding : analysis::findings(analysis))
        text += finding.code + " " + finding.message + "\n";
    const analysis::Totals &totals = analysis.totals;
    return text + std::to_string(totals.nodes) + " " + std::to_string(totals.costUnknown) + " "
        + std::to_string(totals.shapesUnknown) + " " + ir::print(totals.peakBytes);
}

/// Another value for an input of a type: another size in the last dimension, or another number.
inline std::optional<ops::Fact> otherOf(const ir::Type &type)
{
    if (const auto *number = std::get_if<ir::NumberType>(&type))
        return number->kind == ir::NumberType::Kind::Bool ? ops::boolFact(true) : ops::intFact(std::int64_t{3});
    const auto *tensor = std::get_if<ir::TensorType>(&type);
    if (!tensor || !tensor->shape)
        return std::nullopt;
    ir::Shape shape(tensor->shape->begin(), tensor->shape->end());
    if (!shape.empty())
        shape.back() = std::int64_t{6};
    return ops::tensorFact(tensor->dtype, std::move(shape));
}

inline std::vector<std::string> symbolsIn(const ir::Type &type)
{
    std::vector<std::string> found;
    const auto *tensor = std::get_if<ir::TensorType>(&type);
    for (const ir::Dim &dim : tensor && tensor->shape ? *tensor->shape : ir::Shape())
        if (const auto *expr = std::get_if<symbolic::Expr>(&dim))
            std::ranges::copy(symbolic::symbolsOf(*expr), std::back_inserter(found));
    return found;
}

/// Returns single values to give to the main function: one for each symbol and input.
inline std::vector<analysis::Given> changesOf(const ir::Model &model)
{
    std::vector<analysis::Given> changes{{}};
    const ir::Function &function = model.functions.front();
    for (const ir::FunctionInput &input : function.inputs) {
        const auto *value = input.value.as<ir::ValueId>();
        if (!value || std::holds_alternative<ir::Weight>(function.graph.at(*value).definition))
            continue;
        const ir::Type &type = model.context->at(function.graph.at(*value).type);
        for (const std::string &symbol : symbolsIn(type))
            changes.push_back({{{symbol, 6}}, {}});
        if (auto other = otherOf(type))
            changes.push_back({{}, {{std::string(model.context->text(input.name)), std::move(*other)}}});
    }
    return changes;
}

/// Analyses the main function with each of them in turn, once from the previous analysis; returns the two analyses if
/// they differ, else "".
inline std::string differenceAgain(const ir::Model &model)
{
    analysis::Analysis last = analysis::analyse(model, ir::FunctionId{0});
    for (const analysis::Given &given : changesOf(model)) {
        last = analysis::analyse(model, last, given);
        const std::string fresh = textOf(analysis::analyse(model, ir::FunctionId{0}, given)), again = textOf(last);
        if (fresh != again)
            return "anew:\n" + fresh + "\nagain:\n" + again;
    }
    return {};
}

} // namespace cutaway::test
