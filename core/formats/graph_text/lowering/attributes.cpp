// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/graph_text/lowering/attributes.h"

#include "core/formats/limits.h"

#include <algorithm>

namespace cutaway::formats::graph_text {

namespace {

using Kind = ir::FunctionInput::Kind;

std::optional<std::vector<std::int64_t>> numbers(const std::optional<ir::Shape> &dims)
{
    if (!dims)
        return std::nullopt;
    std::vector<std::int64_t> numbers;
    for (const ir::Dim &dim : *dims) {
        const auto *n = std::get_if<std::int64_t>(&dim);
        if (!n || *n < 0)
            return std::nullopt;
        numbers.push_back(*n);
    }
    return numbers;
}

bool isOfModule(Kind kind) { return kind == Kind::Parameter || kind == Kind::Buffer || kind == Kind::Constant; }

ir::Tensor::Kind tensorKind(Kind kind)
{
    return kind == Kind::Parameter ? ir::Tensor::Kind::Parameter
        : kind == Kind::Buffer     ? ir::Tensor::Kind::Buffer
                                   : ir::Tensor::Kind::Constant;
}

} // namespace

ir::ValueId Attributes::input(std::string_view name, const InputSpec &spec, ir::TypeId type)
{
    const ir::NameId id = m_reading.name(name);
    const ir::TensorType *known = ir::tensorType(m_reading.context(), type);
    ir::FunctionInput input{id, spec.kind, {}, m_reading.name(spec.target), {}};
    ir::Graph &graph = m_function.graph;
    ir::ValueId value;
    if (isOfModule(spec.kind) && known && known->dtype && numbers(known->shape)) {
        input.tensor = tensor(spec, *known);
        value = graph.addWeight(ir::Graph::body, id, type, *input.tensor);
    } else {
        value = graph.addInput(ir::Graph::body, id, type);
    }
    input.value = value;
    m_positions.emplace(value, m_function.inputs.size());
    m_function.inputs.push_back(std::move(input));
    return value;
}

ir::ValueId Attributes::attribute(std::string_view name, const std::string &path, ir::TypeId type)
{
    if (const auto known = m_attributes.find(path); known != m_attributes.end())
        return known->second;
    const ir::TensorType *known = ir::tensorType(m_reading.context(), type);
    const bool isTensor = known && known->dtype && numbers(known->shape);
    const InputSpec spec = attributeSpec(path);
    const ir::ValueId value = isTensor
        ? m_function.graph.addWeight(ir::Graph::body, m_reading.name(name), type, tensor(spec, *known))
        : input(name, spec, type);
    return m_attributes.emplace(path, value).first->second;
}

ir::TensorId Attributes::tensor(const InputSpec &spec, const ir::TensorType &type)
{
    ir::Model &model = m_reading.model;
    ir::Tensor tensor;
    tensor.name = m_reading.name(spec.target);
    tensor.kind = tensorKind(spec.kind);
    tensor.dtype = type.dtype.value_or(tensor.dtype);
    tensor.shape = numbers(type.shape).value_or(std::vector<std::int64_t>());
    if (auto strides = numbers(type.strides); strides && strides->size() == tensor.shape.size())
        tensor.strides = std::move(*strides);
    tensor.persistent = spec.persistent;
    tensor.storage = {static_cast<std::uint32_t>(model.storages.size())};
    model.storages.push_back(
        {ir::NoBytes{"a text has no weights"}, static_cast<std::uint64_t>(ir::byteSize(tensor).value_or(0))});
    const ir::TensorId id{static_cast<std::uint32_t>(model.tensors.size())};
    model.tensors.push_back(std::move(tensor));
    const std::size_t dot = spec.target.rfind('.');
    const std::string_view owner = std::string_view(spec.target).substr(0, dot == spec.target.npos ? 0 : dot);
    // Every level of the tree stores its path, so a path of dots alone would need memory quadratic in its length.
    const bool isAbsurd = std::ranges::count(owner, '.') > limits::maxNesting;
    model.modules.edit(isAbsurd ? 0 : model.moduleAt(owner).index).tensors.push_back(id);
    return id;
}

void Attributes::rename(ir::ValueId value, std::string_view name)
{
    const ir::NameId id = m_reading.name(name);
    m_function.graph.setName(value, id);
    if (const auto position = m_positions.find(value); position != m_positions.end())
        m_function.inputs[position->second].name = id;
}

} // namespace cutaway::formats::graph_text
