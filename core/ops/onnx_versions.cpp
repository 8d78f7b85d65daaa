// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ops/onnx_versions.h"

#include "core/base/formatted.h"
#include "core/ir/context.h"

#include <algorithm>
#include <charconv>
#include <ranges>

namespace cutaway::ops {

namespace {

bool isOnnxAttribute(const ir::Argument &argument)
{
    return argument.name != ir::NameId{} && !argument.value.as<ir::ValueId>() && !argument.value.as<ir::FunctionId>();
}

/// The constant that a text stands for: "1", "0.5", "\"NOTSET\"" or "[0,2]".
std::optional<ir::Operand> constantOf(ir::Context &context, std::string_view text)
{
    if (text.starts_with('"'))
        return ir::String{context.name(text.substr(1, text.size() - 2))};
    if (text.starts_with('[')) {
        ir::List list;
        for (const auto item : text.substr(1, text.size() - 2) | std::views::split(','))
            list.items.push_back(constantOf(context, std::string_view(item)).value());
        return list;
    }
    std::int64_t whole = 0;
    double real = 0;
    const char *const end = text.data() + text.size();
    if (std::from_chars(text.data(), end, whole).ptr == end)
        return whole;
    return std::from_chars(text.data(), end, real).ptr == end ? std::optional<ir::Operand>(real) : std::nullopt;
}

/// Returns the letter of onnx_types.txt for the type of an attribute: a small one for one value, a large one for a
/// list; nothing if the attribute could be of several types.
std::optional<char> attributeKind(const ir::Operand &operand)
{
    if (operand.as<std::int64_t>() || operand.as<bool>())
        return 'i';
    if (operand.as<double>())
        return 'f';
    if (operand.as<ir::String>())
        return 's';
    if (operand.as<ir::TypeId>())
        return 'p';
    if (operand.as<ir::TensorId>())
        return 't';
    const auto *list = operand.as<ir::List>();
    const auto item = list && !list->items.empty() ? attributeKind(list->items.front()) : std::nullopt;
    return item ? std::optional(static_cast<char>(*item - 'a' + 'A')) : std::nullopt;
}

std::string_view attributeWord(char kind)
{
    constexpr std::pair<char, std::string_view> words[] = {
        {'f', "a float"},         {'i', "an integer"},       {'s', "a text"},
        {'t', "a tensor"},        {'g', "a graph"},          {'x', "a sparse tensor"},
        {'p', "a type"},          {'F', "a list of floats"}, {'I', "a list of integers"},
        {'S', "a list of texts"}, {'T', "a list of tensors"}};
    const auto *found = std::ranges::find(words, kind, &std::pair<char, std::string_view>::first);
    return found == std::end(words) ? std::string_view("something else") : found->second;
}

/// A tensor also stands for a list of numbers, because long lists are read as tensors.
bool isOfKind(char found, char expected)
{
    return found == expected || (found == 't' && (expected == 'x' || expected == 'F' || expected == 'I'));
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
    const auto unknown = std::ranges::find_if(attributes, [&](std::string_view name) {
        return !std::ranges::contains(version.attributes, name, &OnnxAttribute::name);
    });
    return unknown == attributes.end() ? std::nullopt : std::optional(formatted("an attribute {}", *unknown));
}

std::optional<std::string> wrongAttribute(const ir::NodeRef &node, const OnnxTypes &types)
{
    for (const OnnxAttributeType &type : types.attributes) {
        const ir::Operand *given = node.argument(type.name);
        if (!given && type.isRequired && type.kind != 'g')
            return formatted("its attribute {} is missing", type.name);
        const auto kind = given ? attributeKind(*given) : std::nullopt;
        if (kind && !isOfKind(*kind, type.kind))
            return formatted("its attribute {} is {}, expected is {}", type.name, attributeWord(*kind),
                             attributeWord(type.kind));
    }
    return std::nullopt;
}

std::optional<char> onnxTypeLetter(const Fact &fact)
{
    if (const auto *tensor = fact.as<TensorFact>()) {
        const auto number = tensor->dtype ? ir::numberOf(*tensor->dtype, ir::Numbering::Onnx) : std::nullopt;
        return number ? std::optional(static_cast<char>('a' - 1 + *number)) : std::nullopt;
    }
    if (fact.as<SequenceFact>())
        return 'S';
    return fact.as<MaybeFact>() ? std::optional('O') : std::nullopt;
}

std::optional<OnnxDefault> onnxDefault(ir::Context &context, std::string_view op, std::string_view attribute,
                                       std::int64_t opset)
{
    const OnnxOperator *version = onnxVersionIn(op, opset);
    if (!version)
        return std::nullopt;
    const auto found = std::ranges::find(version->attributes, attribute, &OnnxAttribute::name);
    if (found == version->attributes.end() || found->byDefault.empty())
        return std::nullopt;
    const bool isOfEachAxis = found->byDefault.ends_with('*');
    auto value = constantOf(context, found->byDefault.substr(0, found->byDefault.size() - (isOfEachAxis ? 1 : 0)));
    return value ? std::optional(OnnxDefault{std::move(*value), isOfEachAxis}) : std::nullopt;
}

} // namespace cutaway::ops
