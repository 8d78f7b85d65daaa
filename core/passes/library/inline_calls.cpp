// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ir/objects/closed_tuple.h"
#include "core/ir/objects/methods.h"
#include "core/ir/objects/module_parts.h"
#include "core/ops/program/control_flow.h"
#include "core/passes/copies.h"
#include "core/passes/fusing.h"
#include "core/passes/inlining.h"
#include "core/passes/module_paths.h"

#include <algorithm>
#include <array>
#include <deque>

// Calls of the model's functions, and regions that run once, are replaced by copies of the called code. A copy may
// contain further calls; each of these is kept with the functions that it was copied from, so that recursion is not
// inlined.
//
// A method reads the attributes of its object by their names. If it is known which object that is, an attribute that no
// code sets becomes the weight or constant that the file has for it. An attribute that code sets is read by its path
// from the function's own object, as it is read and written everywhere else.

namespace cutaway::passes {

namespace {

using ir::NodeRef;
using ir::Operand;

class Inlining {
public:
    Inlining(rewrite::Rewriter &rewriter, const Settings &settings)
        : m_rewriter(rewriter),
          m_modules(rewriter),
          m_nodesLeft(settings.count("nodes"))
    {
    }

    void run()
    {
        for (const NodeRef node : m_rewriter.nodes())
            m_open.push_back({node, {m_rewriter.functionId()}});
        for (; !m_open.empty(); m_open.pop_front()) {
            const Place place = m_open.front();
            if (m_rewriter.isRemoved(place.node))
                continue;
            if (isWrapper(place.node))
                putRegionInPlace(place.node);
            else if (const auto callee = calleeOf(place.node); callee && mayBePutIn(place, *callee))
                putIn(place, *callee);
        }
        for (const NodeRef &node : m_made)
            if (!m_rewriter.isRemoved(node.id()))
                readAttribute(node);
    }

private:
    struct Place {
        NodeRef node;
        std::vector<ir::FunctionId> inside; ///< the functions that the node was copied from, outermost first
    };

    // ---- regions

    bool isWrapper(const NodeRef &node)
    {
        const ops::Operator *row = m_rewriter.row(node);
        return row && row->traits.runsRegionOnce && node->regions.size() == 1;
    }

    /// Replaces a node by the nodes of its region, whose inputs are the node's last arguments.
    void putRegionInPlace(const NodeRef &node)
    {
        const std::size_t wanted = node.region(0).inputs.size();
        std::vector<Operand> given = openedArguments(node, 0);
        if (given.size() < wanted)
            return;
        given.erase(given.begin(), given.end() - static_cast<std::ptrdiff_t>(wanted));
        replaceByRegion(m_rewriter, node, node->regions.front(), given);
    }

    // ---- functions

    /// Whether a call is the call of an ONNX function, which an operator of any domain makes; functions of TorchScript
    /// are called by two operators of prim.
    static bool isOfOnnx(const NodeRef &call) { return call.dialect() != "prim"; }

    /// Returns the called function: it is named by its id, or is a method of the object's module.
    std::optional<ir::FunctionId> calleeOf(const NodeRef &node)
    {
        for (const ir::Argument &argument : node->arguments)
            if (const auto *function = argument.value.as<ir::FunctionId>())
                return *function;
        const auto *method = node->arguments.size() > 1 && m_rewriter.kind(node) == ops::kind::callMethod
            ? node->arguments[0].value.as<ir::String>()
            : nullptr;
        const auto object = method ? m_modules.of(node->arguments[1].value) : std::nullopt;
        if (!object)
            return std::nullopt;
        const ir::Model &model = m_rewriter.model();
        const ir::Function *found = ir::methodOf(model, object->module, m_rewriter.context().text(method->text));
        return found ? std::optional(ir::FunctionId{static_cast<std::uint32_t>(found - model.functions.data())})
                     : std::nullopt;
    }

    bool mayBePutIn(const Place &place, ir::FunctionId callee)
    {
        const ir::Function &function = m_rewriter.model().at(callee);
        const std::int64_t nodes = function.graph.nodeCount();
        if (std::string reason = isOfOnnx(place.node) ? whyOfAnotherOpset(m_rewriter.model(), function) : std::string();
            !reason.empty()) {
            reason.insert(0, "calls are not inlined: ");
            if (!std::ranges::contains(m_rewriter.remarks(), reason)) // once for all calls of a function
                m_rewriter.remark(std::move(reason));
            return false;
        }
        if (std::ranges::contains(place.inside, callee) || nodes > m_nodesLeft)
            return false;
        m_nodesLeft -= nodes;
        return true;
    }

    /// Returns the arguments for the callee's inputs, matched by position or name; nothing if they do not match.
    std::optional<std::vector<Operand>> given(const NodeRef &call, const ir::Function &callee) const
    {
        const auto &inputs = callee.graph.at(ir::Graph::body).inputs;
        std::vector<Operand> operands;
        std::vector<bool> isGiven(inputs.size());
        operands.resize(inputs.size());
        std::size_t next = 0;
        for (const ir::Argument &argument : call->arguments) {
            if (argument.value.as<ir::FunctionId>() || isAttribute(call, argument))
                continue;
            const auto place = placeOf(argument, callee, next);
            if (!place || *place >= inputs.size() || isGiven[*place])
                return std::nullopt;
            operands[*place] = argument.value;
            isGiven[*place] = true;
        }
        if (!isOfOnnx(call) && std::ranges::contains(isGiven, false))
            return std::nullopt; // the default is Python's, and the file lacks it; ONNX may omit inputs
        return operands;
    }

    /// Whether an argument does not belong to an input of the callee: with ONNX, a named argument is an attribute; in
    /// TorchScript, "method" holds the name of the method.
    bool isAttribute(const NodeRef &call, const ir::Argument &argument) const
    {
        const bool isNamed = argument.name != ir::NameId{};
        return isNamed && (isOfOnnx(call) || m_rewriter.context().text(argument.name) == "method");
    }

    std::optional<std::size_t> placeOf(const ir::Argument &argument, const ir::Function &callee,
                                       std::size_t &next) const
    {
        if (argument.name == ir::NameId{} || m_rewriter.context().text(argument.name) == "self")
            return next++;
        const auto &inputs = callee.graph.at(ir::Graph::body).inputs;
        const auto found =
            std::ranges::find(inputs, argument.name, [&](ir::ValueId input) { return callee.graph.at(input).name; });
        return found == inputs.end() ? std::nullopt : std::optional(static_cast<std::size_t>(found - inputs.begin()));
    }

    /// Whether a call gives values for all inputs of the callee's body. It cannot give values for inputs that the
    /// signature omits or binds, except for the object of a method.
    static bool isCallable(const NodeRef &call, const ir::Function &callee)
    {
        const ir::Operand *self = call.argument("self");
        return callee.inputs.size() == callee.graph.at(ir::Graph::body).inputs.size()
            && std::ranges::all_of(callee.inputs, [&](const ir::FunctionInput &input) {
                   const bool isSelf =
                       self && input.kind == ir::FunctionInput::Kind::CustomObject && &input == &callee.inputs.front();
                   return (isSelf || input.kind == ir::FunctionInput::Kind::User) && input.value.as<ir::ValueId>();
               });
    }

    void putIn(const Place &place, ir::FunctionId id)
    {
        const ir::Function &callee = m_rewriter.model().at(id);
        const auto operands = isCallable(place.node, callee) ? given(place.node, callee) : std::nullopt;
        if (!operands || !canGive(place.node, callee.graph.at(ir::Graph::body).outputs))
            return;
        Copies copies(m_rewriter, callee, place.node);
        copies.setScope(scopeOf(place.node, callee));
        const std::vector<ir::ValueId> inputs = callee.graph.at(ir::Graph::body).inputs;
        for (std::size_t i = 0; i < inputs.size(); ++i)
            copies.set(inputs[i], (*operands)[i]);
        std::vector<ir::FunctionId> inside = place.inside;
        inside.push_back(id);
        for (const NodeRef made : copies.copyBefore(place.node, ir::Graph::body)) {
            m_open.push_back({made, inside});
            m_made.push_back(made);
        }
        std::vector<Operand> outputs = callee.graph.at(ir::Graph::body).outputs;
        std::ranges::transform(outputs, outputs.begin(), [&](const Operand &output) { return copies.of(output); });
        replaceNode(m_rewriter, place.node, resultsOf(place.node, outputs));
    }

    /// If the call is the call of a method with one result, and the method's graph returns the leaves of a nested
    /// tuple: returns the tuple that is put together of `outputs`. Nothing for other calls.
    template <class MakeTuple>
    std::optional<Operand> closed(const NodeRef &call, const std::vector<Operand> &outputs,
                                  const MakeTuple &tuple) const
    {
        if (isOfOnnx(call) || call.outputCount() != 1)
            return std::nullopt;
        std::span<const Operand> leaves = outputs;
        auto whole = ir::closedTuple(m_rewriter.context(), call.output(0)->type, leaves, tuple);
        return leaves.empty() ? whole : std::nullopt;
    }

    bool canGive(const NodeRef &call, const std::vector<Operand> &outputs) const
    {
        const auto nothing = [](const std::vector<Operand> &, ir::TypeId) { return Operand(); };
        return closed(call, outputs, nothing) || resultsFrom(call, outputs);
    }

    std::vector<Operand> resultsOf(const NodeRef &call, const std::vector<Operand> &outputs)
    {
        const auto tuple = [&](const std::vector<Operand> &items, ir::TypeId type) -> Operand {
            std::vector<ir::Argument> arguments;
            for (const Operand &item : items)
                arguments.push_back({{}, item});
            m_rewriter.from({call.id()});
            return m_rewriter.makeBefore(
                call.id(), {.dialect = "prim", .name = "TupleConstruct", .arguments = std::move(arguments)}, type);
        };
        const auto nothing = [](const std::vector<Operand> &, ir::TypeId) { return Operand(); };
        if (closed(call, outputs, nothing))
            return {*closed(call, outputs, tuple)};
        return *resultsFrom(call, outputs);
    }

    // ---- attributes

    void readAttribute(const NodeRef &node)
    {
        const ops::OperatorKind kind = m_rewriter.kind(node);
        const bool isRead = kind == ops::kind::getAttribute && node.outputCount() == 1;
        const auto attribute = isRead || kind == ops::kind::setAttribute ? m_modules.attributeOf(node) : std::nullopt;
        if (!attribute)
            return;
        if (!isRead || m_modules.isSet(*attribute)) {
            std::vector<ir::Argument> arguments = node->arguments;
            arguments[0].value = attribute->owner.root;
            arguments[1].value = ir::String{m_rewriter.text(attribute->path())};
            return m_rewriter.setArguments(node.id(), std::move(arguments));
        }
        const ir::Model &model = m_rewriter.model();
        std::optional<Operand> held;
        if (const auto tensor = ir::tensorOf(model, attribute->owner.module, attribute->name))
            held = *tensor;
        else if (const auto *other = ir::attributeOf(model, attribute->owner.module, attribute->name))
            held = other->value;
        if (!held)
            return;
        if (const auto *tensor = held->as<ir::TensorId>())
            held = weight(*tensor);
        m_rewriter.replaceUses(node.output(0).id(), *held);
        m_rewriter.remove(node.id());
    }

    ir::ValueId weight(ir::TensorId id)
    {
        const ir::Tensor &tensor = m_rewriter.model().at(id);
        ir::TensorType type;
        type.dtype = tensor.dtype;
        type.shape = ir::Shape(tensor.shape.begin(), tensor.shape.end());
        return m_rewriter.weight(id, tensor.name, m_rewriter.context().type(type));
    }

    /// Returns a scope for the callee, named after its module if it is a method of a known module.
    ir::ScopeId scopeOf(const NodeRef &call, const ir::Function &callee)
    {
        const ir::Context &context = m_rewriter.context();
        const ir::ScopeId around = call->scope;
        const Operand *self = call.argument("self");
        if (const auto object = self ? m_modules.of(*self) : std::nullopt) {
            const ir::Module &module = m_rewriter.model().at(object->module);
            return module.name == ir::NameId{}
                ? around
                : m_rewriter.context().childScope(around, context.text(module.name), context.text(module.className));
        }
        if (!isOfOnnx(call) && !self)
            return around;
        const std::string_view name = context.text(callee.name);
        return m_rewriter.context().childScope(around, call.name().empty() ? name : call.name(), name);
    }

    rewrite::Rewriter &m_rewriter;
    ModulePaths m_modules;
    std::int64_t m_nodesLeft;
    std::deque<Place> m_open;
    std::vector<NodeRef> m_made;
};

} // namespace

extern const Pass inlineCalls;
const Pass inlineCalls{"inline-calls",
                       "Inlines calls of the model's functions.",
                       {{"nodes", "limit of nodes made", std::int64_t{100'000}}},
                       runOf<Inlining>,
                       false};

} // namespace cutaway::passes
