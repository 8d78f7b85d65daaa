// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/diff/steps/step_links.h"

#include "core/ir/node_ref.h"

#include <algorithm>
#include <optional>
#include <utility>

// A node of the later graph names the nodes that it was made from as its origins; an origin that was made and removed
// within the step stands for its own origins. A node that is gone and is no node's origin is found by its readers: at
// the same place of the same reader stands a value of another node.
//
//   That node is new, or is another one   it took in what the node did: a convolution with a batch normalization.
//   The reader is another one             the reader took it in: a convolution with a padding.
//   Else                                  the value is read instead: an identity, a subexpression, a constant.
//
// A node whose readers are all gone is part of what they became: it has the links of the first of them. A node that
// nothing read has no links.

namespace cutaway::diff {

namespace {

using ir::Graph;
using ir::NodeId;
using ir::ValueId;

std::optional<NodeId> producerOf(const Graph &graph, ValueId value)
{
    const auto *result =
        value.index < graph.valueCount() ? std::get_if<ir::NodeResult>(&graph.at(value).definition) : nullptr;
    return result ? std::optional(result->node) : std::nullopt;
}

std::vector<ValueId> valuesOf(const ir::Operand &operand)
{
    std::vector<ValueId> values;
    ir::forEachValue(operand, [&](ValueId value) { values.push_back(value); });
    return values;
}

template <class T>
void putOnce(std::vector<T> &list, const T &item)
{
    if (!std::ranges::contains(list, item))
        list.push_back(item);
}

} // namespace

class StepLinks::Finding {
public:
    Finding(StepLinks &links, const Graph &before, const Graph &after, const StepDifference &step)
        : m_links(links),
          m_before(before),
          m_after(after),
          m_step(step)
    {
    }

    void run()
    {
        for (const NodeId node : m_step.changed)
            if (isOther(node))
                m_links.m_other.insert(node);
        for (const NodeId node : m_step.added)
            linkOrigins(node);
        std::vector<NodeId> known;
        for (const NodeId node : m_step.removed)
            if (m_links.m_made.contains(node) || linkByReaders(node))
                known.push_back(node);
        linkOperands(std::move(known));
    }

private:
    static bool isIn(const Graph &graph, NodeId id) { return id.index < graph.nodeCount() && !graph.at(id).removed; }
    bool isGone(NodeId node) const { return std::ranges::binary_search(m_step.removed, node); }
    bool isNew(NodeId node) const { return std::ranges::binary_search(m_step.added, node); }

    /// Whether an operand differs only because the earlier value is gone, or the present one is new.
    bool follows(ValueId was, ValueId is) const
    {
        const auto maker = producerOf(m_before, was), made = producerOf(m_after, is);
        return was == is || (maker && isGone(*maker)) || (made && isNew(*made));
    }

    bool isOther(NodeId id) const
    {
        const ir::Node &was = m_before.at(id), &is = m_after.at(id);
        if (was.op != is.op || was.arguments.size() != is.arguments.size())
            return true;
        for (std::size_t i = 0; i < was.arguments.size(); ++i) {
            const ir::Argument &a = was.arguments[i], &b = is.arguments[i];
            const std::vector<ValueId> values = valuesOf(a.value), others = valuesOf(b.value);
            std::size_t at = 0;
            const ir::Operand expected =
                ir::withValues(a.value, [&](ValueId value) { return at < others.size() ? others[at++] : value; });
            const bool follow = std::ranges::equal(values, others, [this](auto x, auto y) { return follows(x, y); });
            if (a.name != b.name || !follow || expected != b.value)
                return true;
        }
        return false;
    }

    void link(NodeId before, NodeId after)
    {
        putOnce(m_links.m_made[before], after);
        putOnce(m_links.m_origins[after], before);
    }

    void linkOrigins(NodeId node)
    {
        std::vector<NodeId> open(m_after.at(node).origins.begin(), m_after.at(node).origins.end());
        for (std::size_t i = 0; i < open.size(); ++i) {
            if (isIn(m_before, open[i]))
                link(open[i], node);
            else if (open[i].index >= m_before.nodeCount() && open[i].index < m_after.nodeCount())
                for (const NodeId origin : m_after.at(open[i]).origins)
                    putOnce(open, origin);
        }
    }

    bool linkByReaders(NodeId gone)
    {
        bool isKnown = false;
        for (const ValueId result : m_before.at(gone).outputs)
            for (const ir::Use &use : m_before.at(result).uses)
                isKnown = linkByReader(gone, result, use) || isKnown;
        return isKnown;
    }

    bool linkByReader(NodeId gone, ValueId result, const ir::Use &use)
    {
        const auto *node = std::get_if<NodeId>(&use);
        const auto other = node && m_links.isOther(*node) ? std::optional(*node) : std::nullopt;
        const auto read = std::visit([&](auto reader) { return readBy(reader, result); }, use);
        for (const ValueId value : read)
            linkTo(gone, value, other);
        if (read.empty() && other) // the reader has an operand other than a value in place of the result
            link(gone, *other);
        return !read.empty() || other;
    }

    void linkTo(NodeId gone, ValueId value, std::optional<NodeId> otherReader)
    {
        const auto maker = producerOf(m_after, value);
        if (maker && (isNew(*maker) || m_links.isOther(*maker)))
            link(gone, *maker);
        else if (otherReader)
            link(gone, *otherReader);
        else
            putOnce(m_links.m_instead[gone], value);
    }

    /// Returns the values that a reader reads now in place of a removed one.
    std::vector<ValueId> readBy(NodeId reader, ValueId result) const
    {
        std::vector<ValueId> found;
        if (!isIn(m_after, reader))
            return found;
        const auto &was = m_before.at(reader).arguments, &is = m_after.at(reader).arguments;
        for (std::size_t i = 0; i < was.size() && was.size() == is.size(); ++i)
            addRead(was[i].value, is[i].value, result, found);
        return found;
    }

    std::vector<ValueId> readBy(ir::RegionId reader, ValueId result) const
    {
        std::vector<ValueId> found;
        if (reader.index >= m_after.regionCount())
            return found;
        const auto &was = m_before.at(reader).outputs, &is = m_after.at(reader).outputs;
        for (std::size_t i = 0; i < was.size() && was.size() == is.size(); ++i)
            addRead(was[i], is[i], result, found);
        return found;
    }

    static void addRead(const ir::Operand &was, const ir::Operand &is, ValueId result, std::vector<ValueId> &found)
    {
        const std::vector<ValueId> values = valuesOf(was), others = valuesOf(is);
        for (std::size_t i = 0; i < values.size() && values.size() == others.size(); ++i)
            if (values[i] == result)
                putOnce(found, others[i]);
    }

    /// Gives each node whose readers are all gone the links of its first reader.
    void linkOperands(std::vector<NodeId> known)
    {
        std::unordered_set<NodeId> done(known.begin(), known.end());
        for (std::size_t i = 0; i < known.size(); ++i) {
            const NodeId reader = known[i];
            for (const ir::Argument &argument : m_before.at(reader).arguments)
                for (const ValueId value : valuesOf(argument.value))
                    if (const auto maker = producerOf(m_before, value);
                        maker && done.insert(*maker).second && isReadByGoneAlone(*maker)) {
                        takeLinks(*maker, reader);
                        known.push_back(*maker);
                    }
        }
    }

    bool isReadByGoneAlone(NodeId node) const
    {
        return isGone(node) && std::ranges::all_of(m_before.at(node).outputs, [this](ValueId result) {
                   return std::ranges::all_of(m_before.at(result).uses, [this](const ir::Use &use) {
                       const auto *reader = std::get_if<NodeId>(&use);
                       return reader && isGone(*reader);
                   });
               });
    }

    void takeLinks(NodeId node, NodeId reader)
    {
        if (const auto made = m_links.m_made.find(reader); made != m_links.m_made.end())
            for (const NodeId each : std::vector(made->second))
                link(node, each);
        if (const auto instead = m_links.m_instead.find(reader); instead != m_links.m_instead.end())
            m_links.m_instead[node] = std::vector(instead->second);
    }

    StepLinks &m_links;
    const Graph &m_before;
    const Graph &m_after;
    const StepDifference &m_step;
};

StepLinks::StepLinks(const Graph &before, const Graph &after, const StepDifference &step)
{
    Finding(*this, before, after, step).run();
}

const std::vector<NodeId> &StepLinks::madeFrom(NodeId before) const
{
    static const std::vector<NodeId> none;
    const auto found = m_made.find(before);
    return found == m_made.end() ? none : found->second;
}

const std::vector<NodeId> &StepLinks::originsOf(NodeId after) const
{
    static const std::vector<NodeId> none;
    const auto found = m_origins.find(after);
    return found == m_origins.end() ? none : found->second;
}

const std::vector<ValueId> &StepLinks::readInsteadOf(NodeId gone) const
{
    static const std::vector<ValueId> none;
    const auto found = m_instead.find(gone);
    return found == m_instead.end() ? none : found->second;
}

} // namespace cutaway::diff
