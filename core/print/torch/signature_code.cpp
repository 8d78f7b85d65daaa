// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/print/torch/signature_code.h"

#include "core/base/text.h"
#include "core/ir/context.h"
#include "core/ir/node_ref.h"
#include "core/print/python_names.h"
#include "core/print/python_operands.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>

namespace cutaway::print {

namespace {

using Json = nlohmann::json;

constexpr std::int64_t assumedSize = 2; ///< the size in an example of a dimension that the file leaves open

std::size_t leafCount(const Packing &packing)
{
    if (packing.kind == Packing::Kind::Leaf)
        return 1;
    std::size_t count = 0;
    for (const Packing &item : packing.items)
        count += leafCount(item);
    return count;
}

Json metadataOf(const ir::Model &model, std::string_view key)
{
    const auto entry = std::ranges::find(model.metadata, key, [](const auto &pair) { return pair.first; });
    return entry == model.metadata.end() ? Json() : Json::parse(entry->second, nullptr, false);
}

/// Calls leaf(code) for each leaf of a parameter, with the code that reads it: "x[0]['a']".
void visitLeaves(const Packing &packing, const std::string &code, const std::function<void(const std::string &)> &leaf)
{
    if (packing.kind == Packing::Kind::Leaf)
        return leaf(code);
    for (std::size_t i = 0; i < packing.items.size(); ++i)
        visitLeaves(packing.items[i], code + "[" + (packing.keys.empty() ? std::to_string(i) : packing.keys[i]) + "]",
                    leaf);
}

/// Returns a size for an example; nothing for a formula, whose value depends on the file's symbols.
std::optional<std::int64_t> exampleSize(const ir::Model &model, const ir::Dim &dim)
{
    if (const auto *known = std::get_if<std::int64_t>(&dim))
        return *known;
    const auto *expr = std::get_if<symbolic::Expr>(&dim);
    if (!expr)
        return assumedSize;
    const auto symbol = std::ranges::find(model.symbols, symbolic::print(*expr), &ir::Symbol::name);
    if (symbol == model.symbols.end())
        return std::nullopt;
    return symbol->hint.value_or(std::max(symbol->min.value_or(assumedSize), assumedSize));
}

bool isUserOutput(const ir::FunctionOutput &output)
{
    using enum ir::FunctionOutput::Kind;
    return output.kind == User || output.kind == Loss;
}

} // namespace

MainSignature::MainSignature(const ir::Model &model, const ir::Function &function)
    : m_model(model),
      m_function(function)
{
    const bool isMain = !model.functions.empty() && &function == &model.functions.front();
    const auto inputs = isMain ? recordedPacking(model, "in_spec") : std::nullopt;
    if (inputs && inputs->items.size() == 2 && inputs->items[1].kind == Packing::Kind::Dict) {
        m_inputs = inputs->items[0].items;
        const Packing &named = inputs->items[1];
        m_inputs.insert(m_inputs.end(), named.items.begin(), named.items.end());
        m_keywords = named.items.size();
        m_hasInputs = leafCount(*inputs) == userInputs().size();
        const Json names = metadataOf(model, "forward_arg_names");
        for (const Json &name : names.is_array() ? names : Json::array())
            m_names.push_back(name.is_string() ? name.get<std::string>() : "");
        if (m_names.size() != m_inputs.size())
            m_names.assign(m_inputs.size() - m_keywords, "");
        for (std::size_t i = m_names.size(); i < m_inputs.size(); ++i)
            m_names.push_back(named.keys[i - (m_inputs.size() - m_keywords)]);
        for (std::string &name : m_names)
            std::erase(name, '"');
    }
    if (auto outputs = isMain ? recordedPacking(model, "out_spec") : std::nullopt) {
        m_outputs = *std::move(outputs);
        m_hasOutputs =
            leafCount(m_outputs) == static_cast<std::size_t>(std::ranges::count_if(function.outputs, isUserOutput));
    }
}

std::vector<const ir::FunctionInput *> MainSignature::userInputs() const
{
    using enum ir::FunctionInput::Kind;
    std::vector<const ir::FunctionInput *> inputs;
    for (const ir::FunctionInput &input : m_function.inputs)
        if ((input.kind == User || input.kind == ConstantInput) && !input.tensor)
            inputs.push_back(&input);
    return inputs;
}

std::vector<std::string> MainSignature::parameters(const std::function<void(ir::ValueId, const std::string &)> &setName,
                                                   const std::function<std::string(std::string_view)> &fresh)
{
    const ir::Context &context = *m_model.context;
    const std::vector<const ir::FunctionInput *> inputs = userInputs();
    const auto nameLeaf = [&](const ir::FunctionInput &input, const std::string &name) {
        if (const auto *value = input.value.as<ir::ValueId>())
            setName(*value, name);
    };
    std::vector<std::string> unpacking;
    if (!m_hasInputs) {
        const auto none = [](auto) { return std::string("None"); };
        for (const ir::FunctionInput *input : inputs) {
            std::string_view given = context.text(input->name);
            given = given.substr(0, given.rfind('.')); // "x.1" in TorchScript is x
            const std::string name = fresh(identifierFrom(given));
            nameLeaf(*input, name);
            const ir::Operand *value = input->defaultValue ? &*input->defaultValue
                : input->value.as<ir::ValueId>()           ? nullptr
                                                           : &input->value;
            m_list.push_back(name + (value ? "=" + PythonOperands(m_model, none, none).print(*value) : ""));
        }
        return unpacking;
    }
    std::size_t next = 0;
    for (std::size_t i = 0; i < m_inputs.size(); ++i) {
        if (m_keywords > 0 && i == m_inputs.size() - m_keywords && i > 0 && m_keywords < m_inputs.size())
            m_list.emplace_back("*");
        const bool isLeaf = m_inputs[i].kind == Packing::Kind::Leaf;
        const std::string wanted = !m_names[i].empty() ? m_names[i]
            : isLeaf                                   ? std::string(context.text(inputs[next]->name))
                                                       : "inputs";
        const std::string parameter = fresh(identifierFrom(wanted));
        m_list.push_back(parameter);
        visitLeaves(m_inputs[i], parameter, [&](const std::string &code) {
            const ir::FunctionInput &input = *inputs[next++];
            if (isLeaf)
                return nameLeaf(input, parameter);
            std::string line = fresh(identifierFrom(context.text(input.name)));
            nameLeaf(input, line);
            line.append(" = ").append(code);
            unpacking.push_back(std::move(line));
        });
    }
    return unpacking;
}

std::string MainSignature::packed(const Packing &packing, std::vector<std::string> &leaves) const
{
    using enum Packing::Kind;
    if (packing.kind == Leaf || packing.kind == None) {
        if (packing.kind == None)
            return "None";
        std::string leaf = std::move(leaves.back());
        leaves.pop_back();
        return leaf;
    }
    std::string code = packing.kind == Tuple ? "(" : packing.kind == List ? "[" : "{";
    for (std::size_t i = 0; i < packing.items.size(); ++i)
        code += (i > 0 ? ", " : "") + (packing.keys.empty() ? "" : packing.keys[i] + ": ")
            + packed(packing.items[i], leaves);
    if (packing.kind == Tuple)
        return code + (packing.items.size() == 1 ? ",)" : ")");
    return code + (packing.kind == List ? "]" : "}");
}

std::string MainSignature::result(const std::function<std::string(const ir::Operand &)> &text) const
{
    std::vector<std::string> leaves;
    for (const ir::FunctionOutput &output : m_function.outputs)
        if (isUserOutput(output))
            leaves.push_back(text(output.value));
    if (!m_hasOutputs)
        return leaves.size() == 1 ? leaves.front() : "(" + joined(leaves, ", ") + ")";
    std::ranges::reverse(leaves);
    return packed(m_outputs, leaves);
}

std::string MainSignature::results(const std::function<std::string(const ir::Operand &)> &text) const
{
    const std::string one = result(text);
    const auto count = std::ranges::count_if(m_function.outputs, isUserOutput);
    const bool isPlainTuple =
        m_hasOutputs ? m_outputs.kind == Packing::Kind::Tuple && m_outputs.items.size() > 1 : count != 1;
    return isPlainTuple ? one.substr(1, one.size() - 2) : one;
}

std::string MainSignature::exampleOf(const ir::FunctionInput &input) const
{
    const auto value = ir::valueOf(m_function.graph, &input.value);
    if (!value)
        return PythonOperands(m_model, [](auto) { return ""; }, [](auto) { return ""; }).print(input.value);
    const ir::TensorType *tensor = value->tensorType();
    if (const auto *number = std::get_if<ir::NumberType>(&value->type()))
        return number->kind == ir::NumberType::Kind::Int  ? "2"
            : number->kind == ir::NumberType::Kind::Bool  ? "True"
            : number->kind == ir::NumberType::Kind::Float ? "0.5"
                                                          : "";
    if (!tensor || !tensor->shape)
        return "";
    std::string sizes;
    for (const ir::Dim &dim : *tensor->shape) {
        const auto size = exampleSize(m_model, dim);
        if (!size)
            return "";
        sizes += (sizes.empty() ? "" : ", ") + std::to_string(*size);
    }
    const ir::DType dtype = tensor->dtype.value_or(ir::DType::Float32);
    const std::string shape = sizes.empty() ? "()" : sizes;
    if (dtype == ir::DType::Float32)
        return "torch.rand(" + shape + ")";
    const std::string of = "(" + shape + ", dtype=torch." + std::string(ir::name(dtype)) + ")";
    return (ir::isFloating(dtype) ? "torch.rand" : "torch.ones") + of;
}

std::vector<std::string> MainSignature::examples() const
{
    std::vector<std::string> leaves;
    for (const ir::FunctionInput *input : userInputs())
        leaves.push_back(exampleOf(*input));
    if (!m_hasInputs || std::ranges::contains(leaves, ""))
        return leaves;
    std::ranges::reverse(leaves);
    std::vector<std::string> all;
    for (std::size_t i = 0; i < m_inputs.size(); ++i) {
        const bool isNamed = i >= m_inputs.size() - m_keywords;
        all.push_back((isNamed ? identifierFrom(m_names[i]) + "=" : "") + packed(m_inputs[i], leaves));
    }
    return all;
}

} // namespace cutaway::print
