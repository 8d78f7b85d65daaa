// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trace/links/onnxruntime_links.h"

#include "core/base/formatted.h"
#include "core/ir/names.h"
#include "core/ops/operator.h"

#include <algorithm>
#include <array>
#include <unordered_set>

// An optimised graph keeps the names of nodes that stay. A new node is named after the node or the value that it
// replaces, with a suffix, or after its operator. The nodes without an event were therefore replaced by new ones: those
// between the neighbours of a new node's event belong to it. A new node that moves data and has no node of its own
// moves the result of the new node before it, or else makes what the next node reads.

namespace cutaway::trace {

namespace {

/// Returns a name without the suffixes that ONNX Runtime appends: "/conv/Conv_nchwc", "Gelu_token_61",
/// "/Reshape_new_reshape".
std::string_view withoutMarks(std::string_view name)
{
    constexpr std::array<std::string_view, 2> marks{"_nchwc", "_new_reshape"};
    for (bool isFound = true; isFound;) {
        isFound = false;
        for (const std::string_view mark : marks)
            if (name.ends_with(mark)) {
                name.remove_suffix(mark.size());
                isFound = true;
            }
        constexpr std::string_view token = "_token_";
        const std::size_t at = name.rfind(token);
        if (at != std::string_view::npos
            && name.find_first_not_of("0123456789", at + token.size()) == std::string_view::npos) {
            name = name.substr(0, at);
            isFound = true;
        }
    }
    return name;
}

class OnnxRuntimeLinks {
public:
    OnnxRuntimeLinks(const Trace &trace, const Nesting &nesting, const ir::Graph &graph, Linked &linked)
        : m_trace(trace),
          m_nesting(nesting),
          m_graph(graph),
          m_linked(linked)
    {
        addNodes(ir::Graph::body);
        for (const Event &event : trace.events)
            if (event.category == Category::Operator)
                if (const auto node = m_byName.find(std::string(trace.nameOf(event))); node != m_byName.end())
                    m_withEvent.insert(node->second);
    }

    void run()
    {
        for (std::uint32_t i = 0; i < m_linked.iterations.size(); ++i) {
            m_rows.clear();
            addRows(i);
            linkByNames();
            linkByNeighbours();
            for (Row &row : m_rows)
                if (row.link.nodes.empty() && row.link.reason.empty())
                    row.link.reason = "the model has no node of this name, and none is left between its neighbours";
            std::ranges::move(m_rows, std::back_inserter(m_linked.rows));
        }
        report();
    }

private:
    void addNodes(ir::RegionId region)
    {
        for (const ir::NodeRef node : ir::nodesOf(m_graph, region)) {
            m_order.emplace(node.id(), m_inOrder.size());
            m_inOrder.push_back(node.id());
            m_byName.emplace(ir::nameOf(node), node.id());
            for (const ir::ValueRef output : node.outputs())
                m_byOutput.emplace(ir::nameOf(output), node.id());
            if (std::ranges::any_of(node->arguments, [&](const ir::Argument &each) { return isComputed(each.value); }))
                m_computed.insert(node.id());
            for (const ir::RegionId inner : node->regions)
                addNodes(inner);
        }
    }

    /// Whether a value depends on the inputs of the run. Other values are computed before the run.
    bool isComputed(const ir::Operand &operand) const
    {
        const auto value = ir::valueOf(m_graph, &operand);
        return value && !value->weight() && (!value->producer() || m_computed.contains(value->producer()->id()));
    }

    /// Adds a row for each node of an iteration, in order of start.
    void addRows(std::uint32_t iteration)
    {
        // In reverse, so that the next event can be taken from the end.
        std::vector<EventIndex> left = m_linked.iterations[iteration].events;
        std::ranges::reverse(left);
        while (!left.empty()) {
            const EventIndex i = left.back();
            left.pop_back();
            const Event &event = m_trace.events[i];
            if (event.category == Category::Operator)
                m_rows.push_back({i, iteration, event.duration, {}, {}});
            // Nodes in a branch or a loop run within its time; other nodes start in the microsecond in which the one
            // before ends.
            const auto node = m_byName.find(std::string(m_trace.nameOf(event)));
            if (node == m_byName.end() || m_graph.at(node->second).regions.empty())
                std::ranges::reverse_copy(m_nesting.in(i), std::back_inserter(left));
        }
    }

    bool isFree(ir::NodeId node) const { return !m_withEvent.contains(node); }

    void linkByNames()
    {
        for (Row &row : m_rows) {
            const std::string name(m_trace.nameOf(m_trace.events[row.event]));
            if (const auto node = m_byName.find(name); node != m_byName.end())
                row.link = {{node->second}, {}, Evidence::Name, true};
            else if (const auto named = nodeIn(name))
                row.link = linkTo(fusedFrom(*named, name));
        }
    }

    /// Returns the node that a new node is named after, if that node has no event of its own.
    std::optional<ir::NodeId> nodeIn(const std::string &name) const
    {
        const std::string plain(withoutMarks(name));
        if (const auto node = m_byName.find(plain); node != m_byName.end() && isFree(node->second))
            return node->second;
        if (const auto node = m_byOutput.find(plain); node != m_byOutput.end() && isFree(node->second))
            return node->second;
        for (std::size_t at = plain.rfind('/'); at != std::string::npos && at > 0; at = plain.rfind('/', at - 1))
            if (const auto node = m_byName.find(plain.substr(0, at)); node != m_byName.end() && isFree(node->second))
                return node->second;
        return std::nullopt;
    }

    static Link linkTo(std::vector<ir::NodeId> nodes)
    {
        std::ranges::reverse(nodes); // the last node makes the result
        Link link{std::move(nodes), {}, Evidence::Name, false};
        if (link.nodes.size() > 1)
            link.sharing = Sharing::Fused;
        return link;
    }

    /// Returns a node and the following ones that the name contains: "/fc/MatMul/MatMulAddFusion" is a MatMul and an
    /// Add.
    std::vector<ir::NodeId> fusedFrom(ir::NodeId first, std::string_view name) const
    {
        std::vector<ir::NodeId> nodes{first};
        constexpr std::string_view fusion = "Fusion";
        name.remove_suffix(name.ends_with('/') ? 1 : 0);
        std::string_view operators = name.substr(name.rfind('/') + 1);
        if (!operators.ends_with(fusion) || !operators.starts_with(nameOfOperator(first)))
            return nodes;
        operators.remove_suffix(fusion.size());
        operators.remove_prefix(nameOfOperator(first).size());
        for (std::size_t at = m_order.at(first) + 1; !operators.empty() && at < m_inOrder.size(); ++at) {
            const ir::NodeId node = m_inOrder[at];
            if (!isFree(node) || !reads(node, nodes.back()) || !operators.starts_with(nameOfOperator(node)))
                continue;
            operators.remove_prefix(nameOfOperator(node).size());
            nodes.push_back(node);
        }
        return operators.empty() ? nodes : std::vector{first};
    }

    std::string_view nameOfOperator(ir::NodeId node) const { return ir::NodeRef(m_graph, node).opName(); }

    bool reads(ir::NodeId node, ir::NodeId from) const
    {
        return std::ranges::any_of(m_graph.at(node).arguments, [&](const ir::Argument &argument) {
            const auto value = ir::valueOf(m_graph, &argument.value);
            return value && value->producer() && value->producer()->id() == from;
        });
    }

    /// Returns the position in the model of a row's node.
    std::optional<std::size_t> orderOf(const Row &row) const
    {
        std::optional<std::size_t> order;
        for (const ir::NodeId node : row.link.nodes)
            order = std::max(order.value_or(0), m_order.at(node));
        return order;
    }

    void linkByNeighbours()
    {
        std::unordered_set<ir::NodeId> taken;
        for (const Row &row : m_rows)
            taken.insert(row.link.nodes.begin(), row.link.nodes.end());
        std::size_t behind = 0; // the position after the last linked row's node
        for (std::size_t i = 0; i < m_rows.size(); ++i) {
            if (const auto order = orderOf(m_rows[i])) {
                behind = std::max(behind, *order + 1);
                continue;
            }
            std::size_t until = m_inOrder.size();
            std::size_t next = i + 1;
            while (next < m_rows.size() && m_rows[next].link.nodes.empty())
                ++next;
            if (next < m_rows.size())
                until = *orderOf(m_rows[next]);
            std::vector<ir::NodeId> between;
            for (std::size_t at = behind; at < until; ++at)
                if (isFree(m_inOrder[at]) && !taken.contains(m_inOrder[at]) && m_computed.contains(m_inOrder[at]))
                    between.push_back(m_inOrder[at]);
            share(between, i, next);
            for (const ir::NodeId node : between)
                taken.insert(node);
            i = next - 1;
        }
    }

    bool isMove(const Row &row) const
    {
        const std::string_view name = m_trace.texts.at(m_trace.detailsOf(m_trace.events[row.event]).opName);
        const ops::Operator *known = ops::findOperator("onnx", name);
        return known && known->pattern == ops::Pattern::Moving;
    }

    /// Whether a row is a move to a blocked layout or back, which ONNX Runtime inserts itself.
    bool isLayout(const Row &row) const
    {
        return m_trace.texts.at(m_trace.detailsOf(m_trace.events[row.event]).opName).starts_with("Reorder");
    }

    /// Links the rows [first, last) to the nodes between their neighbours. If only one row computes, it computes all of
    /// these nodes; if several do, it is not known which computes which. Moves are linked like what they move.
    void share(const std::vector<ir::NodeId> &between, std::size_t first, std::size_t last)
    {
        const auto rows = std::span(m_rows).subspan(first, last - first);
        const auto computing = static_cast<std::size_t>(
            std::ranges::count_if(rows, [this](const Row &row) { return !isMove(row) && !isLayout(row); }));
        const Sharing sharing = (computing == 0 ? rows.size() : computing) == 1 ? Sharing::Fused : Sharing::Ambiguous;
        for (std::size_t i = first; i < last; ++i) {
            Link &link = m_rows[i].link;
            if (isLayout(m_rows[i])) {
                link.reason = "ONNX Runtime moves data to another layout";
            } else if (!between.empty() && (computing == 0 || !isMove(m_rows[i]))) {
                link.nodes.assign(between.rbegin(), between.rend()); // the last node makes the result
                link.evidence = Evidence::Neighbours;
                if (between.size() > 1)
                    link.sharing = sharing;
            } else if (const auto moved = isMove(m_rows[i]) ? movedBy(i, i + 1 == last) : std::nullopt) {
                link.nodes = {*moved};
                link.evidence = Evidence::Neighbours;
            }
        }
    }

    /// Returns the node whose result a row moves: that of the row before, or the one that the next row reads, if its
    /// node is known.
    std::optional<ir::NodeId> movedBy(std::size_t row, bool isNextKnown) const
    {
        if (row > 0 && !m_rows[row - 1].link.nodes.empty() && isFree(m_rows[row - 1].link.nodes.front()))
            return m_rows[row - 1].link.nodes.front();
        return isNextKnown ? readBy(row + 1) : std::nullopt;
    }

    /// Returns the node that makes the first operand of a row's node. A move right before the row, such as a Transpose
    /// that was pushed behind a Split, makes this value in its place.
    std::optional<ir::NodeId> readBy(std::size_t row) const
    {
        if (row >= m_rows.size() || m_rows[row].link.nodes.size() != 1)
            return std::nullopt;
        for (const ir::Argument &argument : m_graph.at(m_rows[row].link.nodes.front()).arguments)
            if (isComputed(argument.value))
                if (const auto producer = ir::valueOf(m_graph, &argument.value)->producer())
                    return producer->id();
        return std::nullopt;
    }

    void report()
    {
        const auto isOther = [](const Row &row) { return row.link.nodes.empty(); };
        const auto other = std::ranges::find_if(m_linked.rows, isOther);
        const double share = linkedShare(m_linked);
        if (other == m_linked.rows.end() || share >= 0.5)
            return;
        const Event &event = m_trace.events[other->event];
        m_linked.diagnostics.push_back(
            {ir::Severity::Warning,
             "trace.other-model",
             formatted("this may be a run of another model: {:.0f} % of the nodes' time fits; the first node that does "
                       "not is '{}' (event {})",
                       100 * share, m_trace.nameOf(event), event.position),
             {},
             {}});
    }

    const Trace &m_trace;
    const Nesting &m_nesting;
    const ir::Graph &m_graph;
    Linked &m_linked;
    std::vector<ir::NodeId> m_inOrder;
    std::unordered_map<ir::NodeId, std::size_t> m_order; ///< by node: the index in m_inOrder
    std::unordered_map<std::string, ir::NodeId> m_byName, m_byOutput;
    std::unordered_set<ir::NodeId> m_computed;  ///< nodes that depend on the inputs of a run
    std::unordered_set<ir::NodeId> m_withEvent; ///< nodes with an event of their name
    std::vector<Row> m_rows;                    ///< the rows of the current iteration
};

} // namespace

void linkOnnxRuntime(const Trace &trace, const Nesting &nesting, const ir::Graph &graph, Linked &linked)
{
    OnnxRuntimeLinks(trace, nesting, graph, linked).run();
}

} // namespace cutaway::trace
