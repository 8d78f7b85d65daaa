// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/survey/model_query.h"

#include "core/base/formatted.h"
#include "core/base/overloaded.h"
#include "core/base/quantity.h"
#include "core/base/text.h"
#include "core/query/figures.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <limits>

// A query about models is answered by three-valued logic, as one about nodes is. Of a model's nodes the database has
// only the operators, those of called functions included. Each operator is treated as a node of which nothing else is
// known.

namespace cutaway::survey {

namespace {

using query::Expression;
using query::Match;
using query::matchIf;
using query::Property;

constexpr std::string_view onnxDomain = "ai.onnx"; ///< the domain in the form that models have
constexpr double endless = std::numeric_limits<double>::infinity();

bool isNamedOperator(const OperatorUse &use, const query::Pattern &pattern)
{
    const std::string dialect = query::lowerCase(use.dialect), name = query::lowerCase(use.name);
    const std::string full = name + "." + query::lowerCase(use.overload);
    return pattern.matches(name) || pattern.matches(dialect + "::" + name)
        || (!use.overload.empty() && (pattern.matches(full) || pattern.matches(dialect + "::" + full)));
}

/// Returns what an operator's name and number of nodes decide about a query for nodes.
Match ofOperator(const Expression &node, const OperatorUse &use)
{
    if (node.kind == Expression::Kind::Term) {
        const auto *text = std::get_if<query::TextMatch>(&node.term);
        return text && text->property == Property::Op ? matchIf(isNamedOperator(use, text->pattern)) : Match::Unknown;
    }
    Match match = ofOperator(node.operands.front(), use);
    if (node.kind == Expression::Kind::Not)
        return opposite(match);
    for (std::size_t i = 1; i < node.operands.size(); ++i) {
        const Match next = ofOperator(node.operands[i], use);
        match = node.kind == Expression::Kind::And ? both(match, next) : either(match, next);
    }
    return match;
}

query::Limits exactly(std::int64_t number) { return {static_cast<double>(number), static_cast<double>(number)}; }

query::Limits limitsOf(const Figure &figure)
{
    if (figure.value)
        return exactly(*figure.value);
    return {static_cast<double>(figure.atLeast.value_or(0)), endless};
}

class ModelAsked {
public:
    ModelAsked(const Entry &model, const std::vector<NodesFound> *nodesFound)
        : m_model(model),
          m_nodesFound(nodesFound),
          m_isRead(model.state == State::Read)
    {
    }

    ModelAnswer answerTo(const Expression &query)
    {
        ModelAnswer answer{.match = matchOf(query)};
        if (answer.match != Match::Unknown)
            return answer;
        answer.needsFile = m_needsFile;
        std::ranges::sort(m_notKnown);
        const auto same = std::ranges::unique(m_notKnown);
        m_notKnown.erase(same.begin(), same.end());
        answer.notKnown = std::move(m_notKnown);
        return answer;
    }

private:
    Match matchOf(const Expression &query)
    {
        switch (query.kind) {
        case Expression::Kind::Term:
            return matchOfTerm(query.term);
        case Expression::Kind::Has:
            return hasNode(query.operands.front());
        case Expression::Kind::Not:
            return opposite(matchOf(query.operands.front()));
        default:
            break;
        }
        Match match = matchOf(query.operands.front());
        for (std::size_t i = 1; i < query.operands.size(); ++i) {
            const Match next = matchOf(query.operands[i]);
            match = query.kind == Expression::Kind::And ? both(match, next) : either(match, next);
        }
        return match;
    }

    Match hasNode(const Expression &node)
    {
        const std::size_t place = m_nextHas++;
        if (m_nodesFound && place < m_nodesFound->size())
            return fromFile((*m_nodesFound)[place]);
        Match some = m_isRead && m_model.isComplete ? Match::No : Match::Unknown;
        for (const std::vector<OperatorUse> *uses : {&m_model.operators, &m_model.calledOperators})
            for (const OperatorUse &use : *uses)
                some = either(some, ofOperator(node, use));
        m_needsFile = m_needsFile || (some == Match::Unknown && m_isRead);
        return some;
    }

    Match fromFile(const NodesFound &nodes)
    {
        if (nodes.found > 0 || nodes.notKnown.empty())
            return matchIf(nodes.found > 0);
        for (const std::string &name : nodes.notKnown)
            if (const query::PropertyRow *row = query::propertyNamed(name))
                m_notKnown.push_back(row->property);
        return Match::Unknown;
    }

    Match matchOfTerm(const query::Term &term)
    {
        // The parser makes no other terms.
        return std::visit(Overloaded{[&](const query::Word &word) { return has(word); },
                                     [&](const query::TextMatch &text) { return has(text.property, text.pattern); },
                                     [&](const query::Comparison &comparison) { return compared(comparison); },
                                     [](const auto &) { return Match::Unknown; }},
                          term);
    }

    Match has(const query::Word &word) const
    {
        return matchIf(std::ranges::any_of(
            std::array{&m_model.path, &m_model.format, &m_model.producer},
            [&](const std::string *text) { return word.pattern.occursIn(query::lowerCase(*text)); }));
    }

    Match has(Property property, const query::Pattern &pattern)
    {
        const auto is = [&](std::string_view text) { return pattern.matches(query::lowerCase(text)); };
        if (property == Property::Path)
            return matchIf(is(m_model.path) || is(std::filesystem::path(m_model.path).filename().string()));
        if (property == Property::State)
            return matchIf(is(name(m_model.state)));
        if (!m_isRead)
            return unknown(property);
        switch (property) {
        case Property::Format:
            return matchIf(is(m_model.format));
        case Property::Producer:
            return matchIf(is(m_model.producer) || is(m_model.producer + " " + m_model.producerVersion));
        case Property::Scope:
            return matchIf(std::ranges::any_of(m_model.modules, is, &ModuleUse::path));
        case Property::Class:
            return matchIf(std::ranges::any_of(m_model.modules, [&](const ModuleUse &module) {
                const std::string_view whole = module.className;
                return !whole.empty() && (is(whole) || is(whole.substr(whole.rfind('.') + 1)));
            }));
        case Property::Function:
            return matchIf(std::ranges::any_of(m_model.functions, is, &FunctionUse::name));
        default:
            return hasDiagnostic(is);
        }
    }

    Match hasDiagnostic(const auto &is)
    {
        if (std::ranges::any_of(m_model.findings, is, &Findings::code))
            return Match::Yes;
        return m_model.findings.size() < maxFindings ? Match::No : unknown(Property::Diagnostic);
    }

    Match compared(const query::Comparison &comparison)
    {
        const Property figure = comparison.figure;
        if (figure == Property::Bytes)
            return exactly(m_model.bytes).is(comparison.sign, comparison.number);
        if (!m_isRead)
            return unknown(figure);
        if (figure == Property::Opset)
            return ofOpset(comparison);
        const Match match = limitsOfFigure(figure).is(comparison.sign, comparison.number);
        return match == Match::Unknown ? unknown(figure) : match;
    }

    query::Limits limitsOfFigure(Property figure) const
    {
        const Costs &costs = m_model.costs;
        switch (figure) {
        case Property::Params:
            return exactly(m_model.parameters);
        case Property::Nodes:
            return exactly(m_model.nodes);
        case Property::Weights:
            return exactly(m_model.weightBytes);
        case Property::Flops:
            return limitsOf(costs.flops);
        case Property::OtherFlops:
            return limitsOf(costs.otherFlops);
        case Property::Memory:
            return limitsOf(costs.peakBytes);
        default:
            return costs.seconds ? query::Limits{*costs.seconds, *costs.seconds} : query::Limits{0, endless};
        }
    }

    /// Returns whether a version of an operator set matches. A model of another format is known to have none.
    Match ofOpset(const query::Comparison &comparison) const
    {
        return matchIf(std::ranges::any_of(m_model.opsets, [&](const OpsetUse &opset) {
            return opset.domain == onnxDomain
                && exactly(opset.version).is(comparison.sign, comparison.number) == Match::Yes;
        }));
    }

    Match unknown(Property property)
    {
        m_notKnown.push_back(property);
        return Match::Unknown;
    }

    const Entry &m_model;
    const std::vector<NodesFound> *m_nodesFound;
    bool m_isRead;
    std::size_t m_nextHas = 0;
    bool m_needsFile = false;
    std::vector<Property> m_notKnown;
};

void addModelFigures(const Expression &query, std::vector<Property> &figures)
{
    if (query.kind == Expression::Kind::Has)
        return;
    const auto *comparison =
        query.kind == Expression::Kind::Term ? std::get_if<query::Comparison>(&query.term) : nullptr;
    if (comparison && !std::ranges::contains(figures, comparison->figure))
        figures.push_back(comparison->figure);
    for (const Expression &operand : query.operands)
        addModelFigures(operand, figures);
}

} // namespace

ModelAnswer answerTo(const Expression &query, const Entry &model, const std::vector<NodesFound> *nodesFound)
{
    return ModelAsked(model, nodesFound).answerTo(query);
}

std::vector<Property> modelFiguresIn(const Expression &query)
{
    std::vector<Property> figures;
    addModelFigures(query, figures);
    return figures;
}

bool asksForModules(const Expression &query)
{
    return query::uses(query, Property::Scope) || query::uses(query, Property::Class);
}

std::string notKnownText(Property property, std::size_t models)
{
    const auto ofModels = query::properties(query::Subject::Model);
    const auto own = std::ranges::find(ofModels, property, &query::PropertyRow::property);
    const query::PropertyRow &row = own != ofModels.end() ? *own : query::rowOf(property);
    return formatted("{} {} no {}", quantity(models, "model"), models == 1 ? "has" : "have", row.unknown);
}

} // namespace cutaway::survey
