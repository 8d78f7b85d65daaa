// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/print/torch/module_plan.h"

#include "core/ir/tensors/tensor_numbers.h"
#include "core/ops/operator.h"
#include "core/ops/torch/signatures.h"
#include "core/print/python_operands.h"
#include "core/print/torch/dotted_path.h"
#include "core/print/torch/tensor_paths.h"

#include <algorithm>
#include <charconv>

namespace cutaway::print {

namespace {

constexpr std::int64_t maxLiteralElements = 8; ///< a constant of at most this many elements is written as a literal
constexpr std::size_t maxSteps = 64;           ///< limit of nested modules; deeper calls join the module around them

/// Returns the number that a name is: 12 for "12"; nothing for other names.
std::optional<std::size_t> numberIn(std::string_view name)
{
    std::size_t number = 0;
    const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), number);
    return error == std::errc() && end == name.data() + name.size() ? std::optional(number) : std::nullopt;
}

std::string literalText(const ir::Model &model, ir::TensorId id)
{
    const ir::Tensor &tensor = model.at(id);
    const auto numbers = ir::numbersOf(model, id);
    if (!numbers || tensor.layout != ir::Layout::Strided)
        return "";
    const auto none = [](auto) { return std::string(); };
    const PythonOperands operands(model, none, none);
    std::string text;
    std::visit(
        [&](const auto &all) {
            for (const auto number : all) {
                const ir::Operand operand =
                    tensor.dtype == ir::DType::Bool ? ir::Operand(number != 0) : ir::Operand(number);
                text += (text.empty() ? "" : ", ") + operands.print(operand);
            }
        },
        *numbers);
    const bool isInferred =
        tensor.dtype == ir::DType::Int64 || tensor.dtype == ir::DType::Float32 || tensor.dtype == ir::DType::Bool;
    return "torch.tensor(" + (tensor.shape.empty() ? text : "[" + text + "]")
        + (isInferred ? "" : ", dtype=torch." + std::string(ir::name(tensor.dtype))) + ")";
}

/// Whether the results of an operator are new, and it writes to nothing.
bool makesNewResults(const ops::Signature &signature)
{
    return std::ranges::none_of(signature.schema.arguments,
                                [](const ops::SchemaArgument &argument) { return argument.type.alias.has_value(); })
        && std::ranges::none_of(signature.schema.returns,
                                [](const ops::SchemaArgument &result) { return result.type.alias.has_value(); });
}

} // namespace

ModulePlan::ModulePlan(const ir::Model &model, const ir::Function &function, const TensorPaths &paths,
                       ops::Signatures &signatures, bool isFlat, std::set<std::string> dissolved)
    : m_model(model),
      m_graph(function.graph),
      m_paths(paths),
      m_signatures(signatures),
      m_isFlat(isFlat),
      m_dissolved(std::move(dissolved))
{
    findLiterals();
    findTopNodes();
    findLayers();
    do {
        m_hasDissolved = false;
        m_root.items = build(m_graph.at(ir::Graph::body).nodes, 0);
    } while (m_hasDissolved);
}

const Layer *ModulePlan::layer(ir::NodeId node) const
{
    const auto known = m_layers.find(node);
    return known == m_layers.end() ? nullptr : &known->second;
}

const std::string *ModulePlan::literal(ir::TensorId tensor) const
{
    const auto known = m_literals.find(tensor);
    return known == m_literals.end() ? nullptr : &known->second;
}

// ---- constants

void ModulePlan::findLiterals()
{
    std::unordered_set<ir::TensorId> others;
    for (ir::ValueId id{0}; id.index < m_graph.valueCount(); ++id.index)
        if (const auto tensor = m_paths.tensorOf(id); tensor && !m_graph.at(id).uses.empty() && !isReadAlone(id))
            others.insert(*tensor);
    for (const ir::TensorId id : m_paths.tensors()) {
        const ir::Tensor &tensor = m_model.at(id);
        const auto count = ir::elementCount(tensor);
        const bool isSmall = tensor.shape.size() <= 1 && count && *count > 0 && *count <= maxLiteralElements;
        if (tensor.kind != ir::Tensor::Kind::Constant || !isSmall || others.contains(id) || !tensor.parts.empty())
            continue;
        if (std::string text = literalText(m_model, id); !text.empty())
            m_literals.emplace(id, std::move(text));
    }
}

/// Whether no reader may change the value or return it as an alias, so that the literal may be written anew at each
/// read.
bool ModulePlan::isReadAlone(ir::ValueId value)
{
    return std::ranges::all_of(m_graph.at(value).uses, [&](const ir::Use &use) {
        const auto *node = std::get_if<ir::NodeId>(&use);
        const ops::Signature *signature = node ? m_signatures.of(m_graph.at(*node).op) : nullptr;
        if (!signature)
            return false;
        if (makesNewResults(*signature))
            return true;
        // The value may be given to an operator that writes to another argument, like aten::fill_.Tensor(self!, value).
        const ir::NodeRef reader(m_graph, *node);
        return std::ranges::all_of(signature->schema.arguments, [&](const ops::SchemaArgument &argument) {
            const ir::Operand *given = ops::givenArgument(reader, signature, argument.name);
            return !given || *given != ir::Operand(value) || !argument.type.alias;
        });
    });
}

// ---- modules of torch.nn

void ModulePlan::findTopNodes()
{
    m_topNodes.resize(m_graph.nodeCount());
    for (ir::NodeId id{0}; id.index < m_graph.nodeCount(); ++id.index) {
        const auto owner = m_graph.at(m_graph.at(id).parent).owner;
        m_topNodes[id.index] = owner ? m_topNodes[owner->index] : id;
    }
    // A node that a pass has made may have a higher id than the nodes in its regions. For these the loop above did not
    // reach the function's body.
    for (ir::NodeId id{0}; id.index < m_graph.nodeCount(); ++id.index)
        while (const auto owner = m_graph.at(m_graph.at(m_topNodes[id.index]).parent).owner)
            m_topNodes[id.index] = *owner;
}

void ModulePlan::findLayers()
{
    Paths refused = collectLayers();
    const auto refuseAbove = [&](std::string_view path, const Layer *except) {
        for (std::string_view above = path; !above.empty(); above = parentPath(above))
            if (const auto found = m_layersByPath.find(above);
                found != m_layersByPath.end() && !(except && except->path == above))
                refused.insert(found->first);
    };
    for (ir::NodeId id{0}; id.index < m_graph.nodeCount(); ++id.index)
        if (!m_graph.at(id).removed)
            refuseAbove(pathOf(id), layer(id));
    for (const auto &[path, each] : m_layersByPath) // no module of torch.nn may contain another module
        refuseAbove(parentPath(path), nullptr);
    refuseForTensors(refused);
    for (const auto &[id, each] : m_layers)
        for (const Step &step : stepsOf(m_graph.at(m_topNodes[id.index]).scope))
            if (!isWithinPath(each.path, step.path) && !isWithinPath(step.path, each.path))
                refused.insert(each.path);
    std::erase_if(m_layers, [&](const auto &entry) { return refused.contains(entry.second.path); });
    std::erase_if(m_layersByPath, [&](const auto &entry) { return refused.contains(entry.first); });
    for (const auto &[path, each] : m_layersByPath)
        for (const ir::TensorId id : each.tensors)
            m_literals.erase(id); // the module of torch.nn has the tensor
}

/// Finds the module of torch.nn that each node is a call of. Returns the paths of modules whose calls differ.
ModulePlan::Paths ModulePlan::collectLayers()
{
    Paths refused, calledInPlace; // refused paths; paths of modules that a node in their own scope is a call of
    for (ir::NodeId id{0}; id.index < m_graph.nodeCount(); ++id.index) {
        auto found = m_graph.at(id).removed ? std::nullopt : layerOf(m_model, {m_graph, id}, m_paths, m_signatures);
        if (!found)
            continue;
        const bool isItsCall = pathOf(id) == found->path;
        const auto [first, isNew] = m_layersByPath.try_emplace(found->path, *found);
        if (!isNew && (first->second.code != found->code || first->second.tensors != found->tensors)) {
            // A weight that two modules share belongs to the module whose call the node is in.
            if (!isItsCall && calledInPlace.contains(found->path))
                continue;
            refused.insert(found->path);
        }
        if (isItsCall)
            calledInPlace.insert(found->path);
        m_layers.emplace(id, *std::move(found));
    }
    return refused;
}

/// Refuses each module of torch.nn whose path has a tensor below it that is none of the module's tensors.
void ModulePlan::refuseForTensors(Paths &refused) const
{
    for (const ir::TensorId id : m_paths.tensors())
        for (std::string_view above = parentPath(m_paths.of(id)); !above.empty(); above = parentPath(above))
            if (const auto found = m_layersByPath.find(above); found != m_layersByPath.end()
                && !std::ranges::contains(found->second.tensors, id)
                && lastName(m_paths.of(id)) != "num_batches_tracked")
                refused.insert(found->first);
}

std::string_view ModulePlan::pathOf(ir::NodeId node) const
{
    return m_model.context->text(ir::NodeRef(m_graph, node).scope().path);
}

// ---- calls

/// Returns the modules around a scope, from the outermost one inwards. A module that the file leaves out between two
/// others is a step, too.
std::vector<ModulePlan::Step> ModulePlan::stepsOf(ir::ScopeId scope) const
{
    std::vector<ir::ScopeId> chain;
    for (ir::ScopeId at = scope; at != ir::ScopeId{}; at = m_model.context->at(at).parent)
        chain.push_back(at);
    std::vector<Step> steps;
    std::string outer;
    std::string calls;
    for (const ir::ScopeId at : std::views::reverse(chain)) {
        const std::string path(m_model.context->text(m_model.context->at(at).path));
        if (path.empty() || path == outer || !isWithinPath(path, outer) || steps.size() >= maxSteps)
            continue;
        for (std::size_t dot = path.find('.', outer.empty() ? 0 : outer.size() + 1); dot != path.npos;
             dot = path.find('.', dot + 1))
            steps.push_back({path.substr(0, dot), calls + path.substr(0, dot), false});
        calls = "#" + std::to_string(at.index) + " ";
        steps.push_back({path, calls + path, true});
        outer = path;
    }
    return steps;
}

const ModulePlan::Step *ModulePlan::stepAt(ir::NodeId node, std::size_t depth)
{
    if (m_isFlat)
        return nullptr;
    const ir::ScopeId scope = m_graph.at(node).scope;
    const auto [steps, isNew] = m_steps.try_emplace(scope);
    if (isNew)
        steps->second = stepsOf(scope);
    const Layer *called = layer(node);
    for (const Step &step : steps->second) {
        if (called && isWithinPath(step.path, called->path))
            return nullptr;
        if (m_layersByPath.contains(step.path) || m_dissolved.contains(step.key))
            continue;
        if (depth-- == 0)
            return &step;
    }
    return nullptr;
}

std::vector<PlanItem> ModulePlan::build(Nodes nodes, std::size_t depth)
{
    std::vector<PlanItem> items;
    std::set<std::string, std::less<>> seen;
    for (std::size_t i = 0; i < nodes.size();) {
        const Step *step = stepAt(nodes[i], depth);
        if (!step) {
            items.emplace_back(nodes[i++]);
            continue;
        }
        const std::string key = step->key;
        std::size_t end = i + 1;
        for (const Step *next = nullptr; end < nodes.size() && (next = stepAt(nodes[end], depth)) && next->key == key;)
            ++end;
        const bool isFirst = seen.insert(key).second;
        if (auto call = isFirst ? makeCall(nodes.subspan(i, end - i), *step, depth) : nullptr)
            items.emplace_back(std::move(call));
        else
            m_hasDissolved = m_dissolved.insert(key).second || m_hasDissolved;
        i = end;
    }
    return items;
}

/// Makes the call of a step's module from nodes. Returns nullptr if nothing else reads the results, or if the step is
/// only a part of a path and the nodes are no chain of module calls.
std::shared_ptr<ModuleCall> ModulePlan::makeCall(Nodes nodes, const Step &step, std::size_t depth)
{
    auto call = std::make_shared<ModuleCall>();
    call->path = step.path;
    call->key = step.key;
    const bool isCall = step.isCall;
    call->items = build(nodes, depth + 1);
    if (m_hasDissolved)
        return call; // the plan is made again, without the dissolved modules
    bindCall(*call, nodes);
    const bool isGood = !call->outputs.empty() && (isCall || (call->items.size() > 1 && isChain(*call)));
    return isGood ? call : nullptr;
}

void ModulePlan::bindCall(ModuleCall &call, Nodes nodes) const
{
    const std::unordered_set<ir::NodeId> inside(nodes.begin(), nodes.end());
    std::unordered_set<ir::ValueId> defined;
    for (const ir::NodeId node : nodes)
        for (const ir::ValueId output : m_graph.at(node).outputs)
            defined.insert(output);
    std::unordered_set<ir::ValueId> seen;
    for (const ir::NodeId node : nodes)
        bindReads(call, node, defined, seen);
    const auto isOutside = [&](const ir::Use &use) {
        if (const auto *node = std::get_if<ir::NodeId>(&use))
            return !inside.contains(m_topNodes[node->index]);
        const auto owner = m_graph.at(std::get<ir::RegionId>(use)).owner;
        return !owner || !inside.contains(m_topNodes[owner->index]);
    };
    for (const ir::NodeId node : nodes)
        for (const ir::ValueId output : m_graph.at(node).outputs)
            if (std::ranges::any_of(m_graph.at(output).uses, isOutside))
                call.outputs.push_back(output);
}

/// Whether a value is made within the call: it is in `defined`, or the regions of `node` have it as an input or contain
/// the node that makes it.
bool ModulePlan::isDefinedWithin(ir::ValueId value, ir::NodeId node,
                                 const std::unordered_set<ir::ValueId> &defined) const
{
    const ir::Definition &definition = m_graph.at(value).definition;
    if (const auto *input = std::get_if<ir::RegionInput>(&definition))
        return input->region != ir::Graph::body; // an input of a region in the node: nodes inside see no other region
    const auto *result = std::get_if<ir::NodeResult>(&definition);
    return defined.contains(value)
        || (result && m_graph.at(result->node).parent != ir::Graph::body
            && m_topNodes[result->node.index] == m_topNodes[node.index]);
}

/// Adds to the call's inputs the outer values that a node and its regions read.
void ModulePlan::bindReads(ModuleCall &call, ir::NodeId id, const std::unordered_set<ir::ValueId> &defined,
                           std::unordered_set<ir::ValueId> &seen) const
{
    const auto read = [&](const ir::Operand &operand) {
        if (const auto tensor = m_paths.tensorOf(operand)) {
            const bool isElsewhere = !literal(*tensor) && !isWithinPath(m_paths.of(*tensor), call.path);
            if (isElsewhere && !std::ranges::contains(call.inputs, ir::Operand(*tensor)))
                call.inputs.emplace_back(*tensor);
        } else if (const auto *value = operand.as<ir::ValueId>(); value && !isDefinedWithin(*value, id, defined)) {
            if (seen.insert(*value).second)
                call.inputs.emplace_back(*value);
        }
    };
    const auto readAll = [&](const auto &self, const ir::Operand &operand) -> void {
        read(operand);
        const auto *list = operand.as<ir::List>();
        const auto *dict = operand.as<ir::Dict>();
        if (list || dict)
            for (const ir::Operand &item : list ? list->items : dict->items)
                self(self, item);
    };
    if (const Layer *called = layer(id))
        return read(called->data);
    for (const ir::Argument &argument : m_graph.at(id).arguments)
        readAll(readAll, argument.value);
    for (const ir::RegionId region : m_graph.at(id).regions) {
        for (const ir::NodeId inner : m_graph.at(region).nodes)
            bindReads(call, inner, defined, seen);
        for (const ir::Operand &output : m_graph.at(region).outputs)
            readAll(readAll, output);
    }
}

/// Returns the item as a link of a chain: the call of a module with one operand and one result; nothing for other
/// items.
std::optional<ModulePlan::Link> ModulePlan::linkOf(const PlanItem &item) const
{
    if (const auto *node = std::get_if<ir::NodeId>(&item)) {
        const Layer *called = layer(*node);
        return called ? std::optional(Link{called->path, called->data, m_graph.at(*node).outputs.front()})
                      : std::nullopt;
    }
    const ModuleCall &inner = *std::get<std::shared_ptr<const ModuleCall>>(item);
    return inner.inputs.size() == 1 && inner.outputs.size() == 1
        ? std::optional(Link{inner.path, inner.inputs.front(), inner.outputs.front()})
        : std::nullopt;
}

bool ModulePlan::isChain(const ModuleCall &call) const
{
    if (call.inputs.size() != 1 || call.outputs.size() != 1 || !call.inputs.front().as<ir::ValueId>())
        return false;
    ir::Operand data = call.inputs.front();
    std::optional<std::size_t> last;
    for (const PlanItem &item : call.items) {
        const auto link = linkOf(item);
        const auto number = link ? numberIn(lastName(link->path)) : std::nullopt;
        if (!number || parentPath(link->path) != call.path || (last && *number <= *last) || link->data != data)
            return false;
        last = number;
        data = link->result;
    }
    return data == ir::Operand(call.outputs.front());
}

} // namespace cutaway::print
