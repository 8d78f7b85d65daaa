// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/print/torchscript_names.h"

#include "core/ops/program/control_flow.h"
#include "core/print/control_flow.h"

#include <array>

namespace cutaway::print {

namespace {

/// Names that the generated code itself uses.
constexpr std::array ownWords{"self",  "torch",   "ops", "onnx",      "operator",   "math",           "getattr",
                              "range", "float",   "int", "bool",      "str",        "print",          "len",
                              "fork",  "complex", "Any", "Exception", "isinstance", "unchecked_cast", "uninitialized"};

/// Whether a name such as "layer1.0.weight" is a path through modules; "/layer1.0/Constant" and "onnx::Conv_25" are
/// none.
bool isAttributePath(std::string_view name)
{
    for (std::size_t at = 0; at <= name.size();) {
        const std::size_t end = std::min(name.find('.', at), name.size());
        const std::string_view part = name.substr(at, end - at);
        const bool isIndex = at > 0 && !part.empty() && part.find_first_not_of("0123456789") == part.npos;
        if (!isIndex && !isIdentifier(part))
            return false;
        at = end + 1;
    }
    return true;
}

/// Returns the last part of an ONNX exporter's name: Conv for /layer1/layer1.0/Conv; comments name the module.
std::string_view lastOfPath(std::string_view name)
{
    if (!name.starts_with('/'))
        return name;
    name.remove_prefix(name.rfind('/') + 1);
    return name.ends_with("_output_0") ? name.substr(0, name.size() - 9) : name;
}

std::string attributePath(std::string_view name)
{
    std::string expression = "self";
    for (std::size_t at = 0; at <= name.size();) {
        const std::size_t end = std::min(name.find('.', at), name.size());
        expression = attributeOf(expression, name.substr(at, end - at));
        at = end + 1;
    }
    return expression;
}

} // namespace

bool isParameter(const ir::FunctionInput &input)
{
    return input.kind == ir::FunctionInput::Kind::User || input.kind == ir::FunctionInput::Kind::Token;
}

TorchScriptNames::TorchScriptNames(const ir::Model &model, const ir::Function &function)
    : m_model(model),
      m_function(function),
      m_graph(function.graph),
      m_values(function.graph.valueCount()),
      m_regions(function.graph.regionCount())
{
    for (const char *word : ownWords)
        m_names.take(word);
    nameInputs();
    nameWeights();
    joinLoopVariables();
    nameValues();
    nameRegions();
}

const std::string &TorchScriptNames::of(ir::TensorId tensor)
{
    std::string &text = m_tensors[tensor];
    if (!text.empty())
        return text;
    const std::string_view name = m_model.context->text(m_model.at(tensor).name);
    return text = weight(name.empty() ? "constant_" + std::to_string(tensor.index) : std::string(name));
}

std::string TorchScriptNames::weight(std::string_view name)
{
    return m_attributes.fresh(isAttributePath(name) ? attributePath(name) : "self." + identifierFrom(lastOfPath(name)));
}

std::string TorchScriptNames::ofTarget(ir::NameId target) const
{
    const auto known = m_targets.find(target);
    return known == m_targets.end() ? dottedName(m_model.context->text(target)) : of(known->second);
}

void TorchScriptNames::nameInputs()
{
    for (const ir::FunctionInput &input : m_function.inputs) {
        const auto value = ir::valueOf(m_graph, &input.value);
        if (!value)
            continue;
        m_targets.try_emplace(input.target == ir::NameId{} ? input.name : input.target, *value);
        std::string &text = m_values[value->id().index];
        if (value->name() == "self")
            text = "self";
        else if (!isParameter(input) && input.target != ir::NameId{})
            text = weight(m_model.context->text(input.target));
        if (input.tensor && !isParameter(input))
            m_tensors.try_emplace(*input.tensor, text);
    }
}

void TorchScriptNames::nameWeights()
{
    std::vector<bool> isGiven(m_graph.valueCount());
    for (const ir::FunctionInput &input : m_function.inputs)
        if (const auto *value = input.value.as<ir::ValueId>())
            isGiven[value->index] = isParameter(input);
    for (std::uint32_t i = 0; i < m_graph.valueCount(); ++i)
        if (const auto tensor = ir::ValueRef(m_graph, {i}).weight(); tensor && !isGiven[i] && m_values[i].empty())
            m_values[i] = of(*tensor);
}

void TorchScriptNames::joinLoopVariables()
{
    for (std::uint32_t i = 0; i < m_graph.nodeCount(); ++i) {
        const ir::NodeRef node(m_graph, {i});
        if (node->removed || ops::kindOf(node) != ops::kind::loop || node.dialect() != "prim" || !loopOf(node))
            continue;
        for (std::size_t k = 0; k < node.outputCount(); ++k)
            m_sameVariable.emplace_back(node->outputs[k], node.region(0).inputs[k + 1]);
    }
}

/// Names that need no change go first, so that no other value takes them.
void TorchScriptNames::nameValues()
{
    std::vector<bool> isSecond(m_graph.valueCount());
    for (const auto &[result, inBody] : m_sameVariable)
        isSecond[(m_graph.at(result).name == ir::NameId{} ? result : inBody).index] = true;
    const auto forEach = [&](auto &&name) {
        for (std::uint32_t i = 0; i < m_graph.valueCount(); ++i)
            if (m_values[i].empty() && !isSecond[i])
                name(i, std::string(ir::ValueRef(m_graph, {i}).name()));
    };
    forEach([&](std::uint32_t i, const std::string &name) {
        if (isIdentifier(name) && m_names.take(name))
            m_values[i] = name;
    });
    forEach([&](std::uint32_t i, const std::string &name) {
        m_values[i] = m_names.fresh(name.empty() ? "_" + std::to_string(i) : identifierFrom(lastOfPath(name)));
    });
    for (const auto &[result, inBody] : m_sameVariable) {
        std::string &first = m_values[result.index];
        std::string &second = m_values[inBody.index];
        (first.empty() ? first : second) = first.empty() ? second : first;
    }
}

void TorchScriptNames::nameRegions()
{
    for (std::uint32_t i = 1; i < m_graph.regionCount(); ++i) {
        const std::string_view name = m_model.context->text(m_graph.at(ir::RegionId{i}).name);
        m_regions[i] = name.empty() ? "" : m_names.fresh(identifierFrom(name));
    }
}

} // namespace cutaway::print
