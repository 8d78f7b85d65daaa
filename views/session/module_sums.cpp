// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/session/module_sums.h"

#include "core/ir/context.h"

#include <algorithm>
#include <utility>

namespace cutaway::views {
namespace {

class Summing {
public:
    Summing(const ir::Model &model, const ir::Function &function) : m_model(model), m_graph(function.graph)
    {
        m_sums.scopes.resize(model.context->scopeCount());
    }

    ModuleSums all()
    {
        countRegion(ir::Graph::body);
        countWeights();
        return std::move(m_sums);
    }

private:
    void countRegion(ir::RegionId region)
    {
        for (ir::NodeId id : m_graph.at(region).nodes) {
            const ir::Node &node = m_graph.at(id);
            countNode(node.scope, region);
            for (const ir::Argument &argument : node.arguments)
                ir::forEachValue(argument.value, [&](ir::ValueId value) { noteWeight(node.scope, value); });
            for (ir::RegionId inner : node.regions)
                countRegion(inner);
        }
    }

    void countNode(ir::ScopeId scope, ir::RegionId region)
    {
        ModuleSums::Sum &sum = m_sums.scopes[scope.index];
        if (sum.nodes++ == 0)
            sum.region = region;
        if (scope == ir::ScopeId{})
            return;
        const ir::ScopeId parent = m_model.context->at(scope).parent;
        if (sum.nodes == 1)
            m_sums.scopes[parent.index].children.push_back(scope);
        countNode(parent, region);
    }

    void noteWeight(ir::ScopeId scope, ir::ValueId value)
    {
        const auto *weight = std::get_if<ir::Weight>(&m_graph.at(value).definition);
        for (; weight; scope = m_model.context->at(scope).parent) {
            m_weights.emplace_back(scope, weight->tensor);
            if (scope == ir::ScopeId{})
                return;
        }
    }

    void countWeights()
    {
        std::ranges::sort(m_weights);
        const auto twice = std::ranges::unique(m_weights);
        m_weights.erase(twice.begin(), twice.end());
        for (const auto &[scope, tensor] : m_weights) {
            if (m_model.at(tensor).kind != ir::Tensor::Kind::Parameter)
                continue;
            m_sums.scopes[scope.index].parameters += ir::elementCount(m_model.at(tensor)).value_or(0);
            m_sums.scopes[scope.index].bytes += ir::byteSize(m_model.at(tensor)).value_or(0);
        }
    }

    const ir::Model &m_model;
    const ir::Graph &m_graph;
    ModuleSums m_sums;
    std::vector<std::pair<ir::ScopeId, ir::TensorId>> m_weights;
};

} // namespace

ModuleSums moduleSums(const ir::Model &model, const ir::Function &function) { return Summing(model, function).all(); }

} // namespace cutaway::views
