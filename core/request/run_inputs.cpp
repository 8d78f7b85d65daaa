// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/request/run_inputs.h"
#include "core/base/result.h"

#include <map>
#include <set>

namespace cutaway::request {

namespace {

/// Returns by input the free symbols in its sizes.
std::map<ir::ValueId, std::set<std::string>> symbolsOfInputs(const ir::Function &function,
                                                             const analysis::Shapes &shapes)
{
    std::map<ir::ValueId, std::set<std::string>> symbols;
    for (const ir::ValueId input : function.graph.at(ir::Graph::body).inputs) {
        const auto *tensor = ops::asTensor(shapes.of(input));
        if (!tensor || !tensor->shape)
            continue;
        for (const ir::Dim &dim : *tensor->shape)
            if (const auto *formula = std::get_if<symbolic::Expr>(&dim))
                symbols[input].merge(symbolic::symbolsOf(*formula));
    }
    return symbols;
}

} // namespace

ExampleSizes openSizes(const ir::Model &model, ir::FunctionId function, const analysis::Shapes &shapes)
{
    std::set<std::string> symbols;
    for (const auto &[input, ofInput] : symbolsOfInputs(model.at(function), shapes))
        symbols.insert(ofInput.begin(), ofInput.end());
    return exampleSizes(model, symbols, analysis::NeededSizes(model, shapes));
}

Result<RunInputs> runInputs(const ir::Model &model, ir::FunctionId function, const analysis::Given &given,
                            const run::GivenTensors &tensors, std::uint32_t seed)
{
    const analysis::Shapes shapes = analysis::inferShapes(model, function, given);
    const ExampleSizes chosen = openSizes(model, function, shapes);
    RunInputs all{given, {}, chosen.note, {}};
    for (const auto &[input, symbols] : symbolsOfInputs(model.at(function), shapes))
        if (!symbols.empty())
            all.open.push_back(input);
    all.given.bindings.insert(chosen.bindings.begin(), chosen.bindings.end());
    CUTAWAY_TRY(all.inputs, run::makeInputs(model, function, all.given, tensors, seed));
    return all;
}

} // namespace cutaway::request
