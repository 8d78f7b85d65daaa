// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trace/units.h"

#include "core/analysis/known_tensor.h"
#include "core/base/formatted.h"
#include "core/base/text.h"
#include "core/ir/names.h"
#include "core/sequence/kernels.h"

#include <algorithm>
#include <array>

namespace cutaway::trace {

namespace {

/// Dialects of operators that Python or TorchScript's interpreter runs: a profiler of operators does not record them.
constexpr std::array<std::string_view, 4> unseenDialects{"prim", "_operator", "math", "torch.sym"};

class NodeUnits {
public:
    NodeUnits(const ir::Model &model, const analysis::Analysis &analysis)
        : m_graph(model.at(analysis.function).graph),
          m_analysis(analysis),
          m_sizes(model, analysis.given.bindings)
    {
    }

    std::vector<Unit> find()
    {
        addRegion(ir::Graph::body);
        return std::move(m_units);
    }

private:
    void addRegion(ir::RegionId region)
    {
        for (const ir::NodeRef node : ir::nodesOf(m_graph, region)) {
            if (!std::ranges::contains(unseenDialects, node.dialect()))
                addNode(node);
            for (const ir::RegionId inner : node->regions)
                addRegion(inner);
        }
    }

    void addNode(const ir::NodeRef &node)
    {
        Unit unit{std::string(operatorName(node.opName())), {node.id()}, {}, {}};
        unit.scope = m_graph.context().text(node.scope().path);
        for (const ir::Argument &argument : node->arguments)
            unit.dims.push_back(dimsOf(argument.value));
        unit.makesTensor = std::ranges::none_of(node.outputs(), [](const ir::ValueRef &output) {
            return std::holds_alternative<ir::NumberType>(output.type());
        });
        m_units.push_back(std::move(unit));
    }

    /// Returns the dimensions of an operand as profilers write them: "[4,16]"; "[]" for values that are no tensors.
    std::optional<std::string> dimsOf(const ir::Operand &operand) const
    {
        if (const auto *list = operand.as<ir::List>())
            return dimsOf(*list);
        const auto value = ir::valueOf(m_graph, &operand);
        if (!value)
            return "[]";
        const auto known = analysis::knownTensor(m_sizes, value->type(), &m_analysis.shapes.of(*value));
        if (!known)
            return std::holds_alternative<ir::TensorType>(value->type()) ? std::nullopt : std::optional("[]");
        if (!known->shape)
            return std::nullopt;
        std::vector<std::string> sizes;
        for (const ir::Dim &dim : *known->shape) {
            const auto number = ops::number(dim);
            if (!number)
                return std::nullopt;
            sizes.push_back(formatted("{}", *number));
        }
        return "[" + joined(sizes, ",") + "]";
    }

    std::optional<std::string> dimsOf(const ir::List &list) const
    {
        std::vector<std::string> items;
        for (const ir::Operand &item : list.items) {
            if (!ir::valueOf(m_graph, &item))
                // The items are numbers, which have no dimensions.
                return "[]";
            const auto dims = dimsOf(item);
            if (!dims)
                return std::nullopt;
            items.push_back(*dims);
        }
        return "[" + joined(items, ",") + "]";
    }

    const ir::Graph &m_graph;
    const analysis::Analysis &m_analysis;
    analysis::RecordedSizes m_sizes;
    std::vector<Unit> m_units;
};

} // namespace

std::string_view operatorName(std::string_view name)
{
    constexpr std::string_view graph = "graph_", torchOps = "torch.ops.";
    if (name.starts_with(graph)) {
        const std::size_t digits = name.find_first_not_of("0123456789", graph.size());
        if (digits != std::string_view::npos && digits > graph.size() && name[digits] == '_')
            name.remove_prefix(digits + 1);
    }
    if (name.starts_with(torchOps)) { // the name is torch.ops.aten.bmm.default
        name.remove_prefix(std::min(name.find('.', torchOps.size()), name.size() - 1) + 1);
        name = name.substr(0, name.find('.'));
    } else if (const std::size_t mark = name.find_last_of(".:"); mark != std::string_view::npos) {
        name.remove_prefix(mark + 1);
    }
    if (name.size() > 1 && name.ends_with('_') && !name.ends_with("__"))
        name.remove_suffix(1);
    return name;
}

Units unitsOf(const ir::Model &model, const analysis::Analysis &analysis)
{
    return {NodeUnits(model, analysis).find(), false};
}

Units unitsOf(const ir::Model &model, const analysis::Analysis &analysis, const sequence::FoundStep &step)
{
    std::unordered_map<std::string, ir::NodeId> nodes;
    const ir::Graph &graph = model.at(analysis.function).graph;
    for (const ir::NodeRef node : ir::nodesOf(graph))
        nodes.emplace(ir::nameOf(node), node.id());
    Units units{{}, true};
    for (const sequence::Kernel &kernel : sequence::kernelsOf(step.sequence())) {
        if (kernel.step != step.step().address)
            continue;
        Unit unit{std::string(operatorName(kernel.name)), {}, {}, {}};
        for (const std::string &name : kernel.nodes)
            if (const auto found = nodes.find(name); found != nodes.end())
                unit.nodes.push_back(found->second);
        units.all.push_back(std::move(unit));
    }
    return units.all.empty() ? unitsOf(model, analysis) : units;
}

} // namespace cutaway::trace
