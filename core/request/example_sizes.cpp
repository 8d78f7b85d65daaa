// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/request/example_sizes.h"

#include "core/base/text.h"
#include "core/ir/node_ref.h"
#include "core/ops/facts/dim_arithmetic.h"

#include <algorithm>
#include <cctype>
#include <limits>

namespace cutaway::request {

namespace {

constexpr std::int64_t assumed = 16;
constexpr std::int64_t assumedOfBatches = 1;
constexpr std::int64_t assumedOfImages = 224; ///< the size that most networks are trained on; some cannot run on less

/// Returns the symbols that are height and width of a batch of colour images.
std::set<std::string> sidesOfImages(const ir::Model &model)
{
    constexpr std::size_t rank = 4;
    std::set<std::string> sides;
    for (const ir::Function &function : model.functions)
        for (const ir::FunctionInput &input : function.inputs) {
            const auto value = ir::valueOf(function.graph, &input.value);
            const ir::TensorType *type = value ? value->tensorType() : nullptr;
            if (!type || !type->shape || type->shape->size() != rank || (*type->shape)[1] != ir::Dim(std::int64_t{3}))
                continue;
            for (const std::size_t side : {2, 3})
                if (const auto *size = std::get_if<symbolic::Expr>(&(*type->shape)[side]);
                    size && size->kind() == symbolic::Kind::Symbol)
                    sides.insert(std::string(size->name()));
        }
    return sides;
}

bool isCalledBatch(std::string name)
{
    std::ranges::transform(name, name.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return name.contains("batch");
}

/// Returns the symbols that look like batch sizes: those that are named so, or are only ever the first size of inputs
/// with two or more dimensions.
std::set<std::string> batches(const ir::Model &model)
{
    std::set<std::string> first, others;
    for (const ir::Function &function : model.functions)
        for (const ir::FunctionInput &input : function.inputs) {
            const auto value = ir::valueOf(function.graph, &input.value);
            const ir::TensorType *type = value ? value->tensorType() : nullptr;
            for (std::size_t i = 0; type && type->shape && i < type->shape->size(); ++i)
                if (const auto *size = std::get_if<symbolic::Expr>(&(*type->shape)[i])) {
                    const bool isFirst = i == 0 && type->shape->size() > 1 && size->kind() == symbolic::Kind::Symbol;
                    (isFirst ? first : others).merge(symbolic::symbolsOf(*size));
                }
        }
    for (const ir::Symbol &symbol : model.symbols)
        if (isCalledBatch(symbol.name))
            first.insert(symbol.name);
        else if (others.contains(symbol.name))
            first.erase(symbol.name);
    return first;
}

std::set<std::string> freeSymbolsOf(const analysis::Analysis &analysis)
{
    std::set<std::string> symbols;
    const auto note = [&](const ir::Dim &dim) {
        if (const auto *expr = std::get_if<symbolic::Expr>(&dim))
            symbols.merge(symbolic::symbolsOf(*expr));
    };
    const ops::NodeCosts &costs = analysis.shapes.costs;
    std::vector<bool> isNoted(costs.kept().size());
    for (std::size_t i = 0; i < costs.size(); ++i) {
        if (isNoted[costs.placeOf(i)])
            continue;
        isNoted[costs.placeOf(i)] = true;
        for (const ir::Dim &dim : {costs[i].flops, costs[i].otherFlops, costs[i].bytesRead, costs[i].bytesWritten})
            note(dim);
    }
    std::ranges::for_each(analysis.memory.alive, note);
    return symbols;
}

} // namespace

std::optional<double> ExampleSizes::of(const ir::Dim &dim) const
{
    if (const auto n = ops::number(dim))
        return static_cast<double>(*n);
    const auto *expr = std::get_if<symbolic::Expr>(&dim);
    if (!expr)
        return std::nullopt;
    const auto value = symbolic::substitute(*expr, bindings);
    return value && value->kind() == symbolic::Kind::Integer ? std::optional(static_cast<double>(value->integerValue()))
                                                             : std::nullopt;
}

ExampleSizes exampleSizes(const ir::Model &model, const analysis::Analysis &analysis)
{
    return exampleSizes(model, freeSymbolsOf(analysis), analysis.needed);
}

ExampleSizes exampleSizes(const ir::Model &model, const std::set<std::string> &symbols,
                          const analysis::NeededSizes &needed)
{
    ExampleSizes sizes;
    const std::set<std::string> sides = sidesOfImages(model), batch = batches(model);
    for (const std::string &name : symbols) {
        const auto symbol = std::ranges::find(model.symbols, name, &ir::Symbol::name);
        const bool isKnown = symbol != model.symbols.end();
        const std::int64_t least = isKnown ? symbol->min.value_or(0) : 0;
        const std::int64_t most = isKnown ? symbol->max.value_or(std::numeric_limits<std::int64_t>::max()) : assumed;
        const auto example = isKnown ? symbol->hint : std::nullopt;
        const std::int64_t size = !isKnown ? assumed
            : batch.contains(name)         ? assumedOfBatches
            : sides.contains(name)         ? assumedOfImages
                                           : assumed;
        const std::int64_t value = example.value_or(needed.suitable(name, std::max(least, std::min(size, most))));
        sizes.bindings.emplace(name, value);
        sizes.note += (sizes.note.empty() ? "" : ", ") + sanitized(name) + " = " + grouped(value)
            + (example                                                               ? " (the exporter's example)"
                   : isKnown && needed.rangeOf(name) == symbolic::Range::only(value) ? " (needed)"
                                                                                     : " (default)");
    }
    return sizes;
}

} // namespace cutaway::request
