// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/reading/reading.h"

#include "core/analysis/reading/written.h"
#include "core/base/overloaded.h"
#include "core/ir/opsets.h"
#include "core/ops/fact_source.h"
#include "core/ops/network/activation.h"
#include "core/ops/program/control_flow.h"

#include <algorithm>
#include <functional>

namespace cutaway::analysis {

using ir::NodeRef;
using ir::Operand;
using ir::RegionId;
using ir::ValueId;

Reading::Reading(const ir::Model &model, ir::FunctionId function, std::function<const Shapes &()> shapes)
    : m_isRemoved(model.at(function).graph.nodeCount()),
      m_model(model),
      m_function(function),
      m_shapes(std::move(shapes)),
      m_signatures(*model.context),
      m_calls(model, m_signatures, [this](ValueId value) { return derived(value); })
{
}

std::vector<NodeRef> Reading::nodes(RegionId region) const
{
    std::vector<NodeRef> all;
    const auto visit = [&](const auto &self, RegionId id) -> void {
        for (const NodeRef node : ir::nodesOf(graph(), id)) {
            all.push_back(node);
            for (const RegionId inner : node->regions)
                self(self, inner);
        }
    };
    visit(visit, region);
    return all;
}

void Reading::learn(ValueId made, ValueId before)
{
    if (const ops::Fact *known = derived(before); known && !restsOnRecord(before))
        m_learned.insert_or_assign(made, ops::Fact(*known));
}

/// The fact that propagation found of `value`; nullptr for a value that is newer, or that a loop makes anew in each
/// iteration.
const ops::Fact *Reading::derived(ValueId value)
{
    if (const auto learned = m_learned.find(value); learned != m_learned.end())
        return &learned->second;
    const auto regionOf = Overloaded{[&](const ir::NodeResult &result) { return graph().at(result.node).parent; },
                                     [](const ir::RegionInput &input) { return input.region; },
                                     [](const auto &) { return ir::RegionId(ir::Graph::body); }};
    const Shapes &shapes = m_shapes();
    const bool isKnown = value.index < shapes.facts.size() && !shapes.reshaped.contains(value)
        && !isRepeated(std::visit(regionOf, graph().at(value).definition));
    return isKnown ? &shapes.of(value) : nullptr;
}

/// Whether `region` may run more than once, so that the facts of its values are those of the last iteration.
bool Reading::isRepeated(RegionId region)
{
    if (region == ir::Graph::body)
        return false;
    if (const auto found = m_isRepeated.find(region); found != m_isRepeated.end())
        return found->second;
    const NodeRef owner = node(*graph().at(region).owner);
    const ops::Operator *known = row(owner);
    const bool repeated = (known && known->traits.repeatsRegions) || isRepeated(owner->parent);
    m_isRepeated.emplace(region, repeated);
    return repeated;
}

ops::Fact Reading::fact(const Operand &operand)
{
    const ops::FactsOfValues source([this](ValueId inList) -> const ops::Fact & {
        static const ops::Fact unknown;
        const ops::Fact *known = derived(inList);
        return known ? *known : unknown;
    });
    const auto *value = operand.as<ValueId>();
    if (!value)
        return ops::factOf(context(), source, operand);
    const ops::Fact *known = derived(*value);
    return known ? *known : ops::factOf(context(), graph().at(*value).type);
}

ops::Fact Reading::proven(const Operand &operand)
{
    bool isProven = true;
    ir::forEachValue(operand, [&](ValueId value) {
        const bool isOfFile = !derived(value) && value.index < shapes().facts.size();
        isProven = isProven && !isOfFile && !recorded().contains(value);
    });
    return isProven ? fact(operand) : ops::Fact();
}

const std::unordered_set<ValueId> &Reading::recorded()
{
    if (m_recorded)
        return *m_recorded;
    m_recorded.emplace();
    const std::vector<bool> &isRecorded = shapes().isRecorded;
    if (std::ranges::none_of(isRecorded, std::identity()))
        return *m_recorded;
    const std::vector<NodeRef> all = nodes();
    const auto read = [&](const Operand &operand) {
        bool found = false;
        ir::forEachValue(operand, [&](ValueId value) { found = found || m_recorded->contains(value); });
        return found;
    };
    const auto add = [&](const auto &values) { m_recorded->insert(values.begin(), values.end()); };
    for (std::uint32_t i = 0; i < isRecorded.size(); ++i)
        if (isRecorded[i])
            m_recorded->insert(ValueId{i});
    // This is repeated, since loops carry recorded types to values of earlier nodes.
    for (std::size_t known = 0; known != m_recorded->size();) {
        known = m_recorded->size();
        for (const NodeRef &node : all) {
            const bool isReader = std::ranges::any_of(node->arguments, read, &ir::Argument::value);
            if (isReader)
                add(node->outputs);
            for (const RegionId region : node->regions) {
                if (isReader)
                    add(graph().at(region).inputs);
                if (std::ranges::any_of(graph().at(region).outputs, read))
                    add(node->outputs), add(graph().at(region).inputs);
            }
        }
    }
    return *m_recorded;
}

ops::OperatorKind Reading::kind(const NodeRef &node)
{
    const auto [known, isNew] = m_kinds.try_emplace(node->op);
    if (isNew)
        known->second = ops::kindOf(node);
    return known->second;
}

const ops::Operator *Reading::row(const NodeRef &node)
{
    const auto [known, isNew] = m_rows.try_emplace(node->op);
    if (isNew)
        known->second = ops::findOperator(node.dialect(), node.opName());
    return known->second;
}

static const Operand *unlessNone(const Operand *operand)
{
    return operand && operand->as<ir::None>() ? nullptr : operand;
}

const Operand *Reading::argument(const NodeRef &node, std::string_view parameter)
{
    const Operand *named = node.argument(parameter);
    return named ? named : unlessNone(ops::givenArgument(node, signature(node->op), parameter));
}

const Operand *Reading::argument(const NodeRef &node, std::string_view parameter, std::size_t onnxPosition)
{
    return node.isOnnx() ? unlessNone(node.input(onnxPosition)) : argument(node, parameter);
}

const Operand *Reading::argument(const NodeRef &node, ops::Position position)
{
    return position ? unlessNone(ops::givenArgument(node, signature(node->op), *position)) : nullptr;
}

bool Reading::writes(const NodeRef &node)
{
    const ops::Signature *known = signature(node->op);
    return known && std::ranges::any_of(known->schema.arguments, [](const auto &a) { return a.type.isWritten(); });
}

/// Whether `node` calls another function of the model, which may do anything.
static bool callsFunction(const NodeRef &node)
{
    const ops::OperatorKind kind = ops::kindOf(node);
    return kind == ops::kind::callMethod || kind == ops::kind::callFunction
        || std::ranges::any_of(node->arguments,
                               [](const ir::Argument &argument) { return argument.value.as<ir::FunctionId>(); });
}

bool Reading::isPure(const NodeRef &node)
{
    const ops::Operator *known = row(node);
    if (!known || writes(node) || callsFunction(node))
        return false;
    if (known->traits.effect != ops::Effect::Pure && !isOutOfTraining(node))
        return false;
    return std::ranges::all_of(node->regions, [&](RegionId region) {
        return std::ranges::all_of(ir::nodesOf(graph(), region), [&](const NodeRef &inner) { return isPure(inner); });
    });
}

bool Reading::isRandom(const NodeRef &node)
{
    const ops::Operator *known = row(node);
    return known && known->traits.effect == ops::Effect::Random && !isOutOfTraining(node);
}

/// Whether `node` is a dropout that passes its input on.
bool Reading::isOutOfTraining(const NodeRef &node)
{
    if (kind(node) != ops::kind::dropout)
        return false;
    const Operand *trains = argument(node, "train", 2);
    if (node.isOnnx() && !trains)
        // The default of training_mode is false; before operator set 7 the attribute is_test meant the opposite.
        return ir::opsetIn(m_model, node.graph(), "onnx") >= 7 || call(node).integer("is_test").value_or(0) != 0;
    const auto flag = trains ? ops::asBool(fact(*trains)) : std::nullopt;
    return flag == false;
}

bool Reading::isReturned(ValueId value) const
{
    return std::ranges::any_of(graph().at(value).uses, [](const ir::Use &use) {
        const auto *region = std::get_if<RegionId>(&use);
        return region && *region == ir::Graph::body;
    });
}

/// Whether a weight may differ from call to call: a caller gives another one, or the function returns another value for
/// a buffer or parameter.
static bool mayDiffer(const ir::Function &function, ValueId weight)
{
    using Kind = ir::FunctionOutput::Kind;
    const auto input = std::ranges::find(function.inputs, Operand(weight), &ir::FunctionInput::value);
    return input != function.inputs.end()
        && (ir::isOverridable(*input) || std::ranges::any_of(function.outputs, [&](const ir::FunctionOutput &output) {
                return output.target == input->target
                    && (output.kind == Kind::BufferMutation || output.kind == Kind::ParameterMutation);
            }));
}

std::optional<ir::TensorId> Reading::constant(const Operand &operand)
{
    if (const auto *tensor = operand.as<ir::TensorId>())
        return *tensor;
    const auto value = ir::valueOf(graph(), &operand);
    const auto weight = value.and_then(&ir::ValueRef::weight);
    return weight && !written().contains(*value) && !mayDiffer(function(), *value) ? weight : std::nullopt;
}

const std::unordered_set<ValueId> &Reading::written()
{
    if (!m_written)
        m_written = writtenValues(graph(), m_signatures);
    return *m_written;
}

} // namespace cutaway::analysis
