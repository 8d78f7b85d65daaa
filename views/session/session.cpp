// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/session/session.h"

#include "core/analysis/assumed_inputs.h"
#include "core/ir/context.h"
#include "core/ir/scope_tree.h"
#include "core/layout/describe.h"
#include "core/layout/states.h"
#include "core/request/given.h"
#include "views/appearance/fonts.h"
#include "views/parts/text.h"
#include "views/session/comparing.h"
#include "views/session/running.h"
#include "views/session/stepping.h"

#include <algorithm>

namespace cutaway::views {
namespace {
/// As many boxes as a window shows at a readable size: the first picture is of the whole model.
constexpr std::size_t firstBoxes = 20;
/// Most graphs are analysed in this time; the first picture of others comes without what is derived.
constexpr int patienceMs = 40;
constexpr const char *firstDevice = "h100-sxm";

analysis::Device defaultDevice()
{
    std::vector<analysis::Device> devices = analysis::builtinDevices();
    const auto found = std::ranges::find(devices, firstDevice, &analysis::Device::id);
    return found == devices.end() ? devices.front() : *found;
}
} // namespace

Session::Session(std::shared_ptr<const ir::Model> model, layout::Options options, QObject *parent)
    : QObject(parent),
      m_file(std::move(model)),
      m_model(m_file),
      m_drawn(m_file),
      m_options(std::move(options)),
      m_givenFile(assumed()),
      m_device(defaultDevice()),
      m_stepping(std::make_unique<Stepping>(*this)),
      m_comparing(std::make_unique<Comparing>(*this)),
      m_running(std::make_unique<Running>(*this))
{
    m_patience.setSingleShot(true);
    m_patience.setInterval(patienceMs);
    connect(&m_patience, &QTimer::timeout, this, [this] { layOut(m_choice); });
    connect(&m_layoutWork, &LatestWork::busyChanged, this, &Session::layoutBusyChanged);
    connect(&m_analysisWork, &LatestWork::busyChanged, this, &Session::analysisBusyChanged);
    connect(m_running.get(), &Running::profileChanged, this, &Session::deriveAnew);
}

Session::~Session() = default;

const analysis::ModuleSums &Session::moduleSums() const
{
    if (!m_moduleSums)
        m_moduleSums = analysis::moduleSums(*m_model, function());
    return *m_moduleSums;
}

const std::vector<layout::Subject> &Session::enclosing(const layout::Subject &subject) const
{
    if (!m_enclosing || m_enclosing->first != subject)
        m_enclosing.emplace(subject, enclosingBoxes(*m_drawn, m_function, subject));
    return m_enclosing->second;
}

QString Session::typeText(ir::ValueId value) const
{
    return shown(m_figures ? m_figures->typeText(value)
                           : layout::describeType(*m_model->context, function().graph.at(value).type));
}

bool Session::isLayingOut() const { return m_layoutWork.isBusy() || m_patience.isActive(); }

void Session::start()
{
    m_choice = [f = m_function](const ir::Model &drawn) { return layout::readableExpansion(drawn, f, firstBoxes); };
    m_patience.start();
    analyse();
    emit layoutBusyChanged();
}

void Session::analyse(std::shared_ptr<const analysis::Analysis> known)
{
    const auto &model = m_model == m_file ? m_givenFile : m_model;    // passes start from what is given
    auto earlier = m_figures ? m_figures->sharedAnalysis() : nullptr; // of what is shown, with something else given
    m_analysisWork.request([this, known = std::move(known), earlier = std::move(earlier), model, function = m_function,
                            given = m_given, device = m_device,
                            timing = m_running->timing()](std::stop_token stop) -> LatestWork::Finish {
        const Task task{stop, {}};
        auto analysed = known;
        if (!analysed)
            analysed =
                std::make_shared<const analysis::Analysis>(earlier ? analysis::analyse(*model, *earlier, given, task)
                                                                   : analysis::analyse(*model, function, given, task));
        if (stop.stop_requested())
            return {};
        auto figures = std::make_shared<const Figures>(model, std::move(analysed), device, timing);
        return [this, figures = std::move(figures)] { showFigures(figures); };
    });
}

void Session::showFigures(std::shared_ptr<const Figures> figures)
{
    const bool changed = !m_figures || m_figures->sharedAnalysis() != figures->sharedAnalysis();
    m_figures = std::move(figures);
    if (changed && m_choice) {
        m_patience.stop();
        layOut(m_choice);
    }
    emit figuresChanged();
}

Result<void> Session::give(const GivenTexts &texts)
{
    if (texts == m_givenTexts)
        return {};
    auto model = std::make_shared<ir::Model>(*m_file);
    auto given = request::readGiven(*model, m_function, texts.bindings, texts.inputs);
    if (!given)
        return std::unexpected(given.error());
    m_givenTexts = texts;
    m_given = std::move(*given);
    m_givenFile = std::move(model);
    if (m_model == m_file)
        analyse();
    emit givenChanged();
    return {};
}

/// The model with symbols for the input sizes that the file leaves open.
std::shared_ptr<const ir::Model> Session::assumed() const
{
    auto model = std::make_shared<ir::Model>(*m_file);
    if (!model->functions.empty())
        analysis::assumeInputs(*model, m_function);
    return model;
}

void Session::forgetGiven()
{
    m_givenTexts = {};
    m_given = {};
    m_givenFile = assumed();
    m_figures.reset();
}

void Session::setDevice(const analysis::Device &device)
{
    m_device = device;
    deriveAnew();
    emit deviceChanged();
}

/// The analysis stays, if it is there.
void Session::deriveAnew() { analyse(m_figures && !isAnalysing() ? m_figures->sharedAnalysis() : nullptr); }

void Session::setColouring(std::optional<Measure> measure)
{
    if (measure == m_colouring)
        return;
    m_colouring = measure;
    emit colouringChanged();
}

void Session::setFunction(ir::FunctionId function)
{
    if (function == m_function)
        return;
    m_function = function;
    m_selection = {};
    m_diagram.reset();
    m_anchor.reset();
    m_toCentre.reset();
    prepareState({m_file});
    m_drawn = m_file;
    m_marks = {};
    forgetGiven();
    emit givenChanged();
    emit functionChanged();
    emit selectionChanged();
    emit figuresChanged();
    start();
}

void Session::prepareState(ModelState state)
{
    m_model = std::move(state.model);
    m_before = std::move(state.before);
    m_all = std::move(state.all);
    m_nodeMarks.reset();
    m_moduleSums.reset();
    m_figures.reset();
    if (!isThere(function(), m_selection))
        m_selection = {};
}

void Session::showState(ModelState state)
{
    if (state == ModelState{m_model, m_before, m_all})
        return;
    prepareState(std::move(state));
    m_nodeMarks = stateMarks();
    if (!m_choice)
        return; // not started yet
    m_anchor.reset();
    m_choice = [expansion = m_expansion](const ir::Model &) { return expansion; };
    m_patience.start();
    analyse();
    emit stateChanged();
    emit figuresChanged();
    emit selectionChanged(); // the same thing, but what is to be told of it may be another
    emit layoutBusyChanged();
}

std::shared_ptr<const layout::NodeMarks> Session::stateMarks() const
{
    if (!m_before && !m_all)
        return nullptr;
    const ir::Graph &after = function().graph, &before = m_before ? m_before->at(m_function).graph : after;
    return std::make_shared<const layout::NodeMarks>(
        m_all ? layout::marksWithin(m_all->at(m_function).graph, before, after) : layout::marksBetween(before, after));
}

void Session::setNodeMarks(std::shared_ptr<const layout::NodeMarks> marks)
{
    m_nodeMarks = std::move(marks);
    m_marks = {};
    if (m_diagram && m_nodeMarks)
        m_marks = layout::marksOf(*m_diagram, m_drawn->at(m_function), *m_nodeMarks);
    emit marksChanged();
}

void Session::openMarked()
{
    if (!m_nodeMarks || m_expansion.everything)
        return;
    m_anchor.reset();
    layOut([expansion = m_expansion, marks = m_nodeMarks, f = m_function](const ir::Model &drawn) {
        return layout::withMarkedShown(expansion, drawn, f, *marks);
    });
}

const ir::Function &Session::functionOf(const Selection &selection) const
{
    return m_before && !isThere(function(), selection) ? m_before->at(m_function) : function();
}

bool Session::isShown(const Selection &selection) const
{
    return isThere(function(), selection) || (m_before && isThere(m_before->at(m_function), selection));
}

void Session::select(const Selection &selection)
{
    if (selection == m_selection || !isShown(selection))
        return;
    m_selection = selection;
    emit selectionChanged();
}

std::optional<ir::NodeId> Session::selectedNode() const
{
    const auto subject = subjectOf(drawnFunction(), m_selection);
    const auto *node = subject ? std::get_if<ir::NodeId>(&*subject) : nullptr;
    return node ? std::optional(*node) : std::nullopt;
}

void Session::reveal(const Selection &selection)
{
    select(selection);
    const auto subject = subjectOf(drawnFunction(), m_selection);
    if (!subject)
        return;
    layout::Expansion wanted = m_expansion;
    for (const layout::Subject &box : enclosing(*subject))
        wanted.open.insert(box);
    if (!wanted.everything && wanted.open != m_expansion.open) {
        m_toCentre = subject;
        layOut(std::move(wanted));
    } else if (isLayingOut() || !m_diagram) {
        m_toCentre = subject;
    } else {
        emit centreRequested(*subject);
    }
}

void Session::setOpen(const layout::Subject &subject, bool open)
{
    if (m_expansion.isOpen(subject) == open || m_expansion.everything)
        return;
    layout::Expansion wanted = m_expansion;
    if (open)
        wanted.open.insert(subject);
    else
        wanted.open.erase(subject);
    m_anchor = subject;
    m_toCentre.reset();
    layOut(std::move(wanted));
}

void Session::layOut(layout::Expansion expansion)
{
    m_expansion = expansion;
    layOut([expansion = std::move(expansion)](const ir::Model &) { return expansion; });
}

void Session::layOut(Choice choice)
{
    m_choice = choice;
    layout::Options options = m_options;
    options.knowledge = knowledgeOf(m_figures);
    options.wholeLines = m_before || m_all;
    Drawing started{.drawn = m_all ? m_all
                        : m_before ? nullptr
                                   : m_model,
                    .nodeMarks = m_nodeMarks,
                    .expansion = {},
                    .diagram = nullptr,
                    .marks = {}};
    m_layoutWork.request([this, model = m_model, before = m_before, all = m_all, function = m_function,
                          choice = std::move(choice), options = std::move(options),
                          started = std::move(started)](const std::stop_token &stop) -> LatestWork::Finish {
        Drawing made = started;
        if (!made.drawn)
            made.drawn = std::make_shared<const ir::Model>(layout::bothStates(*before, *model, function));
        made.expansion = choice(*made.drawn);
        auto diagram = layout::layOut(*made.drawn, function, made.expansion, diagramTextWidth, options, stop);
        if (!diagram || stop.stop_requested())
            return {};
        if (all)
            layout::describeStates(*diagram, {.before = before ? *before : *model, .after = *model}, function,
                                   options.knowledge, diagramTextWidth);
        made.diagram = std::make_shared<const layout::Diagram>(*std::move(diagram));
        if (made.nodeMarks)
            made.marks = layout::marksOf(*made.diagram, made.drawn->at(function), *made.nodeMarks);
        return [this, made = std::move(made)] { showDrawing(made); };
    });
}

void Session::showDrawing(Drawing drawing)
{
    m_drawn = std::move(drawing.drawn);
    m_expansion = m_shownExpansion = std::move(drawing.expansion);
    m_diagram = std::move(drawing.diagram);
    m_enclosing.reset();
    if (drawing.nodeMarks == m_nodeMarks)
        m_marks = std::move(drawing.marks);
    else // they were found while it was laid out
        m_marks = m_nodeMarks ? layout::marksOf(*m_diagram, drawnFunction(), *m_nodeMarks) : layout::Marks{};
    if (!isShown(m_selection))
        select({});
    emit diagramChanged();
    emit marksChanged();
    m_anchor.reset();
    if (m_toCentre)
        emit centreRequested(*std::exchange(m_toCentre, std::nullopt));
}

void Session::setDepth(int depth)
{
    m_anchor.reset();
    layOut(Choice([f = m_function, depth = std::max(depth, 0)](const ir::Model &drawn) {
        return layout::expansionToDepth(drawn, f, depth);
    }));
}

/// Levels of modules of which every one in the diagram is open.
int Session::openDepth() const
{
    std::optional<int> shallowestClosed;
    int deepestOpen = 0;
    if (!m_diagram)
        return 0;
    for (const layout::Box &box : m_diagram->boxes) {
        const auto *module = std::get_if<layout::ScopeSubject>(&box.subject);
        if (!module || !box.canOpen)
            continue;
        const int depth = ir::scopeDepth(*m_model->context, module->scope);
        if (box.open)
            deepestOpen = std::max(deepestOpen, depth);
        else
            shallowestClosed = std::min(shallowestClosed.value_or(depth), depth);
    }
    return shallowestClosed ? *shallowestClosed - 1 : deepestOpen;
}

void Session::openDeeper() { setDepth(openDepth() + 1); }

void Session::closeDeepest()
{
    int deepest = 0;
    for (const layout::Subject &box : m_expansion.open)
        if (const auto *module = std::get_if<layout::ScopeSubject>(&box))
            deepest = std::max(deepest, ir::scopeDepth(*m_model->context, module->scope));
    setDepth(deepest - 1);
}

void Session::setSearchText(const QString &text)
{
    if (text == m_searchText)
        return;
    m_searchText = text;
    emit searchTextChanged();
}

void Session::cancelLayout()
{
    m_layoutWork.cancel();
    m_expansion = m_shownExpansion;
    m_choice = [expansion = m_expansion](const ir::Model &) { return expansion; };
    m_anchor.reset();
    m_toCentre.reset();
}

} // namespace cutaway::views
