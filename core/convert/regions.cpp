// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/convert/translation.h"
#include "core/ir/context.h"
#include "core/ops/operator.h"
#include "core/ops/program/control_flow.h"
#include "core/passes/inlining.h"

#include <algorithm>

// This file lowers the operators of torch.export that run a region once, in its place, or once for each slice.

namespace cutaway::convert {

namespace {

using ir::DType;
using ir::NodeRef;
using ir::Operand;
using ir::ValueId;

/// Returns the items of an argument that is a list; no items for other arguments.
std::vector<Operand> itemsAt(const NodeRef &node, std::size_t position)
{
    const auto *list = position < node->arguments.size() ? node->arguments[position].value.as<ir::List>() : nullptr;
    return list ? list->items : ir::RareList<Operand>();
}

/// The inputs of a region that runs for each slice: states, slices, and operands that are the same for all.
struct SlicedInputs {
    std::vector<Operand> states, sliced, others;
    std::size_t count() const { return states.size() + sliced.size() + others.size(); }
};

/// Reads map([sliced], [others]) and scan([states], [sliced], …, [others]); in PyTorch 2.6 scan also has a dimension
/// and a direction.
SlicedInputs slicedInputsOf(const NodeRef &node)
{
    const bool isMap = ops::kindOf(node) == ops::kind::map;
    SlicedInputs made;
    if (!isMap)
        made.states = itemsAt(node, 0);
    made.sliced = itemsAt(node, isMap ? 0 : 1);
    if (node->arguments.size() > (isMap ? 1 : 2))
        made.others = itemsAt(node, node->arguments.size() - 1);
    return made;
}

} // namespace

/// Lowers a node that runs its region once: the region's inputs are the node's last arguments.
std::optional<std::string> Translation::lowerWrapper(const NodeRef &node)
{
    const ir::Region &region = source().at(node->regions.front());
    const std::vector<Operand> given = passes::openedArguments(node, 0);
    const bool isAutocast = ops::kindOf(node) == ops::kind::wrapWithAutocast;
    if (given.size() < region.inputs.size() + (isAutocast ? 3 : 0) || region.outputs.size() != node.outputCount())
        return "its region does not fit its arguments";
    if (isAutocast) // (device, dtype, enabled, cache, …)
        m_autocasts.emplace_back(fact(given[0]), fact(given[1]), fact(given[2]));
    Lowering l = lowering(node);
    const std::size_t first = given.size() - region.inputs.size();
    for (std::size_t i = 0; i < region.inputs.size(); ++i)
        m_values.insert_or_assign(region.inputs[i], l.lowered(given[first + i]));
    lowerRegion(node->regions.front());
    if (isAutocast)
        m_autocasts.pop_back();
    for (std::size_t i = 0; i < node.outputCount(); ++i)
        m_values.insert_or_assign(node.output(i), l.lowered(region.outputs[i]));
    return std::nullopt;
}

/// Casts the operands of the nodes inside autocast regions, as torch.autocast does.
std::optional<std::string> Translation::castOperands(Lowering &l) const
{
    if (m_autocasts.empty())
        return std::nullopt;
    const ops::Autocast &innermost = m_autocasts.back();
    const ops::CastTo to = ops::castOf(innermost, l.call());
    if (to == ops::CastTo::Nothing)
        return std::nullopt;
    if (to == ops::CastTo::Unknown || !innermost.isEnabled || innermost.device != "cpu")
        return "what autocast makes of its operands is not known";
    const bool isWide = std::ranges::any_of(
        l.node()->arguments, [&](const ir::Argument &argument) { return ops::holdsFloat32(fact(argument.value)); });
    const bool isFloat32 = to == ops::CastTo::Float32 || (to == ops::CastTo::Widest && isWide);
    l.castOperands(isFloat32 ? DType::Float32 : innermost.lower);
    return std::nullopt;
}

std::optional<std::string> Translation::lowerSliced(const NodeRef &node)
{
    const ir::Region &region = source().at(node->regions.front());
    const SlicedInputs given = slicedInputsOf(node);
    if (given.count() != region.inputs.size() || given.sliced.empty() || region.outputs.size() != node.outputCount())
        return "its region does not fit its arguments";
    if (ops::kindOf(node) == ops::kind::scan && node->arguments.size() > 4
        && (ops::asInt(fact(node->arguments[2].value)) != ir::Dim(ops::zero)
            || ops::asBool(fact(node->arguments[3].value)) != false))
        return "it does not scan the first dimension forwards";
    const std::size_t sliced = given.states.size() + given.sliced.size();
    if (auto reason = whyNotSteady(m_shapes, std::span(region.inputs).first(sliced)))
        return reason;
    Lowering l = lowering(node);
    NewNode scan{"Scan", {}, {{"num_scan_inputs", static_cast<std::int64_t>(given.sliced.size())}}};
    for (std::size_t i = 0; i < given.states.size(); ++i) {
        const Lowered state = l.lowered(given.states[i]);
        const auto declared = onnxType(factOf(region.inputs[i]));
        scan.inputs.push_back(cast(Term{&l, state.operand, state.dtype}, *declared->dtype).operand);
    }
    for (const Operand &each : given.sliced)
        scan.inputs.push_back(l.lowered(each).operand);
    const std::size_t before = m_graph.madeCount();
    const NodeRef made = m_graph.add(scan, node.outputCount());
    const ir::RegionId around = m_graph.region();
    const ir::RegionId body = m_graph.graph().addRegion(made, m_source.context->name("body"));
    m_graph.enter(body);
    for (std::size_t i = 0; i < region.inputs.size(); ++i)
        if (i < sliced)
            addRegionInput(body, region.inputs[i]);
        else
            m_values.insert_or_assign(region.inputs[i], l.lowered(given.others[i - sliced]));
    lowerRegion(node->regions.front());
    m_graph.from(node);
    Lowering inner = lowering(node);
    std::vector<Operand> outputs;
    for (std::size_t i = 0; i < region.outputs.size(); ++i) {
        const Lowered end = asDeclared(inner, inner.lowered(region.outputs[i]), node.output(i));
        outputs.push_back(end.operand);
    }
    setRegionOutputs(body, std::move(outputs));
    m_graph.enter(around);
    setResults(node, made, before);
    return inner.isRefused() ? std::optional(inner.reason()) : std::nullopt;
}

} // namespace cutaway::convert
