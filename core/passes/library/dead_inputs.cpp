// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/passes/pass.h"
#include "core/passes/signature_readers.h"
#include "core/rewrite/rewriter.h"

namespace cutaway::passes {

namespace {

/// Whether the value is the `self` of a method, which is a module.
bool isModule(const ir::ValueRef &value)
{
    const auto *type = std::get_if<ir::ClassType>(&value.type());
    return type && type->kind == ir::ClassType::Kind::Module;
}

bool isUnusedInput(const rewrite::Rewriter &rewriter, const ir::FunctionInput &input)
{
    const auto value = ir::valueOf(rewriter.graph(), &input.value);
    const bool isGiven = input.kind == ir::FunctionInput::Kind::User || ir::isOverridable(input);
    return isGiven && value && rewriter.useCount(*value) == 0 && !isModule(*value)
        && !isTargetOfOutput(rewriter.function(), input.name);
}

Result<void> runDeadInputs(rewrite::Rewriter &rewriter, const Settings &)
{
    if (mayBeCalled(rewriter.model(), rewriter.function()))
        return {};
    for (std::size_t i = rewriter.function().inputs.size(); i-- > 0;)
        if (isUnusedInput(rewriter, rewriter.function().inputs[i]))
            rewriter.removeInput(i);
    return {};
}

} // namespace

extern const Pass deadInputs;
const Pass deadInputs{
    "dead-inputs", "Removes unused inputs from the signature; callers have to follow.", {}, runDeadInputs, false};

} // namespace cutaway::passes
