// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sequence/read/traced_inputs.h"

#include "core/ir/context.h"
#include "core/sequence/printed.h"
#include "core/sequence/saved.h"

#include <algorithm>
#include <ranges>

namespace cutaway::sequence {

namespace {

bool isOfBackward(const PrintedValue &input) { return input.name.starts_with("tangents"); }

/// Strides and devices are not printed by all versions.
bool haveOneType(const PrintedValue &a, const PrintedValue &b)
{
    const auto type = printedType(a.annotation), other = printedType(b.annotation);
    return type && other ? *type == *other : a.annotation == b.annotation;
}

} // namespace

formats::graph_text::InputSpecs inputSpecs(const TracedInputs &inputs)
{
    const std::vector<PrintedValue> traced = printedInputs(inputs.dynamo);
    std::vector<PrintedValue> numbered = printedInputs(inputs.aot);
    std::erase_if(numbered, isOfBackward);
    formats::graph_text::InputSpecs specs;
    if (!std::ranges::equal(traced, numbered, haveOneType))
        return specs;
    for (std::size_t i = 0; i < traced.size(); ++i)
        if (auto spec = formats::graph_text::inputSpecNamed(traced[i].name); spec.kind != ir::FunctionInput::Kind::User)
            specs.emplace(numbered[i].name, std::move(spec));
    return specs;
}

void markSaved(ir::Function &forward, const TracedInputs &inputs)
{
    std::vector<PrintedValue> saved = inputs.backward ? printedInputs(*inputs.backward) : std::vector<PrintedValue>();
    std::erase_if(saved, isOfBackward);
    if (saved.size() >= forward.outputs.size()) // a model has a result of its own
        return;
    for (ir::FunctionOutput &output : forward.outputs | std::views::drop(forward.outputs.size() - saved.size()))
        if (output.kind == ir::FunctionOutput::Kind::User)
            output.target = forward.graph.context().name(formats::graph_text::savedForBackward);
}

} // namespace cutaway::sequence
