// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/pt2/corrections.h"

#include "core/base/text.h"
#include "core/ir/context.h"

#include <algorithm>

namespace cutaway::formats::pt2 {

namespace {

// What autocast runs in its lower precision, of the operators export leaves.
constexpr std::string_view lowerPrecision[] = {"addbmm",
                                               "addmm",
                                               "baddbmm",
                                               "bmm",
                                               "conv1d",
                                               "conv2d",
                                               "conv3d",
                                               "conv_transpose1d",
                                               "conv_transpose2d",
                                               "conv_transpose3d",
                                               "convolution",
                                               "linear",
                                               "matmul",
                                               "mm",
                                               "mv",
                                               "scaled_dot_product_attention"};

class Corrector {
public:
    Corrector(Reading &reading, ir::Graph &graph) : m_reading(reading), m_graph(graph), m_context(graph.context()) { }

    void correct(ir::NodeId node)
    {
        const ir::Operator &op = m_context.at(m_graph.at(node).op);
        if (isNamed(op, "aten", "lstm"))
            correctStates(node);
        else if (isNamed(op, "higher_order", "wrap_with_autocast"))
            correctAutocast(node);
    }

private:
    bool isNamed(const ir::Operator &op, std::string_view dialect, std::string_view name) const
    {
        return m_context.text(op.name) == name && m_context.text(op.dialect) == dialect;
    }

    /// (output, h, c) = lstm(input, hx=(h, c), …)
    void correctStates(ir::NodeId id)
    {
        const ir::Node &node = m_graph.at(id);
        const ir::NameId hx = m_context.name("hx");
        const auto argument = std::ranges::find(node.arguments, hx, &ir::Argument::name);
        const auto *states = argument == node.arguments.end() ? nullptr : argument->value.as<ir::List>();
        for (std::size_t i = 0; states && i < states->items.size() && i + 1 < node.outputs.size(); ++i)
            if (const auto *initial = states->items[i].as<ir::ValueId>())
                if (const ir::TensorType *type = ir::tensorType(m_context, m_graph.at(*initial).type))
                    setShape(node.outputs[i + 1], type->shape);
    }

    void correctAutocast(ir::NodeId id)
    {
        const ir::Node &node = m_graph.at(id);
        const auto dtype = enabledDType(node);
        if (!dtype || node.regions.empty())
            return;
        const ir::Region &region = m_graph.at(node.regions.front());
        for (const ir::NodeId inner : region.nodes)
            if (const ir::Operator &op = m_context.at(m_graph.at(inner).op);
                m_context.text(op.dialect) == "aten" && std::ranges::contains(lowerPrecision, m_context.text(op.name)))
                for (const ir::ValueId output : m_graph.at(inner).outputs)
                    setDType(output, *dtype);
        for (std::size_t i = 0; region.outputs.size() == node.outputs.size() && i < node.outputs.size(); ++i)
            if (const auto *result = region.outputs[i].as<ir::ValueId>())
                if (const ir::TensorType *type = ir::tensorType(m_context, m_graph.at(*result).type);
                    type && type->dtype)
                    setDType(node.outputs[i], *type->dtype);
    }

    /// (device, dtype, enabled, cache, …)
    static std::optional<ir::DType> enabledDType(const ir::Node &node)
    {
        if (node.arguments.size() < 3)
            return std::nullopt;
        const auto *dtype = node.arguments[1].value.as<ir::DType>();
        const bool *enabled = node.arguments[2].value.as<bool>();
        return dtype && enabled && *enabled ? std::optional(*dtype) : std::nullopt;
    }

    void setShape(ir::ValueId value, const std::optional<ir::Shape> &shape)
    {
        const ir::TensorType *recorded = ir::tensorType(m_context, m_graph.at(value).type);
        if (!shape || !recorded || recorded->shape == shape)
            return;
        ir::TensorType type = *recorded;
        type.shape = shape;
        type.strides.reset();
        set(value, type);
    }

    void setDType(ir::ValueId value, ir::DType dtype)
    {
        const ir::TensorType *recorded = ir::tensorType(m_context, m_graph.at(value).type);
        if (!recorded || recorded->dtype != ir::DType::Float32 || dtype == ir::DType::Float32)
            return;
        ir::TensorType type = *recorded;
        type.dtype = dtype;
        set(value, type);
    }

    void set(ir::ValueId value, const ir::TensorType &type)
    {
        const ir::TypeId corrected = m_context.type(type);
        m_reading.notes.warning("pt2.record",
                                "the file records " + m_context.print(m_graph.at(value).type) + " for "
                                    + sanitized(m_context.text(m_graph.at(value).name)) + ", which is "
                                    + m_context.print(corrected));
        m_graph.setType(value, corrected);
    }

    Reading &m_reading;
    ir::Graph &m_graph;
    ir::Context &m_context;
};

} // namespace

void correctRecords(Reading &reading, ir::Graph &graph)
{
    Corrector corrector(reading, graph);
    for (std::uint32_t i = 0; i < graph.nodeCount(); ++i)
        corrector.correct(ir::NodeId{i});
}

} // namespace cutaway::formats::pt2
