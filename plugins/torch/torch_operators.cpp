// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "plugins/torch/operators.h"

#include <algorithm>
#include <torch/csrc/jit/runtime/operator.h>

namespace cutaway::plugins {

namespace {

/// Whether the schema has an argument for each argument of the node, and the node has enough for those without a
/// default.
bool takes(const c10::FunctionSchema &schema, const ir::NodeRef &node)
{
    std::size_t named = 0, places = 0;
    for (const ir::Argument &argument : node->arguments) {
        const std::string_view name = node.graph().context().text(argument.name);
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

std::shared_ptr<torch::jit::Operator> lookUp(const ir::NodeRef &node)
{
    const std::string name = plainName(node);
    const std::string_view overload = node.overload();
    if (auto found = torch::jit::findOperatorFor({name, overload == "default" ? "" : std::string(overload)}))
        return found;
    if (!overload.empty()) // another overload may have another meaning
        return nullptr;
    for (const auto &each : torch::jit::getAllOperatorsFor(c10::Symbol::fromQualString(name)))
        if (takes(each->schema(), node))
            return each;
    return nullptr;
}

} // namespace

std::string plainName(const ir::NodeRef &node)
{
    return std::string(node.dialect()) + "::" + std::string(node.opName());
}

std::optional<std::size_t> argumentFor(const ir::NodeRef &node, std::string_view name, std::size_t &place)
{
    const auto &arguments = node->arguments;
    const auto given = [&](const ir::Argument &each) { return node.graph().context().text(each.name); };
    const auto named = std::ranges::find(arguments, name, given);
    if (named != arguments.end())
        return static_cast<std::size_t>(named - arguments.begin());
    while (place < arguments.size() && arguments[place].name != ir::NameId{})
        ++place;
    return place < arguments.size() ? std::optional(place++) : std::nullopt;
}

std::optional<Operator> findTorchOperator(const ir::NodeRef &node)
{
    const auto found = lookUp(node);
    if (!found
        || !found->hasOperation()) // some operators only exist as nodes, such as those of torch's prepacking passes
        return std::nullopt;
    // The registry never removes its operators, so the reference stays valid.
    auto operation = found->getOperation();
    return Operator{[operation](Run &, Frame &, Stack &stack) mutable { operation(stack); }, &found->schema()};
}

} // namespace cutaway::plugins
