// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "plugins/torch/jit/read_back.h"

#include "core/ir/node_ref.h"
#include "plugins/torch/jit/constant_weights.h"
#include "plugins/torch/jit/kept_nodes.h"
#include "plugins/torch/jit/origins.h"
#include "plugins/torch/operands.h"
#include "plugins/torch/types.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <span>
#include <torch/csrc/jit/ir/constants.h>

// torch's graph is walked in its order. Constants and marked lists become operands. Of the other nodes, some are nodes
// of the IR (kept_nodes.h), and the rest is new. A new node with the mark of an IR node has that node as its origin.
// One without a mark has the removed nodes that made its readers' operands before torch's passes, or, if none was
// removed, the readers themselves.
//
// torch removes unused results, which the IR's nodes keep: such a result of a branch becomes None, one of a loop is
// carried unchanged.

namespace cutaway::plugins {

namespace {

using ir::NodeId;
using ir::RegionId;
using ir::ValueId;
using torch::jit::Node;
using torch::jit::Value;
namespace prim = torch::jit::prim;

/// By result of an IR node: the index of that result of torch's node; nothing if torch has removed it.
using Places = std::vector<std::optional<std::size_t>>;
/// The outputs of a region: the index of an output of torch's block, or a substitute in the IR.
using Outputs = std::vector<std::variant<std::size_t, ir::Operand>>;

Outputs inOrder(std::size_t count)
{
    Outputs outputs;
    for (std::size_t i = 0; i < count; ++i)
        outputs.emplace_back(i);
    return outputs;
}

class ReadBack {
public:
    ReadBack(ir::Model &model, ir::FunctionId function, const JitGraph &jit)
        : m_model(model),
          m_context(*model.context),
          m_function(model.functions[function.index]),
          m_before(m_function.graph),
          m_jit(jit),
          m_kept(jit, m_before)
    {
    }

    void run()
    {
        TORCH_CHECK(m_jit.graph->inputs().size() == m_jit.inputs.size(), "torch has changed the inputs");
        for (std::size_t i = 0; i < m_jit.inputs.size(); ++i)
            m_operands[m_jit.graph->inputs()[i]] = m_jit.inputs[i];
        const torch::jit::Block *body = m_jit.graph->block();
        TORCH_CHECK(body->outputs().size() == m_before.at(ir::Graph::body).outputs.size(),
                    "torch has changed the number of outputs");
        take(body, ir::Graph::body, inOrder(body->outputs().size()));
        graph().reorder(std::move(m_orders));
        graph().remove(discarded());
        for (const ValueId value : m_nothing)
            graph().setType(value, m_context.type(ir::PlainType{ir::PlainType::Kind::None}));
        setSignature();
    }

private:
    ir::Graph &graph() { return m_function.graph; }

    // ---- operands

    ir::Operand operandOf(const Value *value, std::string_view nameOfConstant)
    {
        if (const auto known = m_operands.find(value); known != m_operands.end())
            return known->second;
        const Node *node = value->node();
        TORCH_CHECK(node->kind() == prim::Constant, "torch reads a value before it is made");
        const OperandMark *mark = m_jit.operandOf(*node);
        ir::Operand operand = mark ? mark->operand : constantOperand(value, nameOfConstant);
        m_operands.emplace(value, operand);
        return operand;
    }

    ir::Operand constantOperand(const Value *value, std::string_view name)
    {
        const auto constant = torch::jit::toIValue(value);
        TORCH_CHECK(constant, "torch has made a constant of the type ", value->type()->str());
        return plugins::operandOf(*constant, m_context, [&](const at::Tensor &tensor) -> ir::Operand {
            return weightOf(tensor, name, m_jit, m_model, graph());
        });
    }

    /// Returns the operand that `node` represents now: that of its mark, or a new one if its inputs have changed.
    ir::Operand remade(const Node &node, const OperandMark &mark)
    {
        std::vector<ir::Operand> inputs;
        for (const Value *input : node.inputs())
            inputs.push_back(operandOf(input, {}));
        if (inputs == mark.inputs)
            return mark.operand;
        if (node.kind() == prim::DictConstruct)
            return ir::Dict{std::move(inputs)};
        if (node.kind() == prim::ListConstruct)
            return ir::List{std::move(inputs)};
        if (node.kind() == prim::TupleConstruct)
            return ir::List{std::move(inputs), ir::List::Kind::Tuple};
        return inputs.at(0);
    }

    // ---- regions

    void take(const torch::jit::Block *block, RegionId region, const Outputs &outputs)
    {
        const std::vector<NodeId> before = graph().at(region).nodes;
        const std::vector<ir::Operand> outputsBefore = graph().at(region).outputs;
        std::vector<NodeId> order;
        for (const Node *node : block->nodes()) {
            if (node->kind() == prim::Constant)
                continue;
            if (const OperandMark *mark = m_jit.operandOf(*node))
                m_operands[node->output()] = remade(*node, *mark);
            else
                order.push_back(takeNode(*node, region));
        }
        for (const NodeId node : before)
            if (!m_kept.by(node)) {
                m_gone.push_back(node);
                order.push_back(node);
            }
        m_orders.push_back({region, std::move(order)});
        std::vector<ir::Operand> results;
        for (std::size_t i = 0; i < outputs.size(); ++i) {
            const auto *place = std::get_if<std::size_t>(&outputs[i]);
            results.push_back(place ? operandOf(block->outputs()[*place], nameBefore(outputsBefore, i))
                                    : std::get<ir::Operand>(outputs[i]));
        }
        if (results != outputsBefore)
            graph().setOutputs(region, std::move(results));
    }

    std::string_view nameBefore(std::span<const ir::Operand> operands, std::size_t i) const
    {
        const auto value = i < operands.size() ? ir::valueOf(m_before, &operands[i]) : std::nullopt;
        return value ? value->name() : std::string_view();
    }

    NodeId takeNode(const Node &node, RegionId region)
    {
        const auto kept = m_kept.idOf(node);
        return kept ? keep(node, *kept) : make(node, region);
    }

    NodeId keep(const Node &node, NodeId id)
    {
        const Places places = placesOfResults(node, id);
        auto arguments = node.kind() == prim::Loop ? argumentsOfLoop(node, id, places) : argumentsLike(node, id);
        if (arguments != graph().at(id).arguments)
            graph().setArguments(id, std::move(arguments));
        for (std::size_t i = 0; i < places.size(); ++i) {
            if (i == graph().at(id).outputs.size())
                graph().addOutput(id, {}, irType(m_context, node.outputs()[*places[i]]->type()));
            const ValueId value = graph().at(id).outputs[i];
            if (places[i])
                m_operands[node.outputs()[*places[i]]] = value;
            else if (node.kind() == prim::If)
                m_nothing.push_back(value);
        }
        for (std::size_t i = 0; i < node.blocks().size(); ++i)
            if (node.kind() == prim::Loop)
                takeLoopBody(node.blocks()[i], graph().at(id).regions[i], places);
            else
                takeBranch(node.blocks()[i], graph().at(id).regions[i], places);
        return id;
    }

    void takeBranch(const torch::jit::Block *block, RegionId region, const Places &places)
    {
        Outputs outputs;
        for (const auto &place : places)
            outputs.push_back(place ? Outputs::value_type(*place) : Outputs::value_type(ir::Operand(ir::None{})));
        take(block, region, outputs);
    }

    /// Reads a loop's body, with iteration number and condition first. Values that torch dropped are carried unchanged.
    void takeLoopBody(const torch::jit::Block *block, RegionId region, const Places &places)
    {
        const std::vector<ValueId> inputs = graph().at(region).inputs;
        m_operands[block->inputs()[0]] = inputs.at(0);
        Outputs outputs = inOrder(1);
        for (std::size_t i = 0; i < places.size(); ++i) {
            outputs.push_back(places[i] ? Outputs::value_type(*places[i] + 1)
                                        : Outputs::value_type(ir::Operand(inputs.at(i + 1))));
            if (places[i])
                m_operands[block->inputs()[*places[i] + 1]] = inputs.at(i + 1);
        }
        take(block, region, outputs);
    }

    /// Finds the results of the IR node among those of torch's node: by their names if the node has regions, as torch
    /// may have removed some, else by their order. Further results of torch's node follow.
    Places placesOfResults(const Node &node, NodeId id) const
    {
        const auto results = node.outputs();
        Places places;
        std::set<std::size_t> known;
        for (std::size_t i = 0; i < m_before.at(id).outputs.size(); ++i) {
            const auto named = std::ranges::find(results, nameOf(m_before.at(id).outputs[i]), &Value::debugName);
            const auto place = node.blocks().empty() ? i : static_cast<std::size_t>(named - results.begin());
            places.push_back(place < results.size() ? std::optional(place) : std::nullopt);
            known.insert(place);
        }
        for (std::size_t i = 0; i < results.size(); ++i)
            if (!known.contains(i))
                places.emplace_back(i);
        return places;
    }

    /// Makes a node that the IR does not have yet.
    NodeId make(const Node &node, RegionId region)
    {
        const std::vector<NodeId> origins = originsOf(node, m_jit, m_before, m_kept.keepers());
        const auto same =
            m_jit.nodeOf(node).transform([&](NodeId id) { return std::pair(id, &m_jit.nodes[id.index]); });
        const std::optional<NodeId> like =
            same && same->second->kind == node.kind() ? std::optional(same->first) : std::nullopt;
        ir::NodeDraft draft;
        draft.op = like ? m_before.at(*like).op : operatorOf(node);
        draft.origins = origins;
        draft.arguments =
            like && isStill(node, *like, m_jit, m_before) ? argumentsLike(node, *like) : argumentsOf(node);
        if (!origins.empty()) {
            draft.scope = m_before.at(origins.front()).scope;
            draft.location = m_before.at(origins.front()).location;
        }
        const NodeId id = graph().append(region, std::move(draft));
        const bool hasSameResults = like && m_before.at(*like).outputs.size() == node.outputs().size();
        for (std::size_t i = 0; i < node.outputs().size(); ++i) {
            const ir::Value *result = hasSameResults ? &m_before.at(m_before.at(*like).outputs[i]) : nullptr;
            m_operands[node.outputs()[i]] =
                graph().addOutput(id, result ? result->name : m_context.at(graph().at(id).op).name,
                                  result ? result->type : irType(m_context, node.outputs()[i]->type()));
        }
        for (std::size_t i = 0; i < node.blocks().size(); ++i)
            makeRegion(node, i, id);
        return id;
    }

    void makeRegion(const Node &node, std::size_t i, NodeId owner)
    {
        static constexpr std::array names{"then", "else"};
        const torch::jit::Block *block = node.blocks()[i];
        const RegionId region =
            graph().addRegion(owner, m_context.name(node.kind() == prim::If ? names.at(i) : "body"));
        for (const Value *input : block->inputs())
            m_operands[input] = graph().addInput(region, {}, irType(m_context, input->type()));
        take(block, region, inOrder(block->outputs().size()));
    }

    ir::OpId operatorOf(const Node &node)
    {
        const c10::FunctionSchema *schema = node.maybeSchema();
        TORCH_CHECK(schema || isOfLanguage(node.kind()), "torch has made a node ", node.kind().toQualString(),
                    ", which only its interpreter knows");
        return m_context.op(node.kind().ns().toUnqualString(), node.kind().toUnqualString(),
                            schema ? schema->overload_name() : std::string());
    }

    // ---- arguments

    /// Returns the current arguments of a node; the node with this id has, or had, the same operator.
    std::vector<ir::Argument> argumentsLike(const Node &node, NodeId id)
    {
        const CarriedNode &carried = m_jit.nodes[id.index];
        if (node.inputs().size() != carried.inputs.size())
            return argumentsOf(node);
        std::vector<ir::Argument> arguments = m_before.at(id).arguments;
        if (carried.isStandIn)
            return withInputs(std::move(arguments), node, carried);
        const c10::FunctionSchema *schema = node.maybeSchema();
        for (std::size_t i = 0; i < carried.inputs.size(); ++i) {
            const CarriedNode::Input &was = carried.inputs[i];
            const std::string argument = schema && i < schema->arguments().size() ? schema->arguments()[i].name() : "";
            ir::Operand operand = operandOf(node.inputs()[i], nameForConstant(was.operand, argument));
            if (was.argument)
                arguments[*was.argument].value = std::move(operand);
            else if (operand != was.operand)
                arguments.push_back({m_context.name(argument), std::move(operand)});
        }
        return arguments;
    }

    /// Replaces the values in the arguments of a node by the current inputs of the call that stands in for it.
    std::vector<ir::Argument> withInputs(std::vector<ir::Argument> arguments, const Node &node,
                                         const CarriedNode &carried)
    {
        for (ir::Argument &argument : arguments)
            argument.value = ir::withValues(argument.value, [&](ValueId value) {
                const auto was = std::ranges::find(carried.inputs, ir::Operand(value), &CarriedNode::Input::operand);
                const Value *now = node.inputs()[static_cast<std::size_t>(was - carried.inputs.begin())];
                return operandOf(now, nameForConstant(value, {}));
            });
        return arguments;
    }

    /// Returns the limit, the condition and the carried values of a loop. A value that torch no longer carries gets its
    /// original initial value, if that still exists.
    std::vector<ir::Argument> argumentsOfLoop(const Node &node, NodeId id, const Places &places)
    {
        std::vector<ir::Argument> arguments = m_before.at(id).arguments;
        for (std::size_t i = 0; i < arguments.size(); ++i) {
            const auto place = i < 2 ? std::optional(i) : places.at(i - 2).transform([](auto at) { return at + 2; });
            if (place)
                arguments[i].value = operandOf(node.inputs()[*place], nameForConstant(arguments[i].value, {}));
            else if (!isThere(arguments[i].value))
                arguments[i].value = ir::None{};
        }
        return arguments;
    }

    bool isThere(const ir::Operand &operand) const
    {
        bool is = true;
        ir::forEachValue(operand, [&](ValueId value) {
            const auto maker = ir::ValueRef(m_before, value).producer();
            is = is && (!maker || m_kept.by(maker->id()));
        });
        return is;
    }

    /// Returns the name for a constant: that of the value that it replaces, else that of the argument.
    std::string nameForConstant(const ir::Operand &was, const std::string &argument) const
    {
        const auto value = ir::valueOf(m_before, &was);
        return value ? std::string(value->name()) : argument;
    }

    std::vector<ir::Argument> argumentsOf(const Node &node)
    {
        const c10::FunctionSchema *schema = node.maybeSchema();
        std::vector<ir::Argument> arguments;
        for (std::size_t i = 0; i < node.inputs().size(); ++i) {
            const bool isNamed = schema && i < schema->arguments().size();
            const std::string name = isNamed ? schema->arguments()[i].name() : nameInLanguage(node, i);
            ir::Operand operand = operandOf(node.inputs()[i], name);
            if (isNamed)
                operand = withDType(std::move(operand), schema->arguments()[i]);
            arguments.push_back({m_context.name(name), std::move(operand)});
        }
        return arguments;
    }

    static std::string nameInLanguage(const Node &node, std::size_t i)
    {
        if (node.kind() == prim::Loop && i < 2)
            return i == 0 ? "trip_count" : "cond";
        return node.kind() == prim::If ? "cond" : node.kind() == prim::TupleIndex && i == 1 ? "index" : "";
    }

    // ---- the end

    std::vector<NodeId> discarded()
    {
        std::vector<NodeId> all;
        const auto discard = [&](const auto &self, NodeId id) -> void {
            graph().setArguments(id, {});
            all.push_back(id);
            const std::vector<RegionId> regions = graph().at(id).regions;
            for (const RegionId region : regions) {
                graph().setOutputs(region, {});
                for (const NodeId inner : graph().at(region).nodes)
                    self(self, inner);
            }
        };
        for (const NodeId node : m_gone)
            discard(discard, node);
        return all;
    }

    void setSignature()
    {
        const auto &before = m_before.at(ir::Graph::body).outputs, &after = graph().at(ir::Graph::body).outputs;
        for (ir::FunctionOutput &output : m_function.outputs)
            if (const auto place = std::ranges::find(before, output.value); place != before.end())
                output.value = after[static_cast<std::size_t>(place - before.begin())];
    }

    ir::Model &m_model;
    ir::Context &m_context;
    ir::Function &m_function;
    const ir::Graph m_before;
    const JitGraph &m_jit;
    const KeptNodes m_kept;
    std::map<const Value *, ir::Operand> m_operands;
    std::vector<ir::RegionOrder> m_orders;
    std::vector<NodeId> m_gone;
    std::vector<ValueId> m_nothing; ///< values that stand for results of branches that torch has removed
};

} // namespace

void readBack(ir::Model &model, ir::FunctionId function, const JitGraph &jit) { ReadBack(model, function, jit).run(); }

} // namespace cutaway::plugins
