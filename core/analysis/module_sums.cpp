// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/module_sums.h"

#include "core/analysis/saturating.h"
#include "core/ir/node_ref.h"

#include <algorithm>
#include <utility>

namespace cutaway::analysis {

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
        for (const ir::NodeRef node : ir::nodesOf(m_graph, region)) {
            countNode(node->scope, region);
            for (const ir::Argument &argument : node->arguments)
                ir::forEachValue(argument.value, [&](ir::ValueId value) { noteWeight(node->scope, value); });
            for (ir::RegionId inner : node->regions)
                countRegion(inner);
        }
    }

    void countNode(ir::ScopeId scope, ir::RegionId region)
    {
        for (;; scope = m_model.context->at(scope).parent) {
            ModuleSums::Sum &sum = m_sums.scopes[scope.index];
            const bool isFirst = sum.nodes++ == 0;
            if (isFirst)
                sum.region = region;
            if (scope == ir::ScopeId{})
                return;
            if (isFirst)
                m_sums.scopes[m_model.context->at(scope).parent.index].children.push_back(scope);
        }
    }

    void noteWeight(ir::ScopeId scope, ir::ValueId value)
    {
        const auto weight = ir::ValueRef(m_graph, value).weight();
        for (; weight; scope = m_model.context->at(scope).parent) {
            m_weights.emplace_back(scope, *weight);
            if (scope == ir::ScopeId{})
                return;
        }
    }

    void countWeights()
    {
        std::ranges::sort(m_weights);
        const auto repeated = std::ranges::unique(m_weights);
        m_weights.erase(repeated.begin(), repeated.end());
        for (const auto &[scope, tensor] : m_weights) {
            if (m_model.at(tensor).kind != ir::Tensor::Kind::Parameter)
                continue;
            addSaturating(m_sums.scopes[scope.index].parameters, ir::elementCount(m_model.at(tensor)));
            addSaturating(m_sums.scopes[scope.index].bytes, ir::byteSize(m_model.at(tensor)));
        }
    }

    const ir::Model &m_model;
    const ir::Graph &m_graph;
    ModuleSums m_sums;
    std::vector<std::pair<ir::ScopeId, ir::TensorId>> m_weights;
};

} // namespace

ModuleSums moduleSums(const ir::Model &model, const ir::Function &function) { return Summing(model, function).all(); }

std::vector<std::int64_t> parametersPerModule(const ir::Model &model)
{
    std::vector<std::int64_t> sums(model.modules.size());
    for (std::size_t i = 0; i < model.modules.size(); ++i)
        for (const ir::TensorId id : model.modules[i].tensors)
            if (model.at(id).kind == ir::Tensor::Kind::Parameter)
                addSaturating(sums[i], ir::elementCount(model.at(id)));
    // A child comes after its parent.
    for (std::size_t i = model.modules.size(); i-- > 1;)
        addSaturating(sums[model.modules[i].parent.index], sums[i]);
    return sums;
}

} // namespace cutaway::analysis
