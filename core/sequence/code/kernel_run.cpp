// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// A statement of one operation is the node of that operator in the kernel whose operands it has. What is no node's, as
// the sum and the division within a mean, is open; where it is an operand of a statement whose other operands fit one
// node alone, it is that node's operand. Then, from the last statement to the first: one that is open, a number or a
// load is of the nodes of those that read it, and so is one whose value goes nowhere that its node's value goes: a
// variance subtracts the mean, too, but not for the node that does. Nodes that only move elements have no statement;
// they are at the loads of what they move.
#include "core/sequence/code/kernel_run.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace cutaway::sequence {

/// More nodes than these do not compute the same; a statement that fits more of them is told of none.
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

/// Counts what is looked at. False: there is no more to do.
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
            m_pointers[statement.name] = instance.operands.front(); // another name
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

/// Whether a statement may be a node by itself: one that adds to its own value is a step of a loop.
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

/// Whether an open value may be that of the graph: a node's that no statement is.
bool KernelRun::mayBe(ir::ValueId value) const
{
    const auto producer = m_all.producerOf(value);
    return producer && !m_matched.contains(*producer);
}

/// Whether an operand of a statement is that of a node; nullptr: it has none there. Further ones of either are numbers:
/// axes, or the factor of a sum.
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

/// Whether the operands are those of the node in this order, one at least for certain.
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

/// Open operands of the only node that fits are its operands.
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

/// An open value that is the result of one of the kernel's nodes is computed for it.
void KernelRun::give(Instance &instance, ir::ValueId value)
{
    const auto producer = m_all.producerOf(value);
    if (producer && m_places.contains(*producer)) {
        instance.nodes = {*producer};
        m_closed.insert(*producer);
    }
}

/// A value that is written and open is a result of the nodes that no statement was found for.
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

/// The statements that compute with a value, also through memory; nothing if it leaves the kernel.
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

/// Whether a node is among those of an instance or has one of its values as operand; true when no more is looked at.
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

/// Whether a value that is a node's goes where the node's value goes.
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
            if (!instance.isLoad || instance.operands.empty()) // nothing is known of its pointer
                continue;
            const Values &loaded = m_instances[sourceOf(instance.operands.front())].values;
            if (std::ranges::any_of(move.results,
                                    [&](ir::ValueId each) { return std::ranges::contains(loaded, each); }))
                instance.nodes.push_back(move.node);
        }
    }
}

} // namespace cutaway::sequence
