// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/session/comparing.h"

#include "core/ir/node_ref.h"
#include "core/ir/scope_tree.h"
#include "core/run/inputs.h"
#include "views/parts/text.h"
#include "views/session/analysing.h"
#include "views/session/document.h"
#include "views/session/drawing.h"
#include "views/session/navigation.h"
#include "views/session/session.h"

#include <algorithm>
#include <unordered_map>

namespace cutaway::views {
namespace {

QString changesText(const std::vector<diff::Change> &changes)
{
    QStringList texts;
    for (const diff::Change &change : changes)
        texts << QStringLiteral("%1: %2 → %3")
                     .arg(shown(change.what), change.before.empty() ? QStringLiteral("–") : shown(change.before),
                          change.after.empty() ? QStringLiteral("–") : shown(change.after));
    return texts.join(QStringLiteral("; "));
}

/// When a node runs, by NodeId; nodes of regions with the one around them.
std::vector<std::size_t> placesOf(const ir::Graph &graph)
{
    std::vector<std::size_t> places(graph.nodeCount(), 0);
    std::size_t next = 0;
    const auto walk = [&](const auto &self, ir::RegionId region) -> void {
        for (const ir::NodeRef node : ir::nodesOf(graph, region)) {
            places[node.id().index] = next++;
            for (const ir::RegionId inner : node->regions)
                self(self, inner);
        }
    };
    walk(walk, ir::Graph::body);
    return places;
}

void setMarks(layout::NodeMarks &marks, const std::vector<ir::NodeId> &nodes, layout::Mark mark)
{
    for (const ir::NodeId node : nodes)
        marks.nodes[node.index] = mark;
}

layout::NodeMarks noMarks(const ir::Graph &graph)
{
    return {.nodes = std::vector<layout::Mark>(graph.nodeCount(), layout::Mark::None),
            .added = {},
            .removed = {},
            .absent = {}};
}

} // namespace

Comparing::Comparing(Session &session) : m_session(session)
{
    connect(&m_work, &LatestWork::busyChanged, this, &Comparing::busyChanged);
    listenTo(session);
    connect(&session.navigation(), &Navigation::selectionChanged, this, [this] {
        if (m_other)
            follow(m_session, *m_other, true);
    });
}

/// Another function or state has other nodes: what is known is of none of them.
void Comparing::listenTo(Session &session)
{
    for (const auto change : {&Document::functionChanged, &Document::stateChanged})
        connect(&session.document(), change, this, &Comparing::forget);
    connect(&session.analysing(), &Analysing::figuresChanged, this, &Comparing::compare);
}

void Comparing::forget()
{
    m_work.cancel();
    m_difference.reset();
    m_rows.clear();
    emit differenceChanged();
}

Comparing::~Comparing() = default;

void Comparing::start(std::shared_ptr<const ir::Model> model)
{
    const std::unique_ptr<Session> before = std::exchange(m_other, std::make_unique<Session>(std::move(model)));
    listenTo(*m_other);
    connect(&m_other->navigation(), &Navigation::selectionChanged, this,
            [this] { follow(*m_other, m_session, false); });
    emit otherChanged();
    forget();
    m_other->start();
}

void Comparing::end()
{
    const std::unique_ptr<Session> before = std::move(m_other);
    m_session.drawing().setNodeMarks(nullptr);
    emit otherChanged();
    forget();
}

/// Both must be analysed: shapes tell nodes apart, and totals are compared.
void Comparing::compare()
{
    if (!m_other || !m_session.analysing().figures() || !m_other->analysing().figures())
        return;
    m_work.request([this, a = m_session.analysing().figures(),
                    b = m_other->analysing().figures()](const std::stop_token &) -> LatestWork::Finish {
        auto difference = std::make_shared<const diff::Difference>(
            diff::compare({*a->model(), a->analysis()}, {*b->model(), b->analysis()}));
        return [this, difference = std::move(difference)] { show(difference); };
    });
}

void Comparing::show(std::shared_ptr<const diff::Difference> difference)
{
    if (!m_other)
        return;
    m_difference = std::move(difference);
    fillRows();
    mark();
    emit differenceChanged();
}

void Comparing::fillRows()
{
    m_rows.clear();
    for (const diff::Change &change : m_difference->signature)
        m_rows.push_back({{}, {}, changesText({change}), false, shown(change.what)});
    for (const diff::Pair &pair : m_difference->pairs)
        if (!pair.changes.empty())
            m_rows.push_back({{pair.a}, {pair.b}, changesText(pair.changes)});
    for (const ir::NodeId node : m_difference->onlyA)
        m_rows.push_back({{node}, {}, tr("only in the first model")});
    for (const ir::NodeId node : m_difference->onlyB)
        m_rows.push_back({{}, {node}, tr("only in the second model")});
    for (const diff::Group &group : m_difference->groups)
        m_rows.push_back({group.a, group.b, shown(group.reason), !m_difference->isExact});
    for (const diff::NotCompared &each : m_difference->notCompared) {
        const QString text = tr("%1 not compared: %2").arg(shown(each.what), shown(each.reason));
        if (each.nodes.a && each.nodes.b)
            m_rows.push_back({{*each.nodes.a}, {*each.nodes.b}, text});
        else if (!each.nodes.a && !each.nodes.b)
            m_rows.push_back({{}, {}, text, false, shown(each.what)});
    }
    // What only the second has stands behind the nearest thing before it that both have.
    const auto placeA = placesOf(m_session.document().function().graph),
               placeB = placesOf(m_other->document().function().graph);
    std::vector<std::pair<std::size_t, std::size_t>> partners; // place in the second, place in the first
    for (const diff::Pair &pair : m_difference->pairs)
        partners.emplace_back(placeB[pair.b.index], placeA[pair.a.index]);
    std::ranges::sort(partners);
    const auto key = [&](const Row &row) {
        if (row.a.empty() && row.b.empty())
            return std::pair(std::size_t{0}, std::size_t{0}); // the signature comes first
        if (!row.a.empty())
            return std::pair(placeA[row.a.front().index], std::size_t{0});
        const std::size_t at = placeB[row.b.front().index];
        const auto behind = std::ranges::upper_bound(partners, std::pair(at, std::size_t{0}));
        return std::pair(behind == partners.begin() ? 0 : std::prev(behind)->second, at + 1);
    };
    std::ranges::stable_sort(m_rows, {}, key);
}

void Comparing::mark()
{
    layout::NodeMarks a = noMarks(m_session.document().function().graph);
    layout::NodeMarks b = noMarks(m_other->document().function().graph);
    for (const diff::Pair &pair : m_difference->pairs)
        if (!pair.changes.empty()) {
            setMarks(a, {pair.a}, layout::Mark::Changed);
            setMarks(b, {pair.b}, layout::Mark::Changed);
        }
    setMarks(a, m_difference->onlyA, layout::Mark::Removed);
    setMarks(b, m_difference->onlyB, layout::Mark::Added);
    m_session.drawing().setNodeMarks(std::make_shared<const layout::NodeMarks>(std::move(a)));
    m_other->drawing().setNodeMarks(std::make_shared<const layout::NodeMarks>(std::move(b)));
}

void Comparing::reveal(const Row &row)
{
    if (row.a.empty() && row.b.empty())
        return revealSignature(row);
    m_following = true;
    if (!row.a.empty())
        m_session.navigation().reveal(row.a.front());
    if (!row.b.empty())
        m_other->navigation().reveal(row.b.front());
    m_following = false;
    // What only one side has is shown where it would stand on the other: at what both have before it.
    if (row.a.empty())
        follow(*m_other, m_session, false);
    else if (row.b.empty())
        follow(m_session, *m_other, true);
}

/// An input that differs, in both models.
void Comparing::revealSignature(const Row &row)
{
    const auto &inputs = m_session.document().function().graph.at(ir::Graph::body).inputs;
    std::vector<ir::ValueId> user; // without those that are weights, as diff counts them
    for (const ir::ValueId value : inputs)
        if (!run::boundTo(m_session.document().function(), value))
            user.push_back(value);
    bool isNumber = false;
    const uint place = row.signature.section(' ', 1).toUInt(&isNumber);
    if (isNumber && row.signature.startsWith(QLatin1String("input ")) && place < user.size())
        m_session.navigation().reveal(layout::InputSubject{user[place]});
}

void Comparing::follow(Session &from, Session &to, bool isFirst)
{
    const Selection &selection = from.navigation().selection();
    if (m_following || !m_difference || selection == Selection{})
        return;
    m_following = true;
    if (const auto partner = partnerOf(from, to, isFirst))
        to.navigation().reveal(*partner);
    else
        to.navigation().select({});
    m_following = false;
}

/// What stands for the selection in the other model.
std::optional<Selection> Comparing::partnerOf(const Session &from, const Session &to, bool isFirst) const
{
    const Selection &selection = from.navigation().selection();
    if (const auto node = from.navigation().selectedNode()) {
        const auto own = [&](const diff::Pair &pair) { return isFirst ? pair.a : pair.b; };
        const auto pair = std::ranges::find(m_difference->pairs, *node, own);
        return pair == m_difference->pairs.end() ? std::nullopt : std::optional<Selection>(isFirst ? pair->b : pair->a);
    }
    if (const auto *module = std::get_if<layout::ScopeSubject>(&selection))
        return partnerOf(*module, from, to, isFirst);
    const auto *input = std::get_if<layout::InputSubject>(&selection);
    const auto &ofFrom = from.document().function().graph.at(ir::Graph::body).inputs,
               &ofTo = to.document().function().graph.at(ir::Graph::body).inputs;
    const auto place = input ? std::ranges::find(ofFrom, input->value) - ofFrom.begin() : std::ssize(ofFrom);
    return place < std::min(std::ssize(ofFrom), std::ssize(ofTo))
        ? std::optional<Selection>(layout::InputSubject{ofTo[std::size_t(place)]})
        : std::nullopt;
}

/// The innermost module with the partners of all nodes of a module; of several with the same nodes, the one with its
/// name.
std::optional<Selection> Comparing::partnerOf(const layout::ScopeSubject &module, const Session &from,
                                              const Session &to, bool isFirst) const
{
    const ir::Graph &graph = from.document().function().graph, &other = to.document().function().graph;
    const ir::Context &context = other.context();
    const std::string_view name = graph.context().text(graph.context().at(module.scope).name);
    std::optional<std::vector<ir::ScopeId>> common;
    for (const diff::Pair &pair : m_difference->pairs) {
        const auto [own, partner] = isFirst ? std::pair(pair.a, pair.b) : std::pair(pair.b, pair.a);
        if (!ir::isWithin(graph.context(), graph.at(own).scope, module.scope))
            continue;
        const std::vector<ir::ScopeId> chain = chainTo(context, other.at(partner).scope);
        if (common)
            common->erase(std::ranges::mismatch(*common, chain).in1, common->end());
        else
            common = chain;
    }
    if (!common || common->empty())
        return {};
    const auto named = std::find_if(common->rbegin(), common->rend(),
                                    [&](ir::ScopeId scope) { return context.text(context.at(scope).name) == name; });
    const ir::ScopeId found = named == common->rend() ? common->back() : *named;
    return layout::ScopeSubject{found, to.document().moduleSums().at(found).region};
}

} // namespace cutaway::views
