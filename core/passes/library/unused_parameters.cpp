// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/passes/pass.h"
#include "core/passes/signature_readers.h"
#include "core/rewrite/rewriter.h"

namespace cutaway::passes {

namespace {

/// Whether the input is a parameter of the signature that nothing uses. Inputs of the user are kept.
bool isUnused(const rewrite::Rewriter &rewriter, const ir::FunctionInput &input)
{
    using enum ir::FunctionInput::Kind;
    const auto *value = input.value.as<ir::ValueId>();
    return (input.kind == Parameter || input.kind == Buffer || input.kind == Constant) && value
        && rewriter.useCount(*value) == 0 && !isTargetOfOutput(rewriter.function(), input.name)
        && !isTargetOfOutput(rewriter.function(), input.target);
}

void cleanSignature(rewrite::Rewriter &rewriter)
{
    if (mayBeCalled(rewriter.model(), rewriter.function()))
        return;
    for (std::size_t i = rewriter.function().inputs.size(); i-- > 0;)
        if (isUnused(rewriter, rewriter.function().inputs[i]))
            rewriter.removeInput(i);
}

/// Removes weights that neither nodes nor signatures read.
void cleanBody(rewrite::Rewriter &rewriter)
{
    std::unordered_set<ir::ValueId> listed;
    for (const ir::FunctionInput &input : rewriter.function().inputs)
        forEachValue(input.value, [&](ir::ValueId value) { listed.insert(value); });
    for (ir::ValueId id{0}; id.index < rewriter.graph().valueCount(); ++id.index)
        if (ir::ValueRef(rewriter.graph(), id).weight() && rewriter.useCount(id) == 0 && !listed.contains(id))
            rewriter.removeWeight(id);
}

Result<void> runUnusedParameters(rewrite::Rewriter &rewriter, const Settings &)
{
    cleanSignature(rewriter);
    cleanBody(rewriter);
    rewriter.keepInModules(readTensors(rewriter.model()));
    return {};
}

} // namespace

extern const Pass unusedParameters;
const Pass unusedParameters{
    "unused-parameters", "Removes parameters that no function of the model reads.", {}, runUnusedParameters};

} // namespace cutaway::passes
