// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/result.h"
#include "core/evaluate/frame.h"
#include "core/ir/objects/closed_tuple.h"
#include "core/ir/objects/methods.h"
#include "core/ir/objects/module_parts.h"
#include "core/ops/compute/memory.h"
#include "core/ops/program/control_flow.h"
#include "core/ops/tensor/view.h"

#include <algorithm>

namespace cutaway::evaluate {

namespace {

constexpr int maxDepth = 200; ///< more nested calls than this are taken for endless recursion

/// Whether it matters where tensors lie: the model writes in place, or reads the memory of a tensor in another shape.
bool usesMemory(const ir::Model &model)
{
    ops::Signatures signatures(*model.context);
    for (const ir::Function &function : model.functions)
        for (std::uint32_t i = 0; i < function.graph.nodeCount(); ++i) {
            const ir::Node &node = function.graph.at(ir::NodeId{i});
            const ops::Signature *signature = node.removed ? nullptr : signatures.of(node.op);
            if (!node.removed && ops::kindOf(ir::NodeRef(function.graph, ir::NodeId{i})) == ops::kind::asStrided)
                return true;
            if (signature
                && std::ranges::any_of(signature->schema.arguments, [](const auto &a) { return a.type.isWritten(); }))
                return true;
        }
    return false;
}

/// Whether a node only prints, warns or checks and nothing reads its results, so that it can be skipped.
bool isOnlySeen(const ir::NodeRef &node, const ops::Operator *row)
{
    const ops::OperatorKind kind = ops::kindOf(node);
    return row && row->traits.effect == ops::Effect::Acts && node->regions.empty() && kind != ops::kind::raise
        && kind != ops::kind::enterContext && kind != ops::kind::exitContext && kind != ops::kind::setAttribute
        && std::ranges::all_of(node.outputs(), [](const ir::ValueRef &output) { return output->uses.empty(); });
}

/// Returns an object that has no attributes yet.
Value newObject()
{
    Value object(ops::Fact(ops::ObjectFact{}));
    compute::giveOwnPlaces(object);
    return object;
}

std::unexpected<Error> raised(const ir::NodeRef &node, const Value *message)
{
    const auto *fact = message ? message->as<ops::Fact>() : nullptr;
    const auto *text = fact ? fact->as<ops::TextFact>() : nullptr;
    return unreadable(node.fullName() + " ends the model" + (text ? ": " + text->text : ""));
}

} // namespace

Frame::Frame(Program &program, const ir::Graph &graph, Seen seen)
    : m_program(program),
      m_graph(graph),
      m_seen(std::move(seen)),
      m_known([this](ir::ValueId id) { return known(id); })
{
    m_values.resize(graph.valueCount());
    m_done.resize(graph.nodeCount());
    findLastReaders();
}

namespace {

/// Returns the node of the region `home` that reads the value, itself or in its regions; nothing if the region returns
/// the value.
std::optional<ir::NodeId> readerAt(const ir::Graph &graph, const ir::Use &use, ir::RegionId home)
{
    std::optional<ir::NodeId> reader;
    const auto *node = std::get_if<ir::NodeId>(&use);
    if (node)
        reader = *node;
    ir::RegionId region = node ? graph.at(*node).parent : std::get<ir::RegionId>(use);
    while (region != home && graph.at(region).owner) {
        reader = *graph.at(region).owner;
        region = graph.at(*reader).parent;
    }
    return reader;
}

} // namespace

/// Finds for each node the values that no later node reads; they can be freed after it.
void Frame::findLastReaders()
{
    std::vector<std::size_t> places(m_graph.nodeCount(), 0);
    for (std::uint32_t r = 0; r < m_graph.regionCount(); ++r)
        for (std::size_t i = 0; const ir::NodeId node : m_graph.at(ir::RegionId{r}).nodes)
            places[node.index] = i++;
    for (std::uint32_t i = 0; i < m_graph.valueCount(); ++i) {
        const ir::ValueRef value(m_graph, ir::ValueId{i});
        const auto *made = std::get_if<ir::NodeResult>(&value->definition);
        std::optional<ir::NodeId> last = made ? std::optional(made->node) : std::nullopt;
        for (const ir::Use &use : value->uses) {
            const auto reader = last ? readerAt(m_graph, use, m_graph.at(made->node).parent) : std::nullopt;
            last = !reader || places[reader->index] >= places[last->index] ? reader : last;
        }
        if (last)
            m_done[last->index].push_back(value.id());
    }
}

const Value *Frame::known(ir::ValueId id)
{
    auto &value = m_values[id.index];
    if (!value) {
        const auto weight = ir::ValueRef(m_graph, id).weight();
        const auto found = weight ? m_program.evaluator.weight(*weight) : nullptr;
        return found ? *found : nullptr;
    }
    compute::renew(*value);
    return &*value;
}

Result<Values> Frame::region(ir::RegionId id, std::span<const Value> inputs)
{
    const ir::Region &region = m_graph.at(id);
    if (inputs.size() != region.inputs.size())
        return unreadable("there are " + std::to_string(region.inputs.size()) + " inputs and "
                          + std::to_string(inputs.size()) + " values for them");
    for (std::size_t i = 0; i < inputs.size(); ++i)
        m_values[region.inputs[i].index] = inputs[i];
    for (const ir::NodeRef node : ir::nodesOf(m_graph, id))
        CUTAWAY_RETURN_IF_ERROR(visit(node));
    return valuesOf(region.outputs);
}

Result<Value> Frame::valueOf(const ir::Operand &operand) { return m_program.evaluator.valueOf(operand, m_known); }

Result<Values> Frame::valuesOf(std::span<const ir::Operand> operands)
{
    Values values;
    for (const ir::Operand &operand : operands) {
        CUTAWAY_TRY(auto value, valueOf(operand));
        values.push_back(std::move(value));
    }
    return values;
}

Result<Values> Frame::argumentsFrom(const ir::NodeRef &node, std::size_t first)
{
    Values values;
    for (std::size_t i = first; i < node->arguments.size(); ++i) {
        const auto *list = node->arguments[i].value.as<ir::List>();
        auto opened = list ? valuesOf(list->items) : valuesOf(std::span(&node->arguments[i].value, 1));
        if (!opened)
            return opened;
        values.insert(values.end(), opened->begin(), opened->end());
    }
    return values;
}

Result<void> Frame::visit(const ir::NodeRef &node)
{
    if (m_program.stop.stop_requested())
        return cancelled();
    if (m_program.nodesLeft-- <= 0)
        return unreadable("too many nodes");
    CUTAWAY_TRY(auto values, resultsOf(node));
    for (std::size_t i = 0; i < node.outputCount() && i < values.size(); ++i) {
        if (m_seen)
            m_seen(node.output(i).id(), values[i]);
        m_values[node.output(i).id().index] = std::move(values[i]);
    }
    for (const ir::ValueId value : m_done[node.id().index])
        m_values[value.index].reset();
    return {};
}

Result<Values> Frame::resultsOf(const ir::NodeRef &node)
{
    const ops::Operator *row = ops::findOperator(node.dialect(), node.opName());
    const ops::OperatorKind kind = ops::kindOf(node);
    if (const ir::Function *function = calledFunction(m_program.model, node, *this))
        return call(node, *function);
    if (auto results = node->regions.empty() ? std::nullopt : runRegions(node, *this))
        return std::move(*results);
    if (kind == ops::kind::getAttribute)
        return getAttribute(node);
    if (kind == ops::kind::setAttribute)
        return setAttribute(node);
    if (kind == ops::kind::itemOfModules) {
        const auto given = argumentsFrom(node, 0);
        if (!given || given->size() != 2)
            return given ? unreadable("no value for " + node.fullName() + ": it has other arguments") : given;
        return itemOfModules(m_program.model, (*given)[0], (*given)[1]).transform([](Value module) {
            return Values{std::move(module)};
        });
    }
    if (kind == ops::kind::createObject)
        return Values{newObject()};
    if (kind == ops::kind::raise) {
        const auto message =
            node->arguments.empty() ? Value() : valueOf(node->arguments.front().value).value_or(Value());
        return raised(node, &message);
    }
    if (isOnlySeen(node, row))
        return Values(node.outputCount(), Value(ops::Fact(ops::NoneFact{})));
    return m_program.evaluator.results(node, m_known);
}

// ---- calls

/// The values that a function gets from the node that calls it.
struct CallArguments {
    Values inputs;
    Evaluator::Attributes attributes; ///< attributes that an ONNX function is called with
};

/// Returns the arguments of a call, with the defaults of attributes that it leaves out. Errors: those of
/// Frame::valueOf().
static Result<CallArguments> callArguments(const ir::NodeRef &node, const ir::Function &function, Frame &frame)
{
    CallArguments arguments;
    auto &[inputs, attributes] = arguments;
    for (const ir::Argument &argument : node->arguments) {
        const bool isNamed = std::ranges::contains(function.attributes, argument.name, &ir::Argument::name);
        const bool isMethod = argument.value.as<ir::String>() && ops::kindOf(node) == ops::kind::callMethod;
        if (argument.value.as<ir::FunctionId>() || (isMethod && inputs.empty()))
            continue;
        CUTAWAY_TRY(auto value, frame.valueOf(argument.value));
        if (isNamed)
            attributes.emplace(argument.name, std::move(value));
        else
            inputs.push_back(std::move(value));
    }
    for (const ir::Argument &attribute : function.attributes)
        if (!attributes.contains(attribute.name) && !attribute.value.as<ir::None>())
            if (auto value = frame.valueOf(attribute.value))
                attributes.emplace(attribute.name, std::move(*value));
    return arguments;
}

Result<Values> Frame::call(const ir::NodeRef &node, const ir::Function &function)
{
    if (m_program.depth >= maxDepth)
        return unreadable("no value for " + node.fullName() + ": calls are nested too deep");
    CUTAWAY_TRY(auto arguments, callArguments(node, function, *this));
    auto &[inputs, attributes] = arguments;
    const std::size_t expected = function.graph.at(ir::Graph::body).inputs.size();
    const bool isScript = ops::kindOf(node) == ops::kind::callMethod || ops::kindOf(node) == ops::kind::callFunction;
    while (!isScript && inputs.size() < expected) // ONNX omits trailing inputs that are not given
        inputs.emplace_back(ops::Fact(ops::NoneFact{}));
    Frame inside(m_program, function.graph);
    ++m_program.depth;
    const Evaluator::Attributes *around = m_program.evaluator.attributes();
    m_program.evaluator.setAttributes(isScript ? nullptr : &attributes);
    auto results = inside.region(ir::Graph::body, inputs);
    m_program.evaluator.setAttributes(around);
    --m_program.depth;
    if (!results || !isScript || node.outputCount() != 1)
        return results;
    std::span<const Value> leaves = *results;
    const auto tuple = [](Values items, ir::TypeId) { return Value(std::move(items)); };
    auto whole = ir::closedTuple(*m_program.model.context, node.output(0)->type, leaves, tuple);
    return whole && leaves.empty() ? Values{std::move(*whole)} : std::move(results);
}

// ---- objects

Result<Values> Frame::getAttribute(const ir::NodeRef &node)
{
    const auto *name = node->arguments.size() > 1 ? node->arguments[1].value.as<ir::String>() : nullptr;
    CUTAWAY_TRY(const auto object, name ? valueOf(node->arguments[0].value) : unreadable("no object"));
    const std::string_view path = m_program.model.context->text(name->text);
    if (const auto *fact = object.as<ops::Fact>())
        if (const auto *module = fact->as<ir::ModuleId>()) {
            CUTAWAY_TRY(auto value, attributeOf(m_program, *module, path));
            return Values{std::move(value)};
        }
    if (object.container)
        if (const auto found = object.container->attributes.find(path); found != object.container->attributes.end()) {
            compute::renew(found->second);
            return Values{found->second};
        }
    return unreadable("no value for " + node.fullName() + ": what the attribute '" + std::string(path)
                      + "' holds is not known");
}

/// Sets an attribute. The path is followed to the module that has it, so that all paths to it lead to one value.
void Frame::set(ir::ModuleId module, std::string_view path, Value value)
{
    for (std::size_t dot = path.find('.'); dot != path.npos; dot = path.find('.')) {
        const auto child = ir::childOf(m_program.model, module, path.substr(0, dot));
        if (!child)
            break;
        module = *child;
        path.remove_prefix(dot + 1);
    }
    m_program.attributes.insert_or_assign({module.index, std::string(path)}, std::move(value));
}

Result<Values> Frame::setAttribute(const ir::NodeRef &node)
{
    const auto *name = node->arguments.size() > 2 ? node->arguments[1].value.as<ir::String>() : nullptr;
    const auto object = name ? valueOf(node->arguments[0].value) : unreadable("no object");
    CUTAWAY_TRY(auto value, object ? valueOf(node->arguments[2].value) : object);
    std::string path(m_program.model.context->text(name->text));
    const auto *fact = object->as<ops::Fact>();
    const auto *module = fact ? fact->as<ir::ModuleId>() : nullptr;
    if (module)
        set(*module, path, std::move(value));
    else if (object->container)
        object->container->attributes.insert_or_assign(std::move(path), std::move(value));
    else
        return unreadable("no value for " + node.fullName() + ": what it writes to is not known");
    return Values(node.outputCount(), Value(ops::Fact(ops::NoneFact{})));
}

Result<Values> evaluate(const ir::Model &model, ir::FunctionId function, std::span<const Value> inputs,
                        const Limits &limits, const Seen &seen)
{
    Program program(model, limits);
    Values own(inputs.begin(), inputs.end());
    if (usesMemory(model)) {
        program.evaluator.allowWrites();
        std::ranges::for_each(own, compute::giveOwnPlaces);
    }
    const ir::Graph &graph = model.at(function).graph;
    Frame frame(program, graph, seen);
    auto results = frame.region(ir::Graph::body, own);
    for (std::size_t i = 0; results && i < results->size(); ++i) {
        const auto *fact = (*results)[i].as<ops::Fact>();
        const auto *value = graph.at(ir::Graph::body).outputs[i].as<ir::ValueId>();
        if (fact && value && fact->as<ops::AnyFact>())
            return unreadable("no value for a result: the evaluator's rule gives other results of its node only",
                              std::string(ir::ValueRef(graph, *value).name()));
    }
    return results;
}

} // namespace cutaway::evaluate
