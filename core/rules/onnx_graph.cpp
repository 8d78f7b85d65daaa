// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/rules/onnx_graph.h"

#include "core/ir/context.h"

#include <algorithm>
#include <ranges>

namespace cutaway::rules::to_onnx {

namespace {

ir::TensorType typeOf(const ir::Tensor &tensor)
{
    ir::TensorType type;
    type.dtype = tensor.dtype;
    type.shape = ir::Shape(tensor.shape.begin(), tensor.shape.end());
    return type;
}

std::string keyOf(ir::DType dtype, const std::vector<std::int64_t> &shape, std::span<const std::byte> bytes)
{
    std::string key(ir::name(dtype));
    for (const std::int64_t size : shape)
        key += "," + std::to_string(size);
    key += ":";
    key.append(reinterpret_cast<const char *>(bytes.data()), bytes.size());
    return key;
}

} // namespace

OnnxGraph::OnnxGraph(ir::Model &model) : m_model(model), m_graph(model.context)
{
    for (const ir::Tensor &tensor : model.tensors)
        m_names.take(context().text(tensor.name)); // reserves the name, which the weight gets
}

ir::NodeRef OnnxGraph::add(const NewNode &node, std::size_t results)
{
    ir::NodeDraft draft;
    draft.op = context().op(node.domain, node.op);
    if (m_source) {
        const ir::Node &source = **m_source;
        const std::string_view name = context().text(source.name);
        draft.name = context().name(
            m_nodeNames.fresh(name.empty() ? node.op : name)); // ONNX Runtime expects a name for each node
        draft.scope = source.scope;
        draft.location = source.location;
    }
    for (const ir::Operand &input : node.inputs)
        draft.arguments.push_back({{}, input});
    for (const auto &[name, value] : node.attributes)
        draft.arguments.push_back({context().name(name), value});
    const ir::NodeId made = m_graph.append(m_region, std::move(draft));
    for (std::size_t i = 0; i < results; ++i)
        m_graph.addOutput(made, context().name(m_names.fresh(node.op)), {});
    m_made.push_back(made);
    return {m_graph, made};
}

ir::ValueId OnnxGraph::addInput(ir::RegionId region, std::string_view wanted, const ir::Type &type)
{
    return m_graph.addInput(region, context().name(m_names.fresh(wanted)), context().type(type));
}

ir::ValueId OnnxGraph::constant(ir::DType dtype, const std::vector<std::int64_t> &shape,
                                std::span<const std::byte> bytes)
{
    const auto [known, isNew] = m_constants.try_emplace(keyOf(dtype, shape, bytes));
    if (!isNew)
        return known->second;
    const std::uint32_t storage = m_model.storages.append(
        {ir::InlineBytes{std::make_shared<const std::vector<std::byte>>(bytes.begin(), bytes.end())}, bytes.size()});
    ir::Tensor tensor;
    tensor.name = context().name(m_names.fresh("constant"));
    tensor.dtype = dtype;
    tensor.shape = shape;
    tensor.storage = ir::StorageId{storage};
    const ir::NameId name = tensor.name;
    const ir::TypeId type = context().type(typeOf(tensor));
    const ir::TensorId id{m_model.tensors.append(std::move(tensor))};
    return known->second = m_graph.addWeight(ir::Graph::body, name, type, id);
}

ir::ValueId OnnxGraph::whole(std::int64_t number)
{
    const ir::ValueId value = constant(ir::DType::Int64, {}, std::as_bytes(std::span(&number, 1)));
    m_wholes.emplace(value, number);
    return value;
}

std::optional<std::int64_t> OnnxGraph::wholeOf(ir::ValueId value) const
{
    const auto found = m_wholes.find(value);
    return found == m_wholes.end() ? std::nullopt : std::optional(found->second);
}

ir::ValueId OnnxGraph::weight(ir::TensorId id)
{
    const auto [known, isNew] = m_weights.try_emplace(id);
    if (isNew) {
        const ir::Tensor &tensor = m_model.at(id);
        known->second = m_graph.addWeight(ir::Graph::body, tensor.name, context().type(typeOf(tensor)), id);
    }
    return known->second;
}

bool OnnxGraph::isWeight(ir::ValueId value) const
{
    return std::holds_alternative<ir::Weight>(m_graph.at(value).definition);
}

bool OnnxGraph::isMadeSince(ir::ValueId value, std::size_t count) const
{
    const auto *result = std::get_if<ir::NodeResult>(&m_graph.at(value).definition);
    return result
        && std::ranges::contains(m_made.begin() + static_cast<std::ptrdiff_t>(count), m_made.end(), result->node);
}

void OnnxGraph::takeBack(std::size_t count)
{
    const std::vector<ir::NodeId> last(m_made.begin() + static_cast<std::ptrdiff_t>(count), m_made.end());
    m_made.resize(count);
    std::vector<ir::NodeId> outer; // nodes inside a region are removed with the region's owner
    for (const ir::NodeId node : last) {
        const auto owner = m_graph.at(m_graph.at(node).parent).owner;
        if (!owner || !std::ranges::contains(last, *owner))
            outer.push_back(node);
    }
    m_graph.remove(outer);
}

void OnnxGraph::removeUnread()
{
    for (const ir::NodeId node : m_made | std::views::reverse) {
        if (m_graph.at(node).removed)
            continue;
        const auto isRead = [&](ir::ValueId output) { return !m_graph.at(output).uses.empty(); };
        if (std::ranges::none_of(m_graph.at(node).outputs, isRead))
            m_graph.remove(node);
    }
    for (ir::ValueId id{0}; id.index < m_graph.valueCount(); ++id.index)
        if (isWeight(id) && m_graph.at(id).uses.empty())
            m_graph.removeWeight(id);
}

void OnnxGraph::setName(ir::ValueId value, std::string_view wanted)
{
    m_graph.setName(value, context().name(m_names.fresh(wanted)));
}

} // namespace cutaway::rules::to_onnx
