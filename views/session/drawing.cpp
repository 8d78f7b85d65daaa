// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/session/drawing.h"

#include "core/layout/outline.h"
#include "core/layout/states.h"
#include "views/appearance/fonts.h"
#include "views/session/analysing.h"
#include "views/session/selection.h"

namespace cutaway::views {
namespace {

/// How long a layout waits for the analysis: enough for most graphs; others are first shown without figures.
constexpr int patienceMs = 40;

std::shared_ptr<const layout::NodeMarks> stateMarks(const ModelState &state, ir::FunctionId function)
{
    if (!state.before && !state.all)
        return nullptr;
    const ir::Graph &after = state.model->at(function).graph;
    const ir::Graph &before = state.before ? state.before->at(function).graph : after;
    return std::make_shared<const layout::NodeMarks>(
        state.all ? layout::marksWithin(state.all->at(function).graph, before, after)
                  : layout::marksBetween(before, after));
}

/// Returns the model whose nodes the diagram of a state shows.
SharedModel modelToDraw(const ModelState &state, ir::FunctionId function)
{
    if (state.all)
        return state.all;
    return state.before ? std::make_shared<const ir::Model>(layout::bothStates(*state.before, *state.model, function))
                        : state.model;
}

} // namespace

Drawing::Drawing(const Document &document, const Analysing &analysing)
    : m_document(document),
      m_analysing(analysing),
      m_function(document.functionId())
{
    m_patience.setSingleShot(true);
    m_patience.setInterval(patienceMs);
    connect(&m_patience, &QTimer::timeout, this, [this] { layOut(); });
    connect(&m_work, &LatestWork::busyChanged, this, &Drawing::busyChanged);
    connect(&document, &Document::replaced, this, &Drawing::reset);
    connect(&analysing, &Analysing::analysed, this, [this] {
        m_patience.stop();
        if (m_choice)
            layOut();
    });
}

/// Prepares for another state or function. The diagram of the same function stays until there is a new one.
void Drawing::reset()
{
    m_anchor.reset();
    m_outline.reset();
    m_nodeMarks = stateMarks(m_document.models().shown, m_document.functionId());
    if (m_function == m_document.functionId())
        return;
    m_function = m_document.functionId();
    m_options.hidden.but.reset();
    m_work.cancel();
    m_drawn = {};
    m_named.reset();
    m_enclosing.reset();
}

const layout::Outline &Drawing::outline() const
{
    if (m_drawn.outline)
        return *m_drawn.outline;
    if (!m_outline)
        m_outline = std::make_shared<const layout::Outline>(layout::outlineOf(function(), false));
    return *m_outline;
}

const std::shared_ptr<const layout::Outline> &Drawing::namedOutline() const
{
    if (!m_named && m_drawn.outline)
        m_named = std::make_shared<const layout::Outline>(layout::withNamedParts(*m_drawn.outline, function()));
    return m_named;
}

layout::Marks Drawing::marksOf(const layout::NodeMarks &nodes) const
{
    return m_drawn.diagram ? layout::marksOf(*m_drawn.diagram, function().graph, outline(), nodes) : layout::Marks();
}

const std::vector<layout::Subject> &Drawing::enclosing(const layout::Subject &subject) const
{
    if (!m_enclosing || m_enclosing->first != subject)
        m_enclosing.emplace(subject, enclosingBoxes(function(), outline(), subject));
    return m_enclosing->second;
}

void Drawing::drawAnalysed(Choice choice)
{
    m_choice = std::move(choice);
    m_patience.start();
    emit busyChanged();
}

void Drawing::draw(Choice choice, std::optional<layout::Subject> anchor)
{
    m_choice = std::move(choice);
    m_anchor = anchor;
    layOut();
}

void Drawing::setHidden(layout::Hidden hidden)
{
    if (hidden == m_options.hidden)
        return;
    m_options.hidden = std::move(hidden);
    if (m_choice && !m_patience.isActive())
        layOut();
}

void Drawing::layOut()
{
    const ModelState &state = m_document.models().shown;
    layout::Options options = m_options;
    options.knowledge = knowledgeOf(m_analysing.figures());
    options.wholeLines = state.before || state.all;
    m_work.request([this, state, function = m_document.functionId(), choice = m_choice, options = std::move(options),
                    nodeMarks = m_nodeMarks, before = m_drawn.model,
                    outline = m_drawn.outline](const std::stop_token &stop) mutable -> LatestWork::Finish {
        Drawn made{.model = modelToDraw(state, function),
                   .outline = {},
                   .nodeMarks = nodeMarks,
                   .expansion = {},
                   .diagram = {},
                   .before = {},
                   .marks = {}};
        const ir::Function &drawn = made.model->at(function);
        made.outline =
            made.model == before ? outline : std::make_shared<const layout::Outline>(layout::outlineOf(drawn, false));
        made.expansion = choice(drawn.graph, *made.outline);
        options.outline = made.outline.get();
        auto diagram = layout::layOut(*made.model, function, made.expansion, diagramTextWidth, options, stop);
        if (!diagram || stop.stop_requested())
            return {};
        const ir::Model &after = *state.model, &previous = state.before ? *state.before : after;
        const auto described = [&](layout::Diagram texts, const ir::Model &first, const ir::Model &second) {
            layout::describeStates(texts, {.drawn = *made.model, .before = second, .after = first}, function,
                                   options.knowledge, diagramTextWidth, layout::growthInGap);
            return texts;
        };
        if (&previous != &after)
            made.before = std::make_shared<const layout::Diagram>(described(*diagram, previous, after));
        if (state.all)
            diagram = described(*std::move(diagram), after, previous);
        made.diagram = std::make_shared<const layout::Diagram>(*std::move(diagram));
        if (nodeMarks)
            made.marks = layout::marksOf(*made.diagram, drawn.graph, *made.outline, *nodeMarks);
        return [this, made = std::move(made)] { show(made); };
    });
}

void Drawing::show(Drawn drawn)
{
    if (m_drawn.outline != drawn.outline)
        m_named.reset();
    m_drawn = std::move(drawn);
    m_outline.reset();
    m_enclosing.reset();
    if (m_drawn.nodeMarks != m_nodeMarks) // the marks have changed during the layout
        mark();
    emit diagramChanged();
    emit marksChanged();
    m_anchor.reset();
    emit this->drawn();
}

/// Finds the marks of the diagram's boxes.
void Drawing::mark()
{
    m_drawn.nodeMarks = m_nodeMarks;
    m_drawn.marks = m_nodeMarks ? marksOf(*m_nodeMarks) : layout::Marks();
}

void Drawing::setNodeMarks(std::shared_ptr<const layout::NodeMarks> marks, bool fadesOthers)
{
    m_nodeMarks = std::move(marks);
    m_fadesUnmarked = fadesOthers;
    mark();
    emit marksChanged();
}

void Drawing::cancel()
{
    m_work.cancel();
    m_choice = [expansion = m_drawn.expansion](const auto &...) { return expansion; };
    m_anchor.reset();
    emit cancelled();
}

} // namespace cutaway::views
