// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// A statement with one operation is linked to the node of the kernel that has the same operator and operands. A
// statement that is no node by itself, as the sum and the division within a mean, is open: its value is not known. If
// it is an operand of a statement whose other operands fit only one node, it becomes the operand of that node. Then the
// statements are visited from the last to the first. A statement that is open, a number or a load is linked to the
// nodes of the statements that read it. The same happens to a statement that was linked to a node, if no statement that
// reads it belongs to that node or to a reader of the node: a kernel may subtract the mean within a variance and once
// more for a node that subtracts it, and the first subtraction belongs to the variance. Nodes that only move elements
// have no statement; they are linked to the loads of the values that they move.
#include "core/sequence/code/kernel_run.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace cutaway::sequence {

/// The limit of nodes with the same computation; a statement that fits more of them is linked to none.
constexpr std::size_t mostFitting = 32;

KernelRun::KernelRun(const Computations &all, const std::vector<Computation> &nodes, std::size_t &steps)
    : m_all(all),
      m_nodes(nodes),
      m_steps(steps)
{
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        m_places.emplace(nodes[i].node, i);
        m_operands += 1 + nodes[i].operands.size();
    }
}

/// Counts steps of the work. Returns false if the limit is reached.
bool KernelRun::look(std::size_t count)
{
    m_steps -= std::min(count, m_steps);
    return m_steps > 0;
}

void KernelRun::point(const std::string &pointer, Values values)
{
    m_pointers[pointer] = keep({.values = std::move(values)});
}

void KernelRun::add(const KernelStatement &statement)
{
    if (!look(1 + statement.operands.size()))
        return;
    using Meaning = KernelStatement::Meaning;
    Instance instance{.lines = statement.lines};
    for (const KernelOperand &operand : statement.operands)
        if (const auto place = placeOf(operand))
            instance.operands.push_back(*place);
    if (isKernelPointer(statement.name) && statement.meaning != Meaning::Store) {
        if (instance.operands.size() == 1)
            m_pointers[statement.name] = instance.operands.front(); // the statement only renames the pointer
        return;
    }
    instance.isLoad = statement.meaning == Meaning::Load;
    instance.isStore = statement.meaning == Meaning::Store;
    instance.isCopy = instance.operands.size() == 1 && statement.operations.empty();
    if (instance.isCopy && !instance.isStore)
        instance.number = m_instances[instance.operands.front()].number;
    if (mayCompute(statement, instance))
        match(instance, statement.operations.front());
    for (const std::size_t operand : instance.operands)
        m_instances[operand].users.push_back(m_instances.size());
    auto &names = instance.isStore ? m_pointers : m_names;
    names[statement.name] = keep(std::move(instance));
}

/// Whether a statement may be a node by itself. One that adds to its own value is a step of a loop and may not.
bool KernelRun::mayCompute(const KernelStatement &statement, const Instance &instance) const
{
    return !instance.isCopy && !instance.isLoad && statement.operations.size() == 1
        && !std::ranges::contains(statement.operands, KernelOperand(statement.name));
}

void KernelRun::finish()
{
    giveResults();
    for (std::size_t i = m_instances.size(); i-- > 0;)
        giveByReaders(i);
    for (std::size_t i = 0; i < m_instances.size(); ++i)
        if (const auto &nodes = m_instances[sourceOf(i)].nodes;
            m_instances[i].isStore && !nodes.empty() && look(nodes.size()))
            m_instances[i].nodes = nodes;
    giveMoves();
}

Values KernelRun::valuesAt(const std::string &pointer) const
{
    const auto found = m_pointers.find(pointer);
    return found == m_pointers.end() ? Values() : m_instances[sourceOf(found->second)].values;
}

void KernelRun::addLines(std::vector<KernelLine> &lines) const
{
    for (const Instance &instance : m_instances)
        for (std::uint32_t line = instance.lines.first; line < instance.lines.end; ++line)
            for (const ir::NodeId node : instance.nodes)
                lines.push_back({line, node});
}

std::optional<std::size_t> KernelRun::placeOf(const KernelOperand &operand)
{
    if (const auto *number = std::get_if<double>(&operand))
        return keep({.number = *number});
    const auto &name = std::get<std::string>(operand);
    const auto &places = isKernelPointer(name) ? m_pointers : m_names;
    const auto found = places.find(name);
    return found == places.end() ? std::nullopt : std::optional(found->second);
}

std::size_t KernelRun::keep(Instance instance)
{
    instance.source = instance.isCopy ? sourceOf(instance.operands.front()) : m_instances.size();
    m_instances.push_back(std::move(instance));
    return m_instances.size() - 1;
}

/// Whether a value of the graph may be that of an open statement: whether the value is made by a node that no single
/// statement computes.
bool KernelRun::mayBe(ir::ValueId value) const
{
    const auto producer = m_all.producerOf(value);
    return producer && !m_matched.contains(*producer);
}

/// Returns whether `given`, an operand of a statement, is `wanted`, an operand of a node. One of them is nullptr if the
/// statement or the node has no operand at this position; the other may then only be a number: an axis, or the factor
/// of a sum.
KernelRun::Fit KernelRun::fitOf(const Instance *given, const std::variant<ir::ValueId, double> *wanted) const
{
    if (!wanted)
        return given->number ? Fit::Perhaps : Fit::No;
    const auto *value = std::get_if<ir::ValueId>(wanted);
    if (!given)
        return value ? Fit::No : Fit::Perhaps;
    if (!value)
        return given->number == std::get<double>(*wanted) ? Fit::Sure : Fit::No;
    if (std::ranges::contains(given->values, *value))
        return Fit::Sure;
    return isOpen(*given) && mayBe(*value) ? Fit::Perhaps : Fit::No;
}

/// Whether the operands are those of the node, at least one of them for certain. `isTurned`: the first two are
/// exchanged.
bool KernelRun::fits(const std::vector<std::size_t> &operands, const Computation &node, bool isTurned) const
{
    bool isSure = false;
    for (std::size_t i = 0; i < std::max(operands.size(), node.operands.size()); ++i) {
        const std::size_t at = isTurned && i < 2 ? 1 - i : i;
        const Fit fit = fitOf(at < operands.size() ? &m_instances[sourceOf(operands[at])] : nullptr,
                              i < node.operands.size() ? &node.operands[i] : nullptr);
        if (fit == Fit::No)
            return false;
        isSure = isSure || fit == Fit::Sure;
    }
    return isSure;
}

std::optional<KernelRun::Fitting> KernelRun::fittingOf(const Instance &instance, const Computation &node) const
{
    if (fits(instance.operands, node, false))
        return Fitting{&node, false};
    if (maySwap(node) && instance.operands.size() > 1 && fits(instance.operands, node, true))
        return Fitting{&node, true};
    return std::nullopt;
}

void KernelRun::match(Instance &instance, const std::string &operation)
{
    if (!look(m_operands + m_nodes.size() * instance.operands.size()))
        return;
    std::vector<Fitting> fitting;
    for (const Computation &node : m_nodes)
        if (!node.isMoving && isOperation(operation, node))
            if (const auto found = fittingOf(instance, node))
                fitting.push_back(*found);
    if (fitting.size() > mostFitting)
        return;
    Values values;
    for (const Fitting &each : fitting)
        std::ranges::copy(each.node->results, std::back_inserter(values));
    if (values.size() > mostValues)
        return;
    instance.values = std::move(values);
    for (const Fitting &each : fitting) {
        instance.nodes.push_back(each.node->node);
        m_matched.insert(each.node->node);
    }
    if (fitting.size() == 1)
        closeOperands(instance.operands, fitting.front());
}

/// Sets the values of open operands of a statement: they are the operands of the only node that fits.
void KernelRun::closeOperands(const std::vector<std::size_t> &operands, const Fitting &fitting)
{
    for (std::size_t i = 0; i < fitting.node->operands.size(); ++i) {
        const std::size_t at = fitting.isTurned && i < 2 ? 1 - i : i;
        const auto *value = std::get_if<ir::ValueId>(&fitting.node->operands[i]);
        if (at >= operands.size() || !value)
            continue;
        Instance &given = m_instances[sourceOf(operands[at])];
        if (!isOpen(given))
            continue;
        given.values = {*value};
        give(given, *value);
    }
}

/// Links an open value to the node that makes `value`, if that is one of the kernel's.
void KernelRun::give(Instance &instance, ir::ValueId value)
{
    const auto producer = m_all.producerOf(value);
    if (producer && m_places.contains(*producer)) {
        instance.nodes = {*producer};
        m_closed.insert(*producer);
    }
}

/// Links values that are stored and open to the nodes for which no statement was found: the values are results of these
/// nodes.
void KernelRun::giveResults()
{
    std::vector<const Computation *> left;
    for (const Computation &node : m_nodes)
        if (!node.isMoving && !m_matched.contains(node.node) && !m_closed.contains(node.node))
            left.push_back(&node);
    for (std::size_t i = 0; i < m_instances.size(); ++i) {
        Instance &source = m_instances[sourceOf(i)];
        const bool isResult = m_instances[i].isStore && m_instances[i].users.empty();
        if (!isResult || !isOpen(source) || source.lines.isEmpty() || !look(left.size()))
            continue;
        for (const Computation *node : left) {
            source.nodes.push_back(node->node);
            if (left.size() == 1)
                source.values = node->results;
        }
    }
}

/// Returns the statements that compute with a value, also through memory; nothing if the value leaves the kernel.
std::optional<std::vector<std::size_t>> KernelRun::readersOf(std::size_t place) const
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

/// Whether `reader` is a node of `instance`, or has a value of `instance` as an operand. Also returns true if the limit
/// of steps is reached.
bool KernelRun::reads(ir::NodeId reader, const Instance &instance)
{
    const auto place = m_places.find(reader);
    const std::size_t operands = place == m_places.end() ? 0 : m_nodes[place->second].operands.size();
    if (!look(instance.nodes.size() + operands * instance.values.size())
        || std::ranges::contains(instance.nodes, reader))
        return true;
    return place != m_places.end() && std::ranges::any_of(m_nodes[place->second].operands, [&](const auto &operand) {
               const auto *value = std::get_if<ir::ValueId>(&operand);
               return value && std::ranges::contains(instance.values, *value);
           });
}

/// Whether the value of a statement that is linked to a node is used where the node's value is used.
bool KernelRun::isForReaders(std::size_t place)
{
    const Instance &instance = m_instances[place];
    const auto readers = readersOf(place);
    return !readers || readers->empty() || std::ranges::any_of(*readers, [&](std::size_t reader) {
        const std::vector<ir::NodeId> &nodes = m_instances[reader].nodes;
        return nodes.empty() || std::ranges::any_of(nodes, [&](ir::NodeId node) { return reads(node, instance); });
    });
}

void KernelRun::giveByReaders(std::size_t place)
{
    Instance &instance = m_instances[place];
    if (!instance.nodes.empty() && !instance.isCopy && isForReaders(place))
        return;
    std::unordered_set<ir::NodeId> known;
    std::vector<ir::NodeId> nodes;
    for (const std::size_t user : instance.users)
        for (const ir::NodeId node : m_instances[user].nodes) {
            if (!look(1))
                return;
            if (known.insert(node).second)
                nodes.push_back(node);
        }
    if (!nodes.empty())
        instance.nodes = std::move(nodes);
}

void KernelRun::giveMoves()
{
    for (const Computation &move : m_nodes) {
        if (!move.isMoving || !look(m_instances.size() * move.results.size()))
            continue;
        for (Instance &instance : m_instances) {
            if (!instance.isLoad || instance.operands.empty()) // it is not known what the pointer of the load points to
                continue;
            const Values &loaded = m_instances[sourceOf(instance.operands.front())].values;
            if (std::ranges::any_of(move.results,
                                    [&](ir::ValueId each) { return std::ranges::contains(loaded, each); }))
                instance.nodes.push_back(move.node);
        }
    }
}

} // namespace cutaway::sequence
