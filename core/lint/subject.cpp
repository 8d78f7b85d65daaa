// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/lint/subject.h"

#include "core/ops/facts/dim_arithmetic.h"
#include "core/ops/program/control_flow.h"

#include <algorithm>

namespace cutaway::lint {

Subject::Subject(const ir::Model &model, const analysis::Analysis &analysis, const Options &options, const Task &task)
    : m_model(model),
      m_analysis(analysis),
      m_options(options),
      m_task(task),
      m_reader(model, analysis.function, [this]() -> const analysis::Shapes & { return m_analysis.shapes; })
{
}

const std::vector<ir::NodeRef> &Subject::nodes()
{
    if (!m_nodes) {
        m_nodes.emplace();
        addNodes(ir::Graph::body);
    }
    return *m_nodes;
}

void Subject::addNodes(ir::RegionId region)
{
    for (const ir::NodeRef node : ir::nodesOf(graph(), region)) {
        m_nodes->push_back(node);
        const auto only = onlyRegionOf(node);
        for (std::size_t i = 0; i < node->regions.size(); ++i)
            if (!only || i == *only)
                addNodes(node->regions[i]);
    }
}

/// Returns the index of the region that a branch takes, if that is known.
std::optional<std::size_t> Subject::onlyRegionOf(const ir::NodeRef &node)
{
    const bool isBranch = m_reader.kind(node) == ops::kind::ifElse && node->regions.size() == 2;
    const ir::Operand *condition = isBranch && !node->arguments.empty() ? &node->arguments.front().value : nullptr;
    const auto isTrue = condition ? ops::asBool(m_reader.fact(*condition)) : std::nullopt;
    return isTrue ? std::optional<std::size_t>(*isTrue ? 0 : 1) : std::nullopt;
}

std::optional<ops::TensorFact> Subject::tensor(const ir::Operand &operand)
{
    const ops::Fact fact = m_reader.fact(operand);
    const ops::TensorFact *known = ops::asTensor(fact);
    return known ? std::optional(*known) : std::nullopt;
}

void Subject::report(std::string message)
{
    const bool isOfFile = m_rule->scope == Rule::Scope::File;
    m_findings.push_back({m_rule, std::move(message), isOfFile ? std::nullopt : std::optional(functionId()), {}, {}});
}

void Subject::report(const ir::NodeRef &node, std::string message)
{
    m_findings.push_back({m_rule, std::move(message), functionId(), node.id(), {}});
}

void Subject::report(const ir::ValueRef &value, std::string message)
{
    m_findings.push_back({m_rule, std::move(message), functionId(), {}, value.id()});
}

bool hasElements(const ops::TensorFact &tensor)
{
    return !tensor.shape || ops::number(ops::elementsOf(*tensor.shape)) != std::optional<std::int64_t>(1);
}

} // namespace cutaway::lint
