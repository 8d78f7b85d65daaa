// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/pt2/read/corrections.h"

#include "core/base/text.h"
#include "core/ir/node_ref.h"
#include "core/ops/operator.h"

#include <map>

namespace cutaway::formats::pt2 {

namespace {

using Precisions = std::map<std::string, ir::DType>;

class Corrector {
public:
    Corrector(Reading &reading, ir::Graph &graph) : m_reading(reading), m_graph(graph), m_context(graph.context()) { }

    void correct(const ir::NodeRef &node)
    {
        if (node.dialect() == "aten" && node.opName() == "lstm")
            correctStates(node);
    }

    /// Corrects the dtypes of results in autocast regions: strict export (torch 2.6) records the dtypes that they
    /// would have without autocast. `lower` has the precision that operators run in, by kind of device.
    void correctRegion(ir::RegionId region, const Precisions &lower)
    {
        for (const ir::NodeRef node : ir::nodesOf(m_graph, region)) {
            for (const ir::ValueRef output : node.outputs())
                if (const auto precision = lower.find(deviceOf(output));
                    precision != lower.end() && runsInLowerPrecision(node, precision->first == "cpu"))
                    setDType(output, precision->second);
            for (const ir::RegionId inner : node->regions)
                correctRegion(inner, isAutocast(node) ? within(node, lower) : lower);
            if (node->regions.size() == 1 && (!lower.empty() || isAutocast(node)))
                correctResults(node);
        }
    }

private:
    /// Corrects the shapes of the states in (output, h, c) = lstm(input, hx=(h, c), …).
    void correctStates(const ir::NodeRef &node)
    {
        const ir::Operand *hx = node.argument("hx");
        const auto *states = hx ? hx->as<ir::List>() : nullptr;
        for (std::size_t i = 0; states && i < states->items.size() && i + 1 < node.outputCount(); ++i)
            if (const ir::TensorType *type = tensorTypeOf(states->items[i]))
                setShape(node.output(i + 1), type->shape);
    }

    std::string deviceOf(const ir::ValueRef &value) const
    {
        const ir::TensorType *type = value.tensorType();
        return type && type->device ? std::string(m_context.text(type->device->kind)) : std::string();
    }

    static bool isAutocast(const ir::NodeRef &node)
    {
        return node.dialect() == "higher_order" && node.opName() == "wrap_with_autocast";
    }

    /// Returns the precisions inside the region of a node whose arguments are (device, dtype, enabled, cache, …).
    Precisions within(const ir::NodeRef &node, Precisions lower) const
    {
        const auto *device = node->arguments.empty() ? nullptr : node->arguments[0].value.as<ir::String>();
        if (!device)
            return lower;
        lower.erase(std::string(m_context.text(device->text)));
        if (const auto dtype = enabledDType(node))
            lower.emplace(m_context.text(device->text), *dtype);
        return lower;
    }

    void correctResults(const ir::NodeRef &node)
    {
        const std::vector<ir::Operand> &results = node.region(0).outputs;
        for (std::size_t i = 0; results.size() == node.outputCount() && i < results.size(); ++i)
            if (const ir::TensorType *type = tensorTypeOf(results[i]); type && type->dtype)
                setDType(node.output(i), *type->dtype);
    }

    static bool runsInLowerPrecision(const ir::NodeRef &node, bool isCpu)
    {
        const bool isPlain = node.dialect() == "aten" && !node.opName().ends_with('_');
        const ops::Operator *row = isPlain ? ops::findOperator("aten", node.opName()) : nullptr;
        return row && (isCpu ? row->traits.cpuAutocast : row->traits.cudaAutocast) == ops::CastTo::Lower;
    }

    const ir::TensorType *tensorTypeOf(const ir::Operand &operand) const
    {
        const auto value = ir::valueOf(m_graph, &operand);
        return value ? value->tensorType() : nullptr;
    }

    /// Returns the dtype of an autocast node (device, dtype, enabled, cache, …) if it is enabled.
    static std::optional<ir::DType> enabledDType(const ir::NodeRef &node)
    {
        if (node->arguments.size() < 3)
            return std::nullopt;
        const auto *dtype = node->arguments[1].value.as<ir::DType>();
        const bool *enabled = node->arguments[2].value.as<bool>();
        return dtype && enabled && *enabled ? std::optional(*dtype) : std::nullopt;
    }

    void setShape(const ir::ValueRef &value, const std::optional<ir::Shape> &shape)
    {
        const ir::TensorType *recorded = value.tensorType();
        if (!shape || !recorded || recorded->shape == shape)
            return;
        ir::TensorType type = *recorded;
        type.shape = shape;
        type.strides.reset();
        set(value, type);
    }

    void setDType(const ir::ValueRef &value, ir::DType dtype)
    {
        const ir::TensorType *recorded = value.tensorType();
        if (!recorded || recorded->dtype != ir::DType::Float32 || dtype == ir::DType::Float32)
            return;
        ir::TensorType type = *recorded;
        type.dtype = dtype;
        set(value, type);
    }

    void set(const ir::ValueRef &value, const ir::TensorType &type)
    {
        const ir::TypeId corrected = m_context.type(type);
        m_reading.notes.warning("pt2.record",
                                "the file records " + m_context.print(value->type) + " for " + sanitized(value.name())
                                    + ", which is " + m_context.print(corrected));
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
        corrector.correct({graph, ir::NodeId{i}});
    corrector.correctRegion(ir::Graph::body, {});
}

} // namespace cutaway::formats::pt2
