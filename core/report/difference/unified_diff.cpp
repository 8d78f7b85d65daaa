// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/difference/unified_diff.h"

#include "core/base/text.h"
#include "core/ir/names.h"
#include "core/ir/node_ref.h"
#include "core/ir/text/operand_printer.h"
#include "core/print/text_table.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

namespace cutaway::report {

namespace {

/// The number of unchanged lines around a difference.
constexpr std::size_t linesAround = 3;

/// Names of values, by ValueId.
using Names = std::vector<ir::NameId>;

Names ownNames(const diff::Side &side)
{
    Names names;
    for (std::uint32_t i = 0; i < side.graph().valueCount(); ++i)
        names.push_back(side.graph().at(ir::ValueId{i}).name);
    return names;
}

/// Makes names for B's values. Results of partners, and weights and inputs that partners read, have the names of their
/// counterparts in A; other values keep their own names.
class SharedNames {
public:
    explicit SharedNames(const Comparison &comparison)
        : m_a(comparison.a.graph()),
          m_b(comparison.b.graph()),
          m_names(ownNames(comparison.b))
    {
        for (const diff::Pair &pair : comparison.difference.pairs) {
            const ir::NodeRef a(m_a, pair.a), b(m_b, pair.b);
            for (std::size_t i = 0; i < std::min(a.outputCount(), b.outputCount()); ++i)
                share(a.output(i), b.output(i));
            for (std::size_t i = 0; i < std::min(a->arguments.size(), b->arguments.size()); ++i)
                shareOperand(a->arguments[i].value, b->arguments[i].value);
        }
    }

    Names take() { return std::move(m_names); }

private:
    void share(const ir::ValueRef &a, ir::ValueId b) { m_names[b.index] = m_b.context().name(a.name()); }

    void shareOperand(const ir::Operand &a, const ir::Operand &b)
    {
        const auto valueA = ir::valueOf(m_a, &a), valueB = ir::valueOf(m_b, &b);
        if (valueA && valueB && !valueA->producer() && !valueB->producer())
            share(*valueA, *valueB);
    }

    const ir::Graph &m_a;
    const ir::Graph &m_b;
    Names m_names;
};

/// Prints the nodes of one side, a line each.
class NodeLines {
public:
    NodeLines(const diff::Side &side, const Names &names) : m_side(side), m_printer(m_text, side.model)
    {
        for (std::uint32_t i = 0; i < names.size(); ++i)
            m_labels.add({i}, names[i]);
        m_printer.setValues(&m_labels);
    }

    std::string line(const ir::NodeRef &node)
    {
        m_text.clear();
        for (const ir::ValueRef output : node.outputs()) {
            m_text += output == node->outputs[0] ? "" : ", ";
            m_printer.append(output.id());
            m_text += ": " + typeOf(output);
        }
        m_text += node.outputCount() == 0 ? "" : " = ";
        ir::appendOperator(m_text, node.graph().context(), node->op);
        m_printer.appendArguments(node->arguments);
        return sanitized(m_text);
    }

private:
    std::string typeOf(const ir::ValueRef &value) const
    {
        const ops::Fact &fact = m_side.analysis.shapes.of(value);
        const auto *tensor = ops::asTensor(fact);
        if (!tensor)
            return value.graph().context().printBriefly(value->type);
        return std::string(tensor->dtype ? ir::name(*tensor->dtype) : "?")
            + (tensor->shape ? ir::print(*tensor->shape) : "[*]");
    }

    const diff::Side &m_side;
    std::string m_text;
    ir::OperandPrinter m_printer;
    ir::Labels<ir::ValueId> m_labels;
};

/// A line of the diff without its sign.
struct DiffLine {
    char sign = ' ';
    std::string text;
    std::string scope;
};

std::vector<ir::NodeRef> inOrder(const ir::Graph &graph)
{
    std::vector<ir::NodeRef> nodes;
    const auto walk = [&](const auto &self, ir::RegionId region) -> void {
        for (const ir::NodeRef node : ir::nodesOf(graph, region)) {
            nodes.push_back(node);
            for (const ir::RegionId inner : node->regions)
                self(self, inner);
        }
    };
    walk(walk, ir::Graph::body);
    return nodes;
}

class UnifiedDiff {
public:
    explicit UnifiedDiff(const Comparison &comparison)
        : m_comparison(comparison),
          m_linesA(comparison.a, ownNames(comparison.a)),
          m_linesB(comparison.b, SharedNames(comparison).take())
    {
        for (const diff::Pair &pair : comparison.difference.pairs) {
            m_pairOfA.emplace(pair.a, &pair);
            m_pairOfB.emplace(pair.b, &pair);
        }
        for (const ir::NodeId node : comparison.difference.onlyA)
            m_left.insert(node);
        for (const ir::NodeId node : comparison.difference.onlyB)
            m_added.insert(node);
        for (const diff::Group &group : comparison.difference.groups)
            if (comparison.difference.isExact)
                addNodes(group.a, group.b);
        for (const diff::Region &region : comparison.difference.regions)
            addNodes(region.a.nodes, region.b.nodes);
    }

    std::vector<DiffLine> lines()
    {
        const std::vector<ir::NodeRef> ofB = inOrder(m_comparison.b.graph());
        std::size_t b = 0;
        std::unordered_map<ir::NodeId, std::size_t> placeInB;
        for (std::size_t i = 0; i < ofB.size(); ++i)
            placeInB.emplace(ofB[i], i);
        for (const ir::NodeRef node : inOrder(m_comparison.a.graph())) {
            const auto pair = m_pairOfA.find(node);
            if (pair == m_pairOfA.end()) {
                if (m_left.contains(node))
                    add('-', m_linesA, node);
                continue;
            }
            for (const std::size_t place = placeInB.at(pair->second->b); b <= place; ++b)
                if (m_added.contains(ofB[b]))
                    add('+', m_linesB, ofB[b]);
            addPair(*pair->second);
        }
        for (; b < ofB.size(); ++b)
            if (m_added.contains(ofB[b]))
                add('+', m_linesB, ofB[b]);
        return std::move(m_lines);
    }

private:
    void addNodes(const std::vector<ir::NodeId> &a, const std::vector<ir::NodeId> &b)
    {
        for (const ir::NodeId node : a)
            if (!m_pairOfA.contains(node))
                m_left.insert(node);
        for (const ir::NodeId node : b)
            if (!m_pairOfB.contains(node))
                m_added.insert(node);
    }

    void add(char sign, NodeLines &lines, const ir::NodeRef &node)
    {
        m_lines.push_back({sign, lines.line(node), std::string(node.graph().context().text(node.scope().path))});
    }

    void addPair(const diff::Pair &pair)
    {
        const ir::NodeRef before(m_comparison.a.graph(), pair.a), after(m_comparison.b.graph(), pair.b);
        if (pair.changes.empty())
            return add(' ', m_linesA, before);
        add('-', m_linesA, before);
        add('+', m_linesB, after);
        for (const diff::Change &change : pair.changes)
            m_lines.push_back({'#', sanitized(change.what + ": " + change.before + " -> " + change.after), {}});
    }

    const Comparison &m_comparison;
    NodeLines m_linesA, m_linesB;
    std::unordered_map<ir::NodeId, const diff::Pair *> m_pairOfA, m_pairOfB;
    std::unordered_set<ir::NodeId> m_left, m_added;
    std::vector<DiffLine> m_lines;
};

/// Returns the lines near differences, with a heading where lines are left out.
std::string hunks(const std::vector<DiffLine> &lines)
{
    std::vector<bool> isShown(lines.size());
    for (std::size_t i = 0; i < lines.size(); ++i)
        if (lines[i].sign != ' ')
            for (std::size_t k = i - std::min(i, linesAround); k < std::min(lines.size(), i + linesAround + 1); ++k)
                isShown[k] = true;
    std::string text;
    for (std::size_t i = 0; i < lines.size(); ++i) {
        if (!isShown[i])
            continue;
        if (i == 0 || !isShown[i - 1])
            text += "@@ "
                + print::elided(lines[i].scope.empty() ? "model" : sanitized(lines[i].scope), print::maxLine - 6)
                + " @@\n";
        text += lines[i].sign == '#' ? comment(lines[i].text)
                                     : lines[i].sign + print::elided(lines[i].text, print::maxLine - 1) + "\n";
    }
    return text;
}

} // namespace

std::string comment(std::string_view text) { return print::fittedAfter("# ", text) + "\n"; }

std::string unifiedDiff(const Comparison &comparison) { return hunks(UnifiedDiff(comparison).lines()); }

} // namespace cutaway::report
