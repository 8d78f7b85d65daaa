// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/onnx/write/opset_check.h"

#include "core/base/formatted.h"
#include "core/formats/notes/notes.h"
#include "core/formats/unusable.h"
#include "core/ir/context.h"
#include "core/ops/schemas/onnx_operators.h"

#include <algorithm>

namespace cutaway::formats::onnx {

namespace {

bool isAttribute(const ir::Argument &argument)
{
    return argument.name != ir::NameId{} && !argument.value.as<ir::ValueId>() && !argument.value.as<ir::FunctionId>();
}

/// What the operator has not, of what a node has.
std::optional<std::string> excessOf(const ir::NodeRef &node, const ops::OnnxOperator &allowed,
                                    std::vector<std::string_view> attributes)
{
    std::size_t inputs = 0;
    for (const ir::Argument &argument : node->arguments)
        if (isAttribute(argument))
            attributes.push_back(node.graph().context().text(argument.name));
        else
            ++inputs;
    if (inputs < allowed.minInputs || inputs > allowed.maxInputs)
        return formatted("{} inputs", inputs);
    if (node.outputCount() < allowed.minOutputs || node.outputCount() > allowed.maxOutputs)
        return formatted("{} outputs", node.outputCount());
    const auto unknown = std::ranges::find_if(
        attributes, [&](std::string_view name) { return !std::ranges::contains(allowed.attributes, name); });
    return unknown == attributes.end() ? std::nullopt : std::optional(formatted("an attribute {}", *unknown));
}

} // namespace

void checkOperator(const ir::NodeRef &node, std::int64_t opset, const std::vector<std::string_view> &graphAttributes)
{
    if (node.dialect() != "onnx")
        return;
    if (const auto reason = ops::whyNotInOpset(node.opName(), opset))
        unwritable(*reason, shown(node));
    const std::span<const ops::OnnxOperator> versions = ops::onnxVersions(node.opName());
    const auto later = std::ranges::upper_bound(versions, opset, {}, &ops::OnnxOperator::since);
    if (node->origins.empty() || later == versions.begin())
        return;
    const ops::OnnxOperator &allowed = *std::prev(later);
    const auto excess = allowed.deprecated ? std::nullopt : excessOf(node, allowed, graphAttributes);
    if (excess)
        unwritable(formatted("a pass made a {} with {}, which opset {} does not have", node.opName(), *excess, opset),
                   shown(node));
}

} // namespace cutaway::formats::onnx
