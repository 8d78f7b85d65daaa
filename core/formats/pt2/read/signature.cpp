// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/pt2/read/signature.h"

#include "core/base/text.h"
#include "core/ir/context.h"

#include <algorithm>
#include <unordered_map>

namespace cutaway::formats::pt2 {

namespace {

using InputKind = ir::FunctionInput::Kind;
using OutputKind = ir::FunctionOutput::Kind;

struct InputRow {
    std::string_view spec;
    InputKind kind;
    std::string_view target; ///< the member with the target's name
};
constexpr InputRow inputRows[] = {
    {"user_input", InputKind::User, ""},
    {"parameter", InputKind::Parameter, "parameter_name"},
    {"buffer", InputKind::Buffer, "buffer_name"},
    {"tensor_constant", InputKind::Constant, "tensor_constant_name"},
    {"custom_obj", InputKind::CustomObject, "custom_obj_name"},
    {"token", InputKind::Token, ""},
    {"constant_input", InputKind::ConstantInput, ""},
};

struct OutputRow {
    std::string_view spec;
    OutputKind kind;
    std::string_view target;
};
constexpr OutputRow outputRows[] = {
    {"user_output", OutputKind::User, ""},
    {"loss_output", OutputKind::Loss, ""},
    {"buffer_mutation", OutputKind::BufferMutation, "buffer_name"},
    {"parameter_mutation", OutputKind::ParameterMutation, "parameter_name"},
    {"user_input_mutation", OutputKind::UserInputMutation, "user_input_name"},
    {"gradient_to_parameter", OutputKind::GradientToParameter, "parameter_name"},
    {"gradient_to_user_input", OutputKind::GradientToUserInput, "user_input_name"},
    {"token", OutputKind::Token, ""},
};

/// Returns a spec's row and fields. A spec of unknown kind is an ordinary input or output, with a diagnostic.
template <class Row, std::size_t n>
std::pair<const Row &, Json> rowOf(Reading &reading, const Row (&rows)[n], Json spec)
{
    const auto member = unionMember(spec);
    if (!member)
        reading.fail("an entry of the signature was expected to have exactly one kind, found "
                     + spec.print().substr(0, 120));
    const auto *found = std::ranges::find(rows, member->first, &Row::spec);
    if (found != std::end(rows))
        return {*found, member->second};
    reading.notes.warning("pt2.signature",
                          "the signature has an entry of the unknown kind " + sanitized(member->first));
    return {rows[0], member->second};
}

std::string_view textOr(Json json, std::string_view defaultValue) { return json.text().value_or(defaultValue); }

/// Reads the signature before schema 3: maps from value names, {"inputs_to_parameters": {"p": "fc.weight"}, …}.
std::vector<InputSpec> flatInputSpecs(Json signature, Json graph)
{
    std::unordered_map<std::string_view, InputSpec> bound;
    const auto readMap = [&](std::string_view map, InputKind kind) {
        signature[map].forEachMember(
            [&](std::string_view name, Json target) { bound[name] = {kind, textOr(target, ""), {}}; });
    };
    readMap("inputs_to_parameters", InputKind::Parameter);
    readMap("inputs_to_buffers", InputKind::Buffer);
    readMap("inputs_to_lifted_tensor_constants", InputKind::Constant);
    std::vector<InputSpec> specs;
    graph["inputs"].forEach([&](Json input) { specs.push_back(bound[valueName(input)]); });
    return specs;
}

std::vector<OutputSpec> flatOutputSpecs(Json signature, Json graph)
{
    std::unordered_map<std::string_view, OutputSpec> bound;
    signature["buffers_to_mutate"].forEachMember(
        [&](std::string_view name, Json target) { bound[name] = {OutputKind::BufferMutation, textOr(target, "")}; });
    std::vector<OutputSpec> specs;
    graph["outputs"].forEach([&](Json output) { specs.push_back(bound[valueName(output)]); });
    return specs;
}

void checkCount(Reading &reading, std::string_view what, std::size_t specs, std::size_t values)
{
    if (specs != values)
        reading.fail("the signature has " + std::to_string(specs) + " " + std::string(what) + ", the graph "
                     + std::to_string(values));
}

} // namespace

std::vector<InputSpec> inputSpecs(Reading &reading, Json signature, Json graph)
{
    const Json listed = signature["input_specs"];
    if (!listed.isArray())
        return flatInputSpecs(signature, graph);
    std::vector<InputSpec> specs;
    listed.forEach([&](Json json) {
        const auto &[row, fields] = rowOf(reading, inputRows, json);
        specs.push_back({row.kind, row.target.empty() ? "" : textOr(fields[row.target], ""), textOr(fields["name"], ""),
                         fields["persistent"].boolean().value_or(true)});
    });
    checkCount(reading, "inputs", specs.size(), graph["inputs"].size());
    return specs;
}

std::vector<OutputSpec> outputSpecs(Reading &reading, Json signature, Json graph)
{
    const Json listed = signature["output_specs"];
    if (!listed.isArray())
        return flatOutputSpecs(signature, graph);
    std::vector<OutputSpec> specs;
    listed.forEach([&](Json json) {
        const auto &[row, fields] = rowOf(reading, outputRows, json);
        specs.push_back({row.kind, row.target.empty() ? "" : textOr(fields[row.target], "")});
    });
    checkCount(reading, "outputs", specs.size(), graph["outputs"].size());
    return specs;
}

void InputBinder::bind(const InputSpec &spec, Json argument)
{
    const std::string_view name = valueName(argument);
    const bool isTensor =
        spec.kind == InputKind::Parameter || spec.kind == InputKind::Buffer || spec.kind == InputKind::Constant;
    if (isTensor && !name.empty())
        return bindTensor(spec, name);
    if (spec.kind == InputKind::CustomObject)
        return bindObject(spec, argument);
    if (!name.empty()) {
        m_function.inputs.push_back(
            {m_reading.name(name), spec.kind, m_graphReader.addInput(name), m_reading.name(spec.target), {}});
        return;
    }
    // A number, text or None that was fixed when the program was exported.
    m_function.inputs.push_back({m_reading.name(spec.inputName),
                                 InputKind::ConstantInput,
                                 m_graphReader.constant(argument),
                                 m_reading.name(spec.target),
                                 {}});
}

void InputBinder::bindTensor(const InputSpec &spec, std::string_view name)
{
    const ir::TensorId tensor = addTensor(spec, name);
    const ir::ValueId value =
        m_function.graph.addWeight(ir::Graph::body, m_reading.name(name), m_graphReader.typeOf(name), tensor);
    m_graphReader.define(name, value);
    m_function.inputs.push_back({m_reading.name(name), spec.kind, value, m_reading.name(spec.target), tensor});
}

void InputBinder::bindObject(const InputSpec &spec, Json argument)
{
    const auto member = unionMember(argument);
    const std::string_view name = valueName(argument);
    const ir::ValueId value = m_graphReader.addInput(name);
    m_function.inputs.push_back({m_reading.name(name), spec.kind, value, m_reading.name(spec.target), {}});
    const auto stored = m_weights.objects.find(std::string(spec.target));
    m_reading.model.objects.push_back({m_reading.name(spec.target),
                                       m_reading.name(member ? textOr(member->second["class_fqn"], "") : ""),
                                       stored == m_weights.objects.end() ? "" : stored->second});
}

ir::TensorId InputBinder::addTensor(const InputSpec &spec, std::string_view name)
{
    ir::Model &model = m_reading.model;
    const auto stored = m_weights.tensors.find(std::string(spec.target));
    const bool isMissing = stored == m_weights.tensors.end();
    ir::Tensor tensor = isMissing ? unboundTensor(name) : stored->second;
    if (isMissing)
        m_missing.push_back(sanitized(spec.target));
    tensor.name = m_reading.name(spec.target);
    tensor.kind = spec.kind == InputKind::Parameter ? ir::Tensor::Kind::Parameter
        : spec.kind == InputKind::Buffer            ? ir::Tensor::Kind::Buffer
                                                    : ir::Tensor::Kind::Constant;
    tensor.persistent = spec.persistent;
    const ir::TensorId id{static_cast<std::uint32_t>(model.tensors.size())};
    model.tensors.push_back(std::move(tensor));
    const std::size_t dot = spec.target.rfind('.');
    const ir::ModuleId owner = m_provenance.module(dot == spec.target.npos ? "" : spec.target.substr(0, dot));
    model.modules.edit(owner.index).tensors.push_back(id);
    return id;
}

void InputBinder::reportMissing()
{
    if (m_missing.empty())
        return;
    for (const std::string &path : m_weights.absent)
        m_reading.notes.warning("pt2.weights", "weights are missing: the file has no " + sanitized(path));
    if (m_weights.absent.empty())
        for (const std::string &name : m_missing)
            m_reading.notes.warning("pt2.weights", "the file has no bytes of " + name);
}

/// Makes a tensor without bytes for a weight of which the file has only the type in the graph.
ir::Tensor InputBinder::unboundTensor(std::string_view name)
{
    ir::Model &model = m_reading.model;
    ir::Tensor tensor;
    if (const ir::TensorType *type = ir::tensorType(m_reading.context(), m_graphReader.typeOf(name))) {
        tensor.dtype = type->dtype.value_or(tensor.dtype);
        for (const ir::Dim &dim : type->shape.value_or(ir::Shape{})) {
            const auto *size = std::get_if<std::int64_t>(&dim);
            tensor.shape.push_back(size ? std::max<std::int64_t>(*size, 0) : 0);
        }
        tensor.requiresGrad = type->requiresGrad;
    }
    tensor.storage = {static_cast<std::uint32_t>(model.storages.size())};
    model.storages.push_back(
        {ir::NoBytes{"the file has no bytes of it"}, static_cast<std::uint64_t>(ir::byteSize(tensor).value_or(0))});
    return tensor;
}

} // namespace cutaway::formats::pt2
