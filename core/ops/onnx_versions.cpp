// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ops/onnx_versions.h"

#include "core/base/formatted.h"

#include <algorithm>

namespace cutaway::ops {

namespace {

bool isOnnxAttribute(const ir::Argument &argument)
{
    return argument.name != ir::NameId{} && !argument.value.as<ir::ValueId>() && !argument.value.as<ir::FunctionId>();
}

} // namespace

const OnnxOperator *onnxVersionIn(std::string_view name, std::int64_t opset)
{
    const std::span<const OnnxOperator> versions = onnxVersions(name);
    const auto later = std::ranges::upper_bound(versions, opset, {}, &OnnxOperator::since);
    return later == versions.begin() ? nullptr : &*std::prev(later);
}

std::optional<std::string> excessOf(const ir::NodeRef &node, const OnnxOperator &version,
                                    std::vector<std::string_view> graphAttributes)
{
    std::vector<std::string_view> &attributes = graphAttributes;
    std::size_t inputs = 0;
    for (const ir::Argument &argument : node->arguments)
        if (isOnnxAttribute(argument))
            attributes.push_back(node.graph().context().text(argument.name));
        else
            ++inputs;
    if (inputs < version.minInputs || inputs > version.maxInputs)
        return formatted("{} inputs", inputs);
    if (node.outputCount() < version.minOutputs || node.outputCount() > version.maxOutputs)
        return formatted("{} outputs", node.outputCount());
    const auto unknown = std::ranges::find_if(
        attributes, [&](std::string_view name) { return !std::ranges::contains(version.attributes, name); });
    return unknown == attributes.end() ? std::nullopt : std::optional(formatted("an attribute {}", *unknown));
}

} // namespace cutaway::ops
