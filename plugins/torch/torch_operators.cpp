// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ir/context.h"
#include "plugins/torch/operators.h"

#include <algorithm>
#include <torch/csrc/jit/runtime/operator.h>

namespace cutaway::plugins {

namespace {

/// Whether each argument has its place in the schema, and what has no default is given.
bool takes(const c10::FunctionSchema &schema, const NodeContext &context)
{
    std::size_t named = 0, places = 0;
    for (const ir::Argument &argument : context.node.arguments) {
        const std::string_view name = context.text(argument.name);
        if (name.empty())
            ++places;
        else if (schema.argumentIndexWithName(name))
            ++named;
        else
            return false;
    }
    std::size_t needed = 0;
    for (const c10::Argument &argument : schema.arguments())
        needed += argument.default_value() ? 0 : 1;
    return named + places >= needed && (schema.is_vararg() || named + places <= schema.arguments().size());
}

std::shared_ptr<torch::jit::Operator> lookUp(const NodeContext &context)
{
    const ir::Operator &op = context.model.context->at(context.node.op);
    const std::string name = std::string(context.text(op.dialect)) + "::" + std::string(context.text(op.name));
    const std::string_view overload = context.text(op.overload);
    if (auto found = torch::jit::findOperatorFor({name, overload == "default" ? "" : std::string(overload)}))
        return found;
    if (!overload.empty()) // another one may mean something else
        return nullptr;
    for (const auto &each : torch::jit::getAllOperatorsFor(c10::Symbol::fromQualString(name)))
        if (takes(each->schema(), context))
            return each;
    return nullptr;
}

} // namespace

std::optional<Operator> findTorchOperator(const NodeContext &context)
{
    const auto found = lookUp(context);
    if (!found || !found->hasOperation()) // some are made of a node of torch's own, as what its passes prepack
        return std::nullopt;
    // The registry keeps its operators for ever.
    auto operation = found->getOperation();
    return Operator{[operation](Run &, Frame &, Stack &stack) mutable { operation(stack); }, &found->schema()};
}

} // namespace cutaway::plugins
