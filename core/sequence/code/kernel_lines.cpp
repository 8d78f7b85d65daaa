// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Inductor writes no origins into the sources of its kernels, so that they are followed. Each call of a kernel is gone
// through statement by statement, with the values of the graph that its arguments are. A statement of one operation is
// the node of that operator in the kernel whose operands it has. What is no node's, as the sum and the division within
// a mean, is open; where it is an operand of a statement whose other operands fit one node alone, it is that node's
// operand. Then, from the last statement to the first: one that is open, a number or a load is of the nodes of those
// that read it, and so is one whose value goes nowhere that its node's value goes: a variance subtracts the mean, too,
// but not for the node that does. Nodes that only move elements have no statement; they are at the loads of what they
// move.
#include "core/sequence/code/kernel_lines.h"

#include "core/base/formatted.h"
#include "core/ir/context.h"
#include "core/ir/node_ref.h"
#include "core/ops/kind.h"
#include "core/ops/network/activation.h"
#include "core/ops/operator.h"
#include "core/ops/program/container.h"
#include "core/ops/tensor/comparison.h"
#include "core/sequence/code/generated_code.h"
#include "core/sequence/code/kernel_statements.h"
#include "core/sequence/limits.h"
#include "core/sequence/printed.h"

#include <algorithm>
#include <map>
#include <set>
#include <unordered_map>
#include <unordered_set>

namespace cutaway::sequence {

namespace {

using Values = std::vector<ir::ValueId>;

/// A node as statements compute it. Values are what they are before elements are moved.
struct Computation {
    ir::NodeId node;
    ops::OperatorKind kind;
    bool commutes = false;
    bool isMoving = false; ///< its one operand has another shape or type
    std::vector<std::variant<ir::ValueId, double>> operands;
    Values results;
};

std::optional<std::variant<ir::ValueId, double>> operandIn(const ir::Operand &operand)
{
    if (const auto *value = operand.as<ir::ValueId>())
        return *value;
    if (const auto *number = operand.as<std::int64_t>())
        return static_cast<double>(*number);
    if (const auto *number = operand.as<double>())
        return *number;
    return std::nullopt;
}

/// The nodes of a graph by the kernels that compute them.
class Computations {
public:
    explicit Computations(const ir::Function &function)
    {
        const ir::Graph &graph = function.graph;
        for (const ir::NodeRef node : ir::nodesOf(graph)) {
            Computation computation = computationOf(node);
            std::string kernel(graph.context().text(node.scope().path));
            for (const ir::ValueRef output : node.outputs()) {
                if (computation.isMoving)
                    m_origins.emplace(output, std::get<ir::ValueId>(computation.operands.front()));
                m_producers.emplace(output, node);
                computation.results.push_back(originOf(output));
            }
            m_byKernel[std::move(kernel)].push_back(std::move(computation));
        }
        for (const ir::FunctionInput &input : function.inputs)
            if (const auto value = ir::valueOf(graph, &input.value))
                m_inputs.emplace(value->name(), *value);
    }

    /// The value that this one was before its elements were moved.
    ir::ValueId originOf(ir::ValueId value) const
    {
        const auto found = m_origins.find(value);
        return found == m_origins.end() ? value : found->second;
    }
    std::optional<ir::NodeId> producerOf(ir::ValueId value) const
    {
        const auto found = m_producers.find(value);
        return found == m_producers.end() ? std::nullopt : std::optional(found->second);
    }
    std::optional<ir::ValueId> input(std::string_view name) const
    {
        const auto found = m_inputs.find(name);
        return found == m_inputs.end() ? std::nullopt : std::optional(found->second);
    }
    const std::vector<Computation> &of(const std::string &kernel) const
    {
        static const std::vector<Computation> none;
        const auto found = m_byKernel.find(kernel);
        return found == m_byKernel.end() ? none : found->second;
    }

private:
    Computation computationOf(const ir::NodeRef &node) const
    {
        const ops::Operator *row = ops::findOperator(node.dialect(), node.opName());
        Computation computation{node, ops::kindOf(node), row && row->traits.commutes, false, {}, {}};
        std::size_t values = 0;
        for (const ir::Argument &argument : node->arguments) {
            auto operand = operandIn(argument.value);
            if (auto *value = operand ? std::get_if<ir::ValueId>(&*operand) : nullptr)
                *value = originOf(*value);
            if (operand)
                computation.operands.push_back(*operand);
            ir::forEachValue(argument.value, [&](ir::ValueId) { ++values; });
        }
        const bool isFirst =
            !computation.operands.empty() && std::holds_alternative<ir::ValueId>(computation.operands.front());
        const bool moves = row
            && (row->pattern == ops::Pattern::Moving || row->pattern == ops::Pattern::Picking
                || row->traits.keepsElements);
        computation.isMoving = isFirst && values == 1 && (moves || computation.kind == ops::kind::getItem);
        return computation;
    }

    std::map<std::string, std::vector<Computation>, std::less<>> m_byKernel;
    std::unordered_map<ir::ValueId, ir::ValueId> m_origins;
    std::unordered_map<ir::ValueId, ir::NodeId> m_producers;
    std::unordered_map<std::string_view, ir::ValueId> m_inputs;
};

bool isOperation(std::string_view operation, const Computation &node)
{
    // Activations with a maximum in them are written as one.
    if (operation == "max" || operation == "maximum")
        return node.kind == ops::kind::maximum || node.kind == ops::kind::relu;
    return node.kind == ops::OperatorKind(operation);
}

/// One call of a kernel.
class KernelRun {
public:
    KernelRun(const Computations &all, const std::vector<Computation> &nodes) : m_all(all), m_nodes(nodes) { }

    void point(const std::string &pointer, Values values) { m_pointers[pointer] = keep({.values = std::move(values)}); }

    void add(const KernelStatement &statement, std::uint32_t line)
    {
        Instance instance{.line = line};
        for (const KernelOperand &operand : statement.operands)
            if (const auto place = placeOf(operand))
                instance.operands.push_back(*place);
        const bool isRound = std::ranges::contains(statement.operands, KernelOperand(statement.name));
        if (isKernelPointer(statement.name) && statement.meaning != KernelStatement::Meaning::Store) {
            if (instance.operands.size() == 1)
                m_pointers[statement.name] = instance.operands.front(); // another name
            return;
        }
        instance.isLoad = statement.meaning == KernelStatement::Meaning::Load;
        instance.isCopy = instance.operands.size() == 1 && statement.operations.empty();
        instance.isStore = statement.meaning == KernelStatement::Meaning::Store;
        if (instance.isCopy)
            if (const auto number = m_instances[instance.operands.front()].number; number && !instance.isStore)
                instance.number = number;
        if (!instance.isCopy && !isRound && statement.operations.size() == 1 && !instance.isLoad)
            match(instance, statement.operations.front());
        for (const std::size_t operand : instance.operands)
            m_instances[operand].users.push_back(m_instances.size());
        auto &names = instance.isStore ? m_pointers : m_names;
        names[statement.name] = keep(std::move(instance));
    }

    /// Connects all statements with nodes.
    void finish()
    {
        giveResults();
        for (std::size_t i = m_instances.size(); i-- > 0;)
            giveByReaders(i);
        for (std::size_t i = 0; i < m_instances.size(); ++i)
            if (m_instances[i].isStore && !m_instances[sourceOf(i)].nodes.empty())
                m_instances[i].nodes = m_instances[sourceOf(i)].nodes;
        giveMoves();
    }

    /// Whether a statement was understood.
    bool hasMatch() const { return !m_matched.empty(); }
    /// The values that a pointer points to at the end; none: they are not known.
    Values valuesAt(const std::string &pointer) const
    {
        const auto found = m_pointers.find(pointer);
        return found == m_pointers.end() ? Values() : m_instances[sourceOf(found->second)].values;
    }
    void addLines(std::set<KernelLine> &lines) const
    {
        for (const Instance &instance : m_instances)
            for (const ir::NodeId node : instance.nodes)
                if (instance.line > 0)
                    lines.insert({instance.line, node});
    }

private:
    /// A value at one place of the source.
    struct Instance {
        std::uint32_t line = 0;                 ///< 0: an argument or a number within a statement
        std::vector<std::size_t> operands = {}; ///< instances
        std::size_t source = 0;                 ///< itself, or of a copy the instance that was copied
        bool isCopy = false, isLoad = false, isStore = false;
        Values values = {}; ///< one of these; empty: it is open
        std::optional<double> number = {};
        std::vector<ir::NodeId> nodes = {};
        std::vector<std::size_t> users = {};
    };

    std::optional<std::size_t> placeOf(const KernelOperand &operand)
    {
        if (const auto *number = std::get_if<double>(&operand))
            return keep({.number = *number});
        const auto &name = std::get<std::string>(operand);
        const auto &places = isKernelPointer(name) ? m_pointers : m_names;
        const auto found = places.find(name);
        return found == places.end() ? std::nullopt : std::optional(found->second);
    }

    std::size_t sourceOf(std::size_t place) const { return m_instances[place].source; }

    std::size_t keep(Instance instance)
    {
        instance.source = instance.isCopy ? sourceOf(instance.operands.front()) : m_instances.size();
        m_instances.push_back(std::move(instance));
        return m_instances.size() - 1;
    }

    bool isOpen(const Instance &instance) const { return instance.values.empty() && !instance.number; }

    /// Whether an open value may be that of the graph: a node's that no statement is.
    bool mayBe(ir::ValueId value) const
    {
        const auto producer = m_all.producerOf(value);
        return producer && !m_matched.contains(*producer);
    }

    /// Whether the operands are those of the node in this order, one at least for certain. Further ones of either are
    /// numbers: axes, or the factor of a sum.
    bool fits(const std::vector<std::size_t> &operands, const Computation &node, bool isTurned) const
    {
        bool isSure = false;
        const std::size_t count = std::max(operands.size(), node.operands.size());
        for (std::size_t i = 0; i < count; ++i) {
            const std::size_t at = isTurned && i < 2 ? 1 - i : i;
            const Instance *given = at < operands.size() ? &m_instances[sourceOf(operands[at])] : nullptr;
            const auto *wanted = i < node.operands.size() ? &node.operands[i] : nullptr;
            const auto *value = wanted ? std::get_if<ir::ValueId>(wanted) : nullptr;
            if (!given || !wanted) {
                if (given ? !given->number : value != nullptr)
                    return false;
                continue;
            }
            const bool isOne = value ? std::ranges::contains(given->values, *value)
                                     : given->number && *given->number == std::get<double>(*wanted);
            if (!isOne && !(value && isOpen(*given) && mayBe(*value)))
                return false;
            isSure = isSure || isOne;
        }
        return isSure;
    }

    void match(Instance &instance, const std::string &operation)
    {
        std::vector<std::pair<const Computation *, bool>> fitting;
        for (const Computation &node : m_nodes) {
            if (node.isMoving || !isOperation(operation, node))
                continue;
            if (const bool isFitting = fits(instance.operands, node, false);
                isFitting || (node.commutes && instance.operands.size() > 1 && fits(instance.operands, node, true)))
                fitting.emplace_back(&node, !isFitting);
        }
        for (const auto &[node, isTurned] : fitting) {
            std::ranges::copy(node->results, std::back_inserter(instance.values));
            instance.nodes.push_back(node->node);
            m_matched.insert(node->node);
        }
        if (fitting.size() == 1)
            closeOperands(instance.operands, *fitting.front().first, fitting.front().second);
    }

    /// Open operands of the only node that fits are its operands.
    void closeOperands(const std::vector<std::size_t> &operands, const Computation &node, bool isTurned)
    {
        for (std::size_t i = 0; i < node.operands.size(); ++i) {
            const std::size_t at = isTurned && i < 2 ? 1 - i : i;
            const auto *value = std::get_if<ir::ValueId>(&node.operands[i]);
            if (at >= operands.size() || !value)
                continue;
            Instance &given = m_instances[sourceOf(operands[at])];
            if (!isOpen(given))
                continue;
            given.values = {*value};
            give(given, *value);
        }
    }

    /// An open value that is the result of one of the kernel's nodes is computed for it.
    void give(Instance &instance, ir::ValueId value)
    {
        const auto producer = m_all.producerOf(value);
        if (producer && std::ranges::contains(m_nodes, *producer, &Computation::node)) {
            instance.nodes = {*producer};
            m_closed.insert(*producer);
        }
    }

    /// A value that is written and open is a result of the nodes that no statement was found for.
    void giveResults()
    {
        std::vector<const Computation *> left;
        for (const Computation &node : m_nodes)
            if (!node.isMoving && !m_matched.contains(node.node) && !m_closed.contains(node.node))
                left.push_back(&node);
        for (std::size_t i = 0; i < m_instances.size(); ++i) {
            Instance &source = m_instances[sourceOf(i)];
            if (!m_instances[i].isStore || !m_instances[i].users.empty() || !isOpen(source) || source.line == 0)
                continue;
            for (const Computation *node : left) {
                source.nodes.push_back(node->node);
                if (left.size() == 1)
                    source.values = node->results;
            }
        }
    }

    /// The statements that compute with a value, also through memory; nothing if it leaves the kernel.
    std::optional<std::vector<std::size_t>> readersOf(std::size_t place) const
    {
        std::vector<std::size_t> readers, open{place};
        while (!open.empty()) {
            const Instance &each = m_instances[open.back()];
            const bool isEnd = each.users.empty() && each.isStore;
            open.pop_back();
            if (isEnd)
                return std::nullopt;
            for (const std::size_t user : each.users)
                (m_instances[user].isCopy ? open : readers).push_back(user);
        }
        return readers;
    }

    bool reads(ir::NodeId reader, const Instance &instance) const
    {
        const auto node = std::ranges::find(m_nodes, reader, &Computation::node);
        return std::ranges::contains(instance.nodes, reader)
            || (node != m_nodes.end() && std::ranges::any_of(node->operands, [&](const auto &operand) {
                    const auto *value = std::get_if<ir::ValueId>(&operand);
                    return value && std::ranges::contains(instance.values, *value);
                }));
    }

    void giveByReaders(std::size_t place)
    {
        Instance &instance = m_instances[place];
        if (!instance.nodes.empty() && !instance.isCopy) {
            const auto readers = readersOf(place);
            const auto isFor = [&](std::size_t reader) {
                const std::vector<ir::NodeId> &nodes = m_instances[reader].nodes;
                return nodes.empty()
                    || std::ranges::any_of(nodes, [&](ir::NodeId node) { return reads(node, instance); });
            };
            if (!readers || readers->empty() || std::ranges::any_of(*readers, isFor))
                return;
        }
        std::vector<ir::NodeId> nodes;
        for (const std::size_t user : instance.users)
            for (const ir::NodeId node : m_instances[user].nodes)
                if (!std::ranges::contains(nodes, node))
                    nodes.push_back(node);
        if (!nodes.empty())
            instance.nodes = std::move(nodes);
    }

    void giveMoves()
    {
        for (const Computation &move : m_nodes) {
            if (!move.isMoving)
                continue;
            for (Instance &instance : m_instances) {
                if (!instance.isLoad || instance.operands.empty()) // nothing is known of its pointer
                    continue;
                const Values &loaded = m_instances[sourceOf(instance.operands.front())].values;
                if (std::ranges::any_of(move.results,
                                        [&](ir::ValueId each) { return std::ranges::contains(loaded, each); }))
                    instance.nodes.push_back(move.node);
            }
        }
    }

    const Computations &m_all;
    const std::vector<Computation> &m_nodes;
    std::vector<Instance> m_instances;
    std::unordered_map<std::string, std::size_t> m_names, m_pointers; ///< places of instances
    std::unordered_set<ir::NodeId> m_matched;                         ///< a statement computes it
    std::unordered_set<ir::NodeId> m_closed;                          ///< several statements do, found by its readers
};

/// Goes through the calls of code with what its buffers hold.
class CodeRun {
public:
    CodeRun(const Computations &all, const GeneratedCode &code, std::string_view text) : m_all(all), m_code(code)
    {
        while (!text.empty()) {
            m_lines.push_back(text.substr(0, text.find('\n')));
            text.remove_prefix(std::min(text.find('\n'), text.size() - 1) + 1);
        }
    }

    std::vector<KernelLine> run()
    {
        for (const CodeStatement &statement : m_code.statements)
            if (statement.call) {
                if (!call(statement, m_code.calls[*statement.call]))
                    break;
            } else if (!statement.name.empty()) {
                m_buffers[statement.name] = valuesIn(statement.value);
            }
        return {m_found.begin(), m_found.end()};
    }

private:
    /// The values that the first name in an expression with any stands for: `reinterpret_tensor(buf0, …)`, `buf1[0]`.
    Values valuesIn(std::string_view expression) const
    {
        for (const std::string_view name : namesIn(expression)) {
            if (const auto buffer = m_buffers.find(name); buffer != m_buffers.end())
                return buffer->second;
            if (const auto input = m_all.input(name))
                return {*input};
        }
        return {};
    }

    /// False: the kernel has more lines than are left to follow.
    bool call(const CodeStatement &statement, const KernelCall &call)
    {
        const std::vector<Computation> &nodes = m_all.of(formatted("{}:{}", call.kernel, call.number));
        const KernelDefinition *definition = m_code.definition(call.kernel);
        if (!definition) {
            callLibrary(statement, nodes);
            return true;
        }
        const std::uint64_t lines = definition->lastLine - definition->firstLine;
        if (lines > m_linesLeft)
            return false;
        m_linesLeft -= lines;
        const auto arguments = argumentsIn(statement.value);
        const std::size_t count = std::min(arguments.size(), definition->parameters.size());
        KernelRun run(m_all, nodes);
        for (std::size_t i = 0; i < count; ++i)
            run.point(definition->parameters[i].name, valuesIn(arguments[i]));
        for (std::uint64_t line = definition->firstLine + 1; line <= definition->lastLine; ++line)
            if (const auto parsed = kernelStatement(m_lines[line - 1]))
                run.add(*parsed, static_cast<std::uint32_t>(line));
        run.finish();
        if (run.hasMatch())
            run.addLines(m_found);
        for (std::size_t i = 0; i < count; ++i)
            if (const auto names = namesIn(arguments[i]); definition->parameters[i].access != Access::Read)
                for (const std::string_view name : names)
                    if (const auto buffer = m_buffers.find(name); buffer != m_buffers.end())
                        buffer->second = run.valuesAt(definition->parameters[i].name);
        return true;
    }

    void callLibrary(const CodeStatement &statement, const std::vector<Computation> &nodes)
    {
        Values results;
        for (const Computation &node : nodes)
            if (!node.isMoving)
                std::ranges::copy(node.results, std::back_inserter(results));
        constexpr std::string_view out = "out=";
        for (const std::string_view argument : argumentsIn(statement.value))
            if (argument.starts_with(out))
                m_buffers[std::string(argument.substr(out.size()))] = results;
        if (!statement.name.empty())
            m_buffers[statement.name] = std::move(results);
    }

    const Computations &m_all;
    const GeneratedCode &m_code;
    std::vector<std::string_view> m_lines;
    std::map<std::string, Values, std::less<>> m_buffers;
    std::set<KernelLine> m_found;
    std::size_t m_linesLeft = limits::maxKernelLines;
};

} // namespace

std::vector<KernelLine> kernelLines(const ir::Model &model, ir::FunctionId function, std::string_view code)
{
    const Computations computations(model.at(function));
    const GeneratedCode generated = generatedCode(code);
    return CodeRun(computations, generated, code).run();
}

} // namespace cutaway::sequence
