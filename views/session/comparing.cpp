// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/session/comparing.h"

#include "core/analysis/module_sums.h"
#include "core/ir/node_ref.h"
#include "core/ir/scope_tree.h"
#include "core/report/difference.h"
#include "core/run/inputs.h"
#include "views/parts/text.h"
#include "views/session/analysing.h"
#include "views/session/annotations/compared_model.h"
#include "views/session/document.h"
#include "views/session/drawing.h"
#include "views/session/navigation.h"
#include "views/session/running.h"
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

/// Returns the order in which nodes run, by NodeId; nodes of regions come right after the node that owns the region.
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
    layout::NodeMarks marks;
    marks.nodes.assign(graph.nodeCount(), layout::Mark::None);
    return marks;
}

} // namespace

Correspondence::Correspondence(Session &a, Session &b) : m_a(a), m_b(b)
{
    connect(&m_work, &LatestWork::busyChanged, this, &Correspondence::busyChanged);
    for (Session *session : {&a, &b}) {
        // Another function or state has other nodes, so that the known differences do not apply.
        connect(&session->document(), &Document::replaced, this, &Correspondence::forget);
        connect(&session->analysing(), &Analysing::figuresChanged, this, &Correspondence::compare);
    }
    compare();
}

bool Correspondence::isOneFile() const { return m_a.document().models().file == m_b.document().models().file; }

void Correspondence::forget()
{
    m_work.cancel();
    show(nullptr);
}

/// Compares the models once both are analysed, since shapes help to match nodes, and totals are compared, too.
void Correspondence::compare()
{
    if (isOneFile() || !m_a.analysing().figures() || !m_b.analysing().figures())
        return;
    m_work.request([this, a = m_a.analysing().figures(),
                    b = m_b.analysing().figures()](const std::stop_token &) -> LatestWork::Finish {
        auto difference = std::make_shared<const diff::Difference>(
            diff::compare({*a->model(), a->analysis()}, {*b->model(), b->analysis()}));
        return [this, difference = std::move(difference)] { show(difference); };
    });
}

void Correspondence::show(std::shared_ptr<const diff::Difference> difference)
{
    m_difference = std::move(difference);
    m_nodes = {};
    m_modules = {};
    if (m_difference)
        for (const diff::Pair &pair : m_difference->pairs) {
            m_nodes[1].emplace(pair.a.index, pair.b);
            m_nodes[0].emplace(pair.b.index, pair.a);
        }
    emit changed();
}

std::optional<Selection> Correspondence::partnerOf(const Session &from, const Selection &selection) const
{
    const bool isFirst = &from == &m_a;
    const Session &to = isFirst ? m_b : m_a;
    if (isOneFile()) {
        const bool isSame = from.document().functionId() == to.document().functionId();
        return isSame && views::isThere(to.document().function(), selection) ? std::optional(selection) : std::nullopt;
    }
    const auto subject = subjectOf(from.drawing().function(), selection);
    if (const auto *node = subject ? std::get_if<ir::NodeId>(&*subject) : nullptr)
        return partnerOf(*node, isFirst).transform([](ir::NodeId partner) { return Selection(partner); });
    if (const auto *module = std::get_if<layout::ScopeSubject>(&selection))
        return partnerOf(*module, isFirst);
    const auto *input = std::get_if<layout::InputSubject>(&selection);
    const auto &ofFrom = from.document().function().graph.at(ir::Graph::body).inputs,
               &ofTo = to.document().function().graph.at(ir::Graph::body).inputs;
    const auto place = input ? std::ranges::find(ofFrom, input->value) - ofFrom.begin() : std::ssize(ofFrom);
    return place < std::min(std::ssize(ofFrom), std::ssize(ofTo))
        ? std::optional<Selection>(layout::InputSubject{ofTo[std::size_t(place)]})
        : std::nullopt;
}

std::optional<ir::NodeId> Correspondence::partnerOf(ir::NodeId node, bool isFirst) const
{
    const Nodes &partners = m_nodes[isFirst ? 1 : 0];
    const auto found = partners.find(node.index);
    return found == partners.end() ? std::nullopt : std::optional(found->second);
}

std::optional<Selection> Correspondence::partnerOf(const layout::ScopeSubject &module, bool isFirst) const
{
    if (!m_difference)
        return {};
    Modules &known = m_modules[isFirst ? 1 : 0];
    auto found = known.find(module);
    if (found == known.end())
        found = known.emplace(module, innermostWithPartners(module, isFirst)).first;
    return found->second;
}

/// Returns the module of the other model that contains the partners of all those nodes of `module` that have one: the
/// innermost with the same name as `module`, or else the innermost of any name; nothing if there are no partners, or
/// only the root contains all of them.
std::optional<Selection> Correspondence::innermostWithPartners(const layout::ScopeSubject &module, bool isFirst) const
{
    const Session &from = isFirst ? m_a : m_b, &to = isFirst ? m_b : m_a;
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

Comparing::Comparing(Session &session) : m_session(session)
{
    connect(&session.navigation(), &Navigation::selectionChanged, this, [this] {
        if (m_other)
            follow(m_session, *m_other);
    });
}

Comparing::~Comparing() = default;

std::shared_ptr<const diff::Difference> Comparing::difference() const
{
    return m_correspondence ? m_correspondence->difference() : nullptr;
}

void Comparing::start(std::shared_ptr<const ir::Model> model)
{
    m_rows.clear();
    m_session.running().compareValuesWith(nullptr);
    m_correspondence.reset(); // it refers to the sessions, so it is deleted before them
    const std::unique_ptr<Session> before = std::exchange(m_other, std::make_unique<Session>(std::move(model)));
    m_correspondence = std::make_shared<Correspondence>(m_session, *m_other);
    connect(m_correspondence.get(), &Correspondence::changed, this, &Comparing::show);
    connect(m_correspondence.get(), &Correspondence::busyChanged, this, &Comparing::busyChanged);
    connect(&m_other->navigation(), &Navigation::selectionChanged, this, [this] { follow(*m_other, m_session); });
    emit otherChanged();
    emit differenceChanged();
    m_other->start();
}

void Comparing::end()
{
    m_rows.clear();
    m_session.running().compareValuesWith(nullptr);
    m_correspondence.reset();
    const std::unique_ptr<Session> before = std::move(m_other);
    m_session.drawing().setNodeMarks(nullptr);
    emit otherChanged();
    emit differenceChanged();
}

void Comparing::show()
{
    m_rows.clear();
    m_session.running().compareValuesWith(difference() ? comparedModel() : nullptr);
    if (difference()) {
        fillRows();
        mark();
    }
    emit differenceChanged();
}

/// Returns the two models for comparing the values of a run; null until both are analysed.
std::shared_ptr<const ComparedModel> Comparing::comparedModel() const
{
    const auto a = m_session.analysing().figures(), b = m_other->analysing().figures();
    if (!a || !b)
        return nullptr;
    const Document &document = m_other->document();
    auto compared = std::make_shared<ComparedModel>();
    compared->first = a->model();
    compared->second = b->model();
    compared->ofFirst = a->sharedAnalysis();
    compared->ofSecond = b->sharedAnalysis();
    compared->opened = document.models().file;
    if (document.isFileShown() && !document.file().path.empty() && document.givenValues().replaced.empty())
        compared->path = document.file().path;
    compared->difference = difference();
    return compared;
}

void Comparing::fillRows()
{
    const diff::Difference &found = *difference();
    for (const diff::Change &change : found.signature)
        m_rows.push_back({{}, {}, changesText({change}), false, shown(change.what)});
    for (const diff::Pair &pair : found.pairs)
        if (!pair.changes.empty())
            m_rows.push_back({{pair.a}, {pair.b}, changesText(pair.changes)});
    for (const ir::NodeId node : found.onlyA)
        m_rows.push_back({{node}, {}, tr("only in the first model")});
    for (const ir::NodeId node : found.onlyB)
        m_rows.push_back({{}, {node}, tr("only in the second model")});
    for (const diff::Region &region : found.regions)
        m_rows.push_back({.a = region.a.nodes,
                          .b = region.b.nodes,
                          .what = tr("replaced region: %1 by %2; %3")
                                      .arg(shown(report::regionSideText(region.a)),
                                           shown(report::regionSideText(region.b)), shown(region.reason)),
                          .isReplaced = true});
    for (const diff::Group &group : found.groups)
        m_rows.push_back({group.a, group.b, shown(group.proof), !found.isExact});
    for (const diff::NotCompared &each : found.notCompared) {
        const QString text = tr("%1 not compared: %2").arg(shown(each.what), shown(each.reason));
        if (each.nodes.a && each.nodes.b)
            m_rows.push_back({{*each.nodes.a}, {*each.nodes.b}, text});
        else if (!each.nodes.a && !each.nodes.b)
            m_rows.push_back({{}, {}, text, false, shown(each.what)});
    }
    sortRows();
}

/// Sorts the rows: first the signature, then nodes in the order of the first model. A row that has only nodes of the
/// second model follows the nearest node before it that both models have.
void Comparing::sortRows()
{
    const auto placeA = placesOf(m_session.document().function().graph),
               placeB = placesOf(m_other->document().function().graph);
    // The positions of a matched pair in the second model and in the first.
    std::vector<std::pair<std::size_t, std::size_t>> partners;
    for (const diff::Pair &pair : difference()->pairs)
        partners.emplace_back(placeB[pair.b.index], placeA[pair.a.index]);
    std::ranges::sort(partners);
    const auto key = [&](const Row &row) {
        if (row.a.empty() && row.b.empty())
            return std::pair(std::size_t{0}, std::size_t{0});
        if (!row.a.empty())
            return std::pair(placeA[row.a.front().index], std::size_t{0});
        const std::size_t at = placeB[row.b.front().index];
        const auto behind = std::ranges::upper_bound(partners, std::pair(at, std::size_t{0}));
        return std::pair(behind == partners.begin() ? 0 : std::prev(behind)->second, at + 1);
    };
    std::ranges::stable_sort(m_rows, {}, key);
}

const Comparing::Row *Comparing::rowAround(ir::NodeId node) const
{
    const auto found = std::ranges::find_if(
        m_rows, [&](const Row &row) { return (row.isReplaced || row.isSame) && std::ranges::contains(row.a, node); });
    return found == m_rows.end() ? nullptr : &*found;
}

void Comparing::mark()
{
    layout::NodeMarks a = noMarks(m_session.document().function().graph);
    layout::NodeMarks b = noMarks(m_other->document().function().graph);
    for (const diff::Pair &pair : difference()->pairs)
        if (!pair.changes.empty()) {
            setMarks(a, {pair.a}, layout::Mark::Changed);
            setMarks(b, {pair.b}, layout::Mark::Changed);
        }
    setMarks(a, difference()->onlyA, layout::Mark::Removed);
    setMarks(b, difference()->onlyB, layout::Mark::Added);
    for (const diff::Region &region : difference()->regions) {
        setMarks(a, region.a.nodes, layout::Mark::Removed);
        setMarks(b, region.b.nodes, layout::Mark::Added);
    }
    m_isOneRow = false;
    m_session.drawing().setNodeMarks(std::make_shared<const layout::NodeMarks>(std::move(a)));
    m_other->drawing().setNodeMarks(std::make_shared<const layout::NodeMarks>(std::move(b)));
}

/// Marks the nodes of one row only, so that the user sees how far they reach.
void Comparing::markRow(const Row &row)
{
    layout::NodeMarks a = noMarks(m_session.document().function().graph);
    layout::NodeMarks b = noMarks(m_other->document().function().graph);
    setMarks(a, row.a, row.isSame ? layout::Mark::Changed : layout::Mark::Removed);
    setMarks(b, row.b, row.isSame ? layout::Mark::Changed : layout::Mark::Added);
    m_session.drawing().setNodeMarks(std::make_shared<const layout::NodeMarks>(std::move(a)), true);
    m_other->drawing().setNodeMarks(std::make_shared<const layout::NodeMarks>(std::move(b)), true);
    m_isOneRow = true;
}

void Comparing::reveal(const Row &row)
{
    if (row.a.size() > 1 || row.b.size() > 1)
        markRow(row);
    else if (m_isOneRow)
        mark();
    if (row.a.empty() && row.b.empty())
        return revealSignature(row);
    m_following = true;
    if (!row.a.empty())
        m_session.navigation().reveal(row.a.front());
    if (!row.b.empty())
        m_other->navigation().reveal(row.b.front());
    m_following = false;
    // If only one side has the node, the other side shows the nearest node before it that both have.
    if (row.a.empty())
        follow(*m_other, m_session);
    else if (row.b.empty())
        follow(m_session, *m_other);
}

/// Selects the input that a row of the signature is about, in both models.
void Comparing::revealSignature(const Row &row)
{
    const auto &inputs = m_session.document().function().graph.at(ir::Graph::body).inputs;
    std::vector<ir::ValueId> user; // the inputs that are not weights
    for (const ir::ValueId value : inputs)
        if (!run::boundTo(m_session.document().function(), value))
            user.push_back(value);
    bool isNumber = false;
    const uint place = row.signature.section(' ', 1).toUInt(&isNumber);
    if (isNumber && row.signature.startsWith(QLatin1String("input ")) && place < user.size())
        m_session.navigation().reveal(layout::InputSubject{user[place]});
}

void Comparing::follow(Session &from, Session &to)
{
    const Selection &selection = from.navigation().selection();
    if (m_following || !difference() || selection == Selection{})
        return;
    if (m_isOneRow)
        mark();
    m_following = true;
    if (const auto partner = m_correspondence->partnerOf(from, selection))
        to.navigation().reveal(*partner);
    else
        to.navigation().select({});
    m_following = false;
}

} // namespace cutaway::views
