// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "plugins/torch/jit/jit_graph.h"

#include "core/base/overloaded.h"
#include "core/base/result.h"
#include "core/ir/model_format.h"
#include "plugins/torch/conversions.h"
#include "plugins/torch/jit/jit_operands.h"
#include "plugins/torch/operands.h"
#include "plugins/torch/operators.h"
#include "plugins/torch/weights.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <torch/csrc/jit/ir/alias_analysis.h>
#include <torch/csrc/jit/ir/constants.h>
#include <torch/csrc/jit/runtime/operator.h>

// A node of the IR becomes one node of torch's graph, with an input for each argument of the operator's schema.
// Operands of the IR, such as constants and lists of values, are nodes in torch. These nodes are marked, so that they
// become the same operands again. torch finds a node's schema by the types of its inputs, so these must be right. If
// torch finds no schema for a node, or a different one, a call stands in for it: the call reads the same values, and
// torch's passes assume that it may do anything to them.

namespace cutaway::plugins {

namespace {

using c10::TypePtr;
using torch::jit::Node;
using torch::jit::Value;

/// A node kind of torch's interpreter that has no schema.
struct LanguageKind {
    std::string_view name;
    torch::jit::NodeKind kind;
};
const std::array languageKinds{
    LanguageKind{"prim::If", torch::jit::prim::If},
    LanguageKind{"prim::Loop", torch::jit::prim::Loop},
    LanguageKind{"prim::ListConstruct", torch::jit::prim::ListConstruct},
    LanguageKind{"prim::ListUnpack", torch::jit::prim::ListUnpack},
    LanguageKind{"prim::DictConstruct", torch::jit::prim::DictConstruct},
    LanguageKind{"prim::TupleConstruct", torch::jit::prim::TupleConstruct},
    LanguageKind{"prim::NamedTupleConstruct", torch::jit::prim::TupleConstruct},
    LanguageKind{"prim::TupleUnpack", torch::jit::prim::TupleUnpack},
    LanguageKind{"prim::TupleIndex", torch::jit::prim::TupleIndex},
    LanguageKind{"prim::unchecked_cast", torch::jit::prim::unchecked_cast},
    LanguageKind{"prim::Uninitialized", torch::jit::prim::Uninitialized},
};

std::optional<torch::jit::NodeKind> languageKind(const ir::NodeRef &node)
{
    const auto *row = std::ranges::find(languageKinds, plainName(node), &LanguageKind::name);
    return row == languageKinds.end() ? std::nullopt : std::optional(row->kind);
}

bool holdsObject(const ir::Operand &operand)
{
    if (const auto *list = operand.as<ir::List>())
        return std::ranges::any_of(list->items, holdsObject);
    const auto *dict = operand.as<ir::Dict>();
    return operand.as<ir::ObjectId>() || (dict && std::ranges::any_of(dict->items, holdsObject));
}

std::vector<std::string> argumentNames(const c10::FunctionSchema &schema)
{
    std::vector<std::string> names;
    for (const c10::Argument &argument : schema.arguments())
        names.push_back(argument.name());
    return names;
}

class Builder {
public:
    Builder(const Program &program, WeightsAs weights)
        : m_program(program),
          m_model(program.model()),
          m_function(program.main()),
          m_ir(m_function.graph),
          m_weightsAs(weights),
          m_graph(*m_jit.graph),
          m_values(m_ir.valueCount()),
          m_operands(program, m_jit, m_values)
    {
        m_jit.nodes.resize(m_ir.nodeCount());
    }

    Result<JitGraph> build()
    {
        const torch::jit::WithInsertPoint here(m_graph.block());
        for (const ir::ValueId id : m_ir.at(ir::Graph::body).inputs)
            addInput(id);
        CUTAWAY_RETURN_IF_ERROR(addWeights());
        fill(ir::Graph::body, m_graph.block());
        if (!m_missing.empty())
            return std::unexpected(Error{ErrorKind::Backend, listOfMissing(), {}});
        return std::move(m_jit);
    }

private:
    std::string listOfMissing() const
    {
        std::string text = "torch's graphs cannot hold";
        std::string_view separator = " ";
        for (const auto &[name, count] : m_missing) {
            text += std::string(separator) + name + (count > 1 ? " (" + std::to_string(count) + " nodes)" : "");
            separator = ", ";
        }
        return text;
    }

    TypePtr typeOf(ir::ValueId id) const { return torchType(*m_model.context, m_ir.at(id).type); }

    Value *named(Value *value, ir::ValueId id, const TypePtr &type)
    {
        value->setType(type)->setDebugName(nameOf(id));
        m_values[id.index] = value;
        return value;
    }

    void addInput(ir::ValueId id)
    {
        named(m_graph.addInput(), id, typeOf(id));
        m_jit.inputs.push_back(id);
    }

    // ---- weights

    /// Returns the values that are weights, with their tensors: weights of the file, and inputs of exported programs
    /// that are bound to a weight.
    std::map<ir::ValueId, ir::TensorId> weights() const
    {
        std::map<ir::ValueId, ir::TensorId> found;
        for (ir::ValueId id{0}; id.index < m_ir.valueCount(); ++id.index)
            if (const auto tensor = ir::ValueRef(m_ir, id).weight())
                found.emplace(id, *tensor);
        for (const ir::FunctionInput &input : m_function.inputs)
            if (const auto *id = input.value.as<ir::ValueId>(); id && input.tensor && isBound(input))
                found.emplace(*id, *input.tensor);
        return found;
    }

    static bool isBound(const ir::FunctionInput &input)
    {
        using Kind = ir::FunctionInput::Kind;
        return input.kind == Kind::Parameter || input.kind == Kind::Buffer || input.kind == Kind::Constant;
    }

    /// Whether the function returns a new value for a weight, so that the weight is not constant between calls.
    bool isUpdated(ir::ValueId id) const
    {
        using Kind = ir::FunctionOutput::Kind;
        const auto input = std::ranges::find(m_function.inputs, ir::Operand(id), &ir::FunctionInput::value);
        return input != m_function.inputs.end()
            && std::ranges::any_of(m_function.outputs, [&](const ir::FunctionOutput &output) {
                   return output.target == input->target
                       && (output.kind == Kind::BufferMutation || output.kind == Kind::ParameterMutation);
               });
    }

    Result<void> addWeights()
    {
        for (const auto &[id, tensor] : weights()) {
            if (m_ir.at(id).uses.empty())
                continue;
            const bool isWanted =
                m_weightsAs == WeightsAs::Constants || m_model.at(tensor).kind == ir::Tensor::Kind::Constant;
            const bool isConstant = isWanted && !isUpdated(id);
            CUTAWAY_TRY(auto added, isConstant ? addConstant(id, tensor) : Result<bool>(false));
            if (!added && !m_values[id.index])
                addInput(id);
        }
        return {};
    }

    /// Adds the tensor as a constant. Returns false if torch cannot have it as one.
    Result<bool> addConstant(ir::ValueId id, ir::TensorId tensor)
    {
        CUTAWAY_TRY(const auto elements, m_program.weights().tensor(tensor));
        const at::Tensor detached = elements.detach();
        const auto constant = torch::jit::tryInsertConstant(m_graph, detached, m_operands.mark(OperandMark{id}));
        if (!constant)
            return false;
        m_values[id.index] = *constant;
        m_jit.weights.push_back({id, tensor, detached, *constant});
        return true;
    }

    // ---- nodes

    void fill(ir::RegionId id, torch::jit::Block *block)
    {
        const torch::jit::WithInsertPoint here(block);
        const ir::Region &region = m_ir.at(id);
        if (id != ir::Graph::body)
            for (const ir::ValueId input : region.inputs)
                named(block->addInput(), input, typeOf(input));
        for (const ir::NodeRef node : ir::nodesOf(m_ir, id))
            add(node);
        for (std::size_t i = 0; i < region.outputs.size(); ++i)
            block->registerOutput(m_operands.valueOf(region.outputs[i], typeOfOutput(region, i)));
    }

    /// Returns the type that a region's output has. The results of the node are the region's last outputs.
    TypePtr typeOfOutput(const ir::Region &region, std::size_t i) const
    {
        if (!region.owner)
            return nullptr;
        const auto &results = m_ir.at(*region.owner).outputs;
        const std::size_t others = region.outputs.size() - std::min<std::size_t>(region.outputs.size(), results.size());
        const TypePtr type = i < others ? TypePtr(c10::BoolType::get()) : typeOf(results[i - others]);
        return isAny(type) ? nullptr : type;
    }

    void add(const ir::NodeRef &from)
    {
        const auto kind = languageKind(from);
        const auto op = kind ? std::nullopt : findTorchOperator(from);
        if (!kind
            && (!op || !isPlain(from, *op->schema)
                || std::ranges::any_of(from->arguments, holdsObject, &ir::Argument::value)))
            return standInFor(from);
        CarriedNode carried{.kind = kind.value_or(op ? c10::Symbol::fromQualString(op->schema->name()) : *kind)};
        const std::vector<Value *> inputs =
            kind ? asTheyStand(from, *kind, carried) : bySchema(from, *op->schema, carried);
        Node *node = m_graph.insertNode(m_graph.create(carried.kind, inputs, 0));
        node->setSourceRange(m_operands.mark(from.id()));
        addResults(node, from, kind ? nullptr : op->schema);
        for (const ir::RegionId region : from->regions)
            fill(region, node->addBlock());
        carried.node = node;
        m_jit.nodes[from.id().index] = std::move(carried);
        if (!kind && !means(*node, *op->schema)) {
            node->destroy();
            standInFor(from);
        }
    }

    /// Adds a call that stands in for a node: it reads the same values, and torch does not know what it does.
    void standInFor(const ir::NodeRef &from)
    {
        const bool isOfTorch = !ir::isOnnx(m_model);
        if (!isOfTorch || !from->regions.empty() || (m_weightsAs == WeightsAs::Constants && mayWriteToWeights(from)))
            return miss(from);
        CarriedNode carried{.kind = torch::jit::prim::CallMethod, .isStandIn = true};
        std::vector<Value *> inputs;
        for (const ir::Argument &argument : from->arguments)
            forEachValue(argument.value, [&](ir::ValueId value) {
                if (std::ranges::contains(carried.inputs, ir::Operand(value), &CarriedNode::Input::operand))
                    return;
                carried.inputs.push_back({value, {}});
                inputs.push_back(m_values[value.index]);
            });
        Node *node = m_graph.insertNode(m_graph.create(carried.kind, inputs, 0));
        node->setSourceRange(m_operands.mark(from.id()));
        addResults(node, from, nullptr);
        carried.node = node;
        m_jit.nodes[from.id().index] = std::move(carried);
    }

    /// Whether a node may write to weights through an object, without reading them. As constants they would not change.
    static bool mayWriteToWeights(const ir::NodeRef &node)
    {
        static constexpr std::array writers{"prim::CallMethod", "prim::CallFunction", "prim::SetAttr"};
        return std::ranges::contains(writers, plainName(node));
    }

    /// Records a node that cannot be represented and adds a substitute, so that the message lists all such nodes.
    void miss(const ir::NodeRef &from)
    {
        ++m_missing[from.fullName()];
        Node *node = m_graph.insertNode(m_graph.create(torch::jit::prim::Uninitialized, 0));
        addResults(node, from, nullptr);
    }

    /// Whether the results match the schema and there are no regions. In exported programs the items of a returned list
    /// may be results, and operators may have regions.
    static bool isPlain(const ir::NodeRef &node, const c10::FunctionSchema &schema)
    {
        return node->regions.empty() && (schema.is_varret() || node.outputCount() == schema.returns().size());
    }

    /// Whether torch resolves the node to this operator, or to an overload with the same argument names.
    static bool means(const Node &node, const c10::FunctionSchema &schema)
    {
        const torch::jit::Operator *found = node.maybeOperator();
        return found && (&found->schema() == &schema || argumentNames(found->schema()) == argumentNames(schema));
    }

    void addResults(Node *node, const ir::NodeRef &from, const c10::FunctionSchema *schema)
    {
        for (std::size_t i = 0; i < from.outputCount(); ++i) {
            TypePtr type = typeOf(from.output(i));
            if (isAny(type) && schema && i < schema->returns().size()
                && !schema->returns()[i].type()->hasFreeVariables())
                type = schema->returns()[i].type();
            named(node->addOutput(), from.output(i), type);
        }
    }

    /// Returns the type of an argument of the interpreter's own nodes: conditions, counts, items of lists and tuples.
    TypePtr wantedBy(const ir::NodeRef &node, torch::jit::NodeKind kind, std::size_t i) const
    {
        namespace prim = torch::jit::prim;
        if (kind == prim::If || (kind == prim::Loop && i == 1))
            return c10::BoolType::get();
        if (kind == prim::Loop)
            return i == 0 ? TypePtr(c10::IntType::get()) : known(typeOf(node->outputs.at(i - 2)));
        const TypePtr result = node->outputs.empty() ? nullptr : withoutOptional(typeOf(node.output(0)));
        if (result && kind == prim::ListConstruct && result->kind() == c10::TypeKind::ListType)
            return known(result->castRaw<c10::ListType>()->getElementType());
        return nullptr;
    }
    static TypePtr known(const TypePtr &type) { return isAny(type) ? nullptr : type; }

    std::vector<Value *> asTheyStand(const ir::NodeRef &node, torch::jit::NodeKind kind, CarriedNode &carried)
    {
        std::vector<Value *> inputs;
        for (std::size_t i = 0; i < node->arguments.size(); ++i) {
            const ir::Operand &operand = node->arguments[i].value;
            carried.inputs.push_back({operand, i});
            inputs.push_back(m_operands.valueOf(operand, wantedBy(node, kind, i)));
        }
        return inputs;
    }

    std::vector<Value *> bySchema(const ir::NodeRef &node, const c10::FunctionSchema &schema, CarriedNode &carried)
    {
        std::vector<Value *> inputs;
        std::size_t place = 0;
        for (const c10::Argument &each : schema.arguments()) {
            const auto argument = argumentFor(node, each.name(), place);
            TORCH_CHECK(argument || each.default_value(), "it has no argument '", each.name(), "' (", node.fullName(),
                        ")");
            const ir::Operand operand =
                argument ? node->arguments[*argument].value : plainOperandOf(*each.default_value(), *m_model.context);
            carried.inputs.push_back({operand, argument});
            const bool isWritten = each.alias_info() && each.alias_info()->isWrite();
            inputs.push_back(m_operands.valueOf(operand, each.type(), each.N(), isWritten));
        }
        for (; schema.is_vararg() && place < node->arguments.size(); ++place) {
            const ir::Argument &argument = node->arguments[place];
            if (argument.name != ir::NameId{})
                continue;
            carried.inputs.push_back({argument.value, place});
            inputs.push_back(m_operands.valueOf(argument.value, nullptr));
        }
        return inputs;
    }

    const Program &m_program;
    const ir::Model &m_model;
    const ir::Function &m_function;
    const ir::Graph &m_ir;
    WeightsAs m_weightsAs;
    JitGraph m_jit;
    torch::jit::Graph &m_graph;
    std::vector<Value *> m_values; ///< by ValueId
    JitOperands m_operands;
    std::map<std::string, std::size_t> m_missing;
};

/// Turns constants to which the graph writes, and all that share their memory, into inputs.
void unfreezeWritten(JitGraph &jit, const ir::Model &model)
{
    const torch::jit::AliasDb aliases(jit.graph);
    std::set<ir::StorageId> written;
    for (const CarriedWeight &weight : jit.weights)
        if (aliases.hasWriters(weight.constant))
            written.insert(model.at(weight.tensor).storage);
    std::erase_if(jit.weights, [&](const CarriedWeight &weight) {
        if (!written.contains(model.at(weight.tensor).storage))
            return false;
        Value *input = jit.graph->addInput()->setType(c10::TensorType::get())->setDebugName(nameOf(weight.value));
        jit.inputs.push_back(weight.value);
        weight.constant->replaceAllUsesWith(input);
        weight.constant->node()->destroy();
        return true;
    });
}

} // namespace

std::optional<ir::NodeId> JitGraph::nodeOf(const Node &node) const
{
    const auto number = marks.numberOf(node.sourceRange());
    const auto *id = number ? std::get_if<ir::NodeId>(&meanings[*number]) : nullptr;
    return id ? std::optional(*id) : std::nullopt;
}

const OperandMark *JitGraph::operandOf(const Node &node) const
{
    const auto number = marks.numberOf(node.sourceRange());
    return number ? std::get_if<OperandMark>(&meanings[*number]) : nullptr;
}

bool isOfLanguage(torch::jit::NodeKind kind) { return std::ranges::contains(languageKinds, kind, &LanguageKind::kind); }

std::string nameOf(ir::ValueId value) { return "v" + std::to_string(value.index); }

Result<JitGraph> jitGraphOf(const Program &program, WeightsAs weights)
{
    auto jit = Builder(program, weights).build();
    if (jit && !jit->weights.empty())
        unfreezeWritten(*jit, program.model());
    return jit;
}

} // namespace cutaway::plugins
