// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Each part of a query is answered for all nodes at once, and the answers are joined: yes, no, or not known. The terms
// without an answer are kept for each node, to list the unknown properties in the end.
#include "core/query/answer.h"

#include "core/base/formatted.h"
#include "core/base/overloaded.h"
#include "core/base/quantity.h"
#include "core/base/text.h"
#include "core/ir/names.h"
#include "core/ops/category.h"
#include "core/query/figures.h"
#include "core/query/named.h"
#include "core/query/reach.h"
#include "core/query/results.h"

#include <algorithm>
#include <map>

namespace cutaway::query {

namespace {

using Matches = std::vector<Match>; ///< by NodeId

/// The answers to a question about things that many nodes share, operators or module calls.
template <class Id>
class Asked {
public:
    explicit Asked(std::uint32_t count) : m_answers(count, -1) { }

    bool operator()(Id id, const auto &question)
    {
        signed char &answer = m_answers[id.index];
        if (answer < 0)
            answer = question(id) ? 1 : 0;
        return answer == 1;
    }

private:
    std::vector<signed char> m_answers; ///< by id; -1: not computed yet
};

/// Whether the operator has a name that matches: "aten::conv2d.default", or this with parts left out.
bool isOperator(const ir::Context &context, ir::OpId id, const Pattern &pattern)
{
    const ir::Operator &op = context.at(id);
    const std::string dialect = lowerCase(context.text(op.dialect)), name = lowerCase(context.text(op.name));
    const std::string overload = lowerCase(context.text(op.overload));
    const std::string full = name + "." + overload;
    return pattern.matches(name) || pattern.matches(dialect + "::" + name)
        || (!overload.empty() && (pattern.matches(full) || pattern.matches(dialect + "::" + full)));
}

class Answering {
public:
    Answering(const Expression &query, const Known &known)
        : m_query(query),
          m_known(known),
          m_graph(known.graph()),
          m_context(m_graph.context()),
          m_figures(known)
    {
        addNodesOf(ir::Graph::body);
    }

    Answer answer()
    {
        const Matches all = matchesOf(m_query);
        Answer result;
        std::ranges::copy_if(m_nodes, std::back_inserter(result.nodes),
                             [&](ir::NodeId node) { return all[node.index] == Match::Yes; });
        for (const auto &[property, isUnknown] : m_unknown) {
            const auto count = std::ranges::count_if(
                m_nodes, [&](ir::NodeId node) { return all[node.index] == Match::Unknown && isUnknown[node.index]; });
            if (count > 0)
                result.notKnown.push_back({property, static_cast<std::size_t>(count)});
        }
        result.unnamed = std::move(m_unnamed);
        return result;
    }

private:
    void addNodesOf(ir::RegionId region)
    {
        for (const ir::NodeRef node : ir::nodesOf(m_graph, region)) {
            m_nodes.push_back(node);
            for (const ir::RegionId inner : node->regions)
                addNodesOf(inner);
        }
    }

    // ---- expressions

    Matches matchesOf(const Expression &expression)
    {
        if (expression.kind == Expression::Kind::Term)
            return matchesOfTerm(expression.term);
        Matches all = matchesOf(expression.operands.front());
        if (expression.kind == Expression::Kind::Not)
            std::ranges::transform(all, all.begin(), opposite);
        for (std::size_t i = 1; i < expression.operands.size(); ++i)
            std::ranges::transform(all, matchesOf(expression.operands[i]), all.begin(),
                                   expression.kind == Expression::Kind::And ? both : either);
        return all;
    }

    Matches matchesOfTerm(const Term &term)
    {
        return std::visit(
            Overloaded{
                [&](const Word &word) { return having(word); }, [&](const TextMatch &text) { return having(text); },
                [&](const ShapePattern &shape) {
                    return each(Property::Shape, [&](ir::NodeRef node) { return hasShape(m_known, node, shape); });
                },
                [&](const Comparison &comparison) {
                    return each(comparison.figure, [&](ir::NodeRef node) {
                        return m_figures.limitsOf(comparison.figure, node).is(comparison.sign, comparison.number);
                    });
                },
                [&](const DataMatch &data) { return having(data); },
                [&](const Relation &relation) { return related(relation); },
                [&](const Flag &flag) {
                    return each(flag.property, [&](ir::NodeRef node) {
                        return flag.property == Property::Peak ? isAtPeak(node) : isChanged(node);
                    });
                }},
            term);
    }

    Matches each(const auto &test) const
    {
        Matches matches(m_graph.nodeCount(), Match::No);
        for (const ir::NodeId node : m_nodes)
            matches[node.index] = test(ir::NodeRef(m_graph, node));
        return matches;
    }

    /// Tests all nodes, and records those for which the property is not known.
    Matches each(Property property, const auto &test)
    {
        Matches matches = each(test);
        std::vector<bool> &isUnknown = m_unknown[property];
        isUnknown.resize(m_graph.nodeCount());
        for (const ir::NodeId node : m_nodes)
            if (matches[node.index] == Match::Unknown)
                isUnknown[node.index] = true;
        return matches;
    }

    // ---- texts

    std::string small(ir::NameId name) const { return lowerCase(m_context.text(name)); }

    Matches having(const Word &word) const
    {
        Asked<ir::OpId> operators(m_context.opCount());
        Asked<ir::ScopeId> scopes(m_context.scopeCount());
        const auto occurs = [&](ir::NameId name) { return word.pattern.occursIn(small(name)); };
        return each([&](ir::NodeRef node) {
            return matchIf(
                operators(node->op, [&](ir::OpId op) { return word.pattern.occursIn(lowerCase(m_context.print(op))); })
                || scopes(node->scope, [&](ir::ScopeId scope) { return occurs(m_context.at(scope).path); })
                || occurs(node->name)
                || std::ranges::any_of(node.outputs(), [&](ir::ValueRef output) { return occurs(output->name); }));
        });
    }

    Matches having(const TextMatch &text)
    {
        const Pattern &pattern = text.pattern;
        switch (text.property) {
        case Property::Op:
            return ofOperator(pattern);
        case Property::Name:
            return each([&](ir::NodeRef node) { return matchIf(isNamed(node, pattern)); });
        case Property::Scope:
        case Property::Class:
            return inModule(text);
        case Property::Category:
            return each([&](ir::NodeRef node) { return matchIf(pattern.matches(ops::name(ops::categoryOf(node)))); });
        case Property::Function: {
            const Match all = matchIf(pattern.matches(small(m_known.function().name)));
            return each([&](const ir::NodeRef &) { return all; });
        }
        case Property::Source:
            return each([&](ir::NodeRef node) { return matchIf(isFrom(node, pattern)); });
        case Property::DType:
            return each(Property::DType, [&](ir::NodeRef node) { return hasDType(m_known, node, pattern); });
        case Property::Diagnostic:
            return diagnosed(pattern);
        default:
            // The parser makes no such terms of other properties, as they have no texts.
            return each([](const ir::NodeRef &) { return Match::No; });
        }
    }

    Matches ofOperator(const Pattern &pattern) const
    {
        Asked<ir::OpId> operators(m_context.opCount());
        return each([&](ir::NodeRef node) {
            return matchIf(operators(node->op, [&](ir::OpId op) { return isOperator(m_context, op, pattern); }));
        });
    }

    bool isNamed(const ir::NodeRef &node, const Pattern &pattern) const
    {
        return pattern.matches(lowerCase(ir::nameOf(node)))
            || std::ranges::any_of(node.outputs(), [&](ir::ValueRef output) {
                   return !output.name().empty() && pattern.matches(lowerCase(output.name()));
               });
    }

    /// Tests whether nodes are in a module that matches `text`. A node counts as a part of all modules around it.
    Matches inModule(const TextMatch &text) const
    {
        Asked<ir::ScopeId> scopes(m_context.scopeCount());
        return each([&](ir::NodeRef node) {
            return matchIf(scopes(node->scope, [&](ir::ScopeId scope) { return isWithin(scope, text); }));
        });
    }

    bool isWithin(ir::ScopeId id, const TextMatch &text) const
    {
        if (id == ir::ScopeId{}) // a node in no module has an empty path and no class
            return text.property == Property::Scope && text.pattern.matches("");
        for (; id != ir::ScopeId{}; id = m_context.at(id).parent) {
            const ir::Scope &scope = m_context.at(id);
            const std::string whole = small(text.property == Property::Scope ? scope.path : scope.className);
            const bool isClass = text.property == Property::Class && !whole.empty();
            if (text.pattern.matches(whole)
                || (isClass && text.pattern.matches(std::string_view(whole).substr(whole.rfind('.') + 1))))
                return true;
        }
        return false;
    }

    static bool isFrom(const ir::NodeRef &node, const Pattern &pattern)
    {
        const std::string place = lowerCase(ir::sourceOf(node).value_or(""));
        const std::string_view file = node.graph().context().text(node.location().file);
        return !place.empty() && (pattern.matches(place) || pattern.matches(lowerCase(file)));
    }

    Matches diagnosed(const Pattern &pattern) const
    {
        Matches matches(m_graph.nodeCount(), Match::No);
        for (const ir::Diagnostic &diagnostic : m_known.diagnostics)
            if (diagnostic.function == m_known.analysis.function && diagnostic.node
                && diagnostic.node->index < matches.size() && pattern.matches(lowerCase(diagnostic.code)))
                matches[diagnostic.node->index] = Match::Yes;
        return matches;
    }

    // ---- node data

    Matches having(const DataMatch &wanted)
    {
        const node_data::Column *column = m_known.data ? m_known.data->column(wanted.column) : nullptr;
        if (m_known.data && !column)
            m_unnamed.push_back("data." + quotedName(wanted.column));
        return each(Property::Data, [&](const ir::NodeRef &node) {
            if (!column || std::holds_alternative<std::monostate>(column->cells[node.id().index]))
                return Match::Unknown;
            if (const auto *pattern = std::get_if<Pattern>(&wanted.wanted))
                return matchIf(pattern->matches(lowerCase(node_data::print(column->cells[node.id().index]))));
            const double *number = column->number(node);
            const auto &[sign, limit] = std::get<DataMatch::Number>(wanted.wanted);
            return number ? Limits{*number, *number}.is(sign, limit) : Match::Unknown;
        });
    }

    // ---- flags

    Match isChanged(ir::NodeId node) const
    {
        return m_known.isChanged ? matchIf(m_known.isChanged(node)) : Match::Unknown;
    }

    Match isAtPeak(ir::NodeId node) const
    {
        const auto peak = m_known.analysis.memory.peakStep;
        return peak ? matchIf(m_figures.stepOf(node) == peak) : Match::Unknown;
    }

    // ---- paths

    /// The values and nodes that a term names. If there are none of that name, the found parts of that name.
    struct Called {
        Ends ends;
        bool isPart = false;
    };

    Called called(const Pattern &name)
    {
        Called found{named(m_known.model, m_known.function(), name)};
        if (found.ends.isEmpty() && m_known.nodesInPart) {
            found.ends.nodes = m_known.nodesInPart(name);
            std::erase_if(found.ends.nodes, [&](ir::NodeId node) { // nodes of another state are left out
                return node.index >= m_graph.nodeCount() || m_graph.at(node).removed;
            });
            found.isPart = true;
        }
        if (found.ends.isEmpty())
            m_unnamed.push_back(name.print());
        return found;
    }

    Matches related(const Relation &relation)
    {
        const auto [ends, isPart] = called(relation.name);
        std::vector<bool> isFound(m_graph.nodeCount());
        switch (relation.relation) {
        case Property::Upstream:
            isFound = upstream(m_graph, ends);
            break;
        case Property::Downstream:
            isFound = downstream(m_graph, ends);
            break;
        case Property::Between:
            isFound = onPath(ends, called(relation.last).ends);
            break;
        case Property::In:
            if (isPart)
                markNodes(isFound, ends);
            else
                markReaders(isFound, ends);
            break;
        default:
            markMakers(isFound, ends);
        }
        const bool isBeside = relation.relation == Property::Upstream || relation.relation == Property::Downstream;
        if (isPart && isBeside)
            for (const ir::NodeId node : ends.nodes)
                isFound[node.index] = false;
        return each([&](ir::NodeId node) { return matchIf(isFound[node.index]); });
    }

    std::vector<bool> onPath(const Ends &from, const Ends &to) const
    {
        std::vector<bool> after = downstream(m_graph, from), before = upstream(m_graph, to);
        for (const ir::NodeId node : from.nodes)
            after[node.index] = true;
        for (const ir::NodeId node : to.nodes)
            before[node.index] = true;
        for (std::size_t i = 0; i < after.size(); ++i)
            after[i] = after[i] && before[i];
        return after;
    }

    void markReaders(std::vector<bool> &isFound, const Ends &ends) const
    {
        const auto mark = [&](ir::ValueId value) {
            for (const ir::Use &use : m_graph.at(value).uses)
                if (const auto *node = std::get_if<ir::NodeId>(&use))
                    isFound[node->index] = true;
        };
        std::ranges::for_each(ends.values, mark);
        for (const ir::NodeId node : ends.nodes)
            std::ranges::for_each(m_graph.at(node).outputs, mark);
    }

    void markMakers(std::vector<bool> &isFound, const Ends &ends) const
    {
        for (const ir::ValueId value : ends.values)
            if (const auto producer = ir::ValueRef(m_graph, value).producer())
                isFound[producer->id().index] = true;
        markNodes(isFound, ends);
    }

    static void markNodes(std::vector<bool> &isFound, const Ends &ends)
    {
        for (const ir::NodeId node : ends.nodes)
            isFound[node.index] = true;
    }

    const Expression &m_query;
    const Known &m_known;
    const ir::Graph &m_graph;
    const ir::Context &m_context;
    Figures m_figures;
    std::vector<ir::NodeId> m_nodes; ///< the nodes of the function in execution order
    /// By NodeId: whether a term with the property could not be answered.
    std::map<Property, std::vector<bool>> m_unknown;
    std::vector<std::string> m_unnamed;
};

} // namespace

std::string print(const NotKnown &notKnown)
{
    return formatted("{} {} no {}", quantity(notKnown.nodes, "node"), notKnown.nodes == 1 ? "has" : "have",
                     rowOf(notKnown.property).unknown);
}

Answer answerTo(const Expression &query, const Known &known) { return Answering(query, known).answer(); }

} // namespace cutaway::query
