// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/print/code_signature.h"

#include "core/base/text.h"
#include "core/ir/context.h"

#include <algorithm>

namespace cutaway::print {

namespace {

struct OperandType {
    const ir::Graph &graph;

    std::string operator()(ir::ValueId id) const { return annotation(graph.context(), graph.at(id).type); }
    std::string operator()(std::int64_t) const { return "int"; }
    std::string operator()(double) const { return "float"; }
    std::string operator()(bool) const { return "bool"; }
    std::string operator()(ir::String) const { return "str"; }
    std::string operator()(ir::None) const { return "None"; }
    std::string operator()(const auto &) const { return "Any"; }
};

} // namespace

bool isMutation(ir::FunctionOutput::Kind kind)
{
    using enum ir::FunctionOutput::Kind;
    return kind == BufferMutation || kind == ParameterMutation || kind == UserInputMutation;
}

std::string_view CodeSignature::text(ir::NameId id) const { return m_graph.context().text(id); }

std::string CodeSignature::declared(ir::ValueId value) const
{
    const ir::TypeId type = m_graph.at(value).type;
    const bool isKnown = m_names.of(value) != "self" && type != ir::TypeId{};
    return m_names.of(value) + (isKnown ? ": " + annotation(m_graph.context(), type) : "");
}

std::string CodeSignature::defaultOf(const ir::FunctionInput &input) const
{
    if (input.defaultValue)
        return " = " + m_operands.print(*input.defaultValue);
    return input.tensor ? " = " + m_names.of(*input.tensor) : "";
}

std::vector<std::string> CodeSignature::parameters()
{
    std::vector<std::string> list;
    for (const ir::FunctionInput &input : m_function.inputs) {
        const auto *value = input.value.as<ir::ValueId>();
        if (value && isParameter(input))
            list.push_back(declared(*value) + defaultOf(input));
        else if (!value)
            list.push_back(identifierFrom(text(input.name)) + "=" + m_operands.print(input.value));
    }
    if (m_function.kind != ir::Function::Kind::Free && (list.empty() || list.front() != "self"))
        list.insert(list.begin(), "self");
    if (!m_function.attributes.empty())
        list.emplace_back("*");
    for (const auto &[name, value] : m_function.attributes)
        list.push_back(identifierFrom(text(name)) + (value.as<ir::None>() ? "" : "=" + m_operands.print(value)));
    return list;
}

std::vector<ir::Operand> CodeSignature::userOutputs() const
{
    std::vector<ir::Operand> outputs;
    for (const ir::FunctionOutput &output : m_function.outputs)
        if (!isMutation(output.kind))
            outputs.push_back(output.value);
    return outputs;
}

std::string CodeSignature::typeOf(const ir::Operand &operand) const
{
    return std::visit(OperandType{m_graph}, operand.v);
}

std::string CodeSignature::results(const std::vector<ir::Operand> &outputs) const
{
    if (outputs.empty())
        return " -> None";
    std::vector<std::string> types;
    for (const ir::Operand &output : outputs)
        types.push_back(typeOf(output));
    const bool isKnown = std::ranges::any_of(types, [](const std::string &type) { return type != "Any"; });
    return !isKnown ? "" : " -> " + (types.size() == 1 ? types.front() : "Tuple[" + joined(types, ", ") + "]");
}

} // namespace cutaway::print
