// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/pt2/write/captures.h"

#include "core/base/formatted.h"
#include "core/base/overloaded.h"
#include "core/formats/notes/notes.h"
#include "core/formats/unusable.h"
#include "core/ir/context.h"
#include "core/ir/node_ref.h"

#include <algorithm>
#include <array>
#include <unordered_map>
#include <unordered_set>

namespace cutaway::formats::pt2 {

namespace {

using ir::Operand;
using ir::RegionId;
using ir::ValueId;

/// Higher-order operators whose last operands, single or as one list, become the last inputs of all their graphs.
constexpr std::array takesMoreOperands{std::string_view("cond"),
                                       std::string_view("while_loop"),
                                       std::string_view("map_impl"),
                                       std::string_view("scan"),
                                       std::string_view("wrap"),
                                       std::string_view("wrap_with_set_grad_enabled"),
                                       std::string_view("strict_mode"),
                                       std::string_view("wrap_with_autocast"),
                                       std::string_view("run_const_graph"),
                                       std::string_view("associative_scan")};

class CaptureLifting {
public:
    explicit CaptureLifting(ir::Graph &graph) : m_graph(graph) { }

    /// Lifts inner graphs first: the values that they read become operands in the graph around them, which may itself
    /// read them from outside.
    void run(RegionId region)
    {
        for (const ir::NodeId node : std::vector(m_graph.at(region).nodes)) {
            const std::vector<RegionId> inner = m_graph.at(node).regions;
            for (const RegionId id : inner)
                run(id);
            if (!inner.empty())
                lift(node);
        }
    }

private:
    RegionId regionOf(ValueId value) const
    {
        return std::visit(Overloaded{[&](const ir::NodeResult &result) { return m_graph.at(result.node).parent; },
                                     [](const ir::NoDefinition &) { return RegionId(ir::Graph::body); },
                                     [](const auto &made) { return made.region; }},
                          m_graph.at(value).definition);
    }

    /// Calls visit(ValueId) for all values that the nodes and results of a graph read themselves, not those that only
    /// the graphs of its nodes read.
    template <class Visit>
    void forEachValueRead(RegionId region, const Visit &visit) const
    {
        for (const ir::NodeId node : m_graph.at(region).nodes)
            for (const ir::Argument &argument : m_graph.at(node).arguments)
                forEachValue(argument.value, visit);
        for (const Operand &output : m_graph.at(region).outputs)
            forEachValue(output, visit);
    }

    std::vector<ValueId> capturesOf(const ir::Node &node) const
    {
        std::vector<ValueId> captures;
        for (const RegionId region : node.regions)
            forEachValueRead(region, [&](ValueId value) {
                if (regionOf(value) != region && !std::ranges::contains(captures, value))
                    captures.push_back(value);
            });
        return captures;
    }

    void lift(ir::NodeId id)
    {
        const std::vector<ValueId> captures = capturesOf(m_graph.at(id));
        if (captures.empty())
            return;
        const ir::NodeRef node(m_graph, id);
        if (node.dialect() != "higher_order" || !std::ranges::contains(takesMoreOperands, node.opName()))
            unwritable("its graphs read values from outside, which a program of torch.export must give to "
                           + node.fullName() + " as operands, and this operator is not known to take more",
                       shown(node));
        for (const RegionId region : ir::RareList(m_graph.at(id).regions))
            takeAsInputs(region, captures);
        addOperands(id, captures);
    }

    void takeAsInputs(RegionId region, const std::vector<ValueId> &captures)
    {
        std::unordered_map<ValueId, ValueId> inputs;
        for (const ValueId captured : captures)
            inputs.emplace(captured, m_graph.addInput(region, m_graph.at(captured).name, m_graph.at(captured).type));
        const auto replaced = [&](const Operand &operand) {
            return ir::withValues(operand, [&](ValueId value) {
                const auto input = inputs.find(value);
                return Operand(input == inputs.end() ? value : input->second);
            });
        };
        for (const ir::NodeId inner : std::vector(m_graph.at(region).nodes)) {
            std::vector<ir::Argument> arguments = m_graph.at(inner).arguments;
            for (ir::Argument &argument : arguments)
                argument.value = replaced(argument.value);
            if (arguments != m_graph.at(inner).arguments)
                m_graph.setArguments(inner, std::move(arguments));
        }
        std::vector<Operand> outputs = m_graph.at(region).outputs;
        std::ranges::transform(outputs, outputs.begin(), replaced);
        m_graph.setOutputs(region, std::move(outputs));
    }

    void addOperands(ir::NodeId id, const std::vector<ValueId> &captures)
    {
        std::vector<ir::Argument> arguments = m_graph.at(id).arguments;
        auto *last = arguments.empty() ? nullptr : std::get_if<ir::List>(&arguments.back().value.v);
        for (const ValueId captured : captures)
            if (last)
                last->items.push_back(captured);
            else
                arguments.push_back({{}, captured});
        m_graph.setArguments(id, std::move(arguments));
    }

    ir::Graph &m_graph;
};

} // namespace

ir::Model withoutCaptures(ir::Model model)
{
    for (ir::Function &function : model.functions)
        CaptureLifting(function.graph).run(ir::Graph::body);
    return model;
}

ir::Model withConstantNames(ir::Model model, std::uint32_t count)
{
    ir::Context &context = *model.context;
    std::unordered_set<std::string> taken;
    for (const ir::Tensor &tensor : model.tensors)
        taken.emplace(context.text(tensor.name));
    for (std::uint32_t i = count; i < model.tensors.size(); ++i) {
        if (model.tensors[i].kind != ir::Tensor::Kind::Constant)
            continue;
        const std::string wanted = "constant_" + std::string(context.text(model.tensors[i].name));
        std::string name = wanted;
        for (int n = 1; !taken.insert(name).second; ++n)
            name = formatted("{}_{}", wanted, n);
        model.tensors.edit(i).name = context.name(name);
    }
    return model;
}

} // namespace cutaway::formats::pt2
