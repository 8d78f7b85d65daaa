// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ir/open_weights.h"

namespace cutaway::ir {

bool isOpenWeight(const Model &model, const FunctionInput &input)
{
    using Kind = FunctionInput::Kind;
    const bool isOfModule = input.kind == Kind::Parameter || input.kind == Kind::Buffer || input.kind == Kind::Constant;
    // If a model has files of weights, elements that are missing are damage, and must not be replaced by others.
    return isOfModule && input.tensor && model.files.empty()
        && std::holds_alternative<NoBytes>(model.at(model.at(*input.tensor).storage).data);
}

std::vector<OpenedWeight> openWeights(Model &model, FunctionId function)
{
    std::vector<OpenedWeight> opened;
    Function &of = model.functions[function.index];
    for (FunctionInput &input : of.inputs) {
        const auto *weight = input.value.as<ValueId>();
        if (!weight || !std::holds_alternative<Weight>(of.graph.at(*weight).definition) || !isOpenWeight(model, input))
            continue;
        const Value &value = of.graph.at(*weight);
        opened.push_back({*weight, of.graph.addInput(Graph::body, value.name, value.type)});
        of.graph.replaceUses(opened.back().weight, opened.back().input);
        input = {input.name, FunctionInput::Kind::User, opened.back().input, {}, {}};
    }
    for (FunctionOutput &output : of.outputs)
        for (const OpenedWeight &each : opened)
            replaceValue(output.value, each.weight, each.input);
    return opened;
}

} // namespace cutaway::ir
