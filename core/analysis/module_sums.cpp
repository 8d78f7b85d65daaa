// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/module_sums.h"

#include "core/analysis/saturating.h"
#include "core/base/limits.h"
#include "core/ir/context.h"
#include "core/ir/homes.h"
#include "core/ir/node_ref.h"
#include "core/ir/operands.h"
#include "core/ir/scope_tree.h"
#include "core/ops/program/control_flow.h"

#include <algorithm>
#include <ranges>
#include <utility>

namespace cutaway::analysis {

namespace {

/// Returns the path of an attribute from the object that the method is called on, "layer1.conv"; nothing for other
/// objects.
std::optional<std::string> attributePath(const ir::Graph &graph, const ir::Operand &object, int depth = 0)
{
    const auto value = ir::valueOf(graph, &object);
    if (!value || depth > limits::maxNesting)
        return std::nullopt;
    const auto node = value->producer();
    if (!node)
        return std::string();
    const ir::Operand *self = node->argument("self"), *name = node->argument("name");
    const auto *text = name ? name->as<ir::String>() : nullptr;
    if (ops::kindOf(*node) != ops::kind::getAttribute || !self || !text)
        return std::nullopt;
    auto path = attributePath(graph, *self, depth + 1);
    if (path)
        path->append(path->empty() ? "" : ".").append(graph.context().text(text->text));
    return path;
}

class Summing {
public:
    Summing(const ir::Model &model, const ir::Function &function)
        : m_model(model),
          m_graph(function.graph),
          m_reads(model, function.graph)
    {
        m_sums.scopes.resize(model.context->scopeCount());
        m_firsts.resize(model.context->scopeCount());
        m_places.resize(m_graph.nodeCount());
    }

    ModuleSums all()
    {
        findPlaces();
        countRegion(ir::Graph::body);
        countWeights();
        sortChildren();
        return std::move(m_sums);
    }

private:
    void countRegion(ir::RegionId region)
    {
        const std::vector<ir::NodeId> &nodes = m_graph.at(region).nodes;
        const std::vector<ir::ScopeId> homes = ir::homesOf(m_graph, region);
        for (std::size_t i = 0; i < nodes.size(); ++i) {
            const ir::Node &node = m_graph.at(nodes[i]);
            m_around.push_back(homes[i]);
            m_place = m_places[nodes[i].index];
            countNode(region);
            m_reads.forEach(node, [&](ir::TensorId parameter) { noteParameter(parameter); });
            for (ir::RegionId inner : node.regions)
                countRegion(inner);
            m_around.pop_back();
        }
    }

    /// Appends the nodes in execution order; the nodes in a node's regions follow it.
    void addInOrder(ir::RegionId region, std::vector<ir::NodeId> &order) const
    {
        for (const ir::NodeId node : m_graph.at(region).nodes) {
            order.push_back(node);
            for (const ir::RegionId inner : m_graph.at(node).regions)
                addInOrder(inner, order);
        }
    }

    /// Finds the position of each node in the order of execution. Exporters may put copies of weights anywhere, as
    /// those of the last block first, so a copy gets the position of its first reader.
    void findPlaces()
    {
        std::vector<ir::NodeId> order;
        addInOrder(ir::Graph::body, order);
        std::vector<bool> isCopy(m_graph.valueCount());
        for (std::size_t i = 0; i < order.size(); ++i) {
            const ir::Node &node = m_graph.at(order[i]);
            bool isOne = node.regions.empty();
            for (const ir::Argument &argument : node.arguments)
                ir::forEachValue(argument.value, [&](ir::ValueId value) {
                    isOne = isOne && (isCopy[value.index] || ir::ValueRef(m_graph, value).weight());
                });
            for (const ir::ValueId output : node.outputs)
                isCopy[output.index] = isOne;
            m_places[order[i].index] = i;
        }
        for (const ir::NodeId node : order | std::views::reverse) {
            std::size_t first = order.size();
            for (const ir::ValueId output : m_graph.at(node).outputs)
                for (const ir::Use &use : m_graph.at(output).uses)
                    if (const auto *reader = std::get_if<ir::NodeId>(&use); reader && isCopy[output.index])
                        first = std::min(first, m_places[reader->index]);
            if (first < order.size())
                m_places[node.index] = first;
        }
    }

    void sortChildren()
    {
        for (ModuleSums::Sum &sum : m_sums.scopes)
            std::ranges::stable_sort(sum.children, {}, [this](ir::ScopeId child) { return m_firsts[child.index]; });
    }

    /// Counts the current node in its module and in those of the nodes around it.
    void countNode(ir::RegionId region)
    {
        for (std::size_t i = m_around.size(); i-- > 0;)
            countIn(m_around[i], region, i + 1);
    }

    /// Counts the current node in the modules from `scope` outwards, up to the first that contains one of the modules
    /// in m_around from the index `first` on: there it was counted already.
    void countIn(ir::ScopeId scope, ir::RegionId region, std::size_t first)
    {
        const auto isCounted = [&](ir::ScopeId counted) {
            return std::any_of(m_around.begin() + static_cast<std::ptrdiff_t>(first), m_around.end(),
                               [&](ir::ScopeId home) { return ir::isWithin(*m_model.context, home, counted); });
        };
        for (; !isCounted(scope); scope = m_model.context->at(scope).parent) {
            ModuleSums::Sum &sum = m_sums.scopes[scope.index];
            const bool isFirst = sum.nodes++ == 0;
            if (isFirst)
                sum.region = region;
            m_firsts[scope.index] = isFirst ? m_place : std::min(m_firsts[scope.index], m_place);
            if (scope == ir::ScopeId{})
                return;
            if (isFirst)
                m_sums.scopes[m_model.context->at(scope).parent.index].children.push_back(scope);
        }
    }

    void noteParameter(ir::TensorId parameter)
    {
        for (ir::ScopeId scope : m_around) {
            for (; scope != ir::ScopeId{}; scope = m_model.context->at(scope).parent)
                m_weights.emplace_back(scope, parameter);
            m_weights.emplace_back(scope, parameter);
        }
    }

    void countWeights()
    {
        std::ranges::sort(m_weights);
        const auto repeated = std::ranges::unique(m_weights);
        m_weights.erase(repeated.begin(), repeated.end());
        for (const auto &[scope, tensor] : m_weights) {
            addSaturating(m_sums.scopes[scope.index].parameters, ir::elementCount(m_model.at(tensor)));
            addSaturating(m_sums.scopes[scope.index].bytes, storedBytes(m_model, m_model.at(tensor)));
        }
    }

    const ir::Model &m_model;
    const ir::Graph &m_graph;
    const ParameterReads m_reads;
    ModuleSums m_sums;
    std::vector<std::size_t> m_places; ///< by NodeId
    std::vector<std::size_t> m_firsts; ///< by ScopeId: the position of the scope's first node
    std::size_t m_place = 0;           ///< the position of the current node
    std::vector<ir::ScopeId> m_around; ///< the modules around the current node, outside in
    std::vector<std::pair<ir::ScopeId, ir::TensorId>> m_weights;
};

} // namespace

ParameterReads::ParameterReads(const ir::Model &model, const ir::Graph &graph)
    : m_model(model),
      m_graph(graph),
      m_objects(model),
      m_tied(model)
{
}

void ParameterReads::forEach(const ir::Node &node, const std::function<void(ir::TensorId)> &visit) const
{
    for (const ir::Argument &argument : node.arguments)
        ir::forEachOperand(argument.value, [&](const ir::Operand &operand) {
            if (const auto value = ir::valueOf(m_graph, &operand)) {
                const auto weight = value->weight();
                // The graph of a picture of several states has weights that only other states have.
                if (weight && weight->index < m_model.tensors.size() && ir::isParameter(m_model.at(*weight)))
                    visit(m_tied.firstOf(*weight));
                else if (!m_objects.isEmpty() && value->producer())
                    if (const auto path = attributePath(m_graph, operand))
                        visitObject(*path, visit);
            } else if (const auto *object = operand.as<ir::ObjectId>()) {
                visitObject(m_model.context->text(m_model.at(*object).name), visit);
            }
        });
}

void ParameterReads::visitObject(std::string_view path, const std::function<void(ir::TensorId)> &visit) const
{
    for (const ir::TensorId tensor : m_objects.tensorsOf(path))
        if (ir::isParameter(m_model.at(tensor)))
            visit(m_tied.firstOf(tensor));
}

ModuleSums moduleSums(const ir::Model &model, const ir::Function &function) { return Summing(model, function).all(); }

std::vector<std::int64_t> parametersPerModule(const ir::Model &model)
{
    const TiedTensors tied(model);
    std::vector<std::pair<std::size_t, ir::TensorId>> held; // a module by its index, and a parameter in it or below
    for (std::size_t i = 0; i < model.modules.size(); ++i)
        for (const ir::TensorId id : model.modules[i].tensors) {
            if (!ir::isParameter(model.at(id)))
                continue;
            for (std::size_t at = i; at != 0; at = model.modules[at].parent.index)
                held.emplace_back(at, tied.firstOf(id));
            held.emplace_back(0, tied.firstOf(id));
        }
    std::ranges::sort(held);
    const auto repeated = std::ranges::unique(held);
    held.erase(repeated.begin(), repeated.end());
    std::vector<std::int64_t> sums(model.modules.size());
    for (const auto &[module, id] : held)
        addSaturating(sums[module], ir::elementCount(model.at(id)));
    return sums;
}

} // namespace cutaway::analysis
