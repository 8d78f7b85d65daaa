// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/pt2/write/program_writer.h"

#include "core/base/formatted.h"
#include "core/formats/pt2/read/graph_reader.h"
#include "core/formats/pt2/write/call_signature.h"
#include "core/formats/pt2/write/graph_writer.h"
#include "core/formats/pt2/write/type_writer.h"
#include "core/formats/unusable.h"
#include "core/ir/context.h"

#include <algorithm>

namespace cutaway::formats::pt2 {

namespace {

using InputKind = ir::FunctionInput::Kind;
using OutputKind = ir::FunctionOutput::Kind;

void addItem(std::string &array, std::string_view json)
{
    array += array.size() > 1 ? "," : "";
    array += json;
}

/// Writes a program: the signature, and with it the graph's inputs.
class ProgramWriter {
public:
    ProgramWriter(const ir::Model &model, const ir::Function &function, const Original &original)
        : m_context(*model.context),
          m_model(model),
          m_function(function),
          m_original(original),
          m_module(original.program()["graph_module"]),
          m_writer(model, function, original)
    {
        m_module["graph"]["inputs"].forEach([&](Json input) { m_inputs.push_back(input); });
        signature()["input_specs"].forEach([&](Json spec) { m_inputSpecs.push_back(spec); });
        signature()["output_specs"].forEach([&](Json spec) { m_outputSpecs.push_back(spec); });
    }

    std::string write();

private:
    struct Input {
        std::string argument, spec;
    };

    Json signature() const { return m_module["signature"]; }
    std::optional<std::size_t> indexBefore(const ir::FunctionInput &input) const;
    Input input(const ir::FunctionInput &input);
    Input newInput(const ir::FunctionInput &input);
    std::string tensorSpec(const ir::FunctionInput &input) const;
    std::vector<ir::FunctionInput> allInputs() const;
    std::string outputSpec(std::size_t index);
    std::vector<std::string> userInputNames() const;
    std::string ranges(Json before) const;

    const ir::Context &m_context;
    const ir::Model &m_model;
    const ir::Function &m_function;
    const Original &m_original;
    Json m_module;
    GraphWriter m_writer;
    std::vector<Json> m_inputs, m_inputSpecs, m_outputSpecs; ///< the entries in the original
};

/// Returns the ranges of all symbols, including new ones.
std::string ProgramWriter::ranges(Json before) const
{
    std::string text = "{";
    before.forEachMember([&](std::string_view name, Json range) { addMember(text, name, m_original.copied(range)); });
    const auto bound = [](std::optional<std::int64_t> number) { return number ? std::to_string(*number) : "null"; };
    for (const ir::Symbol &symbol : m_model.symbols)
        if (!std::ranges::contains(m_original.model().symbols, symbol.name, &ir::Symbol::name))
            addMember(text, symbol.name,
                      formatted(R"({{"min_val":{},"max_val":{}}})", bound(symbol.min), bound(symbol.max)));
    return text + "}";
}

/// Returns the signature's inputs; weights that came into the graph since are put in front of the user's inputs.
std::vector<ir::FunctionInput> ProgramWriter::allInputs() const
{
    const ir::Graph &graph = m_function.graph;
    std::vector<ir::FunctionInput> inputs = m_function.inputs;
    std::vector<bool> isSigned(graph.valueCount());
    for (const ir::FunctionInput &input : inputs)
        if (const auto *value = input.value.as<ir::ValueId>())
            isSigned[value->index] = true;
    auto place = std::ranges::find(inputs, InputKind::User, &ir::FunctionInput::kind);
    for (std::uint32_t i = 0; i < graph.valueCount(); ++i) {
        const ir::ValueRef value(graph, ir::ValueId{i});
        const auto weight = value.weight();
        if (!weight || isSigned[i] || value->uses.empty())
            continue;
        const ir::Tensor &tensor = m_model.at(*weight);
        const InputKind kind = tensor.kind == ir::Tensor::Kind::Parameter ? InputKind::Parameter
            : tensor.kind == ir::Tensor::Kind::Buffer                     ? InputKind::Buffer
                                                                          : InputKind::Constant;
        place = inputs.insert(place, {value->name, kind, value.id(), tensor.name, weight}) + 1;
    }
    return inputs;
}

/// Returns the index that the input has in the original.
std::optional<std::size_t> ProgramWriter::indexBefore(const ir::FunctionInput &input) const
{
    const ir::Function &before = m_original.function();
    const ir::Context &context = *m_original.model().context;
    const auto same = [&](const ir::FunctionInput &other) {
        const auto *value = input.value.as<ir::ValueId>(), *old = other.value.as<ir::ValueId>();
        return input.kind == other.kind
            && (value && old ? *value == *old
                             : !value && !old && context.text(other.name) == m_context.text(input.name))
            && context.text(other.target) == m_context.text(input.target);
    };
    const auto found = std::ranges::find_if(before.inputs, same);
    const auto index = static_cast<std::size_t>(found - before.inputs.begin());
    return found != before.inputs.end() && index < m_inputs.size() && index < m_inputSpecs.size() ? std::optional(index)
                                                                                                  : std::nullopt;
}

ProgramWriter::Input ProgramWriter::input(const ir::FunctionInput &input)
{
    const auto index = indexBefore(input);
    if (!index)
        return newInput(input);
    const Json argument = m_inputs[*index], spec = m_inputSpecs[*index];
    const auto *value = input.value.as<ir::ValueId>();
    if (!value || m_writer.nameOf(*value) == valueName(argument))
        return {m_original.copied(argument), m_original.copied(spec)};
    return newInput(input);
}

std::string ProgramWriter::tensorSpec(const ir::FunctionInput &input) const
{
    const std::string name = quotedJson(m_writer.nameOf(*input.value.as<ir::ValueId>()));
    const std::string target = quotedJson(m_context.text(input.target));
    if (input.kind == InputKind::Parameter)
        return formatted(R"({{"parameter":{{"arg":{{"name":{}}},"parameter_name":{}}}}})", name, target);
    if (input.kind == InputKind::Constant)
        return formatted(R"({{"tensor_constant":{{"arg":{{"name":{}}},"tensor_constant_name":{}}}}})", name, target);
    return formatted(R"({{"buffer":{{"arg":{{"name":{}}},"buffer_name":{},"persistent":{}}}}})", name, target,
                     !input.tensor || m_model.at(*input.tensor).persistent);
}

ProgramWriter::Input ProgramWriter::newInput(const ir::FunctionInput &input)
{
    const std::string argument = m_writer.argument(input.value);
    const bool isTensor =
        input.kind == InputKind::Parameter || input.kind == InputKind::Buffer || input.kind == InputKind::Constant;
    if (isTensor && input.value.as<ir::ValueId>())
        return {argument, tensorSpec(input)};
    if (input.kind == InputKind::ConstantInput)
        return {argument,
                formatted(R"({{"constant_input":{{"name":{},"value":{}}}}})", quotedJson(m_context.text(input.name)),
                          argument)};
    return {argument, formatted(R"({{"user_input":{{"arg":{}}}}})", argument)};
}

std::string ProgramWriter::outputSpec(std::size_t index)
{
    static constexpr std::pair<OutputKind, std::pair<std::string_view, std::string_view>> rows[] = {
        {OutputKind::Loss, {"loss_output", ""}},
        {OutputKind::BufferMutation, {"buffer_mutation", "buffer_name"}},
        {OutputKind::ParameterMutation, {"parameter_mutation", "parameter_name"}},
        {OutputKind::UserInputMutation, {"user_input_mutation", "user_input_name"}},
        {OutputKind::GradientToParameter, {"gradient_to_parameter", "parameter_name"}},
        {OutputKind::GradientToUserInput, {"gradient_to_user_input", "user_input_name"}},
        {OutputKind::Token, {"token", ""}},
    };
    const ir::FunctionOutput &output = m_function.outputs[index];
    const auto &before = m_original.function().outputs;
    const bool isOld = index < before.size() && index < m_outputSpecs.size() && before[index].kind == output.kind;
    if (isOld && m_writer.argument(output.value) == m_writer.argumentBefore(before[index].value))
        return m_original.copied(m_outputSpecs[index]);
    const auto *row = std::ranges::find(rows, output.kind, [](const auto &r) { return r.first; });
    if (row == std::end(rows))
        return formatted(R"({{"user_output":{{"arg":{}}}}})", m_writer.argument(output.value));
    const auto *value = output.value.as<ir::ValueId>();
    std::string fields = formatted(R"("arg":{{"name":{}}})", quotedJson(value ? m_writer.nameOf(*value) : ""));
    if (const std::string_view target = row->second.second; !target.empty())
        fields += formatted(",\"{}\":{}", target, quotedJson(m_context.text(output.target)));
    return formatted("{{\"{}\":{{{}}}}}", row->second.first, fields);
}

std::vector<std::string> ProgramWriter::userInputNames() const
{
    std::vector<std::string> names;
    for (const ir::FunctionInput &input : m_function.inputs)
        if (input.kind == InputKind::User || input.kind == InputKind::ConstantInput) {
            const auto *value = input.value.as<ir::ValueId>();
            names.push_back(value ? m_writer.nameOf(*value) : std::string(m_context.text(input.name)));
        }
    return names;
}

std::string ProgramWriter::write()
{
    if (!signature()["input_specs"].isArray())
        unwritable("programs of a schema before 3 can be read, but not written");
    std::vector<std::string> inputs;
    std::string inputSpecs = "[", outputSpecs = "[";
    for (const ir::FunctionInput &each : allInputs()) {
        Input written = input(each);
        inputs.push_back(std::move(written.argument));
        addItem(inputSpecs, written.spec);
    }
    for (std::size_t i = 0; i < m_function.outputs.size(); ++i)
        addItem(outputSpecs, outputSpec(i));
    std::string signedText = "{";
    signature().forEachMember([&](std::string_view key, Json part) {
        addMember(signedText, key,
                  key == "input_specs"        ? inputSpecs + "]"
                      : key == "output_specs" ? outputSpecs + "]"
                                              : m_original.copied(part));
    });
    const std::string graph = m_writer.graph(ir::Graph::body, inputs);
    std::string module = "{";
    m_module.forEachMember([&](std::string_view key, Json part) {
        addMember(module, key,
                  key == "graph"           ? graph
                      : key == "signature" ? signedText + "}"
                      : key == "module_call_graph" && isCalledAnew(m_function, m_original)
                      ? callGraph(m_model, m_function, m_original, userInputNames())
                      : m_original.copied(part));
    });
    std::string program = "{";
    m_original.program().forEachMember([&](std::string_view key, Json part) {
        addMember(program, key,
                  key == "graph_module"            ? module + "}"
                      : key == "range_constraints" ? ranges(part)
                                                   : m_original.copied(part));
    });
    return program + "}";
}

} // namespace

std::string programJson(const ir::Model &model, const ir::Function &function, const Original &original)
{
    return ProgramWriter(model, function, original).write();
}

} // namespace cutaway::formats::pt2
