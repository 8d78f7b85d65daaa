// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/page/part_sections.h"

#include "core/base/formatted.h"
#include "core/base/overloaded.h"
#include "core/base/text.h"
#include "core/ir/names.h"
#include "core/ir/opsets.h"
#include "core/layout/describe.h"
#include "core/ops/operator.h"
#include "core/ops/schemas/onnx_inputs.h"
#include "core/print/figures.h"
#include "core/print/python_operands.h"
#include "core/report/cells.h"
#include "core/report/timing/roofline_report.h"
#include "core/run/timing.h"

namespace cutaway::report {

namespace {

constexpr std::size_t maxOperand = 200;

/// The texts of a node in the last state that has the node.
class NodeText {
public:
    NodeText(const PageStates &states, const layout::Outline &outline, ir::NodeId node)
        : m_states(states),
          m_outline(outline),
          m_model(states.of(node).subject.model),
          m_node(states.of(node).graph(), node),
          m_row(states.rowOf(node))
    {
    }

    PartText text() const
    {
        PartText text{m_row.name, m_row.op, {}};
        for (PartSection section : {about(), arguments(), outputs(), costs(), measured()})
            if (!section.rows.empty())
                text.sections.push_back(std::move(section));
        return text;
    }

private:
    PartSection about() const
    {
        PartSection section{"", {}};
        const auto add = [&](const char *key, std::string value) {
            if (!value.empty())
                section.rows.push_back({key, std::move(value)});
        };
        add("meaning", std::string(ops::meaningOf(m_node.dialect(), m_node.opName())));
        add("category", std::string(ops::name(m_row.category)));
        add("module", m_row.scope);
        add("source", m_row.source);
        return section;
    }

    std::string argumentName(std::size_t position) const
    {
        std::string_view name = m_node.graph().context().text(m_node->arguments[position].name);
        if (name.empty() && m_node.isOnnx())
            name =
                ops::onnxInputName(m_node.opName(), ir::opsetIn(m_model, m_node.graph(), m_node.dialect()), position);
        return name.empty() ? "#" + std::to_string(position) : sanitized(name);
    }

    PartRow valueRow(std::string key, ir::ValueId id) const
    {
        const ir::ValueRef value(m_node.graph(), id);
        PartRow row{std::move(key), sanitized(ir::nameOf(value)), m_states.typeOf(id)};
        if (const auto maker = value.producer())
            row.part = m_outline.partOfNode[maker->id().index];
        return row;
    }

    PartSection arguments() const
    {
        const auto tensorName = [&](ir::TensorId id) {
            return std::string(m_model.context->text(m_model.at(id).name));
        };
        const auto valueName = [&](ir::ValueId id) { return ir::nameOf({m_node.graph(), id}); };
        const print::PythonOperands operands(m_model, valueName, tensorName);
        PartSection section{"Arguments", {}};
        for (std::size_t i = 0; i < m_node->arguments.size(); ++i) {
            const ir::Operand &operand = m_node->arguments[i].value;
            if (const auto *value = operand.as<ir::ValueId>())
                section.rows.push_back(valueRow(argumentName(i), *value));
            else
                section.rows.push_back({argumentName(i), shortened(sanitized(operands.print(operand)), maxOperand)});
        }
        return section;
    }

    PartSection outputs() const
    {
        PartSection section{m_node.outputCount() == 1 ? "Output" : "Outputs", {}};
        for (const ir::ValueRef value : m_node.outputs()) {
            const std::string type = m_states.typeOf(value);
            section.rows.push_back({sanitized(ir::nameOf(value)), type.empty() ? "unknown type" : type});
        }
        return section;
    }

    PartSection costs() const
    {
        PartSection section{"Cost", {}};
        const ops::Cost &cost = m_row.cost, &atLeast = m_row.atLeast;
        section.rows = {{"FLOPs", print::flopText(cost.flops, atLeast.flops)},
                        {"other FLOPs", print::flopText(cost.otherFlops, atLeast.otherFlops)},
                        {"bytes read", print::bytesText(cost.bytesRead, atLeast.bytesRead)},
                        {"bytes written", print::bytesText(cost.bytesWritten, atLeast.bytesWritten)}};
        if (m_row.time) {
            section.rows.push_back({"least time", print::secondsText(m_row.time->seconds)});
            section.rows.push_back({"bound by", std::string(name(m_row.time->bound))});
        }
        for (PartRow &row : section.rows)
            row.text = shortened(row.text, maxOperand);
        return section;
    }

    /// Returns the section on the measured time of a node. If nodes ran as one, only their lead (NodeTimes::leadOf())
    /// has the time; the others link to the lead.
    PartSection measured() const
    {
        PartSection section{"Measured", {}};
        const run::NodeTimes &times = m_states.times();
        for (const std::size_t part : times.partsOf(m_node)) {
            const auto lead = times.leadOf(part);
            if (lead != m_node.id()) {
                section.rows.push_back({"ran with", m_states.rowOf(*lead).name, {}, m_outline.partOfNode[lead->index]});
                continue;
            }
            const protocol::Spread &time = times.timing()->nodes[part].measured.time;
            section.rows.push_back({"time, median", print::secondsText(time.median)});
            if (time.count > 1)
                section.rows.push_back(
                    {"5 to 95 %", formatted("{} to {}", print::secondsText(time.p5), print::secondsText(time.p95))});
        }
        for (const ir::NodeId other : times.togetherWith(m_node))
            if (other != m_node.id())
                section.rows.push_back(
                    {"fused with", m_states.rowOf(other).name, {}, m_outline.partOfNode[other.index]});
        return section;
    }

    const PageStates &m_states;
    const layout::Outline &m_outline;
    const ir::Model &m_model;
    const ir::NodeRef m_node;
    const NodeRow &m_row;
};

PartText moduleText(const ir::Context &context, ir::ScopeId id)
{
    const ir::Scope &scope = context.at(id);
    const std::string className = sanitized(context.text(scope.className));
    PartText text{sanitized(context.text(scope.path)), std::string(layout::shortClassName(className)), {}};
    if (text.what.empty())
        text.what = "module";
    if (!className.empty())
        text.sections.push_back({"", {{"class", className}}});
    return text;
}

} // namespace

PartText textOf(const PageStates &states, const layout::Outline &outline, std::uint32_t part)
{
    const ir::Graph &graph = states.function().graph;
    const auto is = [](const char *what) { return PartText{"", what, {}}; };
    return std::visit(
        Overloaded{[&](ir::NodeId node) { return NodeText(states, outline, node).text(); },
                   [&](const layout::ScopeSubject &module) { return moduleText(graph.context(), module.scope); },
                   [&](ir::RegionId region) {
                       return PartText{sanitized(graph.context().text(graph.at(region).name)),
                                       part == 0 ? "function" : "region",
                                       {}};
                   },
                   [&](const layout::GroupSubject &) { return is("group"); },
                   [&](const layout::FoundSubject &) {
                       const layout::FoundName &found = outline.found[outline.parts[part].found];
                       return PartText{sanitized(found.name), "part that was found in the graph", {}};
                   },
                   [&](const layout::PlumbingSubject &) { return is("plumbing"); },
                   [&](const auto &) { return is(""); }},
        outline.parts[part].subject);
}

} // namespace cutaway::report
