// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/session/searching.h"

#include "core/layout/found/found_parts.h"
#include "core/query/named.h"
#include "views/parts/text.h"
#include "views/session/analysing.h"
#include "views/session/annotations/annotating.h"
#include "views/session/document.h"
#include "views/session/drawing.h"
#include "views/session/navigation.h"
#include "views/session/search/search.h"

#include <QStringList>
#include <algorithm>
#include <array>
#include <iterator>

namespace cutaway::views {
namespace {

/// Returns all diagnostics of nodes: those of the file, of the analysis, and of the rules of lint.
std::vector<ir::Diagnostic> diagnosticsOf(const Figures &figures, const std::stop_token &stop)
{
    std::vector<ir::Diagnostic> all = figures.diagnosticsAndFindings(Task{stop, {}});
    std::ranges::copy(figures.model()->diagnostics, std::back_inserter(all));
    return all;
}

} // namespace

std::expected<query::Expression, QueryMistake> parseQuery(const QString &text, query::Subject subject)
{
    const std::string bytes = text.toStdString();
    auto parsed = query::parse(bytes, subject);
    if (parsed)
        return *std::move(parsed);
    const auto letters = [&](std::size_t from, std::size_t count) {
        return int(QString::fromStdString(bytes.substr(std::min(from, bytes.size()), count)).size());
    };
    const query::Mistake &mistake = parsed.error();
    return std::unexpected(
        QueryMistake{shown(mistake.message), letters(0, mistake.at), std::max(letters(mistake.at, mistake.length), 1)});
}

Searching::Searching(const Document &document, const Annotating &annotating, const Analysing &analysing,
                     const Drawing &drawing, Navigation &navigation)
    : m_document(document),
      m_annotating(annotating),
      m_analysing(analysing),
      m_drawing(drawing),
      m_navigation(navigation)
{
    connect(&document, &Document::replaced, this, &Searching::drop);
    for (const auto change : {&Document::functionChanged, &Document::stateChanged})
        connect(&document, change, this, &Searching::run);
    connect(&document, &Document::functionChanged, this, [this] {
        m_pathStart.reset();
        emit pathStartChanged();
    });
    connect(&analysing, &Analysing::figuresChanged, this, &Searching::rerun);
    connect(&annotating, &Annotating::changed, this, &Searching::rerun);
    connect(&drawing, &Drawing::marksChanged, this, [this] {
        if (std::exchange(m_changes, m_drawing.nodeMarks()) != m_drawing.nodeMarks())
            rerun();
    });
}

/// Forgets the matches, since the model that they belong to is gone.
void Searching::drop()
{
    m_hits.clear();
    m_nodeMarks.reset();
    m_current.reset();
}

/// Runs the query again after figures have changed, if it asks for figures; a search for words does not depend on them.
void Searching::rerun()
{
    if (m_needsFigures)
        run();
    emit knownChanged();
}

std::optional<query::Answer> Searching::answerTo(const query::Expression &query)
{
    const auto figures = m_analysing.figures();
    if (!figures)
        return {};
    if (query::uses(query, query::Property::Diagnostic)) {
        findDiagnostics(figures);
        if (!m_diagnostics)
            return {};
    }
    query::Known known{.model = *figures->model(),
                       .analysis = figures->analysis(),
                       .roofline = &figures->rooflineAtExample(),
                       .example = &figures->examples().bindings,
                       .diagnostics = m_diagnostics ? std::span<const ir::Diagnostic>(*m_diagnostics)
                                                    : std::span<const ir::Diagnostic>()};
    const node_data::NodeData *data = m_annotating.data().get();
    if (data && std::ranges::all_of(data->columns, [&](const node_data::Column &column) {
            return column.cells.size() >= figures->function().graph.nodeCount();
        }))
        known.data = data;
    known.measured = [&](ir::NodeId node) { return figures->times().of(node); };
    if (const auto marks = m_drawing.nodeMarks())
        known.isChanged = [marks](ir::NodeId node) { return marks->of(node) != layout::Mark::None; };
    if (m_drawing.drawnOutline())
        known.nodesInPart = [this](const query::Pattern &name) {
            return layout::nodesInParts(*m_drawing.namedOutline(), name);
        };
    return query::answerTo(query, known);
}

/// Computes the diagnostics on another thread, since all rules visit all nodes.
void Searching::findDiagnostics(const std::shared_ptr<const Figures> &figures)
{
    if (m_diagnosed == figures)
        return;
    m_diagnosed = figures;
    m_diagnostics.reset();
    m_work.request([this, figures](const std::stop_token &stop) -> LatestWork::Finish {
        return [this, figures, found = diagnosticsOf(*figures, stop)] {
            if (figures != m_diagnosed)
                return;
            m_diagnostics = found;
            rerun();
        };
    });
}

/// Returns a note on the example sizes at which the query compared formulas; "" if there were none.
QString Searching::exampleNote(const query::Expression &query) const
{
    using enum query::Property;
    const auto isUsed = [&](query::Property figure) { return query::uses(query, figure); };
    const auto figures = m_analysing.figures();
    const bool hasFigure = std::ranges::any_of(std::array{Flops, OtherFlops, Bytes, Memory, Time}, isUsed);
    return hasFigure && figures && !figures->examples().note.empty()
        ? tr("figures with %1").arg(shown(figures->examples().note))
        : QString();
}

QString Searching::noteOf(const query::Answer &answer)
{
    QStringList parts;
    for (const query::NotKnown &notKnown : answer.notKnown)
        parts << shown(query::print(notKnown));
    for (const std::string &name : answer.unnamed)
        parts << tr("nothing is named %1").arg(shown(name));
    return parts.join(QStringLiteral("; "));
}

void Searching::setText(const QString &text)
{
    if (text == m_text)
        return;
    m_text = text;
    m_current.reset();
    emit textChanged();
    run();
}

void Searching::find(const QString &text)
{
    setText(text);
    emit listRequested();
}

void Searching::run()
{
    const std::vector<Selection> before = std::exchange(m_hits, {});
    m_note.clear();
    m_mistake.reset();
    m_isWaiting = m_needsFigures = false;
    if (!m_text.trimmed().isEmpty()) {
        const auto query = parseQuery(m_text);
        const auto words = query ? query::plainWords(*query) : std::nullopt;
        m_needsFigures = query && !words;
        if (!query)
            m_mistake = query.error();
        else if (words)
            m_hits = search(m_document.function(), *words);
        else if (const auto answer = answerTo(*query))
            take(*answer, exampleNote(*query));
        else
            m_isWaiting = true;
    }
    if (m_hits != before)
        m_current.reset();
    markNodes();
    emit hitsChanged();
}

/// Takes over the nodes of an answer that still exist: figures may be of an earlier state of the function.
void Searching::take(const query::Answer &answer, const QString &example)
{
    for (const ir::NodeId node : answer.nodes)
        if (isThere(m_document.function(), node))
            m_hits.emplace_back(node);
    QStringList notes{noteOf(answer), example};
    notes.removeAll(QString());
    m_note = notes.join(QStringLiteral("; "));
}

void Searching::markNodes()
{
    layout::NodeMarks marks;
    marks.nodes.resize(m_document.function().graph.nodeCount(), layout::Mark::None);
    for (const Selection &hit : m_hits)
        if (const auto *node = std::get_if<ir::NodeId>(&hit))
            marks.nodes[node->index] = layout::Mark::Changed;
    m_nodeMarks = m_hits.empty() ? nullptr : std::make_shared<const layout::NodeMarks>(std::move(marks));
}

void Searching::setCurrent(std::size_t hit)
{
    if (hit >= m_hits.size())
        return;
    m_current = hit;
    m_navigation.reveal(m_hits[hit]);
    emit currentChanged();
}

void Searching::step(int by)
{
    const auto count = std::ptrdiff_t(m_hits.size());
    if (count == 0)
        return;
    const std::ptrdiff_t next = m_current ? (std::ptrdiff_t(*m_current) + by + count) % count : by > 0 ? 0 : count - 1;
    setCurrent(std::size_t(next));
}

void Searching::setFadesOthers(bool fades)
{
    if (fades == m_fadesOthers)
        return;
    m_fadesOthers = fades;
    emit fadingChanged();
}

QString Searching::nameOf(ir::NodeId node) const { return shownName({m_document.function().graph, node}); }

/// Returns the node's name in a query if no other node has it, else its number.
std::string Searching::queryName(ir::NodeId node) const
{
    const std::string_view name = ir::NodeRef(m_document.function().graph, node).name();
    query::Pattern pattern;
    pattern.add(name);
    const query::Ends found = query::named(m_document.model(), m_document.function(), pattern);
    const bool isUnique = !name.empty() && found.values.empty() && found.nodes == std::vector{node};
    return isUnique ? query::quotedName(name) : "#" + std::to_string(node.index);
}

void Searching::findUpstream(ir::NodeId node) { find(QString::fromStdString("upstream:" + queryName(node))); }

void Searching::findDownstream(ir::NodeId node) { find(QString::fromStdString("downstream:" + queryName(node))); }

void Searching::setPathStart(ir::NodeId node)
{
    m_pathStart = node;
    emit pathStartChanged();
}

void Searching::findPathsTo(ir::NodeId node)
{
    if (m_pathStart && isThere(m_document.function(), *m_pathStart))
        find(QString::fromStdString("between:" + queryName(*m_pathStart) + ".." + queryName(node)));
}

} // namespace cutaway::views
