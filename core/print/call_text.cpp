// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/print/call_text.h"

#include "core/base/text.h"
#include "core/ir/model_format.h"
#include "core/ops/attribute_reference.h"
#include "core/print/python_names.h"

#include <algorithm>

namespace cutaway::print {

namespace {

bool readsAValue(const ir::Operand &operand)
{
    bool reads = operand.as<ir::TensorId>() != nullptr;
    ir::forEachValue(operand, [&](ir::ValueId) { reads = true; });
    return reads;
}

bool isTensor(const ops::SchemaType &type)
{
    using enum ops::SchemaType::Kind;
    const bool isWrapped = type.kind == List || type.kind == Optional;
    return isWrapped && type.elements.size() == 1 ? isTensor(type.elements.front()) : type.name == "Tensor";
}

/// Whether a call is readable without the names of its arguments: if at most two of the required positional ones are no
/// tensors.
bool hasFewRequiredConstants(const ops::Schema &schema)
{
    return std::ranges::count_if(schema.arguments,
                                 [](const ops::SchemaArgument &argument) {
                                     return !argument.defaultValue && !argument.keywordOnly && !isTensor(argument.type);
                                 })
        <= 2;
}

/// Returns the number of operands that a pattern's $0, $1, … need.
std::size_t operandCount(std::string_view pattern)
{
    std::size_t count = 0;
    for (std::size_t i = 0; i + 1 < pattern.size(); ++i)
        if (pattern[i] == '$' && pattern[i + 1] >= '0' && pattern[i + 1] <= '9')
            count = std::max(count, static_cast<std::size_t>(pattern[i + 1] - '0') + 1);
    return count;
}

/// Collects the arguments between a call's brackets.
class ArgumentList {
public:
    void add(const std::string &value) { (m_positional += m_positional.empty() ? "" : ", ") += value; }
    void add(std::string_view name, const std::string &value)
    {
        const bool plain = isIdentifier(name);
        m_named += ", " + (plain ? std::string(name) + "=" + value : "**{" + quote(name) + ": " + value + "}");
    }
    std::string text() const
    {
        const std::string all = m_positional + m_named;
        return "(" + (m_positional.empty() && !all.empty() ? all.substr(2) : all) + ")";
    }

private:
    std::string m_positional;
    std::string m_named;
};

} // namespace

/// Prints an attribute of an ONNX function by its name.
std::string CallText::operand(const ir::Operand &operand) const
{
    const auto attribute = ops::referredAttribute(*m_model.context, operand);
    return attribute ? identifierFrom(m_model.context->text(*attribute)) : m_operands.print(operand);
}

bool CallText::needsNoName(const ir::NodeRef &node, std::size_t index, const OperatorSpelling &spelling) const
{
    if (!spelling.schema)
        return index == 0;
    const auto &declared = spelling.schema->arguments;
    if (index >= declared.size() || declared[index].keywordOnly
        || declared[index].name != m_model.context->text(node->arguments[index].name))
        return false;
    const bool required = !declared[index].defaultValue && hasFewRequiredConstants(*spelling.schema);
    return required || readsAValue(node->arguments[index].value);
}

std::string CallText::call(const ir::NodeRef &node, const OperatorSpelling &spelling,
                           std::span<const std::string> closures) const
{
    const bool isOnnx = ir::isOnnx(m_model) || spelling.callee.starts_with("onnx.");
    ArgumentList arguments;
    const auto addClosures = [&] { std::ranges::for_each(closures, [&](const auto &name) { arguments.add(name); }); };
    bool isGapless = true;
    for (std::size_t i = 0; i < node->arguments.size(); ++i) {
        if (!isOnnx && i == spelling.closuresAt)
            addClosures();
        const auto &[name, value] = node->arguments[i];
        isGapless = isGapless && (name == ir::NameId{} || needsNoName(node, i, spelling));
        if (name == ir::NameId{} || isGapless)
            arguments.add(operand(value));
        else if (!value.as<ir::FunctionId>()) // the name of the called function is printed already
            arguments.add(m_model.context->text(name), operand(value));
    }
    if (isOnnx && closures.size() == 1)
        arguments.add("body", closures.front());
    else if (isOnnx || node->arguments.size() <= spelling.closuresAt)
        addClosures();
    return spelling.callee + arguments.text();
}

std::string CallText::positional(const ir::NodeRef &node, std::span<const std::string_view> except) const
{
    ArgumentList arguments;
    for (const auto &[name, value] : node->arguments)
        if (name == ir::NameId{} || !std::ranges::contains(except, m_model.context->text(name)))
            arguments.add(operand(value));
    return arguments.text();
}

/// Returns the name of the field of a named tuple that the node reads.
std::optional<std::string> CallText::field(const ir::NodeRef &node) const
{
    const auto &given = node->arguments;
    const auto tuple = given.size() == 2 ? ir::valueOf(node.graph(), &given[0].value) : std::nullopt;
    const auto *index = tuple ? given[1].value.as<std::int64_t>() : nullptr;
    const auto *type = index ? std::get_if<ir::CompoundType>(&tuple->type()) : nullptr;
    if (!type || *index < 0 || static_cast<std::size_t>(*index) >= type->fieldNames.size())
        return std::nullopt;
    const auto name = type->fieldNames[static_cast<std::size_t>(*index)];
    return attributeOf(m_operands.call(*tuple), m_model.context->text(name));
}

std::string CallText::pattern(const ir::NodeRef &node, const OperatorSpelling &spelling) const
{
    if (spelling.pattern == "$0[$1]")
        if (auto attribute = field(node))
            return *std::move(attribute);
    return fill(node, spelling.pattern).value_or(call(node, spelling, {}));
}

std::optional<std::string> CallText::fill(const ir::NodeRef &node, std::string_view pattern) const
{
    const bool takesAny = pattern.contains("$*") || pattern.contains("$-");
    if ((!takesAny && node->arguments.size() != operandCount(pattern)) || node->arguments.size() < operandCount(pattern)
        || (pattern.contains("$T") && node.outputCount() != 1))
        return std::nullopt;
    std::string text;
    for (std::size_t i = 0; i < pattern.size(); ++i) {
        if (pattern[i] != '$')
            text += pattern[i];
        else if (const char what = pattern[++i]; what == 'T')
            text += annotation(*m_model.context, node.output(0)->type);
        else if (what == '*')
            text += items(node, pattern.front());
        else if (what == '-') // the pattern leaves out further arguments
            continue;
        else
            text += atom(node->arguments[static_cast<std::size_t>(what - '0')].value);
    }
    return text;
}

/// Prints an operand as a part of an expression. Only a formula of a size, like 2*s0 + 1, needs brackets for that.
std::string CallText::atom(const ir::Operand &operand) const
{
    const std::string text = m_operands.print(operand);
    const bool isCompound = operand.as<symbolic::Expr>() && !isIdentifier(text);
    return isCompound ? "(" + text + ")" : text;
}

std::string CallText::items(const ir::NodeRef &node, char bracket) const
{
    std::string text;
    for (std::size_t i = 0; i < node->arguments.size(); ++i) {
        text += i == 0 ? "" : bracket == '{' && i % 2 == 1 ? ": " : ", ";
        text += m_operands.print(node->arguments[i].value);
    }
    return bracket == '(' && node->arguments.size() == 1 ? text + "," : text;
}

} // namespace cutaway::print
